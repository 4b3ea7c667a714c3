// A reader looks at an object within an epoch; main takes it away, waits for the readers, and frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ck_epoch.h>

static ck_epoch_t epoch;
static ck_epoch_record_t records[2];
static int *published;

static void *read_it(void *argument) {
    (void)argument;
    ck_epoch_begin(&records[1], NULL);
    int *object = ck_pr_load_ptr(&published);
    if (object)
        assert(*object == 1);
    ck_epoch_end(&records[1], NULL);
    return NULL;
}

int main(void) {
    pthread_t reader;
    int *object = malloc(sizeof *object);
    *object = 1;
    published = object;
    ck_epoch_init(&epoch);
    ck_epoch_register(&epoch, &records[0], NULL);
    ck_epoch_register(&epoch, &records[1], NULL);
    pthread_create(&reader, NULL, read_it, NULL);
    ck_pr_store_ptr(&published, NULL);
    ck_epoch_synchronize(&records[0]);
    free(object);
    pthread_join(reader, NULL);
}
