//! An example of Selvedge as a library: verifies C files and prints, for each, the verdict and what writes to shared memory
//! led to the violation. `cargo run --release --example verify -- FILE.c …`

use selvedge::execution::{Action, decimal};
use selvedge::text::{coverage_line, verdict_line};
use selvedge::{Answer, Budget, Error, Options, Request, Session};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut code = 0;
    for file in std::env::args().skip(1) {
        match verify(Path::new(&file)) {
            Ok((text, found)) => {
                println!("{text}");
                code = code.max(found);
            }
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(error.exit_code());
            }
        }
    }
    ExitCode::from(code)
}

/// The answer to a file in words, and its exit code.
pub fn verify(file: &Path) -> Result<(String, u8), Error> {
    let session = Session::load(file, &Options::default())?;
    let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(60));
    let mut progress = |level: &selvedge::Progress| eprintln!("{}", level.words);
    let answer = session.verify(&Request::default(), &budget, &mut progress)?;
    let code = answer.outcome.verdict.exit_code(false);
    Ok((told(&session, &answer), code))
}

/// The answer in words: the writes of each counterexample, what was covered, and the verdict.
fn told(session: &Session, answer: &Answer) -> String {
    let places = session.places();
    let mut text = String::new();
    for finding in &answer.outcome.findings {
        for step in &finding.trace.steps {
            let (Action::Write { place, value } | Action::Commit { place, value }) = &step.action
            else {
                continue;
            };
            let thread = &finding.trace.threads[step.thread.0 as usize];
            let line = places.position(step.loc).map_or(0, |place| place.line);
            let value = decimal(value);
            text.push_str(&format!(
                "line {line}: {} writes {place} = {value}\n",
                thread.function
            ));
        }
    }
    let outcome = &answer.outcome;
    text.push_str(&coverage_line(outcome, places));
    text.push('\n');
    text.push_str(&verdict_line(outcome, places));
    text
}
