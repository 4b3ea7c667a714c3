// Functions of the library access what they are given.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char text[8];
void *f(void *a) {
  text[0] = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return strlen(text);
}
