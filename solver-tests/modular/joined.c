// proved
// Main reads what a thread has written after it has joined it, beside one that never ends.
#include <assert.h>
#include <pthread.h>

unsigned char x;
_Bool turn;

void *endless(void *arg)
{
    while (1)
        turn = !turn;
}

void *add(void *arg)
{
    x += 1;
    x += 1 + turn;
    return 0;
}

int main(void)
{
    pthread_t beside, one, two;
    pthread_create(&beside, 0, endless, 0);
    pthread_create(&one, 0, add, 0);
    pthread_join(one, 0);
    assert(x == 2 || x == 3);
    x = 4;
    pthread_create(&two, 0, add, 0);
    pthread_join(two, 0);
    x++;
    assert(x == 7 || x == 8);
    return 0;
}
