#ifndef __SELVEDGE_MALLOC_H
#define __SELVEDGE_MALLOC_H
#include <stdlib.h>
#endif
