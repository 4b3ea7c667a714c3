//! Options of what is printed and written, as rows of the table.

use super::asked::Options;
use super::color::Color;
use super::option::{Command, Group, Opt};
use super::when::When;
use crate::base::option::one_of;
use crate::report::format::FORMATS;
use std::path::Path;

type Row = Opt<Options>;

/// Name of the counterexample with all steps, or without.
fn trace(full: bool) -> &'static str {
    match full {
        true => "full",
        false => "short",
    }
}

/// Commands with one outcome.
const OUTCOME: &[Command] = &[
    Command::Verify,
    Command::Check,
    Command::Replay,
    Command::Validate,
];
/// Commands that make an execution.
const EXECUTION: &[Command] = &[Command::Verify, Command::Replay, Command::Validate];
/// Commands that show an execution.
const SHOWN: &[Command] = &[
    Command::Verify,
    Command::Replay,
    Command::Validate,
    Command::Trace,
];
/// Commands that print an answer.
const ANSWER: &[Command] = &[
    Command::Verify,
    Command::Check,
    Command::Replay,
    Command::Validate,
    Command::Trace,
];

/// The rows.
pub fn rows() -> Vec<Row> {
    let reports = FORMATS.iter().map(|format| {
        let set = move |to: &mut Options, path: &Path| to.output.reports.add(format, path);
        let row = Row::path(format.name, "FILE", format.help, set).commands(OUTCOME);
        match format.name {
            "json" => row.brief("Write the outcome to FILE as JSON"),
            _ => row,
        }
    });
    let mut options: Vec<Row> = reports.collect();
    options.extend([
        Row::path(
            "dimacs",
            "FILE",
            "Write the formula that the verdict is about to FILE in DIMACS format",
            |to, path| to.output.dimacs = Some(path.to_path_buf()),
        )
        .unrolling(),
        Row::path(
            "proof-out",
            "FILE",
            "Write the invariants that a successful verdict without bounds rests on to FILE, for `selvedge check`: of the \
             modular scheme, or of auto where modular is the one that answers",
            |to, path| to.output.proof = Some(path.to_path_buf()),
        ),
        Row::path(
            "witness",
            "FILE",
            "Write a witness of the first violation to FILE, as tools of the software-verification competition read it: GraphML 1.0 \
             if its name ends in .graphml, YAML 2.2 if in .yml or .yaml",
            |to, path| to.output.witness = Some(path.to_path_buf()),
        )
        .commands(&[Command::Verify, Command::Replay]),
        Row::flag(
            "any-hash",
            "The witness may be about files with other contents",
            |to| to.output.any_hash = true,
        )
        .commands(&[Command::Validate]),
        Row::path(
            "reproduce",
            "DIR",
            "Write the program with the first counterexample's schedule enforced to DIR, for a C compiler: `make -C DIR run`",
            |to, path| to.output.reproduce = Some(path.to_path_buf()),
        )
        .commands(EXECUTION),
        Row::flag(
            "require-complete",
            "Exit with 5 if a successful verdict is bounded",
            |to| to.output.require_complete = true,
        )
        .brief("Exit with 5 if a success is bounded")
        .commands(&[Command::Verify, Command::Trace]),
        Row::flag(
            "require-complete",
            "Exit with 5 if executions that end at undefined behaviour are left out",
            |to| to.output.require_complete = true,
        )
        .commands(&[Command::Check]),
        Row::value(
            "trace",
            "short|full",
            "Steps of the counterexample that are printed: those that matter, or all",
            |to, text| {
                to.output.all_steps = one_of(text, &[false, true], trace)?;
                Ok(())
            },
        )
        .default(trace(false))
        .commands(SHOWN),
        Row::flag("no-trace", "Do not print the counterexample", |to| {
            to.output.trace = false;
        })
        .commands(SHOWN),
        Row::value(
            "color",
            "auto|always|never",
            "Colours on standard output: auto is on a terminal, unless the environment has NO_COLOR",
            |to, text| {
                to.output.color = one_of(text, &Color::ALL, Color::name)?;
                Ok(())
            },
        )
        .default(Color::Auto.name())
        .commands(ANSWER),
        Row::value(
            "progress",
            "auto|always|never",
            "One line on standard error that says where the run is: auto is on a terminal, unless --quiet is given",
            |to, text| {
                to.output.progress = one_of(text, &When::ALL, When::name)?;
                Ok(())
            },
        )
        .default(When::Auto.name())
        .commands(OUTCOME),
        Row::flag(
            "quiet",
            "Print neither warnings nor the counterexample",
            |to| (to.output.warnings, to.output.trace) = (false, false),
        )
        .brief("No warnings and no counterexample")
        .short('q')
        .against("verbose")
        .commands(EXECUTION),
        Row::flag("quiet", "Do not print warnings", |to| {
            to.output.warnings = false;
        })
        .short('q')
        .commands(&[Command::Check]),
        Row::flag(
            "verbose",
            "Report progress and statistics on standard error and all steps of the counterexample",
            |to| to.output.verbosity = to.output.verbosity.saturating_add(1),
        )
        .brief("Progress, statistics, all steps")
        .short('v')
        .each()
        .commands(EXECUTION),
    ]);
    Row::group(Group::Output, &[Command::Verify], options)
}
