//! Submission: jobs of a plan, run on an engine that others operate (Slurm, a Dask cluster, GNU parallel).
//!
//! All that an engine has to do is to run `./selvedge job . N` in the folder of the plan for each number, on machines that see that folder.
//! What it says of a job is not believed: a job is done if its shard is there. Jobs whose shards are missing when the engine has none of
//! them any more are submitted again, twice at most: workers that die lose nothing, also on engines that repeat no job by themselves.
//!
//! Architecture invariant: nothing here knows what a job does; a plan is a folder, numbers, and the question which shards are missing.

mod child;
mod dask;
mod hyperqueue;
mod parallel;
mod slurm;
mod work;

pub use work::SubmitError;

use crate::report::save::save;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use work::Work;

/// How often jobs are submitted.
const ATTEMPTS: usize = 3;
/// Time between two looks at what was asked of us.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Time between two looks at the shards, at first; at most a twentieth of the time goes into them.
const COUNT_EVERY: Duration = Duration::from_millis(500);
/// Time between two questions to the engine, at first and at last: a scheduler of a large cluster has others to answer.
const ASK_EVERY: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));
/// Time between two words on how far jobs are, of which each hundredth is told.
const TELL_EVERY: Duration = Duration::from_secs(30);
/// Time that shards of a folder on the network may take to be seen here (a job that is submitted again for that finds its shard), and
/// engines to end when all are.
const SETTLE: Duration = Duration::from_secs(3);

/// Where jobs are submitted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Slurm, as this machine is configured for it.
    Slurm,
    /// The Dask cluster whose scheduler has this address.
    Dask(String),
    /// GNU parallel, on these hosts (as its `--sshlogin` names them) or this machine.
    Parallel(Option<String>),
}

/// What became of jobs.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// No engine has any of them; those whose shards are missing all the same.
    Finished(Vec<usize>),
    /// They were taken back.
    Interrupted,
}

impl Engine {
    /// The engine that a text names.
    ///
    /// # Errors
    /// It names none; says what was expected.
    pub fn parse(text: &str) -> Result<Engine, String> {
        match text.split_once(':') {
            None if text == "slurm" => Ok(Engine::Slurm),
            None if text == "parallel" => Ok(Engine::Parallel(None)),
            Some(("parallel", hosts)) if !hosts.is_empty() => {
                Ok(Engine::Parallel(Some(hosts.to_string())))
            }
            Some(("dask", address)) if is_address(address) => Ok(Engine::Dask(address.to_string())),
            _ => Err("expected slurm, dask:HOST:PORT, parallel or parallel:HOSTS".to_string()),
        }
    }

    /// The engine as it is told of.
    fn name(&self) -> String {
        match self {
            Engine::Slurm => "Slurm".to_string(),
            Engine::Dask(address) => format!("Dask at {address}"),
            Engine::Parallel(None) => "GNU parallel".to_string(),
            Engine::Parallel(Some(hosts)) => format!("GNU parallel on {hosts}"),
        }
    }
}

/// Whether a text is a host and a port, maybe behind a protocol.
fn is_address(text: &str) -> bool {
    let (host, port) = text.rsplit_once(':').unwrap_or_default();
    !host.is_empty() && !host.starts_with('-') && port.parse::<u16>().is_ok()
}

/// Jobs that an engine has taken.
enum Running {
    Slurm(slurm::Arrays),
    Child(child::Engine),
}

impl Running {
    fn start(engine: &Engine, work: &Work) -> Result<Running, SubmitError> {
        Ok(match engine {
            Engine::Slurm => Running::Slurm(slurm::submit(work)?),
            Engine::Dask(address) => Running::Child(dask::submit(work, address)?),
            Engine::Parallel(hosts) => Running::Child(parallel::submit(work, hosts.as_deref())?),
        })
    }

    fn is_finished(&mut self) -> Result<bool, SubmitError> {
        match self {
            Running::Slurm(arrays) => arrays.is_finished(),
            Running::Child(engine) => engine.is_finished(),
        }
    }

    fn cancel(&mut self) {
        match self {
            Running::Slurm(arrays) => arrays.cancel(),
            Running::Child(engine) => engine.cancel(),
        }
    }

    /// Leaves it, when no job is missing any more: a program of ours is not left behind.
    fn leave(&mut self) {
        match self {
            Running::Slurm(_) => {}
            Running::Child(engine) => engine.cancel(),
        }
    }
}

/// Puts into a plan what its jobs need wherever they run: the program, and a file for HyperQueue.
///
/// # Errors
/// See [`SubmitError`].
pub fn equip(folder: &Path, jobs: usize) -> Result<(), SubmitError> {
    work::program(folder)?;
    let text = hyperqueue::text(jobs);
    save(&folder.join(hyperqueue::FILE), |out| {
        out.write_all(text.as_bytes())
    })
    .map_err(SubmitError::Save)
}

/// Runs the jobs of a plan whose shards are missing on an engine, `at_a_time` at most where it lets us say so. `missing` lists them,
/// ascending, `tell` is told how far they are, and `cancel` takes them back.
///
/// # Errors
/// See [`SubmitError`].
pub fn submit(
    engine: &Engine,
    folder: &Path,
    at_a_time: Option<usize>,
    missing: &dyn Fn() -> Vec<usize>,
    cancel: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<End, SubmitError> {
    let folder = std::fs::canonicalize(folder)
        .map_err(|why| SubmitError::Write(folder.to_path_buf(), why))?;
    let mut left = missing();
    for attempt in 1..=ATTEMPTS {
        if left.is_empty() {
            break;
        }
        let before = left.len();
        let again = if attempt > 1 { " again" } else { "" };
        let work = Work::new(&folder, left, at_a_time)?;
        let mut running = Running::start(engine, &work)?;
        tell(&format!(
            "{} submitted to {}{again}",
            counted(before),
            engine.name()
        ));
        let watched = watch(&mut running, before, missing, cancel, tell);
        match watched {
            Ok(true) => running.leave(),
            _ => running.cancel(),
        }
        if !watched? {
            return Ok(End::Interrupted);
        }
        left = missing();
        if let Some(&first) = left.first() {
            let log = [work::log(&folder, first), work.path("log")];
            let said = log.map(|path| work::end_of(&path)).join("\n");
            let said = said.trim();
            let why = if said.is_empty() { "" } else { "; it says: " };
            tell(&format!("job {first} has left no shard{why}{said}"));
            // What fails in the same way twice will fail again.
            if left.len() == before && attempt > 1 {
                break;
            }
        }
    }
    Ok(End::Finished(left))
}

/// Waits for the end of jobs; false if they are to be taken back.
fn watch(
    running: &mut Running,
    all: usize,
    missing: &dyn Fn() -> Vec<usize>,
    cancel: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<bool, SubmitError> {
    let (mut counted_at, mut count_every) = (Instant::now(), COUNT_EVERY);
    let (mut told_at, mut told) = (Instant::now(), all);
    let (mut asked_at, mut ask_every) = (Instant::now(), ASK_EVERY.0);
    let mut left = all;
    // Since when nothing but the other side is to be waited for: the shards, or the engine.
    let mut settling: Option<Instant> = None;
    let mut is_finished = false;
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Ok(false);
        }
        std::thread::sleep(LOOK_EVERY);
        if counted_at.elapsed() > count_every {
            let start = Instant::now();
            left = missing().len();
            counted_at = Instant::now();
            count_every = COUNT_EVERY.max(20 * start.elapsed());
            let is_news = told - left >= all.div_ceil(100) || told_at.elapsed() > TELL_EVERY;
            if left < told && (is_news || left == 0) {
                (told_at, told) = (Instant::now(), left);
                tell(&format!("{} of {} done", all - left, counted(all)));
            }
        }
        if !is_finished && asked_at.elapsed() > ask_every {
            is_finished = running.is_finished()?;
            asked_at = Instant::now();
            ask_every = (ask_every * 3 / 2).min(ASK_EVERY.1);
        }
        match (is_finished, left) {
            (true, 0) => return Ok(true),
            // Its jobs end by themselves, and nobody waits for them.
            (false, 0) if matches!(running, Running::Slurm(_)) => return Ok(true),
            (false, 1..) => settling = None,
            _ => {
                let since = *settling.get_or_insert_with(|| {
                    ask_every = ASK_EVERY.0;
                    Instant::now()
                });
                if since.elapsed() > SETTLE {
                    return Ok(is_finished || left == 0);
                }
            }
        }
    }
}

fn counted(jobs: usize) -> String {
    match jobs {
        1 => "1 job".to_string(),
        _ => format!("{jobs} jobs"),
    }
}

#[cfg(test)]
mod tests {
    use super::Engine;

    #[test]
    fn engines_are_named() {
        let dask = Engine::Dask("tcp://head:8786".to_string());
        let hosts = Engine::Parallel(Some("4/one,2/other,:".to_string()));
        for (text, engine) in [
            ("slurm", Engine::Slurm),
            ("dask:tcp://head:8786", dask),
            ("parallel", Engine::Parallel(None)),
            ("parallel:4/one,2/other,:", hosts),
        ] {
            assert_eq!(Engine::parse(text), Ok(engine));
        }
        for text in [
            "",
            "pbs",
            "slurm:x",
            "dask",
            "dask:head",
            "dask:head:port",
            "parallel:",
        ] {
            assert!(Engine::parse(text).is_err(), "{text}");
        }
    }
}
