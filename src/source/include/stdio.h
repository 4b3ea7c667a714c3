/* Input and output (C11 7.21), as far as programs print and read. */
#ifndef __SELVEDGE_STDIO_H
#define __SELVEDGE_STDIO_H
#if __has_include(<features.h>)
#include <features.h>
#endif
#include <sys/cdefs.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
typedef struct __SELVEDGE_FILE FILE;
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, size_t size, const char *format, ...);
extern int vprintf(const char *format, va_list list);
extern int vfprintf(FILE *stream, const char *format, va_list list);
extern int vsprintf(char *to, const char *format, va_list list);
extern int vsnprintf(char *to, size_t size, const char *format, va_list list);
extern int scanf(const char *format, ...);
extern int fscanf(FILE *stream, const char *format, ...);
extern int sscanf(const char *from, const char *format, ...);
extern int puts(const char *text);
extern int fputs(const char *text, FILE *stream);
extern int putchar(int c);
extern int putc(int c, FILE *stream);
extern int fputc(int c, FILE *stream);
extern int getchar(void);
extern int getc(FILE *stream);
extern int fgetc(FILE *stream);
extern char *fgets(char *to, int size, FILE *stream);
extern int fflush(FILE *stream);
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern size_t fread(void *to, size_t size, size_t count, FILE *stream);
extern size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);
extern int fseek(FILE *stream, long offset, int whence);
extern long ftell(FILE *stream);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
extern void setbuf(FILE *stream, char *buffer);
extern void perror(const char *text);
extern int remove(const char *path);
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
typedef struct { long __position; } fpos_t;
extern int vscanf(const char *format, va_list list);
extern int vfscanf(FILE *stream, const char *format, va_list list);
extern int vsscanf(const char *from, const char *format, va_list list);
extern int ungetc(int c, FILE *stream);
extern void clearerr(FILE *stream);
extern void rewind(FILE *stream);
extern int fgetpos(FILE *stream, fpos_t *to);
extern int fsetpos(FILE *stream, const fpos_t *from);
extern FILE *freopen(const char *path, const char *mode, FILE *stream);
extern int rename(const char *old, const char *path);
extern FILE *tmpfile(void);
extern char *tmpnam(char *to);
extern FILE *fdopen(int fd, const char *mode);
extern int fileno(FILE *stream);
extern FILE *popen(const char *command, const char *mode);
extern int pclose(FILE *stream);
extern ssize_t getline(char **to, size_t *size, FILE *stream);
extern ssize_t getdelim(char **to, size_t *size, int delimiter, FILE *stream);
extern int dprintf(int fd, const char *format, ...);
extern int vdprintf(int fd, const char *format, va_list list);
extern int asprintf(char **to, const char *format, ...);
extern int vasprintf(char **to, const char *format, va_list list);
extern void flockfile(FILE *stream);
extern int ftrylockfile(FILE *stream);
extern void funlockfile(FILE *stream);
extern int getc_unlocked(FILE *stream);
extern int getchar_unlocked(void);
extern int putc_unlocked(int c, FILE *stream);
extern int putchar_unlocked(int c);
extern int fseeko(FILE *stream, off_t offset, int whence);
extern off_t ftello(FILE *stream);
extern FILE *fmemopen(void *object, size_t size, const char *mode);
#endif
