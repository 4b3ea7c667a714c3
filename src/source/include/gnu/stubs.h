/* Functions that the GNU C library lacks: none is said to be. */
#ifndef __SELVEDGE_GNU_STUBS_H
#define __SELVEDGE_GNU_STUBS_H
#endif
