//! The library as other programs use it: the example program, and that it needs no stage.

#[allow(dead_code, reason = "its main function is not called")]
#[path = "verify.rs"]
mod example;

use selvedge::{Budget, Engine, Error, Options, Request, Session, Verdict, json};
use std::path::Path;

#[test]
fn the_example_verifies_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (text, code) = example::verify(&root.join("benchmarks/lost_update.c")).unwrap();
    assert_eq!(code, selvedge::exit::FAILED);
    assert!(text.contains("writes counter = 1\n"), "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("VERIFICATION FAILED (assertion at"),
        "{text}"
    );
}

/// With the feature `internals`, which tests have, the compiler does not see it.
#[test]
fn the_example_uses_no_stage() {
    let text = include_str!("verify.rs");
    let stages = include_str!("../src/stages.rs");
    let stages = stages.lines().filter_map(|line| {
        let name = line.strip_prefix("pub mod ")?;
        name.strip_suffix(';')
    });
    let used: Vec<&str> = stages
        .filter(|stage| text.contains(&format!("selvedge::{stage}::")))
        .collect();
    assert!(used.is_empty(), "{used:?}");
}

#[test]
fn errors_are_for_the_input_or_the_request() {
    let read = |text| Session::parse("a.c", text, &Options::default());
    match read("int main(void) { return x; }").err() {
        Some(Error::Input(text)) => assert!(text.starts_with("a.c:1:25: error: "), "{text}"),
        other => panic!("{other:?}"),
    }
    let session = read("int main(void) { for (;;) ; }").unwrap();
    assert!(session.find_loop("main", 0).is_ok());
    let error = session.find_loop("main", 1).unwrap_err();
    assert_eq!(error.to_string(), "`main` has 1 loops, numbered from 0");
    assert_eq!(error.exit_code(), selvedge::exit::USAGE);
}

#[test]
fn a_kept_proof_is_checked() {
    let text =
        "#include <assert.h>\nint x;\nint main(void) { for (;;) { x = !x; assert(x < 2); } }";
    let session = Session::parse("flip.c", text, &Options::default()).unwrap();
    let request = Request {
        engine: Engine::named("modular").unwrap(),
        ..Request::assertions()
    };
    let budget = Budget::unlimited();
    let answer = session.verify(&request, &budget, &mut |_| {}).unwrap();
    let kept = serde_json::to_string(&answer.certificate.unwrap()).unwrap();
    let proof = serde_json::from_str(&kept).unwrap();
    let checked = session.check(&proof, request.solver, &budget).unwrap();
    assert!(checked.outcome.verdict.is_complete());
    let printed = json::render(&checked.outcome, session.places());
    assert!(printed.contains("\"file\": \"flip.c\""), "{printed}");
    assert_ne!(checked.outcome.verdict, Verdict::Failed);
}
