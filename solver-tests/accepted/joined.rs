//! The end of main that is about joins: main creates threads, joins some of them one by one, maybe creates another one after
//! that, and accesses what they have written before, between and after its joins. Of some joins it is not certain whom
//! they wait for.

use super::Writer;

/// A thread, as main sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Unborn,
    Runs,
    /// Joined, or perhaps so: it is joined no more.
    Joined,
}

impl Writer {
    /// Statements of main from the first creation on.
    pub(super) fn create_and_join(&mut self, threads: usize) {
        let mut lives = vec![Life::Unborn; threads];
        let mut joins = 0;
        while joins < 2 || lives.contains(&Life::Unborn) {
            let of = |life: Life| -> Vec<usize> {
                (0..threads)
                    .filter(|thread| lives[*thread] == life)
                    .collect()
            };
            let (unborn, running) = (of(Life::Unborn), of(Life::Runs));
            match self.random.below(8) {
                0..2 => self.statement(1, false),
                2 => self.assertion(1),
                3..6 if !running.is_empty() => {
                    joins += 1;
                    for thread in self.join(&running) {
                        lives[thread] = Life::Joined;
                    }
                    self.afterwards();
                }
                _ if !unborn.is_empty() => {
                    let thread = unborn[0];
                    let arg = self.random.below(3);
                    self.text.line(
                        1,
                        &format!("pthread_create(&t[{thread}], 0, t{thread}, (void *){arg});"),
                    );
                    lives[thread] = Life::Runs;
                }
                _ if running.is_empty() => break,
                _ => {}
            }
        }
        self.assertion(1);
    }

    /// A join of one of several threads; those that it may have been.
    fn join(&mut self, running: &[usize]) -> Vec<usize> {
        let first = running[self.random.below(running.len())];
        let condition = self.condition();
        match (self.random.below(6), running) {
            (0, _) => {
                self.text
                    .line(1, &format!("if ({condition}) pthread_join(t[{first}], 0);"));
                vec![first]
            }
            (1, &[one, two, ..]) => {
                let handle = format!("{condition} ? t[{one}] : t[{two}]");
                self.text.line(1, &format!("pthread_join({handle}, 0);"));
                vec![one, two]
            }
            (2, &[one, two]) => {
                self.text.line(
                    1,
                    &format!("for (int i = {one}; i <= {two}; i += {two} - {one}) {{"),
                );
                self.text.line(2, "pthread_join(t[i], 0);");
                self.statement(2, true);
                self.text.line(1, "}");
                vec![one, two]
            }
            (3, _) => {
                self.text.line(1, &format!("pthread_join(t[{first}], &r);"));
                self.text.line(1, "l = (int)(long)r;");
                vec![first]
            }
            _ => {
                self.text.line(1, &format!("pthread_join(t[{first}], 0);"));
                vec![first]
            }
        }
    }

    /// Accesses that a thread that runs would be seen by: the same variable twice.
    fn afterwards(&mut self) {
        let place = self.random.pick(&["x", "y", "z", "b"]);
        let lines = match self.random.below(5) {
            0 => vec![format!("k = {place};"), format!("assert(k == {place});")],
            1 => vec![format!("{place} = 1;"), format!("assert({place} == 1);")],
            2 => vec![format!("{place} = 0;"), format!("{place} = 1;")],
            3 => vec![format!("{place} = {place} + 1;")],
            _ => Vec::new(),
        };
        for line in lines {
            self.text.line(1, &line);
        }
    }
}
