/* An old name. */
#ifndef __SELVEDGE_MEMORY_H
#define __SELVEDGE_MEMORY_H
#include <string.h>
#endif
