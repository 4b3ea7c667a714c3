//! Schemes with their settings, as values.
//!
//! A scheme is a folder with a [`Method`] and a line in the table below. Nothing outside of its folder knows its settings, its
//! options or its bounds.

use super::{Bound, Encoded, Grain, Level, Method, Rising, lazy, mu, order, step, timestamp};
use crate::base::option::About;
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::{EventProgram, MemoryModel};

macro_rules! schemes {
    ($($(#[$doc:meta])* $name:ident($settings:ty),)*) => {
        /// A scheme with its settings.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Scheme {
            $($(#[$doc])* $name($settings),)*
        }

        $(impl From<$settings> for Scheme {
            fn from(settings: $settings) -> Scheme {
                Scheme::$name(settings)
            }
        })*

        impl Scheme {
            /// All schemes, with their defaults.
            pub fn all() -> Vec<Scheme> {
                vec![$(Scheme::$name(<$settings>::default())),*]
            }

            /// Name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Scheme::$name(_) => <$settings>::NAME,)*
                }
            }

            /// See [`Method::ABOUT`].
            pub(crate) fn about(self) -> &'static str {
                match self {
                    $(Scheme::$name(_) => <$settings>::ABOUT,)*
                }
            }

            /// See [`Method::PAPERS`].
            pub(crate) fn papers(self) -> Option<&'static str> {
                match self {
                    $(Scheme::$name(_) => <$settings>::PAPERS,)*
                }
            }

            /// Options of the scheme's own, for [`Scheme::set`].
            pub fn options(self) -> Vec<About> {
                match self {
                    $(Scheme::$name(_) => <$settings>::OPTIONS.iter().map(|one| one.about).collect(),)*
                }
            }

            /// Sets an option of the scheme's own.
            ///
            /// # Errors
            /// The scheme has no such option, or the value is none.
            pub fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
                match self {
                    $(Scheme::$name(settings) => {
                        let own = <$settings>::OPTIONS.iter();
                        match own.into_iter().find(|own| own.about.name == option) {
                            Some(own) => (own.set)(settings, value),
                            None => Err(format!("there is no option {option}")),
                        }
                    })*
                }
            }

            /// True if the scheme has the store buffers of a memory model.
            pub fn knows(self, memory: MemoryModel) -> bool {
                match self {
                    $(Scheme::$name(_) => <$settings>::knows(memory),)*
                }
            }

            /// See [`Method::KNOWS_RACES`].
            pub(crate) fn knows_races(self) -> bool {
                match self {
                    $(Scheme::$name(_) => <$settings>::KNOWS_RACES,)*
                }
            }

            /// See [`Method::KNOWS_ENDS`].
            pub(crate) fn knows_ends(self) -> bool {
                match self {
                    $(Scheme::$name(_) => <$settings>::KNOWS_ENDS,)*
                }
            }

            /// See [`Method::SPLITS`].
            pub(crate) fn splits(self) -> bool {
                match self {
                    $(Scheme::$name(_) => <$settings>::SPLITS,)*
                }
            }

            /// Checks that settings make sense together, and under a memory model.
            ///
            /// # Errors
            /// The option that makes none, and why.
            pub fn check(self, memory: MemoryModel) -> Result<(), String> {
                match self {
                    $(Scheme::$name(settings) => settings.check(memory),)*
                }
            }

            /// See [`Method::title`].
            pub(crate) fn title(self) -> String {
                match self {
                    $(Scheme::$name(settings) => settings.title(),)*
                }
            }

            /// See [`Method::is_open`].
            pub(crate) fn is_open(self) -> bool {
                match self {
                    $(Scheme::$name(settings) => settings.is_open(),)*
                }
            }

            /// See [`Method::RISES`].
            pub(crate) fn rises(self) -> &'static [Rising] {
                match self {
                    $(Scheme::$name(_) => <$settings>::RISES,)*
                }
            }

            /// See [`Method::rising`].
            ///
            /// # Errors
            /// See [`Method::rising`].
            pub(crate) fn rising(
                self,
                option: &str,
                first: u32,
                last: u32,
            ) -> Result<Scheme, &'static str> {
                match self {
                    $(Scheme::$name(settings) => settings.rising(option, first, last).map(Scheme::$name),)*
                }
            }

            /// See [`Method::at`].
            #[must_use]
            pub(crate) fn at(self, level: Level, program: &EventProgram) -> Scheme {
                match self {
                    $(Scheme::$name(settings) => Scheme::$name(settings.at(level, program)),)*
                }
            }

            /// See [`Method::bounds`].
            pub(crate) fn bounds(
                self,
                of: &EventProgram,
                level: u32,
                exceeded: bool,
            ) -> Vec<(Bound, u64, bool)> {
                match self {
                    $(Scheme::$name(settings) => settings.bounds(of, level, exceeded),)*
                }
            }

            /// See [`Method::grain`].
            pub(crate) fn grain(self) -> Option<Grain> {
                match self {
                    $(Scheme::$name(settings) => settings.grain(),)*
                }
            }

            /// See [`Method::reduce`].
            pub(crate) fn reduce(self, program: &mut EventProgram) {
                program.timed("reduce", |program| match self {
                    $(Scheme::$name(_) => <$settings>::reduce(program),)*
                });
            }

            /// See [`Method::encode`].
            ///
            /// # Errors
            /// See [`Method::encode`].
            pub(crate) fn encode(
                self,
                program: &mut EventProgram,
                formula: &mut Formula,
                budget: &Budget,
            ) -> Result<Box<dyn Encoded>, StopReason> {
                match self {
                    $(Scheme::$name(settings) => settings.encode(program, formula, budget),)*
                }
            }
        }
    };
}

schemes! {
    /// The order of steps as literals; no bound.
    Order(order::Settings),
    /// Turns of threads in a number of rounds.
    Lazy(lazy::Settings),
    /// Timestamps of writes; no bound.
    Timestamp(timestamp::Settings),
    /// One step after the other, memory computed forwards.
    Step(step::Settings),
    /// Memory unwindings: a sequence of guessed writes.
    Mu(mu::Settings),
}

impl Scheme {
    /// The scheme of this name, with its defaults.
    pub fn named(name: &str) -> Option<Scheme> {
        Scheme::all()
            .into_iter()
            .find(|scheme| scheme.name() == name)
    }
}
