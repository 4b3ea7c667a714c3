// A mailbox for one letter.
#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>
#include <stdbool.h>

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_full;
    int letter;
};

#define MAILBOX_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0}

// Waits until the mailbox is empty and puts a letter in.
void mailbox_put(struct mailbox *box, int letter);

// Waits until there is a letter and takes it out.
int mailbox_take(struct mailbox *box);

#endif
