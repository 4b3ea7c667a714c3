// FAILED overflow at 13: ++ of a ticket number under a lock, only the third ticket exceeds the range
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_ticket = INT_MAX - 2;

static void *draw(void *arg)
{
    int *mine = arg;
    pthread_mutex_lock(&lock);
    next_ticket++;
    *mine = next_ticket;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *restart(void *arg)
{
    pthread_mutex_lock(&lock);
    next_ticket = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    int ticket[3];
    pthread_create(&a, NULL, draw, &ticket[0]);
    pthread_create(&b, NULL, draw, &ticket[1]);
    pthread_create(&c, NULL, restart, NULL);
    draw(&ticket[2]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return ticket[0] == 0 || ticket[1] == 0 || ticket[2] == 0;
}
