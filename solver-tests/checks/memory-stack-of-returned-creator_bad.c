// FAILED memory at 14: a thread uses a local of its creator after that function returned
#include <pthread.h>
#include <stdlib.h>

struct range {
    int from, to;
};

static int length;

static void *measure(void *arg)
{
    struct range *r = arg;
    length = r->to - r->from;
    return NULL;
}

static pthread_t start(int from, int to)
{
    pthread_t id;
    struct range r = { from, to };
    pthread_create(&id, NULL, measure, &r);
    return id;
}

int main(void)
{
    pthread_t id = start(3, 10);
    pthread_join(id, NULL);
    return length == 7 ? 0 : 1;
}
