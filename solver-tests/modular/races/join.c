// proved
// Main reads what a thread has counted after it has joined it, while another one counts elsewhere.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int mine, other;
void *few(void *arg) {
    while (__VERIFIER_nondet_int())
        mine++;
    return 0;
}
void *endless(void *arg) {
    for (;;)
        other++;
}
int main(void) {
    pthread_t a, b;
    mine = 1;
    pthread_create(&a, 0, few, 0);
    pthread_create(&b, 0, endless, 0);
    pthread_join(a, 0);
    mine++;
    return mine;
}
