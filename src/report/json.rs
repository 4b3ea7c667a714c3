//! The outcome as one JSON object, for programs (`--json FILE`).
//!
//! Schema 1. Fields are only ever added under the same number; readers skip what they do not know.
//!
//! | field | value |
//! |---|---|
//! | `schema` | 1 |
//! | `version` | version of Selvedge |
//! | `file`, `data_model`, `check` | the C file, `"ILP32"` or `"LP64"`, and what was asked: `"assert"`, or several checks with commas between |
//! | `verdict` | `"failed"`, `"successful"` or `"unknown"` |
//! | `complete` | true if and only if successful without limits |
//! | `line` | the last line of standard output |
//! | `limits` | of a successful verdict: strings such as `"unwind 3"` |
//! | `reason` | of an unknown verdict: a string, else null |
//! | `violation` | of a failed verdict: `{property, place}`, else null |
//! | `checks` | of each check, the most serious first: `{check, verdict, complete, limits, reason}`, as above |
//! | `findings` | all violations, the most serious first: `{check, property, place, fingerprint, schedule, trace}`, where `schedule` is a line for `selvedge replay`; the first is `violation` and `trace`. Data races have both `accesses` as well, and `other`, the place of the second with its `thread` and `function`. Deadlocks have `deadlock` as well |
//! | `suppressed` | violations that `--suppress` names: the same without `trace` |
//! | `coverage` | `{memory_model, scheme, solver, threads: number, or null where it covers any number, bounds: [{name, value, reached: true, false, or null where nobody asked}], cuts: [{bound, value, place, function, loop: number, or null for a recursion, certain: false where nobody has found out}] of loops and calls that bounds cut, undefined: [{kind, place}], assertions_reachable: true, false or null, external: [name] of functions without a body, whose results are any values, if there are some, open: [name] of functions whose results C leaves open, such as `sin`, and are any that it allows, if there are some, allocations_succeed: false where the program allocates nothing or `--malloc-may-fail` is set, signals_absent: true where the program handles signals, none of which arrives, begins: text, where execution does not begin with `main`, races_excluded: true where the program as it is written shows that no data race is possible, learnt: [text] if threads were verified one by one, warnings: [{name, text, place}]}` |
//! | `statistics` | `{events, reads, writes, terms, variables, clauses, stages: [{name, ms}], cpu_ms, wall_ms, peak_memory_bytes}` |
//! | `trace` | of a failed verdict: `{threads: [{function, created_at}], steps: [step]}`, else null |
//!
//! A place is `{file, line, column, text}`, counted from 1, `text` being the source line; or null. Threads are
//! numbered by their index in `threads`; 0 is main. A step is `{thread, place, function, calls: [place], atomic,
//! action, …}`, and `action` says which further fields there are:
//!
//! | action | fields |
//! |---|---|
//! | `read`, `write` | `variable`, `value`, and `from: {thread, place}` of what is read from another thread's store |
//! | `issue`, `commit` | `variable`, `value`: a store that goes into its thread's buffer, and that reaches memory (weak memory models) |
//! | `update` | `variable`, `old`, `new`, and `from` as above; `expected`, what a compare-and-exchange compares with |
//! | `local` | `variable`, `value` |
//! | `input` | `value`, and `variable` where it has a name |
//! | `create` | `child`: a thread's number, `callee`: its start routine, `argument` |
//! | `join` | `child` |
//! | `call` | `callee`, `arguments: [{name, value}]`: a function of the program is called |
//! | `return` | `callee`, `result`, or null where nobody takes it |
//! | `lock`, `unlock`, `initialise` | `variable`: a lock |
//! | `try_lock` | `variable`, `taken` |
//! | `await` | `variable`: a condition variable that the thread begins to wait for, where deadlocks are asked for |
//! | `awake` | `variable`, `signalled`: the thread no longer waits for it, because of a signal or by itself |
//! | `signal` | `variable`, `all` (of a broadcast), `woken`: numbers of threads |
//! | `attempt` | `variable`, `access`, and `value` of a scalar: an access that is next, at the end of a data race |
//! | `blocked` | `waits_for`: what the thread waits for, at the end of a deadlock |
//! | `copy` | `variable`, `from` or `byte`, `bytes`, and `value` of a scalar: bytes that are copied, or set; `variable` is null where they were only read so far, `from` where that was an earlier step |
//! | `allocate` | `variable`, a block of the heap, and `bytes`, its size |
//! | `free` | `variable`: a block of the heap |
//! | `reuse` | `variable`, `before`, `by`: a new object is where another one was, which that thread had ended |
//! | `violation` | `property` |
//! | `end`, `fence`, `atomic_begin`, `atomic_end` | none |
//!
//! An access of a data race is `{thread, function, created_at, place, calls, access: "read", "write", "update" or "free",
//! variable, bytes, value, of a scalar (to be written, or there), is_atomic, in_section, locks: [{variable, since}]}`.
//!
//! A deadlock is `{kind: "cycle" (threads that wait for each other, or for who has ended; others may run), "final" (nobody runs) or
//! "spin" (the same, but some spin), threads: [{thread, function, created_at, place, calls, waits_for}], ring: [thread] of those that
//! wait for each other, each for the next one, elsewhere: [place] at which threads are blocked as well in other executions of the same
//! deadlock, if there are some}`; what is waited for is `{what: "mutex", "rwlock", "condition", "barrier",
//! "semaphore", "once", "thread", "loop" (that the thread spins in) or "other", variable, holders: [{thread, since, ended}]}`.
//!
//! A value is `{bits, signed, float, decimal}` with the number as a string, since it may exceed what JSON readers
//! hold; a floating-point number is the shortest one that is read back as it, or `inf`, `-inf`, `nan`, `-nan`.

mod shape;

use super::file::Format;
use super::text::{limit_name, reason_text, verdict_line};
use super::{finding_name, undefined_name, value, violation_name};
use crate::base::Loc;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Check;
use crate::ir::ty::Reading;
use crate::outcome::{Coverage, CutAt, Finding, InForce, Limit, Outcome, Statistics, Verdict};
use crate::source::place::Places;
use crate::trace::deadlock::{Awaited, AwaitedKind, Deadlock, DeadlockKind, Holder, Waiter};
use crate::trace::race::{Attempted, Race, Side};
use crate::trace::{Action, CopySource, Trace, TraceStep, Value, Writer};
use shape::*;
use std::time::Duration;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "json",
    help: "Write verdict, coverage, statistics and counterexample to FILE as JSON",
    render,
};

/// The text of the file, with a newline at its end.
pub fn render(outcome: &Outcome, places: &dyn Places) -> String {
    let to = JsonBuilder { places };
    let whole = to.verdict(&outcome.verdict);
    let first = outcome.findings.first();
    let object = OutcomeJson {
        schema: 1,
        version: env!("CARGO_PKG_VERSION"),
        file: &outcome.subject.file,
        data_model: outcome.subject.model.name(),
        check: outcome.subject.checks.names(),
        verdict: whole.verdict,
        complete: whole.complete,
        line: verdict_line(outcome, places),
        limits: whole.limits,
        reason: whole.reason,
        violation: first.map(|finding| ViolationJson {
            property: finding_name(finding),
            place: to.place(finding.loc),
        }),
        checks: outcome
            .by_check
            .iter()
            .map(|(check, verdict)| CheckJson {
                check: check.name(),
                answer: to.verdict(verdict),
            })
            .collect(),
        findings: outcome
            .findings
            .iter()
            .map(|finding| FindingJson {
                trace: Some(to.trace(&finding.trace)),
                ..to.finding(finding)
            })
            .collect(),
        suppressed: outcome
            .suppressed
            .iter()
            .map(|finding| to.finding(finding))
            .collect(),
        coverage: to.coverage(&outcome.coverage),
        statistics: statistics(&outcome.statistics),
        trace: first.map(|finding| to.trace(&finding.trace)),
    };
    // Plain structures with string keys: there is nothing that could not be written.
    let mut text = serde_json::to_string_pretty(&object).unwrap_or_default();
    text.push('\n');
    text
}

fn value(value: &Value) -> ValueJson {
    ValueJson {
        bits: value.bits,
        signed: value.reading.is_signed(),
        float: matches!(value.reading, Reading::Float(_)),
        decimal: value::decimal(value),
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn statistics(statistics: &Statistics) -> StatisticsJson {
    StatisticsJson {
        events: statistics.events,
        reads: statistics.reads,
        writes: statistics.writes,
        terms: statistics.terms,
        variables: statistics.variables,
        clauses: statistics.clauses,
        stages: statistics
            .stages
            .iter()
            .map(|(name, time)| StageJson {
                name,
                ms: ms(*time),
            })
            .collect(),
        cpu_ms: ms(statistics.cpu),
        wall_ms: ms(statistics.wall),
        peak_memory_bytes: statistics.peak_memory_bytes,
    }
}

struct JsonBuilder<'a> {
    places: &'a dyn Places,
}

impl JsonBuilder<'_> {
    fn writer(&self, writer: Option<Writer>) -> Option<WriterJson> {
        writer.map(|writer| WriterJson {
            thread: writer.thread.0,
            place: self.place(writer.loc),
        })
    }

    fn place(&self, loc: Loc) -> Option<PlaceJson> {
        self.places.position(loc).map(|place| PlaceJson {
            file: place.file,
            line: place.line,
            column: place.column,
            text: self.places.line_text(loc),
        })
    }

    fn verdict(&self, verdict: &Verdict) -> VerdictJson {
        let (mut limits, mut reason) = (Vec::new(), None);
        let name = match verdict {
            Verdict::Failed => "failed",
            Verdict::Successful { limits: within } => {
                let within = within.iter().map(|limit| limit_name(limit, self.places));
                limits = within.collect();
                "successful"
            }
            Verdict::Unknown { reason: why } => {
                reason = Some(reason_text(why, self.places));
                "unknown"
            }
        };
        VerdictJson {
            verdict: name,
            complete: verdict.is_complete(),
            limits,
            reason,
        }
    }

    /// A finding without its trace.
    fn finding(&self, finding: &Finding) -> FindingJson {
        let race = finding.trace.race();
        let access = |side: &Side| self.access(side, &finding.trace);
        FindingJson {
            check: Check::of(finding.property).name(),
            property: finding_name(finding),
            place: self.place(finding.loc),
            fingerprint: finding.fingerprint.to_string(),
            schedule: finding.trace.schedule(),
            other: race.map(|Race { sides: [_, other] }| OtherJson {
                place: self.place(other.loc),
                thread: other.thread.0,
                function: other.function.clone(),
            }),
            accesses: race
                .map(|race| race.sides.iter().map(access).collect())
                .unwrap_or_default(),
            deadlock: finding
                .trace
                .deadlock()
                .map(|deadlock| self.deadlock(deadlock, &finding.trace)),
            trace: None,
        }
    }

    fn deadlock(&self, deadlock: &Deadlock, trace: &Trace) -> DeadlockJson {
        let waiters = deadlock.waiters.iter();
        let ring = deadlock.ring().into_iter();
        DeadlockJson {
            kind: match deadlock.kind {
                DeadlockKind::Cycle => "cycle",
                DeadlockKind::Final => "final",
                DeadlockKind::Spin => "spin",
            },
            threads: waiters.map(|waiter| self.waiter(waiter, trace)).collect(),
            ring: ring.map(|waiter| waiter.thread.0).collect(),
            elsewhere: deadlock
                .elsewhere
                .iter()
                .map(|loc| self.place(*loc))
                .collect(),
        }
    }

    fn waiter(&self, waiter: &Waiter, trace: &Trace) -> WaiterJson {
        WaiterJson {
            thread: waiter.thread.0,
            function: waiter.function.clone(),
            created_at: self.created_at(waiter.thread, trace),
            place: self.place(waiter.loc),
            calls: waiter.calls.iter().map(|loc| self.place(*loc)).collect(),
            waits_for: self.awaited(&waiter.awaited),
        }
    }

    fn awaited(&self, awaited: &Awaited) -> AwaitedJson {
        let holder = |holder: &Holder| HolderJson {
            thread: holder.thread.0,
            since: holder.since.and_then(|loc| self.place(loc)),
            ended: holder.ended,
        };
        AwaitedJson {
            what: match awaited.kind {
                AwaitedKind::Mutex => "mutex",
                AwaitedKind::ReadWriteLock => "rwlock",
                AwaitedKind::Condition => "condition",
                AwaitedKind::Barrier => "barrier",
                AwaitedKind::Semaphore => "semaphore",
                AwaitedKind::Once => "once",
                AwaitedKind::Thread => "thread",
                AwaitedKind::Loop => "loop",
                AwaitedKind::Other => "other",
            },
            variable: (!awaited.name.is_empty()).then(|| awaited.name.clone()),
            holders: awaited.holders.iter().map(holder).collect(),
        }
    }

    fn created_at(&self, thread: ThreadId, trace: &Trace) -> Option<PlaceJson> {
        let thread = trace.threads.get(thread.index());
        let created = thread.and_then(|thread| thread.created_at);
        created.and_then(|loc| self.place(loc))
    }

    /// An access of a data race.
    fn access(&self, side: &Side, trace: &Trace) -> AccessJson {
        let locks = side.locks.iter().map(|lock| LockJson {
            variable: lock.name.clone(),
            since: self.place(lock.since),
        });
        AccessJson {
            thread: side.thread.0,
            function: side.function.clone(),
            created_at: self.created_at(side.thread, trace),
            place: self.place(side.loc),
            calls: side.calls.iter().map(|loc| self.place(*loc)).collect(),
            access: attempted(side.action),
            variable: side.place.clone(),
            bytes: side.bytes,
            value: side.value.as_ref().map(value),
            is_atomic: side.atomic,
            in_section: side.section,
            locks: locks.collect(),
        }
    }

    fn coverage(&self, coverage: &Coverage) -> CoverageJson {
        let bound = |in_force: &InForce| BoundJson {
            name: in_force.bound.name(),
            value: in_force.value,
            reached: in_force.reached,
        };
        let cut = |cut: &CutAt| CutJson {
            bound: match cut.limit {
                Limit::Bound(bound, _) => bound.name(),
                _ => "events-per-loop",
            },
            value: match cut.limit {
                Limit::Bound(_, value) => Some(value),
                _ => None,
            },
            place: self.place(cut.loc),
            function: cut.function.clone(),
            number: cut.number,
            certain: cut.certain,
        };
        CoverageJson {
            memory_model: coverage.memory.title(),
            scheme: coverage.scheme.clone(),
            solver: coverage.solver.clone(),
            threads: (!coverage.of_any_number).then_some(coverage.threads),
            bounds: coverage.bounds.iter().map(bound).collect(),
            cuts: coverage.cuts.iter().map(cut).collect(),
            undefined: coverage
                .undefined
                .iter()
                .map(|(kind, loc)| UndefinedJson {
                    kind: undefined_name(*kind),
                    place: self.place(*loc),
                })
                .collect(),
            assertions_reachable: coverage.assertions_reachable,
            external: coverage.external.clone(),
            open: coverage.open.clone(),
            allocations_succeed: coverage.allocations_succeed,
            signals_absent: coverage.signals_absent,
            begins: coverage.begins.clone(),
            races_excluded: coverage.races_excluded,
            learnt: coverage.learnt.clone(),
            warnings: coverage
                .warnings
                .iter()
                .map(|warning| WarningJson {
                    name: warning.kind.name(),
                    text: warning.message.clone(),
                    place: self.place(warning.loc),
                })
                .collect(),
        }
    }

    fn trace(&self, trace: &Trace) -> TraceJson {
        let thread = |thread: &crate::trace::TraceThread| ThreadJson {
            function: thread.function.clone(),
            created_at: thread.created_at.and_then(|loc| self.place(loc)),
        };
        TraceJson {
            threads: trace.threads.iter().map(thread).collect(),
            steps: trace.steps.iter().map(|step| self.step(step)).collect(),
        }
    }

    fn step(&self, step: &TraceStep) -> StepJson {
        StepJson {
            thread: step.thread.0,
            place: self.place(step.loc),
            function: step.function.clone(),
            calls: step.calls.iter().map(|loc| self.place(*loc)).collect(),
            atomic: step.atomic,
            action: action(self, &step.action),
        }
    }
}

fn attempted(access: Attempted) -> &'static str {
    match access {
        Attempted::Read => "read",
        Attempted::Write => "write",
        Attempted::Update => "update",
        Attempted::Free => "free",
    }
}

fn action(to: &JsonBuilder, action: &Action) -> ActionJson {
    match action {
        Action::Read {
            place,
            value: read,
            from,
            ..
        } => ActionJson::Read {
            variable: place.clone(),
            value: value(read),
            from: to.writer(*from),
        },
        Action::Write {
            place,
            value: written,
        } => ActionJson::Write {
            variable: place.clone(),
            value: value(written),
        },
        Action::Issue {
            place,
            value: written,
        } => ActionJson::Issue {
            variable: place.clone(),
            value: value(written),
        },
        Action::Commit {
            place,
            value: written,
        } => ActionJson::Commit {
            variable: place.clone(),
            value: value(written),
        },
        Action::Update {
            place,
            old,
            new,
            from,
            expected,
        } => ActionJson::Update {
            variable: place.clone(),
            old: value(old),
            new: value(new),
            from: to.writer(*from),
            expected: expected.as_ref().map(value),
        },
        Action::Local {
            name, value: new, ..
        } => ActionJson::Local {
            variable: name.clone(),
            value: value(new),
        },
        Action::Input {
            name,
            value: chosen,
        } => ActionJson::Input {
            variable: name.clone(),
            value: value(chosen),
        },
        Action::Create {
            child,
            function,
            argument,
        } => ActionJson::Create {
            child: child.0,
            callee: function.clone(),
            argument: value(argument),
        },
        Action::Call {
            function,
            arguments,
        } => ActionJson::Call {
            callee: function.clone(),
            arguments: arguments
                .iter()
                .map(|(name, given)| ArgumentJson {
                    name: name.clone(),
                    value: value(given),
                })
                .collect(),
        },
        Action::Return { function, result } => ActionJson::Return {
            callee: function.clone(),
            result: result.as_ref().map(value),
        },
        Action::Join { child } => ActionJson::Join { child: child.0 },
        Action::End => ActionJson::End,
        Action::Lock { place } => ActionJson::Lock {
            variable: place.clone(),
        },
        Action::TryLock { place, taken } => ActionJson::TryLock {
            variable: place.clone(),
            taken: *taken,
        },
        Action::Unlock { place } => ActionJson::Unlock {
            variable: place.clone(),
        },
        Action::Await { place } => ActionJson::Await {
            variable: place.clone(),
        },
        Action::Awake { place, signalled } => ActionJson::Awake {
            variable: place.clone(),
            signalled: *signalled,
        },
        Action::Signal { place, all, woken } => ActionJson::Signal {
            variable: place.clone(),
            all: *all,
            woken: woken.iter().map(|thread| thread.0).collect(),
        },
        Action::Initialise { place } => ActionJson::Initialise {
            variable: place.clone(),
        },
        Action::Fence => ActionJson::Fence,
        Action::AtomicBegin => ActionJson::AtomicBegin,
        Action::AtomicEnd => ActionJson::AtomicEnd,
        Action::Copy {
            to,
            source,
            bytes,
            value: written,
            ..
        } => ActionJson::Copy {
            variable: to.clone(),
            from: match source {
                CopySource::Place(from) => from.clone(),
                CopySource::Byte(_) => None,
            },
            byte: match source {
                CopySource::Place(_) => None,
                CopySource::Byte(byte) => Some(*byte),
            },
            bytes: *bytes,
            value: written.as_ref().map(value),
        },
        Action::Allocate { block, bytes } => ActionJson::Allocate {
            variable: block.clone(),
            bytes: *bytes,
        },
        Action::Free { block } => ActionJson::Free {
            variable: block.clone(),
        },
        Action::Reuse {
            object, before, by, ..
        } => ActionJson::Reuse {
            variable: object.clone(),
            before: before.clone(),
            by: by.0,
        },
        Action::Attempt {
            place,
            access,
            value: seen,
        } => ActionJson::Attempt {
            variable: place.clone(),
            access: attempted(*access),
            value: seen.as_ref().map(value),
        },
        Action::Blocked { awaited } => ActionJson::Blocked {
            waits_for: to.awaited(awaited),
        },
        Action::Violation {
            property, access, ..
        } => ActionJson::Violation {
            property: violation_name(*property, access.as_deref()),
        },
    }
}
