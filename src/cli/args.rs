//! The command line as it is typed: commands, their files, and options from the tables.

use super::config::Job;
use super::option::{self, Given, Opt};
use super::options::{self, Options};
use super::sweep::options as sweep;
use crate::base::option::one_of;
use crate::outcome::exit;
use crate::session::Stage;
use clap::{Arg, ArgAction, Command, Error, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// A command with its files and options.
pub enum Line {
    /// One run.
    Run {
        job: Job,
        file: PathBuf,
        given: Vec<Given<Options>>,
    },
    /// A sweep.
    Sweep(sweep::Line),
}

/// Reads the words of a command line, the first of which is the name of the program.
///
/// # Errors
/// They make no sense, or ask for help.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Line, Error> {
    // Compilers spell this one with a single dash.
    let words = words.into_iter().map(|word| match word.to_str() {
        Some("-isystem") => "--isystem".into(),
        _ => word,
    });
    let mut matches = command().try_get_matches_from(words)?;
    let (command, mut matches) = match matches.remove_subcommand() {
        None => (option::Command::Verify, matches),
        Some((name, matches)) => match name.as_str() {
            "show" => (option::Command::Show, matches),
            "check" => (option::Command::Check, matches),
            _ => (option::Command::Sweep, matches),
        },
    };
    let given = Given::of(options::of(command), &matches);
    let job = match command {
        option::Command::Verify => Job::Verify,
        option::Command::Check => Job::Check(matches.remove_one(PROOF).unwrap_or_default()),
        option::Command::Show => Job::Show(matches.remove_one(STAGE).unwrap_or(Stage::Source)),
        option::Command::Sweep => {
            return Ok(Line::Sweep(sweep::Line {
                files: matches.remove_many(FILES).into_iter().flatten().collect(),
                own: Given::of(sweep::options(), &matches),
                common: given,
            }));
        }
    };
    // Asked for where it is declared alone: a sweep has several, of another name.
    let file = matches.remove_one(FILE).unwrap_or_default();
    Ok(Line::Run { job, file, given })
}

const FILE: &str = "file";
const FILES: &str = "files";
const PROOF: &str = "proof";
const STAGE: &str = "stage";

/// The syntax of all commands, with their help.
pub fn command() -> Command {
    let file = || {
        path(
            FILE,
            "FILE",
            "A C file, or a verification task (.yml) that names one",
        )
    };
    let stage = Arg::new(STAGE)
        .long(STAGE)
        .value_name("STAGE")
        .required(true)
        .value_parser(|text: &str| one_of(text, &Stage::ALL, Stage::name))
        .help("What to show: source, ir, events, cnf or stats");
    let show = Command::new("show")
        .about("Show what one stage makes of a program, on standard output")
        .arg(stage)
        .arg(file());
    let check = Command::new("check")
        .about("Check what a verdict of the modular scheme rests on, without searching again")
        .arg(path(
            PROOF,
            "PROOF",
            "A file that `--proof-out` has written",
        ))
        .arg(file());
    let sweep = Command::new("sweep")
        .about("Verify programs under a grid of schemes and bounds, in parallel, and print a table")
        .arg(
            path(
                FILES,
                "FILE",
                "C files, or verification tasks (.yml) that name one",
            )
            .action(ArgAction::Append)
            .num_args(1..),
        )
        .after_help(sweep::after_help());
    let with = |command: Command, of| command.args(arguments(&options::of(of)));
    let verify = Command::new("selvedge")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .args_conflicts_with_subcommands(true)
        .about("A bounded model checker for multi-threaded C")
        .long_about(
            "A bounded model checker for multi-threaded C.\n\n\
             Answers whether any schedule, under any input, violates an assertion, uses memory that is not there, or does something \
             else that is undefined. The last line of standard output is the verdict.",
        )
        .after_help(after_help())
        .arg(file());
    with(verify, option::Command::Verify)
        .subcommand(with(show, option::Command::Show))
        .subcommand(with(check, option::Command::Check))
        .subcommand(sweep.args(sweep_arguments()))
}

fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .value_name(value)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

fn arguments<T: Default + 'static>(options: &[Opt<T>]) -> Vec<Arg> {
    options.iter().map(Opt::argument).collect()
}

/// Options of sweeps and of their cells, by headings; a sweep's own are first under each.
fn sweep_arguments() -> Vec<Arg> {
    let own = sweep::options();
    let cells = options::of(option::Command::Sweep);
    let own = own.iter().map(|option| (option.group, option.argument()));
    let cells = cells.iter().map(|option| (option.group, option.argument()));
    let mut all: Vec<_> = own.chain(cells).collect();
    all.sort_by_key(|(group, _)| *group);
    all.into_iter().map(|(_, argument)| argument).collect()
}

fn after_help() -> String {
    let codes = exit::ALL.map(|(code, meaning)| format!("{code} {meaning}"));
    format!(
        "Exit codes: {}, {} after SIGINT, {} after SIGTERM.",
        codes.join(", "),
        exit::after_signal(libc::SIGINT),
        exit::after_signal(libc::SIGTERM)
    )
}
