//! Stages as text: what each makes of a program (`selvedge show`).

use super::{Error, Request, Session};
use crate::analysis::loops::Loops;
use crate::base::Budget;
use crate::event::{self, ThreadId};
use crate::ir::Origin;
use crate::question::counts::Counts;
use crate::race::{self, Races};
use crate::sat::dimacs;
use crate::scheme::lazy::switch;
use crate::source::place::file_line;
use crate::verify::{self, Failure};
use std::fmt::Display;

/// A stage that can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The preprocessed text.
    Source,
    /// The typed program.
    Ir,
    /// Loops with their numbers, for bounds of single ones.
    Loops,
    /// Data races that the program as written excludes, and those that are open.
    Goals,
    /// The unrolled program.
    Events,
    /// The formula, in DIMACS format.
    Cnf,
    /// Sizes and times.
    Stats,
}

impl Stage {
    /// All of them, in the order of the pipeline.
    pub const ALL: [Stage; 7] = [
        Stage::Source,
        Stage::Ir,
        Stage::Loops,
        Stage::Goals,
        Stage::Events,
        Stage::Cnf,
        Stage::Stats,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Source => "source",
            Stage::Ir => "ir",
            Stage::Loops => "loops",
            Stage::Goals => "goals",
            Stage::Events => "events",
            Stage::Cnf => "cnf",
            Stage::Stats => "stats",
        }
    }

    /// What is shown, in a line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Stage::Source => "the preprocessed text",
            Stage::Ir => "the typed program",
            Stage::Loops => "the loops of each function, with the numbers that --unwindset takes",
            Stage::Goals => "pairs of accesses, with the reason why they cannot race, or `open`",
            Stage::Events => "the unrolled program",
            Stage::Cnf => "the formula, in DIMACS format",
            Stage::Stats => "sizes and times",
        }
    }
}

impl Session {
    /// A stage's view of the program, under the first level of the request's bounds. What is shown is for people; its form
    /// may change.
    ///
    /// # Errors
    /// As for [`Session::verify`]; and [`Error::Input`] if the budget ended the stage.
    pub fn show(&self, stage: Stage, request: &Request, budget: &Budget) -> Result<String, Error> {
        match stage {
            Stage::Source => {
                let texts = self.source.units().map(|(_, unit)| unit.text.as_str());
                return Ok(texts.collect());
            }
            Stage::Ir => return Ok(self.program.to_string()),
            Stage::Loops => return Ok(self.loops()),
            Stage::Goals => {
                let place = |loc| file_line(&*self.source, loc);
                return Ok(race::print(
                    &Races::of(&self.program),
                    &self.program,
                    &place,
                ));
            }
            Stage::Events | Stage::Cnf | Stage::Stats => {}
        }
        let unfinished = |what: &str, why: &dyn Display| {
            Error::Input(format!("selvedge: the program was not {what}: {why}\n"))
        };
        let mut unroller = verify::unroller(&self.program, request)
            .map_err(|refusal| Error::failed(&self.source, Failure::from(refusal)))?;
        let mut events = verify::first_level(&mut unroller, request, budget)
            .map_err(|refusal| unfinished("unrolled", &refusal))?;
        if stage == Stage::Events {
            let place = |loc| file_line(&*self.source, loc);
            let functions = &self.program.functions;
            let function = |id: ThreadId| functions[events.threads[id].function].name.clone();
            let reasons = switch::reasons(&mut events.clone());
            let note = |event| reasons[event].clone();
            return Ok(event::print::listing(&events, &function, &place, &note));
        }
        let (scheme, mut encoding) = verify::first_encoding(&mut events, request, budget)
            .map_err(|why| unfinished("encoded", &why))?;
        let question = events.timed("encode", |events| encoding.question(events));
        if stage == Stage::Cnf {
            let mut text = Vec::new();
            dimacs::write(&question.clauses, &mut text, &[], &question.units)
                .map_err(|error| unfinished("written", &error))?;
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
        let spent = events.spent.clone();
        // Encoding has reduced the program.
        let counts = Counts::of(&mut events);
        let mut text = format!("{:<12}{:>10}\n", "scheme", scheme.name());
        let mut line =
            |name: &str, count: usize| text.push_str(&format!("{name:<12}{count:>10}\n"));
        line("functions", self.program.functions.len());
        line("threads", events.threads.len());
        line("events", events.events.len());
        line("cells", events.cells.len());
        line("inputs", events.inputs.len());
        line("bases", events.bases.len());
        line("terms", events.terms.len());
        line("conditional", counts.conditional);
        line("blocks", counts.blocks);
        line("shapes", counts.shapes);
        line("operations", counts.operations);
        line("pairs", counts.pairs);
        line("sources", counts.sources);
        for (name, figure) in encoding.figures() {
            line(name, figure);
        }
        line("variables", question.clauses.variables() as usize);
        line("clauses", question.clauses.len());
        line("passes", spent.passes);
        text.push_str(&format!(
            "{:<12}{:>8.3} s\n",
            "read",
            self.reading.as_secs_f64()
        ));
        for work in spent.works() {
            let (stage, seconds, terms) = (work.stage, work.time.as_secs_f64(), work.terms);
            text.push_str(&format!("{stage:<12}{seconds:>8.3} s{terms:>10} terms\n"));
        }
        Ok(text)
    }

    /// Loops of the program's own functions, a line each: function and number, as [`Session::find_loop`] takes them, and place.
    fn loops(&self) -> String {
        let functions = self.program.functions.iter();
        let own = functions.filter(|function| function.origin == Origin::Program);
        let loops = own.flat_map(|function| {
            let heads = Loops::of(function).heads().into_iter().enumerate();
            heads.map(|(number, head)| {
                let block = &function.blocks[head];
                let loc = block
                    .instrs
                    .first()
                    .map_or(block.end_loc, |first| first.loc);
                let place = file_line(&*self.source, loc);
                (format!("{}.{number}", function.name), place)
            })
        });
        let loops: Vec<(String, String)> = loops.collect();
        let width = loops.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, place): &(String, String)| format!("{name:<width$}  {place}\n");
        loops.iter().map(line).collect()
    }
}
