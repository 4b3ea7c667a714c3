// Two threads enter a critical section again and again. Their lock is an atomic flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_taken;
static int inside;

static void *enter(void *unused) {
    (void)unused;
    for (;;) {
        while (atomic_exchange(&is_taken, 1)) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&is_taken, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, enter, NULL);
    pthread_create(&other, NULL, enter, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
