//! A file of the format, read back: counterexamples with the places that they speak of, and the lines behind them.
//!
//! Whoever has written the file, what is read here can be printed: numbers of threads are those of threads that there are, values have
//! the width that they claim, and one place has one text.

use super::path::{Found, Within, Wrong};
use super::restore::{Reader, Texts};
use super::shape::*;
use super::word;
use crate::base::option::one_of;
use crate::event::MemoryModel;
use crate::ir::{Check, Property, Undefined};
use crate::outcome::exit;
use crate::report::text::{Counterexample, Detail, answer};
use crate::report::{misaccess, property_name};
use crate::trace::deadlock::Deadlock;
use crate::trace::misaccess::{Access, Involved, Misaccess};
use crate::trace::race::Race;
use crate::trace::{Action, Trace, TraceStep, TraceThread};
use serde::Deserialize;
use serde_json::error::Category;
use std::borrow::Cow;

/// An outcome that was read back.
pub struct Kept {
    verdict: Word,
    complete: bool,
    counterexamples: Vec<Counterexample<'static>>,
    summary: Vec<String>,
    texts: Texts,
}

impl Kept {
    /// The text that was printed of the outcome.
    pub fn render(&self, detail: Detail) -> String {
        answer(&self.counterexamples, &self.summary, &self.texts, detail)
    }

    /// The exit code of the verdict; with `require_complete`, a bounded answer is none.
    pub fn exit_code(&self, require_complete: bool) -> u8 {
        match self.verdict.as_ref() {
            "failed" => exit::FAILED,
            "successful" if self.complete || !require_complete => exit::SUCCESSFUL,
            _ => exit::UNKNOWN,
        }
    }
}

/// Head of a file: the number of its schema.
#[derive(Deserialize)]
struct Head {
    schema: Option<serde_json::Value>,
}

/// Body of a file, as far as it is printed.
#[derive(Deserialize)]
struct Body {
    verdict: Word,
    complete: bool,
    line: String,
    summary: Vec<String>,
    findings: Vec<FindingJson>,
}

/// Reads a file.
///
/// # Errors
/// A message with the place: it is no JSON, or JSON of something else.
pub fn read(text: &[u8]) -> Result<Kept, String> {
    let head: serde_json::Result<Head> = serde_json::from_slice(text);
    let is_object = text.trim_ascii_start().starts_with(b"{");
    let head = match head {
        Ok(head) if is_object => head,
        Err(error) if error.classify() != Category::Data => {
            return Err(format!("it is not JSON: {error}"));
        }
        _ => return Err("it is no object with an outcome".to_string()),
    };
    match head.schema {
        Some(schema) if schema == SCHEMA => {}
        Some(schema) => {
            return Err(format!("schema: {schema} is not known, {SCHEMA} is"));
        }
        None => return Err("it has no `schema`, so it is no outcome of Selvedge".to_string()),
    }
    let mut from = serde_json::Deserializer::from_slice(text);
    let body: Body = serde_path_to_error::deserialize(&mut from).map_err(|error| {
        let path = error.path().to_string();
        let what = error.into_inner();
        match path.as_str() {
            "." | "?" => what.to_string(),
            _ => format!("{path}: {what}"),
        }
    })?;
    kept(body).map_err(|wrong| wrong.to_string())
}

fn kept(body: Body) -> Found<Kept> {
    let mut from = Reader::default();
    let verdicts = ["failed", "successful", "unknown"];
    one_of(&body.verdict, &verdicts, |one| one)
        .map_err(Wrong::new)
        .within("verdict")?;
    if (body.verdict == "failed") == body.findings.is_empty() {
        let verdict = &body.verdict;
        let what = format!(
            "they are {}, and the verdict is `{verdict}`",
            body.findings.len()
        );
        return Err(Wrong::new(what)).within("findings");
    }
    if body.summary.last() != Some(&body.line) {
        return Err(Wrong::new("its last line is not that of `line`")).within("summary");
    }
    let findings = body.findings.into_iter().enumerate();
    let findings = findings.map(|(index, one)| {
        let found = from.counterexample(one);
        found.within(format!("findings[{index}]"))
    });
    Ok(Kept {
        counterexamples: findings.collect::<Found<_>>()?,
        verdict: body.verdict,
        complete: body.complete,
        summary: body.summary,
        texts: from.texts,
    })
}

/// Parts of a violation, beside its name.
struct Ending {
    check: Check,
    access: Option<Misaccess>,
    lost: Option<Involved>,
    race: Option<Race>,
    deadlock: Option<Deadlock>,
}

impl Reader {
    fn counterexample(&mut self, of: FindingJson) -> Found<Counterexample<'static>> {
        let trace = of.trace.ok_or_else(|| Wrong::new("it has no `trace`"))?;
        let check = one_of(&of.check, &Check::ALL, Check::name);
        let check = check.map_err(Wrong::new).within("check")?;
        let fingerprint = of.fingerprint.parse();
        let fingerprint = fingerprint.map_err(Wrong::new).within("fingerprint")?;
        let grain = of
            .unwinding
            .map(|text| one_of(&text, &word::GRAIN, word::grain));
        let grain = grain.transpose().map_err(Wrong::new).within("unwinding")?;
        let name = |text: &Word| one_of(text, &MemoryModel::ALL, MemoryModel::name);
        let memory = trace.memory_model.as_ref().map(name).transpose();
        let memory = memory.map_err(Wrong::new).within("trace.memory_model")?;
        self.threads = trace.threads.len();
        if self.threads == 0 {
            return Err(Wrong::new("there is no main thread")).within("trace.threads");
        }
        let ending = Ending {
            check,
            access: of
                .misaccess
                .map(|access| self.misaccess(access))
                .transpose()
                .within("misaccess")?,
            lost: of
                .lost
                .map(|object| self.object(object))
                .transpose()
                .within("lost")?,
            race: self.race(of.accesses)?,
            deadlock: of
                .deadlock
                .map(|deadlock| self.deadlock(deadlock))
                .transpose()
                .within("deadlock")?,
        };
        let trace = self.trace(trace, ending).within("trace")?;
        Ok(Counterexample {
            check: check.name().into(),
            title: of.title.into(),
            fingerprint,
            trace: Cow::Owned(trace),
            memory,
            schedule: of.schedule.map(Into::into),
            grain,
        })
    }

    fn trace(&mut self, trace: TraceJson, ending: Ending) -> Found<Trace> {
        let mut threads = Vec::with_capacity(trace.threads.len());
        for (index, thread) in trace.threads.into_iter().enumerate() {
            let created_at = thread.created_at.map(|place| self.loc(Some(place)));
            let created_at = created_at.transpose();
            threads.push(TraceThread {
                function: thread.function,
                created_at: created_at.within(format!("threads[{index}].created_at"))?,
            });
        }
        let last = trace.steps.len().saturating_sub(1);
        let mut ending = Some(ending);
        let mut steps = Vec::with_capacity(trace.steps.len());
        for (index, step) in trace.steps.into_iter().enumerate() {
            let is_end = matches!(step.action, ActionJson::Violation { .. });
            let found = match (is_end, index == last) {
                (true, true) => self.step(step, ending.take()),
                (false, false) => self.step(step, None),
                (true, false) => Err(Wrong::new("a violation is not the last step")),
                (false, true) => Err(Wrong::new("the last step is no violation")),
            };
            steps.push(found.within(format!("steps[{index}]"))?);
        }
        if steps.is_empty() {
            return Err(Wrong::new("there is no step")).within("steps");
        }
        Ok(Trace {
            threads,
            steps,
            tape: None,
        })
    }

    fn step(&mut self, step: StepJson, ending: Option<Ending>) -> Found<TraceStep> {
        Ok(TraceStep {
            thread: self.thread(step.thread).within("thread")?,
            loc: self.loc(step.place).within("place")?,
            calls: self.locs(step.calls).within("calls")?,
            function: step.function,
            atomic: step.atomic,
            action: match (step.action, ending) {
                (ActionJson::Violation { property }, Some(ending)) => violation(&property, ending)?,
                (action, _) => self.action(action)?,
            },
        })
    }
}

/// The violation at the end of an execution.
fn violation(name: &str, of: Ending) -> Found<Action> {
    let property = match &of.access {
        // Its kind says more than its property.
        Some(access) if misaccess::kind(access) == name => Ok(match access.access {
            Access::Free => Property::Defined(Undefined::InvalidFree),
            _ => Property::Defined(Undefined::InvalidAccess),
        }),
        Some(access) => {
            let kind = misaccess::kind(access);
            Err(format!("it is `{name}`, and the access is `{kind}`"))
        }
        None => {
            let is_it = |one: &Property| property_name(*one) == name && Check::of(*one) == of.check;
            let found = Property::all().find(is_it);
            let check = of.check.name();
            found.ok_or_else(|| format!("`{name}` violates nothing that `{check}` checks"))
        }
    };
    Ok(Action::Violation {
        property: property.map_err(Wrong::new).within("property")?,
        access: of.access.map(Box::new),
        lost: of.lost.map(Box::new),
        race: of.race.map(Box::new),
        deadlock: of.deadlock.map(Box::new),
    })
}
