// One thread inserts a key into a list with hazard pointers while another one deletes it: it is deleted once, there or at the end,
// and every node that was made is destroyed.
#define main hp_list_main
#include <main.c>
#undef main

static list_t *list;
static bool inserted, deleted;

static void *insert(void *argument) {
    (void)argument;
    inserted = list_insert(list, 7);
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    deleted = list_delete(list, 7);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    list = list_new();
    pthread_create(&one, NULL, insert, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(inserted);
    assert(list_delete(list, 7) != deleted);
    list_destroy(list);
    assert(inserts == deletes);
}
