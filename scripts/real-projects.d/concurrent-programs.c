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
