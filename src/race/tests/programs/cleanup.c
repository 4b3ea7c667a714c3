// A cleanup handler of a thread that ends at once runs in that thread.
#include <pthread.h>
#include <stdlib.h>
int x;
void undo(void *a) {
  x = 1; // open
}
void *f(void *a) {
  pthread_cleanup_push(undo, 0);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
