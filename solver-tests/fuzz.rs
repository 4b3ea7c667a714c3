//! Random programs until one disagrees: `cargo run --release --example fuzz -- [options]`, or `scripts/fuzz`.
//!
//! Each program runs in a child process with limits on time and memory, so that a crash or a loop is a
//! finding like any other. What is found is shrunk (statements and declarations are taken away as long as the
//! same kind of error remains) and written to `solver-tests/regressions/`.

#[allow(dead_code)]
mod generate;
#[allow(dead_code)]
mod native;
#[path = "native/fuzz.rs"]
mod native_fuzz;
#[allow(dead_code)]
mod oracle;
#[allow(dead_code)]
mod program;
#[allow(dead_code)]
mod random;
mod shrink;

use oracle::{Fault, Skip, Subject, Truth};
use selvedge::event::MemoryModel;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "usage: fuzz [--from SEED] [--count N] [--native] [--weak] [--addresses] [--measure] [--show SEED] [--check FILE.c] [--out FOLDER] [--schemes NAME,NAME,...] [--turn NUMBER]";

/// Seconds of wall time that one program may take.
const SECONDS: u64 = 120;
/// Bytes of address space that a child may use.
const MEMORY_BYTES: u64 = 4 << 30;

struct Arguments {
    from: u64,
    count: u64,
    native: bool,
    /// Under every memory model: programs about store buffers, and every second time one of the others.
    weak: bool,
    /// Programs that look at machine addresses.
    addresses: bool,
    measure: bool,
    show: Option<u64>,
    check: Option<PathBuf>,
    out: PathBuf,
    /// Names of the schemes that are compared, with commas between; all of them if there are none.
    schemes: Option<String>,
    /// Number that chooses variants of the schemes in turn; all variants without it.
    turn: Option<u64>,
}

impl Arguments {
    fn subjects(&self) -> Vec<Subject> {
        let mut all = self.turn.map_or_else(Subject::all, Subject::in_turn);
        if let Some(schemes) = &self.schemes {
            all.retain(|subject| schemes.split(',').any(|name| name == subject.scheme.name()));
        }
        all
    }
}

/// Outcome of a comparison.
enum Outcome {
    /// All agree, on this.
    Agreement(String),
    /// The program has too many executions, or somebody took too long.
    Nothing(String),
    Finding(Fault),
}

fn arguments() -> Option<Arguments> {
    let mut result = Arguments {
        from: 0,
        count: u64::MAX,
        native: false,
        weak: false,
        addresses: false,
        measure: false,
        show: None,
        check: None,
        out: "solver-tests/regressions".into(),
        schemes: None,
        turn: None,
    };
    let mut rest = std::env::args().skip(1);
    while let Some(option) = rest.next() {
        match option.as_str() {
            "--from" => result.from = rest.next()?.parse().ok()?,
            "--count" => result.count = rest.next()?.parse().ok()?,
            "--native" => result.native = true,
            "--weak" => result.weak = true,
            "--addresses" => result.addresses = true,
            "--measure" => result.measure = true,
            "--show" => result.show = Some(rest.next()?.parse().ok()?),
            "--check" => result.check = Some(rest.next()?.into()),
            "--out" => result.out = rest.next()?.into(),
            "--schemes" => result.schemes = Some(rest.next()?),
            "--turn" => result.turn = Some(rest.next()?.parse().ok()?),
            _ => return None,
        }
    }
    (!result.subjects().is_empty()).then_some(result)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(1);
    };
    if arguments.native {
        return native_fuzz::fuzz(arguments.from, arguments.count, arguments.show);
    }
    if let Some(seed) = arguments.show {
        print!("{}", program(seed, &arguments).render());
        return ExitCode::SUCCESS;
    }
    if let Some(path) = &arguments.check {
        return check(path, &arguments);
    }
    if arguments.measure {
        return measure(&arguments);
    }
    let (mut programs, mut agreed, mut found) = (0, 0, 0);
    let mut said: BTreeMap<String, u64> = BTreeMap::new();
    let start = Instant::now();
    for seed in arguments.from..arguments.from.saturating_add(arguments.count) {
        programs += 1;
        let program = program(seed, &arguments);
        let turn = arguments.turn.unwrap_or(seed);
        match outcome(&program.render(), &arguments, turn) {
            Outcome::Agreement(what) => {
                agreed += 1;
                *said.entry(what).or_default() += 1;
            }
            Outcome::Nothing(why) => *said.entry(why).or_default() += 1,
            Outcome::Finding(fault) => {
                found += 1;
                report(seed, program, &fault, &arguments);
            }
        }
        if programs % 100 == 0 {
            println!(
                "{programs} programs, {agreed} agree, {found} findings, {} s: {said:?}",
                start.elapsed().as_secs()
            );
        }
    }
    println!("{programs} programs, {agreed} agree, {found} findings: {said:?}");
    if found == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints a finding and writes it, shrunk.
fn report(seed: u64, program: program::Program, fault: &Fault, arguments: &Arguments) {
    println!("seed {seed}: {}: {}", fault.kind, fault.details.trim_end());
    let turn = arguments.turn.unwrap_or(seed);
    let small = shrink::shrink(
        program,
        |smaller| matches!(outcome(&smaller.render(), arguments, turn), Outcome::Finding(other) if other.kind == fault.kind),
    );
    let kind = match (arguments.addresses, arguments.weak) {
        (true, _) => "address-",
        (_, true) => "weak-",
        _ => "",
    };
    let path = arguments.out.join(format!("{kind}seed-{seed}.c"));
    let text = format!(
        "{}\n// seed {seed}, {}\n{}",
        expected(&small.render()),
        fault.kind,
        small.render()
    );
    match std::fs::create_dir_all(&arguments.out).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => println!("  shrunk to {}", path.display()),
        Err(error) => eprintln!("  cannot write {}: {error}", path.display()),
    }
}

fn program(seed: u64, arguments: &Arguments) -> program::Program {
    // Of the others, a few look at addresses, too.
    if arguments.addresses || seed % 8 == 7 {
        return generate::address::generate(seed);
    }
    if arguments.weak && seed.is_multiple_of(2) {
        generate::weak::generate(seed)
    } else {
        generate::generate(seed)
    }
}

/// The first line of a regression file: what the enumeration says.
fn expected(text: &str) -> &'static str {
    match oracle::on_a_deep_stack(|| oracle::prepare(text)) {
        Ok(Ok(prepared)) => match prepared.truth() {
            Truth::Safe => "// safe",
            Truth::Unsafe => "// unsafe",
        },
        Ok(Err(_)) | Err(_) => "// unknown",
    }
}

/// Compares on one file; exit code 0 if all agree, 3 if the program tells nothing, 2 otherwise. What was said, why
/// it tells nothing, or the fault, is on standard output.
fn check(path: &std::path::Path, arguments: &Arguments) -> ExitCode {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            println!("input\n{error}");
            return ExitCode::from(2);
        }
    };
    match oracle::on_a_deep_stack(|| said(&text, arguments)) {
        Ok(Ok(what)) => {
            println!("{what}");
            ExitCode::SUCCESS
        }
        Ok(Err(why)) => {
            println!("{why:?}");
            ExitCode::from(3)
        }
        Err(fault) => {
            println!("{}\n{}", fault.kind, fault.details);
            ExitCode::from(2)
        }
    }
}

/// Verdict that all agree on, under every memory model with `--weak`.
fn said(text: &str, arguments: &Arguments) -> Result<Result<String, Skip>, Fault> {
    if arguments.weak {
        let all = oracle::compare_models(text, &Subject::weak(text.len() as u64))?;
        let all: Result<Vec<Truth>, Skip> = all.into_iter().collect();
        return Ok(all.map(|truths| format!("{truths:?}")));
    }
    let prepared = match oracle::prepare(text)? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let truth = oracle::compare_prepared(&prepared, &arguments.subjects())?;
    let looks = if prepared.observed() {
        ", observed"
    } else {
        ""
    };
    Ok(truth.map(|truth| format!("{truth:?}{looks}")))
}

/// Compares on one program, in a process of its own.
fn outcome(text: &str, arguments: &Arguments, turn: u64) -> Outcome {
    let finding = |kind: &str, details: String| {
        Outcome::Finding(Fault {
            kind: kind.into(),
            details,
        })
    };
    let trouble = |what: String| finding("harness", what);
    let mut file = match tempfile::Builder::new().suffix(".c").tempfile() {
        Ok(file) => file,
        Err(error) => return trouble(error.to_string()),
    };
    if let Err(error) = file.write_all(text.as_bytes()) {
        return trouble(error.to_string());
    }
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return trouble(error.to_string()),
    };
    let mut command = Command::new(program);
    command
        .arg("--check")
        .arg(file.path())
        .arg("--turn")
        .arg(turn.to_string())
        .args(arguments.weak.then_some("--weak"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(schemes) = &arguments.schemes {
        command.arg("--schemes").arg(schemes);
    }
    limit_memory(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return trouble(error.to_string()),
    };
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() > Duration::from_secs(SECONDS) => {
                let _ = child.kill();
                let _ = child.wait();
                return finding("hang", format!("no answer in {SECONDS} s"));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return trouble(error.to_string()),
        }
    };
    let read = |stream: Option<&mut dyn Read>| {
        let mut text = String::new();
        let _ = stream.map(|stream| stream.read_to_string(&mut text));
        text
    };
    match status.code() {
        Some(code @ (0 | 3)) => {
            let text = read(child.stdout.as_mut().map(|s| s as _));
            let what = text.trim_end().to_string();
            match code {
                0 => Outcome::Agreement(what),
                _ => Outcome::Nothing(what),
            }
        }
        Some(2) => {
            let text = read(child.stdout.as_mut().map(|s| s as _));
            let (kind, details) = text.split_once('\n').unwrap_or((&text, ""));
            finding(kind, details.to_string())
        }
        _ => {
            let text = read(child.stderr.as_mut().map(|s| s as _));
            finding("crash", format!("{status}: {text}"))
        }
    }
}

fn limit_memory(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: between fork and exec the child only calls setrlimit.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: MEMORY_BYTES,
                rlim_max: MEMORY_BYTES,
            };
            match libc::setrlimit(libc::RLIMIT_AS, &limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
}

/// Measure of how much the programs can teach: the number of those that are unsafe, and of the others that become
/// unsafe when one lock, atomic section or fence is taken away.
fn measure(arguments: &Arguments) -> ExitCode {
    let count = arguments.count.min(1000);
    let (mut unsafe_ones, mut safe, mut weak, mut dull, mut large, mut refused) =
        (0, 0, 0, 0, 0, 0);
    let mut states = Vec::new();
    oracle::on_a_deep_stack(|| {
        for seed in arguments.from..arguments.from + count {
            let program = program(seed, arguments);
            let explore = |program: &program::Program| {
                oracle::read(&program.render())
                    .and_then(|p| oracle::explore(&p, MemoryModel::Sc, true))
            };
            match explore(&program) {
                Err(fault) => {
                    refused += 1;
                    println!("seed {seed}: {}: {}", fault.kind, fault.details);
                }
                Ok(None) => large += 1,
                Ok(Some(found)) if !found.violations.is_empty() => unsafe_ones += 1,
                Ok(Some(found)) => {
                    safe += 1;
                    dull += usize::from(!found.asserted);
                    states.push(found.states);
                    let breaks = |weaker: program::Program| matches!(explore(&weaker), Ok(Some(found)) if !found.violations.is_empty());
                    weak += usize::from(program.weakened().into_iter().any(breaks));
                }
            }
        }
    });
    states.sort_unstable();
    println!("programs                      {count}");
    println!("refused                       {refused}");
    println!("too large to enumerate        {large}");
    println!("unsafe                        {unsafe_ones}");
    println!("safe                          {safe}");
    println!("  no assertion reached        {dull}");
    println!("  unsafe without one guard    {weak}");
    println!(
        "  states (median, largest)    {:?} {:?}",
        states.get(states.len() / 2),
        states.last()
    );
    ExitCode::SUCCESS
}
