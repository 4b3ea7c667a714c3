//! Data races against the enumeration, which finds them by its own means: every pair of places that some execution shows is
//! found by every scheme, and each finding replays.

use crate::oracle::{Fault, Skip, Subject, compare_prepared, prepare_for};
use selvedge::ir::{Check, Checks};

/// Compares subjects with the enumeration on data races: how many pairs of places race.
pub fn compare(turn: u64, text: &str) -> Result<Result<usize, Skip>, Fault> {
    let prepared = match prepare_for(text, Checks::of(&[Check::Race]))? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let said = compare_prepared(&prepared, &Subject::racing(turn))?;
    Ok(said.map(|_| prepared.violations().len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::oracle::on_deep_stacks;
    use crate::tier::{programs, start};
    use rayon::prelude::*;

    /// Compares many programs: how many race, and how many do not.
    fn shares(count: u64, generate: impl Fn(u64) -> String + Sync) -> (u64, u64) {
        let first = start();
        let one = |seed| {
            let text = generate(seed);
            compare(seed, &text).map_err(|Fault { kind, details }| {
                println!("seed {seed}: {kind}: {details}\n{text}");
                kind
            })
        };
        let seeds = first..first + count;
        let said: Vec<Result<Result<usize, Skip>, String>> =
            on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
        let wrong: Vec<&String> = said.iter().filter_map(|said| said.as_ref().err()).collect();
        assert!(wrong.is_empty(), "{} programs: {wrong:?}", wrong.len());
        let told: Vec<usize> = said.into_iter().flatten().flatten().collect();
        let racy = told.iter().filter(|races| **races > 0).count() as u64;
        let free = told.len() as u64 - racy;
        println!("of {count} programs: {racy} with races, {free} without");
        (racy, free)
    }

    #[test]
    fn every_race_is_found_and_no_other() {
        let count = programs(150);
        let (racy, free) = shares(count, |seed| generate::race::generate(seed).render());
        let told = racy + free;
        assert!(10 * told >= 9 * count, "only {told} tell something");
        assert!(10 * racy >= 2 * told, "only {racy} have races");
        assert!(10 * racy <= 4 * told, "{racy} have races");
    }

    /// Programs that are not about races have them, too.
    #[test]
    fn races_of_other_programs_are_found_and_no_other() {
        let count = programs(30);
        let (racy, free) = shares(count, |seed| generate::generate(seed).render());
        assert!(10 * (racy + free) >= 7 * count, "too few tell something");
    }
}
