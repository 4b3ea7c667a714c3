//! Error messages of wrong programs: input, and the lines of the messages.

use super::lower;
use crate::ir::DataModel;
use crate::source::Source;
use crate::syntax::parse;

/// The messages of a program with these lines before an empty `main` that calls `f`, each with its line.
fn messages(text: &str) -> Vec<(u32, String)> {
    let text = format!("{text}\nint main(void) {{ return f(1); }}\n");
    let source = Source::from_text("t.i", text.as_str());
    let unit = parse(&source).unwrap_or_else(|e| panic!("{}", e.message));
    let found = lower(
        &[super::Unit::alone(&unit)],
        DataModel::Lp64,
        Default::default(),
    )
    .err()
    .unwrap_or_default();
    found
        .into_iter()
        .map(|d| (source.position(d.loc).map_or(0, |p| p.line), d.message))
        .collect()
}

#[test]
fn each_statement_has_its_error() {
    for (text, expected) in [
        (
            "int f(int a) {\nint x = nothing;\nnothing++;\n{ *a; }\nreturn other; }",
            &[
                (2, "`nothing` is not declared"),
                (4, "this is not a pointer: its type is `int`"),
                (5, "`other` is not declared"),
            ][..],
        ),
        // What a wrong declaration leaves without a meaning is not told again.
        (
            "int f(int a) {\nint x[a] = {1};\nx[0] = 1;\nreturn x[1]; }",
            &[(2, "an array of variable length cannot be initialised")],
        ),
        (
            "struct s { int a; int b : 99; };\nint f(int a) { struct s x;\nreturn x.b; }",
            &[(1, "this width does not suit the type")],
        ),
        (
            "struct s { int a; };\nint f(int a) { struct s x;\nx.b = 1;\ncontinue;\ngoto l; }",
            &[
                (3, "struct s has no member `b`"),
                (4, "`continue` outside a loop"),
                (5, "there is no label `l`"),
            ],
        ),
        (
            "int g = nothing;\nint f(int a) {\nreturn f(1, 2) + g; }",
            &[
                (1, "`nothing` is not declared"),
                (3, "too many arguments: `f` takes 1 argument, 2 are given"),
            ],
        ),
        // What nothing reaches does not matter.
        (
            "int u(void) { return nothing; }\nint f(int a) { return a; }",
            &[],
        ),
    ] {
        let found = messages(text);
        let found: Vec<(u32, &str)> = found.iter().map(|(l, m)| (*l, m.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }
}
