//! What is compared with the enumeration: schemes, their variants, solvers.

use selvedge::question::Scheme;
use selvedge::sat::SolverKind;
use selvedge::scheme::lazy::{Plan, Prune, SwitchPoints};
use selvedge::scheme::memory::{Abstraction, Limits};
use selvedge::scheme::mu::Variant;

/// What is compared with the enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject {
    pub scheme: Scheme,
    pub solver: SolverKind,
    /// Whether iterations that change nothing are dropped. Then loops get further within the same bound, so
    /// what is found may lie beyond the enumeration, but nothing of the enumeration may be missed.
    pub idle_rule: bool,
    /// Whether every object that is accessed at more than one offset at once is seen as an array.
    pub arrays: bool,
    /// Whether `timestamp` guesses the places of all writes.
    pub guess_places: bool,
    /// Whether the program is sliced and its reads narrowed.
    pub reduce: bool,
    /// Where `lazy` places switches, and what it prunes.
    pub lazy: Plan,
}

impl Subject {
    /// A scheme on the default solver.
    pub fn new(scheme: Scheme) -> Subject {
        Subject {
            scheme,
            solver: SolverKind::DEFAULT,
            idle_rule: false,
            arrays: false,
            guess_places: false,
            reduce: true,
            lazy: Plan::default(),
        }
    }

    /// Memory unwindings that grow until they are enough.
    pub fn unwinding(variant: Variant) -> Subject {
        Subject::new(Scheme::Mu {
            variant,
            writes: u32::MAX,
            rising: true,
        })
    }

    /// Those of one turn: of every scheme but `order` one, so that all have had theirs after a few programs.
    pub fn in_turn(turn: u64) -> Vec<Subject> {
        let mut all = Subject::all();
        let mut groups: Vec<(&str, Vec<Subject>)> = Vec::new();
        for subject in all.drain(..) {
            let name = subject.scheme.name();
            match groups.iter_mut().find(|group| group.0 == name) {
                Some((_, group)) => group.push(subject),
                None => groups.push((name, vec![subject])),
            }
        }
        let taken = |(name, group): (&str, Vec<Subject>)| -> Vec<Subject> {
            // What nearly every verdict comes from is always compared in full, and it is the cheapest.
            if name == Scheme::Order.name() {
                return group;
            }
            vec![group[(turn % group.len() as u64) as usize]]
        };
        groups.into_iter().flat_map(taken).collect()
    }

    /// What knows every memory model, and one other way in turn to compute store buffers.
    pub fn weak(turn: u64) -> Vec<Subject> {
        let order = Subject::new(Scheme::Order);
        let mut all = vec![order; 4];
        all[1].reduce = false;
        all[2].idle_rule = true;
        all[3].arrays = true;
        let others = Subject::buffers();
        all.push(others[(turn % others.len() as u64) as usize]);
        all
    }

    /// The scheme `lazy` under weak memory models.
    pub fn buffers() -> Vec<Subject> {
        let with = |rounds, buffers| Subject {
            lazy: Plan {
                buffers,
                ..Plan::default()
            },
            ..Subject::new(Scheme::rounds(rounds))
        };
        let lists = Limits::default();
        let buffers = Limits {
            abstraction: Abstraction::Buffers,
            ..lists
        };
        let within = |nodes, clock| Limits {
            nodes: Some(nodes),
            clock: Some(clock),
            ..lists
        };
        let addresses = Limits {
            addresses: Some(1),
            ..lists
        };
        let mut all = vec![
            with(3, lists),
            with(2, buffers),
            with(3, within(3, 3)),
            with(3, within(2, 1)),
            with(2, addresses),
            with(3, lists),
        ];
        all[5].arrays = true;
        all[5].lazy.prune = Prune::None;
        all
    }

    /// Every scheme on the default solver, with and without arrays; the other solvers and the idle rule on one.
    pub fn all() -> Vec<Subject> {
        let order = Subject::new(Scheme::Order);
        let rounds = |rounds| Subject::new(Scheme::rounds(rounds));
        let timestamp = Subject::new(Scheme::Timestamp);
        let step = Subject::new(Scheme::Step { steps: u32::MAX });
        let mut all = vec![
            order,
            timestamp,
            step,
            rounds(2),
            Subject::new(Scheme::Lazy {
                rounds: 5,
                first: 1,
            }),
            Subject {
                lazy: Plan {
                    prune: Prune::Merge,
                    ..Plan::default()
                },
                ..rounds(4)
            },
            Subject {
                lazy: Plan {
                    prune: Prune::None,
                    switch_points: SwitchPoints::All,
                    bits: None,
                    buffers: Limits::default(),
                },
                ..rounds(3)
            },
            Subject {
                reduce: false,
                ..order
            },
            Subject {
                idle_rule: true,
                ..order
            },
            Subject {
                arrays: true,
                ..order
            },
            Subject {
                arrays: true,
                ..rounds(4)
            },
            Subject {
                arrays: true,
                ..timestamp
            },
            Subject {
                guess_places: true,
                ..timestamp
            },
            Subject {
                arrays: true,
                ..step
            },
            Subject::unwinding(Variant::FineExplicit),
            Subject::unwinding(Variant::FineMixed),
            Subject {
                arrays: true,
                ..Subject::unwinding(Variant::FineImplicit)
            },
            Subject::unwinding(Variant::Intra),
            Subject::new(Scheme::Mu {
                variant: Variant::Inter,
                writes: 3,
                rising: false,
            }),
        ];
        let others = SolverKind::ALL
            .into_iter()
            .filter(|kind| *kind != SolverKind::DEFAULT && kind.is_available());
        all.extend(others.map(|solver| Subject { solver, ..order }));
        all
    }
}
