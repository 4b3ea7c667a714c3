// unsafe
#include <pthread.h>
// But if main exits as a thread, there is one.
pthread_key_t key;
static void destroy(void *value) { assert(0); }
int main(void) { pthread_key_create(&key, destroy); pthread_setspecific(key, &key); pthread_exit(0); }
