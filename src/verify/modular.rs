//! The unbounded scheme: what it found, or what a kept proof says, as the outcome of a run.

use super::findings::Findings;
use super::race::Known;
use super::request::Request;
use super::result::{Failure, Progress, Verified};
use super::telling::telling;
use super::watch::{Strategies, Watch};
use crate::analysis::loops::Loops;
use crate::base::Budget;
use crate::event::MemoryModel;
use crate::ir::{Callee, FuncId, Instr, InstrKind, Program};
use crate::ir::{Check, Checks};
use crate::lanes::{Flag, Lane, Lanes, Start};
use crate::modular::certificate::{self, Certificate, Rejection};
use crate::modular::{self, Finding, Options, Proof, Strategy};
use crate::outcome::{Coverage, Limit, Outcome, Reason, Statistics, Subject, Verdict};
use crate::question::Judged;
use crate::sat::SolverKind;
use crate::transition::Refusal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Processor time that the search over all interleavings has for itself.
const HEAD_START: Duration = Duration::from_secs(1);
/// Processor time that it has for itself where loops create threads.
const MOMENT: Duration = Duration::from_millis(100);
/// The same, where threads may move in lockstep.
const TOGETHER_START: Duration = Duration::from_millis(300);
/// Scheme and what the verdict covers, for the report.
const SCHEME: &str = "modular (any number of iterations and context switches)";
/// Verifies a program without bounds.
pub(super) fn verify(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    hierarchy: Option<&[String]>,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    let start = Instant::now();
    let findings = Findings::new(program, request);
    let strategies = Strategies::default();
    let mut watch = Watch::of(&strategies);
    let mut watcher = || watch.look(progress);
    let mut proof = lanes(program, request, known, hierarchy, &strategies)
        .watched(&mut watcher)
        .run(budget)?;
    judge(&mut proof, &findings);
    let (_, mut telling) = telling(program, request, &findings);
    telling.look(progress);
    verified(program, request, proof, &findings, start)
}

/// Hands a violation over to the findings of the run; how these judge of it.
pub(super) fn judge(proof: &mut Proof, findings: &Findings) -> Option<Judged> {
    match &mut proof.finding {
        Finding::Violated {
            property,
            loc,
            trace,
        } => Some(findings.judge(*property, *loc, std::mem::take(trace), None)),
        _ => None,
    }
}

/// The outcome of a run that began at some time, and has these findings.
pub(super) fn verified(
    program: &Program,
    request: &Request,
    proof: Proof,
    all: &Findings,
    start: Instant,
) -> Result<Verified, Failure> {
    let certificate = proof.certificate.as_ref();
    let of_any_number = certificate.is_some_and(|certificate| certificate.members.is_some());
    let (findings, suppressed) = (all.counted(), all.suppressed());
    let mut found_undefined = Vec::new();
    let verdict = match proof.finding {
        Finding::Safe { undefined } => {
            let first = undefined
                .first()
                .map(|(_, loc)| Limit::Undefined(Some(*loc)));
            let count = suppressed.len();
            let suppressed = (count > 0).then_some(Limit::Suppressed(count));
            let limits = first.into_iter().chain(suppressed).collect();
            found_undefined = undefined;
            Verdict::Successful { limits }
        }
        // Of other violations, nobody has asked.
        Finding::Violated { .. } if findings.is_empty() => Verdict::Unknown {
            reason: Reason::Other("a suppressed violation ended the search".to_string()),
        },
        Finding::Violated { .. } => Verdict::Unknown {
            reason: Reason::Ended,
        },
        Finding::Unsupported { what, loc } => Verdict::Unknown {
            reason: Reason::Unsupported { what, loc },
        },
        Finding::Abstracted { what, loc } => Verdict::Unknown {
            reason: Reason::Abstracted { what, loc },
        },
        Finding::Refused(refusal) => Verdict::Unknown {
            reason: unknown(refusal)?,
        },
        Finding::Open => Verdict::Unknown {
            reason: Reason::Other("the strategy does not tell".to_string()),
        },
        Finding::Stopped(reason) => Verdict::Unknown {
            reason: Reason::Stopped(reason),
        },
    };
    let violated: Checks = findings.iter().map(|f| Check::of(f.property)).collect();
    let by_check = request.checks.iter().map(|check| match &verdict {
        _ if violated.contains(check) => (check, Verdict::Failed),
        verdict => (check, verdict.clone()),
    });
    let by_check: Vec<(Check, Verdict)> = by_check.collect();
    let mut statistics = Statistics {
        variables: proof.latches as u64,
        clauses: proof.effort.clauses,
        ..Statistics::default()
    };
    statistics.wall = start.elapsed();
    statistics.cpu = crate::base::budget::process_cpu_time();
    Ok(Verified {
        outcome: Outcome {
            subject: Subject::of(program, request.checks),
            verdict: Verdict::worst(by_check.iter().map(|(_, verdict)| verdict)),
            by_check,
            findings,
            suppressed,
            coverage: Coverage {
                scheme: SCHEME.to_string(),
                solver: request.solver.name().to_string(),
                threads: proof.threads,
                of_any_number,
                learnt: proof.learnt,
                never: certificate.map_or_else(Vec::new, never),
                undefined: found_undefined,
                ..Coverage::of(program, MemoryModel::Sc)
            },
            statistics,
        },
        question: None,
        certificate: proof.certificate,
    })
}

/// The reason for no answer that it is if a program has no automata.
fn unknown(refusal: Refusal) -> Result<Reason, Failure> {
    match refusal {
        Refusal::AddressSpace(loc) => Err(Failure::AddressSpace(loc)),
        Refusal::TooLarge => Ok(Reason::Other(
            "the program has too many locations".to_string(),
        )),
        Refusal::HandedOn(loc) => Ok(Reason::Unsupported {
            what: "an address of its own that a thread of any number hands on".to_string(),
            loc,
        }),
        Refusal::Stopped(reason) => Ok(Reason::Stopped(reason)),
    }
}

/// All interleavings, joined after a moment by lockstep, where that suits, and by threads one by one; or the latter alone, if a hierarchy is given, and then
/// the former where it does not tell.
pub(super) fn lanes<'a>(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    hierarchy: Option<&[String]>,
    strategies: &Strategies,
) -> Lanes<'a, Proof, modular::Failure> {
    let (solver, seed, checks) = (request.solver, request.seed, request.checks);
    let suits_lockstep = Flag::default();
    let by = |strategy: Strategy| {
        let observed = strategies.of(&strategy);
        let program = Arc::clone(program);
        let options = Options {
            solver,
            seed,
            strategy,
            checks,
            sites: known.clone(),
            suits_lockstep: Arc::clone(&suits_lockstep),
        };
        move |budget: &Budget| {
            observed.run(budget.gauge(), |meter| {
                modular::prove(&program, &options, meter, budget)
            })
        }
    };
    let interleavings = by(Strategy::Interleavings);
    if modular::is_of_interleavings(checks) {
        // The others tell nothing of them.
        return Lanes::new(Lane::new("interleavings", interleavings), |_| true);
    }
    if let Some(order) = hierarchy {
        let one_by_one = by(Strategy::OneByOne(order.to_vec()));
        let in_turn = move |budget: &Budget| {
            let proof = one_by_one(budget)?;
            if !matches!(proof.finding, Finding::Open) {
                return Ok(proof);
            }
            interleavings(budget)
        };
        return Lanes::new(Lane::new("in turn", in_turn), |_| true);
    }
    let has_families = creates_in_loop(program);
    let rank = |lane: Lane<Proof, modular::Failure>| {
        if has_families {
            lane.second_rank(beside_families)
        } else {
            lane
        }
    };
    let one_by_one = Lane::new("one by one", by(Strategy::OneByOne(Vec::new())))
        .start(Start::After(HEAD_START))
        .memory_percent(50);
    let in_lockstep = Lane::new("lockstep", by(Strategy::Lockstep))
        .start(Start::Raised(Arc::clone(&suits_lockstep), TOGETHER_START))
        .memory_percent(50);
    let interleavings = Lane::new("interleavings", interleavings);
    // What is not modelled may be the creation of a family.
    let is_answer = if has_families {
        |proof: &Proof| proof.is_answer() && !matches!(proof.finding, Finding::Unsupported { .. })
    } else {
        Proof::is_answer
    };
    let lanes = Lanes::new(rank(interleavings), is_answer)
        .and(rank(in_lockstep))
        .and(rank(one_by_one));
    if !has_families {
        return lanes;
    }
    // It begins in any case, even if the others have given up before.
    let wanted = Flag::new(AtomicBool::new(true));
    let families = Lane::new("families", by(Strategy::Families))
        .start(Start::Raised(wanted, MOMENT))
        .memory_percent(50);
    lanes.and(families)
}

/// Processor time that each search for what is reached with threads told apart may have beside that for families, which needs
/// no more for many threads than for few.
fn beside_families(whole: Duration) -> Duration {
    const AT_FIRST: Duration = Duration::from_secs(1);
    whole.min(AT_FIRST) / 4 + whole.saturating_sub(AT_FIRST) / 10
}

/// Loop that creates threads: true if a function has one, or calls within a loop what may create some.
pub(super) fn creates_in_loop(program: &Program) -> bool {
    let is_creation = |instr: &Instr| matches!(instr.kind, InstrKind::Spawn { .. });
    let creates = |function: FuncId| {
        let blocks = &program.functions[function].blocks;
        blocks
            .iter()
            .any(|block| block.instrs.iter().any(is_creation))
    };
    let may_create = |instr: &Instr| match &instr.kind {
        InstrKind::Call { callee, .. } => match callee {
            Callee::Direct(function) => creates(*function),
            _ => false,
        },
        _ => is_creation(instr),
    };
    program.functions.iter().any(|function| {
        let blocks = function.blocks.iter_ids();
        let creating = blocks.filter(|(_, code)| code.instrs.iter().any(may_create));
        let mut creating = creating.map(|(block, _)| block).peekable();
        // Few functions have any, and only their loops have to be known.
        creating.peek().is_some() && {
            let nest = Loops::of(function).nest;
            creating.any(|block| !nest[block].is_empty())
        }
    })
}

/// States that a certificate excludes.
fn never(certificate: &Certificate) -> Vec<String> {
    let never = certificate.never().into_iter();
    never.map(str::to_string).collect()
}

/// Checks what an earlier verdict rests on. The outcome is that verdict, or unknown if it does not follow.
///
/// # Errors
/// See [`Failure`].
pub fn check(
    program: &Program,
    certificate: &Certificate,
    solver: SolverKind,
    budget: &Budget,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let mut coverage = Coverage {
        solver: solver.name().to_string(),
        ..Coverage::of(program, MemoryModel::Sc)
    };
    let mut checks = Checks::ASSERT;
    let verdict = match certificate::check(program, certificate, solver, budget) {
        Ok(checked) => {
            if checked.race_free {
                checks = Checks::of(&[Check::Assert, Check::Race]);
            }
            if checked.deadlock_free {
                checks = checks.or(Checks::of(&[Check::Deadlock]));
            }
            coverage.threads = checked.threads.unwrap_or(0);
            coverage.of_any_number = checked.threads.is_none();
            coverage.never = never(certificate);
            coverage.scheme = format!(
                "{SCHEME}, {} with {}{}",
                counted(checked.invariants, "inductive invariant"),
                counted(checked.clauses, "clause"),
                match checked.depth {
                    1 => String::new(),
                    depth => format!(", over {depth} successive states"),
                },
            );
            let limits = if checked.defined {
                Vec::new()
            } else {
                vec![Limit::Undefined(None)]
            };
            Verdict::Successful { limits }
        }
        Err(Rejection::NoSolver) => return Err(Failure::NoSolver(solver)),
        Err(Rejection::Stopped(reason)) => Verdict::Unknown {
            reason: Reason::Stopped(reason),
        },
        Err(Rejection::Unfit(what)) => Verdict::Unknown {
            reason: Reason::Other(format!("the proof is rejected: {what}")),
        },
        Err(Rejection::Flawed { of, flaw }) => Verdict::Unknown {
            reason: Reason::Other(format!("the proof is rejected: {flaw} ({of})")),
        },
        Err(Rejection::Refused(refusal)) => Verdict::Unknown {
            reason: unknown(refusal)?,
        },
    };
    let statistics = Statistics {
        wall: start.elapsed(),
        cpu: crate::base::budget::process_cpu_time(),
        ..Statistics::default()
    };
    Ok(Outcome {
        subject: Subject::of(program, checks),
        by_check: checks
            .iter()
            .map(|check| (check, verdict.clone()))
            .collect(),
        verdict,
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage,
        statistics,
    })
}

fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
