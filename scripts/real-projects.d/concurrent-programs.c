// The owner of a deque takes from one end while a thief steals from the other: each item is had once.
#define main work_steal_main
#include <work-steal.c>
#undef main

static deque_t deque;
static work_t items[2];
static atomic_int had[2];

static void note(work_t *item) {
    if (item != EMPTY && item != ABORT)
        assert(atomic_fetch_add(&had[item - items], 1) == 0);
}

static void *thief(void *argument) {
    (void)argument;
    note(steal(&deque));
    return NULL;
}

int main(void) {
    pthread_t other;
    init(&deque, 2);
    push(&deque, &items[0]);
    pthread_create(&other, NULL, thief, NULL);
    push(&deque, &items[1]);
    note(take(&deque));
    note(take(&deque));
    pthread_join(other, NULL);
    assert(had[0] == 1 && had[1] == 1);
}
