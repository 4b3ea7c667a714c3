// Workers of the thread pool do a request, once, and wake the loop for it. The loop is not there: what wakes it is a semaphore.
#include <assert.h>
#include <semaphore.h>
#include <string.h>
#include "uv.h"
#include "uv-common.h"

static uv_loop_t loop;
static sem_t woken;
static uv_work_t request;
static int worked;
int uv_async_send(uv_async_t *async) { return sem_post(&woken); }
int uv_os_getenv(const char *name, char *value, size_t *size) { return strcpy(value, "2") != value; }
static void work(uv_work_t *request) { worked++; }
