// unsupported
// The own array of a thread ends with it: main must not fill it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

_Thread_local char own[5000];
char *kept;
int x;

void *worker(void *p) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 5000) {
        return 0;
    }
    x = own[i];
    kept = own;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    if (kept) {
        memset(kept, 1, 5000);
    }
    assert(x == 0);
}
