/* Parts of paths (POSIX). */
#ifndef __SELVEDGE_LIBGEN_H
#define __SELVEDGE_LIBGEN_H
extern char *basename(char *path);
extern char *dirname(char *path);
#endif
