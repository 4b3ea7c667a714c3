// unsupported
#include <pthread.h>
#include <signal.h>
int main(void) { pthread_kill(pthread_self(), SIGINT); assert(0); }
