//! Progress of a sweep on standard error: on a terminal a line for each running job and a bar for all cells with the time left, and
//! elsewhere a line for each finished cell. Nothing of it gets to standard output.

use crate::sweep::News;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time between two turns of what shows that a job is running.
const TURN_EVERY: Duration = Duration::from_millis(150);

/// Teller of a sweep's progress.
pub enum Teller {
    /// Says nothing.
    Silent,
    /// Says a line for each finished cell.
    Lines,
    /// Draws bars, below such lines.
    Bars(Bars),
}

/// Bars of a terminal.
pub struct Bars {
    all: MultiProgress,
    total: ProgressBar,
    /// The running jobs, by the number of the worker.
    jobs: Mutex<Vec<Option<ProgressBar>>>,
}

impl Teller {
    /// The one for standard error, and so many cells.
    pub fn of(is_quiet: bool, cells: usize) -> Teller {
        let is_dumb = || std::env::var_os("TERM").is_none_or(|name| name == "dumb");
        match is_quiet {
            true => Teller::Silent,
            false if !std::io::stderr().is_terminal() || is_dumb() => Teller::Lines,
            false => Teller::Bars(Bars::new(cells)),
        }
    }

    /// Tells what is new.
    pub fn tell(&self, news: News) {
        match (self, news) {
            (Teller::Lines, News::Answer { line, .. }) => eprintln!("{line}"),
            (Teller::Bars(bars), news) => bars.tell(news),
            _ => {}
        }
    }

    /// Takes away what is drawn.
    pub fn end(&self) {
        if let Teller::Bars(bars) = self {
            bars.total.finish_and_clear();
            let _ = bars.all.clear();
        }
    }
}

impl Bars {
    fn new(cells: usize) -> Bars {
        let all = MultiProgress::new();
        let total = all.add(ProgressBar::new(cells as u64));
        let template = "[{bar:30}] {pos}/{len} cells, {elapsed}{left}";
        let style = style(template).progress_chars("=> ");
        total.set_style(style.with_key("left", time_left));
        total.enable_steady_tick(TURN_EVERY);
        Bars {
            all,
            total,
            jobs: Mutex::default(),
        }
    }

    fn tell(&self, news: News) {
        match news {
            News::Begin { worker, name } => {
                let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                if jobs.len() <= worker {
                    jobs.resize(worker + 1, None);
                }
                let bar = self
                    .all
                    .insert_before(&self.total, ProgressBar::new_spinner());
                bar.set_style(style("{spinner} {elapsed:>4} {wide_msg}").tick_chars("-\\|/-"));
                bar.set_message(name);
                bar.enable_steady_tick(TURN_EVERY);
                jobs[worker] = Some(bar);
            }
            News::End { worker } => {
                let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(bar) = jobs.get_mut(worker).and_then(Option::take) {
                    bar.finish_and_clear();
                    self.all.remove(&bar);
                }
            }
            News::Answer { known, line } => {
                let _ = self.all.println(line);
                self.total.set_position(known as u64);
            }
        }
    }
}

/// The time left, which nobody knows before a cell is finished.
fn time_left(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 {
        let _ = write!(text, ", about {:#} left", HumanDuration(state.eta()));
    }
}

/// A style of bars; the templates are constant, and right.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
