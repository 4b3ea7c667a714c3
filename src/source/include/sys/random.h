/* Random bytes (GNU C library). */
#ifndef __SELVEDGE_SYS_RANDOM_H
#define __SELVEDGE_SYS_RANDOM_H
#include <sys/types.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4
extern ssize_t getrandom(void *to, size_t size, unsigned flags);
extern int getentropy(void *to, size_t size);
#endif
