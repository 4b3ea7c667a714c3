// FAILED race at 11 and 18: strlen reads the buffer without lock while strcpy fills it
#include <pthread.h>
#include <string.h>
#include <assert.h>

static char name[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *namer(void *arg) {
    pthread_mutex_lock(&lock);
    strcpy(name, "abc");
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *measurer(void *arg) {
    size_t n;
    n = strlen(name);
    assert(n <= 3);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, namer, NULL);
    pthread_create(&b, NULL, measurer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
