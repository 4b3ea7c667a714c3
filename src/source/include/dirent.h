/* Folders (POSIX). */
#ifndef __SELVEDGE_DIRENT_H
#define __SELVEDGE_DIRENT_H
#include <sys/types.h>
typedef struct __SELVEDGE_DIR DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
extern DIR *opendir(const char *path);
extern struct dirent *readdir(DIR *folder);
extern int closedir(DIR *folder);
extern void rewinddir(DIR *folder);
#endif
