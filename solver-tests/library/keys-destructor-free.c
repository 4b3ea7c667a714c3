// undefined
#include <pthread.h>
// Functions of the library are destructors as others are.
#include <stdlib.h>
pthread_key_t key;
int *kept;
static void *routine(void *arg) {
  kept = malloc(sizeof *kept);
  *kept = 1;
  pthread_setspecific(key, kept);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_key_create(&key, free);
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(*kept == 2);
}
