//! How fast is it? Growing programs and those of this folder, from C text to formula and to the verdict.
//!
//! `cargo bench --bench speed` measures this build; with `-- --against PATH` it measures another binary as well, both in
//! turns, so that whatever else the machine does meets both alike, and prints the ratios of the medians. Times are
//! processor time of the process, read from the system. Options: `--runs N` (5), `--only TEXT` (programs whose name
//! contains it), `--solver S`, `--scheme S`.
//!
//! Families: `fib-N` is two threads, `x0 += x1` and `x1 += x0`, N times each; `ring-N` is three threads around a ring.
//! In `-atomic` a statement is one step, in `-plain` three. `-bug` asks whether the largest reachable value can be
//! reached (it can), `-safe` for one more. `project-20000-lines` is eleven files, of whose functions few are called.

use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Duration;

/// C files with the unwinding that covers them.
struct Program {
    name: String,
    files: Vec<PathBuf>,
    unwind: usize,
    /// The exit code that is right.
    code: i32,
}

/// What is measured of a program.
#[derive(Clone, Copy)]
enum Part {
    /// From C text to the formula.
    Formula,
    /// From C text to the verdict.
    Verdict,
}

struct Options {
    against: Option<PathBuf>,
    runs: usize,
    only: String,
    /// Handed on to the binaries.
    words: Vec<String>,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!(
                "speed: {message}; options: --against PATH, --runs N, --only TEXT, --solver S, --scheme S"
            );
            return ExitCode::from(1);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("speed: {message}");
            ExitCode::from(2)
        }
    }
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        against: None,
        runs: 5,
        only: String::new(),
        words: Vec::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            // Cargo says what it runs.
            "--bench" | "--test" => {}
            "--against" => options.against = Some(PathBuf::from(value()?)),
            "--runs" => {
                let runs = value()?.parse().map_err(|_| "--runs needs a number")?;
                options.runs = std::cmp::max(runs, 1);
            }
            "--only" => options.only = value()?,
            "--solver" | "--scheme" => options.words.extend([word.clone(), value()?]),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(told)?;
    let mut programs = families(folder.path()).map_err(told)?;
    programs.push(project(folder.path()).map_err(told)?);
    programs.extend(files());
    programs.retain(|program| program.name.contains(&options.only));
    // As copies, which the system has in memory alike: a file that a linker has written needs a millisecond more to start.
    let this = PathBuf::from(env!("CARGO_BIN_EXE_selvedge"));
    let binaries = [Some(this), options.against.clone()].into_iter().flatten();
    let copy = |(number, binary): (usize, PathBuf)| {
        let copy = folder.path().join(format!("selvedge-{number}"));
        let failed = |error| format!("{}: {error}", binary.display());
        std::fs::copy(&binary, &copy).map_err(failed)?;
        Ok::<PathBuf, String>(copy)
    };
    let binaries: Vec<PathBuf> = binaries.enumerate().map(copy).collect::<Result<_, _>>()?;
    let heading = if binaries.len() > 1 {
        "     this    other  ratio"
    } else {
        "     this"
    };
    println!("{:<20} {heading:<26} {heading}", "");
    println!(
        "{:<20} {:<26}   to verdict, s",
        "program", "  to formula, s"
    );
    let mut ratios: [Vec<f64>; 2] = Default::default();
    for program in &programs {
        print!("{:<20} ", program.name);
        for (part, ratios) in [Part::Formula, Part::Verdict].into_iter().zip(&mut ratios) {
            let medians = medians(&binaries, program, part, options)?;
            let mut text = String::new();
            for median in &medians {
                let _ = write!(text, "{median:>9.3}");
            }
            if let [this, other] = medians[..] {
                let _ = write!(text, "{:>7.2}", this / other);
                ratios.push(this / other);
            }
            print!("{text:<26} ");
        }
        println!();
    }
    for (name, ratios) in ["formula", "verdict"].iter().zip(&ratios) {
        if !ratios.is_empty() {
            let mean =
                (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
            println!(
                "to {name}: this / other, geometric mean of {} ratios: {mean:.3}",
                ratios.len()
            );
        }
    }
    Ok(())
}

/// Median processor time of each binary in seconds, measured in turns.
fn medians(
    binaries: &[PathBuf],
    program: &Program,
    part: Part,
    options: &Options,
) -> Result<Vec<f64>, String> {
    let mut times = vec![Vec::new(); binaries.len()];
    for _ in 0..options.runs {
        for (binary, times) in binaries.iter().zip(&mut times) {
            let mut command = Command::new(binary);
            let code = match part {
                Part::Formula => {
                    command.args(["show", "--stage", "stats"]);
                    0
                }
                Part::Verdict => {
                    command.args(["-q", "--check", "assert", "--first"]);
                    program.code
                }
            };
            command
                .args(&options.words)
                .args(["--unwind", &program.unwind.to_string()])
                .args(&program.files);
            let (status, time) =
                timed(&mut command).map_err(|error| format!("{}: {error}", binary.display()))?;
            if status.code() != Some(code) {
                return Err(format!(
                    "{} on {}: {status}, expected {code}",
                    binary.display(),
                    program.name
                ));
            }
            times.push(time.as_secs_f64());
        }
    }
    Ok(times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect())
}

/// Runs a command; its end and its processor time.
fn timed(command: &mut Command) -> std::io::Result<(ExitStatus, Duration)> {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let process = libc::pid_t::try_from(child.id()).map_err(std::io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers; the call waits for our own child, which nobody else waits for, and fills
    // in both places.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(process, &mut status, 0, &mut usage) < 0 {
            return Err(std::io::Error::last_os_error());
        }
        usage
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    Ok((
        ExitStatus::from_raw(status),
        time(usage.ru_utime) + time(usage.ru_stime),
    ))
}

/// The growing programs, written to a folder.
fn families(folder: &Path) -> std::io::Result<Vec<Program>> {
    let sizes: [(&str, usize, bool, &[usize]); 4] = [
        ("fib", 2, true, &[5, 8, 11]),
        ("fib", 2, false, &[4, 6, 8]),
        ("ring", 3, true, &[2, 3, 4]),
        ("ring", 3, false, &[1, 2]),
    ];
    let mut programs = Vec::new();
    for (family, threads, atomic, counts) in sizes {
        for &count in counts {
            for safe in [false, true] {
                let kind = if atomic { "atomic" } else { "plain" };
                let name = format!(
                    "{family}-{count}-{kind}-{}",
                    if safe { "safe" } else { "bug" }
                );
                let file = folder.join(format!("{name}.c"));
                let bound = largest(threads, count) + u128::from(safe);
                std::fs::write(&file, text(threads, count, atomic, bound))?;
                programs.push(Program {
                    name,
                    files: vec![file],
                    unwind: count + 1,
                    code: if safe { 0 } else { 10 },
                });
            }
        }
    }
    Ok(programs)
}

/// `x[t] += x[t + 1]` by thread t, `count` times each; some variable that reaches `bound` violates.
fn text(threads: usize, count: usize, atomic: bool, bound: u128) -> String {
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n",
    );
    let (begin, end) = if atomic {
        ("__VERIFIER_atomic_begin(); ", " __VERIFIER_atomic_end();")
    } else {
        ("", "")
    };
    for thread in 0..threads {
        let _ = writeln!(text, "unsigned x{thread} = 1;");
    }
    for thread in 0..threads {
        let next = (thread + 1) % threads;
        let _ = writeln!(
            text,
            "void *t{thread}(void *arg) {{ for (int i = 0; i < {count}; i++) {{ {begin}x{thread} += x{next};{end} }} return 0; }}"
        );
    }
    text.push_str("int main(void) {\n");
    for thread in 0..threads {
        let _ = writeln!(
            text,
            "  pthread_t p{thread}; pthread_create(&p{thread}, 0, t{thread}, 0);"
        );
    }
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_join(p{thread}, 0);");
    }
    let all: Vec<String> = (0..threads)
        .map(|thread| format!("x{thread} < {bound}u"))
        .collect();
    let _ = writeln!(text, "  assert({});\n}}", all.join(" && "));
    text
}

/// Ten files with 20,000 lines of functions, one in fifty of which a thread calls.
fn project(folder: &Path) -> std::io::Result<Program> {
    const FILES: usize = 10;
    const LINES: usize = 2_000;
    let mut files = Vec::new();
    let mut header = String::from("#include <assert.h>\n#include <pthread.h>\nextern int x;\n");
    for file in 0..FILES {
        let _ = writeln!(header, "void used{file}(void);");
        let mut text =
            format!("#include \"project.h\"\nstatic int table[64];\nvoid used{file}(void) {{\n");
        for step in 0..LINES / 50 {
            let _ = writeln!(text, "  table[{}] = {step};", step % 64);
        }
        text.push_str("  x++;\n}\n");
        for number in 0..(LINES - LINES / 50) / 11 {
            let _ = write!(
                text,
                "int unused{file}_{number}(int a, int b) {{\n  int sum = 0;\n  for (int i = 0; i < a; i++) {{\n    \
                 sum += table[(i * b) & 63] ^ (i << 2);\n    if (sum > {number})\n      sum -= b * 3;\n    else\n      \
                 table[i & 63] = sum;\n  }}\n  return sum;\n}}\n"
            );
        }
        let path = folder.join(format!("part{file}.c"));
        std::fs::write(&path, text)?;
        files.push(path);
    }
    std::fs::write(folder.join("project.h"), header)?;
    let mut text = String::from("#include \"project.h\"\nint x;\nvoid *t(void *arg) {\n");
    for file in 0..FILES {
        let _ = writeln!(text, "  used{file}();");
    }
    let _ = write!(
        text,
        "  return arg;\n}}\nint main(void) {{\n  pthread_t p;\n  pthread_create(&p, 0, t, 0);\n  pthread_join(p, 0);\n  \
         assert(x == {FILES});\n}}\n"
    );
    let path = folder.join("main.c");
    std::fs::write(&path, text)?;
    files.push(path);
    Ok(Program {
        name: "project-20000-lines".to_string(),
        files,
        unwind: 1,
        code: 0,
    })
}

/// The largest value that a variable of a family can get.
fn largest(threads: usize, count: usize) -> u128 {
    // Sums only grow, so of the states with equal counts only the maximal ones matter.
    let mut states: Vec<(Vec<usize>, Vec<u128>)> = vec![(vec![0; threads], vec![1; threads])];
    for _ in 0..threads * count {
        let mut next: Vec<(Vec<usize>, Vec<u128>)> = Vec::new();
        for (counts, values) in &states {
            for thread in (0..threads).filter(|&thread| counts[thread] < count) {
                let (mut counts, mut values) = (counts.clone(), values.clone());
                counts[thread] += 1;
                values[thread] += values[(thread + 1) % threads];
                next.push((counts, values));
            }
        }
        next.sort();
        next.dedup();
        let covered = |one: &(Vec<usize>, Vec<u128>)| {
            next.iter().any(|other| {
                other != one && other.0 == one.0 && one.1.iter().zip(&other.1).all(|(a, b)| a <= b)
            })
        };
        states = next
            .iter()
            .filter(|state| !covered(state))
            .cloned()
            .collect();
    }
    states
        .iter()
        .flat_map(|state| state.1.iter().copied())
        .max()
        .unwrap_or(1)
}

/// Programs of this folder.
fn files() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks");
    [
        ("lost_update", 10),
        ("peterson", 0),
        ("peterson_plain", 0),
        ("stack_aba", 10),
        ("queue_race", 10),
        ("queue", 0),
        ("transfer", 0),
        ("dining", 0),
    ]
    .into_iter()
    .map(|(name, code)| Program {
        name: name.to_string(),
        files: vec![folder.join(format!("{name}.c"))],
        unwind: 4,
        code,
    })
    .collect()
}
