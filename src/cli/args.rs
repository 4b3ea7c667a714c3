//! The command line as it is typed: commands, their files, and options from the tables.

use super::columns::columns;
use super::config::Job;
use super::option::{self, Given, Opt};
use super::options::{self, Options};
use super::pages;
use super::program::Named;
use super::response;
use super::sweep::{options as sweep, report};
use super::topic::Topic;
use crate::base::option::one_of;
use crate::outcome::exit;
use crate::session::Stage;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, Error, value_parser};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;

/// A command with its files and options.
pub enum Line {
    /// One run.
    Run {
        job: Job,
        named: Named,
        given: Vec<Given<Options>>,
    },
    /// A sweep.
    Sweep(sweep::Line),
    /// A job of a sweep that was planned: its folder and its number.
    Job(PathBuf, usize),
    /// Journals of sweeps, which are shown.
    Report(Vec<PathBuf>, Vec<Given<report::Report>>),
    /// An outcome that was kept in a file, which is printed.
    Kept(PathBuf, Vec<Given<Options>>),
    /// A list of the options that are in force for verification.
    Config(Vec<Given<Options>>),
    /// Man pages, which are written to a folder.
    Man(PathBuf),
    /// Chapters of the manual, which are written to a folder.
    Chapters(PathBuf),
    /// A text that was asked for.
    Text(String),
}

/// Reads the words of a command line, the first of which is the name of the program.
///
/// # Errors
/// They make no sense, or ask for help.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Line, Error> {
    let words = response::expanded(words.into_iter().collect())
        .map_err(|text| command().error(ErrorKind::Io, text))?;
    // Compilers spell this one with a single dash.
    let mut is_own = true;
    let words = words.into_iter().map(|word| {
        is_own &= word != "--";
        match word.to_str() {
            Some("-isystem") if is_own => "--isystem".into(),
            _ => word,
        }
    });
    let mut matches = command().try_get_matches_from(words).map_err(explained)?;
    let Some((name, mut matches)) = matches.remove_subcommand() else {
        return Ok(run(option::Command::Verify, matches));
    };
    match name.as_str() {
        "show" => Ok(run(option::Command::Show, matches)),
        "check" => Ok(run(option::Command::Check, matches)),
        "replay" => Ok(run(option::Command::Replay, matches)),
        "validate" => Ok(run(option::Command::Validate, matches)),
        "trace" => {
            let given = Given::of(options::of(option::Command::Trace), &matches);
            let file = matches.remove_one(OUTCOME).unwrap_or_default();
            Ok(Line::Kept(file, given))
        }
        "sweep" => Ok(Line::Sweep(sweep::Line {
            files: matches.remove_many(FILES).into_iter().flatten().collect(),
            own: Given::of(sweep::options(), &matches),
            common: Given::of(options::of(option::Command::Sweep), &matches),
        })),
        "job" => {
            let folder = matches.remove_one(FOLDER).unwrap_or_default();
            Ok(Line::Job(
                folder,
                matches.remove_one(NUMBER).unwrap_or_default(),
            ))
        }
        "report" => Ok(Line::Report(
            matches
                .remove_many(JOURNALS)
                .into_iter()
                .flatten()
                .collect(),
            Given::of(report::options(), &matches),
        )),
        "config" => {
            let options = options::of(option::Command::Verify);
            Ok(Line::Config(Given::of(options, &matches)))
        }
        "completions" => {
            let shell = matches.remove_one(SHELL).unwrap_or(Shell::Bash);
            Ok(Line::Text(pages::completions(command(), shell)))
        }
        "man" => Ok(match matches.remove_one(FOLDER) {
            Some(folder) if matches.get_flag(MARKDOWN) => Line::Chapters(folder),
            Some(folder) => Line::Man(folder),
            None => Line::Text(pages::page(command())),
        }),
        "help" => Ok(Line::Text(help(matches.remove_one(TOPIC)))),
        _ => Ok(run(option::Command::Verify, matches)),
    }
}

/// One run of a command.
fn run(command: option::Command, mut matches: ArgMatches) -> Line {
    let given = Given::of(options::of(command), &matches);
    let job = match command {
        option::Command::Show => Job::Show(matches.remove_one(STAGE).unwrap_or(Stage::Source)),
        option::Command::Check => Job::Check(matches.remove_one(PROOF).unwrap_or_default()),
        option::Command::Replay => Job::Replay(matches.remove_one(SCHEDULE).unwrap_or_default()),
        option::Command::Validate => Job::Validate(matches.remove_one(WITNESS).unwrap_or_default()),
        option::Command::Verify | option::Command::Sweep | option::Command::Trace => Job::Verify,
    };
    let files = matches.remove_many(FILES).into_iter().flatten().collect();
    let flags = matches.remove_many(FLAGS).into_iter().flatten().collect();
    let named = Named { files, flags };
    Line::Run { job, named, given }
}

/// An error of the command line; of `show` without a stage, with the stages that there are.
fn explained(error: Error) -> Error {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => &missing[..],
        _ => &[],
    };
    let is_stage = |argument: &String| argument.starts_with("--stage");
    if error.kind() != ErrorKind::MissingRequiredArgument || !missing.iter().any(is_stage) {
        return error;
    }
    let mut command = command();
    command.build();
    let show = command.find_subcommand_mut("show");
    let text = format!("--stage says what to show:\n\n{}", stages().trim_end());
    show.map_or(error, |show| {
        show.error(ErrorKind::MissingRequiredArgument, text)
    })
}

/// The stages, a line each.
fn stages() -> String {
    columns(&Stage::ALL.map(|stage| (stage.name(), stage.about())))
}

/// The arguments of this process for another one of the same job, with words before the options.
pub fn again(words: Vec<OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let first = arguments.first().and_then(|word| word.to_str());
    let is_named = first.is_some_and(|first| command().find_subcommand(first).is_some());
    let options = usize::from(is_named);
    arguments.splice(options..options, words);
    arguments
}

/// Help about a command or a topic; without one, the short help.
fn help(about: Option<String>) -> String {
    let mut command = command();
    command.build();
    let Some(about) = about else {
        return command.render_help().to_string();
    };
    if let Some(topic) = Topic::ALL.into_iter().find(|topic| topic.name() == about) {
        return topic.text();
    }
    let of = command.find_subcommand_mut(&about);
    of.map_or(String::new(), |of| of.render_long_help().to_string())
}

const FILES: &str = "named files";
const FLAGS: &str = "compiler flags";
const PROOF: &str = "proof";
const STAGE: &str = "stage";
const SCHEDULE: &str = "schedule";
const WITNESS: &str = "validated witness";
const OUTCOME: &str = "outcome";
const SHELL: &str = "shell";
const FOLDER: &str = "folder";
const NUMBER: &str = "number";
const JOURNALS: &str = "journals";
const MARKDOWN: &str = "markdown";
const TOPIC: &str = "topic";

const VERIFY: &str = "Verify a program; the same as without a command";

/// The syntax of all commands, with their help.
pub fn command() -> Command {
    let stage = Arg::new(STAGE)
        .long(STAGE)
        .required(true)
        .value_name("STAGE")
        .value_parser(|text: &str| one_of(text, &Stage::ALL, Stage::name))
        .help(format!(
            "What to show: {}",
            Stage::ALL.map(Stage::name).join(", ")
        ));
    let show = Command::new("show")
        .about("Show what one stage makes of a program")
        .arg_required_else_help(true)
        .after_help(format!("Stages:\n{}", stages()))
        .arg(stage)
        .arg(files())
        .arg(flags());
    let check = Command::new("check")
        .about("Check what a proof rests on, without searching again")
        .arg(path(
            PROOF,
            "PROOF",
            "A file that `--proof-out` has written",
        ))
        .arg(files())
        .arg(flags());
    let replay = Command::new("replay")
        .about("Execute the schedule of a counterexample again, and show it")
        .long_about(
            "Execute the schedule of a counterexample again, and show it.\n\n\
             A counterexample ends with its schedule, which is one line: who moves when, and every value that the program leaves open. \
             With the files and the options of reading that it was found with, it leads to the same violation; nothing is searched \
             for or solved. The exit code is 10 if it does, and 5 if the program does something else.",
        )
        .arg(
            Arg::new(SCHEDULE)
                .long(SCHEDULE)
                .required(true)
                .value_name("SCHEDULE")
                .help("The schedule, as a counterexample ends with it"),
        )
        .arg(files())
        .arg(flags());
    let validate = Command::new("validate")
        .about("Look for the violation that a witness describes")
        .long_about(
            "Look for the violation that a witness describes.\n\n\
             The interpreter looks for an execution that passes what the witness names, and nothing is solved. What is found is replayed \
             and shown as by verification. The property is that of the witness, unless one is named. The exit code is 10 if there is such \
             an execution, 5 if none is found, and 2 if the witness cannot be read or is about other files.",
        )
        .arg(
            Arg::new(WITNESS)
                .long("witness")
                .required(true)
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The witness: GraphML 1.0 (.graphml), or YAML 2.x (.yml, .yaml)"),
        )
        .arg(files())
        .arg(flags());
    let trace = Command::new("trace")
        .about("Print an outcome that `--json` has written")
        .long_about(
            "Print an outcome that `--json` has written, with its counterexamples.\n\n\
             The text is that of the run, and so is the exit code, unless a signal ended it; the files of the program are not needed.",
        )
        .arg(path(OUTCOME, "FILE", "A file that `--json` has written"));
    let sweep = Command::new("sweep")
        .about("Verify under a grid of schemes and bounds; print a table")
        .arg(
            path(
                FILES,
                "FILE",
                "C files, verification tasks (.yml) that name one, lists of patterns of such files (.set), or one experiment (.toml): 'files' and options",
            )
            .required(false)
            .required_unless_present("collect")
            .action(ArgAction::Append)
            .num_args(1..),
        )
        .after_help(sweep::after_help());
    let job = Command::new("job")
        .about("Run one job of a sweep that `selvedge sweep --plan` has written")
        .long_about(
            "Run one job of a sweep that `selvedge sweep --plan DIR` has written.\n\n\
             It leaves a file in the folder, whole or not at all, and ends with the exit code 0 if that is there, whatever the answers \
             are. Jobs may be run in any order, on any machine that sees the folder, at once, and again; one whose file is there does \
             nothing. `selvedge sweep --collect DIR` makes the table.",
        )
        .arg(path(FOLDER, "DIR", "The folder of the plan"))
        .arg(
            Arg::new(NUMBER)
                .value_name("N")
                .required(true)
                .value_parser(value_parser!(usize))
                .help("The number of the job, from 0"),
        );
    let report = Command::new("report")
        .about("Show journals of sweeps: as a table, a page, or values")
        .arg(
            path(JOURNALS, "JOURNAL", "Journals of sweeps")
                .action(ArgAction::Append)
                .num_args(1..),
        );
    let config = Command::new("config")
        .about("Print the options in force, and where each comes from")
        .long_about(
            "Print the options in force for verification, and where each comes from: the command line, selvedge.toml in the \
             current folder, or their defaults. What is printed may stand in such a file.",
        );
    let completions = Command::new("completions")
        .about("Print a script that completes command lines in a shell")
        .arg(
            Arg::new(SHELL)
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        );
    let man = Command::new("man")
        .about("Print the man page, or write that of every command to a folder")
        .arg(
            path(
                FOLDER,
                "DIR",
                "A folder that exists; without it, the page goes to standard output",
            )
            .required(false),
        )
        .arg(
            Arg::new(MARKDOWN)
                .long(MARKDOWN)
                .action(ArgAction::SetTrue)
                .requires(FOLDER)
                .help("Write the chapters of the manual on options and functions instead, as Markdown"),
        );
    // Their options are listed for whoever names one of them.
    let commands = [
        Command::new("verify")
            .about(VERIFY)
            .defer(|command| verifying(command).about(VERIFY)),
        show.defer(|command| with(command, option::Command::Show)),
        check.defer(|command| with(command, option::Command::Check)),
        replay.defer(|command| with(command, option::Command::Replay)),
        validate.defer(|command| with(command, option::Command::Validate)),
        trace.defer(|command| with(command, option::Command::Trace)),
        sweep.defer(|command| with_help(command.args(sweep_arguments()))),
        with_help(job),
        report.defer(|command| with_help(command.args(arguments(&report::options())))),
        config.defer(|command| with(command, option::Command::Verify)),
        with_help(completions),
        with_help(man),
    ];
    let names = commands.iter().map(|one| {
        let about = one.get_about().map(ToString::to_string);
        PossibleValue::new(one.get_name().to_string()).help(about.unwrap_or_default())
    });
    let topics = Topic::ALL.map(|topic| PossibleValue::new(topic.name()).help(topic.about()));
    let names = PossibleValuesParser::new(names.chain(topics));
    let help = Command::new("help")
        .about("Explain a command or a topic")
        .arg(
            Arg::new(TOPIC)
                .value_name("TOPIC")
                .value_parser(names)
                .help("A command or a topic; without it, the short help is printed"),
        );
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .help("Print the version");
    verifying(Command::new("selvedge"))
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .arg(only_long(version))
        .max_term_width(100)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .subcommands(commands)
        .subcommand(with_help(help))
}

/// A command with its options.
fn with(command: Command, of: option::Command) -> Command {
    with_help(command.args(arguments(&options::of(of))))
}

/// A command with the option for its help, which all have of their own: the short help of verification hides it.
fn with_help(command: Command) -> Command {
    command.arg(help_option())
}

fn help_option() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help("Print help: -h in short")
}

/// An argument that the short help leaves out.
fn only_long(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    argument.long_help(help).hide_short_help(true)
}

/// A command that verifies.
fn verifying(command: Command) -> Command {
    let options = options::of(option::Command::Verify);
    let arguments = arguments(&options)
        .into_iter()
        .chain([files(), flags(), help_option()]);
    command
        .about("A bounded model checker for multi-threaded C")
        .long_about(
            "A bounded model checker for multi-threaded C.\n\n\
             Answers whether any schedule, under any input, violates an assertion, uses memory that is not there, or does something \
             else that is undefined. The last line of standard output is the verdict.",
        )
        .arg_required_else_help(true)
        .after_help(short_help(&options))
        .after_long_help(format!("{}\n{}", after_help(), topics()))
        .args(arguments.map(only_long))
}

/// The options of the short help, and where the rest is.
fn short_help(options: &[Opt<Options>]) -> String {
    let mut options: Vec<&Opt<Options>> = options.iter().collect();
    options.sort_by_key(|option| option.group.place());
    let rows: Vec<_> = options.into_iter().filter_map(Opt::line).collect();
    format!(
        "Options:\n{}\nAll options: selvedge --help. {}",
        columns(&rows),
        topics()
    )
}

fn topics() -> String {
    let names = Topic::ALL.map(Topic::name).join(", ");
    format!("Explanations: selvedge help TOPIC, of\n{names}.")
}

/// The files of a program.
fn files() -> Arg {
    let help = "The C files of a program (- is standard input), or a verification task (.yml) that names them";
    path(FILES, "FILE", help)
        .required(false)
        .required_unless_present("compile-commands")
        .action(ArgAction::Append)
        .num_args(1..)
}

/// Flags of a compiler, behind `--`.
fn flags() -> Arg {
    Arg::new(FLAGS)
        .value_name("FLAG")
        .last(true)
        .allow_hyphen_values(true)
        .num_args(0..)
        .help("Flags of a compiler for all files: -D, -I, -include, -std=, -m32 and others mean what they say, and those about code and warnings nothing")
}

fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .value_name(value)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

/// Options by headings.
fn arguments<T: Default + 'static>(options: &[Opt<T>]) -> Vec<Arg> {
    let mut options: Vec<&Opt<T>> = options.iter().collect();
    options.sort_by_key(|option| option.group.place());
    options.into_iter().map(Opt::argument).collect()
}

/// Options of sweeps and of their cells, by headings; a sweep's own are first under each.
fn sweep_arguments() -> Vec<Arg> {
    let own = sweep::options();
    let cells = options::of(option::Command::Sweep);
    let own = own.iter().map(|option| (option.group, option.argument()));
    let cells = cells.iter().map(|option| (option.group, option.argument()));
    let mut all: Vec<_> = own.chain(cells).collect();
    all.sort_by_key(|(group, _)| group.place());
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
