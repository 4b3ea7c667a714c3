// Treiber's stack: two threads push a node and pop one, which nobody frees meanwhile. Each node comes out once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ck_stack.h>

static ck_stack_t stack;

static void *work(void *argument) {
    (void)argument;
    ck_stack_push_upmc(&stack, malloc(sizeof(ck_stack_entry_t)));
    return ck_stack_pop_upmc(&stack);
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, &first);
    pthread_join(other, &second);
    assert(first && second && first != second && CK_STACK_ISEMPTY(&stack));
    free(first);
    free(second);
}
