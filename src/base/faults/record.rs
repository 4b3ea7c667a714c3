//! Record of the programs that show deliberate errors, in `solver-tests/faults/seeds.txt`: a line for each campaign and
//! fault. A campaign is a series of programs and a way to compare them.
//!
//! An ordinary run replays each fault on its recorded program alone. `SELVEDGE_FAULTS=all` searches all programs of every
//! campaign for the first that shows it, `SELVEDGE_FAULTS=NAME,NAME` does so for these faults; what is found is recorded.

use super::{Fault, with};
use crate::base::sorted::SortedMap;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};

/// Start of the file.
const HEADER: &str = "\
# Programs that show deliberate errors: campaign, fault, and the number or name of a program. Written by the tests of
# faults with SELVEDGE_FAULTS=all; without that, they replay these programs only.
";

/// The programs by campaign and fault.
pub type Record = SortedMap<(String, String), String>;

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "solver-tests/faults/seeds.txt"]
        .iter()
        .collect()
}

/// The record as it is now. Panics at a line that is none.
pub fn read() -> Record {
    let text = std::fs::read_to_string(path()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let entry = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [campaign, fault, program] => ((campaign.into(), fault.into()), program.into()),
        _ => panic!("{}: no record: {line}", path().display()),
    };
    lines.map(entry).collect()
}

/// Changes one line of the record, or takes it out.
fn write(campaign: &str, fault: &str, program: Option<&str>) {
    static LOCK: Mutex<()> = Mutex::new(());
    let _held = LOCK.lock();
    let mut record = read();
    let key = (campaign.to_string(), fault.to_string());
    match program {
        Some(program) => record.insert(key, program.to_string()),
        None => record.remove(&key),
    };
    let lines = record
        .iter()
        .map(|((campaign, fault), program)| format!("{campaign:<24}{fault:<24}{program}\n"));
    let text = HEADER.to_string() + &lines.collect::<String>();
    std::fs::write(path(), text).expect("the record can be written");
}

/// Membership in `SELVEDGE_FAULTS`: `None` if that is not set, so that nothing is searched.
fn is_searched(fault: &str) -> Option<bool> {
    let chosen = std::env::var("SELVEDGE_FAULTS").ok()?;
    Some(chosen == "all" || chosen.split(',').any(|name| name == fault))
}

/// Presence of a fault's name in `SELVEDGE_FAULTS`, which says that it is to be searched where nothing is known to show it.
pub fn is_named(fault: &str) -> bool {
    let chosen = std::env::var("SELVEDGE_FAULTS").unwrap_or_default();
    chosen.split(',').any(|name| name == fault)
}

/// Names of the programs of a generator: their seeds, below a limit.
pub fn seeds(limit: u64) -> Vec<String> {
    (0..limit).map(|seed| seed.to_string()).collect()
}

/// One campaign: its name, its faults with what it has to know of each, and the names of its programs in the order of a
/// search.
pub struct Campaign<'a, T> {
    pub name: &'a str,
    pub faults: Vec<(Fault, T)>,
    pub programs: Vec<String>,
}

/// Result of a comparison; `None` if it tells nothing.
pub type Agreement = Option<bool>;

impl<T: Copy + Sync> Campaign<'_, T> {
    /// Replays every fault on its recorded program, or searches. `agrees` compares on the program of a number, which is
    /// done with the fault and without.
    /// Panics with the names of the faults that nothing shows, and of those that have no record.
    pub fn run(&self, agrees: impl Fn(Fault, T, usize) -> Agreement + Sync) {
        let record = read();
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut missed: Vec<String> = Vec::new();
            while let Some(&(fault, more)) = self.faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                let said = |on, number| quietly(|| with(on, || agrees(fault, more, number)));
                // What breaks down with the fault shows it, too.
                let is_wrong =
                    |number| matches!(said(Some(fault), number), None | Some(Some(false)));
                let shows = |number| is_wrong(number) && said(None, number) == Some(Some(true));
                let outcome = match is_searched(fault.name()) {
                    Some(true) => self.search(fault.name(), shows),
                    Some(false) => Ok(()),
                    None => self.replay(fault.name(), &record, shows),
                };
                missed.extend(outcome.err());
            }
            missed
        };
        // A fault is switched on in one thread only, so that the threads do not disturb each other.
        let mut missed: Vec<String> = std::thread::scope(|scope| {
            let start = |_| {
                let thread = std::thread::Builder::new().stack_size(256 << 20);
                thread.spawn_scoped(scope, worker)
            };
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let running: Vec<_> = (0..threads).map(start).collect();
            let ended = running.into_iter().map(|started| {
                let thread = started.expect("threads can be started");
                thread.join().expect("faults are contained")
            });
            ended.flatten().collect()
        });
        missed.extend(self.strangers(&record));
        assert!(missed.is_empty(), "{}: {}", self.name, missed.join("; "));
    }

    fn replay(
        &self,
        fault: &str,
        record: &Record,
        shows: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        let Some(program) = record.get(&(self.name.to_string(), fault.to_string())) else {
            return Err(format!("{fault} has no record"));
        };
        let start = std::time::Instant::now();
        let number = self.programs.iter().position(|name| name == program);
        let is_shown = number.is_some_and(&shows);
        let seconds = start.elapsed().as_secs_f64();
        println!("{:<24}{fault:<24}{program:<24}{seconds:>6.1} s", self.name);
        if is_shown {
            Ok(())
        } else {
            Err(format!("program {program} does not show {fault}"))
        }
    }

    fn search(&self, fault: &str, shows: impl Fn(usize) -> bool) -> Result<(), String> {
        let first = (0..self.programs.len()).find(|&number| shows(number));
        let program = first.map(|number| self.programs[number].as_str());
        write(self.name, fault, program);
        match program {
            Some(program) => println!("{:<24}{fault:<24}{program}", self.name),
            None => println!(
                "{:<24}{fault:<24}none of {}",
                self.name,
                self.programs.len()
            ),
        }
        program
            .map(|_| ())
            .ok_or_else(|| format!("no program shows {fault}"))
    }

    /// Faults that the record has of this campaign and the campaign has not.
    fn strangers(&self, record: &Record) -> Vec<String> {
        let known = |fault: &str| self.faults.iter().any(|(own, _)| own.name() == fault);
        let own = record
            .keys()
            .filter(|(campaign, fault)| campaign == self.name && !known(fault));
        own.map(|(_, fault)| format!("{fault} is recorded and not known"))
            .collect()
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Result of a run, without a message where it breaks down, as with a fault it may; then `None`.
pub fn quietly<T>(run: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(before);
    outcome.ok()
}
