//! Deliberate errors of words, by kind.

crate::base::faults::declare! {
    ENCODING {
        /// Ranges of signed numbers lack their sign.
        RangeSign = "range-sign",
    }
    FLOAT {
        /// Bits that a shift to the right loses are forgotten.
        StickyLost = "sticky-lost",
        /// Ties are rounded away from zero.
        TiesAway = "ties-away",
        /// Subnormal results become zero.
        SubnormalFlushed = "subnormal-flushed",
        /// Zeros of different signs differ.
        SignedZeros = "signed-zeros",
        /// A NaN equals itself.
        NanEqual = "nan-equal",
        /// Integers that have too many bits are cut instead of rounded.
        IntegerCut = "integer-cut",
    }
}
