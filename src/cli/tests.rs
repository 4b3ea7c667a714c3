//! Command lines and what they mean.

use super::args::{self, Line};
use super::asked::UnwindOf;
use super::config::{Config, Job};
use super::option::Command;
use super::options;
use super::refusal::Refusal;
use crate::base::DataModel;
use crate::event::MemoryModel;
use crate::outcome::exit;
use crate::sat::SolverKind;
use crate::scheme::lazy::{self, Prune};
use crate::scheme::mu::{self, Variant};
use crate::session::{Engine, Stage};
use std::ffi::OsString;
use std::time::Duration;

fn parse(arguments: &str) -> Result<Config, String> {
    let words = std::iter::once("selvedge").chain(arguments.split_whitespace());
    let line = args::parse(words.map(OsString::from)).map_err(|error| error.to_string())?;
    let config = match line {
        Line::Run { job, named, given } => Config::of(job, named, &given),
        _ => panic!("this is no run: {arguments}"),
    };
    config.map_err(|refusal| match refusal {
        Refusal::Usage(message) => format!("usage: {message}"),
        Refusal::Input(message) | Refusal::Diagnostic(message) => format!("input: {message}"),
    })
}

#[test]
fn defaults() {
    let config = parse("a.c").unwrap();
    assert_eq!(
        (config.job.clone(), config.files[0].to_str()),
        (Job::Verify, Some("a.c"))
    );
    assert_eq!(
        (config.model(), config.options.request.memory),
        (DataModel::Lp64, MemoryModel::Sc)
    );
    assert_eq!(
        (
            &config.options.request.engine,
            config.options.request.solver
        ),
        (&Engine::Auto, SolverKind::DEFAULT)
    );
    assert!(
        config.options.request.unwind.is_none()
            && config.options.request.idle_rule
            && config.options.unwind_of.is_empty()
    );
    assert!(
        config.options.output.trace
            && config.options.output.warnings
            && !config.options.output.require_complete
    );
    assert_eq!(config.options.reading.cpp, None);
}

#[test]
fn every_option_arrives() {
    let config = parse(
        "--32 -DA -D B=2 -UC -I inc --isystem sys --cpp clang --property reach --mm sc --scheme lazy --rounds 3 --unwind 4 \
         --unwindset f.0:5,g.1:6 --recursion 7 --threads 8 --no-idle-rule --solver varisat --seed 9 \
         --timeout 10 --wall 0.5 --memory 100 --json o.json --dimacs o.cnf --require-complete --no-trace -v a.c",
    )
    .unwrap();
    assert_eq!(config.model(), DataModel::Ilp32);
    assert_eq!(config.options.reading.defines, ["A", "B=2"]);
    assert_eq!(config.options.reading.undefines, ["C"]);
    assert_eq!(
        (
            config.options.reading.includes.len(),
            config.options.reading.system_includes.len()
        ),
        (1, 1)
    );
    assert_eq!(config.options.reading.cpp.as_deref(), Some("clang"));
    assert_eq!(
        config.options.request.engine,
        Engine::Scheme(lazy::Settings::rounds(3).into())
    );
    let bounds = &config.options.request;
    let numbers = (
        bounds.unwind,
        bounds.recursion,
        bounds.threads,
        bounds.idle_rule,
    );
    assert_eq!(numbers, (Some(4), Some(7), Some(8), false));
    let single = |of: &UnwindOf| (of.function.clone(), of.number, of.iterations);
    let singles: Vec<_> = config.options.unwind_of.iter().map(single).collect();
    assert_eq!(singles, [("f".to_string(), 0, 5), ("g".to_string(), 1, 6)]);
    assert_eq!((bounds.solver, bounds.seed), (SolverKind::Varisat, 9));
    let limits = config.options.limits;
    let times = (limits.cpu, limits.wall, limits.memory_bytes);
    assert_eq!(
        times,
        (
            Some(Duration::from_secs(10)),
            Some(Duration::from_millis(500)),
            Some(100 << 20)
        )
    );
    let output = &config.options.output;
    assert!(
        output.reports.files().count() == 1 && output.dimacs.is_some() && output.require_complete
    );
    assert!(!output.trace && output.verbosity == 1);
}

#[test]
fn an_option_means_the_scheme_that_has_it() {
    let engine = |arguments| parse(arguments).unwrap().options.request.engine;
    for (arguments, name) in [
        ("--rounds 2 a.c", "lazy"),
        ("--steps 9 a.c", "step"),
        ("--writes 9 a.c", "mu"),
        ("--mu auto a.c", "mu"),
        ("--hierarchy auto a.c", "modular"),
    ] {
        assert_eq!(engine(arguments).name(), name);
    }
    assert_eq!(
        engine("--scheme mu --mu fine-mixed --writes auto a.c"),
        Engine::Scheme(mu::Settings::of(Variant::FineMixed).into())
    );
    assert_eq!(
        engine("--rounds 2..5 --prune none a.c"),
        Engine::Scheme(
            lazy::Settings {
                prune: Prune::None,
                ..lazy::Settings::rising(2, 5)
            }
            .into()
        )
    );
}

#[test]
fn show_takes_the_same_questions() {
    let config = parse("show --stage events --unwind 2 --64 a.c").unwrap();
    assert_eq!(
        (config.job, config.options.request.unwind),
        (Job::Show(Stage::Events), Some(2))
    );
}

#[test]
fn what_makes_no_sense_is_told() {
    for (arguments, expected) in [
        ("", "[FILE]"),
        ("--unwind 2", "<FILE>"),
        ("--rounds 0 a.c", "from 1 to 1000"),
        ("--unwind 0 a.c", "from 1 to"),
        ("--unwind 99999999999999999999 a.c", "from 1 to"),
        ("--unwind -1 a.c", "unexpected argument"),
        ("--threads 0 a.c", "from 1 to"),
        ("--memory 1 a.c", "from 16 to"),
        ("--timeout nan a.c", "number of seconds"),
        ("--timeout 0 a.c", "number of seconds"),
        ("--mm power a.c", "expected sc, tso or pso"),
        (
            "--mm tso --scheme step a.c",
            "usage: --scheme step does not know the memory model tso; schemes that do: auto, order, lazy",
        ),
        ("--mm pso --writes 3 a.c", "--scheme mu does not know"),
        (
            "--mm tso --scheme modular a.c",
            "--scheme modular does not know",
        ),
        (
            "--mm tso --scheme timestamp a.c",
            "schemes that do: auto, order, lazy",
        ),
        ("--queue 2 a.c", "usage: --queue is about store buffers"),
        (
            "--mm tso --scheme lazy --sma none a.c",
            "expected lists or buffers",
        ),
        (
            "--mm tso --sma buffers --queue 3 a.c",
            "--queue bounds lists, not --sma buffers",
        ),
        (
            "--mm tso --scheme order --max-clock 2 a.c",
            "usage: --max-clock is an option of the lazy scheme",
        ),
        ("--mm pso --steps 3 a.c", "--scheme step does not know"),
        (
            "--mm pso --hierarchy auto a.c",
            "--scheme modular does not know",
        ),
        (
            "--check race --hierarchy auto a.c",
            "it has no meaning with --check race",
        ),
        (
            "--scheme nu a.c",
            "expected auto, order, lazy, timestamp, step, mu or modular",
        ),
        ("--solver minisat a.c", "expected cadical or varisat"),
        ("--unwindset main a.c", "FUNCTION.LOOP:N"),
        ("--scheme order --rounds 2 a.c", "usage: --rounds"),
        ("--scheme lazy --steps 2 a.c", "usage: --steps"),
        ("--scheme order --writes 2 a.c", "usage: --writes"),
        ("--scheme step --mu auto a.c", "usage: --mu"),
        ("--writes x a.c", "or auto"),
        ("--mu coarse a.c", "expected auto, fine-explicit"),
        (
            "--steps 2 --rounds 2 a.c",
            "usage: --steps is an option of the step scheme, not of lazy",
        ),
        ("--property no-deadlock a.c", "usage: --property"),
        ("--check races a.c", "expected memory, assert"),
        ("--check memory --dimacs a.cnf a.c", "usage: --dimacs"),
        ("--check memory --property reach a.c", "cannot be used with"),
        ("--json /no/such/folder/a.json a.c", "usage: cannot write"),
        ("/no/such/task.yml", "no such file"),
        ("-q -v a.c", "cannot be used with"),
        ("--32 --64 a.c", "cannot be used with"),
    ] {
        let message = parse(arguments).expect_err(arguments);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
}

#[test]
fn the_table_of_options_is_sound() {
    args::command().debug_assert();
}

#[test]
fn defaults_in_the_help_are_those_of_runs() {
    let bare = format!("{:?}", parse("a.c").unwrap());
    for option in options::of(Command::Verify) {
        if let Some(default) = option.default {
            let given = parse(&format!("{} {default} a.c", option.word())).unwrap();
            assert_eq!(format!("{given:?}"), bare, "--{}", option.name);
        }
    }
}

/// Every command is read with the names of its own files alone.
#[test]
fn every_command_reads_its_files() {
    for arguments in [
        "sweep a.c b.c",
        "check a.json a.c b.c",
        "show --stage ir a.c",
        "trace a.json",
    ] {
        let words = ["selvedge"].into_iter().chain(arguments.split(' '));
        let line = args::parse(words.map(OsString::from));
        let line = line.map_err(|error| error.to_string()).expect(arguments);
        if let Line::Sweep(sweep) = line {
            assert_eq!(sweep.files.len(), 2, "{arguments}");
        }
    }
}

#[test]
fn verify_is_the_same_as_no_command() {
    let of = |arguments: &str| format!("{:?}", parse(arguments).unwrap());
    assert_eq!(
        of("verify --unwind 3 -DA --define B a.c"),
        of("--unwind 3 -D A -D B a.c")
    );
    assert_eq!(of("--max-threads 3 a.c"), of("--threads 3 a.c"));
}

/// What a command line prints instead of a run, and whether it is an error.
fn printed(arguments: &str) -> (String, bool) {
    let words = std::iter::once("selvedge").chain(arguments.split_whitespace());
    match args::parse(words.map(OsString::from)) {
        Ok(Line::Text(text)) => (text, false),
        Ok(_) => panic!("{arguments} prints nothing"),
        Err(error) => (error.to_string(), error.use_stderr()),
    }
}

#[test]
fn the_short_help_fits_on_a_screen() {
    for arguments in ["-h", "help", "verify -h"] {
        let (text, is_error) = printed(arguments);
        assert!(!is_error && text.lines().count() <= 37, "{text}");
        let widths = text.lines().map(|line| line.chars().count());
        assert!(widths.max() <= Some(80), "{text}");
        for part in [
            "--unwind N ",
            "--check NAME",
            "selvedge --help",
            "help TOPIC",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("--rounds"), "{text}");
    }
    assert!(printed("").1, "a line without words is wrong usage");
}

#[test]
fn the_long_help_has_every_option_under_a_heading() {
    let (text, is_error) = printed("--help");
    assert!(!is_error);
    let headings = [
        "Input:",
        "Checks:",
        "Bounds:",
        "Scheme lazy:",
        "Scheme step:",
        "Scheme mu:",
        "Scheme modular:",
        "Resources:",
        "Output:",
    ];
    let found = text.lines().filter(|line| headings.contains(line));
    assert_eq!(found.collect::<Vec<_>>(), headings);
    for option in options::of(Command::Verify) {
        assert!(text.contains(&option.word()), "{}", option.word());
    }
}

#[test]
fn commands_and_topics_are_explained() {
    for (arguments, part) in [
        ("help show", "Usage: selvedge show"),
        ("help verify", "Usage: selvedge verify"),
        ("help sweep", "Usage: selvedge sweep"),
        ("show -h", "loops   the loops of each function"),
        ("help verdicts", "VERIFICATION UNKNOWN"),
        ("help memory-models", "total store order"),
    ] {
        let (text, is_error) = printed(arguments);
        assert!(!is_error && text.contains(part), "{arguments}: {text}");
    }
    let (text, is_error) = printed("help nothing");
    assert!(is_error && text.contains("memory-models"), "{text}");
}

#[test]
fn show_without_a_stage_lists_them() {
    for arguments in ["show a.c", "show --unwind 2 a.c", "show"] {
        let (text, is_error) = printed(arguments);
        assert!(is_error, "{text}");
        for stage in Stage::ALL {
            let line = |line: &str| line.split_whitespace().next() == Some(stage.name());
            assert!(text.lines().any(line), "{}: {text}", stage.name());
        }
    }
}

#[test]
fn shells_and_man_know_the_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (text, _) = printed(&format!("completions {shell}"));
        assert!(text.contains("unwindset"), "{shell}");
    }
    let (page, _) = printed("man");
    for part in [
        "\\-\\-unwindset",
        "Iterations of single loops",
        ".SH BOUNDS",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_readme_has_every_exit_code() {
    let text = include_str!("../../README.md");
    for (code, meaning) in exit::ALL {
        let cell = format!("| {code} |");
        assert!(
            text.contains(&cell),
            "the readme has no exit code {code}, {meaning}"
        );
    }
    for code in [libc::SIGINT, libc::SIGTERM].map(exit::after_signal) {
        assert!(text.contains(&format!(" {code} after SIG")), "{code}");
    }
}
