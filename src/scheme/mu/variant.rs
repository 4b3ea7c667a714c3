//! Representations of the unwinding.

use crate::scheme::Grain;

/// Representation of the unwinding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Every write has a position; what every variable holds after each.
    FineExplicit,
    /// Every write has a position; what is written there, and which write each read takes.
    FineImplicit,
    /// Every write has a position; scalars explicit, arrays implicit.
    FineMixed,
    /// Clusters of what one thread writes without interruption.
    Intra,
    /// Clusters in which every thread has its turn.
    Inter,
}

impl Variant {
    /// Grain of the unwinding's positions.
    pub(crate) fn grain(self) -> Grain {
        match self {
            Variant::FineExplicit | Variant::FineImplicit | Variant::FineMixed => Grain::Writes,
            Variant::Intra => Grain::Contexts,
            Variant::Inter => Grain::Turns,
        }
    }

    /// All of them.
    pub const ALL: [Variant; 5] = [
        Variant::FineExplicit,
        Variant::FineImplicit,
        Variant::FineMixed,
        Variant::Intra,
        Variant::Inter,
    ];

    /// Those in which every write has a position of its own.
    pub const FINE: [Variant; 3] = [
        Variant::FineExplicit,
        Variant::FineImplicit,
        Variant::FineMixed,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Variant::FineExplicit => "fine-explicit",
            Variant::FineImplicit => "fine-implicit",
            Variant::FineMixed => "fine-mixed",
            Variant::Intra => "intra",
            Variant::Inter => "inter",
        }
    }
}
