//! Deliberate errors of the analysis of races, by kind.

crate::base::faults::declare! {
    RACES {
    }
}
