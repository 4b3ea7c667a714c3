// The owner takes from a deque into which nothing was put yet.
#define main work_steal_main
#include <work-steal.c>
#undef main

int main(void) {
    deque_t deque;
    init(&deque, 2);
    assert(take(&deque) == EMPTY);
}
