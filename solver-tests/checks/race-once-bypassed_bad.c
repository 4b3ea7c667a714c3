// FAILED race at 9 and 19: the second thread reads the setting without going through pthread_once
#include <pthread.h>
#include <assert.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int setting;

static void load(void) {
    setting = 5;
}

static void *regular(void *arg) {
    pthread_once(&once, load);
    assert(setting == 5);
    return NULL;
}

static void *bypass(void *arg) {
    int s = setting;
    assert(s == 0 || s == 5);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, regular, NULL);
    pthread_create(&b, NULL, bypass, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
