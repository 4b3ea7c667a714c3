// FAILED leak at 14: a thread ends with the only pointer in a local when the mailbox was full
#include <pthread.h>
#include <stdlib.h>

struct message {
    int code;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *mailbox;

static void *sender(void *arg)
{
    struct message *m = malloc(sizeof *m);
    if (m == NULL)
        abort();
    m->code = 1;
    pthread_mutex_lock(&lock);
    if (mailbox == NULL) {
        mailbox = m;
        m = NULL;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *receiver(void *arg)
{
    pthread_mutex_lock(&lock);
    free(mailbox);
    mailbox = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, r;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(r, NULL);
    free(mailbox);
    return 0;
}
