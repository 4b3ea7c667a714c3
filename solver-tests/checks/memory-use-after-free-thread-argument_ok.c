// SUCCESSFUL
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
    pthread_join(t, NULL);
    free(j);
    return result == 42 ? 0 : 1;
}
