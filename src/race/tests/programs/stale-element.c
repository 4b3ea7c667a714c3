// The loop of creation stores all handles at one place, whose address was computed before.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  pthread_t t[4];
  int i = 0;
  pthread_t *p = &t[i];
  for (i = 0; i < 4; i++)
    pthread_create(p, 0, f, 0);
  for (i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return x; // open
}
