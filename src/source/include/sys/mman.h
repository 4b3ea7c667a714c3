/* Memory of processes (POSIX). */
#ifndef __SELVEDGE_SYS_MMAN_H
#define __SELVEDGE_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)
extern void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
extern int munmap(void *at, size_t size);
extern int mprotect(void *at, size_t size, int protection);
extern int msync(void *at, size_t size, int flags);
extern int mlock(const void *at, size_t size);
extern int munlock(const void *at, size_t size);
extern int mlockall(int flags);
extern int shm_open(const char *name, int flags, mode_t mode);
extern int shm_unlink(const char *name);
#endif
