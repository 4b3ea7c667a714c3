// violated
// Who allocates after a release gets other memory; the first to come frees.
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
    assert(own != shared);
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
