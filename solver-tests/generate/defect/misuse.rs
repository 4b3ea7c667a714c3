//! Locks, conditions, semaphores, keys and threads, as POSIX allows them to be used or not.

use super::{Parts, Writer, lines};

impl Writer {
    /// Mutexes that are released, destroyed and initialised.
    pub(super) fn released(&mut self) -> Parts {
        let threads = (0..2)
            .map(|_| {
                lines(&[self.one(&[
                    "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);",
                    "pthread_mutex_lock(&m); n++; if (n > 1) pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
                    "pthread_mutex_lock(&m); if (go) return 0; pthread_mutex_unlock(&m);",
                    "if (pthread_mutex_trylock(&m) == 0) n++; pthread_mutex_unlock(&m);",
                    "if (pthread_mutex_trylock(&m) == 0) { n++; pthread_mutex_unlock(&m); }",
                    "pthread_mutex_unlock(&m);",
                    "if (go) pthread_mutex_unlock(&m);",
                    "pthread_mutex_lock(&m); go = 1; pthread_mutex_unlock(&m2);",
                    "pthread_mutex_lock(&m2); pthread_mutex_lock(&m); go = 1; pthread_mutex_unlock(&m2); pthread_mutex_unlock(&m);",
                    "pthread_mutex_destroy(&m2);",
                    "pthread_mutex_lock(&m2); pthread_mutex_unlock(&m2);",
                    "pthread_mutex_init(&m2, 0); pthread_mutex_lock(&m2); n++; pthread_mutex_unlock(&m2);",
                ])])
            })
            .collect();
        Parts {
            threads,
            after: lines(&[self.one(&[
                "pthread_mutex_destroy(&m);",
                "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);",
                "pthread_mutex_destroy(&m2); pthread_mutex_init(&m2, 0);",
                "",
            ])]),
            ..Parts::default()
        }
    }

    /// Objects in memory that comes and goes, or is copied.
    pub(super) fn over(&mut self) -> Parts {
        let threads = (0..2)
            .map(|_| {
                lines(&[self.one(&[
                    "pthread_mutex_lock(&box->lock); box->value++; pthread_mutex_unlock(&box->lock);",
                    "pthread_mutex_lock(&box->lock); t = --box->value; pthread_mutex_unlock(&box->lock); if (t == 0) { pthread_mutex_destroy(&box->lock); free(box); }",
                    "struct box own = *box; pthread_mutex_lock(&own.lock); pthread_mutex_unlock(&own.lock);",
                    "struct box own; pthread_mutex_init(&own.lock, 0); pthread_mutex_lock(&own.lock); pthread_mutex_unlock(&own.lock);",
                    "struct box own; if (go) pthread_mutex_init(&own.lock, 0); pthread_mutex_lock(&own.lock); pthread_mutex_unlock(&own.lock);",
                    "pthread_mutex_destroy(&box->lock);",
                    "go = 1;",
                ])])
            })
            .collect();
        let initialised = self.random.chance(85);
        let start = if initialised {
            "pthread_mutex_init(&box->lock, 0);"
        } else {
            ""
        };
        Parts {
            globals: vec!["struct box { pthread_mutex_t lock; int value; } *box;".into()],
            before: lines(&[
                "box = malloc(sizeof *box); if (!box) return 1; box->value = 2;",
                start,
            ]),
            threads,
            after: lines(&[self.one(&[
                "",
                "pthread_mutex_destroy(&box->lock); free(box);",
                "free(box);",
            ])]),
            ..Parts::default()
        }
    }

    /// Read-write locks, spin locks and semaphores.
    pub(super) fn counted_locks(&mut self) -> Parts {
        let threads = (0..2)
            .map(|_| {
                lines(&[self.one(&[
                    "pthread_rwlock_rdlock(&rw); t = n; pthread_rwlock_unlock(&rw);",
                    "pthread_rwlock_wrlock(&rw); n++; pthread_rwlock_unlock(&rw);",
                    "if (pthread_rwlock_trywrlock(&rw) == 0) n = 1; pthread_rwlock_unlock(&rw);",
                    "pthread_rwlock_unlock(&rw);",
                    "pthread_rwlock_destroy(&rw);",
                    "pthread_spin_lock(&spin); n++; pthread_spin_unlock(&spin);",
                    "if (n) pthread_spin_unlock(&spin);",
                    "pthread_spin_destroy(&spin);",
                    "sem_wait(&sem); n++; sem_post(&sem);",
                    "sem_destroy(&sem);",
                    "sem_post(&sem); sem_wait(&sem);",
                ])])
            })
            .collect();
        Parts {
            globals: vec![
                "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; pthread_spinlock_t spin; sem_t sem;".into(),
            ],
            before: lines(&["pthread_spin_init(&spin, 0); sem_init(&sem, 0, 1);"]),
            threads,
            after: lines(&[self.one(&["pthread_rwlock_destroy(&rw);", "sem_destroy(&sem);", ""])]),
            ..Parts::default()
        }
    }

    /// Threads that are joined or detached more than once.
    pub(super) fn joined_again(&mut self) -> Parts {
        let other = self.one(&[
            "pthread_join(first, 0);",
            "if (go) pthread_join(first, 0); go = 1;",
            "pthread_detach(first);",
            "pthread_detach(pthread_self());",
            "t = pthread_equal(first, pthread_self());",
            "go = 1;",
        ]);
        let after = self.one(&[
            "pthread_join(first, 0);",
            "if (!go) pthread_join(first, 0);",
            "pthread_detach(first);",
            "",
        ]);
        let start = "pthread_t first; ";
        Parts {
            globals: vec![start.into()],
            functions: vec![super::Function {
                head: "void *once(void *arg)".into(),
                body: lines(&["n++;", "return 0;"]),
            }],
            before: lines(&["pthread_create(&first, 0, once, 0);"]),
            threads: vec![lines(&[other])],
            after: lines(&[after]),
            ..Parts::default()
        }
    }

    /// Conditions, and keys of values of threads.
    pub(super) fn waiting(&mut self) -> Parts {
        if self.random.chance(40) {
            let use_of_key = |text: &str| lines(&[text]);
            let one = self.one(&[
                "pthread_setspecific(key, &n); t = pthread_getspecific(key) != 0;",
                "if (pthread_getspecific(key)) t = 1;",
                "q = malloc(4); pthread_setspecific(key, q);",
            ]);
            let two = self.one(&[
                "pthread_key_delete(key);",
                "go = 1;",
                "pthread_setspecific(key, 0);",
            ]);
            return Parts {
                globals: vec!["pthread_key_t key;".into()],
                before: lines(&[self.one(&[
                    "pthread_key_create(&key, 0);",
                    "pthread_key_create(&key, free);",
                ])]),
                threads: vec![use_of_key(one), use_of_key(two)],
                after: lines(&[self.one(&["pthread_key_delete(key);", ""])]),
                ..Parts::default()
            };
        }
        let wait = self.one(&[
            "pthread_mutex_lock(&m); if (!go) pthread_cond_wait(&ready, &m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m2); if (!go) pthread_cond_wait(&ready, &m2); pthread_mutex_unlock(&m2);",
            "if (!go) pthread_cond_wait(&ready, &m);",
        ]);
        let signal = self.one(&[
            "pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&ready); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); go = 1; pthread_cond_broadcast(&ready); pthread_cond_destroy(&ready); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); if (!go) pthread_cond_wait(&ready, &m); pthread_mutex_unlock(&m);",
            "go = 1; pthread_cond_signal(&ready);",
        ]);
        Parts {
            globals: vec!["pthread_cond_t ready = PTHREAD_COND_INITIALIZER;".into()],
            threads: vec![lines(&[wait]), lines(&[signal])],
            after: lines(&[self.one(&["pthread_cond_destroy(&ready);", ""])]),
            ..Parts::default()
        }
    }
}
