//! Formulas as files: what `show --stage cnf` and `--dimacs` write.

use super::command::Folder;
use selvedge::base::Budget;
use selvedge::sat::{self, SolverKind};

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
        "--scheme step --steps 9",
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

/// Programs, and whether their assertions can be violated within the bounds that are asked about.
const PROGRAMS: [(&str, &str); 11] = [
    ("violated.c", PUSH),
    ("counted.c", super::command::LOST),
    ("endless.c", super::command::ENDLESS),
    (
        "searched.c",
        "#include <assert.h>\n#include <pthread.h>\nint x, y, turn;\n\
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         void *t(void *p) { pthread_mutex_lock(&m); x++; y += x; pthread_mutex_unlock(&m); return 0; }\n\
         int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); assert(x * y == 6); }\n",
    ),
    (
        "folded.c",
        "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *t(void *p) { x = 3; return 0; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); assert(x < 4); }\n",
    ),
    (
        "folded-and-cut.c",
        "#include <assert.h>\n#include <pthread.h>\nint x, y;\n\
         void *t(void *p) { x = 3; y = 1 / (3 - x); return 0; }\nvoid *u(void *p) { x = 2; return 0; }\n\
         int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, u, 0);\n\
         assert(x < 4); }\n",
    ),
    (
        "silent.c",
        "#include <pthread.h>\nint x;\nvoid *t(void *p) { x++; return 0; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x++; return x; }\n",
    ),
    ("empty.c", "int main(void) { return 0; }\n"),
    (
        "alone.c",
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); assert(x * x != 49); }\n",
    ),
    (
        "alone-and-safe.c",
        "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\n\
         int main(void) { unsigned x = __VERIFIER_nondet_uint(); assert((x & 7) + (x | 7) == x + 7); }\n",
    ),
    (
        "always.c",
        "#include <assert.h>\nint main(void) { assert(0); }\n",
    ),
];

/// Satisfiability of a file, as two solvers that read it by themselves say, once its lines are what its header says.
fn satisfiable(text: &str) -> bool {
    let formula = formula(text);
    let mut lines = formula.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let ["p", "cnf", variables, clauses] = header[..] else {
        panic!("no header: {header:?}");
    };
    let number = |word: &str| word.parse::<i64>().unwrap();
    let mut most = 0;
    let mut found = 0;
    let mut all: Vec<Vec<i32>> = Vec::new();
    for line in lines {
        let mut words: Vec<i64> = line.split(' ').map(number).collect();
        assert_eq!(words.pop(), Some(0), "{line}");
        assert!(!words.contains(&0), "{line}");
        most = words.iter().map(|word| word.abs()).fold(most, i64::max);
        found += 1;
        all.push(words.iter().map(|&word| word as i32).collect());
    }
    assert_eq!(found, number(clauses), "clauses");
    assert!(most <= number(variables), "{most} of {variables} variables");
    let mut varisat = varisat::Solver::new();
    varisat.add_dimacs_cnf(text.as_bytes()).unwrap();
    let answer = varisat.solve().unwrap();
    if let Some(mut cadical) = sat::open(SolverKind::Cadical, 0) {
        for _ in 0..number(variables) {
            cadical.new_var();
        }
        all.iter().for_each(|clause| cadical.add_clause(clause));
        let other = cadical.solve(&[], &Budget::unlimited());
        assert_eq!(other == sat::Answer::Sat, answer, "two solvers");
    }
    answer
}

/// Verifies, and compares the verdict with the file. Returns the verdict, `None` if it is unknown.
fn agrees(folder: &Folder, options: &[&str], file: &str) -> Option<bool> {
    let path = folder.path("o.cnf");
    let _ = std::fs::remove_file(&path);
    let run = folder.run(&[&["--dimacs", "o.cnf", "-q"], options, &[file]].concat());
    let violated = match run.code {
        Some(10) => true,
        Some(0) => false,
        Some(2 | 5) => return None,
        _ => panic!("{file} {options:?}: {} {}", run.out, run.err),
    };
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        satisfiable(&text) == violated,
        "{file} {options:?}: {}\n{}",
        run.verdict(),
        text.lines().take(4).collect::<Vec<_>>().join("\n")
    );
    Some(violated)
}

/// The file is satisfiable exactly if the verdict is a violation, however the answer was found.
#[test]
fn the_file_is_the_verdict() {
    let folder = Folder::new(&PROGRAMS);
    let mut violated = 0;
    for options in [
        "",
        "--scheme order",
        "--mm tso",
        "--mm pso",
        "--scheme timestamp",
        "--scheme step",
        "--steps 3",
        "--scheme lazy",
        "--rounds 1",
        "--rounds 1..3",
        "--scheme lazy --mm tso",
        "--rounds 2 --mm pso --sma buffers",
        "--scheme mu",
        "--writes 1",
        "--mu inter",
        "--mu fine-explicit",
    ] {
        for (file, _) in PROGRAMS {
            let unwind: &[&str] = if file == "endless.c" {
                &["--unwind", "2"]
            } else {
                &[]
            };
            let options: Vec<&str> = options
                .split_whitespace()
                .chain(unwind.iter().copied())
                .collect();
            let verdict = agrees(&folder, &options, file);
            assert!(verdict.is_some(), "{file} {options:?}");
            violated += u32::from(verdict == Some(true));
        }
    }
    assert!(violated > 50, "{violated}");
}

/// The same of verification tasks that are small: a minute or two.
#[test]
#[ignore = "takes minutes, and a corpus"]
fn files_of_tasks_are_verdicts() {
    let Some(corpus) = super::tier::corpus("files of tasks are verdicts") else {
        return;
    };
    let mut programs = Vec::new();
    super::reading::files(&corpus, &["c", "i"], &mut programs);
    programs.retain(|path| std::fs::metadata(path).is_ok_and(|data| data.len() < 60_000));
    let folder = Folder::new(&[]);
    let mut answers = [0; 2];
    let schemes = ["order", "auto", "lazy", "mu", "step", "timestamp"];
    for (i, path) in programs.iter().step_by(programs.len() / 60).enumerate() {
        let scheme = schemes[i % schemes.len()];
        let options = ["--32", "--timeout", "2", "--scheme", scheme];
        if let Some(violated) = agrees(&folder, &options, path.to_str().unwrap()) {
            answers[usize::from(violated)] += 1;
        }
    }
    println!("{} safe, {} violated", answers[0], answers[1]);
    assert!(answers.iter().all(|&count| count >= 10), "{answers:?}");
}
