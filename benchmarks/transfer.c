/* Two accounts and two threads that transfer any amount, one in each direction. Both take the locks in the same
 * order, so nothing is lost: expected to hold for every amount. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct account {
  pthread_mutex_t lock;
  unsigned balance;
};

struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

void transfer(struct account *from, struct account *to, unsigned amount) {
  pthread_mutex_lock(&a.lock);
  pthread_mutex_lock(&b.lock);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&b.lock);
  pthread_mutex_unlock(&a.lock);
}

void *there(void *unused) {
  transfer(&a, &b, __VERIFIER_nondet_uint());
  return NULL;
}

void *back(void *unused) {
  transfer(&b, &a, __VERIFIER_nondet_uint());
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, there, NULL);
  pthread_create(&second, NULL, back, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(a.balance + b.balance == 200);
  assert(a.balance <= 200);
  return 0;
}
