// The destructor of a key runs before a join of its thread comes through.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_key_t key;
void last(void *a) { x = 1; }
void *f(void *a) { pthread_setspecific(key, &key); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&key, last);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 2;
  return 0;
}
