// unsupported
#include <pthread.h>
static void f(void) {}
int main(void) { pthread_atfork(f, f, f); assert(0); }
