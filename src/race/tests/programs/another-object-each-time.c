// The variable of the handle is another one each time, and the first is joined.
#include <pthread.h>
#include <stdlib.h>
#include <alloca.h>
int x;
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  pthread_t *first = 0, *p;
  for (int i = 0; i < 2; i++) {
    p = alloca(sizeof *p);
    if (i == 0)
      first = p;
  }
  pthread_create(first, 0, f, 0);
  pthread_join(*p, 0);
  x = 1; // open
  return 0;
}
