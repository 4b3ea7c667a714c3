#ifndef __SELVEDGE_SIGNAL_H
#define __SELVEDGE_SIGNAL_H
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
typedef struct { unsigned long __bits; } sigset_t;
struct sigaction { __sighandler_t sa_handler; sigset_t sa_mask; int sa_flags; };
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
#endif
