//! Memory unwindings (Theorem 1): for every n, a violation is found exactly if some execution has at most n writes
//! up to it.

use super::enumerate::{Measure, Rounds, least, most_writes, possible};
use super::replay::replay;
use super::{Encoding, Options, confirm, listing, random};
use crate::base::faults::Fault;
use crate::base::faults::record::{Campaign, seeds};
use crate::base::sorted::SortedMap;
use crate::base::{Budget, StopReason};
use crate::circuit::ClauseSink;
use crate::event::{EventId, EventProgram};
use crate::question::faults::Fault as QuestionFault;
use crate::question::{Execution, Reach, all_count, check_within};
use crate::sat::{Answer, Solver, SolverKind};
use crate::scheme::faults::Fault as SchemeFault;
use crate::scheme::mu::{self, Variant};

/// Bounds that are compared: all up to the first that is enough for everything, and one more.
fn bounds(expected: &SortedMap<EventId, u32>) -> std::ops::RangeInclusive<u32> {
    0..=expected.values().max().map_or(1, |most| most + 1)
}

fn options(variant: Variant, writes: u32) -> Options {
    Options::new(mu::Settings {
        writes: Some(writes),
        ..mu::Settings::of(variant)
    })
}

/// Asks about every assertion within `writes` writes; what differs from the enumeration, in words.
fn ask(
    program: &EventProgram,
    encoding: &mut Encoding,
    (expected, writes): (&SortedMap<EventId, u32>, u32),
    solver: &mut dyn crate::sat::Solver,
) -> Result<(), String> {
    for claim in encoding.claims().to_vec() {
        let Some(goal) = claim.violated else { continue };
        let lit = encoding.formula().lit_of(&program.terms, goal);
        let budget = Budget::unlimited();
        let found = match encoding.ask(program, lit, false, solver, &budget) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Stopped(reason) => return Err(format!("stopped: {reason}")),
        };
        let wanted = expected.get(&claim.event).is_some_and(|&n| n <= writes);
        if found != wanted {
            return Err(format!(
                "event {} within {writes} writes: {found}",
                claim.event.0
            ));
        }
        if found {
            confirm(program, encoding, (claim.event, goal), solver)?;
        }
    }
    Ok(())
}

/// Compares one variant with the enumeration; encoded for each n up to the first that is enough, and for one more; and
/// growing on one solver for each n up to `most`.
pub fn compare(
    seed: u64,
    variant: Variant,
    (expected, most): (&SortedMap<EventId, u32>, u32),
    solver: SolverKind,
) -> Result<(), String> {
    let open = || solver.open(0).ok_or("no such solver");
    for writes in bounds(expected) {
        let mut program = random::program(seed);
        let mut encoding = Encoding::new(&mut program, &options(variant, writes));
        ask(&program, &mut encoding, (expected, writes), &mut *open()?)?;
    }
    let mut program = random::program(seed);
    let mut encoding = Encoding::new(&mut program, &options(variant, 0));
    let mut solver = open()?;
    for writes in 0..=most.max(*bounds(expected).end()) {
        encoding.restrict(&mut program, writes);
        ask(&program, &mut encoding, (expected, writes), &mut *solver)?;
    }
    Ok(())
}

fn check_seed(seed: u64, solver: SolverKind) -> u32 {
    let program = random::program(seed);
    let writes = least(&program, Measure::Writes);
    let contexts = least(&program, Measure::Contexts);
    let most = most_writes(&program);
    for variant in [Variant::FINE.as_slice(), &[Variant::Intra]].concat() {
        let expected = match variant {
            Variant::Intra => &contexts,
            _ => &writes,
        };
        if let Err(error) = compare(seed, variant, (expected, most), solver) {
            let text = listing(&program);
            panic!("seed {seed}, {variant:?}, {solver}: {error}\nexpected {expected:?}\n{text}");
        }
    }
    writes.len() as u32
}

#[test]
fn unwindings_agree_with_enumeration() {
    let mut violated = 0;
    for seed in 0..250 {
        violated += check_seed(seed, SolverKind::DEFAULT);
    }
    assert!(violated > 70, "the programs are dull: {violated}");
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing the scheme"]
fn unwindings_agree_with_enumeration_at_length() {
    for seed in super::seeds(0..5000) {
        check_seed(seed, SolverKind::DEFAULT);
        check_inter(seed);
    }
}

/// Completeness of bounds: a bound counts as complete exactly if no execution has more writes (with clusters, a
/// smaller one may, too), and it finds a violation exactly if one needs no more (inter-thread clusters may find others,
/// too). Errors name the seed, the variant and the bound.
fn is_complete_rightly(seed: u64, variant: Variant) -> Result<(), String> {
    let program = random::program(seed);
    let most = most_writes(&program);
    let expected = match variant {
        Variant::Intra => least(&program, Measure::Contexts),
        _ => least(&program, Measure::Writes),
    };
    // Clusters need not be more than steps that write, which may be fewer than writes.
    let coarse = matches!(variant, Variant::Intra | Variant::Inter);
    for writes in 0..=most + 1 {
        let mut program = random::program(seed);
        let mut solver = SolverKind::DEFAULT.open(0).ok_or("no such solver")?;
        let options = options(variant, writes);
        let budget = Budget::unlimited();
        let answer = crate::question::check(&mut program, &options, &mut *solver, &budget);
        let violated = expected.values().any(|&n| n <= writes);
        let right = match answer.map_err(|error| error.to_string())? {
            crate::question::Answer::Violated { .. } => violated || variant == Variant::Inter,
            crate::question::Answer::Safe(Reach { complete, .. }) => {
                let enough = writes >= most;
                let may_differ = if complete {
                    coarse
                } else {
                    // A section that ends at a cut may have more.
                    !program.partial.is_empty()
                };
                !violated && (complete == enough || may_differ)
            }
            crate::question::Answer::Stopped { .. } => false,
        };
        if !right {
            return Err(format!(
                "seed {seed}, {variant:?}, {writes} of {most} writes"
            ));
        }
    }
    Ok(())
}

#[test]
fn bounds_are_complete_exactly_if_no_execution_has_more_writes() {
    for seed in 0..100 {
        for variant in Variant::ALL {
            is_complete_rightly(seed, variant).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// Inter-thread clusters: they find all that intra-thread ones and rounds find, and nothing that is not there.
fn check_inter(seed: u64) {
    let program = random::program(seed);
    let all = possible(&program, None).violated;
    let contexts = least(&program, Measure::Contexts);
    let mut reduced = random::program(seed);
    let mut encoding = Encoding::new(&mut reduced, &options(Variant::Inter, 0));
    let mut solver = SolverKind::DEFAULT.open(0).expect("available");
    for clusters in bounds(&contexts) {
        encoding.restrict(&mut reduced, clusters);
        let rounds = possible(&program, Some(Rounds::only(clusters as usize))).violated;
        for claim in encoding.claims().to_vec() {
            let Some(goal) = claim.violated else { continue };
            let lit = encoding.formula().lit_of(&reduced.terms, goal);
            let budget = Budget::unlimited();
            let answer = encoding.ask(&reduced, lit, false, &mut *solver, &budget);
            let event = claim.event;
            let few = contexts.get(&event).is_some_and(|&n| n <= clusters);
            let text = || format!("seed {seed}, event {}, {clusters} clusters", event.0);
            if answer == Answer::Sat {
                assert!(all.contains(&event), "{}", text());
                let executions = encoding
                    .decode(&reduced, &*solver, |other| {
                        (other.event == event).then_some(goal)
                    })
                    .unwrap_or_else(|error| panic!("{error} {}\n{}", text(), listing(&program)));
                let Execution {
                    order,
                    target,
                    values,
                    ..
                } = &executions[0];
                replay(&reduced, order, *target, values).expect("an execution");
            } else {
                assert!(!few && !rounds.contains(&event), "{}", text());
            }
        }
    }
}

#[test]
fn inter_thread_clusters_find_contexts_and_rounds() {
    for seed in 0..200 {
        check_inter(seed);
    }
}

/// A solver that is stopped after some answers.
struct Tired {
    solver: Box<dyn Solver>,
    answers: u32,
}

impl ClauseSink for Tired {
    fn new_var(&mut self) -> i32 {
        self.solver.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.solver.add_clause(lits);
    }
}

impl Solver for Tired {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn reset(&mut self) {
        self.solver.reset();
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        match self.answers.checked_sub(1) {
            None => Answer::Stopped(StopReason::Timeout),
            Some(left) => {
                self.answers = left;
                self.solver.solve(assumptions, budget)
            }
        }
    }

    fn value(&self, lit: i32) -> bool {
        self.solver.value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        self.solver.core()
    }

    fn var_count(&self) -> usize {
        self.solver.var_count()
    }

    fn clause_count(&self) -> usize {
        self.solver.clause_count()
    }
}

#[test]
fn what_was_finished_before_the_end_is_known() {
    let mut partly = 0;
    for seed in 0..150 {
        let expected = least(&random::program(seed), Measure::Writes);
        for answers in 0..4 {
            let mut program = random::program(seed);
            let options = Options::new(mu::Settings::of(Variant::FineExplicit));
            let solver = SolverKind::DEFAULT.open(0).expect("available");
            let mut solver = Tired { solver, answers };
            let budget = Budget::unlimited();
            let checked =
                check_within(&mut program, &options, &mut solver, &mut all_count, &budget);
            let checked = checked.expect("models are executions");
            let crate::question::Answer::Stopped { safe: true, .. } = checked.answer else {
                continue;
            };
            let writes = checked.level;
            partly += 1;
            assert!(
                expected.values().all(|&n| n > writes),
                "seed {seed}: no violation within {writes} writes, after {answers} answers"
            );
        }
    }
    assert!(partly > 30, "only {partly} searches ended in between");
}

/// Faults of this scheme, the variant that has them, and whether they show in what is found, or else in what counts
/// as complete.
const FAULTS: [(Fault, Variant, bool); 29] = [
    (SchemeFault::PrologueCounts, Variant::FineExplicit, true),
    (SchemeFault::WindowShort, Variant::FineExplicit, true),
    (SchemeFault::StopAndGoOn, Variant::FineExplicit, true),
    (SchemeFault::AssertBehindStop, Variant::FineExplicit, true),
    (SchemeFault::ChildPosition, Variant::FineExplicit, true),
    (SchemeFault::JoinPosition, Variant::FineExplicit, true),
    (SchemeFault::JoinCircle, Variant::FineExplicit, true),
    (SchemeFault::WriteStays, Variant::FineExplicit, true),
    (SchemeFault::PositionShared, Variant::FineImplicit, true),
    (SchemeFault::InsideSection, Variant::FineExplicit, true),
    (SchemeFault::OneMoreWrite, Variant::FineMixed, true),
    (SchemeFault::LastWriteFree, Variant::FineExplicit, true),
    (SchemeFault::OnePositionMore, Variant::FineExplicit, false),
    (
        QuestionFault::PositionsSuffice,
        Variant::FineExplicit,
        false,
    ),
    (SchemeFault::RangeBehind, Variant::FineExplicit, true),
    (SchemeFault::RangeBehind, Variant::FineImplicit, true),
    (SchemeFault::RangeBehind, Variant::Intra, true),
    (SchemeFault::LeastHigh, Variant::FineExplicit, false),
    (SchemeFault::AllNeeded, Variant::FineExplicit, false),
    (SchemeFault::RowLost, Variant::FineExplicit, true),
    (SchemeFault::FutureRead, Variant::FineImplicit, true),
    (SchemeFault::FirstWrite, Variant::FineImplicit, true),
    (SchemeFault::NextWrite, Variant::FineImplicit, true),
    (SchemeFault::ChildPosition, Variant::Intra, true),
    (SchemeFault::SameTurn, Variant::Inter, true),
    (SchemeFault::WriteBehind, Variant::Intra, true),
    (SchemeFault::HiddenFromSelf, Variant::Intra, true),
    (SchemeFault::HiddenExposed, Variant::Intra, true),
    (SchemeFault::PositionShared, Variant::Intra, true),
];

#[test]
fn every_fault_of_unwindings_is_noticed() {
    for variant in Variant::ALL {
        let faults = FAULTS.iter().filter(|(_, of, _)| *of == variant);
        let campaign = Campaign {
            name: &format!("unwinding-{}", variant.name()),
            faults: faults.map(|(fault, _, found)| (*fault, *found)).collect(),
            programs: seeds(2000),
        };
        campaign.run(|_, found, seed| {
            let seed = seed as u64;
            let measure = match variant {
                Variant::Intra => Measure::Contexts,
                _ => Measure::Writes,
            };
            let outcome = if variant == Variant::Inter {
                check_inter(seed);
                Ok(())
            } else if found {
                let expected = least(&random::program(seed), measure);
                compare(seed, variant, (&expected, 0), SolverKind::Varisat)
            } else {
                is_complete_rightly(seed, variant)
            };
            Some(outcome.is_ok())
        });
    }
}
