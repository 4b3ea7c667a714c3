// Main has joined everybody: what it does then comes to an end.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct node {
  struct node *next;
  unsigned char k;
} *list;
sem_t full;

void *pushes(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->k = 1;
  do
    n->next = list;
  while (!__sync_bool_compare_and_swap(&list, n->next, n));
  sem_post(&full);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&full, 0, 0);
  pthread_create(&a, 0, pushes, 0);
  pthread_create(&b, 0, pushes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  sem_wait(&full);
  sem_wait(&full);
  while (list && list->k)
    list = list->next;
  return 0;
}
