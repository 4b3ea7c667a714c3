//! Functions that have no body and that the library does not know.

use crate::base::sorted::SortedSet;

use super::preference::Preference;
use super::site::Site;
use crate::base::{Diagnostic, Loc, Warning, WarningKind};
use crate::ir::lower::Entry;
use crate::ir::{Checks, ExternCall, Program};
use crate::source::known;

/// Meaning of calls of functions that nobody defines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    pub undeclared: Undeclared,
    pub external: External,
    /// Allocations of the program may fail.
    pub malloc_may_fail: bool,
    /// Preference of read-write locks: who comes first.
    pub rwlock: Preference,
    /// Functions whose results C leaves open return any value that these may be; otherwise a call of one is not supported.
    pub open: bool,
    /// The function that begins the program, if it is not `main`.
    pub entry: Option<Entry>,
    /// Checks that the program is read for. Deadlocks are asked of a program that is read for nothing else: misuse is not seen there.
    pub checks: Checks,
}

/// Meaning of a call of a function that nothing declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undeclared {
    /// An error of the input.
    #[default]
    Error,
    /// The same as one of a function that is declared ([`External`]; never an error).
    Nondet,
}

/// Meaning of a call of a function that is declared and has no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum External {
    /// The result is any value. It is not supported where it gets a pointer to memory of the program, which it might
    /// write.
    #[default]
    Nondet,
    /// The result is any value, a new one at each call, and no memory changes, whatever pointers it gets.
    Pure,
    /// An error of the input.
    Error,
}

impl Undeclared {
    /// All of them.
    pub const ALL: [Undeclared; 2] = [Undeclared::Error, Undeclared::Nondet];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Undeclared::Error => "error",
            Undeclared::Nondet => "nondet",
        }
    }
}

impl External {
    /// All of them.
    pub const ALL: [External; 3] = [External::Nondet, External::Pure, External::Error];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            External::Nondet => "nondet",
            External::Pure => "pure",
            External::Error => "error",
        }
    }
}

/// The operation of `prctl` that gives the calling thread a name.
const PR_SET_NAME: u128 = 15;

/// Findings about functions without a body while calls are rewritten: warnings, errors, names.
pub(super) struct Externals {
    options: Options,
    undeclared: SortedSet<String>,
    /// Functions with a body.
    defined: Vec<String>,
    /// Set if the function whose calls are rewritten can be reached.
    pub is_reached: bool,
    /// Those that reached functions call, in the order of the text.
    called: Vec<String>,
    warnings: Vec<Warning>,
    errors: Vec<Diagnostic>,
}

impl Externals {
    pub(super) fn new(
        options: &Options,
        undeclared: SortedSet<String>,
        defined: &[String],
    ) -> Externals {
        Externals {
            options: options.clone(),
            undeclared,
            defined: defined.to_vec(),
            is_reached: true,
            called: vec![],
            warnings: vec![],
            errors: vec![],
        }
    }

    /// Name that is only like those of a family: true if nothing declares it, so that its type is not known.
    pub(super) fn is_misspelt(&self, name: &str) -> bool {
        name.starts_with("__VERIFIER_nondet_") && self.undeclared.contains(name)
    }

    /// Writes the instructions of a call.
    pub(super) fn call(&mut self, site: &mut Site, call: &ExternCall) {
        let name = &call.name;
        let undeclared = self.undeclared.contains(name);
        let external = match self.options.external {
            External::Error if undeclared => External::Nondet,
            external => external,
        };
        if undeclared && self.options.undeclared == Undeclared::Error {
            self.error(site.loc, self.undeclared_message(name));
        } else if external == External::Error {
            self.error(site.loc, format!("`{name}` has no body (--extern error)"));
        } else if external == External::Nondet && reaches_memory(site, call) {
            let reason = format!(
                "a call of `{name}`, which has no body and receives a pointer to memory of the program (see --extern),"
            );
            return site.refuse(reason);
        } else if self.is_reached && !self.called.contains(name) {
            let text = format!("`{name}` has no body: its result is taken to be any value");
            self.warnings.push(Warning {
                loc: site.loc,
                kind: WarningKind::MissingBody,
                message: text,
            });
            self.called.push(name.clone());
        }
        site.any_result();
    }

    fn undeclared_message(&self, name: &str) -> String {
        let defined = self.defined.iter().map(String::as_str);
        let hint = match known::nearest(name, defined) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        format!(
            "function `{name}` is called, but neither declared nor defined{hint} (--undeclared nondet takes its \
             result for any value)"
        )
    }

    fn error(&mut self, loc: Loc, message: String) {
        if self.is_reached {
            self.errors.push(Diagnostic::new(loc, message));
        }
    }

    /// Hands over what was found.
    pub(super) fn finish(mut self, program: &mut Program) -> Result<(), Vec<Diagnostic>> {
        program.warnings.extend(self.warnings);
        program.external = self.called;
        if self.errors.is_empty() {
            return Ok(());
        }
        self.errors.sort_by_key(|error| error.loc);
        self.errors.dedup();
        Err(self.errors)
    }
}

/// Pointer arguments: true if a call hands on a pointer to memory of the program.
fn reaches_memory(site: &Site, call: &ExternCall) -> bool {
    // The name of a thread is only read.
    if call.name == "prctl" && site.constant(0) == Some(PR_SET_NAME) {
        return false;
    }
    let pointers = call.pointer_args.iter().enumerate();
    pointers
        .filter(|(_, is_pointer)| **is_pointer)
        .filter_map(|(index, _)| site.arg(index).ok())
        .any(|arg| !site.is_no_memory(arg))
}
