// Floating-point numbers: arithmetic, conversions, comparisons, <math.h> (C11 6.3.1.4, 6.3.1.5, 7.12, Annex F).
#include "check.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Nothing folds in the compiler what goes through these.
volatile float f1 = 1.5f, f2 = -0.1f, f3 = 16777216.0f, fz = 0.0f;
volatile double d1 = 0.1, d2 = 0.2, d3 = 1e308, dz = 0.0, dm = -0.0;
volatile int i1 = -7, i2 = 16777217;
volatile unsigned u1 = 4294967295u;
volatile long long l1 = 9007199254740993LL;
volatile unsigned long long w1 = 18446744073709551615ull;
volatile _Bool b1 = 1;

static const double constant = 3 * 0.5 + 1;
static float table[3] = {1, 2.5, -3.25f};
static struct {
  char tag;
  float f;
  double d[2];
} record = {'r', 0.75f, {1e-3, -1e3}};
_Atomic float af = 1.5f;
_Atomic double ad;

static unsigned long long bits(double d) {
  unsigned long long u;
  memcpy(&u, &d, sizeof u);
  return u;
}
static unsigned bitsf(float f) {
  union {
    float f;
    unsigned u;
  } both;
  both.f = f;
  return both.u;
}

static float halve(float x) { return x / 2; }
static double add(int i, float f, double d) { return i + f + d; }
static float old(x) float x; { return x * 2; }
static int variadic(const char *format, ...) { return format != 0; }

static void arithmetic(void) {
  check(d1 + d2 != 0.3 && d1 + d2 == 0.30000000000000004);
  check(bits(d1 + d2) == 0x3fd3333333333334ull);
  check(f2 + f1 == 1.4f && f1 * f2 == -0.15f && f1 / f2 == -15.0f);
  check(f2 * f2 == 0.010000000707805157f);
  check(f3 + 1 == f3 && f3 + 2 == 16777218.0f && f3 + 3 == 16777220.0f);
  check((double)f2 != -0.1 && (double)f2 == -0.10000000149011612);
  check(d3 * 10 == INFINITY && -d3 * 10 == -INFINITY && d3 * 10 - d3 * 10 != 0);
  check(1 / dz == INFINITY && 1 / dm == -INFINITY && dz == dm && bits(dz) != bits(dm));
  check(bits(dz + dm) == 0 && bits(dm + dm) == bits(dm) && bits(dz - dz) == 0 && bits(-dz) == bits(dm));
  check(5e-324 / 2 == 0 && DBL_MIN / 2 != 0 && DBL_MIN / 4 * 4 == DBL_MIN && DBL_TRUE_MIN * 0.5 == 0);
  check(FLT_MIN / 8388608 == FLT_TRUE_MIN && FLT_TRUE_MIN / 2 == 0 && FLT_TRUE_MIN > 0);
  check(FLT_MAX * 2 == INFINITY && FLT_MAX * 2.0 < 1e39 && FLT_MAX + 1 == FLT_MAX);
  check(1 + FLT_EPSILON != 1 && 1 + FLT_EPSILON / 2 == 1 && 1 + DBL_EPSILON != 1 && 1 + DBL_EPSILON / 2 == 1);
  check(d1 * 3 != 0.3 && d1 * 3 - 0.3 < 1e-15 && constant == 2.5);
  double x = 2;
  x += 1; x *= 2.5f; x -= i1; x /= 4;
  check(x == 3.625 && x++ == 3.625 && ++x == 5.625 && x-- == 5.625 && --x == 3.625);
  int i = 7;
  i *= 1.5; check(i == 10);
  i += 0.99f; check(i == 10);
  i /= 0.3; check(i == 33);
  char c = 100;
  c *= 1.25; check(c == 125);
  float f = i2;
  check(f == 16777216 && (f += 1) == 16777216 && -f == -16777216 && +f == f && !f == 0 && !fz);
  check(halve(3) == 1.5f && halve(d1) == 0.05f && add(1, 0.5f, d1) == 1.6 && add(1.9, 1, f1) == 3.5 && old(0.1f) == 0.2f);
  check(variadic("%f", f1, d1) && (printf("%g", 0.0), 1));
  check((b1 ? 1 : 2.5) == 1.0 && sizeof(b1 ? 1 : 2.5f) == 4 && sizeof(1.0f + 1) == 4 && sizeof(1.0f + 1.0) == 8);
}

static void comparisons(void) {
  double n = dz / dz, m = 1;
  check(n != n && !(n == n) && !(n < m) && !(n > m) && !(n <= n) && !(n >= n) && !(m < n) && n);
  check(!!n && (n ? 1 : 0) && !(!n) && (n || 0) && !(n && 0));
  check(d1 < d2 && d2 > d1 && d1 <= d1 && d1 >= d1 && !(d1 < d1) && -d1 > -d2 && -d1 < d1 && dm <= dz && dm >= dz && !(dm < dz));
  check(INFINITY > DBL_MAX && -INFINITY < -DBL_MAX && INFINITY == INFINITY && f1 == 1.5 && f2 != -0.1);
  check(i1 < f1 && u1 > f1 && w1 > d1 && i2 == 16777217.0 && i2 == 16777217.0f && (float)i2 != 16777217.0);
  check(isnan(n) && !isnan(m) && isinf(1 / dz) == 1 && isinf(-1 / dz) == -1 && !isinf(m) && isfinite(m) && !isfinite(n) && !isfinite(d3 * d3));
  check(isnormal(m) && !isnormal(dz) && !isnormal(DBL_TRUE_MIN) && signbit(dm) && !signbit(dz) && signbit(f2) && !isnan(f1));
  check(fpclassify(n) == FP_NAN && fpclassify(d3 * d3) == FP_INFINITE && fpclassify(dm) == FP_ZERO);
  check(fpclassify(FLT_TRUE_MIN) == FP_NORMAL || sizeof(FLT_TRUE_MIN) == 4);
  check(fpclassify(DBL_TRUE_MIN) == FP_SUBNORMAL && fpclassify(f1) == FP_NORMAL && fpclassify((float)FLT_TRUE_MIN) == FP_SUBNORMAL);
  check(isgreater(d2, d1) && !isgreater(n, d1) && isless(f2, d1) && islessequal(d1, d1) && isgreaterequal(d1, d1));
  check(islessgreater(d1, d2) && !islessgreater(n, d2) && isunordered(n, d2) && isunordered(d1, n) && !isunordered(d1, d2));
}

static void conversions(void) {
  check((int)1.9 == 1 && (int)-1.9 == -1 && (int)f2 == 0 && (unsigned)-0.9 == 0 && (int)-2147483648.9 == INT_MIN && (int)2147483647.9 == INT_MAX);
  check((float)i2 == 16777216.0f && (float)16777219 == 16777220.0f && (double)i2 == 16777217.0 && (float)u1 == 4294967296.0f);
  check((double)l1 == 9007199254740992.0 && (double)(l1 + 2) == 9007199254740996.0 && (double)w1 == 18446744073709551616.0);
  check((float)w1 == 18446744073709551616.0f && (float)-l1 == -9007199254740992.0f && (double)LLONG_MIN == -9223372036854775808.0);
  check((long long)9007199254740993.0 == 9007199254740992LL && (unsigned long long)1e19 == 10000000000000000000ull);
  check((long long)-9223372036854775808.0 == LLONG_MIN && (unsigned char)255.9 == 255 && (signed char)-128.5 == -128 && (short)-f1 == -1);
  check((_Bool)0.1f == 1 && (_Bool)dz == 0 && (_Bool)dm == 0 && (_Bool)(dz / dz) == 1 && (float)b1 == 1 && b1 + 0.5 == 1.5);
  check((float)0.1 == 0.1f && (float)0.1 != 0.1 && (float)1e-46 == 0 && (float)1e39 == INFINITY && (float)d3 == INFINITY);
  check(bitsf((float)1.00000005960464477540) == 0x3f800000 && bitsf(1.00000005960464477540f) == 0x3f800001);
  check(bitsf((float)1e-45) == 1 && bitsf((float)7e-46) == 0 && bitsf((float)7.1e-46) == 1 && bitsf((float)-1e-40) == 0x800116c2);
  check(bits((double)FLT_TRUE_MIN) == 0x36a0000000000000ull && bits((double)-fz) == 1ull << 63);
  check(0x1.8p1 == 3 && 0x1p-1074 == DBL_TRUE_MIN && 0x.8p0f == 0.5f && 1e-400 == 0 && 1e2 == 100 && .5 == 1 / 2. && 0x1.000001000000001p0f != 1);
  char c = -1.5;
  unsigned short s = 65535.5f;
  check(c == (char)-1 && s == 65535 && (enum { A, B })1.7 == B);
#ifdef __SIZEOF_INT128__
  __int128 wide = (__int128)1 << 100;
  check((double)wide == 0x1p100 && (double)-wide == -0x1p100 && (__int128)0x1p100 == wide && (float)(wide + 1) == 0x1p100f);
  check((double)(unsigned __int128)-1 == 0x1p128 && (unsigned __int128)0x1p127 == (unsigned __int128)1 << 127 && (float)(unsigned __int128)-1 == 0x1p128f);
#endif
}

static void objects(void) {
  check(table[0] == 1 && table[1] == 2.5 && table[2] == -3.25 && record.f == 0.75 && record.d[0] == 0.001 && record.d[1] == -1000);
  float copy[3];
  memcpy(copy, table, sizeof copy);
  copy[i1 + 8] += 0.5f;
  check(copy[1] == 3 && table[1] == 2.5f && copy[0] + copy[2] == -2.25f);
  struct { float f; double d; } s = {d1, f1}, t = s;
  t.f *= 2;
  check(s.f == 0.1f && t.f == 0.2f && t.d == 1.5 && bits(t.d) == 0x3ff8000000000000ull && bitsf(s.f) == 0x3dcccccd);
  double *p = malloc(2 * sizeof *p);
  p[0] = d1; p[1] = p[0]++;
  check(p[0] == 1.1 && p[1] == 0.1);
  free(p);
  af += 1; af *= 2; ad = af; ad -= 0.5; ad++;
  check(af == 5 && ad == 5.5 && --ad == 4.5 && atomic_load(&af) == 5.0f && atomic_exchange(&ad, 1) == 4.5);
  double expected = 1;
  check(atomic_compare_exchange_strong(&ad, &expected, 2.5) && ad == 2.5 && !atomic_compare_exchange_strong(&ad, &expected, 3) && expected == 2.5);
  float (*function)(float) = halve;
  check(function(5) == 2.5f && _Generic(f1 + 1, float : 1, default : 0) && _Generic(f1 + d1, double : 1, default : 0) && _Generic(1.0f, float : 1, double : 0));
  long double big = 1.0L, other = big;
  (void)other;
  check(sizeof big >= 12);
  switch ((int)(d1 * 21)) { case (int)2.9: break; default: check(0); }
  int quarter[(int)(4 * 0.25) + 1];
  check(sizeof quarter == 2 * sizeof(int));
  double sum = 0;
  for (float f = 0; f < 1; f += 0.125f) sum += f;
  check(sum == 3.5);
  double r = rand() / (double)RAND_MAX;
  check(r >= 0 && r <= 1);
}

static void mathematics(void) {
  volatile double x = -2.5, y = 0.75, n = NAN, e = 1e18;
  check(fabs(x) == 2.5 && fabsf(f2) == 0.1f && copysign(3, x) == -3 && copysignf(-3, 1) == 3 && bits(fabs(dm)) == 0 && __builtin_fabs(x) == 2.5);
  check(floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2 && round(x) == -3 && rint(x) == -2 && nearbyint(3.5) == 4 && rint(2.5) == 2);
  check(floorf(-0.5f) == -1 && bitsf(ceilf(-0.5f)) == 0x80000000 && roundf(0.49999997f) == 0 && roundf(0.5f) == 1 && truncf(f3) == f3 && bits(round(-0.2)) == bits(dm));
  check(round(0.49999999999999994) == 0 && round(4503599627370495.5) == 4503599627370496.0 && rint(4503599627370497.5) == 4503599627370498.0 && floor(e) == e && isnan(floor(n)));
  check(lrint(x) == -2 && lround(x) == -3 && llrint(0x1p62) == 1ll << 62 && llround(-0x1p63) == LLONG_MIN && lrintf(1.5f) == 2 && llroundf(-0.5f) == -1);
  check(sqrt(2) == 1.4142135623730951 && sqrtf(2) == 1.4142135f && sqrt(y) == 0.8660254037844386 && bits(sqrt(dm)) == bits(dm) && isnan(sqrt(x)) && sqrt(1e-320) > 9.9e-161);
  check(fmod(x, y) == -0.25 && fmod(5, 3) == 2 && fmod(e, 7) == 1 && fmodf(1e10f, 3) == 1 && isnan(fmod(1, dz)) && isnan(fmod(INFINITY, 1)) && fmod(x, INFINITY) == x && fmod(1e308, 3e-320) < 3e-320);
  check(remainder(5, 3) == -1 && remainder(x, y) == 0.5 - 0.75 && remainder(2.5, 1) == 0.5 && remainder(3.5, 1) == -0.5 && remainderf(7, 4) == -1 && bits(remainder(-4, 2)) == bits(dm));
  check(remainder(DBL_MAX, 1e308) == DBL_MAX - 1e308 - 1e308 && remainder(3e-323, 2e-323) == -1e-323 && isnan(remainder(1, dz)));
  check(fmin(x, y) == x && fmax(x, y) == y && fmin(n, y) == y && fmax(y, n) == y && isnan(fmin(n, n)) && fdim(y, x) == 3.25 && fdim(x, y) == 0 && fminf(1, f2) == -0.1f && fmaxf(f1, 2) == 2);
  check(fma(d1, 10, -1) == 5.551115123125783e-17 && d1 * 10 - 1 == 0 && fmaf(f2, f2, -0.010000000707805157f) != 0 && fma(d3, 10, -INFINITY) == -INFINITY);
  int exponent;
  double whole;
  float wholef;
  check(frexp(-10, &exponent) == -0.625 && exponent == 4 && frexp(5e-324, &exponent) == 0.5 && exponent == -1073 && frexp(dz, &exponent) == 0 && exponent == 0);
  check(frexpf(0.1f, &exponent) == 0.8f && exponent == -3 && frexpf(FLT_TRUE_MIN, &exponent) == 0.5f && exponent == -148);
  check(modf(x, &whole) == -0.5 && whole == -2 && modff(3.25f, &wholef) == 0.25f && wholef == 3 && bits(modf(-INFINITY, &whole)) == bits(dm) && whole == -INFINITY);
  check(ldexp(0.625, 4) == 10 && ldexp(1, -1074) == DBL_TRUE_MIN && ldexp(1.5, -1075) == DBL_TRUE_MIN && ldexp(1, -1075) == 0 && ldexp(DBL_TRUE_MIN, 2097) == 0x1p1023);
  check(scalbn(1, 1024) == INFINITY && scalbn(0x1.fffffffffffffp-1, -1074) == DBL_TRUE_MIN && scalbnf(1, -149) == FLT_TRUE_MIN && scalbnf(1, 128) == INFINITY && scalbln(3, 2000000) == INFINITY && ldexpf(0x1.8p0f, -150) == FLT_TRUE_MIN);
  check(ilogb(10) == 3 && ilogb(5e-324) == -1074 && logb(0.75) == -1 && logb(dz) == -INFINITY && ilogbf(FLT_TRUE_MIN) == -149 && ilogb(dz) == FP_ILOGB0);
  check(nextafter(1, 2) == 1 + DBL_EPSILON && nextafter(1, 0) == 1 - DBL_EPSILON / 2 && nextafter(dz, -1) == -DBL_TRUE_MIN && nextafterf(FLT_MAX, INFINITY) == INFINITY && nextafter(-DBL_TRUE_MIN, 1) == 0 && nextafterf(1, 1) == 1);
  check(HUGE_VAL == INFINITY && isnan(NAN) && isnan(nan("")) && isnan(nanf("")) && abs((int)x) == 2 && M_PI > 3.14159);
}

int main(void) {
  arithmetic();
  comparisons();
  conversions();
  objects();
  mathematics();
  reach_error();
}
