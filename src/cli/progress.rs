//! Progress of a run on standard error: the line on a terminal, and with `-v` stages as they end and a sign of life between them.
//! Nothing of it, which is full of times, gets into reports or to standard output.

use super::config::{Config, Job};
use super::when::When;
use super::{line, signal, status, worker};
use crate::base::Budget;
use crate::base::budget::resident_bytes;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at the gauges: the line is drawn so often.
const LOOK_EVERY: Duration = Duration::from_millis(150);
/// Time of a run before the line appears: most are over by then.
const BEFORE_THE_LINE: Duration = Duration::from_millis(500);
/// Longest silence of `-v`, with some time for who is late.
const LONGEST_SILENCE: Duration = Duration::from_millis(1500);

/// True if a run has a progress line.
pub fn draws(config: &Config) -> bool {
    let output = &config.options.output;
    let is_dumb = || std::env::var_os("TERM").is_none_or(|name| name == "dumb");
    let is_on = match output.progress {
        When::Auto => output.warnings && worker::is_watched() && !is_dumb(),
        When::Always => true,
        When::Never => false,
    };
    is_on && !matches!(config.job, Job::Show(_))
}

/// Tells the progress of a run from now on, on a thread of its own, until its last word.
pub fn watch(config: &Config, budget: &Budget) {
    let is_shown = draws(config);
    let is_verbose = config.options.output.verbosity > 0;
    if !is_shown && !is_verbose {
        return;
    }
    if let Some(terminal) = worker::terminal_of_parent() {
        line::write_to(terminal);
    }
    let (gauge, start) = (budget.gauge().clone(), Instant::now());
    gauge.watch();
    let look = move || {
        while !line::is_over() {
            if signal::exit_code().is_some() {
                // What is known is about to be told.
                return line::end();
            }
            let elapsed = start.elapsed();
            let memory = || resident_bytes().unwrap_or(0);
            if is_verbose {
                for end in gauge.ends() {
                    line::say(&format!("selvedge: {}", status::ended(&end)));
                }
                if line::silence().unwrap_or(elapsed) >= LONGEST_SILENCE {
                    let beat = status::beat(&gauge.read(), elapsed, memory());
                    line::say(&format!("selvedge: {beat}"));
                }
            }
            if is_shown && elapsed >= BEFORE_THE_LINE {
                line::draw(&status::line(&gauge.read(), elapsed, memory()));
            }
            thread::sleep(LOOK_EVERY);
        }
    };
    // Without a thread for it, the run goes on untold.
    let _ = thread::Builder::new()
        .name("progress".to_string())
        .spawn(look);
}
