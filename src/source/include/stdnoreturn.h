#ifndef __SELVEDGE_STDNORETURN_H
#define __SELVEDGE_STDNORETURN_H
#define noreturn _Noreturn
#endif
