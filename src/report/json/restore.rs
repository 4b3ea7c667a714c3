//! Parts of an execution, read back: steps, places, values, what stands at its end.

use super::path::{Found, Within, Wrong};
use super::shape::*;
use super::value;
use super::word;
use crate::base::Loc;
use crate::base::option::one_of;
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::source::Position;
use crate::source::place::Places;
use crate::trace::deadlock::{Awaited, Deadlock, Holder, Waiter};
use crate::trace::misaccess::{Involved, Misaccess};
use crate::trace::race::{LockHeld, Race, Side};
use crate::trace::{Action, CopySource, Writer};

/// Places by their offsets, with the text that stands there.
#[derive(Default)]
pub struct Texts(SortedMap<u32, (Position, Option<String>)>);

impl Places for Texts {
    fn position(&self, loc: Loc) -> Option<Position> {
        self.0.get(&loc.0).map(|(position, _)| position.clone())
    }

    fn line_text(&self, loc: Loc) -> Option<String> {
        self.0.get(&loc.0)?.1.clone()
    }
}

/// State of reading: places so far, and the number of threads of the execution.
#[derive(Default)]
pub struct Reader {
    pub texts: Texts,
    pub threads: usize,
}

impl Reader {
    pub(super) fn action(&mut self, action: ActionJson) -> Found<Action> {
        Ok(match action {
            ActionJson::Read {
                variable: place,
                value: read,
                is_initial,
                is_private,
                from,
            } => Action::Read {
                place,
                value: value::read(read).within("value")?,
                from: self.writer(from).within("from")?,
                is_initial,
                is_private,
            },
            ActionJson::Write { variable, value } => Action::Write {
                place: variable,
                value: value::read(value).within("value")?,
            },
            ActionJson::Issue { variable, value } => Action::Issue {
                place: variable,
                value: value::read(value).within("value")?,
            },
            ActionJson::Commit { variable, value } => Action::Commit {
                place: variable,
                value: value::read(value).within("value")?,
            },
            ActionJson::Update {
                variable,
                old,
                new,
                from,
                expected,
            } => Action::Update {
                place: variable,
                old: value::read(*old).within("old")?,
                new: value::read(*new).within("new")?,
                from: self.writer(from).within("from")?,
                expected: value::read_some(expected.map(|value| *value)).within("expected")?,
            },
            ActionJson::Local {
                variable,
                value,
                is_variable,
            } => Action::Local {
                name: variable,
                value: value::read(value).within("value")?,
                is_variable,
            },
            ActionJson::Input { variable, value } => Action::Input {
                name: variable,
                value: value::read(value).within("value")?,
            },
            ActionJson::Create {
                child,
                callee,
                argument,
            } => Action::Create {
                child: self.thread(child).within("child")?,
                function: callee,
                argument: value::read(argument).within("argument")?,
            },
            ActionJson::Call { callee, arguments } => {
                let arguments = arguments.into_iter().enumerate().map(|(index, one)| {
                    let given = value::read(one.value);
                    Ok((one.name, given.within(format!("arguments[{index}].value"))?))
                });
                Action::Call {
                    function: callee,
                    arguments: arguments.collect::<Found<_>>()?,
                }
            }
            ActionJson::Return { callee, result } => Action::Return {
                function: callee,
                result: value::read_some(result).within("result")?,
            },
            ActionJson::Join { child } => Action::Join {
                child: self.thread(child).within("child")?,
            },
            ActionJson::End => Action::End,
            ActionJson::Lock { variable: place } => Action::Lock { place },
            ActionJson::TryLock {
                variable: place,
                taken,
            } => Action::TryLock { place, taken },
            ActionJson::Unlock { variable: place } => Action::Unlock { place },
            ActionJson::Await { variable: place } => Action::Await { place },
            ActionJson::Awake {
                variable: place,
                signalled,
            } => Action::Awake { place, signalled },
            ActionJson::Signal {
                variable,
                all,
                woken,
            } => {
                let woken = woken.into_iter().map(|one| self.thread(one));
                Action::Signal {
                    place: variable,
                    all,
                    woken: woken.collect::<Found<_>>().within("woken")?,
                }
            }
            ActionJson::Fence => Action::Fence,
            ActionJson::Initialise { variable: place } => Action::Initialise { place },
            ActionJson::AtomicBegin => Action::AtomicBegin,
            ActionJson::AtomicEnd => Action::AtomicEnd,
            ActionJson::Copy {
                variable,
                from,
                byte,
                bytes,
                value,
                is_private,
            } => Action::Copy {
                to: variable,
                source: match (from, byte) {
                    (from, None) => CopySource::Place(from),
                    (None, Some(byte)) => CopySource::Byte(byte),
                    (Some(_), Some(_)) => {
                        return Err(Wrong::new("it has both `from` and `byte`"));
                    }
                },
                bytes,
                value: value::read_some(value).within("value")?,
                is_private,
            },
            ActionJson::Allocate { variable, bytes } => Action::Allocate {
                block: variable,
                bytes,
            },
            ActionJson::Free { variable: block } => Action::Free { block },
            ActionJson::Reuse {
                variable,
                before,
                by,
                is_freed,
            } => Action::Reuse {
                object: variable,
                before,
                by: self.thread(by).within("by")?,
                freed: is_freed,
            },
            ActionJson::Attempt {
                variable,
                access,
                value,
            } => {
                let access = one_of(&access, &word::ATTEMPTED, word::attempted);
                Action::Attempt {
                    place: variable,
                    access: access.map_err(Wrong::new).within("access")?,
                    value: value::read_some(value).within("value")?,
                }
            }
            ActionJson::Blocked { waits_for } => Action::Blocked {
                awaited: self.awaited(waits_for).within("waits_for")?,
            },
            // Those at the end have an ending, and there are no others.
            ActionJson::Violation { property } => {
                return Err(Wrong::new(format!("{property} is violated before the end")));
            }
        })
    }

    /// The thread of a number.
    pub(super) fn thread(&self, number: u32) -> Found<ThreadId> {
        if (number as usize) < self.threads {
            return Ok(ThreadId(number));
        }
        let threads = self.threads;
        let what = format!("there is no thread {number}: the execution has {threads}, from 0");
        Err(Wrong::new(what))
    }

    /// A place, which is the same wherever it has the same offset.
    pub(super) fn loc(&mut self, place: Option<PlaceJson>) -> Found<Loc> {
        let Some(place) = place else {
            return Ok(Loc::NONE);
        };
        let loc = Loc(place.offset);
        if loc == Loc::NONE {
            let what = format!("{} stands for no place", place.offset);
            return Err(Wrong::new(what)).within("offset");
        }
        let position = Position {
            file: place.file,
            line: place.line,
            column: place.column,
        };
        let given = (position, place.text);
        let known = self.texts.0.entry(loc.0).or_insert_with(|| given.clone());
        match *known == given {
            true => Ok(loc),
            false => {
                let what = format!("{} is the offset of {} as well", loc.0, known.0);
                Err(Wrong::new(what))
            }
        }
    }

    pub(super) fn locs(&mut self, places: Vec<Option<PlaceJson>>) -> Found<Vec<Loc>> {
        places.into_iter().map(|place| self.loc(place)).collect()
    }

    pub(super) fn writer(&mut self, from: Option<WriterJson>) -> Found<Option<Writer>> {
        let from = from.map(|from| {
            Ok(Writer {
                thread: self.thread(from.thread)?,
                loc: self.loc(from.place)?,
            })
        });
        from.transpose()
    }

    pub(super) fn misaccess(&mut self, of: MisaccessJson) -> Found<Misaccess> {
        let access = word::access_of(&of.access, of.bytes);
        let flaw = word::flaw_of(&of.flaw, of.offset);
        Ok(Misaccess {
            access: access.map_err(Wrong::new).within("access")?,
            flaw: flaw.map_err(Wrong::new).within("flaw")?,
            object: of
                .object
                .map(|object| self.object(object))
                .transpose()
                .within("object")?,
        })
    }

    pub(super) fn object(&mut self, of: ObjectJson) -> Found<Involved> {
        let pair = |writer: Option<Writer>| writer.map(|writer| (writer.thread, writer.loc));
        Ok(Involved {
            name: of.name,
            size_bytes: of.bytes,
            heap: of.on_heap,
            made: self.writer(of.made).within("made").map(pair)?,
            ended: self.writer(of.ended).within("ended").map(pair)?,
        })
    }

    pub(super) fn race(&mut self, accesses: Vec<AccessJson>) -> Found<Option<Race>> {
        let count = accesses.len();
        let sides = accesses.into_iter().enumerate();
        let sides = sides.map(|(index, one)| self.side(one).within(format!("accesses[{index}]")));
        match <[Side; 2]>::try_from(sides.collect::<Found<Vec<Side>>>()?) {
            Ok(sides) => Ok(Some(Race { sides })),
            Err(none) if none.is_empty() => Ok(None),
            Err(_) => {
                let what = format!("a data race has 2 of them, not {count}");
                Err(Wrong::new(what)).within("accesses")
            }
        }
    }

    pub(super) fn side(&mut self, of: AccessJson) -> Found<Side> {
        let action = one_of(&of.access, &word::ATTEMPTED, word::attempted);
        let locks = of.locks.into_iter().enumerate().map(|(index, lock)| {
            let since = self.loc(lock.since);
            Ok(LockHeld {
                name: lock.variable,
                since: since.within(format!("locks[{index}].since"))?,
            })
        });
        Ok(Side {
            locks: locks.collect::<Found<_>>()?,
            thread: self.thread(of.thread).within("thread")?,
            loc: self.loc(of.place).within("place")?,
            calls: self.locs(of.calls).within("calls")?,
            function: of.function,
            action: action.map_err(Wrong::new).within("access")?,
            place: of.variable,
            bytes: of.bytes,
            value: value::read_some(of.value).within("value")?,
            atomic: of.is_atomic,
            section: of.in_section,
        })
    }

    pub(super) fn deadlock(&mut self, of: DeadlockJson) -> Found<Deadlock> {
        let kind = one_of(&of.kind, &word::DEADLOCK, word::deadlock);
        let waiters = of.threads.into_iter().enumerate();
        let waiters = waiters.map(|(index, one)| {
            let found = self.waiter(one);
            found.within(format!("threads[{index}]"))
        });
        Ok(Deadlock {
            waiters: waiters.collect::<Found<_>>()?,
            kind: kind.map_err(Wrong::new).within("kind")?,
            elsewhere: self
                .locs(of.elsewhere)
                .within("elsewhere")?
                .into_iter()
                .collect(),
        })
    }

    pub(super) fn waiter(&mut self, of: WaiterJson) -> Found<Waiter> {
        Ok(Waiter {
            thread: self.thread(of.thread).within("thread")?,
            loc: self.loc(of.place).within("place")?,
            calls: self.locs(of.calls).within("calls")?,
            function: of.function,
            awaited: self.awaited(of.waits_for).within("waits_for")?,
        })
    }

    pub(super) fn awaited(&mut self, of: AwaitedJson) -> Found<Awaited> {
        let kind = one_of(&of.what, &word::AWAITED, word::awaited);
        let holders = of.holders.into_iter().enumerate().map(|(index, one)| {
            let thread = self.thread(one.thread);
            let since = one.since.map(|place| self.loc(Some(place))).transpose();
            Ok(Holder {
                thread: thread.within(format!("holders[{index}].thread"))?,
                since: since.within(format!("holders[{index}].since"))?,
                ended: one.ended,
            })
        });
        Ok(Awaited {
            holders: holders.collect::<Found<_>>()?,
            kind: kind.map_err(Wrong::new).within("what")?,
            name: of.variable.unwrap_or_default(),
        })
    }
}
