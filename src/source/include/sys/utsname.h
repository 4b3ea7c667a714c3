/* The name of the system (POSIX); not modelled. */
#ifndef __SELVEDGE_SYS_UTSNAME_H
#define __SELVEDGE_SYS_UTSNAME_H
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65]; };
extern int uname(struct utsname *to);
#endif
