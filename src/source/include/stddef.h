/* Common definitions (C11 7.19). */
#ifndef __SELVEDGE_STDDEF_H
#define __SELVEDGE_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long __align_integer; long double __align_float; } max_align_t;
#define NULL ((void *)0)
typedef void *nullptr_t;
#if __STDC_VERSION__ >= 202311L
#define unreachable() __builtin_unreachable()
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
