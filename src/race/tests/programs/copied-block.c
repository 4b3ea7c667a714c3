// A long block is copied while another thread writes it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char from[10000], to[10000];
void *f(void *a) {
  from[9999] = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  memcpy(to, from, sizeof to); // open
  return 0;
}
