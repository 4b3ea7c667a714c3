//! Outcomes that were kept as JSON, printed as the run that wrote them did.

use super::answer;
use super::color::colored;
use super::defaults;
use super::option::{Command, Given};
use super::options::Options;
use super::refusal::Refusal;
use crate::report::json;
use crate::source;
use std::path::Path;

/// Prints the outcome in a file and returns the exit code.
///
/// # Errors
/// The file cannot be read, or has no outcome; options make no sense.
pub fn print(file: &Path, given: Vec<Given<Options>>) -> Result<u8, Refusal> {
    let mut options = Options::default();
    for one in defaults::with(Path::new(""), Command::Trace, given)? {
        one.apply(&mut options).map_err(Refusal::Usage)?;
    }
    let output = &options.output;
    let text = source::read::bytes(file).map_err(|error| Refusal::Input(error.to_string()))?;
    let told = |wrong: String| Refusal::Input(format!("{}: {wrong}", file.display()));
    let kept = json::read(&text).map_err(told)?;
    let mut text = kept.render(output.detail());
    if output.color.is_on() {
        text = colored(&text);
    }
    Ok(answer::print(
        &text,
        kept.exit_code(output.require_complete),
    ))
}
