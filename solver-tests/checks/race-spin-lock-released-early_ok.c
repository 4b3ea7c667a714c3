// SUCCESSFUL
#include <pthread.h>

static pthread_spinlock_t lock;
static int tickets;

static void *draw(void *arg) {
    int mine;
    pthread_spin_lock(&lock);
    mine = tickets;
    tickets = mine + 1;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, draw, NULL);
    pthread_create(&b, NULL, draw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&lock);
    return 0;
}
