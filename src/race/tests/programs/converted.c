// Functions of the library that get a null pointer write nothing there.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return atoi("12");
}
