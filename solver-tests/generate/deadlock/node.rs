//! Programs whose threads wait for each other at nodes of a heap: flags and mutexes in objects that a thread prepares for itself, shows to
//! others, once or again and again, and waits at; and what main does with them when it has joined everybody.

use super::{Parts, Writer};
use crate::program::{Statement, block, guard, line, lines};

const GLOBALS: &str =
    "int x; struct node { unsigned char k; pthread_mutex_t m; struct node *next; } *shown, *also;";

/// Statements that hold the mutex of the node `n`.
fn locked(body: Vec<Statement>) -> Statement {
    guard(
        "pthread_mutex_lock(&n->m);",
        body,
        "pthread_mutex_unlock(&n->m);",
    )
}

impl Writer {
    /// Threads that show nodes, and others that find them.
    pub(super) fn nodes(&mut self) -> Parts {
        let count = 1 + usize::from(self.random.chance(75));
        let mut threads = vec![self.maker()];
        if count == 2 {
            let other = match self.random.below(4) {
                0 => self.maker(),
                _ => self.taker(),
            };
            threads.push(other);
        }
        let early = match self.random.below(8) {
            0 => lines(&["if (shown) shown->k = 1;"]),
            1 => lines(&["shown = also;"]),
            _ => vec![],
        };
        let last = if self.random.chance(50) {
            self.last_at_nodes()
        } else {
            vec![]
        };
        Parts {
            globals: GLOBALS.into(),
            threads,
            early,
            last,
            ..Parts::default()
        }
    }

    /// A thread that prepares a node, shows it, and waits at it, in this order or mixed.
    fn maker(&mut self) -> Vec<Statement> {
        let mut body = lines(match self.random.below(3) {
            0 => &["struct node *n = calloc(1, sizeof *n);"],
            _ => &[
                "struct node *n = malloc(sizeof *n);",
                "n->k = 0; n->next = 0;",
            ],
        });
        body.push(line("pthread_mutex_init(&n->m, 0);"));
        match self.random.below(6) {
            0 => body.push(line("n->k = 1;")),
            1 => body.push(line("n->next = shown;")),
            2 => body.push(line("if (choice) n->k = 1;")),
            _ => {}
        }
        let show = self.show();
        // The second iteration does as the first one.
        let again = *self.random.pick(&["shown = n;", "if (choice) shown = n;"]);
        let wait = self.wait();
        let held = self.random.chance(20);
        let mut rest = match self.random.below(8) {
            // Until somebody has found it, the node is shown by each iteration.
            0 => {
                let k = *self.random.pick(&["!n->k", "n->k != 1", "n->next != n"]);
                vec![block(format!("while ({k})"), lines(&[again]))]
            }
            1 => vec![block("for (;;)", lines(&["if (n->k) break;", again]))],
            2 => vec![block(
                "while (!__sync_bool_compare_and_swap(&shown, 0, n))",
                lines(&["n->next = shown;"]),
            )],
            3 => [wait, show].concat(),
            4 => show,
            _ => [show, wait].concat(),
        };
        if held {
            rest = vec![locked(rest)];
        }
        body.extend(rest);
        if self.random.chance(15) {
            body.push(line("pthread_mutex_lock(&n->m);"));
        }
        body
    }

    fn show(&mut self) -> Vec<Statement> {
        lines(match self.random.below(7) {
            0 => &["if (choice) shown = n;"],
            1 => &["__sync_bool_compare_and_swap(&shown, 0, n);"],
            2 => &["if (!__sync_bool_compare_and_swap(&shown, 0, n)) also = n;"],
            3 => &["if (x) shown = n; else also = n;"],
            _ => &["shown = n;"],
        })
    }

    /// Waits at the node `n`.
    fn wait(&mut self) -> Vec<Statement> {
        match self.random.below(6) {
            0 => lines(&["while (n->k == 1) ;"]),
            1 => lines(&["while (n->next) ;"]),
            2 => vec![locked(lines(&["x++;"]))],
            3 => {
                let inside = self.meanwhile();
                vec![block("while (!n->k)", inside)]
            }
            _ => lines(&["while (!n->k) ;"]),
        }
    }

    /// A thread that looks for a node, and changes it, waits at it, or takes it away.
    fn taker(&mut self) -> Vec<Statement> {
        let mut body = lines(&["struct node *n = 0;"]);
        body.push(line(*self.random.pick(&[
            "n = shown;",
            "n = shown;",
            "while (!(n = shown)) ;",
            "while (!(n = shown)) { n = also; if (n) break; }",
            "n = __sync_lock_test_and_set(&shown, 0);",
        ])));
        let uses = match self.random.below(8) {
            0 => lines(&["n->k++;"]),
            1 => lines(&["n->next = n;"]),
            2 => lines(&["pthread_mutex_lock(&n->m);"]),
            3 => vec![locked(lines(&["n->k = 1;"]))],
            4 => self.wait(),
            _ => lines(&["n->k = 1;"]),
        };
        body.push(block("if (n)", uses));
        if self.random.chance(25) {
            body.push(line("x = 1;"));
        }
        body
    }

    /// What main does with nodes behind its joins.
    pub(super) fn last_at_nodes(&mut self) -> Vec<Statement> {
        let steps = [
            "while (shown && !shown->k) ;",
            "while (shown) shown = shown->next;",
            "for (struct node *n = shown; n; n = n->next) { if (!n->k) n->k = 1; }",
            "if (shown) pthread_mutex_lock(&shown->m);",
            "if (shown) { pthread_mutex_lock(&shown->m); shown->k = 1; pthread_mutex_unlock(&shown->m); }",
            "while (shown && shown->next == shown) ;",
            "if (shown) free(shown);",
            "while (also) ;",
        ];
        let mut last = lines(&[*self.random.pick(&steps)]);
        if self.random.chance(25) {
            last.extend(self.last());
        }
        last
    }
}
