// undefined
// To fill a constant object is undefined, which ends main there.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

const char table[5000] = {1};
char copy[5000];
int x;

void *worker(void *p) {
    while (1) {
        x = !x;
    }
}

int main(void) {
    pthread_t id;
    int i = __VERIFIER_nondet_int();
    pthread_create(&id, 0, worker, 0);
    if (i < 0 || i >= 5000) {
        return 0;
    }
    char seen = table[i], other = copy[i];
    memcpy(copy, table, 5000);
    assert(x < 2);
    memset((void *)table, 0, 5000);
    assert(0);
}
