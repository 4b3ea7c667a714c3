//! The scheme `lazy` as all schemes are seen from outside.

use super::{Lazy, Settings};
use crate::base::option::Opt;
use crate::base::range::Range;
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::{EventProgram, MemoryModel};
use crate::reduce::forward::forward;
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use crate::scheme::memory::{Abstraction, Bounds, Limits};
use crate::scheme::{Bound, Encoded, Level, Method, Rising};

impl Method for Settings {
    const NAME: &'static str = "lazy";

    const ABOUT: &'static str = "rounds in which each thread takes a turn";

    const PAPERS: Option<&'static str> = Some(
        "Lazy-CSeq (lazy sequentialization) and Lazy-CSeq-SP (symbolic pruning of redundant schedules); under TSO and PSO, lazy sequentialization via shared memory abstractions",
    );

    const KNOWS_ENDS: bool = true;

    const SPLITS: bool = true;

    const OPTIONS: &'static [Opt<Settings>] = Settings::OPTIONS;

    fn knows(_: MemoryModel) -> bool {
        true
    }

    fn check(&self, memory: MemoryModel) -> Result<(), String> {
        let buffers = self.buffers;
        let lists = [
            (buffers.nodes.is_some(), "queue"),
            (buffers.clock.is_some(), "max-clock"),
        ];
        let others = [
            (buffers.addresses.is_some(), "addresses"),
            (buffers.abstraction != Abstraction::default(), "sma"),
        ];
        for (_, option) in lists.iter().chain(&others).filter(|(given, _)| *given) {
            if !memory.is_weak() {
                return Err(format!(
                    "--{option} is about store buffers, which --memory-model sc has not"
                ));
            }
        }
        match lists.iter().find(|(given, _)| *given) {
            Some((_, option)) if buffers.abstraction == Abstraction::Buffers => {
                Err(format!("--{option} bounds lists, not --sma buffers"))
            }
            _ => Ok(()),
        }
    }

    /// A clock that is always 0 has no lists.
    const RISES: &'static [Rising] = &[
        Rising {
            option: "rounds",
            least: 1,
        },
        Rising {
            option: "max-clock",
            least: 2,
        },
    ];

    fn rising(self, option: &str, first: u32, last: u32) -> Result<Settings, &'static str> {
        if option == "rounds" {
            let rounds = Some(Range { first, last });
            return Ok(Settings { rounds, ..self });
        }
        if self.rounds.is_none_or(|all| all.first != all.last) {
            return Err("--rounds is one number while the clock's bound rises");
        }
        let clock = Some(last);
        Ok(Settings {
            buffers: Limits {
                clock,
                ..self.buffers
            },
            clock_rises: true,
            ..self
        })
    }

    fn is_open(&self) -> bool {
        self.rounds.is_none()
    }

    fn at(self, level: Level, _: &EventProgram) -> Settings {
        let rounds = self.rounds.unwrap_or(Range {
            first: level.depth,
            last: level.depth,
        });
        Settings {
            rounds: Some(rounds),
            ..self
        }
    }

    fn bounds(&self, of: &EventProgram, level: u32, exceeded: bool) -> Vec<(Bound, u64, bool)> {
        let mut all = vec![(Bound::Rounds, u64::from(level), exceeded)];
        all.extend(
            self.bits
                .map(|bits| (Bound::Bitwidth, u64::from(bits), true)),
        );
        if of.memory.is_weak() {
            let enough = Bounds::enough(of);
            let limits = [
                (Bound::Queue, self.buffers.nodes, enough.nodes),
                (Bound::MaxClock, self.buffers.clock, enough.clock),
                (Bound::Addresses, self.buffers.addresses, enough.addresses),
            ];
            all.extend(limits.into_iter().filter_map(|(bound, limit, enough)| {
                limit.map(|limit| (bound, u64::from(limit), limit < enough))
            }));
        }
        all
    }

    /// The same as other schemes, and reads of what only their own thread writes are left out.
    fn reduce(program: &mut EventProgram) {
        narrow(program);
        forward(program);
        slice(program, Keep::Needed);
    }

    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        _: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        let lazy: Lazy = Lazy::encode(program, formula, *self);
        Ok(Box::new(lazy))
    }
}
