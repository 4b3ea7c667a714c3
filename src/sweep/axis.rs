//! Axes of a grid: what cells differ by, besides program and engine. Bounds, and choices such as the memory model.
//!
//! Axes are options of verification by the same name. Those of schemes are the options that their tables make rows of.

use crate::base::option::{About, Values};
use crate::scheme::Scheme;
use crate::session::Engine;
use std::sync::LazyLock;

/// An axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The option of verification, without dashes.
    pub name: &'static str,
    /// Kind of its values.
    pub kind: Kind,
    /// Engines that it means something for.
    pub fits: Fits,
    /// Help of the option of sweeps, in sentences.
    pub help: &'static str,
}

/// Kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Values of a bound: executions within one are within all larger ones.
    Bound { least: u32, most: u32 },
    /// Numbers, none of which says anything about another.
    Number { least: u32, most: u32 },
    /// Names, none of which says anything about another.
    Name,
}

/// Engines that an axis means something for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fits {
    /// All of them.
    All,
    /// All that unroll the program.
    Unrolling,
    /// The scheme of this name.
    Scheme(&'static str),
}

/// Axis of the columns of a table, unless another one is chosen.
pub const UNWIND: &str = "unwind";

/// Axes that are not of one scheme: choices, then bounds.
const CHOICES: [Axis; 4] = [
    Axis {
        name: "memory-model",
        kind: Kind::Name,
        fits: Fits::All,
        help: "Memory models, a row for each: sc (the default), tso or pso; a scheme has none for a model that it does not know",
    },
    Axis {
        name: "check",
        kind: Kind::Name,
        fits: Fits::All,
        help: "What to look for, a row for each, as for verification; + puts several into one row (memory+leak)",
    },
    Axis {
        name: "solver",
        kind: Kind::Name,
        fits: Fits::All,
        help: "SAT solvers, a row for each: cadical (the default) or varisat",
    },
    Axis {
        name: "seed",
        kind: Kind::Number {
            least: 0,
            most: 2_000_000_000,
        },
        fits: Fits::All,
        help: "Seeds of the solver's random choices, a row for each",
    },
];
const BOUNDS: [Axis; 3] = [
    Axis {
        name: "threads",
        kind: Kind::Bound {
            least: 1,
            most: 100_000,
        },
        fits: Fits::Unrolling,
        help: "Threads that may run besides main, a row for each",
    },
    Axis {
        name: "recursion",
        kind: Kind::Bound {
            least: 0,
            most: 100_000,
        },
        fits: Fits::Unrolling,
        help: "Depths of recursion, a row for each",
    },
    Axis {
        name: UNWIND,
        kind: Kind::Bound {
            least: 1,
            most: 1_000_000,
        },
        fits: Fits::Unrolling,
        help: "Iterations of every loop, a column for each",
    },
];

impl Axis {
    /// All axes, in the order in which cells are named: choices before bounds.
    pub fn all() -> &'static [Axis] {
        static ALL: LazyLock<Vec<Axis>> = LazyLock::new(|| {
            let of_schemes = Scheme::all().into_iter().flat_map(of_scheme);
            let (bounds, variants): (Vec<_>, Vec<_>) =
                of_schemes.partition(|axis| axis.kind != Kind::Name);
            let all = [&variants[..], &CHOICES, &bounds, &BOUNDS];
            all.concat()
        });
        &ALL
    }

    /// The axis of this name.
    pub fn named(name: &str) -> Option<Axis> {
        Axis::all().iter().copied().find(|axis| axis.name == name)
    }

    /// Place in [`Axis::all`].
    pub(super) fn place(name: &str) -> usize {
        let all = Axis::all();
        all.iter()
            .position(|axis| axis.name == name)
            .unwrap_or(all.len())
    }

    /// True if the axis means something for an engine.
    pub fn fits(self, engine: &Engine) -> bool {
        match self.fits {
            Fits::All => true,
            Fits::Unrolling => !matches!(engine, Engine::Modular { .. }),
            Fits::Scheme(name) => engine.name() == name,
        }
    }
}

fn of_scheme(scheme: Scheme) -> impl Iterator<Item = Axis> {
    let owner = scheme.name();
    let rows = move |About { name, rows, .. }| {
        let rows = rows?;
        let kind = match rows.values {
            Values::Numbers { least, most } => Kind::Bound { least, most },
            Values::Names => Kind::Name,
        };
        Some(Axis {
            name,
            kind,
            fits: Fits::Scheme(owner),
            help: rows.help,
        })
    };
    scheme.options().into_iter().filter_map(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_of_a_scheme_is_an_axis() {
        let names = [
            "rounds",
            "bitwidth",
            "queue",
            "max-clock",
            "addresses",
            "steps",
            "writes",
            "unwind",
            "threads",
            "recursion",
        ];
        for name in names {
            let axis = Axis::named(name);
            let is_bound = |axis: &Axis| matches!(axis.kind, Kind::Bound { .. });
            assert!(axis.as_ref().is_some_and(is_bound), "{name}");
        }
        let mut all: Vec<&str> = Axis::all().iter().map(|axis| axis.name).collect();
        assert_eq!(all.last(), Some(&UNWIND));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), Axis::all().len(), "each has a name of its own");
    }
}
