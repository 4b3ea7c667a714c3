// proved
// Local variables that live at the same time lie apart.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    int a = 0, b = 0;
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    int *p = turns ? &a : &b;
    assert((p == &a) != (p == &b));
    return 0;
}
