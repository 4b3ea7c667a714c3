// FAILED undefined at 21: write to a string literal, a shared name still has its default when it is capitalised
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char chosen[] = "host";
static char *name = "none";

static void *configure(void *arg)
{
    pthread_mutex_lock(&lock);
    name = chosen;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *capitalise(void *arg)
{
    pthread_mutex_lock(&lock);
    if (name[0] >= 'a' && name[0] <= 'z')
        name[0] = (char)(name[0] - 'a' + 'A');
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, configure, NULL);
    pthread_create(&b, NULL, capitalise, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
