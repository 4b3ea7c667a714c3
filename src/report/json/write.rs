//! The outcome as the objects that are written.

use super::shape::*;
use super::value::written as value;
use super::word;
use crate::base::Loc;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Check;
use crate::outcome::{Coverage, CutAt, Finding, InForce, Limit, Outcome, Statistics, Verdict};
use crate::report::text::{finding_words, limit_name, reason_text, summary, verdict_line};
use crate::report::{finding_name, undefined_name, violation_name};
use crate::scheme::Scheme;
use crate::source::place::Places;
use crate::trace::deadlock::{Awaited, Deadlock, Holder, Waiter};
use crate::trace::misaccess::{Involved, Misaccess};
use crate::trace::race::{Race, Side};
use crate::trace::{Action, CopySource, Trace, TraceStep, TraceThread, Writer};
use std::time::Duration;

/// An outcome of a program with these places.
pub(super) fn outcome(outcome: &Outcome, places: &dyn Places) -> OutcomeJson {
    let to = JsonBuilder { places };
    let whole = to.verdict(&outcome.verdict);
    let first = outcome.findings.first();
    OutcomeJson {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        file: outcome.subject.file.clone(),
        data_model: outcome.subject.model.name(),
        check: outcome.subject.checks.names(),
        verdict: whole.verdict,
        complete: whole.complete,
        line: verdict_line(outcome, places),
        summary: summary(outcome, places),
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
            offset: loc.0,
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
        let grain = finding.scheme.and_then(Scheme::grain);
        let access = |side: &Side| self.access(side, &finding.trace);
        FindingJson {
            check: Check::of(finding.property).name().into(),
            property: finding_name(finding).into(),
            place: self.place(finding.loc),
            title: finding_words(finding, self.places),
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
            misaccess: finding.trace.misaccess().map(|found| self.misaccess(found)),
            lost: finding.trace.lost().map(|object| self.object(object)),
            unwinding: grain.map(|grain| word::grain(grain).into()),
            trace: None,
        }
    }

    fn deadlock(&self, deadlock: &Deadlock, trace: &Trace) -> DeadlockJson {
        let waiters = deadlock.waiters.iter();
        let ring = deadlock.ring().into_iter();
        DeadlockJson {
            kind: word::deadlock(deadlock.kind).into(),
            threads: waiters.map(|waiter| self.waiter(waiter, trace)).collect(),
            ring: ring.map(|waiter| waiter.thread.0).collect(),
            elsewhere: deadlock
                .elsewhere
                .iter()
                .map(|loc| self.place(*loc))
                .collect(),
        }
    }

    fn misaccess(&self, found: &Misaccess) -> MisaccessJson {
        let (access, bytes) = word::access(found.access);
        let (flaw, offset) = word::flaw(found.flaw);
        MisaccessJson {
            access: access.into(),
            bytes,
            flaw: flaw.into(),
            offset,
            object: found.object.as_ref().map(|object| self.object(object)),
        }
    }

    fn object(&self, object: &Involved) -> ObjectJson {
        let by = |(thread, loc)| self.writer(Some(Writer { thread, loc }));
        ObjectJson {
            name: object.name.clone(),
            bytes: object.size_bytes,
            on_heap: object.heap,
            made: object.made.and_then(by),
            ended: object.ended.and_then(by),
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
            what: word::awaited(awaited.kind).into(),
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
            access: word::attempted(side.action).into(),
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
            cubes: coverage.cubes.map(|cubes| CubesJson {
                count: cubes.count,
                decided: cubes.decided,
                only: cubes.only,
                formula: cubes.formula.map(|name| format!("{name:032x}")),
            }),
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
        let thread = |thread: &TraceThread| ThreadJson {
            function: thread.function.clone(),
            created_at: thread.created_at.and_then(|loc| self.place(loc)),
        };
        TraceJson {
            memory_model: trace.memory().map(|memory| memory.name().into()),
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

fn action(to: &JsonBuilder, action: &Action) -> ActionJson {
    match action {
        Action::Read {
            place,
            value: read,
            from,
            is_initial,
            is_private,
        } => ActionJson::Read {
            variable: place.clone(),
            value: value(read),
            is_initial: *is_initial,
            is_private: *is_private,
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
            old: Box::new(value(old)),
            new: Box::new(value(new)),
            from: to.writer(*from),
            expected: expected.as_ref().map(value).map(Box::new),
        },
        Action::Local {
            name,
            value: new,
            is_variable,
        } => ActionJson::Local {
            variable: name.clone(),
            value: value(new),
            is_variable: *is_variable,
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
            is_private,
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
            is_private: *is_private,
        },
        Action::Allocate { block, bytes } => ActionJson::Allocate {
            variable: block.clone(),
            bytes: *bytes,
        },
        Action::Free { block } => ActionJson::Free {
            variable: block.clone(),
        },
        Action::Reuse {
            object,
            before,
            by,
            freed,
        } => ActionJson::Reuse {
            variable: object.clone(),
            before: before.clone(),
            by: by.0,
            is_freed: *freed,
        },
        Action::Attempt {
            place,
            access,
            value: seen,
        } => ActionJson::Attempt {
            variable: place.clone(),
            access: word::attempted(*access).into(),
            value: seen.as_ref().map(value),
        },
        Action::Blocked { awaited } => ActionJson::Blocked {
            waits_for: to.awaited(awaited),
        },
        Action::Violation {
            property, access, ..
        } => ActionJson::Violation {
            property: violation_name(*property, access.as_deref()).into(),
        },
    }
}
