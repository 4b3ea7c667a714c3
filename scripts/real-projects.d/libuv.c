// Workers of the thread pool do a request each, once, and wake the loop for it. The loop is not there: what wakes it is a semaphore.
#include <assert.h>
#include <semaphore.h>
#include <string.h>
#include "uv.h"
#include "uv-common.h"

#define REQUESTS 1
#define WORKERS "2"

static uv_loop_t loop;
static sem_t woken;
static int worked[REQUESTS];

int uv_async_send(uv_async_t *async) {
    assert(async == &loop.wq_async);
    return sem_post(&woken);
}

int uv_os_getenv(const char *name, char *value, size_t *size) {
    assert(strcmp(name, "UV_THREADPOOL_SIZE") == 0 && *size >= sizeof WORKERS);
    strcpy(value, WORKERS);
    return 0;
}

static void work(uv_work_t *request) {
    worked[(intptr_t)request->data]++;
}

int main(void) {
    static uv_work_t requests[REQUESTS];
    uv__queue_init(&loop.wq);
    uv_mutex_init(&loop.wq_mutex);
    sem_init(&woken, 0, 0);
    for (intptr_t i = 0; i < REQUESTS; i++) {
        requests[i].data = (void *)i;
        assert(uv_queue_work(&loop, &requests[i], work, NULL) == 0);
    }
    for (int i = 0; i < REQUESTS; i++)
        sem_wait(&woken);
    for (int i = 0; i < REQUESTS; i++)
        assert(worked[i] == 1);
}
