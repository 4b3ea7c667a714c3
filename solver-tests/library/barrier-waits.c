// safe
#include <pthread.h>
pthread_barrier_t b;
int main(void) { pthread_barrier_init(&b, 0, 2); pthread_barrier_wait(&b); assert(0); }
