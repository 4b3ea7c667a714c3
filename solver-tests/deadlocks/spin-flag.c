// A flag that nobody sets.
#include <pthread.h>
_Atomic int go;
void *first(void *arg) {
  while (!go)  // blocked
    ;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);  // blocked
  return 0;
}
