/* Functions whose results C11 leaves open and that access memory of their callers (7.22.1; `sincos` of GNU): see `open.c`. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern double __selvedge_from_bits(unsigned long long bits);
extern double sin(double x), cos(double x);
extern float sinf(float x), cosf(float x);

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

/* The number at the start of a text, or of some of it. */
static double __selvedge_read_number(const char *text, char **end) {
  size_t length = 0;
  while (text[length] && __VERIFIER_nondet_bool())
    length++;
  if (end)
    *end = (char *)text + length;
  unsigned long long bits = __VERIFIER_nondet_ulonglong();
  if (__VERIFIER_nondet_bool())
    *__errno_location() = 34;
  double result = __selvedge_from_bits(bits);
  return result == result ? result : __builtin_nan("");
}
double strtod(const char *text, char **end) { return __selvedge_read_number(text, end); }
float strtof(const char *text, char **end) { return (float)__selvedge_read_number(text, end); }
double atof(const char *text) { return __selvedge_read_number(text, (char **)0); }
