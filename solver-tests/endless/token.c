// A token goes around a ring of three: whoever has it is alone. Broken: the third gives it to both others.
#include <assert.h>
#include <pthread.h>
int token[3] = {1, 0, 0}, inside;
void *worker(void *arg) {
    int me = *(int *)arg, next = (me + 1) % 3;
    while (1) {
        while (!token[me]);
        inside = me;
        assert(inside == me);
        token[me] = 0;
        token[next] = 1;
#ifdef BROKEN
        if (me == 2) token[1] = 1;
#endif
    }
}
int main(void) {
    int number[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, &number[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
