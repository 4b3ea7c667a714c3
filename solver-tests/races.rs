//! Data races against the enumeration, which finds them by its own means: every pair of places that some execution shows is
//! found by every scheme, and each finding replays.

use crate::oracle::{Fault, Skip, Subject, compare_prepared, prepare_for};
use selvedge::ir::{Check, Checks};

/// Compares subjects with the enumeration on data races: how many pairs of places race.
pub fn compare(turn: u64, text: &str) -> Result<Result<usize, Skip>, Fault> {
    compare_of(Checks::of(&[Check::Race]), turn, text)
}

/// The same of several checks: how many places violate one.
fn compare_of(checks: Checks, turn: u64, text: &str) -> Result<Result<usize, Skip>, Fault> {
    let prepared = match prepare_for(text, checks)? {
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
    use selvedge::{Budget, Options, Request, Session, json, text};
    use std::collections::BTreeSet;

    const QUEUE: &str = "\
#include <pthread.h>
#include <stdlib.h>
struct queue { int count; int item[2]; } queue;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
char *block;
static void put(int item) {
  queue.count = item;
}
void *producer(void *unused) {
  pthread_mutex_lock(&lock);
  put(3);
  pthread_mutex_unlock(&lock);
  return 0;
}
void *consumer(void *unused) {
  int seen = queue.count;
  pthread_rwlock_rdlock(&rw);
  block[1] = 1;
  pthread_rwlock_unlock(&rw);
  return 0;
}
int main(void) {
  pthread_t one, other;
  block = malloc(2);
  pthread_create(&one, 0, FIRST, 0);
  pthread_create(&other, 0, SECOND, 0);
  free(block);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
";

    /// What is printed of a program, and what is written as JSON.
    fn reported(text: &str) -> (String, serde_json::Value) {
        reported_of(text, Checks::of(&[Check::Race]))
    }

    fn reported_of(text: &str, checks: Checks) -> (String, serde_json::Value) {
        let options = Options {
            checks,
            ..Options::default()
        };
        let session = Session::parse("queue.c", text, &options).expect("it is C");
        let request = Request {
            checks,
            first: false,
            ..Request::default()
        };
        let answer = session.verify(&request, &Budget::unlimited(), &mut |_| ());
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        let places = session.places();
        let json = json::render(&answer.outcome, places);
        let detail = text::Detail {
            width: 120,
            ..text::Detail::default()
        };
        let printed = text::render(&answer.outcome, places, detail);
        (printed, serde_json::from_str(&json).expect("it is JSON"))
    }

    #[test]
    fn a_report_has_both_accesses() {
        let text = QUEUE.replace("FIRST", "producer");
        let (printed, json) = reported(&text.replace("SECOND", "consumer"));
        let expected = "\
Violated: data race at queue.c:8 and queue.c:17
    thread 1 (producer, created at queue.c:26): write of 4 bytes: queue.count = 3, in put, called at queue.c:12; holds
         lock (since queue.c:11)
    thread 2 (consumer, created at queue.c:27): read of 4 bytes: queue.count = 0; holds no lock
";
        assert!(printed.contains(expected), "{printed}");
        let freed = "\
Violated: data race at queue.c:19 and queue.c:28
    thread 2 (consumer, created at queue.c:27): write of 1 byte: heap#1[1] = 1; holds rw (since queue.c:18)
    main: free of 2 bytes: heap#1; holds no lock
";
        assert!(printed.contains(freed), "{printed}");
        let last = "VERIFICATION FAILED (data race at queue.c:8 and queue.c:17; 1 more)\n";
        assert!(printed.ends_with(last), "{printed}");
        let first = &json["findings"][0];
        assert_eq!(first["place"]["line"], 8);
        assert_eq!(first["other"]["line"], 17);
        assert_eq!(first["other"]["thread"], 2);
        assert_eq!(first["accesses"][0]["function"], "put");
        assert_eq!(first["accesses"][0]["locks"][0]["variable"], "lock");
        assert_eq!(first["accesses"][1]["access"], "read");
    }

    #[test]
    fn a_lock_is_named_once_where_notes_on_owners_are_kept() {
        let text = QUEUE.replace("FIRST", "producer");
        let text = text.replace("SECOND", "consumer");
        for other in [Check::Misuse, Check::Deadlock] {
            let (printed, _) = reported_of(&text, Checks::of(&[Check::Race, other]));
            let words: Vec<&str> = printed.split_whitespace().collect();
            let printed = words.join(" ");
            for held in [
                "holds lock (since queue.c:11) thread 2 (",
                "holds rw (since queue.c:18) main: ",
            ] {
                assert!(printed.contains(held), "{other:?}: {printed}");
            }
        }
    }

    #[test]
    fn the_name_of_a_race_does_not_depend_on_who_comes_first() {
        let names = |first: &str, second: &str| {
            let text = QUEUE.replace("FIRST", first).replace("SECOND", second);
            let (_, json) = reported(&text);
            let findings = json["findings"].as_array().expect("a list").clone();
            let name = |finding: &serde_json::Value| finding["fingerprint"].to_string();
            findings.iter().map(name).collect::<BTreeSet<String>>()
        };
        let (one, other) = (names("producer", "consumer"), names("consumer", "producer"));
        assert_eq!(one.len(), 2);
        assert_eq!(one, other);
    }

    /// Assertions that are violated in sections: what stands before them is of an execution that ends there, and others go on
    /// beside a thread that has not come to its section.
    #[test]
    fn sections_that_violate_assertions_have_not_run() {
        let program = |data: &str, seen: &str| {
            format!(
                "#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
void *one(void *unused) {{
  __VERIFIER_atomic_begin();
  __atomic_store_n(&y, 1, 5);
  assert({data});
  __VERIFIER_atomic_end();
  return 0;
}}
void *other(void *unused) {{
  if (__atomic_load_n(&y, 5) == {seen}) x = 1;
  return 0;
}}
int main(void) {{
  pthread_t id[2];
  pthread_create(&id[0], 0, one, 0);
  pthread_create(&id[1], 0, other, 0);
  return x;
}}
"
            )
        };
        for (data, seen, expected) in [("0", "1", 0), ("1", "1", 1), ("0", "0", 1)] {
            let text = program(data, seen);
            for turn in 0..8 {
                let said = compare(turn, &text);
                assert_eq!(said, Ok(Ok(expected)), "{text}");
            }
        }
    }

    /// Compares many programs: how many violate a check, and how many do not.
    fn shares(count: u64, checks: Checks, generate: impl Fn(u64) -> String + Sync) -> (u64, u64) {
        let first = start();
        let one = |seed| {
            let text = generate(seed);
            compare_of(checks, seed, &text).map_err(|Fault { kind, details }| {
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
        println!("of {count} programs: {racy} with violations, {free} without");
        (racy, free)
    }

    #[test]
    fn every_race_is_found_and_no_other() {
        let count = programs(150);
        let (racy, free) = shares(count, Checks::of(&[Check::Race]), |seed| {
            generate::race::generate(seed).render()
        });
        let told = racy + free;
        assert!(10 * told >= 9 * count, "only {told} tell something");
        assert!(10 * racy >= 2 * told, "only {racy} have races");
        assert!(10 * racy <= 4 * told, "{racy} have races");
    }

    /// Programs that are not about races have them, too; and where they are asked for, what is undisturbed is no interleaving point
    /// of what assertions depend on.
    #[test]
    fn races_of_other_programs_are_found_and_no_other() {
        let count = programs(30);
        let (racy, free) = shares(count, Checks::of(&[Check::Assert, Check::Race]), |seed| {
            generate::generate(seed).render()
        });
        assert!(10 * (racy + free) >= 7 * count, "too few tell something");
    }
}
