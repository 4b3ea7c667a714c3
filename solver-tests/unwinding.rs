//! The example of the paper on memory unwinding (Figure 2): two threads that add two variables to each other, five
//! times each. Its three unwindings, given as they are, are satisfiable; with any one value changed, none is; and each is
//! printed as that table.

use crate::oracle::read;
use selvedge::base::Budget;
use selvedge::event::{CellId, EventProgram, ThreadId};
use selvedge::ir;
use selvedge::question::{Encoding, Options};
use selvedge::report::unwinding::render;
use selvedge::sat::{self, Answer, SolverKind};
use selvedge::scheme::Grain;
use selvedge::scheme::mu::{self, Cluster, Mu, Variant};
use selvedge::symex::{Bounds, Unroller};
use selvedge::trace::decode::decode;
use selvedge::trace::replay::run::replay_unshortened;

const PROGRAM: &str = "
#include <pthread.h>
#include <assert.h>
int i = 1, j = 1;
void *f1(void *arg) { i = i + j; i = i + j; i = i + j; i = i + j; i = i + j; return 0; }
void *f2(void *arg) { j = j + i; j = j + i; j = j + i; j = j + i; j = j + i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f1, 0);
  pthread_create(&b, 0, f2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(j < 21);
}
";

/// A row: threads, what they write.
type Row = (&'static [u32], &'static [(&'static str, u128)]);

/// Figure 2 (c), with main as thread 0.
const FINE: &[Row] = &[
    (&[1], &[("i", 2)]),
    (&[1], &[("i", 3)]),
    (&[1], &[("i", 4)]),
    (&[1], &[("i", 5)]),
    (&[2], &[("j", 5)]),
    (&[2], &[("j", 10)]),
    (&[2], &[("j", 15)]),
    (&[1], &[("i", 15)]),
    (&[2], &[("j", 30)]),
    (&[2], &[("j", 45)]),
];
/// Figure 2 (d).
const INTRA: &[Row] = &[
    (&[1], &[("i", 4)]),
    (&[1], &[("i", 5)]),
    (&[2], &[("j", 10)]),
    (&[2], &[("j", 15)]),
    (&[1], &[("i", 15)]),
    (&[2], &[("j", 45)]),
];
/// Figure 2 (e).
const INTER: &[Row] = &[
    (&[1], &[("i", 4)]),
    (&[1, 2], &[("i", 5), ("j", 10)]),
    (&[2], &[("j", 15)]),
    (&[1, 2], &[("i", 15), ("j", 45)]),
];

fn cell(events: &EventProgram, name: &str) -> CellId {
    let mut cells = events.cells.iter_ids();
    let found = cells.find(|(_, cell)| events.objects[cell.object].name == name);
    found.expect("both variables are shared").0
}

/// The unwinding with one value, by its number, changed.
fn clusters(events: &EventProgram, rows: &[Row], changed: Option<usize>) -> Vec<Cluster> {
    let mut number = 0;
    let row = |&(threads, map): &Row| Cluster {
        threads: threads.iter().map(|&thread| ThreadId(thread)).collect(),
        map: map
            .iter()
            .map(|&(name, value)| {
                let wrong = changed == Some(number);
                number += 1;
                (cell(events, name), value + u128::from(wrong))
            })
            .collect(),
    };
    rows.iter().map(row).collect()
}

/// The rows of a printed table, with single blanks.
fn printed(text: &str) -> Vec<String> {
    let lines = text.lines().skip(4);
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

fn check(program: &ir::Program, variant: Variant, grain: Grain, rows: &[Row]) {
    let bounds = Bounds::default();
    let unlimited = Budget::unlimited();
    let mut unroller = Unroller::new(program).expect("a small program");
    let mut events = unroller.unroll(&bounds, &unlimited).expect("the same");
    let writes = rows.len() as u32;
    let mut encoding = Encoding::new(
        &mut events,
        &Options::new(mu::Settings {
            writes: Some(writes),
            ..mu::Settings::of(variant)
        }),
    );
    let mut solver = sat::open(SolverKind::DEFAULT, 0).expect("available");
    let violation = encoding.violation(&events);
    let values = rows.iter().map(|row| row.1.len()).sum();
    for changed in (0..values).map(Some).chain([None]) {
        let wanted = clusters(&events, rows, changed);
        let (mu, formula) = encoding.part::<Mu>().expect("the scheme mu");
        let so = mu.are(&events.terms, formula, &wanted);
        let goal = encoding.formula().and(so, violation);
        let answer = encoding.ask(&events, goal, false, &mut *solver, &unlimited);
        let expected = match changed {
            Some(_) => Answer::Unsat,
            None => Answer::Sat,
        };
        assert_eq!(answer, expected, "{variant:?}, {changed:?}");
    }
    let executions = encoding
        .decode(&events, &*solver, |claim| claim.violated)
        .expect("an execution");
    let execution = &executions[0];
    let schedule = decode(&events, &execution.order, execution.target, |t| {
        execution.value(&events.terms, t)
    });
    let trace = replay_unshortened(program, &schedule).expect("it replays");
    let table = render(&trace, grain);
    let row = |(number, &(threads, map)): (usize, &Row)| {
        let threads: Vec<String> = threads.iter().map(|t| format!("{t} f{t}")).collect();
        let map: Vec<String> = map
            .iter()
            .map(|(name, v)| format!("{name} = {v}"))
            .collect();
        let (threads, map) = (threads.join(", "), map.join(", "));
        format!("{} | {threads} | {map}", number + 1)
    };
    let expected: Vec<String> = rows.iter().enumerate().map(row).collect();
    assert_eq!(printed(&table), expected, "{table}");
}

#[test]
fn the_example_of_the_paper_is_an_unwinding_and_nothing_near_it_is() {
    let program = read(PROGRAM).expect("a program");
    for variant in Variant::FINE {
        check(&program, variant, Grain::Writes, FINE);
    }
    check(&program, Variant::Intra, Grain::Contexts, INTRA);
    check(&program, Variant::Inter, Grain::Turns, INTER);
}
