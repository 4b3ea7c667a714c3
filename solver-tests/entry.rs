//! Beginnings other than `main`: threads that the command line gives, functions with free arguments, bodies in other files.

#[cfg(test)]
mod tests {
    use crate::command::{Answer, Folder, Found, Run};

    const STACK: &str = r#"
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4], count;
static void push(int item) {
  pthread_mutex_lock(&lock);
  items[count++] = item;
  pthread_mutex_unlock(&lock);
}
static int pop(void) {
  int item = 0;
  if (count) {
    pthread_mutex_lock(&lock);
    item = items[--count];
    pthread_mutex_unlock(&lock);
  }
  return item;
}
"#;

    fn verify(text: &str, options: &[&str]) -> Found {
        let folder = Folder::new(&[("a.c", text)]);
        folder.verify(&[options, &["--timeout", "60", "a.c"]].concat())
    }

    fn run(text: &str, options: &[&str]) -> Run {
        let folder = Folder::new(&[("a.c", text)]);
        folder.run(&[options, &["--check", "assert", "a.c"]].concat())
    }

    #[test]
    fn statements_run_as_threads() {
        let asked = ["--check", "assert", "--threads-run"];
        let found = verify(
            STACK,
            &[
                &asked[..],
                &[
                    "push(1); push(2) | push(3)",
                    "--final",
                    "assert(count == 3)",
                ],
            ]
            .concat(),
        );
        found.is(Answer::Complete);
        let covered = "threads run `push(1); push(2)` beside `push(3)`";
        assert!(found.run.out.contains(covered), "{}", found.run.out);
        // The second looks at the count before it has the lock.
        let popped = [
            "--check",
            "memory",
            "--init",
            "push(7)",
            "--threads-run",
            "pop() | pop()",
        ];
        let found = verify(STACK, &popped);
        found.is(Answer::Violated);
        for part in ["--threads-run:1", "--threads-run:2", "in pop, thread"] {
            assert!(found.run.out.contains(part), "{part}: {}", found.run.out);
        }
    }

    #[test]
    fn a_main_does_not_run_beside_threads_that_are_given() {
        let text = format!("{STACK}int main(void) {{ assert(0); }}\n");
        let threads = ["--check", "assert", "--threads-run", "push(1) | pop()"];
        verify(&text, &threads).is(Answer::Complete);
        verify(&text, &["--check", "assert"]).is(Answer::Violated);
    }

    #[test]
    fn what_is_wrong_with_statements_is_told_where_they_stand() {
        let found = run(STACK, &["--threads-run", "push(1) | pup()"]);
        found.refused(2, "--threads-run:2");
        let found = run(STACK, &["--threads-run", "push(1"]);
        found.refused(1, "`)` is missing in `push(1`");
        run(STACK, &["--init", "push(1)"]).refused(1, "--init and --final go with --threads-run");
        let both = ["--threads-run", "push(1)", "--entry", "pop"];
        run(STACK, &both).refused(1, "--entry and --threads-run are two beginnings");
        run(STACK, &["--entry", "pup"]).refused(2, "no function `pup`");
    }

    const LIST: &str = r#"
#include <assert.h>
struct node { int value; struct node *next; unsigned small : 3; _Bool flag; };
static int length(struct node *list) {
  int count = 0;
  for (; list; list = list->next) count++;
  assert(count < MOST);
  return count;
}
static void swap(int *a, int *b) {
  int was = *a;
  *a = *b;
  *b = was;
  assert(SAME || *b == was);
}
static int text(const char *letters, double factor, struct node by_value) {
  int at = 0;
  while (letters[at]) at++;
  assert(at < 16 && by_value.small < 8 && by_value.flag < 2);
  assert(factor < 1e300);
  return at;
}
static void first(int *array) { array[4] = 1; }
static void take(void *any) { (void)any; }
static int apart(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); return 0; }
"#;

    #[test]
    fn functions_begin_with_free_arguments() {
        let list = |most: &str, same: &str| LIST.replace("MOST", most).replace("SAME", same);
        let asked = |text: &str, options: &[&str]| {
            verify(text, &[&["--check", "assert,memory"], options].concat()).answer
        };
        // At most three nodes are made.
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "length"]),
            Answer::Complete
        );
        assert_eq!(
            asked(&list("3", "0"), &["--entry", "length"]),
            Answer::Violated
        );
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "swap"]),
            Answer::Complete
        );
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "swap", "--entry-null"]),
            Answer::Violated
        );
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "text"]),
            Answer::Violated
        );
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "first"]),
            Answer::Violated
        );
        let five = ["--entry", "first", "--entry-elements", "5"];
        assert_eq!(asked(&list("4", "0"), &five), Answer::Complete);
        assert_eq!(
            asked(&list("4", "0"), &["--entry", "apart"]),
            Answer::Complete
        );
        let alias = ["--entry", "apart", "--entry-alias"];
        assert_eq!(asked(&list("4", "0"), &alias), Answer::Violated);
        let refused = run(&list("4", "0"), &["--entry", "take"]);
        refused.refused(2, "argument 1 of `take` has type `void *`");
    }

    #[test]
    fn main_may_be_named() {
        let text = "#include <assert.h>\nint main(int count, char **texts) { assert(count < 9 || !texts[8][0]); }\n";
        let found = verify(text, &["--check", "assert", "--entry", "main"]);
        assert_eq!(found.answer, verify(text, &["--check", "assert"]).answer);
        found.is(Answer::Violated);
    }

    #[test]
    fn bodies_come_from_other_files() {
        let main =
            "int next(void);\n#include <assert.h>\nint main(void) { assert(next() == 1); }\n";
        let body = "static int last;\nint next(void) { return ++last; }\n";
        let folder = Folder::new(&[("a.c", main), ("stub.c", body)]);
        folder
            .verify(&["--check", "assert", "a.c"])
            .is(Answer::Violated);
        let stubbed = ["--check", "assert", "--stub", "stub.c", "a.c"];
        folder.verify(&stubbed).is(Answer::Complete);
    }
}
