/* POSIX system calls that concurrent programs use. */
#ifndef __SELVEDGE_UNISTD_H
#define __SELVEDGE_UNISTD_H
#include <stddef.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PAGESIZE 30
extern unsigned sleep(unsigned seconds);
extern int usleep(useconds_t microseconds);
extern int pause(void);
extern unsigned alarm(unsigned seconds);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t fork(void);
extern long sysconf(int name);
extern ssize_t read(int fd, void *to, size_t size);
extern ssize_t write(int fd, const void *from, size_t size);
extern int close(int fd);
extern int pipe(int fds[2]);
extern int unlink(const char *path);
extern _Noreturn void _exit(int status);
extern int getopt(int argc, char *const argv[], const char *options);
extern char *optarg;
extern int optind, opterr, optopt;
#endif
