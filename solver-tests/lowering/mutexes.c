// Kinds of mutexes: results of operations by one thread (IEEE 1003.1).
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t careful[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
struct account { int balance; pthread_mutex_t lock; };

static int depth(pthread_mutex_t *m, int n) {
  if (n == 0) return pthread_mutex_trylock(m);
  int failed = pthread_mutex_lock(m) || depth(m, n - 1);
  return failed || pthread_mutex_unlock(m);
}

int main(void) {
  check(pthread_mutex_lock(&normal) == 0 && pthread_mutex_trylock(&normal) == EBUSY);
  check(pthread_mutex_unlock(&normal) == 0 && pthread_mutex_trylock(&normal) == 0);
  check(depth(&nested, 3) == 0);
  check(pthread_mutex_unlock(&nested) == 0 && pthread_mutex_unlock(&nested) == EPERM);
  pthread_mutex_t *c = &careful[1];
  check(pthread_mutex_unlock(c) == EPERM);
  check(pthread_mutex_lock(c) == 0 && pthread_mutex_lock(c) == EDEADLK && pthread_mutex_trylock(c) == EBUSY);
  check(pthread_mutex_unlock(c) == 0 && pthread_mutex_unlock(c) == EPERM);
  pthread_mutexattr_t attr;
  int kind = -1;
  check(pthread_mutexattr_init(&attr) == 0 && pthread_mutexattr_gettype(&attr, &kind) == 0 && kind == PTHREAD_MUTEX_DEFAULT);
  check(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
  check(pthread_mutexattr_gettype(&attr, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
  struct account *a = malloc(sizeof *a);
  check(pthread_mutex_init(&a->lock, &attr) == 0 && pthread_mutex_init(&normal, 0) == 0);
  check(pthread_mutexattr_destroy(&attr) == 0);
  check(depth(&a->lock, 2) == 0 && pthread_mutex_unlock(&a->lock) == 0 && pthread_mutex_unlock(&a->lock) == EPERM);
  check(pthread_mutex_destroy(&a->lock) == 0);
  free(a);
  pthread_mutex_t local = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  check(pthread_mutex_lock(&local) == 0 && pthread_mutex_lock(&local) == EDEADLK && pthread_mutex_unlock(&local) == 0);
  pthread_attr_t thread;
  check(pthread_attr_init(&thread) == 0 && pthread_attr_setdetachstate(&thread, PTHREAD_CREATE_JOINABLE) == 0);
  check(pthread_attr_getdetachstate(&thread, &kind) == 0 && kind == PTHREAD_CREATE_JOINABLE);
  check(pthread_attr_destroy(&thread) == 0);
  finish();
}
