// SUCCESSFUL
#include <pthread.h>

struct state {
    unsigned int mode : 3;
    unsigned int : 0;
    unsigned int step : 3;
    unsigned char mark;
};

static struct state s;

static void *set_mode(void *arg) {
    s.mode = 5;
    return NULL;
}

static void *set_step(void *arg) {
    s.step = 2;
    return NULL;
}

/* mark is no bit-field: a memory location of its own in both programs */
static void *set_mark(void *arg) {
    s.mark = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, set_mode, NULL);
    pthread_create(&b, NULL, set_step, NULL);
    pthread_create(&c, NULL, set_mark, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
