//! Subjects of the comparison with the enumeration: schemes, their variants, solvers.

use selvedge::question::choice::ORDER;
use selvedge::sat::SolverKind;
use selvedge::scheme::lazy::{Prune, SwitchPoints};
use selvedge::scheme::memory::{Abstraction, Limits};
use selvedge::scheme::mu::Variant;
use selvedge::scheme::{Scheme, lazy, mu, step, timestamp};

/// Subject of the comparison with the enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject {
    pub scheme: Scheme,
    pub solver: SolverKind,
    /// True if iterations that change nothing are dropped. Then loops get further within the same bound, so
    /// what is found may lie beyond the enumeration, but nothing of the enumeration may be missed.
    pub idle_rule: bool,
    /// True if every object that is accessed at more than one offset at once is seen as an array.
    pub arrays: bool,
    /// False if executions end where words that nobody has chosen meet addresses.
    pub unset_words: bool,
    /// True if the program is sliced and its reads narrowed.
    pub reduce: bool,
}

impl Subject {
    /// A scheme on the default solver.
    pub fn new(scheme: impl Into<Scheme>) -> Subject {
        Subject {
            scheme: scheme.into(),
            solver: SolverKind::DEFAULT,
            idle_rule: false,
            arrays: false,
            unset_words: true,
            reduce: true,
        }
    }

    /// Memory unwindings that grow until they are enough.
    pub fn unwinding(variant: Variant) -> Subject {
        Subject::new(mu::Settings::of(variant))
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
            if name == ORDER.name() {
                return group;
            }
            vec![group[(turn % group.len() as u64) as usize]]
        };
        groups.into_iter().flat_map(taken).collect()
    }

    /// Those of one turn that know data races.
    pub fn racing(turn: u64) -> Vec<Subject> {
        let mut all = Subject::in_turn(turn);
        all.retain(|subject| !matches!(subject.scheme, Scheme::Mu(_)));
        all
    }

    /// Subjects for every memory model: the order scheme in four ways, and in turn one of the others that compute store
    /// buffers.
    pub fn weak(turn: u64) -> Vec<Subject> {
        let order = Subject::new(ORDER);
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
        let with = |rounds, buffers| {
            Subject::new(lazy::Settings {
                buffers,
                ..lazy::Settings::rounds(rounds)
            })
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
        vec![
            with(3, lists),
            with(2, buffers),
            with(3, within(3, 3)),
            with(3, within(2, 1)),
            with(2, addresses),
            Subject {
                arrays: true,
                ..Subject::new(lazy::Settings {
                    prune: Prune::None,
                    ..lazy::Settings::rounds(3)
                })
            },
        ]
    }

    /// Every scheme on the default solver, with and without arrays; the other solvers and the idle rule on one.
    pub fn all() -> Vec<Subject> {
        let order = Subject::new(ORDER);
        let rounds = |rounds| Subject::new(lazy::Settings::rounds(rounds));
        let stamps = Subject::new(timestamp::Settings::default());
        let steps = Subject::new(step::Settings::default());
        let mut all = vec![
            order,
            stamps,
            steps,
            rounds(2),
            Subject::new(lazy::Settings::rising(1, 5)),
            Subject::new(lazy::Settings {
                prune: Prune::Merge,
                ..lazy::Settings::rounds(4)
            }),
            Subject::new(lazy::Settings {
                prune: Prune::None,
                switch_points: SwitchPoints::All,
                ..lazy::Settings::rounds(3)
            }),
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
                unset_words: false,
                ..order
            },
            Subject {
                arrays: true,
                unset_words: false,
                ..order
            },
            Subject {
                arrays: true,
                ..rounds(4)
            },
            Subject {
                arrays: true,
                ..stamps
            },
            Subject::new(timestamp::Settings { guess_places: true }),
            Subject {
                arrays: true,
                ..steps
            },
            Subject::unwinding(Variant::FineExplicit),
            Subject::unwinding(Variant::FineMixed),
            Subject {
                arrays: true,
                ..Subject::unwinding(Variant::FineImplicit)
            },
            Subject::unwinding(Variant::Intra),
            Subject::new(mu::Settings {
                writes: Some(3),
                ..mu::Settings::of(Variant::Inter)
            }),
        ];
        let others = SolverKind::ALL
            .into_iter()
            .filter(|kind| *kind != SolverKind::DEFAULT && kind.is_available());
        all.extend(others.map(|solver| Subject { solver, ..order }));
        all
    }
}
