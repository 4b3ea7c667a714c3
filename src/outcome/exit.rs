//! Exit codes. Those of verdicts are CBMC's, so that wrappers for it work. After a signal, the code is 128 and its number.

/// No violation, whatever the limits.
pub const SUCCESSFUL: u8 = 0;
/// The arguments make no sense.
pub const USAGE: u8 = 1;
/// An input cannot be read or understood, or an output cannot be written.
pub const INPUT: u8 = 2;
/// No answer.
pub const UNKNOWN: u8 = 5;
/// An error of Selvedge.
pub const INTERNAL: u8 = 6;
/// A violation.
pub const FAILED: u8 = 10;

/// All codes of ends that no signal asked for, with what they say, in the order of the help.
pub const ALL: [(u8, &str); 6] = [
    (SUCCESSFUL, "successful"),
    (FAILED, "failed"),
    (UNKNOWN, "unknown"),
    (USAGE, "wrong usage"),
    (INPUT, "unreadable input"),
    (INTERNAL, "internal error"),
];

/// The code after a signal, which is a small number.
pub const fn after_signal(signal: i32) -> u8 {
    128 + signal as u8
}
