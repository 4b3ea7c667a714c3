//! Store buffers as a user sees them: options, bounds that cut something off, and traces.

use super::command::Folder;

/// Each thread can miss the other's store while that waits in its buffer.
const STORE_BUFFERING: &str = "#include <assert.h>\n\
    #include <pthread.h>\n\
    int x, y, a, b;\n\
    void *first(void *p) {\n  x = 1;\n  a = y;\n  return 0;\n}\n\
    void *second(void *p) {\n  y = 1;\n  b = x;\n  return 0;\n}\n\
    int main(void) {\n  pthread_t s, t;\n\
    pthread_create(&s, 0, first, 0);\n  pthread_create(&t, 0, second, 0);\n\
    pthread_join(s, 0);\n  pthread_join(t, 0);\n\
    assert(a || b);\n}\n";

/// Program with four cells, in which it is not known which one is written and which are read.
const CELLS: &str = "#include <assert.h>\n\
    #include <pthread.h>\n\
    int __VERIFIER_nondet_int(void);\n\
    int cells[4];\n\
    void *writer(void *p) {\n  cells[__VERIFIER_nondet_int() & 3] = 1;\n  return 0;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, writer, 0);\n\
    int i = __VERIFIER_nondet_int() & 3, j = __VERIFIER_nondet_int() & 3;\n\
    assert(i == j || !cells[i] || cells[j]);\n}\n";

fn ends(file: &str, options: &str, code: i32, verdict: &str) -> String {
    let folder = Folder::new(&[("sb.c", STORE_BUFFERING), ("cells.c", CELLS)]);
    let mut arguments: Vec<&str> = options.split_whitespace().collect();
    arguments.push(file);
    let run = folder.run(&arguments);
    let found = (run.code, run.verdict());
    assert_eq!(
        found,
        (Some(code), verdict),
        "{options}: {}{}",
        run.out,
        run.err
    );
    run.out
}

#[test]
fn bounds_on_store_buffers_cut_executions_off() {
    const FAILED: &str = "VERIFICATION FAILED (assertion at sb.c:20)";
    let cut = |bound: &str| format!("VERIFICATION SUCCESSFUL (bounded: {bound})");
    for (options, code, verdict) in [
        (
            "--scheme lazy",
            0,
            "VERIFICATION SUCCESSFUL (complete)".to_string(),
        ),
        ("--mm tso --rounds 2", 10, FAILED.to_string()),
        ("--mm pso --rounds 2 --sma buffers", 10, FAILED.to_string()),
        (
            "--mm tso --rounds 2 --queue 2 --max-clock 3",
            10,
            FAILED.to_string(),
        ),
        ("--mm tso --rounds 2 --max-clock 1", 0, cut("max-clock 1")),
        ("--mm pso --rounds 2 --queue 1", 0, cut("queue 1")),
    ] {
        ends("sb.c", options, code, &verdict);
    }
}

#[test]
fn a_bound_on_addresses_cuts_executions_off() {
    let cut = "VERIFICATION SUCCESSFUL (bounded: addresses 1)";
    ends("cells.c", "--mm tso --rounds 2 --addresses 1", 0, cut);
    let failed = "VERIFICATION FAILED (assertion at cells.c:13)";
    ends("cells.c", "--mm tso --rounds 2 --addresses 2", 10, failed);
}

/// A store is shown twice: where it goes into the buffer of its thread, and where it reaches memory.
#[test]
fn a_trace_shows_stores_twice() {
    for scheme in ["order", "lazy", "lazy --sma buffers"] {
        let options = format!("--mm tso --scheme {scheme}");
        let out = ends(
            "sb.c",
            &options,
            10,
            "VERIFICATION FAILED (assertion at sb.c:20)",
        );
        let place = |text: &str| out.find(text).unwrap_or_else(|| panic!("{text}: {out}"));
        let issued = place("x = 1 into the store buffer");
        assert!(issued < place("read y = 0"), "{out}");
        assert!(issued < place("x = 1 reaches memory"), "{out}");
        assert!(!out.contains("joined or detached"), "{out}");
    }
}
