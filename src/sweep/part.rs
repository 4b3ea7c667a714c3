//! Parts: what answers to the cubes of a cell say together.
//!
//! A cell has a violation if one of its cubes has, and none if none of them has. Who decides one knows nothing of the others; so whether they
//! are parts of one whole is looked at here: there has to be a record of each number, and all have to be of one formula.

use super::cube::Cube;
use super::faults::{self, Fault};
use super::record::{Record, Verdict};

/// Answer to a cell, if those to its cubes say it.
pub(super) fn together(parts: &[Record]) -> Option<Record> {
    let whole = |part: &Record| Record {
        cube: None,
        ..part.clone()
    };
    let was_run = |part: &&Record| part.implied_by.is_none();
    let of = |verdict: Verdict| {
        let mut own = parts.iter().filter(was_run);
        own.find(|part| part.verdict == verdict)
    };
    let first = of(Verdict::Error)
        .or(of(Verdict::Failed))
        .or(of(Verdict::Input));
    let sum = |of: fn(&Record) -> u64| parts.iter().map(of).sum();
    let most = |of: fn(&Record) -> u64| parts.iter().map(of).max().unwrap_or(0);
    let figures = |record: Record| Record {
        cpu_ms: sum(|part| part.cpu_ms),
        wall_ms: sum(|part| part.wall_ms),
        terms: most(|part| part.terms),
        variables: most(|part| part.variables),
        clauses: most(|part| part.clauses),
        peak_memory_bytes: most(|part| part.peak_memory_bytes),
        ..record
    };
    if let Some(first) = first {
        return Some(figures(whole(first)));
    }
    // An answer that others imply is about the whole.
    if let Some(implied) = parts.iter().find(|part| part.implied_by.is_some()) {
        return Some(whole(implied));
    }
    let count = parts.first()?.cube.as_ref()?.of;
    let has = |number: u32| {
        let mut cubes = parts.iter().filter_map(|part| part.cube.as_ref());
        cubes.any(|cube| cube.number == number && cube.of == count)
    };
    let is_whole = (1..=count).all(has) || faults::on(Fault::CubeMissing);
    if !is_whole {
        return None;
    }
    if let Some(open) = of(Verdict::Unknown) {
        return Some(figures(whole(open)));
    }
    let formula = |part: &Record| part.cube.as_ref().and_then(|cube| cube.formula.clone());
    let name = formula(&parts[0]);
    let is_one = name.is_some() && parts.iter().all(|part| formula(part) == name);
    if !is_one && !faults::on(Fault::ForeignCube) {
        let record = Record {
            verdict: Verdict::Error,
            complete: false,
            asserted: None,
            line: "cubes are of different formulas".to_string(),
            exit: None,
            ..whole(&parts[0])
        };
        return Some(figures(record));
    }
    let bounds = bounds(parts);
    let complete = bounds.is_empty();
    let any = |asserted| parts.iter().any(|part| part.asserted == asserted);
    let asserted = match (any(Some(true)), any(None)) {
        (true, _) => Some(true),
        (false, true) => None,
        (false, false) => Some(false),
    };
    Some(figures(Record {
        complete,
        asserted,
        line: if complete {
            "VERIFICATION SUCCESSFUL".to_string()
        } else {
            format!("VERIFICATION SUCCESSFUL (bounded: {})", bounds.join(", "))
        },
        ..whole(&parts[0])
    }))
}

/// Limits of all cubes: of a bound that rose by itself, the least value.
fn bounds(parts: &[Record]) -> Vec<String> {
    let mut bounds: Vec<(&str, Option<u64>)> = Vec::new();
    for part in parts {
        let own = part.cube.as_ref().map(Cube::bound);
        for bound in limits(&part.line).filter(|bound| own.as_deref() != Some(bound)) {
            let valued = bound.rsplit_once(' ');
            let valued = valued.map(|(name, value)| (name, value.parse().ok()));
            let (name, value) = valued
                .filter(|(_, value)| value.is_some())
                .unwrap_or((bound, None));
            match bounds.iter_mut().find(|(known, _)| *known == name) {
                Some((_, least)) => *least = (*least).min(value),
                None => bounds.push((name, value)),
            }
        }
    }
    let name = |(name, value): (&str, Option<u64>)| match value {
        Some(value) => format!("{name} {value}"),
        None => name.to_string(),
    };
    bounds.into_iter().map(name).collect()
}

/// Limits that the line of a successful verdict names.
fn limits(line: &str) -> impl Iterator<Item = &str> {
    let inner = line
        .split_once("(bounded: ")
        .and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.into_iter().flat_map(|inner| inner.split(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Point;

    /// The answer to a cube of three.
    fn part(number: u32, verdict: Verdict, line: &str, formula: &str) -> Record {
        let value = serde_json::json!({
            "schema": 1, "version": "", "file": "a.c", "content": "", "options": "", "limits": "",
            "scheme": "lazy", "verdict": verdict, "complete": false, "asserted": false, "line": line,
            "exit": 0, "events": 1, "variables": 1, "clauses": 1, "cpu_ms": 10, "wall_ms": 10,
            "peak_memory_bytes": 1, "cube": {"number": number, "of": 3, "formula": formula},
        });
        serde_json::from_value(value).unwrap()
    }

    fn safe(number: u32, limits: &str) -> Record {
        let line = format!("VERIFICATION SUCCESSFUL (bounded: cube {number} of 3{limits})");
        part(number, Verdict::Successful, &line, "f")
    }

    fn line(parts: &[Record]) -> Option<String> {
        together(parts).map(|whole| whole.line)
    }

    #[test]
    fn all_cubes_are_one_answer() {
        let mut all = vec![safe(2, ""), safe(1, ""), safe(3, "")];
        let whole = together(&all).unwrap();
        assert!(whole.complete && whole.cube.is_none());
        assert_eq!(
            (whole.line.as_str(), whole.cpu_ms),
            ("VERIFICATION SUCCESSFUL", 30)
        );
        assert_eq!(whole.asserted, Some(false));
        all[1] = safe(1, ", unwind 3, rounds 4");
        all[2] = safe(3, ", rounds 2, events per loop");
        all[2].asserted = Some(true);
        let whole = together(&all).unwrap();
        assert!(!whole.complete && whole.asserted == Some(true));
        let expected = "VERIFICATION SUCCESSFUL (bounded: unwind 3, rounds 2, events per loop)";
        assert_eq!(whole.line, expected);
    }

    #[test]
    fn what_is_missing_or_foreign_leaves_no_answer() {
        assert_eq!(line(&[safe(2, ""), safe(1, "")]), None);
        assert_eq!(line(&[safe(2, ""), safe(1, ""), safe(2, "")]), None);
        let foreign = Record {
            cube: part(3, Verdict::Successful, "", "g").cube,
            ..safe(3, "")
        };
        let whole = together(&[safe(2, ""), safe(1, ""), foreign]).unwrap();
        assert_eq!(whole.verdict, Verdict::Error);
        let unknown = part(3, Verdict::Unknown, "VERIFICATION UNKNOWN (time)", "f");
        assert_eq!(line(&[safe(1, ""), unknown.clone()]), None);
        let whole = line(&[safe(1, ""), unknown.clone(), safe(2, "")]);
        assert_eq!(whole.as_deref(), Some("VERIFICATION UNKNOWN (time)"));
        // A violation is one whatever others say.
        let failed = part(2, Verdict::Failed, "VERIFICATION FAILED", "f");
        let whole = together(&[unknown, failed.clone()]).unwrap();
        assert_eq!((whole.verdict, whole.cube), (Verdict::Failed, None));
        let copy = Record {
            implied_by: Some(Point::new("lazy", [])),
            ..part(1, Verdict::Failed, "VERIFICATION FAILED", "")
        };
        assert!(
            together(std::slice::from_ref(&copy))
                .unwrap()
                .implied_by
                .is_some()
        );
        assert_eq!(together(&[copy, failed]).unwrap().implied_by, None);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn seeded_faults_are_noticed() {
        use crate::base::faults::record::Campaign;
        let campaign = Campaign {
            name: "cubes-of-cells",
            faults: vec![(Fault::CubeMissing, ()), (Fault::ForeignCube, ())],
            programs: vec!["missing".to_string(), "foreign".to_string()],
        };
        campaign.run(|_, (), case| {
            let second = ["f", "g"][case];
            let mut all = vec![safe(1, ""), part(2, Verdict::Successful, "", second)];
            if case == 1 {
                all.push(safe(3, ""));
            }
            let whole = together(&all);
            Some(whole.is_none_or(|whole| whole.verdict == Verdict::Error))
        });
    }
}
