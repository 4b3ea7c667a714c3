// A reader looks at an object within an epoch; another thread takes it away and frees it when its epoch has passed. Threads register before
// that and leave behind it, as the library asks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/cdefs.h>
#include "ebr.h"

static ebr_t *ebr;
static _Atomic(int *) published;
static pthread_barrier_t registered, collected;
