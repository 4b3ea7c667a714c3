/* Operations on a process or thread (Linux); not modelled. */
#ifndef __SELVEDGE_SYS_PRCTL_H
#define __SELVEDGE_SYS_PRCTL_H
#define PR_SET_NAME 15
#define PR_GET_NAME 16
extern int prctl(int option, ...);
#endif
