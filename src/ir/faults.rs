//! Deliberate errors of the front end, by kind.

crate::base::faults::declare! {
    LANGUAGE {
        /// Members of packed structures are aligned.
        PackedIgnored = "packed-ignored",
        /// `#pragma pack` limits nothing.
        PackIgnored = "pack-ignored",
        /// A structure is not aligned more than its members ask for.
        AlignedIgnored = "aligned-ignored",
        /// Bit-fields are read as unsigned.
        FieldSignLost = "field-sign-lost",
        /// Writing a bit-field clears its neighbours.
        FieldSpills = "field-spills",
        /// The value of an assignment to a bit-field is what is assigned, not what is stored.
        FieldUncut = "field-uncut",
        /// An unsigned bit-field narrower than an int is promoted to an unsigned one.
        FieldUnsigned = "field-unsigned",
        /// An array of variable length has an element more, if one asks for its size.
        VariableSize = "variable-size",
        /// Nobody cleans up where a scope is left.
        CleanupLost = "cleanup-lost",
        /// The first declaration of a scope is cleaned up first.
        CleanupOrder = "cleanup-order",
        /// Shifts in 128 bits look at six bits of their amount only.
        WideShift = "wide-shift",
        /// Checked sums of 128 bits forget the carry.
        CarryLost = "carry-lost",
        /// Signed numbers are shifted to the right as unsigned ones.
        ShiftLogical = "shift-logical",
        /// A range of cases ends before its last one.
        RangeShort = "range-short",
        /// A range of designators ends before its last one.
        DesignatorShort = "designator-short",
        /// The initialiser behind a designated member initialises it again.
        DesignatorStays = "designator-stays",
        /// A selection by type takes its default if it has one.
        GenericDefault = "generic-default",
        /// `va_arg` moves on by one word, however large the argument is.
        ArgumentStep = "argument-step",
        /// `va_copy` gives the list as it began.
        ListRewound = "list-rewound",
        /// A structure is copied but for its last scalar.
        RecordTail = "record-tail",
        /// `char` is unsigned.
        CharUnsigned = "char-unsigned",
        /// In inline assembly, a sum carries where a difference would.
        AssemblyCarry = "assembly-carry",
        /// In inline assembly, 32 bits that are written leave the upper half of a register.
        AssemblyHalf = "assembly-half",
        /// In inline assembly, a bit that a register numbers is one of the word that is named.
        AssemblyBit = "assembly-bit",
        /// In inline assembly, a compare-exchange that fails leaves the accumulator.
        AssemblyAccumulator = "assembly-accumulator",
    }
    DEFECTS {
        /// Functions of every type may be called through every pointer.
        CalleeTypeIgnored = "callee-type-ignored",
        /// The result of a function that ends without one may be used where others do not use it.
        ResultMissed = "result-missed",
        /// Operands may change what others use.
        OrderIgnored = "order-ignored",
        /// A variable that is assigned has no value.
        ValueForgotten = "value-forgotten",
        /// A variable has a value in its own initialiser.
        OwnInitialiser = "own-initialiser",
    }
}
