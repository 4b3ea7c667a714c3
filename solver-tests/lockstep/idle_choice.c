// not proved
// A thread chooses by a word that another one changes meanwhile, and nothing comes of the choice but the way that it takes.
#include <assert.h>
#include <pthread.h>

int z;
_Bool b;

void *writes(void *arg) {
    if (b) z = 2;
    else z = 1;
    while (b) { }
    return 0;
}

void *chooses(void *arg) {
    int k = 0;
    if (z) { k = 1; k = k + 1; k = k * 3; }
    assert(b);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writes, 0);
    pthread_create(&t[1], 0, chooses, 0);
    while (!b) { }
    return 0;
}
