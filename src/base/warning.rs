//! Warnings: what the user should know of a program although it stops nothing. Each has a name, by which it is chosen.

use super::Loc;

/// A remark on a place of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Warning {
    /// Place in the preprocessed text.
    pub loc: Loc,
    /// The kind, which has a name.
    pub kind: WarningKind,
    /// Text of the message, without place and name.
    pub message: String,
}

impl Warning {
    /// The message with the name behind it, as it is shown.
    pub fn named(&self) -> String {
        self.kind.behind(&self.message)
    }
}

/// Kinds of warnings, in the order in which a program is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WarningKind {
    /// `#warning`.
    UserWarning,
    /// A macro that gets another body.
    MacroRedefined,
    /// A declaration without a type.
    ImplicitInt,
    /// A call of what nothing declares.
    ImplicitFunction,
    /// More values in an initialiser than there are members.
    ExcessInitializers,
    /// An integer in place of a pointer, or the other way round.
    IntConversion,
    /// A pointer in place of one to another type.
    PointerTypes,
    /// A pointer to `const` or `volatile` in place of one without.
    DiscardedQualifiers,
    /// A pointer in place of one to the same integer with another sign.
    PointerSign,
    /// A comparison of a pointer with an integer, or with a pointer to another type.
    PointerComparison,
    /// A start routine of another type than threads call.
    StartRoutine,
    /// The end of a function whose result somebody uses.
    MissingReturn,
    /// `return` with a value where there is none, or without one.
    ReturnMismatch,
    /// `va_arg` with a type that no argument has.
    PromotedArgument,
    /// An object that is declared and nowhere defined.
    UndefinedObject,
    /// A function that is declared and nowhere defined.
    MissingBody,
    /// An entry of a file of suppressed findings that fits none.
    UnusedSuppression,
}

impl WarningKind {
    /// All of them, in order.
    pub const ALL: [WarningKind; 17] = [
        WarningKind::UserWarning,
        WarningKind::MacroRedefined,
        WarningKind::ImplicitInt,
        WarningKind::ImplicitFunction,
        WarningKind::ExcessInitializers,
        WarningKind::IntConversion,
        WarningKind::PointerTypes,
        WarningKind::DiscardedQualifiers,
        WarningKind::PointerSign,
        WarningKind::PointerComparison,
        WarningKind::StartRoutine,
        WarningKind::MissingReturn,
        WarningKind::ReturnMismatch,
        WarningKind::PromotedArgument,
        WarningKind::UndefinedObject,
        WarningKind::MissingBody,
        WarningKind::UnusedSuppression,
    ];

    /// The name: that of GCC or Clang, where they have one.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::UserWarning => "user-warning",
            WarningKind::MacroRedefined => "macro-redefined",
            WarningKind::ImplicitInt => "implicit-int",
            WarningKind::ImplicitFunction => "implicit-function-declaration",
            WarningKind::ExcessInitializers => "excess-initializers",
            WarningKind::IntConversion => "int-conversion",
            WarningKind::PointerTypes => "incompatible-pointer-types",
            WarningKind::DiscardedQualifiers => "discarded-qualifiers",
            WarningKind::PointerSign => "pointer-sign",
            WarningKind::PointerComparison => "pointer-comparison",
            WarningKind::StartRoutine => "start-routine",
            WarningKind::MissingReturn => "missing-return",
            WarningKind::ReturnMismatch => "return-mismatch",
            WarningKind::PromotedArgument => "promoted-argument",
            WarningKind::UndefinedObject => "undefined-object",
            WarningKind::MissingBody => "missing-body",
            WarningKind::UnusedSuppression => "unused-suppression",
        }
    }

    /// Description in a few words.
    pub fn about(self) -> &'static str {
        match self {
            WarningKind::UserWarning => "#warning",
            WarningKind::MacroRedefined => "a macro gets another body",
            WarningKind::ImplicitInt => "a declaration names no type",
            WarningKind::ImplicitFunction => "a call of what nothing declares",
            WarningKind::ExcessInitializers => "more values than members",
            WarningKind::IntConversion => "integer for pointer, or pointer for integer",
            WarningKind::PointerTypes => "a pointer to another type",
            WarningKind::DiscardedQualifiers => "const or volatile gets lost",
            WarningKind::PointerSign => "a pointer to the other sign",
            WarningKind::PointerComparison => "a pointer and what it is not compared with",
            WarningKind::StartRoutine => "a thread begins with another type",
            WarningKind::MissingReturn => "a result is used that may be missing",
            WarningKind::ReturnMismatch => "return with, or without, a value",
            WarningKind::PromotedArgument => "va_arg of a type no argument has",
            WarningKind::UndefinedObject => "an object without definition: zero",
            WarningKind::MissingBody => "a function without body: any result",
            WarningKind::UnusedSuppression => "a fingerprint that no finding has",
        }
    }

    /// True if it is told unless somebody says otherwise: what compilers tell of without flags, and what the answer rests on.
    pub fn is_default(self) -> bool {
        self != WarningKind::PointerSign
    }

    /// A message with the name behind it.
    pub fn behind(self, message: &str) -> String {
        format!("{message} [{}]", self.name())
    }
}

/// A choice of warnings: those that are told. The default has those that [`WarningKind::is_default`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warnings(u32);

impl Warnings {
    /// All warnings.
    pub const ALL: Warnings = Warnings((1 << WarningKind::ALL.len()) - 1);
    /// No warning.
    pub const NONE: Warnings = Warnings(0);

    /// True if a kind is told.
    pub fn contains(self, kind: WarningKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// The same choice with a kind, or without it.
    pub fn set(self, kind: WarningKind, is_told: bool) -> Warnings {
        let bit = 1 << kind as u32;
        Warnings(if is_told { self.0 | bit } else { self.0 & !bit })
    }

    /// The choice after one more word: the name of a warning, `no-` and a name, `all`, `none` or `default`.
    ///
    /// # Errors
    /// It is none of these; says what was expected.
    pub fn with(self, word: &str) -> Result<Warnings, String> {
        let named = |name: &str| {
            let mut all = WarningKind::ALL.into_iter();
            all.find(|kind| kind.name() == name)
        };
        match (word, named(word), word.strip_prefix("no-").and_then(named)) {
            ("all", ..) => Ok(Warnings::ALL),
            ("none", ..) => Ok(Warnings::NONE),
            ("default", ..) => Ok(Warnings::default()),
            (_, Some(kind), _) => Ok(self.set(kind, true)),
            (_, _, Some(kind)) => Ok(self.set(kind, false)),
            _ => Err(
                "expected the name of a warning, no- and a name, all, none or default; \
                      `selvedge help warnings` lists the names"
                    .to_string(),
            ),
        }
    }
}

impl Default for Warnings {
    fn default() -> Warnings {
        let all = WarningKind::ALL.into_iter();
        let told = all.filter(|kind| kind.is_default());
        told.fold(Warnings::NONE, |told, kind| told.set(kind, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_kind_each() {
        for (place, kind) in WarningKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
            assert!(!kind.name().starts_with("no-"), "{}", kind.name());
            let alone = Warnings::NONE.with(kind.name()).unwrap();
            assert_eq!(alone, Warnings::NONE.set(kind, true));
            let without = Warnings::ALL.with(&format!("no-{}", kind.name())).unwrap();
            assert_eq!(without, Warnings::ALL.set(kind, false));
            assert!(alone.contains(kind) && !without.contains(kind));
        }
        assert!(Warnings::NONE.with("nothing").is_err());
        assert_eq!(Warnings::ALL.with("default"), Ok(Warnings::default()));
    }
}
