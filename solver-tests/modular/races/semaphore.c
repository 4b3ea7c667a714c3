// proved
// A semaphore hands data over; what its model does is no access.
#include <pthread.h>
#include <semaphore.h>
sem_t full, empty;
int data;
void *producer(void *arg) {
    for (;;) {
        sem_wait(&empty);
        data++;
        sem_post(&full);
    }
}
int main(void) {
    pthread_t a;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&a, 0, producer, 0);
    for (;;) {
        sem_wait(&full);
        data--;
        sem_post(&empty);
    }
}
