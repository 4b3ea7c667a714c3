// complete
// Assembler names are what the linker knows: of definitions elsewhere, and of functions of the library.
#include <assert.h>
#include <pthread.h>
extern int three(void) __asm__("other_three");
extern int total __asm__("other_" "total");
int lock_it(pthread_mutex_t *mutex) __asm__("pthread_mutex_lock");
static int own __asm__("mine") = 7;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
static void *adds(void *arg) {
  lock_it(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adds, 0);
  adds(0);
  pthread_join(t, 0);
  assert(shared == 2 && three() == 3 && total == 4 && own == 7);
}
