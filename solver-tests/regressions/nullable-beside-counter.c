// unsafe
// An initial value that depends on an input was taken for one that nobody has written: no access through the pointer was valid.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
int *slot, used, table[3], other[3];

void *move(void *arg) {
    slot = table;
    if (used < 3)
        slot[used++] = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    slot = __VERIFIER_nondet_bool() ? other : 0;
    if (!slot)
        return 1;
    used = 1;
    pthread_create(&id, 0, move, 0);
    if (used < 2)
        slot[used] = 2;
    pthread_join(id, 0);
    assert(table[1] != 2);
    return 0;
}
