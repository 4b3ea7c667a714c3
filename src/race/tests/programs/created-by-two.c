// A function that creates and joins is executed by two threads, with one variable for the handles.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_t t;
void *f(void *a) {
  x++; // open
  return 0; }
void *run(void *a) {
  pthread_create(&t, 0, f, 0); // open
  pthread_join(t, 0); // open
  x = 1; // open
  return 0;
}
int main(void) {
  pthread_t u;
  pthread_create(&u, 0, run, 0);
  run(0);
  return 0;
}
