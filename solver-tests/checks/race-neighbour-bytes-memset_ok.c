// SUCCESSFUL
#include <pthread.h>
#include <string.h>

struct pair {
    char head[2];
    char tail[2];
};

static struct pair p;

static void *set_head(void *arg) {
    memset(&p, 1, 2);
    return NULL;
}

static void *set_tail(void *arg) {
    p.tail[0] = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_head, NULL);
    pthread_create(&b, NULL, set_tail, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
