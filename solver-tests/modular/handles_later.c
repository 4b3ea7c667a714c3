// proved
// The threads' handles have any value until main creates the threads, after a loop; each join is of a certain thread nevertheless,
// and what the threads follow is no null pointer any more.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int n, first, second;
int *shown;

void *one(void *arg)
{
    first = *shown;
    return 0;
}

void *two(void *arg)
{
    second = *shown;
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    int steps = __VERIFIER_nondet_uchar();
    for (int i = 0; i < steps; i++)
        __VERIFIER_assume(n < 100), n++;
    shown = &n;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(first == second);
    return 0;
}
