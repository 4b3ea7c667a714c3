// safe, reached
#include <threads.h>
mtx_t plain, recursive, timed;
static int routine(void *arg) {
  struct timespec until = {1, 0};
  assert(mtx_trylock(&plain) == thrd_busy);
  assert(mtx_trylock(&recursive) == thrd_busy);
  assert(mtx_timedlock(&timed, &until) == thrd_timedout);
  return 0;
}
int main(void) {
  thrd_t id;
  struct timespec until = {1, 0};
  assert(mtx_init(&plain, mtx_plain) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_trylock(&recursive) == thrd_success);
  assert(mtx_timedlock(&timed, &until) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  thrd_create(&id, routine, 0);
  thrd_join(id, 0);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  mtx_destroy(&plain);
  REACHED;
}
