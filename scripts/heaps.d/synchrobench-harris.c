// Harris' lock-free list: two threads insert a key each, and one deletes that of the other, if it is there. What is left is what was not
// deleted; deleted nodes stay, as the project has no collector.
#include <assert.h>
#include <harris.h>

static intset_t *set;
static int deleted;

static void *insert(void *argument) {
    (void)argument;
    assert(harris_insert(set, 2));
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    assert(harris_insert(set, 1));
    deleted = harris_delete(set, 2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    set = set_new();
    pthread_create(&one, NULL, insert, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(harris_find(set, 1) && harris_find(set, 2) == !deleted);
    assert(set_size(set) == (deleted ? 1 : 2));
    set_delete(set);
}
