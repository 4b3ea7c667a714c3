// safe
#include <pthread.h>
// The end of main is the end of the process: no destructor.
pthread_key_t key;
static void destroy(void *value) { assert(0); }
int main(void) { pthread_key_create(&key, destroy); pthread_setspecific(key, &key); return 0; }
