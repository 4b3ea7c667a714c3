// A server that loops over commands: what is open is closed once, and answers are of open sessions. Broken: a command that
// closes forgets that nothing may be open.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
enum { NONE, OPEN, PUT, CLOSE };
int command, open, pending;
void *client(void *arg) {
    while (1) {
        while (command != NONE);
        command = OPEN + __VERIFIER_nondet_uchar() % 3;
    }
}
void *server(void *arg) {
    while (1) {
        switch (command) {
        case OPEN:
            if (!open) { open = 1; pending = 0; }
            break;
        case PUT:
            if (open && pending < 3) pending++;
            break;
        case CLOSE:
#ifndef BROKEN
            if (open)
#endif
            {
                assert(open);
                open = 0;
                pending = 0;
            }
            break;
        default:
            continue;
        }
        assert(pending <= 3 && (open || pending == 0));
        command = NONE;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, client, 0);
    pthread_create(&t[1], 0, server, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
