//! What does one more access cost? Programs that grow in objects, in threads and in accesses, one at a time.
//!
//! `cargo bench --bench growth` measures this build; options: `--binary PATH` (another one), `--only TEXT` (families whose
//! name contains it), `--limit S` (seconds for a program, 60). A row has the accesses of shared memory that the program's
//! threads execute, the terms, the times of all stages up to the formula, and unrolling by access, which is what should
//! stay as it is down a column.
//!
//! | family | grows | what its two threads do |
//! |---|---|---|
//! | `objects` | nodes of the heap | each adds to every node, by an array of pointers |
//! | `list` | nodes of a list | each walks it from its head and adds to every node |
//! | `targets` | nodes that a pointer may lead to | each adds 20 times to a node that is chosen anew |
//! | `threads` | threads | each adds to 20 nodes, by an array of pointers |
//! | `line` | accesses one after the other | each adds to a cell, a new one every twenty |
//! | `branches` | accesses | the same, each under a condition of its own |
//! | `exits` | accesses | the same, in a loop that each iteration may leave |
//! | `decisions` | accesses | each reads a pointer, ends if it is null, and adds to what it points to |
//! | `stored` | cells with pointers | each copies every pointer to the cell behind, and adds to what it points to |

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A family: its name, what it is given in turn, and the program, with its accesses and its unwinding.
type Family = (&'static str, &'static [usize], fn(usize) -> Program);

struct Program {
    text: String,
    accesses: usize,
    unwind: usize,
}

const FAMILIES: [Family; 9] = [
    ("objects", &[25, 50, 100, 200], objects),
    ("list", &[25, 50, 100, 200], list),
    ("targets", &[25, 50, 100, 200], targets),
    ("threads", &[2, 4, 8, 16], threads),
    ("line", &[500, 1_000, 2_000, 5_000, 20_000], line),
    ("branches", &[500, 1_000, 2_000, 5_000, 20_000], branches),
    ("exits", &[250, 500, 1_000, 2_000], exits),
    ("decisions", &[200, 400, 800, 1_600], decisions),
    ("stored", &[25, 50, 100, 200], stored),
];

/// Accesses of a cell by one thread, where they grow.
const SHARE: usize = 20;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("growth: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut binary = PathBuf::from(env!("CARGO_BIN_EXE_selvedge"));
    let (mut only, mut limit) = (String::new(), "60".to_string());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            // Cargo says what it runs.
            "--bench" | "--test" => {}
            "--binary" => binary = PathBuf::from(value()?),
            "--only" => only = value()?,
            "--limit" => limit = value()?,
            _ => return Err(format!("unknown option {word}")),
        }
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    println!(
        "| program | accesses | terms | read s | unroll s | encode s | unroll, µs an access |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (family, sizes, program) in FAMILIES {
        if !family.contains(&only) {
            continue;
        }
        for &size in sizes {
            let program = program(size);
            let file = folder.path().join(format!("{family}-{size}.c"));
            std::fs::write(&file, &program.text).map_err(|error| error.to_string())?;
            let row = measured(&binary, &file, &program, &limit)?;
            println!("| `{family}-{size}` | {} | {row} |", program.accesses);
        }
    }
    Ok(())
}

/// The figures of a program.
fn measured(binary: &Path, file: &Path, program: &Program, limit: &str) -> Result<String, String> {
    let output = Command::new(binary)
        .args(["show", "--stage", "stats", "--check", "assert"])
        .args(["--timeout", limit])
        .args(["--unwind", &program.unwind.to_string()])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Ok(format!("not within {limit} s | | | | "));
    }
    let figure = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.split_whitespace().next() == Some(name));
        let figure = line.and_then(|line| line.split_whitespace().nth(1));
        figure.ok_or(format!("{}: no `{name}`", file.display()))
    };
    let unroll = figure("unroll")?;
    let seconds: f64 = unroll
        .parse()
        .map_err(|_| format!("`{unroll}` is no time"))?;
    Ok(format!(
        "{} | {} | {unroll} | {} | {:.0}",
        figure("terms")?,
        figure("read")?,
        figure("encode")?,
        seconds * 1e6 / program.accesses as f64
    ))
}

/// A program whose threads all run `body`; `before` is declared before them, `setup` done before they start.
fn threaded(before: &str, setup: &str, body: &str, count: usize) -> String {
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n",
    );
    let _ = write!(
        text,
        "{before}\nvoid *work(void *arg) {{\n  int sum = 0;\n{body}  total = sum;\n  return 0;\n}}\nint main(void) {{\n{setup}  pthread_t threads[{count}];\n"
    );
    let _ = write!(
        text,
        "  for (int i = 0; i < {count}; i++) pthread_create(&threads[i], 0, work, 0);\n  \
         for (int i = 0; i < {count}; i++) pthread_join(threads[i], 0);\n  assert(total != 77);\n}}\n"
    );
    text
}

/// Nodes and an array of pointers to them.
fn nodes(count: usize) -> (String, String) {
    let before = format!(
        "struct node {{ struct node *next; int value; }};\nstruct node *nodes[{count}];\nint total;"
    );
    let setup = format!(
        "  for (int i = 0; i < {count}; i++) {{\n    nodes[i] = malloc(sizeof(struct node));\n    \
         nodes[i]->next = i ? nodes[i - 1] : 0;\n    nodes[i]->value = 0;\n  }}\n"
    );
    (before, setup)
}

fn objects(count: usize) -> Program {
    let (before, setup) = nodes(count);
    let body = format!("  for (int i = 0; i < {count}; i++) sum ^= nodes[i]->value++;\n");
    Program {
        text: threaded(&before, &setup, &body, 2),
        accesses: 2 * 2 * count,
        unwind: count + 1,
    }
}

fn list(count: usize) -> Program {
    let (before, setup) = nodes(count);
    let body = format!(
        "  for (struct node *n = nodes[{}]; n; n = n->next) sum ^= n->value++;\n",
        count - 1
    );
    Program {
        text: threaded(&before, &setup, &body, 2),
        accesses: 2 * 2 * count,
        unwind: count + 1,
    }
}

fn targets(count: usize) -> Program {
    let (before, setup) = nodes(count);
    let body = format!(
        "  for (int i = 0; i < 20; i++) {{\n    unsigned at = __VERIFIER_nondet_int();\n    \
         if (at < {count}) sum ^= nodes[at]->value++;\n  }}\n"
    );
    Program {
        text: threaded(&before, &setup, &body, 2),
        accesses: 2 * 2 * 20,
        unwind: count.max(20) + 1,
    }
}

fn threads(count: usize) -> Program {
    let (before, setup) = nodes(20);
    let body = "  for (int i = 0; i < 20; i++) sum ^= nodes[i]->value++;\n";
    Program {
        text: threaded(&before, &setup, body, count),
        accesses: count * 2 * 20,
        unwind: 21,
    }
}

/// Cells for accesses that grow, and the cell of one of them.
fn cells(accesses: usize) -> (String, impl Fn(usize) -> usize) {
    let before = format!("int cells[{}], total;", accesses / SHARE + 1);
    (before, |access| access / SHARE)
}

fn line(accesses: usize) -> Program {
    let (before, cell) = cells(accesses / 2);
    let mut body = String::new();
    for access in 0..accesses / 4 {
        let _ = writeln!(body, "  sum ^= cells[{}]++;", cell(2 * access));
    }
    Program {
        text: threaded(&before, "", &body, 2),
        accesses,
        unwind: 2,
    }
}

fn branches(accesses: usize) -> Program {
    let (before, cell) = cells(accesses / 2);
    let mut body = String::new();
    for access in 0..accesses / 4 {
        let at = cell(2 * access);
        let _ = writeln!(
            body,
            "  if (cells[{at}] < {}) cells[{at}] = sum ^= {access};",
            access + 1
        );
    }
    Program {
        text: threaded(&before, "", &body, 2),
        accesses,
        unwind: 2,
    }
}

fn exits(accesses: usize) -> Program {
    let (before, _) = cells(accesses / 2);
    let body = format!(
        "  for (int i = 0; i < {}; i++) {{\n    if (cells[i / {SHARE}] == i + 1) break;\n    cells[i / {SHARE}] = sum ^= i;\n  }}\n",
        accesses / 4
    );
    Program {
        text: threaded(&before, "", &body, 2),
        accesses,
        unwind: accesses / 4 + 1,
    }
}

/// Every decision about a pointer stays on the path of all accesses behind it.
fn decisions(accesses: usize) -> Program {
    let before = "struct node { int value; } nodes[4], *shown[4];\nint total;";
    let setup = "  for (int i = 0; i < 4; i++) shown[i] = &nodes[i];\n";
    let mut body = String::from("  shown[0] = arg ? 0 : &nodes[1];\n");
    for access in 0..accesses / 6 {
        let _ = writeln!(
            body,
            "  {{\n    struct node *n = shown[{}];\n    if (!n) return 0;\n    sum ^= n->value++;\n  }}",
            access % 4
        );
    }
    Program {
        text: threaded(before, setup, &body, 2),
        accesses,
        unwind: 5,
    }
}

/// What a cell may hold depends on what the one before it may hold.
fn stored(count: usize) -> Program {
    let before = format!("struct node {{ int value; }} nodes[2], *shown[{count}];\nint total;");
    let setup = format!(
        "  for (int i = 0; i < {count}; i++) shown[i] = i ? 0 : &nodes[__VERIFIER_nondet_int() & 1];\n"
    );
    let mut body = String::new();
    for at in 1..count {
        let _ = writeln!(
            body,
            "  shown[{at}] = shown[{}];\n  if (shown[{at}]) sum ^= shown[{at}]->value++;",
            at - 1
        );
    }
    Program {
        text: threaded(&before, &setup, &body, 2),
        accesses: 2 * 6 * (count - 1),
        unwind: count + 1,
    }
}
