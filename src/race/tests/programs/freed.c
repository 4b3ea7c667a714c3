// Memory is freed while another thread reads it.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *a) {
  return (void *)(long)p[1]; // open
}
int main(void) {
  pthread_t t;
  p = malloc(8);
  p[1] = 1;
  pthread_create(&t, 0, f, 0);
  free(p); // open
  return 0;
}
