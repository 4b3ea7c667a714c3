//! Settings of the scheme `order`.

use super::Order;
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::{EventProgram, MemoryModel};
use crate::reduce::slice::{Keep, slice};
use crate::reduce::symmetry;
use crate::reduce::value_range::narrow;
use crate::scheme::{Encoded, Method};

/// Settings of the scheme `order`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Cycles over three threads are excluded beforehand if there are at most so many triples of steps, otherwise as models
    /// run into them.
    pub eager_triples: usize,
}

impl Settings {
    /// The default.
    pub const DEFAULT: Settings = Settings {
        eager_triples: 50_000,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::DEFAULT
    }
}

impl Method for Settings {
    const NAME: &'static str = "order";

    const ABOUT: &'static str =
        "which of two steps of different threads comes first; no bound of its own";

    const KNOWS_ENDS: bool = true;

    const SPLITS: bool = true;

    fn knows(_: MemoryModel) -> bool {
        true
    }

    fn reduce(program: &mut EventProgram) {
        symmetry::find(program);
        narrow(program);
        slice(program, Keep::Needed);
    }

    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        budget: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        let order = Order::encode(program, formula, self.eager_triples, budget)?;
        Ok(Box::new(order))
    }
}
