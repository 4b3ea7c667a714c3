// A bounded stack, without a main. pop() looks whether there is an item before it takes the lock.
#include <assert.h>
#include "stack.h"

static bool pop(int *item) {
    if (stack.count == 0) {
        return false;
    }
    pthread_mutex_lock(&stack.lock);
    *item = stack.items[--stack.count];
    pthread_mutex_unlock(&stack.lock);
    return true;
}
