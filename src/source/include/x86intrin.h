/* Of the instructions of x86, those that order memory, wait and fetch; vectors are not modelled. */
#ifndef __SELVEDGE_X86INTRIN_H
#define __SELVEDGE_X86INTRIN_H
#include <immintrin.h>
#endif
