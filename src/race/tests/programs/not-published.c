// An object of the heap is nobody else's until its address gets into memory.
// says make:heap: both hold m
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; } *list;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node *make(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = 0;
  return n;
}
void *f(void *a) {
  struct node *n = make(1);
  n->value = 2;
  pthread_mutex_lock(&m);
  n->next = list;
  list = n;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  n = list;
  n->value = 3;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
