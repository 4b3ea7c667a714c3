// A mutex of the first thread, which has one, is handed out.
// says main:s: both hold main:s
#include <pthread.h>
#include <stdlib.h>
struct shared { pthread_mutex_t m; int x; };
void *f(void *a) {
  struct shared *s = a;
  pthread_mutex_lock(&s->m);
  s->x++;
  pthread_mutex_unlock(&s->m);
  return 0;
}
int main(void) {
  struct shared s;
  pthread_t t;
  s.x = 0;
  pthread_mutex_init(&s.m, 0);
  pthread_create(&t, 0, f, &s);
  f(&s);
  return 0;
}
