//! Witnesses of findings, and executions by witnesses ([`crate::witness`], `trace/guide`).

use super::{Answer, Error, Options, Schedule, Session};
use crate::base::Budget;
use crate::ir::{Check, Checks, Property, Undefined};
use crate::modular::certificate::Certificate;
use crate::outcome::{Finding, Reason};
use crate::trace::guide::{self, Search, Sites};
use crate::verify;
use crate::witness::{Claim, Head, InputFile, Invariant, Witness, hash, specification};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

impl Session {
    /// The violation witness of a finding.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn witness(&self, finding: &Finding, options: &Options) -> Result<Witness, String> {
        if options.harness.said().is_some() {
            return Err("execution does not begin with the program's own `main`".to_string());
        }
        let specification = specification(finding.property);
        let specification =
            specification.ok_or("the formats have no specification that it violates")?;
        let mut sites = Sites::of(&self.source).map_err(|error| error.message.to_string())?;
        let segments = guide::segments(&self.program, &mut sites, &finding.trace)?;
        Ok(Witness {
            head: self.head(specification, options)?,
            claim: Claim::Violation(segments),
        })
    }

    /// The correctness witness of a proof.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn correctness(
        &self,
        certificate: &Certificate,
        checks: Checks,
        options: &Options,
    ) -> Result<Witness, String> {
        let asked: Vec<Check> = checks.iter().collect();
        let property = match asked.as_slice() {
            [Check::Assert] => Property::ReachError,
            [Check::Race] => Property::Race,
            [Check::Overflow] => Property::Defined(Undefined::Overflow),
            [Check::Leak] => Property::Lost,
            [Check::Cleanup] => Property::Unfreed,
            _ => return Err("a specification of the formats is about one check".to_string()),
        };
        let specification = specification(property).unwrap_or_default();
        let is_other = |word: &String| word.starts_with("place(") && word != "place(main#0)";
        if certificate.words.iter().any(is_other) || !certificate.threads.is_empty() {
            return Err(
                "the invariants say where several threads stand, which no expression over variables of the program does"
                    .to_string(),
            );
        }
        let never = certificate.never();
        if never.is_empty() {
            return Err("the proof needs no invariants".to_string());
        }
        let sites = Sites::of(&self.source).map_err(|error| error.message.to_string())?;
        let is_global = |name: &String| {
            let mut globals = self.program.globals.iter();
            globals.any(|global| global.name == *name && !global.thread_local)
        };
        let mut invariants = Vec::new();
        for states in never {
            let names = guide::names(states).filter(|names| names.iter().all(is_global));
            if names.is_none() {
                return Err(format!(
                    "that `{states}` is never so, no expression over global variables of the program says"
                ));
            }
            let one = |(is_loop, place)| Invariant {
                is_loop,
                place,
                value: format!("!({states})"),
            };
            invariants.extend(sites.heads().into_iter().map(one));
        }
        Ok(Witness {
            head: self.head(specification, options)?,
            claim: Claim::Correctness(invariants),
        })
    }

    /// Metadata of a witness of this program, made now.
    fn head(&self, specification: &str, options: &Options) -> Result<Head, String> {
        Ok(Head {
            producer: (
                "Selvedge".to_string(),
                env!("CARGO_PKG_VERSION").to_string(),
            ),
            time: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            files: self.files()?,
            specification: specification.to_string(),
            model: options.model,
        })
    }

    /// The program's files, with hashes of what stands there now.
    fn files(&self) -> Result<Vec<InputFile>, String> {
        let file = |path: &PathBuf| {
            let name = path.display();
            let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
            Ok(InputFile {
                name: name.to_string(),
                hash: hash(&bytes),
            })
        };
        self.source.paths().map(file).collect()
    }

    /// Checks that a witness is one of this program: it names as many files, and their hashes.
    ///
    /// # Errors
    /// It is one of another program.
    pub fn is_subject(&self, witness: &Witness) -> Result<(), String> {
        let own = self.files()?;
        for file in &witness.head.files {
            let is_it = |one: &&InputFile| one.hash == file.hash;
            if !own.iter().any(|one| is_it(&one)) {
                let name = Path::new(&file.name).display();
                return Err(format!(
                    "it is about another {name}: no file of this program has the SHA-256 {}",
                    file.hash
                ));
            }
        }
        match own.len() == witness.head.files.len() {
            true => Ok(()),
            false => Err(format!("it is about {} files", witness.head.files.len())),
        }
    }

    /// Looks for an execution that a violation witness describes: the outcome is its violation, or unknown if there is none.
    ///
    /// # Errors
    /// [`Error::Request`]: the program was not read for the checks; [`Error::Input`]: nothing can be looked for by this witness.
    pub fn validate(
        &self,
        witness: &Witness,
        checks: Checks,
        budget: &Budget,
    ) -> Result<Answer, Error> {
        self.was_read_for(checks.and(Checks::LOWERED))?;
        let told = |why: String| Error::Input(format!("selvedge: {why}\n"));
        let Claim::Violation(segments) = &witness.claim else {
            return Err(told(
                "a correctness witness describes no execution".to_string(),
            ));
        };
        let mut sites = Sites::of(&self.source).map_err(|error| told(error.message.to_string()))?;
        let found = guide::search(&self.program, &mut sites, segments, checks, budget);
        let reason = match found.map_err(told)? {
            Search::Found(tape) => {
                return self.replay(&Schedule(*tape));
            }
            Search::Stopped(reason) => Reason::Stopped(reason),
            Search::Nowhere(missed) => {
                let missed = missed.map(|(one, number)| {
                    format!("segment {number}, at {}", guide::told(&one.place))
                });
                Reason::Other(format!(
                    "no execution that the witness describes violates the property: none passes {}",
                    missed.unwrap_or_default()
                ))
            }
        };
        let outcome = verify::unvalidated(&self.program, checks, reason);
        let mut outcome = self.about(outcome);
        outcome.statistics.stages.insert(0, ("read", self.reading));
        Ok(Answer {
            outcome,
            certificate: None,
            question: None,
        })
    }
}
