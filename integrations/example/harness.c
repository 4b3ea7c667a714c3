// A letter reaches its reader.
#include "mailbox.h"
#include <assert.h>

static struct mailbox box = MAILBOX_INITIALIZER;

static void *read_one(void *unused) {
    (void)unused;
    assert(mailbox_take(&box) == 1);
    return NULL;
}

int main(void) {
    pthread_t reader;
    pthread_create(&reader, NULL, read_one, NULL);
    mailbox_put(&box, 1);
    pthread_join(reader, NULL);
    return 0;
}
