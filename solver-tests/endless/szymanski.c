// Szymanski's algorithm: a waiting room whose door is closed by the last one in. Broken: nobody waits for the door.
#include <assert.h>
#include <pthread.h>
int flag[2], inside;
void *worker(void *arg) {
    int me = arg != 0, other = !me;
    while (1) {
        flag[me] = 1;
        while (flag[other] >= 3);
        flag[me] = 3;
        if (flag[other] == 1) {
            flag[me] = 2;
            while (flag[other] != 4);
        }
        flag[me] = 4;
#ifndef BROKEN
        if (me)
            while (flag[other] >= 2);
#endif
        inside = me;
        assert(inside == me);
        int seen = 0;
        do {
            if (!me) seen = flag[other];
        } while (seen == 2 || seen == 3);
        flag[me] = 0;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, &flag);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
