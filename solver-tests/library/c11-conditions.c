// safe, reached
#include <threads.h>
mtx_t m;
cnd_t c;
once_flag flag = ONCE_FLAG_INIT;
int data, ready;
static void start(void) { mtx_init(&m, mtx_plain); assert(cnd_init(&c) == thrd_success); }
static int send(void *arg) {
  call_once(&flag, start);
  mtx_lock(&m);
  data = 1;
  data = 2;
  ready = 1;
  assert(cnd_signal(&c) == thrd_success && cnd_broadcast(&c) == thrd_success);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t id;
  struct timespec until = {1, 0};
  thrd_create(&id, send, 0);
  call_once(&flag, start);
  mtx_lock(&m);
  int status = cnd_timedwait(&c, &m, &until);
  assert(status == thrd_success || status == thrd_timedout);
  assert(data != 1);
  while (!ready)
    assert(cnd_wait(&c, &m) == thrd_success);
  assert(data == 2);
  mtx_unlock(&m);
  cnd_destroy(&c);
  REACHED;
}
