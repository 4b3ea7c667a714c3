//! Settings of the scheme `lazy` and their options.

use super::prune::Prune;
use super::switch::SwitchPoints;
use crate::base::option::{About, Opt, Rows, Values, number, one_of};
use crate::base::range::Range;
use crate::scheme::memory::{Abstraction, Limits};

/// Settings of the scheme `lazy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Rounds that are tried first (at least 1), and the most; one last turn of main follows them. `None`: as many as the
    /// level of bounds.
    pub rounds: Option<Range>,
    /// Switch points: the steps before which control may change.
    pub switch_points: SwitchPoints,
    /// Pruning: the schedules that are left out.
    pub prune: Prune,
    /// Number of bits that shared variables hold, as signed numbers (at least 1); `None` for all.
    pub bits: Option<u16>,
    /// Limits on how much of store buffers is looked at.
    pub buffers: Limits,
    /// Questions are about lower bounds of the clock, one after the other.
    pub clock_rises: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            rounds: None,
            switch_points: SwitchPoints::Effects,
            prune: Prune::Canonical,
            bits: None,
            buffers: Limits::default(),
            clock_rises: false,
        }
    }
}

impl Settings {
    /// Options that set them.
    pub(super) const OPTIONS: &'static [Opt<Settings>] = &[
        Opt {
            about: About {
                name: "rounds",
                value: "N|A..B",
                help: "Rounds of the lazy scheme: every thread gets this many turns; A..B: first A, then more and more up \
                       to B, as long as some execution needs more. Without --scheme, implies lazy",
                rows: Some(Rows {
                    values: Values::Numbers {
                        least: 1,
                        most: 1000,
                    },
                    help: "Rounds of the lazy scheme, a row for each; without it they rise until they suffice",
                }),
            },
            set: |settings, text| {
                settings.rounds = Some(Range::parse(text, 1, 1000)?);
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "switch-points",
                value: "WHERE",
                help: "Where threads may be interrupted in the lazy scheme: all (before every access of shared memory) or \
                       effects (the default: only where other threads can tell the difference)",
                rows: Some(Rows {
                    values: Values::Names,
                    help: "Switch points of the lazy scheme, a row for each",
                }),
            },
            set: |settings, text| {
                settings.switch_points = one_of(text, &SwitchPoints::ALL, SwitchPoints::name)?;
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "prune",
                value: "WHICH",
                help: "Schedules that the lazy scheme leaves out, as equal ones are kept: none, merge (turns that could be \
                       one) or canonical (the default: also turns that could begin earlier)",
                rows: Some(Rows {
                    values: Values::Names,
                    help: "Schedules that the lazy scheme leaves out, a row for each",
                }),
            },
            set: |settings, text| {
                settings.prune = one_of(text, &Prune::ALL, Prune::name)?;
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "bitwidth",
                value: "W",
                help: "Bits that integers in shared memory have in the lazy scheme, as signed numbers; executions that need \
                       more are left out. Addresses, and variables that are set to larger constants, keep their width",
                rows: Some(Rows {
                    values: Values::Numbers { least: 1, most: 64 },
                    help: "Bits of integers in shared memory in the lazy scheme, a row for each",
                }),
            },
            set: |settings, text| {
                settings.bits = Some(number(text, 1, 64)? as u16);
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "queue",
                value: "N",
                help: "Nodes of the list of each variable in the lazy scheme under TSO and PSO: a write to it is made while \
                       at most N - 2 are pending, over all threads. Without it, as many as there are",
                rows: Some(Rows {
                    values: Values::Numbers {
                        least: 1,
                        most: 1000,
                    },
                    help: "Nodes of the lists of the lazy scheme under TSO and PSO, a row for each",
                }),
            },
            set: |settings, text| {
                settings.buffers.nodes = Some(number(text, 1, 1000)?);
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "max-clock",
                value: "K",
                help: "The clock's bound in the lazy scheme under TSO and PSO: memory changes in at most K - 1 batches, \
                       besides writes that reach it at once; with 1, nothing is ever pending. Without it, as many as there \
                       are writes",
                rows: Some(Rows {
                    values: Values::Numbers {
                        least: 1,
                        most: 1_000_000,
                    },
                    help: "Bounds of the clock of the lazy scheme under TSO and PSO, a row for each",
                }),
            },
            set: |settings, text| {
                settings.buffers.clock = Some(number(text, 1, 1_000_000)?);
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "addresses",
                value: "V",
                help: "The most places of memory that an execution reaches through addresses with several possible values, \
                       in the lazy scheme under TSO and PSO: an access to another one blocks. Without it, all",
                rows: Some(Rows {
                    values: Values::Numbers {
                        least: 0,
                        most: 1_000_000,
                    },
                    help: "Places that the lazy scheme reaches through addresses under TSO and PSO, a row for each",
                }),
            },
            set: |settings, text| {
                settings.buffers.addresses = Some(number(text, 0, 1_000_000)?);
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "sma",
                value: "SMA",
                help: "How the lazy scheme computes store buffers under TSO and PSO: lists (the default: a list with \
                       timestamps for each variable) or buffers (as they are, slowly)",
                rows: Some(Rows {
                    values: Values::Names,
                    help: "How the lazy scheme computes store buffers, a row for each",
                }),
            },
            set: |settings, text| {
                settings.buffers.abstraction = one_of(text, &Abstraction::ALL, Abstraction::name)?;
                Ok(())
            },
        },
    ];

    /// So many rounds, neither fewer nor more.
    pub fn rounds(rounds: u32) -> Settings {
        Settings::rising(rounds, rounds)
    }

    /// So many rounds for who looks for violations alone: without pruning, since schedules that are equal to others do no harm there.
    pub const fn hunt(rounds: u32, bits: Option<u16>) -> Settings {
        Settings {
            rounds: Some(Range {
                first: rounds,
                last: rounds,
            }),
            switch_points: SwitchPoints::Effects,
            prune: Prune::None,
            bits,
            buffers: Limits::NONE,
            clock_rises: false,
        }
    }

    /// More and more rounds, from `first` to `last`.
    pub fn rising(first: u32, last: u32) -> Settings {
        Settings {
            rounds: Some(Range { first, last }),
            ..Settings::default()
        }
    }
}
