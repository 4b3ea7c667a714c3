/* Messages (BSD). */
#ifndef __SELVEDGE_ERR_H
#define __SELVEDGE_ERR_H
extern _Noreturn void err(int status, const char *format, ...);
extern _Noreturn void errx(int status, const char *format, ...);
extern void warn(const char *format, ...);
extern void warnx(const char *format, ...);
#endif
