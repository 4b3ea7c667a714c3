/* Addresses of the Internet as texts (POSIX); not modelled. */
#ifndef __SELVEDGE_ARPA_INET_H
#define __SELVEDGE_ARPA_INET_H
#include <netinet/in.h>
extern in_addr_t inet_addr(const char *text);
extern char *inet_ntoa(struct in_addr address);
extern int inet_aton(const char *text, struct in_addr *address);
extern const char *inet_ntop(int family, const void *address, char *to, socklen_t size);
extern int inet_pton(int family, const char *text, void *address);
#endif
