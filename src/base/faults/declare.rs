//! Declaration of a stage's deliberate errors.

/// Declares the faults of a stage, kind by kind, as constants of its `Fault`.
macro_rules! declare {
    ($($kind:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* })*) => {
        #[allow(unused_imports, reason = "a stage may switch by the name of the mechanism")]
        pub use crate::base::faults::on;

        /// Names of the deliberate errors of this stage.
        #[derive(Debug)]
        pub enum Fault {}

        #[allow(non_upper_case_globals, reason = "they are used as variants of an enum are")]
        #[cfg_attr(not(feature = "internals"), allow(dead_code, reason = "tests list them"))]
        impl Fault {
            $($(
                $(#[$doc])*
                pub const $name: crate::base::faults::Fault =
                    crate::base::faults::Fault::new($text, stringify!($kind));
            )*)*

            /// All of them.
            pub const ALL: &'static [crate::base::faults::Fault] = &[$($(Fault::$name,)*)*];
        }
    };
}
pub(crate) use declare;
