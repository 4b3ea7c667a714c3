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
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_NPROCESSORS_CONF 83
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _POSIX_THREADS 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_TIMEOUTS 200809L
#define _POSIX_TIMERS 200809L
extern int access(const char *path, int mode);
extern off_t lseek(int fd, off_t offset, int whence);
extern int dup(int fd);
extern int dup2(int fd, int other);
extern int link(const char *old, const char *path);
extern int symlink(const char *old, const char *path);
extern int rmdir(const char *path);
extern int chdir(const char *path);
extern char *getcwd(char *to, size_t size);
extern int isatty(int fd);
extern int fsync(int fd);
extern int fdatasync(int fd);
extern int truncate(const char *path, off_t size);
extern int ftruncate(int fd, off_t size);
extern ssize_t pread(int fd, void *to, size_t size, off_t offset);
extern ssize_t pwrite(int fd, const void *from, size_t size, off_t offset);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern pid_t setsid(void);
extern pid_t gettid(void);
extern pid_t vfork(void);
extern int gethostname(char *to, size_t size);
extern int execv(const char *path, char *const argv[]);
extern int execvp(const char *file, char *const argv[]);
extern int execve(const char *path, char *const argv[], char *const environment[]);
extern int execl(const char *path, const char *arg, ...);
extern int execlp(const char *file, const char *arg, ...);
extern long syscall(long number, ...);
extern int nice(int increment);
extern void sync(void);
extern int getpagesize(void);
extern char **environ;
#endif
