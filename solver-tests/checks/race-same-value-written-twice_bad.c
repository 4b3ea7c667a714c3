// FAILED race at 11 and 11: both threads write the value 1, which is a race all the same
#include <pthread.h>

static int found;
static int cells[4] = {0, 7, 7, 0};

static void *search(void *arg) {
    int *half = arg;
    for (int i = 0; i < 2; i++) {
        if (half[i] == 7) {
            found = 1;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, search, &cells[0]);
    pthread_create(&b, NULL, search, &cells[2]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
