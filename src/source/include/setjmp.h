/* Non-local jumps (C11 7.13, POSIX). */
#ifndef __SELVEDGE_SETJMP_H
#define __SELVEDGE_SETJMP_H
typedef struct { unsigned long __state[8]; } jmp_buf[1];
typedef struct { unsigned long __state[24]; } sigjmp_buf[1];
extern int setjmp(jmp_buf state);
extern int _setjmp(jmp_buf state);
extern _Noreturn void longjmp(jmp_buf state, int value);
extern _Noreturn void _longjmp(jmp_buf state, int value);
extern int sigsetjmp(sigjmp_buf state, int mask);
extern _Noreturn void siglongjmp(sigjmp_buf state, int value);
#endif
