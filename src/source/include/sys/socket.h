/* Sockets (POSIX), as far as programs compile. */
#ifndef __SELVEDGE_SYS_SOCKET_H
#define __SELVEDGE_SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 4096
extern int socket(int domain, int type, int protocol);
extern int bind(int fd, const struct sockaddr *address, socklen_t length);
extern int listen(int fd, int backlog);
extern int accept(int fd, struct sockaddr *address, socklen_t *length);
extern int connect(int fd, const struct sockaddr *address, socklen_t length);
extern int shutdown(int fd, int how);
extern ssize_t send(int fd, const void *from, size_t size, int flags);
extern ssize_t recv(int fd, void *to, size_t size, int flags);
extern int setsockopt(int fd, int level, int option, const void *value, socklen_t length);
extern int getsockopt(int fd, int level, int option, void *value, socklen_t *length);
extern int socketpair(int domain, int type, int protocol, int fds[2]);
#endif
