// safe
#include <pthread.h>
// Its owner waits for ever.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); }
