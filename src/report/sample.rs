//! A small outcome rendered in every way.

use super::example::{int, step};
use super::text::Detail;
use super::*;
use crate::base::{DataModel, Loc, StopReason, Warning, WarningKind};
use crate::event::ThreadId;
use crate::ir::{Check, Checks};
use crate::outcome::{
    Bound, Coverage, CutAt, Finding, InForce, Limit, Outcome, Reason, Statistics, Subject, Verdict,
};
use crate::source::Position;
use crate::source::place::Places;
use crate::trace::deadlock::{Awaited, AwaitedKind, Deadlock, DeadlockKind, Holder, Waiter};
use crate::trace::{Action, Trace, TraceStep, TraceThread, Value, Writer};
use std::time::Duration;

/// A program of these lines; position n is line n.
struct Program(&'static [&'static str]);

impl Places for Program {
    fn position(&self, loc: Loc) -> Option<Position> {
        (loc != Loc::NONE).then(|| Position {
            file: "dir/lost.c".to_string(),
            line: loc.0,
            column: 5,
        })
    }

    fn line_text(&self, loc: Loc) -> Option<String> {
        (loc != Loc::NONE).then(|| {
            self.0
                .get(loc.0 as usize - 1)
                .copied()
                .unwrap_or_default()
                .to_string()
        })
    }
}

const LOST: Program = Program(&[
    "int x;",
    "void *inc(void *p) {",
    "    x++; // not atomic",
    "    return 0;",
    "}",
    "int main(void) {",
    "    pthread_t a, b;",
    "    pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, inc, 0);",
    "    pthread_join(a, 0); pthread_join(b, 0);",
    "    assert(x == 2);",
    "}",
]);

fn read(thread: u32, line: u32, value: i32) -> TraceStep {
    step(
        thread,
        line,
        Action::Read {
            place: "x".to_string(),
            value: int(value),
            from: (thread == 0).then_some(Writer {
                thread: ThreadId(2),
                loc: Loc(3),
            }),
            is_initial: false,
            is_private: false,
        },
    )
}

fn create(child: u32) -> TraceStep {
    let action = Action::Create {
        child: ThreadId(child),
        function: "inc".to_string(),
        argument: Value {
            bits: 64,
            value: 0,
            reading: crate::ir::ty::Reading::Pointer,
            name: None,
        },
    };
    step(0, 8, action)
}

fn write(thread: u32, line: u32, value: i32) -> TraceStep {
    step(
        thread,
        line,
        Action::Write {
            place: "x".to_string(),
            value: int(value),
        },
    )
}

fn lost_update() -> Trace {
    let thread = |function: &str, line: Option<u32>| TraceThread {
        function: function.to_string(),
        created_at: line.map(Loc),
    };
    Trace {
        tape: "m2.a1.b1.a2.b2.m3".parse().map(Box::new).ok(),
        threads: vec![
            thread("main", None),
            thread("inc", Some(8)),
            thread("inc", Some(8)),
        ],
        steps: vec![
            step(
                0,
                7,
                Action::Local {
                    name: "i".to_string(),
                    value: int(3),
                    is_variable: true,
                },
            ),
            create(1),
            create(2),
            read(1, 3, 0),
            read(2, 3, 0),
            write(1, 3, 1),
            step(1, 4, Action::End),
            write(2, 3, 1),
            step(0, 9, Action::Join { child: ThreadId(1) }),
            step(0, 9, Action::Join { child: ThreadId(2) }),
            read(0, 10, 1),
            step(
                0,
                10,
                Action::Violation {
                    access: None,
                    lost: None,
                    race: None,
                    deadlock: None,
                    property: Property::Assertion,
                },
            ),
        ],
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    let coverage = Coverage {
        scheme: "order".to_string(),
        solver: "cadical".to_string(),
        threads: 3,
        bounds: vec![
            InForce {
                bound: Bound::Unwind,
                value: 4,
                reached: Some(true),
            },
            InForce {
                bound: Bound::Threads,
                value: 8,
                reached: Some(false),
            },
        ],
        undefined: vec![(Undefined::DivisionByZero, Loc(4))],
        assertions_reachable: Some(true),
        external: vec!["f".to_string()],
        open: vec!["sin".to_string()],
        allocations_succeed: false,
        signals_absent: false,
        begins: None,
        races_excluded: false,
        warnings: vec![Warning {
            loc: Loc(3),
            kind: WarningKind::MissingBody,
            message: "f has no body".to_string(),
        }],
        ..Coverage::default()
    };
    let statistics = Statistics {
        events: 12,
        stages: vec![("solve", Duration::from_millis(1500))],
        ..Default::default()
    };
    Outcome {
        subject: Subject {
            file: "dir/lost.c".to_string(),
            model: DataModel::Lp64,
            checks: Checks::ASSERT,
        },
        by_check: vec![(Check::Assert, verdict.clone())],
        verdict,
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage,
        statistics,
    }
}

fn failed() -> Outcome {
    Outcome {
        findings: vec![Finding {
            property: Property::Assertion,
            loc: Loc(10),
            fingerprint: "0123456789abcdef".parse().unwrap(),
            trace: lost_update().into(),
            scheme: None,
        }],
        ..outcome(Verdict::Failed)
    }
}

const QUIET: Detail = Detail {
    trace: false,
    all_steps: false,
    width: 120,
};

#[test]
fn a_counterexample_is_a_table() {
    let text = text::render(
        &failed(),
        &LOST,
        Detail {
            trace: true,
            all_steps: false,
            width: 79,
        },
    );
    assert_eq!(
        text,
        "\
Counterexample: 3 threads, 10 steps, 5 context switches

 where     | main                               | thread 1: inc | thread 2: inc
-----------+------------------------------------+---------------+--------------
           | … 1 step                           |               |
 lost.c:8  | pthread_create(&a, 0, inc, 0);     |               |
           |     pthread_create(&b, 0, inc, 0); |               |
           |   start thread 1: inc(null)        |               |
           |   start thread 2: inc(null)        |               |
- switch --+------------------------------------+---------------+--------------
 lost.c:3  |                                    | x++;          |
           |                                    |   read x = 0  |
- switch --+------------------------------------+---------------+--------------
 lost.c:3  |                                    |               | x++;
           |                                    |               |   read x = 0
- switch --+------------------------------------+---------------+--------------
 lost.c:3  |                                    | x++;          |
           |                                    |   write x = 1 |
- switch --+------------------------------------+---------------+--------------
 lost.c:3  |                                    |               | x++;
           |                                    |               |   write x = 1
- switch --+------------------------------------+---------------+--------------
 lost.c:9  | pthread_join(a, 0);                |               |
           |     pthread_join(b, 0);            |               |
           |   thread 1 has ended               |               |
           |   thread 2 has ended               |               |
 lost.c:10 | assert(x == 2);                    |               |
           |   read x = 1 (from thread 2, line  |               |
           |     3)                             |               |
           |   VIOLATED: assertion              |               |

Violated: assertion at dir/lost.c:10, in main
    assert(x == 2);
    with x = 1
    thread 2 read x at dir/lost.c:3 before thread 1 wrote it at dir/lost.c:3

Fingerprint: 0123456789abcdef
Schedule: m2.a1.b1.a2.b2.m3

Covered: sequential consistency; scheme order with cadical; 3 threads; unwind 4, which cuts executions off; \
max-threads 8 suffices; undefined behaviour reachable at dir/lost.c:4 (division by zero): execution cut there; \
no body, any result: f; any result that C allows: sin
VERIFICATION FAILED (assertion at dir/lost.c:10)
"
    );
}

#[test]
fn all_steps_are_shown_on_demand() {
    let text = text::render(
        &failed(),
        &LOST,
        Detail {
            trace: true,
            all_steps: true,
            width: 120,
        },
    );
    assert!(
        text.contains("12 steps") && text.contains("end of the thread") && text.contains("i = 3"),
        "{text}"
    );
}

#[test]
fn local_steps_make_no_switch() {
    let mut trace = lost_update();
    let late = step(
        0,
        8,
        Action::Local {
            name: "b".to_string(),
            value: int(7),
            is_variable: true,
        },
    );
    trace.steps.insert(6, late);
    let text = trace::render(&trace, None, &LOST, false, 79);
    assert!(text.contains("11 steps, 5 context switches"), "{text}");
    assert!(
        text.contains("start thread 2: inc(null)        |               |\n           |   b = 7"),
        "{text}"
    );
    let all = trace::render(&trace, None, &LOST, true, 79);
    assert!(all.contains("7 context switches"), "{all}");
}

#[test]
fn many_threads_share_one_column() {
    let mut trace = lost_update();
    let first = trace.steps.pop().unwrap();
    for thread in 3..7 {
        trace.threads.push(TraceThread {
            function: "inc".to_string(),
            created_at: None,
        });
        trace.steps.push(read(thread, 3, 1));
    }
    trace.steps.push(first);
    let text = trace::render(&trace, None, &LOST, false, 120);
    assert!(
        text.contains(" where     | thread        | statement\n"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
}

/// The name of a function that a thread has called may be longer than the thread's column.
#[test]
fn long_names_stay_in_their_column() {
    let mut trace = lost_update();
    let long = "a_function_with_a_name_that_nobody_would_want_to_type_twice";
    for step in trace.steps.iter_mut().filter(|step| step.thread.0 == 2) {
        step.function = long.to_string();
    }
    let text = trace::render(&trace, None, &LOST, false, 120);
    let table: Vec<&str> = text.lines().filter(|line| line.contains(" | ")).collect();
    assert!(table.len() > 10, "{text}");
    for line in table {
        assert_eq!(line.matches(" |").count(), 3, "{line}\n{text}");
        assert!(line.chars().count() <= 120, "{line}");
    }
    assert!(
        text.contains("| in\n") && text.contains("|   a_function_"),
        "{text}"
    );
}

#[test]
fn the_violated_line_is_explained_by_what_led_there() {
    let program = Program(&["int x;", "if (x != 2)", "    reach_error();"]);
    let mut trace = Trace::default();
    trace.threads.push(TraceThread {
        function: "main".to_string(),
        created_at: None,
    });
    trace.steps = vec![
        read(0, 2, 1),
        step(
            0,
            3,
            Action::Violation {
                access: None,
                lost: None,
                race: None,
                deadlock: None,
                property: Property::ReachError,
            },
        ),
    ];
    let text = trace::render(&trace, None, &program, false, 120);
    let end = "Violated: reach_error() called at dir/lost.c:3, in main\n    reach_error();\n    with x = 1\n";
    assert!(text.ends_with(end), "{text}");
}

/// Thread 1 waits for a mutex that it holds, main for its end.
fn stuck() -> Outcome {
    let held = |since| Holder {
        thread: ThreadId(1),
        since,
        ended: false,
    };
    let waiter = |thread, line, kind, name: &str, holder| Waiter {
        thread: ThreadId(thread),
        loc: Loc(line),
        calls: vec![],
        function: "inc".to_string(),
        awaited: Awaited {
            kind,
            name: name.to_string(),
            holders: vec![holder],
        },
    };
    let waiters = vec![
        waiter(0, 9, AwaitedKind::Thread, "", held(None)),
        waiter(1, 3, AwaitedKind::Mutex, "m", held(Some(Loc(2)))),
    ];
    let mut trace = lost_update();
    trace.steps.pop();
    let blocked = waiters.iter().map(|one| {
        let awaited = one.awaited.clone();
        step(one.thread.0, one.loc.0, Action::Blocked { awaited })
    });
    trace.steps.extend(blocked.collect::<Vec<_>>());
    let violation = Action::Violation {
        property: Property::Deadlock,
        access: None,
        lost: None,
        race: None,
        deadlock: Some(Box::new(Deadlock {
            kind: DeadlockKind::Cycle,
            waiters,
            elsewhere: Default::default(),
        })),
    };
    trace.steps.push(step(1, 3, violation));
    let mut outcome = failed();
    let finding = &mut outcome.findings[0];
    (finding.property, finding.loc, finding.trace) = (Property::Deadlock, Loc(3), trace.into());
    outcome
}

#[test]
fn a_deadlock_shows_all_that_are_blocked() {
    let outcome = stuck();
    let detail = Detail {
        width: 120,
        ..Detail::default()
    };
    let text = text::render(&outcome, &LOST, detail);
    let end = "\
Violated: deadlock at dir/lost.c:3
    main waits at dir/lost.c:9 for the end of thread 1
    thread 1 waits at dir/lost.c:3 for the mutex `m`, held by itself since dir/lost.c:2

Fingerprint: 0123456789abcdef
";
    assert!(text.contains(end), "{text}");
    assert!(text.contains("waits for m (held by"), "{text}");
    assert!(
        text.ends_with("VERIFICATION FAILED (deadlock at dir/lost.c:3)\n"),
        "{text}"
    );
    assert_eq!(outcome.findings[0].places(), [Loc(3), Loc(9)]);

    let json = json::render(&outcome, &LOST);
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    let deadlock = &object["findings"][0]["deadlock"];
    assert_eq!(
        (&deadlock["kind"], &deadlock["ring"]),
        (&"cycle".into(), &vec![1].into())
    );
    let waits = &deadlock["threads"][1]["waits_for"];
    assert_eq!(
        (&waits["what"], &waits["variable"]),
        (&"mutex".into(), &"m".into())
    );
    assert_eq!(waits["holders"][0]["since"]["line"], 2);
    let steps = object["trace"]["steps"].as_array().unwrap();
    let blocked = &steps[steps.len() - 2];
    assert_eq!(blocked["action"], "blocked");
    assert_eq!(&blocked["waits_for"], waits);
}

#[test]
fn last_lines_and_exit_codes() {
    let check_outcome = |outcome: Outcome, line: &str, code: u8, strict: u8| {
        assert_eq!(text::verdict_line(&outcome, &LOST), line);
        let verdict = &outcome.verdict;
        assert_eq!(
            (verdict.exit_code(false), verdict.exit_code(true)),
            (code, strict),
            "{line}"
        );
    };
    check_outcome(
        failed(),
        "VERIFICATION FAILED (assertion at dir/lost.c:10)",
        10,
        10,
    );
    let check = |verdict: Verdict, line: &str, code: u8, strict: u8| {
        check_outcome(outcome(verdict), line, code, strict);
    };
    check(
        Verdict::Successful { limits: vec![] },
        "VERIFICATION SUCCESSFUL (complete)",
        0,
        0,
    );
    let unwind = Limit::Bound(Bound::Unwind, 3);
    let rounds = Limit::Bound(Bound::Rounds, 2);
    check(
        Verdict::Successful {
            limits: vec![unwind, rounds, Limit::Undefined(Some(Loc(4)))],
        },
        "VERIFICATION SUCCESSFUL (bounded: unwind 3, rounds 2, undefined behaviour at dir/lost.c:4)",
        0,
        5,
    );
    let unknown = |reason| Verdict::Unknown { reason };
    check(
        unknown(Reason::Stopped(StopReason::Memory)),
        "VERIFICATION UNKNOWN (memory)",
        5,
        5,
    );
    check(
        unknown(Reason::Stopped(StopReason::Interrupted)),
        "VERIFICATION UNKNOWN (interrupted)",
        5,
        5,
    );
    check(
        unknown(Reason::Unsupported {
            what: "longjmp".to_string(),
            loc: Loc(4),
        }),
        "VERIFICATION UNKNOWN (longjmp is not supported, at dir/lost.c:4)",
        5,
        5,
    );
}

#[test]
fn coverage_names_every_bound_and_remark() {
    let mut outcome = failed();
    outcome.coverage.assertions_reachable = Some(false);
    let text = text::render(&outcome, &LOST, QUIET);
    assert_eq!(
        text,
        "Covered: sequential consistency; scheme order with cadical; 3 threads; unwind 4, which cuts executions off; \
         max-threads 8 suffices; undefined behaviour reachable at dir/lost.c:4 (division by zero): execution cut \
         there; no body, any result: f; any result that C allows: sin; no assertion is reachable\nVERIFICATION FAILED (assertion at dir/lost.c:10)\n"
    );
    assert!(text::statistics_text(&outcome).contains("time in solve   1.500 s\n"));
}

/// A cut of a loop at a line, or of a recursion.
fn cut(line: u32, number: Option<u32>, certain: bool) -> CutAt {
    let bound = number.map_or(Bound::Recursion, |_| Bound::Unwind);
    CutAt {
        limit: Limit::Bound(bound, u64::from(line)),
        loc: Loc(line),
        function: "inc".to_string(),
        number,
        certain,
    }
}

#[test]
fn coverage_names_the_first_loops_that_are_cut() {
    let mut outcome = failed();
    let line = |outcome: &Outcome| text::coverage_line(outcome, &LOST);
    outcome.coverage.cuts = vec![cut(4, Some(0), true), cut(3, None, true)];
    let one = "; unwind 4 at dir/lost.c:4 (loop 0 of inc), which cuts executions off \
               (--unwindset inc.0:8 goes on there); max";
    assert!(line(&outcome).contains(one), "{}", line(&outcome));
    outcome.coverage.cuts = (1..=6).map(|at| cut(at, Some(at), at < 6)).collect();
    let many = "; unwind 1 at dir/lost.c:1 (loop 1 of inc), unwind 2 at dir/lost.c:2 (loop 2 of inc), \
                unwind 3 at dir/lost.c:3 (loop 3 of inc), unwind 4 at dir/lost.c:4 (loop 4 of inc) and 1 more \
                and perhaps 1 more, which cut executions off (--unwindset inc.1:2 --unwindset inc.2:4 \
                --unwindset inc.3:6 --unwindset inc.4:8 go on there); max";
    assert!(line(&outcome).contains(many), "{}", line(&outcome));
    let text = json::render(&outcome, &LOST);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let last = &object["coverage"]["cuts"][5];
    assert_eq!(
        (
            &last["bound"],
            &last["value"],
            &last["loop"],
            &last["certain"]
        ),
        (&"unwind".into(), &6.into(), &6.into(), &false.into())
    );
}

#[test]
fn json_says_the_same() {
    let text = json::render(&failed(), &LOST);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["schema"], 1);
    assert_eq!(object["verdict"], "failed");
    assert_eq!(object["complete"], false);
    assert_eq!(
        (&object["file"], &object["data_model"], &object["check"]),
        (&"dir/lost.c".into(), &"LP64".into(), &"assert".into())
    );
    assert_eq!(
        object["line"],
        "VERIFICATION FAILED (assertion at dir/lost.c:10)"
    );
    assert_eq!(object["violation"]["place"]["text"], "    assert(x == 2);");
    assert_eq!(object["coverage"]["bounds"][0]["reached"], true);
    assert_eq!(object["statistics"]["stages"][0]["ms"], 1500);
    let step = &object["trace"]["steps"][5];
    assert_eq!(
        (step["action"].as_str(), step["variable"].as_str()),
        (Some("write"), Some("x"))
    );
    assert_eq!(step["value"]["decimal"], "1");
    assert_eq!(object["trace"]["threads"][1]["created_at"]["line"], 8);

    let complete = json::render(&outcome(Verdict::Successful { limits: vec![] }), &LOST);
    let object: serde_json::Value = serde_json::from_str(&complete).unwrap();
    assert_eq!(
        (&object["complete"], &object["trace"]),
        (&true.into(), &serde_json::Value::Null)
    );
}
