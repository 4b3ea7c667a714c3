// FAILED memory at 21: realloc of a freed block, clearing leaves the pointer behind
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;
static size_t length;

static void *clear(void *arg)
{
    pthread_mutex_lock(&lock);
    free(text);
    length = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *append(void *arg)
{
    pthread_mutex_lock(&lock);
    char *bigger = realloc(text, length + 1);
    if (bigger == NULL)
        abort();
    text = bigger;
    text[length++] = 'x';
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t c, a;
    text = malloc(1);
    if (text == NULL)
        return 1;
    text[length++] = '>';
    pthread_create(&c, NULL, clear, NULL);
    pthread_create(&a, NULL, append, NULL);
    pthread_join(c, NULL);
    pthread_join(a, NULL);
    if (length > 0)
        free(text);
    return 0;
}
