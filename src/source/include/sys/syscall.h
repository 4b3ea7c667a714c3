/* System calls by number (Linux); what they do is not modelled. */
#ifndef __SELVEDGE_SYS_SYSCALL_H
#define __SELVEDGE_SYS_SYSCALL_H
#ifdef __SELVEDGE_ILP32__
#define __NR_gettid 224
#define __NR_futex 240
#else
#define __NR_gettid 186
#define __NR_futex 202
#endif
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
#endif
