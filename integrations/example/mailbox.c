#include "mailbox.h"

// With BROKEN, who was woken does not look again.
#ifdef BROKEN
#define AWAIT(condition) if (!(condition))
#else
#define AWAIT(condition) while (!(condition))
#endif

void mailbox_put(struct mailbox *box, int letter) {
    pthread_mutex_lock(&box->lock);
    AWAIT(!box->is_full) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    box->letter = letter;
    box->is_full = true;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

int mailbox_take(struct mailbox *box) {
    pthread_mutex_lock(&box->lock);
    AWAIT(box->is_full) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    box->is_full = false;
    int letter = box->letter;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return letter;
}
