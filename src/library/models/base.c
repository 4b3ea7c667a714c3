/* What all models are written with. */
typedef __SIZE_TYPE__ size_t;

typedef unsigned long long __selvedge_any8 __attribute__((aligned(1)));

extern void *malloc(size_t size);
extern void free(void *object);
/* An atomic section whose first store drains the store buffers: one that only reads orders nothing. */
extern void __selvedge_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
/* Waits until the condition is true, which others make true, or for ever. The step that it stands in has not begun before: an
 * atomic section, or what is between these two, which are one where deadlocks are asked for. Text in DEADLOCKS(...) is there only
 * in programs that are read for that, text in NO_DEADLOCKS(...) only in others. */
extern void __selvedge_wait(int);
extern void __selvedge_look(void);
extern void __selvedge_looked(void);
/* The same, for a lock that only who holds it can give back: alone, or to share it. */
extern void __selvedge_wait_for(int, void *lock);
extern void __selvedge_wait_to_share(int, void *lock);
extern void __selvedge_wait_for_others(int, void *lock);
extern void __selvedge_wait_for_self(int, void *lock);
/* How often the running thread holds an object, see `Note::Own`: kept of every lock, where deadlocks are asked for. */
extern int __selvedge_holds(void *lock);
extern void __selvedge_set_holds(void *lock, int times);
/* Threads that wait at an object, see `Note::Waiters`. */
extern int __selvedge_waiters(void *object);
extern void __selvedge_set_waiters(void *object, int waiters);
/* Whether the running thread is cancelled, and its end then, in programs that cancel threads: where it would wait for ever, it
 * leaves, although it was not yet cancelled when it asked before. */
extern int __selvedge_is_cancelled(void);
extern void __selvedge_end_cancelled(void);
extern int __VERIFIER_nondet_int(void);
/* The number of the running thread, and that of the one with a handle. */
extern unsigned long __selvedge_thread(void);
extern unsigned long __selvedge_thread_of(unsigned long handle);
extern int *__errno_location(void);

enum { EPERM = 1, ENOENT = 2, EAGAIN = 11, EBUSY = 16, EEXIST = 17, EINVAL = 22, EDEADLK = 35, EOVERFLOW = 75,
       ETIMEDOUT = 110, EOWNERDEAD = 130, ENOTRECOVERABLE = 131 };

/* Stores what an operation of a synchronisation object gives back, an access of its caller. */
static void __selvedge_give(int *place, int value) { *place = value; }

/* Threads whose ends, handles and cancellation are kept in arrays of the library. */
enum { THREADS = 32 };
extern int *__selvedge_ended(void);
extern void __selvedge_too_many_threads(void);

static int __selvedge_me(void) { return (int)__selvedge_thread() + 1; }

/* The parser of programs wants an entry; nothing calls it. */
int main(void) { return 0; }
