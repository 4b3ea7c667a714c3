//! Settings of the scheme `mu` and their options.

use super::{Mu, Variant, choice};
use crate::base::option::{About, Opt, Rows, Values, number, one_of};
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::EventProgram;
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use crate::scheme::{Bound, Encoded, Grain, Level, Method, Rising};

/// The most writes that can be asked for.
const MOST_WRITES: u32 = 100_000;
/// Writes that are guessed at most at a level of rising bounds, for each iteration that loops have there: deeper loops
/// rather than ever more writes, as bugs need few.
const WRITES_OF_LEVEL: u32 = 24;

/// Settings of the scheme `mu`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Representation of the unwinding; `None`: what suits the program.
    pub variant: Option<Variant>,
    /// Writes that are guessed; `None`: more and more, until they are enough or there are `most`.
    pub writes: Option<u32>,
    /// The most writes that their number rises to; `u32::MAX` for as many as the program may have.
    pub most: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            variant: None,
            writes: None,
            most: u32::MAX,
        }
    }
}

impl Settings {
    /// Unwindings of a variant that grow until they are enough.
    pub fn of(variant: Variant) -> Settings {
        Settings {
            variant: Some(variant),
            ..Settings::default()
        }
    }
}

impl Method for Settings {
    const NAME: &'static str = "mu";

    const ABOUT: &'static str = "a guessed sequence of writes that every thread has to agree with";

    const PAPERS: Option<&'static str> = Some(
        "Tomasco, Inverso, Fischer, La Torre and Parlato, \"Verifying Concurrent Programs by Memory Unwinding\"",
    );

    // Announcements are writes, and the bound is on writes.
    const KNOWS_RACES: bool = false;

    const OPTIONS: &'static [Opt<Settings>] = &[
        Opt {
            about: About {
                name: "writes",
                value: "N|auto",
                help: "Writes to shared memory up to the violation in the mu scheme; auto (the default there): 4, 8, 12, … \
                       until that is enough for every execution. Without --scheme, implies mu",
                rows: Some(Rows {
                    values: Values::Numbers {
                        least: 1,
                        most: MOST_WRITES,
                    },
                    help: "Writes of the mu scheme, a row for each; without it they rise until they suffice",
                }),
            },
            set: |settings, text| {
                settings.writes = match text {
                    "auto" => None,
                    _ => Some(
                        number(text, 0, MOST_WRITES)
                            .map_err(|expected| format!("{expected}, or auto"))?,
                    ),
                };
                Ok(())
            },
        },
        Opt {
            about: About {
                name: "mu",
                value: "VARIANT",
                help: "How the mu scheme represents writes: auto, fine-explicit, fine-implicit, fine-mixed, intra or inter. \
                       Without --scheme, implies mu",
                rows: Some(Rows {
                    values: Values::Names,
                    help: "Representations of the mu scheme, a row for each",
                }),
            },
            set: |settings, text| {
                settings.variant = match text {
                    "auto" => None,
                    _ => Some(
                        one_of(text, &Variant::ALL, Variant::name)
                            .map_err(|error| error.replacen("expected ", "expected auto, ", 1))?,
                    ),
                };
                Ok(())
            },
        },
    ];

    fn title(&self) -> String {
        let Some(variant) = self.variant else {
            return Self::NAME.to_string();
        };
        match variant.grain() {
            Grain::Writes => format!("mu {}", variant.name()),
            Grain::Contexts | Grain::Turns => format!(
                "mu {} (writes that their cluster overwrites are hidden)",
                variant.name()
            ),
        }
    }

    const RISES: &'static [Rising] = &[Rising {
        option: "writes",
        least: 1,
    }];

    fn rising(self, _: &str, _: u32, most: u32) -> Result<Settings, &'static str> {
        let writes = None;
        Ok(Settings {
            writes,
            most,
            ..self
        })
    }

    fn is_open(&self) -> bool {
        self.writes.is_none()
    }

    fn at(self, level: Level, program: &EventProgram) -> Settings {
        Settings {
            variant: Some(self.variant.unwrap_or_else(|| choice::choose(program))),
            most: if level.fixed {
                self.most
            } else {
                WRITES_OF_LEVEL.saturating_mul(level.depth)
            },
            ..self
        }
    }

    fn bounds(&self, _: &EventProgram, level: u32, exceeded: bool) -> Vec<(Bound, u64, bool)> {
        vec![(Bound::Writes, u64::from(level), exceeded)]
    }

    fn grain(&self) -> Option<Grain> {
        self.variant.map(Variant::grain)
    }

    /// The same as other schemes, but writes that nothing depends on still count as writes.
    fn reduce(program: &mut EventProgram) {
        narrow(program);
        slice(program, Keep::Writes);
    }

    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        _: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        let variant = self.variant.unwrap_or_else(|| choice::choose(program));
        let (writes, rising) = match self.writes {
            Some(writes) => (writes, false),
            None => (self.most, true),
        };
        Ok(Box::new(Mu::encode(
            program,
            formula,
            (variant, writes, rising),
        )))
    }
}
