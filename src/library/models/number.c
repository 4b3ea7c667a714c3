/* Numbers, characters, sorting and searching (C11 7.4, 7.22; POSIX) as programs, in the "C" locale. */

struct __selvedge_div { int quot, rem; };
struct __selvedge_ldiv { long quot, rem; };
struct __selvedge_lldiv { long long quot, rem; };
void div(struct __selvedge_div *to, int n, int by) {
  to->quot = n / by;
  to->rem = n % by;
}
void ldiv(struct __selvedge_ldiv *to, long n, long by) {
  to->quot = n / by;
  to->rem = n % by;
}
void lldiv(struct __selvedge_lldiv *to, long long n, long long by) {
  to->quot = n / by;
  to->rem = n % by;
}

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

/* Pseudo-random numbers are any numbers of their range, and what is read any character or the end. */
int rand(void) { return __VERIFIER_nondet_int() & 0x7fffffff; }
long random(void) { return __VERIFIER_nondet_int() & 0x7fffffff; }
long lrand48(void) { return __VERIFIER_nondet_int() & 0x7fffffff; }
int rand_r(unsigned *seed) {
  *seed = (unsigned)__VERIFIER_nondet_int();
  return __VERIFIER_nondet_int() & 0x7fffffff;
}

long mrand48(void) { return __VERIFIER_nondet_int(); }

/* Processes have numbers from 1 on. */
int getpid(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number > 0);
  return number;
}
int getppid(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0);
  return number;
}
int getpagesize(void) { return 4096; }

int isdigit(int c) { return c >= '0' && c <= '9'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }

/* The value of a digit, or 36. */
static int __selvedge_digit(int c) {
  if (isdigit(c))
    return c - '0';
  return isalpha(c) ? tolower(c) - 'a' + 10 : 36;
}

extern int *__errno_location(void);

/* A number up to `most` (one more if it is negative and signed), cut to what fits. */
static unsigned long long __selvedge_number(const char *text, char **end, int base, int is_signed,
                                            unsigned long long most) {
  const char *at = text;
  int negative = 0, any = 0, over = 0;
  unsigned long long value = 0;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22; /* EINVAL */
    if (end)
      *end = (char *)text;
    return 0;
  }
  while (isspace(*at))
    at++;
  if (*at == '-' || *at == '+')
    negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __selvedge_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  if (is_signed && negative)
    most++;
  for (; __selvedge_digit(*at) < base; at++) {
    unsigned digit = (unsigned)__selvedge_digit(*at);
    any = 1;
    if (value > (most - digit) / (unsigned)base)
      over = 1;
    value = value * (unsigned)base + digit;
  }
  if (end)
    *end = (char *)(any ? at : text);
  if (over)
    *__errno_location() = 34; /* ERANGE */
  if (over)
    return is_signed && negative ? -most : most;
  return negative ? -value : value;
}

long strtol(const char *text, char **end, int base) {
  return (long)__selvedge_number(text, end, base, 1, ~0ul >> 1);
}
long long strtoll(const char *text, char **end, int base) {
  return (long long)__selvedge_number(text, end, base, 1, ~0ull >> 1);
}
unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)__selvedge_number(text, end, base, 0, ~0ul);
}
unsigned long long strtoull(const char *text, char **end, int base) {
  return __selvedge_number(text, end, base, 0, ~0ull);
}
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
int atoi(const char *text) { return (int)strtol(text, 0, 10); }
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }

static void __selvedge_swap(unsigned char *a, unsigned char *b, size_t size) {
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    unsigned long long word = *(__selvedge_any8 *)(a + i);
    *(__selvedge_any8 *)(a + i) = *(__selvedge_any8 *)(b + i);
    *(__selvedge_any8 *)(b + i) = word;
  }
  for (; i < size; i++) {
    unsigned char byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

/* By insertion: elements that compare equal stay in their order. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *items = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(items + (j - 1) * size, items + j * size) > 0; j--)
      __selvedge_swap(items + (j - 1) * size, items + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const unsigned char *items = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, items + middle * size);
    if (order == 0)
      return (void *)(items + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return (void *)0;
}
