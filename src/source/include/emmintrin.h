/* Of the instructions of x86, those that order memory, wait and fetch; vectors are not modelled. */
#ifndef __SELVEDGE_EMMINTRIN_H
#define __SELVEDGE_EMMINTRIN_H
#include <xmmintrin.h>
#define _mm_mfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define _mm_sfence() __atomic_thread_fence(__ATOMIC_RELEASE)
#define _mm_lfence() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif
