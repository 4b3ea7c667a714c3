// The owner of a deque of allocated work pushes and takes while a thief steals; the deque has to grow. Each item is had once.
#define main work_steal_main
#include <work-steal.c>
#undef main

static deque_t deque;
static atomic_int had;

static void note(work_t *item) {
    if (item == EMPTY || item == ABORT)
        return;
    atomic_fetch_add(&had, item->join_count);
    free(item);
}

static work_t *make(int number) {
    work_t *item = malloc(sizeof *item);
    item->join_count = number;
    return item;
}

static void *thief(void *argument) {
    (void)argument;
    note(steal(&deque));
    return NULL;
}

int main(void) {
    pthread_t other;
    init(&deque, 1);
    push(&deque, make(1));
    pthread_create(&other, NULL, thief, NULL);
    push(&deque, make(2));
    note(take(&deque));
    note(take(&deque));
    pthread_join(other, NULL);
    assert(had == 3);
}
