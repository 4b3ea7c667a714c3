//! Formulas as files: what `show --stage cnf` and `--dimacs` write.

use super::command::Folder;

/// Two threads push into a short array; each can miss what the other has pushed, and what waits in its buffer.
const PUSH: &str = "#include <assert.h>
#include <pthread.h>
int array[4], top, seen;
void *push(void *arg) {
    int own = top;
    array[own & 3] = 20;
    top = own + 1;
    seen = array[(own + 1) & 3];
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, push, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top == 2 || seen);
}
";

/// Lines of a DIMACS file that are no comments.
fn formula(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('c'));
    lines.map(|line| format!("{line}\n")).collect()
}

/// `show` gives the formula that a run with the same options solves, and each option of a scheme changes it.
#[test]
fn what_is_shown_is_what_is_solved() {
    let folder = Folder::new(&[("push.c", PUSH)]);
    let mut shown: Vec<String> = Vec::new();
    for options in [
        "--scheme order",
        "--scheme order --mm tso",
        "--scheme order --mm pso",
        "--scheme timestamp",
        "--scheme step",
        "--scheme lazy --rounds 1",
        "--scheme lazy --rounds 2",
        "--rounds 2 --switch-points all",
        "--rounds 2 --prune none",
        "--rounds 2 --prune merge",
        "--rounds 2 --bitwidth 4",
        "--rounds 2 --mm tso",
        "--rounds 2 --mm tso --queue 2",
        "--rounds 2 --mm tso --max-clock 2",
        "--rounds 2 --mm tso --addresses 1",
        "--rounds 2 --mm tso --sma buffers",
        "--rounds 2 --mm pso",
        "--mu fine-explicit --writes 5",
        "--mu fine-explicit --writes 9",
        "--mu fine-implicit --writes 9",
        "--mu fine-mixed --writes 9",
        "--mu intra --writes 9",
        "--mu inter --writes 9",
    ] {
        let options: Vec<&str> = options.split(' ').chain(["--unwind", "2"]).collect();
        let show = folder.run(&[&["show", "--stage", "cnf"], &options[..], &["push.c"]].concat());
        assert_eq!(show.code, Some(0), "{options:?}: {}", show.err);
        let run = folder.run(&[&["--dimacs", "o.cnf", "-q"], &options[..], &["push.c"]].concat());
        assert!(matches!(run.code, Some(0 | 10)), "{options:?}: {}", run.err);
        let solved = std::fs::read_to_string(folder.path("o.cnf")).unwrap();
        assert!(show.out == formula(&solved), "{options:?}");
        shown.push(show.out);
    }
    for (i, one) in shown.iter().enumerate() {
        let again = shown[..i].iter().position(|other| other == one);
        assert_eq!(again, None, "options number {i} change nothing");
    }
    folder
        .run(&["show", "--stage", "cnf", "--scheme", "modular", "push.c"])
        .refused(1, "unrolls nothing");
}
