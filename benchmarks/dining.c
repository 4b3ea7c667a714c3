/* Three philosophers. Each takes the left fork and then tries the right one; who does not get it puts the left one
 * back and stays hungry. Expected to hold: two neighbours never eat at the same time. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define SEATS 3

pthread_mutex_t fork_at[SEATS];
int eating[SEATS];

void *dine(void *arg) {
  int seat = (int)(long)arg;
  int right = (seat + 1) % SEATS;
  int left_neighbour = (seat + SEATS - 1) % SEATS;
  pthread_mutex_lock(&fork_at[seat]);
  if (pthread_mutex_trylock(&fork_at[right]) == 0) {
    eating[seat] = 1;
    assert(!eating[right] && !eating[left_neighbour]);
    eating[seat] = 0;
    pthread_mutex_unlock(&fork_at[right]);
  }
  pthread_mutex_unlock(&fork_at[seat]);
  return NULL;
}

int main(void) {
  pthread_t guests[SEATS];
  for (int i = 0; i < SEATS; i++)
    pthread_mutex_init(&fork_at[i], NULL);
  for (long i = 0; i < SEATS; i++)
    pthread_create(&guests[i], NULL, dine, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join(guests[i], NULL);
  return 0;
}
