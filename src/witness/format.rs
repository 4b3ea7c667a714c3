//! Formats of files with witnesses.

use super::data::Witness;
use super::{graphml, yaml};
use std::path::Path;

/// Format of a witness in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Format 1.0, as GraphML.
    GraphMl,
    /// Format 2.2, as YAML.
    Yaml,
}

impl Format {
    /// The format that the name of a file asks for.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "graphml" => Some(Format::GraphMl),
            "yml" | "yaml" => Some(Format::Yaml),
            _ => None,
        }
    }

    /// The text of a witness.
    pub fn write(self, witness: &Witness) -> String {
        match self {
            Format::GraphMl => graphml::write(witness),
            Format::Yaml => yaml::write(witness),
        }
    }

    /// Reads a witness.
    ///
    /// # Errors
    /// What is wrong with the text, or is not known here.
    pub fn read(self, text: &str) -> Result<Witness, String> {
        match self {
            Format::GraphMl => graphml::read(text),
            Format::Yaml => yaml::read(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;
    use crate::base::DataModel;
    use crate::witness::data::*;

    fn place(line: u32, column: Option<u32>, function: Option<&str>) -> Place {
        Place {
            file: "a & b.c".to_string(),
            line,
            column,
            function: function.map(str::to_string),
        }
    }

    fn of(claim: Claim) -> Witness {
        let file = |name: &str| InputFile {
            name: name.to_string(),
            hash: hash(name.as_bytes()),
        };
        Witness {
            head: Head {
                producer: ("Some \"tool\"".to_string(), "2.0".to_string()),
                time: "2026-11-28T22:13:00Z".to_string(),
                files: vec![file("a & b.c"), file("c.c")],
                specification: "CHECK( init(main()), LTL(G ! data-race) )".to_string(),
                model: DataModel::Ilp32,
            },
            claim,
        }
    }

    fn waypoint(kind: Kind, place: Place, thread: u32) -> Waypoint {
        Waypoint {
            kind,
            place,
            thread: Some(thread),
            is_followed: true,
        }
    }

    fn is_read_back(witness: &Witness) {
        for format in [Format::GraphMl, Format::Yaml] {
            let text = format.write(witness);
            assert_eq!(format.read(&text).as_ref(), Ok(witness), "{text}");
        }
    }

    #[test]
    fn violations_are_read_as_they_are_written() {
        let one =
            |kind, line, thread| Segment(vec![waypoint(kind, place(line, None, None), thread)]);
        let target = |line, thread| waypoint(Kind::Target, place(line, None, None), thread);
        let assumed = Kind::Assumption("x < 1 && y > \"\\n\"[0]".to_string());
        let segments = vec![
            one(Kind::begin(), 3, 0),
            Segment(vec![waypoint(assumed, place(4, None, Some("main")), 0)]),
            one(Kind::Branch("true".to_string()), 5, 0),
            one(Kind::Enter(None), 6, 0),
            Segment(vec![target(9, 1), target(7, 0)]),
        ];
        let mut witness = of(Claim::Violation(segments));
        is_read_back(&witness);
        // What only YAML has.
        if let Claim::Violation(segments) = &mut witness.claim {
            segments[0].0[0].place = place(3, Some(8), Some("main"));
        }
        let text = Format::Yaml.write(&witness);
        assert_eq!(Format::Yaml.read(&text).as_ref(), Ok(&witness));
    }

    #[test]
    fn invariants_are_read_as_they_are_written() {
        let invariants = [(true, 3), (false, 12)].map(|(is_loop, line)| Invariant {
            is_loop,
            place: place(line, None, Some("main")),
            value: "!(x == 1 && y < 2)".to_string(),
        });
        is_read_back(&of(Claim::Correctness(invariants.to_vec())));
    }

    #[test]
    fn the_same_witness_has_the_same_identifier() {
        let text = |line| {
            let place = place(line, None, None);
            let end = Segment(vec![waypoint(Kind::Target, place, 0)]);
            Format::Yaml.write(&of(Claim::Violation(vec![end])))
        };
        assert_eq!(text(1), text(1));
        let uuid = |text: String| {
            let line = text.lines().find(|line| line.contains("uuid"));
            line.map(str::to_string)
        };
        assert!(uuid(text(1)).is_some());
        assert_ne!(uuid(text(1)), uuid(text(2)));
    }

    #[test]
    fn waypoints_that_are_avoided_are_kept_apart() {
        let mut avoided = waypoint(Kind::begin(), place(2, None, None), 0);
        avoided.is_followed = false;
        let end = waypoint(Kind::Target, place(3, None, None), 0);
        let witness = of(Claim::Violation(vec![Segment(vec![avoided, end])]));
        let text = Format::Yaml.write(&witness);
        assert_eq!(Format::Yaml.read(&text), Ok(witness));
        let avoided = text.replace("action: follow", "action: avoid");
        assert!(Format::Yaml.read(&avoided).is_err());
    }
}
