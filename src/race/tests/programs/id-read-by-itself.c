// The id of a thread is stored where it is created, before it can read it.
// says t: ordered by creation or join
#include <pthread.h>
pthread_t t, copy;
void *f(void *a) { copy = t; return a; }
int main(void) {
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
