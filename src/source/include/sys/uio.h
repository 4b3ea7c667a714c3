/* Scattered input and output (POSIX). */
#ifndef __SELVEDGE_SYS_UIO_H
#define __SELVEDGE_SYS_UIO_H
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
extern ssize_t readv(int fd, const struct iovec *parts, int count);
extern ssize_t writev(int fd, const struct iovec *parts, int count);
#endif
