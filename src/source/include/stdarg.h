#ifndef __SELVEDGE_STDARG_H
#define __SELVEDGE_STDARG_H
typedef __builtin_va_list va_list;
typedef __builtin_va_list __gnuc_va_list;
/* The last parameter need not be named (C23 7.16.1.4). */
#define va_start(list, ...) __builtin_va_start(list __VA_OPT__(,) __VA_ARGS__)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
#endif
