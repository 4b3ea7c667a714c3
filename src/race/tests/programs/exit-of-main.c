// The end of the first thread ends no others, and what runs at the end of a thread runs in it.
#include <pthread.h>
#include <stdlib.h>
int x;
void last(void *a) {
  x = 1; // open
}
void *f(void *a) {
  x = 2; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_key_t key;
  pthread_key_create(&key, last);
  pthread_setspecific(key, &key);
  pthread_create(&t, 0, f, 0);
  pthread_exit(0);
}
