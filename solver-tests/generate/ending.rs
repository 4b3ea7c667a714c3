//! Idioms of how threads end: what they leave is destroyed, cleaned up, or lost; somebody cancels them; nobody joins
//! them.

use super::Writer;
use super::idiom::Parts;
use crate::program::line;

impl Writer {
    /// Values that threads leave are destroyed.
    pub(super) fn destructors(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_key_t one, two; int n, left;");
        let how = self.protections(workers)[0];
        let add = self.protect(how, vec![line("n += (int)(long)value;")]);
        let mut destroy = vec![line("int t = 0; t++;"), add];
        if self.random.chance(25) {
            destroy.push(line("if (pthread_getspecific(one)) left++;"));
        }
        let again = self.random.chance(25);
        if again {
            let more = "if ((long)value > 1) pthread_setspecific(one, (void *)((long)value - 1));";
            destroy.push(line(more));
        }
        self.function("static void destroy(void *value)", destroy);
        self.initial
            .push("pthread_key_create(&one, destroy);".into());
        let second = *self.random.pick(&["0", "destroy"]);
        self.initial
            .push(format!("pthread_key_create(&two, {second});"));
        let value = self.random.between(1, 2);
        let body = vec![
            line(format!("pthread_setspecific(one, (void *){value}l);")),
            line("pthread_setspecific(two, (void *)1);"),
            line("t = (long)pthread_getspecific(one);"),
            line(format!("assert(t == {value});")),
        ];
        let each = value + i64::from(second != "0") + i64::from(again && value == 2);
        let total = each * workers as i64;
        let last = vec![
            line("assert(left == 0);"),
            line(format!("assert(n == {total});")),
        ];
        (vec![body; workers], last)
    }

    /// Cleanup handlers run where a thread exits, the newest first.
    pub(super) fn handlers(&mut self, workers: usize) -> Parts {
        let lock = self.lock_name();
        self.add_global("int n, order;");
        self.function(
            "static void unlock(void *lock)",
            vec![
                line("order = order * 2 + 1;"),
                line("pthread_mutex_unlock(lock);"),
            ],
        );
        self.function(
            "static void note(void *digit)",
            vec![line("order = order * 2 + 2;")],
        );
        let bodies = (0..workers)
            .map(|_| {
                let exit = match self.random.below(4) {
                    0 => "if (n > 1) pthread_exit(0);",
                    1 => "pthread_exit(0);",
                    2 => "if (arg) pthread_exit(0);",
                    _ => "t = n;",
                };
                let (inner, outer) = (self.random.below(2), usize::from(self.random.chance(85)));
                vec![
                    line(format!("pthread_mutex_lock({lock});")),
                    line(format!(
                        "pthread_cleanup_push(unlock, {lock}); pthread_cleanup_push(note, 0); n++; {exit} pthread_cleanup_pop({inner}); pthread_cleanup_pop({outer});"
                    )),
                ]
            })
            .collect();
        let wanted = if self.random.chance(60) {
            "order % 2 == 1"
        } else {
            "order != 5"
        };
        let last = vec![
            line(format!("if (pthread_mutex_trylock({lock})) assert(0);")),
            line(format!("assert(n == {workers} && ({wanted}));")),
        ];
        (bodies, last)
    }

    /// Somebody cancels the first thread, which may listen.
    pub(super) fn cancelled(&mut self, workers: usize) -> Parts {
        self.add_global("sem_t never; int begun, done, cleaned;");
        self.initial.push("sem_init(&never, 0, 0);".into());
        self.function("static void clean(void *arg)", vec![line("cleaned++;")]);
        self.joins = false;
        let off = "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);";
        let on = "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);";
        let point = match self.random.below(4) {
            0 => "pthread_testcancel();",
            1 => "sem_wait(&never);",
            2 => "sleep(1);",
            _ => {
                "pthread_mutex_lock(&own); pthread_cond_wait(&ready, &own); pthread_mutex_unlock(&own);"
            }
        };
        self.add_global("pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;");
        self.add_global("pthread_cond_t ready = PTHREAD_COND_INITIALIZER;");
        let (off, on) = match self.random.below(4) {
            0 => (off, ""),
            1 => (off, on),
            _ => ("", ""),
        };
        let itself = self.random.chance(45);
        let cancel = if itself {
            "pthread_cancel(pthread_self());"
        } else {
            ""
        };
        let first = vec![
            line(format!(
                "pthread_cleanup_push(clean, 0); begun = 1; {off} {cancel} {point} done = 1; {on} pthread_cleanup_pop(0);"
            )),
            line("pthread_testcancel();"),
        ];
        let mut bodies = vec![vec![]; workers];
        bodies[0] = first;
        if itself {
            self.early = vec![line("sem_post(&never);")];
        } else if workers > 1 && self.random.chance(50) {
            bodies[1] = vec![line("pthread_cancel(id0);"), line("sem_post(&never);")];
        } else {
            self.early = vec![line("pthread_cancel(id0);")];
        }
        self.add_global("pthread_t id0;");
        self.between = vec![line("id0 = id[0];")];
        let claim = match self.random.below(4) {
            _ if itself && self.random.chance(70) => {
                if off.is_empty() {
                    "!done && r == PTHREAD_CANCELED"
                } else {
                    "done"
                }
            }
            0 => "cleaned == (r == PTHREAD_CANCELED && !done)",
            1 => "r == PTHREAD_CANCELED || done",
            2 => "r == PTHREAD_CANCELED",
            _ => "begun || r == PTHREAD_CANCELED",
        };
        let last = vec![
            line("void *r = 0; pthread_join(id[0], &r);"),
            line(format!("assert({claim});")),
        ];
        (bodies, last)
    }

    /// Threads that nobody joins, or that somebody joins nevertheless.
    pub(super) fn detached(&mut self, workers: usize) -> Parts {
        self.add_global("int n, over;");
        let how = self.protections(workers);
        let by_itself = self.random.chance(40);
        let bodies = how
            .into_iter()
            .map(|how| {
                let mut body = vec![self.protect(how, vec![line("n++;")])];
                if by_itself {
                    body.insert(0, line("pthread_detach(pthread_self());"));
                }
                body.push(line("__atomic_fetch_add(&over, 1, 5);"));
                body
            })
            .collect();
        self.joins = self.random.chance(15);
        let mut last = Vec::new();
        if !by_itself {
            last.extend((0..workers).map(|i| line(format!("pthread_detach(id[{i}]);"))));
        }
        last.push(line(format!(
            "if (over == {workers}) assert(n == {workers});"
        )));
        (bodies, last)
    }

    /// A thread that holds a lock is cancelled; what it pushed gives the lock back.
    pub(super) fn cancelled_holder(&mut self, workers: usize) -> Parts {
        let lock = self.lock_name();
        self.add_global("int n, cleaned; pthread_t id0;");
        self.function(
            "static void leave(void *lock)",
            vec![line("cleaned++;"), line("pthread_mutex_unlock(lock);")],
        );
        self.joins = false;
        self.between = vec![line("id0 = id[0];")];
        let push = if self.random.chance(75) {
            format!("pthread_cleanup_push(leave, {lock});")
        } else {
            "pthread_cleanup_push(free, 0);".to_string()
        };
        let deferred = if self.random.chance(25) {
            "pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);"
        } else {
            ""
        };
        let first = vec![
            line(format!("{deferred} pthread_mutex_lock({lock});")),
            line(format!(
                "{push} n++; pthread_testcancel(); n++; pthread_cleanup_pop(0);"
            )),
            line(format!("pthread_mutex_unlock({lock});")),
        ];
        let mut bodies: Vec<_> = (0..workers)
            .map(|_| {
                let work = vec![line("t = n;"), line("n = t + 2;")];
                vec![self.protect(super::Protection::Lock, work)]
            })
            .collect();
        bodies[0] = first;
        if workers > 1 && self.random.chance(50) {
            bodies[1] = vec![line("pthread_cancel(id0);")]
        } else {
            self.early = vec![line("pthread_cancel(id0);")]
        }
        let claim = match self.random.below(4) {
            0 => "n % 2 == 0".to_string(),
            1 => "cleaned == 0".to_string(),
            _ => "cleaned == (r == PTHREAD_CANCELED)".to_string(),
        };
        let last = vec![
            line("void *r = 0; pthread_join(id[0], &r);"),
            line(format!(
                "if (pthread_mutex_trylock({lock}) == 0) assert({claim});"
            )),
        ];
        (bodies, last)
    }
}
