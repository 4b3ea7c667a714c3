/* A bounded queue between a producer and a consumer that wait for each other on condition variables. Expected to
 * hold: what is taken arrives in the order in which it was put. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define PLACES 1
#define ITEMS 2

int items[PLACES];
int first, used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t room = PTHREAD_COND_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

void put(int item) {
  pthread_mutex_lock(&lock);
  while (used == PLACES)
    pthread_cond_wait(&room, &lock);
  items[(first + used) % PLACES] = item;
  used++;
  assert(used <= PLACES);
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

int take(void) {
  pthread_mutex_lock(&lock);
  while (used == 0)
    pthread_cond_wait(&filled, &lock);
  int item = items[first];
  first = (first + 1) % PLACES;
  used--;
  pthread_cond_signal(&room);
  pthread_mutex_unlock(&lock);
  return item;
}

void *produce(void *unused) {
  for (int i = 0; i < ITEMS; i++)
    put(i);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < ITEMS; i++)
    assert(take() == i);
  pthread_join(producer, NULL);
  return 0;
}
