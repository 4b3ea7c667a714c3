//! Replays as a whole: of a schedule that an encoding has found, and of one that stands on a line.

use super::answers::Source;
use super::record::Ending;
use super::shorten::Shortening;
use super::{Divergence, Purpose, Replay};
use crate::base::Loc;
use crate::ir::address::AddressSpace;
use crate::ir::{Check, Program, Property, Undefined};
use crate::trace::interpret::Interpreter;
use crate::trace::interpret::code::Code;
use crate::trace::interpret::requests::Requests;
use crate::trace::reuse::FirstRun;
use crate::trace::tape::Tape;
use crate::trace::{Schedule, Trace};
use hashbrown::HashMap;

/// Executes a schedule; the trace ends with the violation. Which of several names undefined behaviour has, the interpreter
/// says, if they are of one check. If a shorter execution that ends in the same way is found, it is that one's.
pub fn replay(program: &Program, schedule: &Schedule) -> Result<Trace, Divergence> {
    on_its_line(program, schedule, true)
}

/// Executes a schedule, and shows that execution and no shorter one.
///
/// # Errors
/// As for [`replay`].
pub fn replay_unshortened(program: &Program, schedule: &Schedule) -> Result<Trace, Divergence> {
    on_its_line(program, schedule, false)
}

/// Sketch of an execution: a single run tells how it ends and how long it is on a line, but of the names of objects only what is known
/// before its end.
///
/// # Errors
/// As for [`replay`].
pub fn sketch(program: &Program, schedule: &Schedule) -> Result<Trace, Divergence> {
    let code = &Code::of(program);
    let mut replay = follow(code, schedule, (Purpose::Show, FirstRun::default()))?;
    let ended = replay.ended.clone();
    let tape = ended.map(|ending| replay.tape(&ending));
    Ok(Trace {
        tape: tape.map(Box::new),
        ..replay.trace
    })
}

/// The trace of a schedule that stands on a line, if it can be put there.
fn on_its_line(
    program: &Program,
    schedule: &Schedule,
    is_shortened: bool,
) -> Result<Trace, Divergence> {
    let code = &Code::of(program);
    let mut first = follow(code, schedule, (Purpose::Try, FirstRun::default()))?;
    if let Some(ending) = first.ended.clone() {
        let tape = first.tape(&ending);
        let shortest = match is_shortened {
            true => Shortening::new(code, schedule, ending.clone(), tape).shortest(),
            false => tape,
        };
        // Internal numbers of objects hardly ever matter.
        let plain = Tape {
            slots: Vec::new(),
            ..shortest.clone()
        };
        // What is shown is what the line on which it stands says, and nothing else.
        for tape in [plain, shortest] {
            if let Ok((trace, ended)) = played(code, &tape)
                && ended.as_ref() == Some(&ending)
            {
                return Ok(Trace {
                    tape: Some(Box::new(tape)),
                    ..trace
                });
            }
        }
    }
    Ok(twice(|run| follow(code, schedule, run))?.trace)
}

fn follow<'p, 's>(
    code: &Code<'p>,
    schedule: &'s Schedule,
    run: (Purpose, FirstRun),
) -> Result<Replay<'p, 's>, Divergence> {
    let mut replay = Replay::new(code, schedule, Source::Schedule(schedule), run);
    replay.follow()?;
    Ok(replay)
}

/// A run that is made once more with what only its end tells: how many objects the heap had, who came to be in whose place, and
/// which memory several threads access.
fn twice<'p, 's>(
    mut run: impl FnMut((Purpose, FirstRun)) -> Result<Replay<'p, 's>, Divergence>,
) -> Result<Replay<'p, 's>, Divergence> {
    let known = run((Purpose::Learn, FirstRun::default()))?.learnt();
    run((Purpose::Show, known))
}

/// Executes a schedule of one line; the trace ends with the violation.
///
/// # Errors
/// The program does not come to a violation of the check in this way.
pub fn play(program: &Program, tape: &Tape) -> Result<Trace, Divergence> {
    let (trace, _) = played(&Code::of(program), tape)?;
    Ok(Trace {
        tape: Some(Box::new(tape.clone())),
        ..trace
    })
}

/// The trace of a schedule of one line, and its end.
pub(super) fn played(code: &Code, tape: &Tape) -> Result<(Trace, Option<Ending>), Divergence> {
    let Some(space) = space(code.program, tape) else {
        return Err(Divergence::nowhere());
    };
    let schedule = unscheduled(tape, space);
    let replay = twice(|run| {
        let mut replay = Replay::new(code, &schedule, Source::Tape(tape), run);
        let requests = Requests::expecting(&tape.slots, &tape.bases);
        replay.interpreter.requests = Some(Box::new(requests));
        replay.begin();
        replay.lost = tape.lost;
        replay.play(tape)?;
        Ok(replay)
    })?;
    Ok((replay.trace, replay.ended))
}

/// The address space of an execution; `None` if it is none for this program.
pub(super) fn space(program: &Program, tape: &Tape) -> Option<AddressSpace> {
    let usual = Interpreter::usual_space(program)?;
    let Some(offset_bits) = tape.offset_bits else {
        return Some(usual);
    };
    let is_one = offset_bits >= usual.offset_bits && offset_bits + 8 <= usual.pointer_bits;
    is_one.then_some(AddressSpace {
        offset_bits,
        ..usual
    })
}

/// A schedule without steps: what an interpreter needs to know before it begins.
pub(super) fn unscheduled(tape: &Tape, space: AddressSpace) -> Schedule {
    Schedule {
        space,
        threads: vec![None],
        steps: Vec::new(),
        memory_model: tape.memory,
        visible: Vec::new(),
        kept: Vec::new(),
        blocked: Default::default(),
        parts: HashMap::new(),
        inputs: HashMap::new(),
        memory: HashMap::new(),
        slots: HashMap::new(),
        used_slots: tape
            .slots
            .iter()
            .max()
            .map_or(1, |last| last.saturating_add(1)),
        bases: HashMap::new(),
        rival: None,
        violation: violated(tape),
        place: Loc::NONE,
    }
}

/// A property of the check; of values that were never set, just that one.
fn violated(tape: &Tape) -> Property {
    let why = match tape.check {
        Check::Assert => return Property::Assertion,
        Check::Race => return Property::Race,
        Check::Deadlock => return Property::Deadlock,
        Check::Leak => return Property::Lost,
        Check::Cleanup => return Property::Unfreed,
        Check::Memory => Undefined::InvalidAccess,
        Check::Undefined if tape.needs_value => Undefined::Indeterminate,
        Check::Undefined => Undefined::DivisionByZero,
        Check::Misuse => Undefined::ThreadHandle,
        Check::Overflow => Undefined::Overflow,
    };
    Property::Defined(why)
}
