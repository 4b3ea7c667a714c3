/* An old name. */
#ifndef __SELVEDGE_SYSCALL_H
#define __SELVEDGE_SYSCALL_H
#include <sys/syscall.h>
#endif
