// A sorted list with hand-over-hand locking: one thread inserts two keys while another one deletes one of them, whose node is freed at
// once. The size is right, and nothing is there twice.
#include <assert.h>
#include <coupling.h>

static intset_l_t *set;
static int deleted;

static void *insert(void *argument) {
    (void)argument;
    assert(lockc_insert(set, 2));
    assert(lockc_insert(set, 1));
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    deleted = lockc_delete(set, 2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    set = set_new_l();
    pthread_create(&one, NULL, insert, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(set_size_l(set) == (deleted ? 1 : 2));
    assert(lockc_find(set, 1) && lockc_find(set, 2) == !deleted);
    set_delete_l(set);
}
