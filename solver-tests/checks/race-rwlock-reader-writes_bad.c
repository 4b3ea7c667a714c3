// FAILED race at 12 and 12: two readers count their look-ups although they hold the lock only for reading
#include <pthread.h>

static int value = 5;
static int lookups;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
    int *out = arg;
    pthread_rwlock_rdlock(&lock);
    *out = value;
    lookups++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    value = 6;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    int seen[2];
    pthread_create(&a, NULL, reader, &seen[0]);
    pthread_create(&b, NULL, reader, &seen[1]);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
