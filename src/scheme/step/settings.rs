//! Settings of the scheme `step` and their options.

use super::Step;
use crate::base::option::{About, Opt, Rows, Values, number};
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::EventProgram;
use crate::scheme::{Bound, Encoded, Method};

/// Settings of the scheme `step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The most steps of all threads together; `None` for as many as there are.
    pub steps: Option<u32>,
}

impl Method for Settings {
    const NAME: &'static str = "step";

    const ABOUT: &'static str =
        "one step after the other, with memory computed forwards; fast where few steps repeat";

    const PAPERS: Option<&'static str> = Some(
        "the read-explicit matrix of Tomasco, Inverso, Fischer, La Torre and Parlato, \"MU-CSeq\", computed instead of guessed",
    );

    const KNOWS_ENDS: bool = true;

    const OPTIONS: &'static [Opt<Settings>] = &[Opt {
        about: About {
            name: "steps",
            value: "N",
            help: "Steps of all threads together in the step scheme; without it, as many as there are. Without --scheme, \
                   implies step",
            rows: Some(Rows {
                values: Values::Numbers {
                    least: 1,
                    most: 1_000_000,
                },
                help: "Steps of the step scheme, a row for each; without it there are as many as the program has",
            }),
        },
        set: |settings, text| {
            settings.steps = Some(number(text, 1, 1_000_000)?);
            Ok(())
        },
    }];

    fn is_open(&self) -> bool {
        self.steps.is_none()
    }

    fn bounds(&self, _: &EventProgram, _: u32, exceeded: bool) -> Vec<(Bound, u64, bool)> {
        let steps = self.steps.into_iter();
        steps
            .map(|steps| (Bound::Steps, u64::from(steps), exceeded))
            .collect()
    }

    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        budget: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        let steps = self.steps.unwrap_or(u32::MAX);
        Ok(Box::new(Step::encode(program, formula, steps, budget)?))
    }
}
