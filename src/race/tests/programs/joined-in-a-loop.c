// A loop joins what a loop created.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return x;
}
