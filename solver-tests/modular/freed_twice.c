// violated
// The first to come frees, and everybody uses what they allocate themselves.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *shared;
_Bool gone;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void *release(void *arg) {
    __VERIFIER_atomic_begin();
    if (!gone) {
        gone = 1;
        free(shared);
    }
    __VERIFIER_atomic_end();
    int *own = malloc(sizeof *own);
    *own = 1;
    assert(*own == 1);
    assert(arg == 0 || !gone);
    free(own);
    return 0;
}
int main(void) {
    pthread_t t[2];
    shared = calloc(1, sizeof *shared);
    pthread_create(&t[0], 0, release, 0);
    pthread_create(&t[1], 0, release, &shared);
    return 0;
}
