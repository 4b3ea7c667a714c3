//! Portfolio: further ways to one answer, for who has more processors than two.
//!
//! Other schemes come first, as what is hard for one is often easy for another. Then all of them search again, by turns for a model above
//! all and with another seed. Each is a pair that no other one has.

use super::Scheme;
use super::choice::{Choice, ORDER, STEP, TIMESTAMP};
use crate::sat::{Questions, Search};
use std::time::Duration;

/// Processor time before they begin: most programs are decided by then.
pub const BEFORE_OTHERS: Duration = Duration::from_secs(1);

/// Events from which on `step` is left out, which builds most of them at every position.
const MOST_EVENTS_OF_STEP: usize = 1500;

/// One way to the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contender {
    pub scheme: Scheme,
    pub search: Search,
}

/// Contenders beside those of a choice, so that there are so many in all: of the schemes of the choice, and of others that `suits`
/// admits, for a program of so many events.
pub fn others(
    choice: &Choice,
    jobs: usize,
    seed: u32,
    events: usize,
    suits: impl Fn(Scheme) -> bool,
) -> Vec<Contender> {
    let begun: Vec<Scheme> = [Some(choice.first), choice.second]
        .into_iter()
        .flatten()
        .collect();
    let is_small = events <= MOST_EVENTS_OF_STEP;
    let further = [ORDER, TIMESTAMP, STEP].into_iter().filter(|&scheme| {
        !begun.contains(&scheme) && suits(scheme) && (scheme != STEP || is_small)
    });
    let further: Vec<Scheme> = further.collect();
    let at_first = further.iter().map(|&scheme| Contender {
        scheme,
        search: Search::seeded(seed),
    });
    let schemes = [&begun[..], &further].concat();
    let again = (1..).flat_map(|round: u32| {
        let search = Search {
            questions: match round % 2 {
                1 => Questions::Models,
                _ => Questions::Hard,
            },
            seed: seed.wrapping_add(round / 2),
        };
        let all = schemes.iter();
        all.map(move |&scheme| Contender { scheme, search })
            .collect::<Vec<Contender>>()
    });
    let count = jobs.saturating_sub(begun.len());
    at_first.clone().chain(again).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(choice: &Choice, jobs: usize, suits: bool) -> Vec<(&'static str, Questions, u32)> {
        let all = others(choice, jobs, 7, 10, |_| suits).into_iter();
        all.map(|one| (one.scheme.name(), one.search.questions, one.search.seed))
            .collect()
    }

    #[test]
    fn other_schemes_come_before_other_searches() {
        let alone = Choice::only(ORDER);
        assert_eq!(all(&alone, 1, true), []);
        use Questions::{Hard, Models};
        let expected = [
            ("timestamp", Hard, 7),
            ("step", Hard, 7),
            ("order", Models, 7),
            ("timestamp", Models, 7),
            ("step", Models, 7),
            ("order", Hard, 8),
        ];
        assert_eq!(all(&alone, 7, true), expected);
        let expected = [
            ("order", Models, 7),
            ("order", Hard, 8),
            ("order", Models, 8),
        ];
        assert_eq!(all(&alone, 4, false), expected);
    }

    #[test]
    fn no_two_are_the_same() {
        let choice = Choice {
            second: Some(STEP),
            ..Choice::only(ORDER)
        };
        let mut all = others(&choice, 1024, 0, 10, |_| true);
        assert_eq!(all.len(), 1022);
        let first = [ORDER, STEP].map(|scheme| Contender {
            scheme,
            search: Search::seeded(0),
        });
        all.extend(first);
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{one:?}");
        }
    }
}
