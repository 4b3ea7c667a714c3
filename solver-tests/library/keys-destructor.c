// safe, reached
#include <pthread.h>
// At return and at exit, after the value was set to null, and only where there is one.
pthread_key_t key, other;
int ran, wrong;
static void destroy(void *value) {
  if (pthread_getspecific(key))
    wrong++;
  ran += *(int *)value;
}
static void *returns(void *arg) { pthread_setspecific(key, arg); return 0; }
static void *exits(void *arg) { pthread_setspecific(key, arg); pthread_exit(0); }
static void *clears(void *arg) { pthread_setspecific(key, arg); pthread_setspecific(key, 0); return 0; }
int main(void) {
  pthread_t id;
  int one = 1, two = 2, four = 4;
  pthread_key_create(&other, 0);
  pthread_key_create(&key, destroy);
  pthread_create(&id, 0, returns, &one);
  pthread_join(id, 0);
  assert(ran == 1);
  pthread_create(&id, 0, exits, &two);
  pthread_join(id, 0);
  assert(ran == 3);
  pthread_create(&id, 0, clears, &four);
  pthread_join(id, 0);
  assert(ran == 3 && wrong == 0);
  REACHED;
}
