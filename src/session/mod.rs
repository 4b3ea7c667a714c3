//! Sessions: a program that was read once, and what can be asked of it.
//!
//! The command line, the sweep's cells and other programs use Selvedge through a [`Session`]: for them,
//! it alone composes the stages.

mod error;
mod flags;
mod harness;
mod reproduce;
mod schedule;
mod show;
mod warnings;
mod witness;

pub use crate::ir::lower::Entry;
pub use crate::native::Reproduction;
pub use crate::verify::{Ceiling, Engine, Loop, Progress, Request, Split};
pub use error::Error;
pub use flags::{Dialect, Flags, Standard};
pub use harness::{Harness, parts};
pub use schedule::Schedule;
pub use show::Stage;

use crate::analysis::loops::Loops;
use crate::base::{Budget, DataModel, Diagnostic, Warnings};
use crate::ir::Program;
use crate::ir::lower::Unit;
use crate::ir::{Check, Checks};
use crate::library::{self, External, Preference, Undeclared};
use crate::modular::certificate::Certificate;
use crate::outcome::{Outcome, Subject};
use crate::question::Question;
use crate::sat::{SolverKind, dimacs};
use crate::source::place::Places;
use crate::source::place::short_file;
use crate::source::{self, Source, Sources};
use crate::syntax;
use crate::verify;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Options of reading a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Widths of the basic types; [`DataModel::Lp64`] by default.
    pub model: DataModel,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Macros that are not to be defined, in spite of what predefines them.
    pub undefines: Vec<String>,
    /// Folders that are searched for headers before the bundled ones.
    pub includes: Vec<PathBuf>,
    /// Folders that are searched for headers after the bundled ones.
    pub system_includes: Vec<PathBuf>,
    /// Flags of a compiler for all files.
    pub flags: Flags,
    /// Flags of a compiler for single files, by their names.
    pub flags_of: BTreeMap<PathBuf, Flags>,
    /// Command of another preprocessor, such as `cc -E`, to be split at blanks; `None` for the built-in one.
    pub cpp: Option<String>,
    /// Where execution begins, and what runs as threads.
    pub harness: Harness,
    /// Meaning of calls of functions that nothing declares; an error by default.
    pub undeclared: Undeclared,
    /// Meaning of calls of functions that are declared, have no body and are not known.
    pub external: External,
    /// Allocations may fail: `malloc` and its like give the null pointer, or not.
    pub malloc_may_fail: bool,
    /// Preference of read-write locks: who comes first where readers and writers wait.
    pub rwlock: Preference,
    /// Warnings that are told.
    pub warnings: Warnings,
    /// A warning is an error.
    pub deny_warnings: bool,
    /// Checks that are to be asked, [`Checks::DEFAULT`] by default. Some cost instructions, and can be asked only where the program was
    /// read for them: without [`Check::Overflow`](crate::Check::Overflow), signed numbers wrap.
    pub checks: Checks,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: DataModel::Lp64,
            defines: Vec::new(),
            undefines: Vec::new(),
            includes: Vec::new(),
            system_includes: Vec::new(),
            flags: Flags::default(),
            flags_of: BTreeMap::new(),
            cpp: None,
            harness: Harness::default(),
            undeclared: Undeclared::default(),
            external: External::default(),
            malloc_may_fail: false,
            rwlock: Preference::default(),
            warnings: Warnings::default(),
            deny_warnings: false,
            checks: Checks::DEFAULT,
        }
    }
}

impl Options {
    /// Those of preprocessing a file.
    pub(crate) fn source(&self, file: &Path) -> source::Options {
        // Flags that are given for all files go behind those of a single one.
        let own = self.flags_of.get(file);
        let flags: Vec<&Flags> = own.into_iter().chain([&self.flags]).collect();
        let standards = flags.iter().map(|flags| flags.standard);
        let mut chosen = standards.filter(|standard| *standard != Standard::default());
        source::Options {
            cpp: self.cpp.clone(),
            defines: all(&self.defines, &flags, |flags| &flags.defines),
            undefines: all(&self.undefines, &flags, |flags| &flags.undefines),
            quote_includes: all(&[], &flags, |flags| &flags.quote_includes),
            includes: all(&self.includes, &flags, |flags| &flags.includes),
            system_includes: all(&self.system_includes, &flags, |flags| {
                &flags.system_includes
            }),
            forced: all(&[], &flags, |flags| &flags.forced),
            bare: flags.iter().any(|flags| flags.bare),
            standard: chosen.next_back().unwrap_or_default(),
            dialect: Dialect {
                unsigned_char: flags.iter().any(|flags| flags.dialect.unsigned_char),
                short_enums: flags.iter().any(|flags| flags.dialect.short_enums),
            },
            model: self.model,
            appended: None,
            predefined: None,
        }
    }

    /// Those about functions that nobody defines.
    fn library(&self) -> library::Options {
        library::Options {
            undeclared: self.undeclared,
            external: self.external,
            malloc_may_fail: self.malloc_may_fail,
            rwlock: self.rwlock,
            open: false,
            entry: self.harness.entry(),
            checks: self.checks.and(Checks::LOWERED),
        }
    }
}

/// Error of statements that are to run as threads.
fn wrong_harness(why: String) -> Error {
    Error::Input(format!("selvedge: threads: {why}\n"))
}

/// A program that was read, and all that can be asked of it.
pub struct Session {
    source: Arc<Sources>,
    program: Arc<Program>,
    /// The same, read for the check of deadlocks, if it was to be read for others as well.
    waiting: Option<Arc<Program>>,
    /// Warnings, as they are shown.
    warnings: Vec<String>,
    /// Checks that it was read for.
    checks: Checks,
    /// The time that reading took.
    reading: Duration,
}

/// The answer to a request.
pub struct Answer {
    /// Verdict, findings, coverage, statistics.
    pub outcome: Outcome,
    /// The invariants that a successful verdict without bounds rests on, of [`Engine::Modular`] or of [`Engine::Auto`] where it was
    /// the one that answered; [`Session::check`] checks them again.
    pub certificate: Option<Certificate>,
    /// The question that the outcome answers, if the request wants it recorded.
    question: Option<Question>,
}

/// A formula that is satisfiable exactly if the property can be violated within the bounds that the coverage names.
pub struct Formula<'a>(&'a Question);

impl Formula<'_> {
    /// Writes the formula as a DIMACS file that begins with these comments.
    ///
    /// # Errors
    /// Those that `out` reports.
    pub fn write(&self, out: &mut dyn Write, comments: &[String]) -> io::Result<()> {
        dimacs::write(&self.0.clauses, out, comments, &self.0.units)
    }
}

impl Answer {
    /// The formula that the outcome is about; `None` if [`Request::record`] was not set, or nothing had to be solved.
    pub fn formula(&self) -> Option<Formula<'_>> {
        self.question.as_ref().map(Formula)
    }
}

impl Session {
    /// Reads a C file and everything that it includes. A file whose name ends in `.i` is not preprocessed.
    ///
    /// # Errors
    /// [`Error::Input`]: the file cannot be read, or is no C that is supported.
    pub fn load(file: &Path, options: &Options) -> Result<Session, Error> {
        Session::load_all(&[file], options)
    }

    /// Reads the C files of a program, each with everything that it includes, and links them. Their order does not matter.
    ///
    /// # Errors
    /// [`Error::Input`]: a file cannot be read, is no C that is supported, or does not go together with the others.
    pub fn load_all(files: &[impl AsRef<Path>], options: &Options) -> Result<Session, Error> {
        let since = Instant::now();
        Session::of(Session::sources(files, options)?, options, since)
    }

    /// Preprocessed texts of files, in an order that does not depend on that in which they are named.
    ///
    /// # Errors
    /// [`Error::Input`]: a file cannot be read or preprocessed.
    pub(crate) fn sources(
        files: &[impl AsRef<Path>],
        options: &Options,
    ) -> Result<Vec<Source>, Error> {
        let mut files: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
        let first = files.first().copied();
        files.sort();
        if let Some(twice) = files.windows(2).find(|pair| pair[0] == pair[1]) {
            let text = format!("selvedge: {} is named twice\n", twice[0].display());
            return Err(Error::Input(text));
        }
        let harness = options.harness.text().map_err(wrong_harness)?;
        let load = |file: &&Path| {
            let mut source = options.source(file);
            if Some(*file) == first {
                source.appended.clone_from(&harness);
            }
            Source::load(file, &source)
        };
        let loaded: Result<Vec<Source>, _> = files.par_iter().map(load).collect();
        loaded.map_err(Error::of)
    }

    /// Reads a program from its text, and everything that it includes. `file` is its name in messages and places, and
    /// what it includes is searched beside that.
    ///
    /// # Errors
    /// [`Error::Input`]: the text is no C that is supported.
    pub fn parse(file: &str, text: &str, options: &Options) -> Result<Session, Error> {
        let since = Instant::now();
        let harness = options.harness.text().map_err(wrong_harness)?;
        let text = text.to_string() + &harness.unwrap_or_default();
        let file = Path::new(file);
        let source = Source::preprocess(file, text, &options.source(file)).map_err(Error::of)?;
        Session::of(vec![source], options, since)
    }

    /// Reads a program from the preprocessed texts of its units, the loading of which began at some time.
    pub(crate) fn of(
        sources: Vec<Source>,
        options: &Options,
        since: Instant,
    ) -> Result<Session, Error> {
        let parsed: Vec<_> = sources.par_iter().map(syntax::parse_all).collect();
        let mut trees = Vec::new();
        let mut errors = String::new();
        let mut read = Vec::new();
        for (source, parsed) in sources.into_iter().zip(parsed) {
            match parsed {
                Ok(tree) => {
                    trees.push(tree);
                    read.push(source);
                }
                Err(all) => errors += &source::render_all(&source, &all),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Input(errors));
        }
        let source = Sources::new(read);
        let names = unit_names(&source);
        let units = source.units().zip(&trees).zip(&names);
        let units: Vec<Unit> = units
            .map(|(((start, text), tree), name)| Unit {
                tree,
                name,
                dialect: text.dialect,
                start,
                text: Some(text),
            })
            .collect();
        let shown = |all: Vec<Diagnostic>| Error::Input(source::render_all(&source, &all));
        let deadlocks = Checks::of(&[Check::Deadlock]);
        let others = options.checks.without(Check::Deadlock);
        let apart = options.checks != others && !others.is_empty();
        let read = |checks: Checks| {
            let library = library::Options {
                checks: checks.and(Checks::LOWERED),
                ..options.library()
            };
            library::read(&units, options.model, &library).map_err(shown)
        };
        let mut program = read(if apart { others } else { options.checks })?;
        let mut waiting = if apart { Some(read(deadlocks)?) } else { None };
        let source = Arc::new(source);
        let finish = |program: &mut Program| {
            warnings::choose(&mut program.warnings, &source, options.warnings);
            program.source = Some(Arc::clone(&source));
            if let Some(said) = options.harness.said() {
                program.begins = Some(said);
            }
        };
        for program in [Some(&mut program), waiting.as_mut()].into_iter().flatten() {
            finish(program);
            if let Some(open) = &mut program.open {
                finish(Arc::make_mut(open));
            }
        }
        let (told, denied) = (options.warnings, options.deny_warnings);
        let warnings = warnings::shown(&program.warnings, &source, told, denied)?;
        Ok(Session {
            warnings,
            source,
            program: Arc::new(program),
            waiting: waiting.map(Arc::new),
            checks: options.checks,
            reading: since.elapsed(),
        })
    }

    /// Warnings as they are to be shown, each with its place, its line and its name: those of the preprocessor, then the others,
    /// which are in [`Coverage::warnings`](crate::Coverage) as well.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The program's text, and the way from it to the user's files.
    pub(crate) fn source(&self) -> &Sources {
        self.source.as_ref()
    }

    /// The same, for other threads.
    pub(crate) fn shared_source(&self) -> Arc<Sources> {
        Arc::clone(&self.source)
    }

    /// A loop, by the name of its function and its number there (from 0, by position).
    ///
    /// # Errors
    /// [`Error::Request`]: there is no such function, or it has fewer loops.
    pub fn find_loop(&self, function: &str, number: u32) -> Result<Loop, Error> {
        let mut functions = self.program.functions.iter_ids();
        let found = functions.find(|(_, known)| known.name == function);
        let (id, found) =
            found.ok_or_else(|| Error::Request(format!("there is no function `{function}`")))?;
        let loops = Loops::of(found).heads().len();
        if (number as usize) < loops {
            Ok(Loop {
                function: id,
                number,
            })
        } else {
            let text = format!("`{function}` has {loops} loops, numbered from 0");
            Err(Error::Request(text))
        }
    }

    /// Verifies the program. `progress` is told of every level of bounds that is finished, and now and then how far the search
    /// without bounds has come.
    ///
    /// # Errors
    /// [`Error::Request`] if the request does not fit the program or this build, [`Error::Input`] if the program does not fit
    /// into the address space. The end of the budget is no error, but a verdict.
    pub fn verify(
        &self,
        request: &Request,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, Error> {
        self.was_read_for(request.checks.and(Checks::LOWERED))?;
        let mut told = |so_far: &Progress| {
            let outcome = so_far.outcome.cloned();
            let outcome = outcome.map(|outcome| self.about(outcome));
            progress(&Progress {
                words: so_far.words,
                outcome: outcome.as_ref(),
                finding: so_far.finding,
            });
        };
        let waiting = self.waiting.as_ref();
        let verified = verify::verify(&self.program, waiting, request, budget, &mut told)
            .map_err(|failure| Error::failed(&self.source, failure))?;
        let mut outcome = self.about(verified.outcome);
        outcome.statistics.stages.insert(0, ("read", self.reading));
        Ok(Answer {
            outcome,
            certificate: verified.certificate,
            question: verified.question,
        })
    }

    /// Checks the invariants of an earlier verdict, without searching for them again. The outcome is that verdict, or
    /// unknown if it does not follow.
    ///
    /// # Errors
    /// As for [`Session::verify`].
    pub fn check(
        &self,
        certificate: &Certificate,
        solver: SolverKind,
        budget: &Budget,
    ) -> Result<Answer, Error> {
        let program = self.program.open.as_ref().unwrap_or(&self.program);
        let outcome = verify::modular::check(program, certificate, solver, budget)
            .map_err(|failure| Error::failed(&self.source, failure))?;
        Ok(Answer {
            outcome: self.about(outcome),
            certificate: None,
            question: None,
        })
    }

    /// Executes a schedule, as a counterexample ends with it. The outcome is its violation, or unknown if the program does something else.
    ///
    /// # Errors
    /// [`Error::Request`]: the program was not read for the check that the schedule violates.
    pub fn replay(&self, schedule: &Schedule) -> Result<Answer, Error> {
        let check = schedule.check();
        self.was_read_for(Checks::of(&[check]))?;
        let program = match (&self.waiting, check) {
            (Some(waiting), Check::Deadlock) => waiting,
            _ => &self.program,
        };
        let outcome = verify::played(program, &schedule.0).unwrap_or_else(|diverged| {
            let why = schedule::words(&diverged, self.places());
            verify::unplayed(program, &schedule.0, why)
        });
        let mut outcome = self.about(outcome);
        outcome.statistics.stages.insert(0, ("read", self.reading));
        Ok(Answer {
            outcome,
            certificate: None,
            question: None,
        })
    }

    /// Names of the places of an answer, as reports need them.
    pub fn places(&self) -> &dyn Places {
        self.source.as_ref()
    }

    /// Looks whether the program was read for checks.
    ///
    /// # Errors
    /// [`Error::Request`]: it was not for one of them.
    fn was_read_for(&self, checks: Checks) -> Result<(), Error> {
        let missing = checks.iter().find(|check| !self.checks.contains(*check));
        match missing {
            None => Ok(()),
            Some(missing) => Err(Error::Request(format!(
                "the program was not read for the check {}",
                missing.name()
            ))),
        }
    }

    fn about(&self, outcome: Outcome) -> Outcome {
        Outcome {
            subject: Subject {
                file: self.source.names(),
                ..outcome.subject
            },
            ..outcome
        }
    }
}

/// A list of an option, with what flags add to it.
fn all<T: Clone>(first: &[T], flags: &[&Flags], of: fn(&Flags) -> &Vec<T>) -> Vec<T> {
    let more = flags.iter().flat_map(|flags| of(flags).iter().cloned());
    first.iter().cloned().chain(more).collect()
}

/// Names of units, to tell apart what several have under one name: without folders, unless that would be the same.
fn unit_names(sources: &Sources) -> Vec<String> {
    let full: Vec<String> = sources
        .paths()
        .map(|path| path.display().to_string())
        .collect();
    let short = |name: &String| short_file(name).to_string();
    let shorts: Vec<String> = full.iter().map(short).collect();
    let unique = |name: &String| shorts.iter().filter(|other| *other == name).count() == 1;
    let both = full.iter().zip(&shorts);
    both.map(|(full, short)| if unique(short) { short } else { full }.clone())
        .collect()
}
