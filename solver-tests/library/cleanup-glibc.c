// safe, reached
#include <pthread.h>
// What the macros of the GNU C library expand to: ordinary use is understood.
struct buffer { long words[12]; };
extern int __sigsetjmp(void *, int);
extern void __pthread_register_cancel(struct buffer *);
extern void __pthread_unregister_cancel(struct buffer *);
extern void __pthread_unwind_next(struct buffer *);
int ran;
static void clean(void *arg) { ran += *(int *)arg; }
static void *routine(void *arg) {
  int one = 1;
  do {
    struct buffer buffer;
    void (*handler)(void *) = clean;
    void *handed = &one;
    int again = __sigsetjmp(&buffer, 0);
    if (__builtin_expect(again != 0, 0)) {
      handler(handed);
      __pthread_unwind_next(&buffer);
    }
    __pthread_register_cancel(&buffer);
    do {
      ran = 4;
    } while (0);
    __pthread_unregister_cancel(&buffer);
    if (1)
      handler(handed);
  } while (0);
  pthread_exit(0);
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(ran == 5);
  REACHED;
}
