//! Files and places in them: addresses of artifacts, and texts that are no markup.

use super::shape::*;
use crate::base::Loc;
use crate::source::place::Places;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Name of the folder that relative addresses begin in.
pub const ROOT: &str = "%SRCROOT%";

/// Characters that are encoded in a path: all but what needs no encoding anywhere, and what parts names.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Files so far, in the order in which they are first named.
pub struct Files<'a> {
    places: &'a dyn Places,
    known: Vec<(String, ArtifactLocation)>,
}

impl<'a> Files<'a> {
    /// No file.
    pub fn new(places: &'a dyn Places) -> Files<'a> {
        Files {
            places,
            known: Vec::new(),
        }
    }

    /// The places that files are those of.
    pub fn places(&self) -> &'a dyn Places {
        self.places
    }

    /// Relative addresses: true if there are some.
    pub fn has_relative(&self) -> bool {
        let mut files = self.known.iter();
        files.any(|(_, location)| location.uri_base_id.is_some())
    }

    /// All files.
    pub fn finish(self) -> Vec<Artifact> {
        let files = self.known.into_iter();
        let artifact = |(_, location): (String, ArtifactLocation)| Artifact {
            location: ArtifactLocation {
                index: None,
                ..location
            },
            source_language: "c",
        };
        files.map(artifact).collect()
    }

    /// A place with its line, if text stands there, the function that it is in, and what is to be said of it.
    pub fn location(&mut self, loc: Loc, function: Option<&str>, told: &str) -> Option<Location> {
        let position = self.places.position(loc)?;
        let region = Region {
            start_line: position.line,
            start_column: position.column,
            snippet: self.places.line_text(loc).map(|text| Message { text }),
        };
        let physical = PhysicalLocation {
            artifact_location: self.file(&position.file),
            region: Some(region),
        };
        Some(location(Some(physical), function, told))
    }

    /// A whole file.
    pub fn whole(&mut self, file: &str) -> Location {
        let physical = PhysicalLocation {
            artifact_location: self.file(file),
            region: None,
        };
        location(Some(physical), None, "")
    }

    fn file(&mut self, name: &str) -> ArtifactLocation {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| known == name) {
            return known.clone();
        }
        let path = name.trim_start_matches("./");
        let encoded = utf8_percent_encode(path, ENCODED).to_string();
        let is_within = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
        let location = ArtifactLocation {
            uri: match path.starts_with('/') {
                true => format!("file://{encoded}"),
                false => encoded,
            },
            uri_base_id: is_within.then_some(ROOT),
            index: Some(self.known.len()),
        };
        self.known.push((name.to_string(), location.clone()));
        location
    }
}

/// A location of these parts.
pub fn location(
    physical: Option<PhysicalLocation>,
    function: Option<&str>,
    told: &str,
) -> Location {
    let function = function.filter(|name| !name.is_empty());
    let logical = function.map(|name| LogicalLocation {
        name: name.to_string(),
        kind: "function",
    });
    Location {
        id: None,
        physical_location: physical,
        logical_locations: logical.into_iter().collect(),
        message: (!told.is_empty()).then(|| message(told)),
    }
}

/// A message of this text: none of its braces is a placeholder, and none of its brackets begins a link.
pub fn message(text: &str) -> Message {
    let text = text.replace('{', "{{").replace('}', "}}");
    let text = match text.contains("](") {
        true => text.replace('[', "\\["),
        false => text,
    };
    Message { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::place::NoPlaces;

    #[test]
    fn addresses_of_files_are_encoded() {
        let mut files = Files::new(&NoPlaces);
        let mut check = |name: &str, uri: &str, is_within: bool| {
            let found = files.file(name);
            let base = is_within.then_some(ROOT);
            assert_eq!(
                (found.uri.as_str(), found.uri_base_id),
                (uri, base),
                "{name}"
            );
        };
        check("src/a b.c", "src/a%20b.c", true);
        check("./a.c", "a.c", true);
        check("50%#?.c", "50%25%23%3F.c", true);
        check("c:d.c", "c%3Ad.c", true);
        check("ä.c", "%C3%A4.c", true);
        check("/x/a.c", "file:///x/a.c", false);
        check("../a.c", "../a.c", false);
        check("a..b/c.c", "a..b/c.c", true);
        assert_eq!(files.file("./a.c").index, Some(1));
    }

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(message("'{0}'").text, "'{{0}}'");
        assert_eq!(message("a[0] = 1").text, "a[0] = 1");
        assert_eq!(message("call f[0](1)").text, "call f\\[0](1)");
    }
}
