//! Options: name, help and effect of each in one table, beside what they are options of.

/// An option of `T` that takes a value.
pub struct Opt<T: 'static> {
    /// Name and help.
    pub about: About,
    /// Reads a value into `T`; the error says what was expected.
    pub set: fn(&mut T, &str) -> Result<(), String>,
}

/// Name and help of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// Name without dashes.
    pub name: &'static str,
    /// Placeholder of its value.
    pub value: &'static str,
    /// Help, in sentences.
    pub help: &'static str,
    /// Values of which a sweep makes rows, if it does.
    pub rows: Option<Rows>,
}

/// Values of an option that a sweep makes a row of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    /// Kind of the values.
    pub values: Values,
    /// Help of the option of sweeps, in sentences.
    pub help: &'static str,
}

/// Kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Values of a bound: executions within one are within all larger ones.
    Numbers {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// Names of variants, none of which says anything about another.
    Names,
}

/// A whole number between two limits, both included.
///
/// # Errors
/// The text is none; says what was expected.
pub fn number(text: &str, least: u32, most: u32) -> Result<u32, String> {
    let value = text
        .parse::<u64>()
        .map_err(|_| format!("expected a whole number from {least} to {most}"))?;
    match u32::try_from(value) {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

/// The one of `all` that has this name.
///
/// # Errors
/// None has; lists the names.
pub fn one_of<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let known = all.iter().copied().find(|&one| name(one) == text);
    known.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        match names.split_last() {
            Some((last, [])) => format!("expected {last}"),
            Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
            None => "nothing can be expected".to_string(),
        }
    })
}
