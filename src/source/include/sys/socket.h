/* Sockets (POSIX), as far as programs compile. */
#ifndef __SELVEDGE_SYS_SOCKET_H
#define __SELVEDGE_SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char __padding[126 - sizeof(unsigned long)]; unsigned long __align; };
struct msghdr {
  void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen; void *msg_control; size_t msg_controllen;
  int msg_flags;
};
struct linger { int l_onoff, l_linger; };
struct ucred { pid_t pid; uid_t uid; gid_t gid; };
#define AF_LOCAL AF_UNIX
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_UNIX
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PEERCRED 17
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define MSG_OOB 0x01
#define MSG_PEEK 0x02
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SCM_RIGHTS 1
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
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int getsockname(int fd, struct sockaddr *address, socklen_t *length);
extern int getpeername(int fd, struct sockaddr *address, socklen_t *length);
extern ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *address, socklen_t length);
extern ssize_t recvfrom(int fd, void *to, size_t size, int flags, struct sockaddr *address, socklen_t *length);
extern ssize_t sendmsg(int fd, const struct msghdr *message, int flags);
extern ssize_t recvmsg(int fd, struct msghdr *message, int flags);
#endif
