#ifndef __SELVEDGE_SIGNAL_H
#define __SELVEDGE_SIGNAL_H
struct timespec;
#include <sys/types.h>
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef struct { unsigned long long __bits; } sigset_t;
union sigval { int sival_int; void *sival_ptr; };
typedef union sigval sigval_t;
typedef struct {
  int si_signo, si_errno, si_code; pid_t si_pid; uid_t si_uid; void *si_addr; int si_status; sigval_t si_value; long si_band; int si_fd;
} siginfo_t;
/* Of the two handlers one is meant, as SA_SIGINFO says. */
struct sigaction {
  union { __sighandler_t __plain; void (*__informed)(int, siginfo_t *, void *); } __handler;
  sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void);
};
#define sa_handler __handler.__plain
#define sa_sigaction __handler.__informed
struct sigevent {
  sigval_t sigev_value; int sigev_signo, sigev_notify; void (*sigev_notify_function)(sigval_t); void *sigev_notify_attributes;
};
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SI_USER 0
#define SI_QUEUE -1
#define SI_TIMER -2
#define SI_TKILL -6
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define BUS_ADRALN 1
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
extern __sighandler_t signal(int number, __sighandler_t handler);
extern int raise(int number);
extern int kill(pid_t pid, int number);
extern int sigaction(int number, const struct sigaction *action, struct sigaction *old);
extern int sigemptyset(sigset_t *set);
extern int sigaddset(sigset_t *set, int number);
extern int sigprocmask(int how, const sigset_t *set, sigset_t *old);
extern int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
extern int sigwait(const sigset_t *set, int *number);
typedef __sighandler_t sighandler_t;
#define SIGURG 23
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSTKFLT 16
#define SIGIOT SIGABRT
#define SIGCLD SIGCHLD
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define _NSIG 65
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
extern int sigfillset(sigset_t *set);
extern int sigdelset(sigset_t *set, int number);
extern int sigismember(const sigset_t *set, int number);
extern int sigpending(sigset_t *set);
extern int sigsuspend(const sigset_t *mask);
extern int sigaltstack(const stack_t *stack, stack_t *old);
extern int sigtimedwait(const sigset_t *set, siginfo_t *to, const struct timespec *limit);
extern int sigwaitinfo(const sigset_t *set, siginfo_t *to);
extern int sigqueue(pid_t pid, int number, const union sigval value);
extern int pthread_kill(pthread_t thread, int number);
extern int siginterrupt(int number, int flag);
extern void psignal(int number, const char *text);
extern int killpg(pid_t group, int number);
#endif
