// options: --check assert --first --scheme lazy --rounds 4 --unwind 2 --bitwidth 4 --prune none
// Three threads share three cells, which a stack without locks hands out. (The algorithm is Vyukov's, who posed it as a puzzle to checkers.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS 3
#define NONE (-1)

struct cell {
    int owner;
    // The cell below; NONE at the bottom, and while somebody takes this one.
    atomic_int next;
};

static struct cell cells[THREADS];
static atomic_int head;
static atomic_int count = THREADS;

static int take(void) {
    while (count > 1) {
        int first = head;
        int second = atomic_exchange(&cells[first].next, NONE);
        if (second != NONE) {
            int expected = first;
            if (atomic_compare_exchange_strong(&head, &expected, second)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&cells[first].next, second);
        }
    }
    return NONE;
}

static void give_back(int cell) {
    int first = head;
    do {
        cells[cell].next = first;
    } while (!atomic_compare_exchange_strong(&head, &first, cell));
    atomic_fetch_add(&count, 1);
}

static void *work(void *number) {
    int own = (int)(intptr_t)number;
    for (int i = 0; i < 2; i++) {
        int cell;
        for (;;) {
            cell = take();
            if (cell != NONE) {
                break;
            }
        }
        cells[cell].owner = own;
        assert(cells[cell].owner == own);
        give_back(cell);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        cells[i].next = i + 1 < THREADS ? i + 1 : NONE;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
