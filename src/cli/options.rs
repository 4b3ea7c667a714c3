//! The table of options: a row says all that there is to know about one. Options of schemes are rows of their own tables,
//! and formats of reports of theirs, from which the rows here are made.

pub use super::asked::Options;
use super::asked::UnwindOf;
use super::harness;
use super::option::{Command, Group, Opt};
use super::{printing, processors};
use crate::base::DataModel;
use crate::base::option::{number, one_of};
use crate::event::MemoryModel;
use crate::ir::{Check, Checks};
use crate::library::{External, Preference, Undeclared};
use crate::sat::SolverKind;
use crate::scheme::Scheme;
use crate::session::Engine;
use std::time::Duration;

type Row = Opt<Options>;

/// Names of several checks together.
const SETS: [(&str, Checks); 2] = [("all", Checks::ALL), ("default", Checks::DEFAULT)];

/// The checks of a name.
fn checks(text: &str) -> Result<Checks, String> {
    let sets = SETS.iter().map(|(name, set)| (*name, *set));
    let single = Check::ALL.map(|check| (check.name(), [check].into_iter().collect()));
    let all: Vec<(&str, Checks)> = single.into_iter().chain(sets).collect();
    one_of(text, &all, |(name, _)| name).map(|(_, checks)| checks)
}

/// Commands that verify.
const SOLVE: &[Command] = &[Command::Verify, Command::Show, Command::Sweep];
/// Commands that verify with one scheme and one bound, or with rising ones.
const ONE: &[Command] = &[Command::Verify, Command::Show];
/// Commands about one program, which may have several files.
const ONE_PROGRAM: &[Command] = &[
    Command::Verify,
    Command::Show,
    Command::Check,
    Command::Replay,
    Command::Validate,
];
/// All commands.
const ALL: &[Command] = &[
    Command::Verify,
    Command::Show,
    Command::Check,
    Command::Replay,
    Command::Validate,
    Command::Sweep,
];
/// Commands that read the file of defaults, and the one that never does.
const CONFIGURED: &[Command] = &[
    Command::Verify,
    Command::Show,
    Command::Check,
    Command::Replay,
    Command::Validate,
    Command::Trace,
    Command::Sweep,
];

/// All options of runs, in the order of the help under each heading, of refusals, and of words in journals.
pub fn options() -> Vec<Row> {
    let all = [
        input(),
        harness::rows(ONE_PROGRAM),
        warnings(),
        no_config(),
        engines(),
        question(),
        unwinding(),
        resources(),
        processors::rows(),
        printing::rows(),
    ];
    all.into_iter().flatten().collect()
}

/// The options of a command.
pub fn of(command: Command) -> Vec<Row> {
    let all = options().into_iter();
    all.filter(|option| option.commands.contains(&command))
        .collect()
}

fn input() -> Vec<Row> {
    let options = vec![
        Row::flag("32", "int, long and pointers have 32 bits (ILP32)", |to| {
            to.model = Some(DataModel::Ilp32);
        })
        .against("64"),
        Row::flag(
            "64",
            "int has 32 bits, long and pointers have 64 (LP64); the default",
            |to| to.model = Some(DataModel::Lp64),
        ),
        Row::value("D", "NAME[=VALUE]", "Define a macro", |to, text| {
            to.reading.defines.push(text.to_string());
            Ok(())
        })
        .long("define")
        .brief("Define a macro")
        .each()
        .in_text(),
        Row::value(
            "U",
            "NAME",
            "Undefine a macro that is predefined or was defined by -D",
            |to, text| {
                to.reading.undefines.push(text.to_string());
                Ok(())
            },
        )
        .long("undefine")
        .each()
        .in_text(),
        Row::path(
            "I",
            "FOLDER",
            "Search a folder for headers, before the bundled ones",
            |to, path| to.reading.includes.push(path.to_path_buf()),
        )
        .long("include")
        .brief("Search a folder for headers")
        .each()
        .in_text(),
        Row::path(
            "isystem",
            "FOLDER",
            "Search a folder for headers that are not bundled",
            |to, path| to.reading.system_includes.push(path.to_path_buf()),
        )
        .each()
        .in_text(),
        Row::path(
            "compile-commands",
            "FILE",
            "Take flags of files from a compilation database (compile_commands.json), and without FILEs its C files as well",
            |to, path| to.compile_commands = Some(path.to_path_buf()),
        )
        .commands(ONE_PROGRAM),
        Row::value(
            "files",
            "GLOB",
            "Of the compilation database, the files of a pattern such as 'src/**/*.c'",
            |to, text| {
                to.patterns.push(text.to_string());
                Ok(())
            },
        )
        .each()
        .commands(ONE_PROGRAM),
        Row::value(
            "cpp",
            "COMMAND",
            "Preprocess with this command instead of the built-in preprocessor, such as \"cc -E\"",
            |to, text| {
                to.reading.cpp = Some(text.to_string());
                Ok(())
            },
        )
        .in_text(),
        Row::value(
            "undeclared",
            "error|nondet",
            "What a call of a function means that nobody declares or defines: an error, or nondet (its result is any \
             value). Names that Selvedge knows are those",
            |to, text| {
                to.reading.undeclared = one_of(text, &Undeclared::ALL, Undeclared::name)?;
                Ok(())
            },
        )
        .last(),
        Row::flag(
            "malloc-may-fail",
            "Allocations may fail: malloc and its like give the null pointer, or not. Otherwise none does, and the coverage says so",
            |to| {
                to.reading.malloc_may_fail = true;
            },
        ),
        Row::value(
            "rwlock",
            "readers|any",
            "Who comes first at a read-write lock: readers (the default, as in the GNU C library), or any (readers, or writers: \
             then a reader waits while a writer waits)",
            |to, text| {
                to.reading.rwlock = one_of(text, &Preference::ALL, Preference::name)?;
                Ok(())
            },
        )
        .last(),
        Row::value(
            "extern",
            "nondet|pure|error",
            "What a call of a function means that is declared and has no body: nondet (the default: its result is any \
             value; not supported if it gets a pointer to memory of the program), pure (the same, and it writes no memory) \
             or error",
            |to, text| {
                to.reading.external = one_of(text, &External::ALL, External::name)?;
                Ok(())
            },
        )
        .last(),
    ];
    Row::group(Group::Input, ALL, options)
}

/// Warnings about the program.
fn warnings() -> Vec<Row> {
    let options = vec![
        Row::value(
            "warn",
            "NAME,…",
            "Warnings that are told: one of this name, besides those that are told anyway, or with no- before its name not this one; \
             all, none, or default. `selvedge help warnings` lists them",
            |to, text| {
                to.reading.warnings = to.reading.warnings.with(text)?;
                Ok(())
            },
        )
        .list(),
        Row::flag(
            "deny-warnings",
            "A warning about the program is an error: exit with 2",
            |to| to.reading.deny_warnings = true,
        ),
    ];
    Row::group(Group::Input, ALL, options)
}

/// The option that keeps a file of defaults out.
pub const NO_CONFIG: &str = "no-config";

/// An option that is none of the program's: who reads the file of defaults asks for it.
fn no_config() -> Vec<Row> {
    let option = Row::flag(
        NO_CONFIG,
        "Do not read selvedge.toml, which gives defaults of options for runs in its folder (a sweep never reads it)",
        |_| {},
    );
    Row::group(Group::Input, CONFIGURED, vec![option])
}

/// `auto` and the names of all schemes.
pub fn names_of_schemes() -> String {
    let schemes = Scheme::all().into_iter().map(Scheme::name);
    let all: Vec<&str> = [Engine::Auto.name()].into_iter().chain(schemes).collect();
    all.join(", ")
}

fn engines() -> Vec<Row> {
    let mut options = Row::group(
        Group::Bounds,
        SOLVE,
        vec![
            Row::value(
                "scheme",
                "SCHEME",
                format!(
                    "How memory is encoded: {}, or modular for a proof without bounds",
                    names_of_schemes()
                ),
                |to, text| {
                    to.request.engine = engine(text)?;
                    Ok(())
                },
            )
            .default(Engine::Auto.name())
            .brief("How schedules are encoded: `selvedge help schemes`")
            .commands(ONE),
        ],
    );
    for scheme in Scheme::all() {
        let own = scheme.options().into_iter().map(|own| {
            let set = move |to: &mut Options, text: &str| {
                let mut scheme = match to.request.engine {
                    Engine::Scheme(asked) if asked.name() == scheme.name() => asked,
                    _ => scheme,
                };
                scheme.set(own.name, text)?;
                to.request.engine = Engine::Scheme(scheme);
                Ok(())
            };
            Row::value(own.name, own.value, own.help, set)
                .only(scheme.name())
                .commands(ONE)
        });
        let group = Group::Scheme(scheme.name());
        options.extend(Row::group(group, SOLVE, own.collect()));
    }
    let unwind = Row::value(
            "unwind",
            "N",
            "Iterations of every loop; without it 1, 2, 4, … until the answer is complete or time is up",
            |to, text| {
                to.request.unwind = Some(number(text, 1, MOST_ITERATIONS)?);
                Ok(())
            },
        )
        .brief("Iterations of loops; without it they rise")
        .unrolling()
        .commands(ONE);
    let levels = vec![
        Row::value(
            "levels",
            "N,…",
            "Rounds of the lazy scheme, or writes of mu (or what --levels-of says), to answer for one after the other, by one solver that keeps what it has learnt: up to the first violation or complete answer. Ascending; with --unwind and --levels-json",
            |to, text| {
                to.request.levels.push(number(text, 1, MOST_LEVEL)?);
                Ok(())
            },
        )
        .list()
        .commands(&[Command::Verify]),
        Row::value(
            "levels-of",
            "OPTION",
            "The option whose values --levels are: rounds or max-clock (with --rounds) of the lazy scheme, writes of mu",
            |to, text| {
                to.request.levels_of = Some(text.to_string());
                Ok(())
            },
        )
        .commands(&[Command::Verify]),
        Row::path(
            "levels-json",
            "FILE",
            "Append the outcome of each of the --levels to FILE as it is known, a line of JSON each",
            |to, path| to.output.levels = Some(path.to_path_buf()),
        )
        .commands(&[Command::Verify]),
    ];
    options.extend(Row::group(Group::Bounds, SOLVE, vec![unwind]));
    options.extend(Row::group(Group::Bounds, SOLVE, levels));
    options
}

fn question() -> Vec<Row> {
    let options = vec![
        Row::value(
            "property",
            "reach|FILE.prp",
            "reach (the same as --check assert), or a property file, which implies --first",
            |to, text| {
                to.property = Some(text.to_string());
                Ok(())
            },
        )
        .against("check")
        .commands(&[
            Command::Verify,
            Command::Show,
            Command::Replay,
            Command::Validate,
            Command::Sweep,
        ]),
        Row::value(
            "check",
            "NAME,…",
            "What to look for: assert (assertions and reach_error()), memory (invalid accesses and frees), race (data races), undefined (other \
             undefined behaviour), misuse (of thread functions), deadlock (threads that are blocked for ever), leak (lost memory), overflow (of signed \
             numbers), all of these; cleanup (memory that is not freed); or default (all but leak, overflow and cleanup), which is what is \
             looked for without this option",
            |to, text| {
                let named = checks(text)?;
                to.single.extend(Check::ALL.into_iter().filter(|one| one.name() == text));
                to.checks.extend(named.iter());
                Ok(())
            },
        )
        .list()
        .brief("What to look for: `selvedge help checks`")
        .commands(ONE_PROGRAM),
        Row::flag("first", "End the search at the first violation, and not where all are found", |to| {
            to.first = true;
        }),
        Row::path(
            "suppress",
            "FILE",
            "Findings that do not count: FILE has a fingerprint a line, as they are printed with findings",
            |to, path| to.suppress.push(path.to_path_buf()),
        )
        .each()
        .commands(&[Command::Verify, Command::Sweep]),
        Row::value(
            "memory-model",
            "MODEL",
            "Memory model: sc (sequential consistency), tso or pso (store buffers)",
            |to, text| {
                to.request.memory = one_of(text, &MemoryModel::ALL, MemoryModel::name)?;
                Ok(())
            },
        )
        .alias("mm")
        .brief("sc, tso or pso: `selvedge help memory-models`")
        .default(MemoryModel::Sc.name())
        .commands(ONE),
    ];
    Row::group(Group::Checks, SOLVE, options)
}

fn unwinding() -> Vec<Row> {
    let options = vec![
        Row::value(
            "unwindset",
            "F.L:N,…",
            "Iterations of single loops: loop L (from 0, by position) of function F",
            |to, text| {
                to.unwind_of.push(unwind_of(text)?);
                Ok(())
            },
        )
        .list()
        .brief("Of single loops: `selvedge show --stage loops`")
        .unrolling(),
    ];
    let hierarchy = Row::value(
            "hierarchy",
            "auto|ROUTINE,…",
            "In the modular scheme, only verify threads one by one: those with these start routines first (auto: in the \
             order of the data flow), each with what it has to know of the others. Without --scheme, implies modular",
            |to, text| {
                let mut names = match &mut to.request.engine {
                    Engine::Modular { hierarchy } => hierarchy.take().unwrap_or_default(),
                    _ => Vec::new(),
                };
                names.extend((text != "auto").then(|| text.to_string()));
                let hierarchy = Some(names);
                to.request.engine = Engine::Modular { hierarchy };
                Ok(())
            },
        )
        .list()
        .only(MODULAR.name());
    let others = vec![
        Row::value("recursion", "N", "Depth of recursion", |to, text| {
            to.request.recursion = Some(number(text, 0, 100_000)?);
            Ok(())
        })
        .unrolling()
        .commands(ONE),
        Row::value(
            "threads",
            "T",
            "Threads that may run besides main; further ones are created but never run",
            |to, text| {
                to.request.threads = Some(number(text, 1, 100_000)?);
                Ok(())
            },
        )
        .alias("max-threads")
        .unrolling()
        .commands(ONE),
        Row::flag(
            "no-idle-rule",
            "Unwind also loop iterations that change nothing (spinning)",
            |to| to.request.idle_rule = false,
        ),
    ];
    let mut all = Row::group(Group::Bounds, SOLVE, options);
    all.extend(Row::group(
        Group::Scheme(MODULAR.name()),
        SOLVE,
        vec![hierarchy],
    ));
    all.extend(Row::group(Group::Bounds, SOLVE, others));
    all
}

fn resources() -> Vec<Row> {
    let options = vec![
        Row::value(
            "solver",
            "SOLVER",
            "SAT solver: cadical or varisat",
            |to, text| {
                to.request.solver = text.parse()?;
                Ok(())
            },
        )
        .default(SolverKind::DEFAULT.name())
        .commands(ONE_PROGRAM),
        Row::value(
            "seed",
            "N",
            "Vary the solver's random choices",
            |to, text| {
                to.request.seed = number(text, 0, 2_000_000_000)?;
                Ok(())
            },
        )
        .default("0")
        .commands(ONE_PROGRAM),
        Row::value(
            "timeout",
            "SECONDS",
            "Give up after this much processor time",
            |to, text| {
                to.limits.cpu = Some(seconds(text)?);
                Ok(())
            },
        )
        .brief("Give up after so much processor time")
        .limit(),
        Row::value(
            "wall",
            "SECONDS",
            "Give up after this much wall time",
            |to, text| {
                to.limits.wall = Some(seconds(text)?);
                Ok(())
            },
        )
        .limit(),
        Row::value(
            "memory",
            "MB",
            "Give up when the process holds this much memory",
            |to, text| {
                let megabytes = number(text, 16, 1 << 24)?;
                to.limits.memory_bytes = Some(u64::from(megabytes) << 20);
                Ok(())
            },
        )
        .brief("Give up when so much memory is held")
        .limit(),
    ];
    Row::group(Group::Resources, ALL, options)
}

/// The most iterations that can be asked for.
pub const MOST_ITERATIONS: u32 = 1_000_000;

/// The highest level that can be asked for.
const MOST_LEVEL: u32 = 100_000;

/// The scheme without bounds.
const MODULAR: Engine = Engine::Modular { hierarchy: None };

/// The engine of this name.
///
/// # Errors
/// There is none; lists the names.
pub fn engine(text: &str) -> Result<Engine, String> {
    Engine::named(text).ok_or_else(|| {
        let all = Engine::all();
        let names: Vec<&str> = all.iter().map(Engine::name).collect();
        let (last, others) = names.split_last().expect("there is auto");
        format!("expected {} or {last}", others.join(", "))
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds greater than 0, such as 900 or 0.5".to_string();
    let value: f64 = text.parse().map_err(|_| expected())?;
    match Duration::try_from_secs_f64(value) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(expected()),
    }
}

fn unwind_of(text: &str) -> Result<UnwindOf, String> {
    let expected = || "expected FUNCTION.LOOP:N, such as main.0:5".to_string();
    let (place, iterations) = text.rsplit_once(':').ok_or_else(expected)?;
    let (function, of_function) = place.rsplit_once('.').ok_or_else(expected)?;
    if function.is_empty() {
        return Err(expected());
    }
    Ok(UnwindOf {
        function: function.to_string(),
        number: of_function.parse().map_err(|_| expected())?,
        iterations: number(iterations, 0, MOST_ITERATIONS)?,
    })
}
