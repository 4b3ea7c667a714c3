//! Settings of the scheme `timestamp`.

use super::Timestamp;
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::EventProgram;
use crate::scheme::{Encoded, Method};

/// Settings of the scheme `timestamp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Every write guesses its place, as in the paper; otherwise only where that pays.
    pub guess_places: bool,
}

impl Method for Settings {
    const NAME: &'static str = "timestamp";

    const ABOUT: &'static str = "times of writes and a clock for each thread; no bound of its own";

    const PAPERS: Option<&'static str> =
        Some("Yeolekar, Madhukar, Bhutada and Venkatesh, \"Sequentialization Using Timestamps\"");

    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        budget: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        let timestamp = Timestamp::encode(program, formula, self.guess_places, budget)?;
        Ok(Box::new(timestamp))
    }
}
