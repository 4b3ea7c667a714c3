/* Functions whose results C11 leaves open (7.12, F.10): any value that every implementation may give. What is known of a result
 * is its sign, whether it is a number, and a range, somewhat larger than the mathematical one; the same arguments give the same
 * result. A program is read with these beside a reading in which such calls end the execution: see `verify/open.rs`. */
enum { EDOM = 33, ERANGE = 34 };
extern __selvedge_any8 *__selvedge_results(void);
extern int *__selvedge_results_known(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern double __selvedge_from_bits(unsigned long long bits);
extern unsigned long long __selvedge_bits(double x);
extern double trunc(double x);

/* Who asks, in the table of results. */
enum { SIN = 1, COS, TAN, ASIN, ACOS, ATAN, ATAN2, SINH, COSH, TANH, ASINH, ACOSH, ATANH, EXP, EXP2, EXP10, EXPM1, LOG, LOG2, LOG10,
       LOG1P, POW, CBRT, HYPOT, ERF, ERFC, LGAMMA, TGAMMA, BESSEL, OF_FLOAT = 64 };
enum { RESULTS = 8, RESULT_WORDS = 4 };

#define SAME_RESULT(n) \
  if (n < known && all[n * RESULT_WORDS] == function && all[n * RESULT_WORDS + 1] == x && all[n * RESULT_WORDS + 2] == y) \
    __VERIFIER_assume(all[n * RESULT_WORDS + 3] == result);
#define NEW_RESULT(n) \
  if (n == known) { \
    all[n * RESULT_WORDS] = function; \
    all[n * RESULT_WORDS + 1] = x; \
    all[n * RESULT_WORDS + 2] = y; \
    all[n * RESULT_WORDS + 3] = result; \
  }
#define EACH_RESULT(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)

/* Any result, and the same as the last time. */
static double __selvedge_any(unsigned long long function, double a, double b) {
  unsigned long long result = __VERIFIER_nondet_ulonglong(), x = __selvedge_bits(a), y = __selvedge_bits(b);
  __selvedge_begin();
  __selvedge_any8 *all = __selvedge_results();
  int known = *__selvedge_results_known();
  EACH_RESULT(SAME_RESULT)
  EACH_RESULT(NEW_RESULT)
  if (known < RESULTS)
    *__selvedge_results_known() = known + 1;
  __VERIFIER_atomic_end();
  if (__VERIFIER_nondet_bool())
    *__errno_location() = __VERIFIER_nondet_bool() ? EDOM : ERANGE;
  return __selvedge_from_bits(result);
}

static int __selvedge_is_finite(double x) { return x - x == 0; }
static int __selvedge_is_negative(double x) { return (long long)__selvedge_bits(x) < 0; }
#define NAN_VALUE __builtin_nan("")
#define INFINITE __builtin_inf()
/* Errors that a result close to the end of its range may have, in `float` as well. */
#define ABOUT(limit) ((limit) * 1.000001)

/* A number between these. */
static double __selvedge_result(unsigned long long function, double a, double b, double least, double most) {
  double result = __selvedge_any(function, a, b);
  __VERIFIER_assume(least <= result && result <= most);
  return result;
}
/* A number of the sign of `a`, at most so far from zero; zeros stay. */
static double __selvedge_odd(unsigned long long function, double a, double most) {
  if (a == 0)
    return a;
  double result = __selvedge_result(function, a, 0, -most, most);
  __VERIFIER_assume(__selvedge_is_negative(a) == __selvedge_is_negative(result));
  return result;
}

static double __selvedge_wave(unsigned long long function, double x) {
  if (!__selvedge_is_finite(x))
    return NAN_VALUE;
  return __selvedge_result(function, x, 0, -ABOUT(1), ABOUT(1));
}
static double __selvedge_tan(unsigned long long function, double x, double most) {
  if (!__selvedge_is_finite(x))
    return NAN_VALUE;
  return __selvedge_result(function, x, 0, -most, most);
}
static double __selvedge_asin(unsigned long long function, double x) {
  return -1 <= x && x <= 1 ? __selvedge_odd(function, x, 1.5708) : NAN_VALUE;
}
static double __selvedge_acos(unsigned long long function, double x) {
  return -1 <= x && x <= 1 ? __selvedge_result(function, x, 0, 0, 3.1416) : NAN_VALUE;
}
static double __selvedge_atan(unsigned long long function, double x) {
  return x == x ? __selvedge_odd(function, x, 1.5708) : NAN_VALUE;
}
static double __selvedge_atan2(unsigned long long function, double y, double x) {
  if (x != x || y != y)
    return NAN_VALUE;
  double result = __selvedge_result(function, y, x, -3.1416, 3.1416);
  __VERIFIER_assume(__selvedge_is_negative(y) == __selvedge_is_negative(result));
  return result;
}
/* Infinite only if that is said. */
static double __selvedge_grows(unsigned long long function, double x) {
  return x == x ? __selvedge_odd(function, x, INFINITE) : NAN_VALUE;
}
static double __selvedge_rises(unsigned long long function, double x) {
  if (!__selvedge_is_finite(x))
    return x == x ? x : NAN_VALUE;
  return __selvedge_odd(function, x, 0x1.fffffffffffffp1023);
}
static double __selvedge_cosh(unsigned long long function, double x) {
  return x == x ? __selvedge_result(function, x, 0, 0.999999, INFINITE) : NAN_VALUE;
}
static double __selvedge_tanh(unsigned long long function, double x) {
  return x == x ? __selvedge_odd(function, x, ABOUT(1)) : NAN_VALUE;
}
static double __selvedge_acosh(unsigned long long function, double x) {
  return x >= 1 ? __selvedge_result(function, x, 0, 0, INFINITE) : NAN_VALUE;
}
static double __selvedge_atanh(unsigned long long function, double x) {
  return -1 <= x && x <= 1 ? __selvedge_odd(function, x, INFINITE) : NAN_VALUE;
}
static double __selvedge_exp(unsigned long long function, double x) {
  if (x != x)
    return NAN_VALUE;
  if (x == 0)
    return 1;
  if (!__selvedge_is_finite(x))
    return x < 0 ? 0 : x;
  return __selvedge_result(function, x, 0, 0, x < 0 ? ABOUT(1) : INFINITE);
}
static double __selvedge_expm1(unsigned long long function, double x) {
  double result = __selvedge_grows(function, x);
  __VERIFIER_assume(!(result < -ABOUT(1)));
  return result;
}
static double __selvedge_log(unsigned long long function, double x) {
  if (!(x >= 0))
    return NAN_VALUE;
  if (x == 0)
    return -INFINITE;
  if (x == 1)
    return 0;
  if (!__selvedge_is_finite(x))
    return x;
  return x < 1 ? __selvedge_result(function, x, 0, -ABOUT(1100), 0) : __selvedge_result(function, x, 0, 0, ABOUT(1100));
}
static double __selvedge_log1p(unsigned long long function, double x) {
  if (!(x >= -1))
    return NAN_VALUE;
  return x == -1 ? -INFINITE : __selvedge_is_finite(x) ? __selvedge_odd(function, x, ABOUT(1100)) : x;
}
static double __selvedge_pow(unsigned long long function, double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return NAN_VALUE;
  if (x < 0 && __selvedge_is_finite(x) && __selvedge_is_finite(y) && trunc(y) != y)
    return NAN_VALUE;
  return __selvedge_result(function, x, y, x < 0 || __selvedge_is_negative(x) ? -INFINITE : 0, INFINITE);
}
static double __selvedge_hypot(unsigned long long function, double x, double y) {
  if (x - x != 0 && x == x || y - y != 0 && y == y)
    return INFINITE;
  return x == x && y == y ? __selvedge_result(function, x, y, 0, INFINITE) : NAN_VALUE;
}
static double __selvedge_erfc(unsigned long long function, double x) {
  return x == x ? __selvedge_result(function, x, 0, 0, ABOUT(2)) : NAN_VALUE;
}
/* Any value at all. */
static double __selvedge_free(unsigned long long function, double x, double y) {
  double result = __selvedge_any(function, x, y);
  return result == result ? result : NAN_VALUE;
}

double sin(double x) { return __selvedge_wave(SIN, x); }
float sinf(float x) { return (float)__selvedge_wave(SIN + OF_FLOAT, x); }
double cos(double x) { return __selvedge_wave(COS, x); }
float cosf(float x) { return (float)__selvedge_wave(COS + OF_FLOAT, x); }
double tan(double x) { return __selvedge_tan(TAN, x, 0x1.fffffffffffffp1023); }
float tanf(float x) { return (float)__selvedge_tan(TAN + OF_FLOAT, x, 0x1.fffffep127); }
double asin(double x) { return __selvedge_asin(ASIN, x); }
float asinf(float x) { return (float)__selvedge_asin(ASIN + OF_FLOAT, x); }
double acos(double x) { return __selvedge_acos(ACOS, x); }
float acosf(float x) { return (float)__selvedge_acos(ACOS + OF_FLOAT, x); }
double atan(double x) { return __selvedge_atan(ATAN, x); }
float atanf(float x) { return (float)__selvedge_atan(ATAN + OF_FLOAT, x); }
double atan2(double y, double x) { return __selvedge_atan2(ATAN2, y, x); }
float atan2f(float y, float x) { return (float)__selvedge_atan2(ATAN2 + OF_FLOAT, y, x); }
double sinh(double x) { return __selvedge_grows(SINH, x); }
float sinhf(float x) { return (float)__selvedge_grows(SINH + OF_FLOAT, x); }
double cosh(double x) { return __selvedge_cosh(COSH, x); }
float coshf(float x) { return (float)__selvedge_cosh(COSH + OF_FLOAT, x); }
double tanh(double x) { return __selvedge_tanh(TANH, x); }
float tanhf(float x) { return (float)__selvedge_tanh(TANH + OF_FLOAT, x); }
double asinh(double x) { return __selvedge_rises(ASINH, x); }
float asinhf(float x) { return (float)__selvedge_grows(ASINH + OF_FLOAT, x); }
double acosh(double x) { return __selvedge_acosh(ACOSH, x); }
float acoshf(float x) { return (float)__selvedge_acosh(ACOSH + OF_FLOAT, x); }
double atanh(double x) { return __selvedge_atanh(ATANH, x); }
float atanhf(float x) { return (float)__selvedge_atanh(ATANH + OF_FLOAT, x); }
double exp(double x) { return __selvedge_exp(EXP, x); }
float expf(float x) { return (float)__selvedge_exp(EXP + OF_FLOAT, x); }
double exp2(double x) { return __selvedge_exp(EXP2, x); }
float exp2f(float x) { return (float)__selvedge_exp(EXP2 + OF_FLOAT, x); }
double exp10(double x) { return __selvedge_exp(EXP10, x); }
float exp10f(float x) { return (float)__selvedge_exp(EXP10 + OF_FLOAT, x); }
double pow10(double x) { return __selvedge_exp(EXP10, x); }
double expm1(double x) { return __selvedge_expm1(EXPM1, x); }
float expm1f(float x) { return (float)__selvedge_expm1(EXPM1 + OF_FLOAT, x); }
double log(double x) { return __selvedge_log(LOG, x); }
float logf(float x) { return (float)__selvedge_log(LOG + OF_FLOAT, x); }
double log2(double x) { return __selvedge_log(LOG2, x); }
float log2f(float x) { return (float)__selvedge_log(LOG2 + OF_FLOAT, x); }
double log10(double x) { return __selvedge_log(LOG10, x); }
float log10f(float x) { return (float)__selvedge_log(LOG10 + OF_FLOAT, x); }
double log1p(double x) { return __selvedge_log1p(LOG1P, x); }
float log1pf(float x) { return (float)__selvedge_log1p(LOG1P + OF_FLOAT, x); }
double pow(double x, double y) { return __selvedge_pow(POW, x, y); }
float powf(float x, float y) { return (float)__selvedge_pow(POW + OF_FLOAT, x, y); }
double cbrt(double x) { return __selvedge_rises(CBRT, x); }
float cbrtf(float x) { return (float)__selvedge_grows(CBRT + OF_FLOAT, x); }
double hypot(double x, double y) { return __selvedge_hypot(HYPOT, x, y); }
float hypotf(float x, float y) { return (float)__selvedge_hypot(HYPOT + OF_FLOAT, x, y); }
double erf(double x) { return __selvedge_tanh(ERF, x); }
float erff(float x) { return (float)__selvedge_tanh(ERF + OF_FLOAT, x); }
double erfc(double x) { return __selvedge_erfc(ERFC, x); }
float erfcf(float x) { return (float)__selvedge_erfc(ERFC + OF_FLOAT, x); }
double lgamma(double x) { return __selvedge_free(LGAMMA, x, 0); }
double tgamma(double x) { return __selvedge_free(TGAMMA, x, 0); }
double j0(double x) { return __selvedge_free(BESSEL, x, 0); }
double j1(double x) { return __selvedge_free(BESSEL, x, 1); }
double y0(double x) { return __selvedge_free(BESSEL, x, 2); }
double y1(double x) { return __selvedge_free(BESSEL, x, 3); }
