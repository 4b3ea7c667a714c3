// SUCCESSFUL
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
    pthread_join(id, NULL);
    r = t.output;
    return r <= 36 ? 0 : 1;
}
