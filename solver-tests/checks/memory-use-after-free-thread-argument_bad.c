// FAILED memory at 14: use after free across threads, the creator frees the argument before the thread has read it
#include <pthread.h>
#include <stdlib.h>

struct job {
    int input;
};

static int result;

static void *run(void *arg)
{
    struct job *j = arg;
    result = j->input * 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct job *j = malloc(sizeof *j);
    if (j == NULL)
        return 1;
    j->input = 21;
    pthread_create(&t, NULL, run, j);
    free(j);
    pthread_join(t, NULL);
    return result == 42 ? 0 : 1;
}
