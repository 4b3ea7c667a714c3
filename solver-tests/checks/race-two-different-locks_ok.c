// SUCCESSFUL
#include <pthread.h>

static int total;
static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;

static void *income(void *arg) {
    pthread_mutex_lock(&in_lock);
    total += 10;
    pthread_mutex_unlock(&in_lock);
    return NULL;
}

static void *expense(void *arg) {
    pthread_mutex_lock(&in_lock);
    total -= 3;
    pthread_mutex_unlock(&in_lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, income, NULL);
    pthread_create(&b, NULL, expense, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
