/* Options of the command line (POSIX, GNU). */
#ifndef __SELVEDGE_GETOPT_H
#define __SELVEDGE_GETOPT_H
#include <unistd.h>
struct option { const char *name; int has_arg; int *flag; int val; };
#define no_argument 0
#define required_argument 1
#define optional_argument 2
extern int getopt_long(int argc, char *const argv[], const char *options, const struct option *longs, int *index);
#endif
