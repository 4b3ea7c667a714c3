/* Of the instructions of x86, those that wait and fetch; vectors are not modelled. */
#ifndef __SELVEDGE_XMMINTRIN_H
#define __SELVEDGE_XMMINTRIN_H
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_pause() __builtin_ia32_pause()
#define _mm_prefetch(address, hint) __builtin_prefetch((const void *)(address))
#endif
