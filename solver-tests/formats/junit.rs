//! What JUnit XML says of findings.

use super::run;
use crate::command::{Folder, LOST};
use quick_xml::Reader;
use quick_xml::events::Event;

/// Names of the elements of the JUnit file, in order.
pub fn elements(folder: &Folder) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path("o.xml")).expect("a file");
    let mut reader = Reader::from_str(&text);
    let mut found = Vec::new();
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(element) | Event::Empty(element) => {
                found.push(element.name().as_ref().to_string());
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn a_failure_holds_the_table_of_its_counterexample() {
    let text = LOST.replace("hits == 2", "hits == 2 && \"<&>]]>\"");
    let folder = Folder::new(&[("lost.c", &text)]);
    let verified = run(&folder, &["--check", "assert,race", "lost.c"]);
    let xml = std::fs::read_to_string(folder.path("o.xml")).expect("a file");
    let mut reader = Reader::from_str(&xml);
    let mut failures: Vec<String> = Vec::new();
    let mut is_open = false;
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(element) => {
                is_open = element.name().as_ref() == "failure";
                failures.extend(is_open.then(String::new));
            }
            Event::Text(text) if is_open => {
                let text = text.xml10_content();
                failures.last_mut().expect("a failure").push_str(&text);
            }
            Event::GeneralRef(name) if is_open => {
                let c = match name.as_ref() {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "apos" => '\'',
                    other => panic!("{other}"),
                };
                failures.last_mut().expect("a failure").push(c);
            }
            Event::End(_) => is_open = false,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(failures.len(), 2, "{xml}");
    for failure in &failures {
        assert!(
            verified.out.contains(failure.as_str()),
            "{failure}\n{}",
            verified.out
        );
        assert!(failure.starts_with("Counterexample: "), "{failure}");
    }
    assert!(failures.concat().contains("\"<&>]]>\""), "{xml}");
    let found = elements(&folder);
    assert_eq!(
        found.iter().filter(|one| *one == "testcase").count(),
        2,
        "{found:?}"
    );
}
