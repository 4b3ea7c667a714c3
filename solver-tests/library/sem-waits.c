// safe
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
sem_t s;
int main(void) { sem_init(&s, 0, 1); sem_wait(&s); sem_wait(&s); assert(0); }
