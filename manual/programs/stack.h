// A bounded stack with a lock.
#include <pthread.h>
#include <stdbool.h>

enum { SIZE = 2 };

struct stack {
    pthread_mutex_t lock;
    int items[SIZE];
    int count;
};

static struct stack stack = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool push(int item) {
    pthread_mutex_lock(&stack.lock);
    bool fits = stack.count < SIZE;
    if (fits) {
        stack.items[stack.count++] = item;
    }
    pthread_mutex_unlock(&stack.lock);
    return fits;
}
