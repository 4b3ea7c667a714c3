// The bound of the loop of joins is that of another call.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_t t[4];
void *f(void *a) {
  x++; // open
  return 0; }
void run(int n, int create) {
  if (create)
    for (int i = 0; i < n; i++)
      pthread_create(&t[i], 0, f, 0);
  else
    for (int i = 0; i < n; i++)
      pthread_join(t[i], 0);
}
int main(void) {
  run(4, 1);
  run(2, 0);
  return x; // open
}
