/* Network interfaces (POSIX); not modelled. */
#ifndef __SELVEDGE_NET_IF_H
#define __SELVEDGE_NET_IF_H
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ 16
#define IFF_UP 1
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_RUNNING 64
struct if_nameindex { unsigned if_index; char *if_name; };
extern unsigned if_nametoindex(const char *name);
extern char *if_indextoname(unsigned index, char *name);
extern struct if_nameindex *if_nameindex(void);
extern void if_freenameindex(struct if_nameindex *list);
#endif
