//! Changed certificates: each is rejected, or says no more than what its check has shown.
//!
//! Certificates are changed as JSON, every kind of entry in every program: texts, numbers, truth values, and lists whose
//! entries are dropped, doubled and exchanged. A change of a text alone is always rejected. A changed certificate may be
//! accepted only if every condition that it has is one of the original as well (it is weaker, or another proof of the same),
//! or the one text that had to change is what the check has rendered of the bits or terms that it then proves.

use crate::beside;
use crate::oracle::read;
use selvedge::base::{Budget, Meter};
use selvedge::ir::Checks;
use selvedge::ir::Program;
use selvedge::lanes::Flag;
use selvedge::modular::certificate::{Certificate, Checked, Rejection, check};
use selvedge::modular::{Options, Strategy, prove};
use selvedge::sat::SolverKind;
use serde_json::{Value, json};
use std::time::Duration;

/// Programs, and how they are proved.
const PROGRAMS: [(&str, Strategy); 6] = [
    ("modular/peterson_inside.c", Strategy::OneByOne(Vec::new())),
    ("modular/peterson.c", Strategy::Interleavings),
    ("modular/spinlock.c", Strategy::Interleavings),
    ("modular/shift.c", Strategy::Interleavings),
    ("lockstep/equal.c", Strategy::Lockstep),
    ("endless/visitors.c", Strategy::Families),
];

fn proof_of(name: &str, strategy: Strategy) -> (Program, Value) {
    let text = beside::text(&beside::path(name));
    let program = read(&text).unwrap();
    let options = Options {
        checks: Checks::ASSERT,
        solver: SolverKind::DEFAULT,
        seed: 0,
        strategy,
        sites: None,
        suits_lockstep: Flag::default(),
    };
    let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(120));
    let proof = prove(&program, &options, &Meter::default(), &budget).unwrap();
    let certificate = proof.certificate.expect("it is proved");
    (program, serde_json::to_value(certificate).unwrap())
}

/// The check of a file; `None` if it cannot be read.
fn checked(program: &Program, file: &Value) -> Option<Result<Checked, Rejection>> {
    let certificate: Certificate = serde_json::from_value(file.clone()).ok()?;
    let budget = Budget::unlimited();
    Some(check(program, &certificate, SolverKind::DEFAULT, &budget))
}

/// Paths (JSON pointers) of everything in a file, with the last name on the way.
fn paths(file: &Value) -> Vec<(String, String)> {
    fn walk(value: &Value, path: &str, name: &str, all: &mut Vec<(String, String)>) {
        all.push((path.to_string(), name.to_string()));
        match value {
            Value::Array(list) => {
                for (index, one) in list.iter().enumerate() {
                    walk(one, &format!("{path}/{index}"), name, all);
                }
            }
            Value::Object(members) => {
                for (key, one) in members {
                    walk(one, &format!("{path}/{key}"), key, all);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk(file, "", "", &mut all);
    all
}

/// A file in which what stands at a path is another one.
fn with(file: &Value, path: &str, value: Value) -> Value {
    let mut changed = file.clone();
    *changed.pointer_mut(path).unwrap() = value;
    changed
}

/// Names of what only people read.
const TEXTS: [&str; 3] = ["c", "words", "places"];

/// Files with one text changed: in one sign, to nothing, to a text of another entry.
fn texts(file: &Value) -> Vec<Value> {
    let all = paths(file);
    let texts = all.iter().filter(|(path, name)| {
        TEXTS.contains(&name.as_str()) && file.pointer(path).unwrap().is_string()
    });
    let texts: Vec<&str> = texts.map(|(path, _)| path.as_str()).collect();
    let mut changed = Vec::new();
    for (number, path) in texts.iter().enumerate() {
        let text = file.pointer(path).unwrap().as_str().unwrap();
        changed.push(with(file, path, json!(format!("{text} "))));
        if text != "1" {
            changed.push(with(file, path, json!("1")));
        }
        if let Some(less) = text.strip_prefix('!') {
            changed.push(with(file, path, json!(less)));
        }
        let other = texts[(number + 1) % texts.len()];
        let theirs = file.pointer(other).unwrap().clone();
        if theirs != text {
            changed.push(with(&with(file, path, theirs), other, json!(text)));
        }
    }
    changed
}

/// Files with something else changed.
fn entries(file: &Value) -> Vec<Value> {
    let mut changed = Vec::new();
    for (path, name) in paths(file) {
        let value = file.pointer(&path).unwrap();
        match value {
            Value::Bool(truth) => changed.push(with(file, &path, json!(!truth))),
            Value::Number(number) => {
                let number = number.as_u64().unwrap();
                changed.push(with(file, &path, json!(number + 1)));
                changed.extend(
                    number
                        .checked_sub(1)
                        .map(|less| with(file, &path, json!(less))),
                );
            }
            Value::String(text) if name == "bits" => {
                // One more condition, on where main stands: weaker.
                if !text.starts_with("0.") && !text.starts_with("!0.") {
                    changed.push(with(file, &path, json!(format!("0.0 {text}"))));
                }
                let bits: Vec<&str> = text.split(' ').collect();
                for index in 0..bits.len() {
                    let mut other = bits.clone();
                    let sign = format!("!{}", other[index]);
                    other[index] = sign.strip_prefix("!!").unwrap_or(&sign);
                    changed.push(with(file, &path, json!(other.join(" "))));
                    other.remove(index);
                    changed.push(with(file, &path, json!(other.join(" "))));
                }
            }
            Value::String(text) if name == "terms" => {
                let parts = [
                    ("ult", "slt"),
                    ("and", "xor"),
                    ("= ", "ult "),
                    ("not", "not "),
                ];
                let parts = parts.iter().filter(|(from, _)| text.contains(from));
                changed.extend(
                    parts.map(|(from, to)| with(file, &path, json!(text.replacen(from, to, 1)))),
                );
                let more = |digit: char| match digit.to_digit(10) {
                    Some(digit) => char::from_digit((digit + 1) % 10, 10).unwrap_or('0'),
                    None => digit,
                };
                let more: String = text.chars().map(more).collect();
                if more != *text {
                    changed.push(with(file, &path, json!(more)));
                }
            }
            Value::String(_) if !TEXTS.contains(&name.as_str()) => {
                changed.push(with(file, &path, json!("none")));
            }
            Value::Array(list) => {
                for index in 0..list.len() {
                    let mut fewer = list.clone();
                    let one = fewer.remove(index);
                    changed.push(with(file, &path, json!(fewer)));
                    let mut more = list.clone();
                    more.insert(index, one);
                    changed.push(with(file, &path, json!(more)));
                    if index > 0 && list[index] != list[index - 1] {
                        let mut other = list.clone();
                        other.swap(index - 1, index);
                        changed.push(with(file, &path, json!(other)));
                    }
                }
            }
            _ => {}
        }
    }
    changed
}

/// A file whose rejected text is the one that the check has rendered instead.
fn retold(file: &Value, rejection: &Rejection) -> Option<Value> {
    let Rejection::Unfit(what) = rejection else {
        return None;
    };
    let (_, texts) = what.split_once(" reads `")?;
    let (text, told) = texts.split_once("`, and what is checked is `")?;
    let told = told.strip_suffix('`')?;
    let all = paths(file);
    let mut here = all.iter().filter(|(path, name)| {
        name == "c" && file.pointer(path).and_then(Value::as_str) == Some(text)
    });
    let (path, _) = here.next()?;
    here.next().is_none().then(|| with(file, path, json!(told)))
}

/// Statements of a file: its sets of states and its facts, by their texts, which mean the same if they are equal. Other bits may leave the same places, and of
/// other threads the same may hold.
fn said(file: &Value) -> Vec<Value> {
    let all = paths(file).into_iter();
    let sets = all.filter(|(_, name)| name == "never");
    let sets = sets.filter_map(|(path, _)| file.pointer(&path)?.get("c"));
    let facts = file["facts"].as_array().into_iter().flatten();
    let facts = facts.map(|fact| json!([fact["before"]["c"], fact["after"]["c"], fact["changed"]]));
    sets.cloned().chain(facts).collect()
}

/// Every n-th of these, so that there are not many more than so many.
fn some(all: Vec<Value>, count: usize) -> Vec<Value> {
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).collect()
}

/// Rejection of all files whose texts alone are changed; the number of files.
fn texts_are_read(name: &str, strategy: Strategy, count: usize) -> Result<usize, String> {
    let (program, whole) = proof_of(name, strategy);
    let files = some(texts(&whole), count);
    for file in &files {
        if let Some(Ok(_)) = checked(&program, file) {
            return Err(format!("{name}: accepted is {file}"));
        }
    }
    Ok(files.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_says_what_is_not_checked() {
        let mut files = 0;
        for (name, strategy) in PROGRAMS {
            files += texts_are_read(name, strategy, 60).unwrap();
        }
        assert!(files >= 100, "{files}");
    }

    #[test]
    fn changed_certificates_are_rejected_or_weaker() {
        let (mut rejected, mut weaker, mut others) = (0, 0, 0);
        for (name, strategy) in PROGRAMS {
            let (program, whole) = proof_of(name, strategy);
            let original = checked(&program, &whole).unwrap().unwrap();
            let before = said(&whole);
            let count = crate::tier::programs(500).min(3000) as usize;
            for file in some(entries(&whole), count) {
                if file == whole {
                    continue;
                }
                let (mut file, mut is_retold) = (file, false);
                let mut outcome = checked(&program, &file);
                // With a text that fits, the proof itself is what is looked at.
                if let Some(Err(rejection)) = &outcome
                    && let Some(honest) = retold(&file, rejection)
                {
                    (file, is_retold) = (honest, true);
                    outcome = checked(&program, &file);
                }
                let Some(Ok(found)) = outcome else {
                    rejected += 1;
                    continue;
                };
                assert_eq!(found.threads, original.threads, "{name}: {file}");
                assert!(original.defined || !found.defined, "{name}: {file}");
                // What a reader is told is told by the original, too, unless the check has rendered it.
                let read = said(&file);
                let strange: Vec<&Value> =
                    read.iter().filter(|one| !before.contains(one)).collect();
                assert!(
                    is_retold || strange.is_empty(),
                    "{name}: accepted is {strange:?}"
                );
                *(if is_retold { &mut others } else { &mut weaker }) += 1;
            }
        }
        println!("{rejected} rejected, {weaker} weaker, {others} other proofs");
        assert!(rejected >= 100, "{rejected}");
        assert!(weaker > 0 && others > 0);
    }

    /// A check that does not read texts accepts what it must not.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_the_check_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::Campaign;
        let campaign = Campaign {
            name: "certificates",
            faults: of_kind("CERTIFICATE", ()),
            programs: PROGRAMS.iter().map(|(name, _)| name.to_string()).collect(),
        };
        campaign.run(|_, (), number| {
            let (name, strategy) = PROGRAMS[number].clone();
            Some(texts_are_read(name, strategy, 20).is_ok())
        });
    }
}
