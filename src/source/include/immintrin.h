/* Of the instructions of x86, those that order memory, wait and fetch; vectors are not modelled. */
#ifndef __SELVEDGE_IMMINTRIN_H
#define __SELVEDGE_IMMINTRIN_H
#include <emmintrin.h>
#endif
