// FAILED race at 11 and 20: main reads the result before it has joined the thread that computes it
#include <pthread.h>

struct task {
    int input;
    int output;
};

static void *square(void *arg) {
    struct task *t = arg;
    t->output = t->input * t->input;
    return NULL;
}

int main(void) {
    pthread_t id;
    struct task t = {6, 0};
    int r;
    pthread_create(&id, NULL, square, &t);
    r = t.output;
    pthread_join(id, NULL);
    return r <= 36 ? 0 : 1;
}
