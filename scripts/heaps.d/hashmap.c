// One thread puts two keys into the same bucket of a lock-free hash map while another one deletes the first: what is left is there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <hashmap.h>
#include <free_later.h>

static hashmap_t *map;
static bool deleted;

static uint8_t differ(const void *x, const void *y) {
    return *(const int *)x != *(const int *)y;
}

static uint64_t same(const void *key) {
    (void)key;
    return 0;
}

static int *make(int number) {
    int *made = malloc(sizeof *made);
    *made = number;
    return made;
}

static void *put(void *argument) {
    (void)argument;
    assert(!hashmap_put(map, make(1), make(10)));
    assert(!hashmap_put(map, make(2), make(20)));
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    int key = 1;
    deleted = hashmap_del(map, &key);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    int key = 1;
    free_later_init();
    map = hashmap_new(1, differ, same);
    map->opaque = free;
    pthread_create(&one, NULL, put, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert((hashmap_get(map, &key) == NULL) == deleted);
    key = 2;
    assert(*(int *)hashmap_get(map, &key) == 20);
    assert(map->length == (deleted ? 1 : 2));
}
