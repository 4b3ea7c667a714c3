//! A cell as a process: this program again, with the options of the cell, writing its outcome as JSON.
//!
//! The process keeps its own limits. Behind them stand the system's limit of processor time and a wall clock here,
//! for the case that it does not. Its process group is ended as a whole, so that no worker of its own is left; and
//! if this process dies, so do they.

use super::cube::Cube;
use super::grid::{Cell, Grid};
use super::job::rises;
use super::record::{Record, Verdict};
use crate::outcome::exit;
use serde_json::Value;
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Time between two looks at the process.
const WATCH_EVERY: Duration = Duration::from_millis(3);
/// Time between two calls of `stop`.
const ASK_EVERY: Duration = Duration::from_millis(50);
/// Time that a process may take beyond its limits before it is ended from here.
const GRACE: Duration = Duration::from_secs(4);
/// Bytes of output that are looked at: a verdict or the first diagnostics.
const OUTPUT_BYTES: u64 = 64 << 10;

/// Runs a cell, or one of its cubes, with files in `folder`. `None` if `stop` said to.
pub(super) fn run(
    grid: &Grid,
    (cell, cube): (Cell, Option<&Cube>),
    folder: &Path,
    stop: &dyn Fn() -> bool,
) -> Option<Record> {
    let mut record = Record {
        cube: cube.cloned(),
        ..Record::new(grid, cell)
    };
    let start = Instant::now();
    match ended(grid, (cell, cube), folder, stop) {
        Err(error) => record.line = format!("cannot run the cell: {error}"),
        Ok(None) => return None,
        Ok(Some(end)) => fill(&mut record, end),
    }
    record.wall_ms = milliseconds(start.elapsed());
    Some(record)
}

/// Results that a process left behind.
struct End {
    /// `None` if it was ended here, at the limit of wall time.
    status: Option<ExitStatus>,
    /// Processor time as the system counts it.
    cpu: Duration,
    output: String,
    errors: String,
    outcome: Option<Value>,
}

fn ended(
    grid: &Grid,
    (cell, cube): (Cell, Option<&Cube>),
    folder: &Path,
    stop: &dyn Fn() -> bool,
) -> io::Result<Option<End>> {
    let number = cube.map_or(0, |cube| cube.number);
    let file = |kind: &str| folder.join(format!("{}.{number}.{kind}", grid.index(cell)));
    let (output, errors, json) = (file("out"), file("err"), file("json"));
    let mut words: Vec<OsString> = grid
        .point(cell)
        .words()
        .into_iter()
        .map(Into::into)
        .collect();
    words.extend(["--json".into(), json.clone().into()]);
    if let Some(cube) = cube {
        words.extend(["--cube".into(), cube.word().into()]);
    }
    let (status, cpu) = match processed(grid, cell, &words, (&output, &errors), stop)? {
        Waited::Ended(status, cpu) => (Some(status), cpu),
        Waited::TooLong(cpu) => (None, cpu),
        Waited::Stopped => return Ok(None),
    };
    let outcome = File::open(&json)
        .ok()
        .and_then(|file| serde_json::from_reader(file).ok());
    let end = End {
        status,
        cpu,
        output: read(&output)?,
        errors: read(&errors)?,
        outcome,
    };
    for path in [&output, &errors, &json] {
        let _ = std::fs::remove_file(path);
    }
    Ok(Some(end))
}

/// Runs cells that differ along a bound that rises, in this order, as far as one process answers them. `each` is told of every
/// answer as it comes.
pub(super) fn chain(
    grid: &Grid,
    cells: &[Cell],
    folder: &Path,
    stop: &dyn Fn() -> bool,
    each: &dyn Fn(Cell, Record),
) {
    let first = grid.point(cells[0]);
    let Some(axis) = rises(grid, &first) else {
        return;
    };
    let file = |kind: &str| folder.join(format!("{}.chain.{kind}", grid.index(cells[0])));
    let (output, errors, json) = (file("out"), file("err"), file("jsonl"));
    let levels = cells
        .iter()
        .filter_map(|&cell| grid.point(cell).bound(axis));
    let levels: Vec<String> = levels.map(|level| level.to_string()).collect();
    let mut words: Vec<OsString> = first
        .without(axis)
        .words()
        .into_iter()
        .map(Into::into)
        .collect();
    words.extend(["--levels".into(), levels.join(",").into()]);
    words.extend(["--levels-of".into(), axis.into()]);
    words.extend(["--levels-json".into(), json.clone().into()]);
    let told = RefCell::new((0, Instant::now()));
    let look = || {
        let text = std::fs::read(&json).unwrap_or_default();
        let whole = text.split_inclusive(|byte| *byte == b'\n');
        let whole = whole.filter(|line| line.ends_with(b"\n"));
        let mut told = told.borrow_mut();
        let (known, since) = &mut *told;
        for (line, &cell) in whole.zip(cells).skip(*known) {
            *known += 1;
            let Some(mut record) = answered(grid, cell, line) else {
                continue;
            };
            record.wall_ms = milliseconds(since.elapsed());
            *since = Instant::now();
            each(cell, record);
        }
        stop()
    };
    // Why there are no more answers, the cells that are left say, each by itself.
    let _ = processed(grid, cells[0], &words, (&output, &errors), &look);
    look();
    for path in [&output, &errors, &json] {
        let _ = std::fs::remove_file(path);
    }
}

/// The answer to a cell that a line of a chain has.
fn answered(grid: &Grid, cell: Cell, line: &[u8]) -> Option<Record> {
    let outcome: Value = serde_json::from_slice(line).ok()?;
    let (verdict, code) = match outcome["verdict"].as_str()? {
        "failed" => (Verdict::Failed, exit::FAILED),
        "successful" => (Verdict::Successful, exit::SUCCESSFUL),
        "unknown" => (Verdict::Unknown, exit::UNKNOWN),
        _ => return None,
    };
    let mut record = Record {
        verdict,
        chained: true,
        line: outcome["line"].as_str()?.to_string(),
        exit: Some(i32::from(code)),
        ..Record::new(grid, cell)
    };
    figures(&mut record, &outcome);
    Some(record)
}

/// Runs the program of a cell with these words besides those of all cells, and waits for it.
fn processed(
    grid: &Grid,
    cell: Cell,
    words: &[OsString],
    (output, errors): (&Path, &Path),
    stop: &dyn Fn() -> bool,
) -> io::Result<Waited> {
    let input = &grid.inputs[cell.input];
    let mut command = Command::new(std::env::current_exe()?);
    command.args(&input.words).args(&grid.limits.words);
    command.args(words);
    // A file whose name begins as an option or a response file does is named otherwise.
    let name = input.path.to_string_lossy();
    let path = if name.starts_with(['-', '@']) {
        Path::new(".").join(&input.path)
    } else {
        input.path.clone()
    };
    // What the cell is, these words say alone: it reads no file of defaults.
    command.args(["--no-config", "--quiet"]).arg(&path);
    command
        .stdin(Stdio::null())
        .stdout(File::create(output)?)
        .stderr(File::create(errors)?)
        .process_group(0);
    let seconds = grid
        .limits
        .cpu
        .map(|cpu| cpu.saturating_add(GRACE).as_secs() + 1);
    let parent = libc::pid_t::try_from(std::process::id()).ok();
    // SAFETY: between fork and exec, the closure only makes a few calls of the system.
    unsafe {
        command.pre_exec(move || {
            confine(seconds, parent);
            Ok(())
        });
    }
    let child = command.spawn()?;
    let limit = grid.limits.wall.map(|wall| wall.saturating_add(GRACE));
    wait(&child, limit, stop)
}

/// In the process: a limit of processor time behind its own, and death with its parent.
fn confine(cpu_seconds: Option<u64>, parent: Option<libc::pid_t>) {
    // SAFETY: these calls only change or end this process, and may be made between fork and exec.
    unsafe {
        if let Some(seconds) = cpu_seconds {
            let limit = libc::rlimit {
                rlim_cur: seconds as libc::rlim_t,
                rlim_max: seconds as libc::rlim_t,
            };
            libc::setrlimit(libc::RLIMIT_CPU, &limit);
        }
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // It may have died before.
        if parent.is_some_and(|parent| libc::getppid() != parent) {
            libc::_exit(1);
        }
    }
}

enum Waited {
    /// With its processor time, that of its own processes included.
    Ended(ExitStatus, Duration),
    TooLong(Duration),
    Stopped,
}

fn wait(child: &Child, limit: Option<Duration>, stop: &dyn Fn() -> bool) -> io::Result<Waited> {
    let id = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let start = Instant::now();
    let mut asked = start;
    loop {
        if let Some((status, cpu)) = reaped(id, libc::WNOHANG)? {
            return Ok(Waited::Ended(status, cpu));
        }
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            return Ok(Waited::TooLong(kill(id)?));
        }
        if asked.elapsed() > ASK_EVERY {
            asked = Instant::now();
            if stop() {
                kill(id)?;
                return Ok(Waited::Stopped);
            }
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

/// Ends the group of a child, and waits for it: its processor time.
fn kill(child: libc::pid_t) -> io::Result<Duration> {
    // SAFETY: ends the group of our own child, which has not been waited for yet.
    unsafe { libc::kill(-child, libc::SIGKILL) };
    let ended = reaped(child, 0)?;
    Ok(ended.map_or(Duration::ZERO, |(_, cpu)| cpu))
}

/// The status of a child that has ended, and its processor time; `None` if it runs.
fn reaped(child: libc::pid_t, options: libc::c_int) -> io::Result<Option<(ExitStatus, Duration)>> {
    let mut status = 0;
    // SAFETY: a structure of numbers, each of which may be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both are ours, and the child has not been waited for.
    let found = unsafe { libc::wait4(child, &mut status, options, &mut usage) };
    match found {
        0 => Ok(None),
        _ if found == child => {
            let cpu = time(usage.ru_utime) + time(usage.ru_stime);
            Ok(Some((ExitStatus::from_raw(status), cpu)))
        }
        _ => match io::Error::last_os_error() {
            why if why.kind() == io::ErrorKind::Interrupted => reaped(child, options),
            why => Err(why),
        },
    }
}

/// The time that a structure of the system holds; none where it is not one.
fn time(of: libc::timeval) -> Duration {
    let seconds = u64::try_from(of.tv_sec).unwrap_or_default();
    let micros = u64::try_from(of.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(OUTPUT_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Puts into the record what the process says.
fn fill(record: &mut Record, end: End) {
    let last = end.output.lines().last().unwrap_or_default();
    let has_verdict = last.starts_with("VERIFICATION ");
    record.exit = end.status.and_then(|status| status.code());
    record.line = if has_verdict {
        last.to_string()
    } else {
        end.errors.lines().next().unwrap_or_default().to_string()
    };
    let killed_for = match end.status.map(|status| status.signal()) {
        None => Some("wall time"),
        Some(Some(libc::SIGXCPU)) => Some("time"),
        // The hard limit of processor time, or the system's way out when memory is short.
        Some(Some(libc::SIGKILL)) => Some("killed by the system"),
        _ => None,
    };
    let code = record.exit.and_then(|code| u8::try_from(code).ok());
    record.verdict = match code {
        Some(exit::FAILED) if has_verdict => Verdict::Failed,
        Some(exit::SUCCESSFUL) if has_verdict => Verdict::Successful,
        Some(exit::UNKNOWN) if has_verdict => Verdict::Unknown,
        Some(exit::USAGE | exit::INPUT) if !has_verdict => Verdict::Input,
        _ if record.exit.is_none() && killed_for.is_some() => Verdict::Unknown,
        _ => Verdict::Error,
    };
    if let Some(reason) = killed_for {
        record.line = format!("VERIFICATION UNKNOWN ({reason})");
    }
    if let Some(outcome) = end.outcome {
        figures(record, &outcome);
    }
    // A run that was ended had no time to say what it took.
    if record.cpu_ms == 0 {
        record.cpu_ms = milliseconds(end.cpu);
    }
}

/// Puts into the record what the outcome has beside the verdict.
fn figures(record: &mut Record, outcome: &Value) {
    record.complete = outcome["complete"] == true && record.verdict == Verdict::Successful;
    record.asserted = outcome["coverage"]["assertions_reachable"].as_bool();
    if let Some(cube) = &mut record.cube {
        let name = outcome["coverage"]["cubes"]["formula"].as_str();
        cube.formula = name.map(str::to_string);
    }
    let statistics = &outcome["statistics"];
    let number = |name: &str| statistics[name].as_u64().unwrap_or(0);
    record.events = number("events");
    record.terms = number("terms");
    record.variables = number("variables");
    record.clauses = number("clauses");
    record.cpu_ms = number("cpu_ms");
    record.peak_memory_bytes = number("peak_memory_bytes");
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
