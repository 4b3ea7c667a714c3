#ifndef __SELVEDGE_ALLOCA_H
#define __SELVEDGE_ALLOCA_H
#include <stddef.h>
extern void *alloca(size_t size);
#endif
