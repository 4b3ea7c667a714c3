// What nobody writes any more does not race.
// says table: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int table[4];
void *f(void *a) { return (void *)(long)table[2]; }
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 4; i++)
    table[i] = i;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  return table[1];
}
