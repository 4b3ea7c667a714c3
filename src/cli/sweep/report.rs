//! `selvedge report`: journals as a table, a page and comma-separated values.

use crate::cli::answer;
use crate::cli::option::{Command, Given, Group, Opt};
use crate::cli::output::check;
use crate::cli::refusal::{Refusal, told};
use crate::outcome::exit;
use crate::report::save::{remove, save};
use crate::sweep::{self, Axis, Record, View};
use std::path::{Path, PathBuf};

/// Options of a report.
#[derive(Clone, Debug, Default)]
pub struct Report {
    columns: Option<Axis>,
    down: Option<Axis>,
    html: Option<PathBuf>,
    csv: Option<PathBuf>,
}

type Row = Opt<Report>;

/// All options, in the order of the help.
pub fn options() -> Vec<Row> {
    let axis = |text: &str| {
        Axis::named(text).ok_or_else(|| format!("expected {}", super::options::names_of_axes()))
    };
    let options = vec![
        Row::value(
            "columns",
            "AXIS",
            "What the columns of the table are, and what goes across in maps and charts: unwind by default, or the first bound that there is",
            move |to: &mut Report, text| {
                to.columns = Some(axis(text)?);
                Ok(())
            },
        ),
        Row::value(
            "rows",
            "AXIS",
            "What goes down in maps; each scheme's first bound by default",
            move |to: &mut Report, text| {
                to.down = Some(axis(text)?);
                Ok(())
            },
        ),
        Row::path(
            "html",
            "FILE",
            "Write one HTML page to FILE: maps of answers and times over two bounds, how times grow, and how many cells schemes answer in how much time",
            |to, path| to.html = Some(path.to_path_buf()),
        ),
        Row::path(
            "csv",
            "FILE",
            "Write all records to FILE as comma-separated values",
            |to, path| to.csv = Some(path.to_path_buf()),
        ),
    ];
    Row::group(Group::Output, &[Command::Sweep], options)
}

/// Prints what journals have, and returns the exit code.
pub fn run(journals: &[PathBuf], given: &[Given<Report>]) -> u8 {
    reported(journals, given).unwrap_or_else(|refusal| refusal.tell())
}

fn reported(journals: &[PathBuf], given: &[Given<Report>]) -> Result<u8, Refusal> {
    let mut options = Report::default();
    for one in given {
        one.apply(&mut options).map_err(Refusal::Usage)?;
    }
    let outputs: Vec<&Path> = [&options.html, &options.csv]
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    let inputs: Vec<&Path> = journals.iter().map(PathBuf::as_path).collect();
    check(&outputs, &inputs)?;
    let mut records: Vec<Record> = Vec::new();
    for path in journals {
        let (more, skipped) =
            sweep::records(path).map_err(|error| Refusal::Input(error.to_string()))?;
        if skipped > 0 {
            eprintln!(
                "selvedge: {skipped} lines of {} are no records",
                path.display()
            );
        }
        records.extend(more);
    }
    if records.is_empty() {
        return Err(Refusal::Input("there are no records".to_string()));
    }
    let view = View::of(&records, options.columns).map_err(Refusal::Usage)?;
    let mut code = exit::SUCCESSFUL;
    let page = || sweep::page(&view, options.down);
    let csv = || sweep::csv(&records);
    let files: [(&Option<PathBuf>, &dyn Fn() -> String); 2] =
        [(&options.html, &page), (&options.csv, &csv)];
    for (path, text) in files {
        let Some(path) = path else { continue };
        remove(path).map_err(Refusal::Input)?;
        let text = text();
        if let Err(error) = save(path, |out| out.write_all(text.as_bytes())) {
            code = told(exit::INPUT, &error);
        }
    }
    let text = sweep::table(&view.grid, &view.swept) + &sweep::summary(&view.grid, &view.swept);
    Ok(answer::print(&text, code))
}
