// violated
// Nobody knows which thread main has joined: the other one may still write between its two reads.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int x;

void *adder(void *arg)
{
    x += 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, adder, 0);
    pthread_create(&two, 0, adder, 0);
    pthread_join(__VERIFIER_nondet_uchar() ? one : two, 0);
    int first = x, second = x;
    assert(first == second);
    return 0;
}
