/* Messages to the system (POSIX). */
#ifndef __SELVEDGE_SYSLOG_H
#define __SELVEDGE_SYSLOG_H
#include <stdarg.h>
#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_KERN (0 << 3)
#define LOG_USER (1 << 3)
#define LOG_MAIL (2 << 3)
#define LOG_DAEMON (3 << 3)
#define LOG_AUTH (4 << 3)
#define LOG_LOCAL0 (16 << 3)
#define LOG_LOCAL7 (23 << 3)
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_ODELAY 4
#define LOG_NDELAY 8
#define LOG_NOWAIT 16
#define LOG_PERROR 32
#define LOG_MASK(level) (1 << (level))
#define LOG_UPTO(level) ((1 << ((level) + 1)) - 1)
extern void openlog(const char *name, int options, int facility);
extern void syslog(int priority, const char *format, ...);
extern void vsyslog(int priority, const char *format, va_list list);
extern void closelog(void);
extern int setlogmask(int mask);
#endif
