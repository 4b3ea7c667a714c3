// options: --check assert
// A limit that is tested before it is changed, and needs a certain request to break.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

enum { LIMIT = 1000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used = 900;

static int fits(int amount) {
    return amount >= 0 && used + amount <= LIMIT;
}

static void *reserve(void *unused) {
    (void)unused;
    int amount = __VERIFIER_nondet_int();
    if (amount % 7 != 3 || !fits(amount)) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    used += amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, reserve, NULL);
    pthread_create(&other, NULL, reserve, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(used <= LIMIT);
    return 0;
}
