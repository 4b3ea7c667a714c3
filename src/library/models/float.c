/* Functions on numbers (C11 7.12) as programs; each is followed by itself in `float`. All steps are exact, but for the
   one that rounds the result. */
extern unsigned long long __selvedge_bits(double x);
extern double __selvedge_from_bits(unsigned long long bits);
extern unsigned __selvedge_bitsf(float x);
extern float __selvedge_from_bitsf(unsigned bits);
extern void __selvedge_payload(void);
extern double trunc(double x), rint(double x), fmod(double x, double y), copysign(double x, double y);
extern float truncf(float x), rintf(float x), fmodf(float x, float y), copysignf(float x, float y);
extern double fabs(double x);
extern float fabsf(float x);

/* Of a number and a NaN, the number; of zeros, the first. */
double fmin(double x, double y) { return y != y || x <= y ? x : y; }
float fminf(float x, float y) { return y != y || x <= y ? x : y; }
double fmax(double x, double y) { return y != y || x >= y ? x : y; }
float fmaxf(float x, float y) { return y != y || x >= y ? x : y; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }

double nan(const char *tag) {
  if (*tag)
    __selvedge_payload();
  return __builtin_nan("");
}
float nanf(const char *tag) {
  if (*tag)
    __selvedge_payload();
  return __builtin_nanf("");
}

/* Twice the divisor goes in an even number of times; what is left is more or less than half of it. Halves of the
   smallest numbers and doubles of the largest are not taken. */
double remainder(double x, double y) {
  double a, b = fabs(y);
  if (x != x || y != y || x - x != 0 || b == 0)
    return __builtin_nan("");
  a = fabs(b < 0x1p1023 ? fmod(x, b + b) : x);
  if (b < 0x1p-1021) {
    if (a + a > b) {
      a -= b;
      if (a + a >= b)
        a -= b;
    }
  } else {
    double half = b * 0.5;
    if (a > half) {
      a -= b;
      if (a >= half)
        a -= b;
    }
  }
  return copysign(1, x) < 0 ? -a : a;
}
float remainderf(float x, float y) {
  float a, b = fabsf(y);
  if (x != x || y != y || x - x != 0 || b == 0)
    return __builtin_nanf("");
  a = fabsf(b < 0x1p127f ? fmodf(x, b + b) : x);
  if (b < 0x1p-125f) {
    if (a + a > b) {
      a -= b;
      if (a + a >= b)
        a -= b;
    }
  } else {
    float half = b * 0.5f;
    if (a > half) {
      a -= b;
      if (a >= half)
        a -= b;
    }
  }
  return copysignf(1, x) < 0 ? -a : a;
}
double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainderf(x, y); }

double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(x - x != 0 && x == x ? 0 : x - *whole, x);
}
float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(x - x != 0 && x == x ? 0 : x - *whole, x);
}

/* Powers of two within the range, one after the other; only the last product is rounded. */
double scalbln(double x, long n) {
  if (n > 1023) {
    x *= 0x1p1023;
    n -= 1023;
    if (n > 1023) {
      x *= 0x1p1023;
      n -= 1023;
      if (n > 1023)
        n = 1023;
    }
  } else if (n < -1022) {
    x *= 0x1p-969;
    n += 969;
    if (n < -1022) {
      x *= 0x1p-969;
      n += 969;
      if (n < -1022)
        n = -1022;
    }
  }
  return x * __selvedge_from_bits((unsigned long long)(n + 1023) << 52);
}
float scalblnf(float x, long n) {
  if (n > 127) {
    x *= 0x1p127f;
    n -= 127;
    if (n > 127) {
      x *= 0x1p127f;
      n -= 127;
      if (n > 127)
        n = 127;
    }
  } else if (n < -126) {
    x *= 0x1p-102f;
    n += 102;
    if (n < -126) {
      x *= 0x1p-102f;
      n += 102;
      if (n < -126)
        n = -126;
    }
  }
  return x * __selvedge_from_bitsf((unsigned)(n + 127) << 23);
}
double scalbn(double x, int n) { return scalbln(x, n); }
float scalbnf(float x, int n) { return scalblnf(x, n); }
double ldexp(double x, int n) { return scalbln(x, n); }
float ldexpf(float x, int n) { return scalblnf(x, n); }

double frexp(double x, int *exponent) {
  int more = 0;
  unsigned long long bits;
  *exponent = 0;
  if (x == 0 || x - x != 0)
    return x;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    more = -54;
  }
  bits = __selvedge_bits(x);
  *exponent = (int)(bits >> 52 & 0x7ff) - 1022 + more;
  return __selvedge_from_bits((bits & 0x800fffffffffffffULL) | 1022ULL << 52);
}
float frexpf(float x, int *exponent) {
  int more = 0;
  unsigned bits;
  *exponent = 0;
  if (x == 0 || x - x != 0)
    return x;
  if (fabsf(x) < 0x1p-126f) {
    x *= 0x1p25f;
    more = -25;
  }
  bits = __selvedge_bitsf(x);
  *exponent = (int)(bits >> 23 & 0xff) - 126 + more;
  return __selvedge_from_bitsf((bits & 0x807fffffU) | 126U << 23);
}

/* What has no exponent gives what GNU's library gives on x86. */
int ilogb(double x) {
  int exponent;
  unsigned long long bits;
  if (x == 0 || x != x)
    return -2147483647 - 1;
  if (x - x != 0)
    return 2147483647;
  exponent = 0;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  bits = __selvedge_bits(x);
  return (int)(bits >> 52 & 0x7ff) - 1023 + exponent;
}
int ilogbf(float x) { return ilogb(x); }
double logb(double x) {
  if (x != x)
    return __builtin_nan("");
  if (x == 0)
    return -__builtin_inf();
  return x - x != 0 ? __builtin_inf() : ilogb(x);
}
float logbf(float x) { return logb(x); }

double nextafter(double x, double y) {
  unsigned long long bits;
  if (x != x || y != y)
    return __builtin_nan("");
  if (x == y)
    return y;
  if (x == 0)
    return copysign(0x1p-1074, y);
  bits = __selvedge_bits(x);
  return __selvedge_from_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
}
float nextafterf(float x, float y) {
  unsigned bits;
  if (x != x || y != y)
    return __builtin_nanf("");
  if (x == y)
    return y;
  if (x == 0)
    return copysignf(0x1p-149f, y);
  bits = __selvedge_bitsf(x);
  return __selvedge_from_bitsf((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

/* Numbers from 0 to 1, without that, in steps of 2^-48 (POSIX). */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
double drand48(void) { return (double)(__VERIFIER_nondet_ulonglong() & 0xffffffffffffULL) * 0x1p-48; }

double difftime(long later, long earlier) {
  return later < earlier ? -(double)((unsigned long)earlier - (unsigned long)later)
                         : (double)((unsigned long)later - (unsigned long)earlier);
}
