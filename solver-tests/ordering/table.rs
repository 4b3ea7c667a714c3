//! The operations, and what they order (IEEE 1003.1, XBD 4.12; C11 7.26, 7.17).

/// A message that is passed on.
pub struct Passing {
    pub name: &'static str,
    /// Declarations at file scope.
    pub globals: &'static str,
    /// First statements of `main`.
    pub init: &'static str,
    /// Statements of the sender before it writes the data.
    pub before: &'static str,
    /// Its statements after that.
    pub send: &'static str,
    /// Statements of the receiver; it returns if it gets no message.
    pub receive: &'static str,
    /// True if the receiver is created before the sender.
    pub receiver_first: bool,
}

const fn pass(
    name: &'static str,
    globals: &'static str,
    init: &'static str,
    before: &'static str,
    send: &'static str,
    receive: &'static str,
) -> Passing {
    Passing {
        name,
        globals,
        init,
        before,
        send,
        receive,
        receiver_first: false,
    }
}

const MUTEX: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
const LOCK: &str = "pthread_mutex_lock(&m);";
const SET: &str = "flag = 1; pthread_mutex_unlock(&m);";
const SEEN: &str =
    "pthread_mutex_lock(&m); int seen = flag; pthread_mutex_unlock(&m); if (!seen) return 0;";
const RECURSIVE: &str = "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;";
const ERRORCHECK: &str = "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;";
const PLAIN: &str = "pthread_mutex_t m;";
const ROBUST: &str = "pthread_mutexattr_t robust; pthread_mutexattr_init(&robust); \
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m, &robust);";
const SPIN: &str = "pthread_spinlock_t l;";
const SPIN_INIT: &str = "pthread_spin_init(&l, 0);";
const RWLOCK: &str = "pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;";
const RWUNLOCK: &str = "flag = 1; pthread_rwlock_unlock(&w);";
const SEMAPHORE: &str = "sem_t s;";
const ZERO: &str = "sem_init(&s, 0, 0);";
const BARRIER: &str = "pthread_barrier_t b;";
const TWO: &str = "pthread_barrier_init(&b, 0, 2);";
const COND: &str =
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;";
const C11: &str = "mtx_t m; cnd_t c;";
const C11_INIT: &str = "mtx_init(&m, mtx_plain); cnd_init(&c);";
const C11_LOCK: &str = "mtx_lock(&m);";
const C11_SET: &str = "flag = 1; mtx_unlock(&m);";

/// Operations that pass on all that was stored before.
pub const ORDERED: &[Passing] = &[
    pass("mutex", MUTEX, "", LOCK, SET, SEEN),
    pass("recursive mutex", RECURSIVE, "", LOCK, SET, SEEN),
    pass(
        "recursive mutex twice",
        RECURSIVE,
        "",
        "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
        "flag = 1; pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
        SEEN,
    ),
    pass("error-checking mutex", ERRORCHECK, "", LOCK, SET, SEEN),
    pass("robust mutex", PLAIN, ROBUST, LOCK, SET, SEEN),
    pass(
        "pthread_mutex_trylock",
        MUTEX,
        "",
        LOCK,
        SET,
        "if (pthread_mutex_trylock(&m) || !flag) return 0;",
    ),
    pass(
        "pthread_mutex_timedlock",
        MUTEX,
        "",
        LOCK,
        SET,
        "if (pthread_mutex_timedlock(&m, 0) || !flag) return 0;",
    ),
    pass(
        "robust pthread_mutex_trylock",
        PLAIN,
        ROBUST,
        LOCK,
        SET,
        "if (pthread_mutex_trylock(&m) || !flag) return 0;",
    ),
    pass(
        "end of a robust mutex's owner",
        PLAIN,
        ROBUST,
        LOCK,
        "",
        "if (pthread_mutex_lock(&m) != EOWNERDEAD) return 0;",
    ),
    pass(
        "pthread_exit of a robust mutex's owner",
        PLAIN,
        ROBUST,
        LOCK,
        "pthread_exit(0);",
        "if (pthread_mutex_trylock(&m) != EOWNERDEAD) return 0;",
    ),
    pass(
        "robust mutex made consistent",
        "pthread_mutex_t m; void *dies(void *a) { pthread_mutex_lock(&m); return 0; }",
        "pthread_mutexattr_t robust; pthread_mutexattr_init(&robust); \
         pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m, &robust); \
         pthread_t t; pthread_create(&t, 0, dies, 0); pthread_join(t, 0);",
        "if (pthread_mutex_lock(&m) != EOWNERDEAD) return 0;",
        "pthread_mutex_consistent(&m); pthread_mutex_unlock(&m);",
        "if (pthread_mutex_lock(&m)) return 0;",
    ),
    pass(
        "spin lock",
        SPIN,
        SPIN_INIT,
        "pthread_spin_lock(&l);",
        "flag = 1; pthread_spin_unlock(&l);",
        "pthread_spin_lock(&l); if (!flag) return 0;",
    ),
    pass(
        "pthread_spin_trylock",
        SPIN,
        SPIN_INIT,
        "pthread_spin_lock(&l);",
        "flag = 1; pthread_spin_unlock(&l);",
        "if (pthread_spin_trylock(&l) || !flag) return 0;",
    ),
    pass(
        "writer to reader",
        RWLOCK,
        "",
        "pthread_rwlock_wrlock(&w);",
        RWUNLOCK,
        "pthread_rwlock_rdlock(&w); if (!flag) return 0;",
    ),
    pass(
        "reader to writer",
        RWLOCK,
        "",
        "pthread_rwlock_rdlock(&w);",
        RWUNLOCK,
        "pthread_rwlock_wrlock(&w); if (!flag) return 0;",
    ),
    pass(
        "pthread_rwlock_tryrdlock",
        RWLOCK,
        "",
        "pthread_rwlock_wrlock(&w);",
        RWUNLOCK,
        "if (pthread_rwlock_tryrdlock(&w) || !flag) return 0;",
    ),
    pass(
        "pthread_rwlock_timedwrlock",
        RWLOCK,
        "",
        "pthread_rwlock_wrlock(&w);",
        RWUNLOCK,
        "if (pthread_rwlock_timedwrlock(&w, 0) || !flag) return 0;",
    ),
    pass(
        "barrier",
        BARRIER,
        TWO,
        "",
        "pthread_barrier_wait(&b);",
        "pthread_barrier_wait(&b);",
    ),
    pass(
        "semaphore",
        SEMAPHORE,
        ZERO,
        "",
        "sem_post(&s);",
        "sem_wait(&s);",
    ),
    pass(
        "sem_trywait",
        SEMAPHORE,
        ZERO,
        "",
        "sem_post(&s);",
        "if (sem_trywait(&s)) return 0;",
    ),
    pass(
        "sem_timedwait",
        SEMAPHORE,
        ZERO,
        "",
        "sem_post(&s);",
        "if (sem_timedwait(&s, 0)) return 0;",
    ),
    pass(
        "sem_getvalue after sem_post",
        SEMAPHORE,
        ZERO,
        "",
        "sem_post(&s);",
        "int value; sem_getvalue(&s, &value); if (!value) return 0;",
    ),
    pass(
        "named semaphore",
        "",
        "",
        "sem_t *s = sem_open(\"/s\", O_CREAT, 0600, 0);",
        "sem_post(s);",
        "sem_t *s = sem_open(\"/s\", O_CREAT, 0600, 0); sem_wait(s);",
    ),
    pass(
        "condition variable",
        COND,
        "",
        LOCK,
        "flag = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m);",
    ),
    pass(
        "pthread_cond_wait releases the mutex",
        COND,
        "",
        LOCK,
        "flag = 1; pthread_cond_wait(&c, &m);",
        SEEN,
    ),
    pass(
        "pthread_cond_timedwait takes the mutex",
        COND,
        "",
        LOCK,
        "flag = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); if (!flag) pthread_cond_timedwait(&c, &m, 0); if (!flag) return 0;",
    ),
    pass(
        "pthread_once",
        "pthread_once_t o = PTHREAD_ONCE_INIT; int ran; void run(void) { ran = 1; }",
        "",
        "",
        "pthread_once(&o, run);",
        "pthread_once(&o, none); if (!ran) return 0;",
    ),
    pass(
        "pthread_once of data that its routine writes",
        "pthread_once_t o = PTHREAD_ONCE_INIT; int ran, more; void run(void) { more = 1; ran = 1; }",
        "",
        "pthread_once(&o, run); if (!more) return 0;",
        "__sync_synchronize(); ",
        "pthread_once(&o, none); if (!ran) return 0; assert(more); if (!*(volatile int *)&data) return 0;",
    ),
    pass(
        "call_once",
        "once_flag o = ONCE_FLAG_INIT; int ran; void run(void) { ran = 1; }",
        "",
        "",
        "call_once(&o, run);",
        "call_once(&o, none); if (!ran) return 0;",
    ),
    pass(
        "pthread_create",
        "void *late(void *a) { CHECK; return 0; }",
        "",
        "",
        "pthread_t t; pthread_create(&t, 0, late, 0);",
        "return 0;",
    ),
    pass(
        "thrd_create",
        "int late(void *a) { CHECK; return 0; }",
        "",
        "",
        "thrd_t t; thrd_create(&t, late, 0);",
        "return 0;",
    ),
    pass("pthread_join", "", "", "", "", "pthread_join(sending, 0);"),
    pass(
        "pthread_join after pthread_exit",
        "",
        "",
        "",
        "pthread_exit(0);",
        "pthread_join(sending, 0);",
    ),
    pass(
        "pthread_tryjoin_np",
        "",
        "",
        "",
        "",
        "if (pthread_tryjoin_np(sending, 0)) return 0;",
    ),
    pass("thrd_join", "", "", "", "", "thrd_join(sending, 0);"),
    pass(
        "pthread_join after a destructor",
        "pthread_key_t k; int gone; void drop(void *v) { gone = 1; }",
        "pthread_key_create(&k, drop); ",
        "pthread_setspecific(k, &data);",
        "",
        "pthread_join(sending, 0); assert(gone);",
    ),
    Passing {
        receiver_first: true,
        ..pass(
            "pthread_cancel",
            "void check(void *a) { CHECK; }",
            "",
            "",
            "pthread_cancel(receiving);",
            "pthread_cleanup_push(check, 0); pthread_testcancel(); pthread_cleanup_pop(0); return 0;",
        )
    },
    Passing {
        receiver_first: true,
        ..pass(
            "pthread_cancel of a thread that waits",
            "sem_t s; void check(void *a) { CHECK; }",
            ZERO,
            "",
            "pthread_cancel(receiving);",
            "pthread_cleanup_push(check, 0); sem_wait(&s); pthread_cleanup_pop(0); return 0;",
        )
    },
    pass(
        "mtx_t",
        C11,
        C11_INIT,
        C11_LOCK,
        C11_SET,
        "mtx_lock(&m); if (!flag) return 0;",
    ),
    pass(
        "mtx_trylock",
        C11,
        C11_INIT,
        C11_LOCK,
        C11_SET,
        "if (mtx_trylock(&m) != thrd_success || !flag) return 0;",
    ),
    pass(
        "cnd_t",
        C11,
        C11_INIT,
        C11_LOCK,
        "flag = 1; cnd_signal(&c); mtx_unlock(&m);",
        "mtx_lock(&m); while (!flag) cnd_wait(&c, &m);",
    ),
    pass(
        "atexit",
        "void check(void) { CHECK; }",
        "",
        "",
        "atexit(check);",
        "exit(0);",
    ),
    pass(
        "atomic_flag",
        "atomic_flag f = ATOMIC_FLAG_INIT;",
        "atomic_flag_test_and_set(&f);",
        "",
        "atomic_flag_clear_explicit(&f, memory_order_release);",
        "if (atomic_flag_test_and_set_explicit(&f, memory_order_acquire)) return 0;",
    ),
    pass(
        "release store",
        "atomic_int f;",
        "",
        "",
        "atomic_store_explicit(&f, 1, memory_order_release);",
        "if (!atomic_load_explicit(&f, memory_order_acquire)) return 0;",
    ),
    pass(
        "release fence",
        "atomic_int f;",
        "",
        "",
        "atomic_thread_fence(memory_order_release); atomic_store_explicit(&f, 1, memory_order_relaxed);",
        "if (!atomic_load_explicit(&f, memory_order_relaxed)) return 0; atomic_thread_fence(memory_order_acquire);",
    ),
    pass(
        "atomic section",
        "",
        "",
        "",
        "__VERIFIER_atomic_begin(); flag = 1; __VERIFIER_atomic_end();",
        "if (!flag) return 0;",
    ),
    pass(
        "__sync_lock_release",
        "int f = 1;",
        "",
        "",
        "__sync_lock_release(&f);",
        "if (__sync_lock_test_and_set(&f, 1)) return 0;",
    ),
];

/// Declarations, what `main` does first, and what is done between two accesses.
pub type Between = (&'static str, &'static str, &'static str);

/// Operations that order nothing: one that fails or reports an error (XBD 4.12: "it is unspecified"), one that changes
/// only what belongs to its own thread, and a signal, which a waiter knows of through the mutex alone.
pub const OPEN: &[(&str, Between)] = &[
    ("nothing", ("", "", "")),
    (
        "pthread_mutex_trylock that fails",
        (MUTEX, LOCK, "pthread_mutex_trylock(&m);"),
    ),
    (
        "pthread_mutex_timedlock that fails",
        (MUTEX, LOCK, "pthread_mutex_timedlock(&m, 0);"),
    ),
    (
        "recursive pthread_mutex_trylock that fails",
        (
            "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; \
             void *holds(void *a) { pthread_mutex_lock(&m); __VERIFIER_assume(0); return 0; }",
            "pthread_t t; pthread_create(&t, 0, holds, 0);",
            "__VERIFIER_assume(pthread_mutex_trylock(&m));",
        ),
    ),
    (
        "recursive mutex that is held",
        (
            "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
            "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
            "if (pthread_self() == 0) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } else pthread_mutex_unlock(&m);",
        ),
    ),
    (
        "error-checking mutex that is held",
        (
            ERRORCHECK,
            LOCK,
            "if (pthread_self() == 0) pthread_mutex_lock(&m); else pthread_mutex_unlock(&m);",
        ),
    ),
    (
        "robust pthread_mutex_trylock that fails",
        (
            PLAIN,
            "pthread_mutexattr_t robust; pthread_mutexattr_init(&robust); \
             pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m, &robust); pthread_mutex_lock(&m);",
            "pthread_mutex_trylock(&m);",
        ),
    ),
    (
        "pthread_spin_trylock that fails",
        (
            SPIN,
            "pthread_spin_init(&l, 0); pthread_spin_lock(&l);",
            "pthread_spin_trylock(&l);",
        ),
    ),
    (
        "mtx_trylock that fails",
        (
            C11,
            "mtx_init(&m, mtx_plain); mtx_lock(&m);",
            "mtx_trylock(&m);",
        ),
    ),
    (
        "pthread_rwlock_tryrdlock that fails",
        (
            RWLOCK,
            "pthread_rwlock_wrlock(&w);",
            "pthread_rwlock_tryrdlock(&w);",
        ),
    ),
    (
        "pthread_rwlock_trywrlock that fails",
        (
            RWLOCK,
            "pthread_rwlock_rdlock(&w);",
            "pthread_rwlock_trywrlock(&w);",
        ),
    ),
    (
        "pthread_rwlock_timedrdlock that fails",
        (
            RWLOCK,
            "pthread_rwlock_wrlock(&w);",
            "pthread_rwlock_timedrdlock(&w, 0);",
        ),
    ),
    (
        "sem_trywait that fails",
        (SEMAPHORE, ZERO, "sem_trywait(&s);"),
    ),
    (
        "sem_timedwait that fails",
        (SEMAPHORE, ZERO, "sem_timedwait(&s, 0);"),
    ),
    (
        "sem_getvalue",
        (SEMAPHORE, ZERO, "int v; sem_getvalue(&s, &v);"),
    ),
    (
        "sem_open of one that has the name",
        (
            "",
            "sem_open(\"/s\", O_CREAT, 0600, 0);",
            "sem_open(\"/s\", O_CREAT, 0600, 0);",
        ),
    ),
    (
        "pthread_cond_signal",
        (COND, "", "pthread_cond_signal(&c);"),
    ),
    (
        "pthread_cond_broadcast",
        (COND, "", "pthread_cond_broadcast(&c);"),
    ),
    ("cnd_signal", (C11, C11_INIT, "cnd_signal(&c);")),
    (
        "pthread_once that ran before",
        (
            "pthread_once_t o = PTHREAD_ONCE_INIT;",
            "pthread_once(&o, none);",
            "pthread_once(&o, none);",
        ),
    ),
    (
        "call_once that ran before",
        (
            "once_flag o = ONCE_FLAG_INIT;",
            "call_once(&o, none);",
            "call_once(&o, none);",
        ),
    ),
    (
        "thread-specific values",
        (
            "pthread_key_t k;",
            "pthread_key_create(&k, 0);",
            "pthread_setspecific(k, &k); pthread_getspecific(k);",
        ),
    ),
    (
        "pthread_self",
        ("", "", "pthread_equal(pthread_self(), pthread_self());"),
    ),
    (
        "cancellation that nobody asks for",
        (
            "",
            "",
            "int old; pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old); pthread_testcancel(); \
             if (old == 7) pthread_cancel(0);",
        ),
    ),
    (
        "pthread_tryjoin_np that fails",
        (
            "pthread_t t; void *waits(void *a) { __VERIFIER_assume(0); return 0; }",
            "pthread_create(&t, 0, waits, 0);",
            "pthread_tryjoin_np(t, 0);",
        ),
    ),
    (
        "attributes",
        (
            "",
            "",
            "pthread_attr_t d; pthread_attr_init(&d); pthread_attr_setstacksize(&d, 65536);",
        ),
    ),
    (
        "initialisation",
        (
            "",
            "",
            "pthread_mutex_t n; pthread_mutex_init(&n, 0); sem_t t; sem_init(&t, 0, 1); pthread_cond_t d; pthread_cond_init(&d, 0);",
        ),
    ),
    ("sched_yield", ("", "", "sched_yield();")),
    (
        "relaxed and acquire atomics",
        (
            "atomic_int f;",
            "",
            "atomic_load(&f); atomic_store_explicit(&f, 1, memory_order_relaxed); atomic_thread_fence(memory_order_acquire);",
        ),
    ),
];

/// Operations that synchronise memory: nothing passes them.
pub const FULL: &[(&str, Between)] = &[
    (
        "mutex",
        (
            MUTEX,
            "",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
        ),
    ),
    (
        "pthread_mutex_trylock",
        (
            MUTEX,
            "",
            "if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m); else __VERIFIER_assume(0);",
        ),
    ),
    (
        "spin lock",
        (
            SPIN,
            SPIN_INIT,
            "pthread_spin_lock(&l); pthread_spin_unlock(&l);",
        ),
    ),
    (
        "read-write lock",
        (
            RWLOCK,
            "",
            "pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w);",
        ),
    ),
    ("sem_post", (SEMAPHORE, ZERO, "sem_post(&s);")),
    (
        "sem_wait",
        (SEMAPHORE, "sem_init(&s, 0, 2);", "sem_wait(&s);"),
    ),
    (
        "barrier",
        (
            BARRIER,
            "pthread_barrier_init(&b, 0, 1);",
            "pthread_barrier_wait(&b);",
        ),
    ),
    (
        "first pthread_once",
        (
            "static _Thread_local pthread_once_t o = PTHREAD_ONCE_INIT;",
            "",
            "pthread_once(&o, none);",
        ),
    ),
    (
        "pthread_cond_wait",
        (
            COND,
            "",
            "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
        ),
    ),
    (
        "fence",
        ("", "", "atomic_thread_fence(memory_order_seq_cst);"),
    ),
];
