//! Schedules of one line: which thread of a program moves when, and the values that the program leaves open, as text.
//!
//! A step is an instruction that others could notice, or whose place among those of others could matter; arithmetic, jumps and calls are
//! none. So the text `m3.a5.b2.m1` says: main makes three steps, thread 1 (`a`) five, thread 2 (`b`) two, and main the last
//! one; what a thread does between its steps goes with them. The grammar:
//!
//! ```text
//! schedule = [check ":"] moves ["!" end] {"/" part}
//! moves    = move {"." move}
//! move     = thread count            so many steps of a thread
//!          | thread "~" number       the thread's buffered store with this number, the oldest being 0, reaches memory
//! end      = thread "," thread       both stand before accesses that race
//!          | thread {"," thread count}  the first is blocked; so many instructions go behind each thread's last step
//! part     = "tso" | "pso"           the memory model, if it is not sequential consistency
//!          | "i" values              inputs, in the order in which they are asked for, `3*5` being five times 3; 0 behind the last
//!          | "u" bytes               contents of memory that was never written: at which of the reads, and in hexadecimal
//!          | "p" addresses           machine addresses of objects that the program looks at as numbers: which object, in the order in which they
//!                                    first need a place, and where
//!          | "n" values              internal numbers of objects in that order, if these matter and are not 1, 2, 3, …
//!          | "t" values              numbers of threads in the order of their creation, if these are not 1, 2, 3, …; `-4*2` are 4 and 5, which never run
//!          | "s" stops               operations on blocks that others interrupt, and where
//!          | "o" number              width of offsets in the address space
//!          | "l" number              which block of the heap is lost, counted by allocation
//!          | "v"                     the last step needs a value that was never set
//! thread   = "m" | letters           main; 1 is a, 2 is b, … (there is no further m), 26 is aa
//! ```
//!
//! Numbers are decimal, or hexadecimal behind `0x`. The check is left out if it is `assert`.

use crate::base::id::Id;
use crate::event::{MemoryModel, ThreadId};
use crate::ir::Check;
use std::fmt::{self, Display, Write};
use std::str::FromStr;

/// One execution: who moved when, and the values that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tape {
    /// Check that it violates.
    pub check: Check,
    /// Memory model.
    pub memory: MemoryModel,
    /// Moves, in order.
    pub moves: Vec<Turn>,
    /// End of the execution.
    pub end: End,
    /// Width of offsets in the address space, in bits.
    pub offset_bits: Option<u16>,
    /// Numbers of threads in the order of their creation; false for one that never runs.
    pub threads: Vec<(u32, bool)>,
    /// Inputs, in the order in which they are asked for; those behind the last are 0.
    pub inputs: Vec<u128>,
    /// Contents of memory that is read before it is written, ascending: the number of the read, and the bytes; all others are 0.
    pub unset: Vec<(usize, Vec<u8>)>,
    /// Machine addresses of objects, which are counted in the order in which they first need a slot.
    pub bases: Vec<(usize, u64)>,
    /// Slots of objects in that order; those behind the last follow in turn.
    pub slots: Vec<u32>,
    /// Operations on blocks that stop in between, counted by their beginnings, ascending, and the steps at which they do.
    pub stops: Vec<(usize, Vec<u64>)>,
    /// Block of the heap that is lost or not freed, counted by allocation from 0.
    pub lost: Option<usize>,
    /// The last step needs a value that was never set.
    pub needs_value: bool,
}

impl Tape {
    /// Number of turns: of moves of one thread in a row.
    pub fn turns(&self) -> usize {
        let turns = self
            .moves
            .chunk_by(|one, next| one.thread() == next.thread());
        turns.count()
    }
}

/// Turn of a thread, or of one of its stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// So many steps of a thread.
    Steps(ThreadId, u64),
    /// The store with this number in a thread's buffer reaches memory.
    Commit(ThreadId, usize),
}

/// End of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The thread that moves last violates the property.
    Step,
    /// Two threads stand before accesses that race.
    Race(ThreadId, ThreadId),
    /// A thread is blocked for ever, where each thread has executed so many instructions behind its last step.
    Deadlock(ThreadId, Vec<(ThreadId, u64)>),
}

impl Turn {
    /// Whose turn it is.
    pub fn thread(self) -> ThreadId {
        match self {
            Turn::Steps(thread, _) | Turn::Commit(thread, _) => thread,
        }
    }
}

impl Tape {
    /// The execution in which nobody has moved.
    pub fn new(check: Check, memory: MemoryModel) -> Tape {
        Tape {
            check,
            memory,
            moves: Vec::new(),
            end: End::Step,
            offset_bits: None,
            threads: Vec::new(),
            inputs: Vec::new(),
            unset: Vec::new(),
            bases: Vec::new(),
            slots: Vec::new(),
            stops: Vec::new(),
            lost: None,
            needs_value: false,
        }
    }
}

/// Letters of threads; `m` is main.
const LETTERS: &[u8] = b"abcdefghijklnopqrstuvwxyz";

/// A thread in letters.
struct Named(ThreadId);

impl Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = self.0.index();
        if number == 0 {
            return f.write_char('m');
        }
        let mut letters = Vec::new();
        while number > 0 {
            letters.push(LETTERS[(number - 1) % LETTERS.len()]);
            number = (number - 1) / LETTERS.len();
        }
        letters
            .iter()
            .rev()
            .try_for_each(|letter| f.write_char(char::from(*letter)))
    }
}

/// Values with commas between them.
fn listed<T>(values: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let texts: Vec<String> = values.into_iter().map(text).collect();
    texts.join(",")
}

/// Something so many times.
fn repeated(text: String, count: usize) -> String {
    match count {
        1 => text,
        _ => format!("{text}*{count}"),
    }
}

/// Values of a run of at most this many.
const LONGEST_RUN: usize = 1 << 24;

/// A value, and how many times it is there.
fn run(text: &str) -> Result<(&str, usize), String> {
    let Some((value, count)) = text.split_once('*') else {
        return Ok((text, 1));
    };
    let count: usize = read(count)?;
    match count <= LONGEST_RUN {
        true => Ok((value, count)),
        false => Err(format!("`{text}` is too many")),
    }
}

/// Numbers of up to three digits are decimal.
fn number(value: u128) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

impl Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.check != Check::Assert {
            write!(f, "{}:", self.check.name())?;
        }
        for (index, turn) in self.moves.iter().enumerate() {
            if index > 0 {
                f.write_char('.')?;
            }
            match turn {
                Turn::Steps(thread, count) => write!(f, "{}{count}", Named(*thread))?,
                Turn::Commit(thread, number) => write!(f, "{}~{number}", Named(*thread))?,
            }
        }
        match &self.end {
            End::Step => {}
            End::Race(one, other) => write!(f, "!{},{}", Named(*one), Named(*other))?,
            End::Deadlock(thread, behind) => {
                write!(f, "!{}", Named(*thread))?;
                for (thread, count) in behind {
                    write!(f, ",{}{count}", Named(*thread))?;
                }
            }
        }
        if self.memory.is_weak() {
            write!(f, "/{}", self.memory.name())?;
        }
        let in_order =
            |(index, (thread, runs)): (usize, &(u32, bool))| *runs && *thread as usize == index + 1;
        let mut parts = Vec::new();
        if !self.threads.iter().enumerate().all(in_order) {
            let follows = |one: &(u32, bool), next: &(u32, bool)| {
                one.1 == next.1 && one.0.checked_add(1) == Some(next.0)
            };
            let run = |run: &[(u32, bool)]| match run[0] {
                (thread, true) => repeated(thread.to_string(), run.len()),
                (thread, false) => repeated(format!("-{thread}"), run.len()),
            };
            let runs = self.threads.chunk_by(follows);
            parts.push(format!("t{}", listed(runs, run)));
        }
        let inputs = self.inputs.iter().rposition(|value| *value != 0);
        if let Some(last) = inputs {
            let runs = self.inputs[..=last].chunk_by(|one, next| one == next);
            let run = |run: &[u128]| repeated(number(run[0]), run.len());
            parts.push(format!("i{}", listed(runs, run)));
        }
        if !self.unset.is_empty() {
            let one = |(read, bytes): &(usize, Vec<u8>)| {
                let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{read}={bytes}")
            };
            parts.push(format!("u{}", listed(&self.unset, one)));
        }
        if !self.bases.is_empty() {
            let one =
                |(object, base): &(usize, u64)| format!("{object}={}", number((*base).into()));
            parts.push(format!("p{}", listed(&self.bases, one)));
        }
        if !self.slots.is_empty() {
            let follows = |one: &u32, next: &u32| one.checked_add(1) == Some(*next);
            let run = |run: &[u32]| repeated(run[0].to_string(), run.len());
            parts.push(format!("n{}", listed(self.slots.chunk_by(follows), run)));
        }
        if !self.stops.is_empty() {
            let one = |(block, stops): &(usize, Vec<u64>)| {
                let stops: Vec<String> = stops.iter().map(|at| number((*at).into())).collect();
                format!("{block}={}", stops.join("+"))
            };
            parts.push(format!("s{}", listed(&self.stops, one)));
        }
        parts.extend(self.offset_bits.map(|bits| format!("o{bits}")));
        parts.extend(self.lost.map(|block| format!("l{block}")));
        parts.extend(self.needs_value.then(|| "v".to_string()));
        parts.iter().try_for_each(|part| write!(f, "/{part}"))
    }
}

impl FromStr for Tape {
    type Err = String;

    fn from_str(text: &str) -> Result<Tape, String> {
        let mut parts = text.trim().split('/');
        let first = parts.next().unwrap_or_default();
        let (check, moves) = match first.split_once(':') {
            None => (Check::Assert, first),
            Some((name, moves)) => {
                let check = Check::ALL.into_iter().find(|check| check.name() == name);
                (check.ok_or(format!("`{name}` is no check"))?, moves)
            }
        };
        let (moves, end) = match moves.split_once('!') {
            None => (moves, None),
            Some((moves, end)) => (moves, Some(end)),
        };
        let mut tape = Tape::new(check, MemoryModel::Sc);
        let moves = moves.split('.').filter(|_| !moves.is_empty());
        tape.moves = moves.map(turn).collect::<Result<_, _>>()?;
        tape.end = end.map_or(Ok(End::Step), |end| ending(check, end))?;
        for part in parts {
            tape.part(part)?;
        }
        if tape.moves.is_empty() {
            return Err("no thread moves".to_string());
        }
        Ok(tape)
    }
}

impl Tape {
    /// Reads a part behind the moves.
    fn part(&mut self, part: &str) -> Result<(), String> {
        let weak = [MemoryModel::Tso, MemoryModel::Pso];
        if let Some(memory) = weak.into_iter().find(|memory| memory.name() == part) {
            self.memory = memory;
            return Ok(());
        }
        let unknown = || format!("`{part}` is no part of a schedule");
        let kind = part.chars().next().ok_or_else(unknown)?;
        let rest = &part[kind.len_utf8()..];
        let values = || rest.split(',');
        match kind {
            'i' => {
                for text in values() {
                    let (value, count) = run(text)?;
                    self.inputs
                        .extend(std::iter::repeat_n(read::<u128>(value)?, count));
                }
            }
            'p' => {
                let one = |text: &str| {
                    let (object, base) = text.split_once('=').ok_or_else(unknown)?;
                    Ok((read(object)?, read(base)?))
                };
                self.bases = values().map(one).collect::<Result<_, String>>()?;
            }
            'n' => {
                for text in values() {
                    let (first, count) = run(text)?;
                    let first: u32 = read(first)?;
                    let last = first.checked_add(count as u32).ok_or_else(unknown)?;
                    self.slots.extend(first..last);
                }
            }
            't' => {
                for text in values() {
                    let (thread, count) = run(text)?;
                    let (first, runs): (u32, bool) = match thread.strip_prefix('-') {
                        Some(number) => (read(number)?, false),
                        None => (read(thread)?, true),
                    };
                    let last = first.checked_add(count as u32).ok_or_else(unknown)?;
                    self.threads
                        .extend((first..last).map(|thread| (thread, runs)));
                }
            }
            'u' => {
                let one = |text: &str| {
                    let (at, bytes) = text.split_once('=').ok_or_else(unknown)?;
                    Ok((read(at)?, hexadecimal(bytes).ok_or_else(unknown)?))
                };
                self.unset = values().map(one).collect::<Result<_, String>>()?;
                self.unset.sort_by_key(|(at, _)| *at);
            }
            's' => {
                let one = |text: &str| {
                    let (at, stops) = text.split_once('=').ok_or_else(unknown)?;
                    let stops = stops.split('+').map(read).collect::<Result<_, _>>()?;
                    Ok((read(at)?, stops))
                };
                self.stops = values().map(one).collect::<Result<_, String>>()?;
                self.stops.sort_by_key(|(at, _)| *at);
            }
            'o' => self.offset_bits = Some(read(rest)?),
            'l' => self.lost = Some(read(rest)?),
            'v' if rest.is_empty() => self.needs_value = true,
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

/// A thread, and what follows its letters.
fn thread(text: &str) -> Result<(ThreadId, &str), String> {
    let end = text
        .find(|c: char| !c.is_ascii_lowercase())
        .unwrap_or(text.len());
    let (letters, rest) = text.split_at(end);
    let wrong = || format!("`{text}` does not begin with a thread: m, a, b, …");
    if letters == "m" {
        return Ok((ThreadId(0), rest));
    }
    let mut number: u32 = 0;
    for letter in letters.bytes() {
        let digit = LETTERS
            .iter()
            .position(|known| *known == letter)
            .ok_or_else(wrong)?;
        let next = number.checked_mul(LETTERS.len() as u32);
        number = next
            .and_then(|next| next.checked_add(digit as u32 + 1))
            .ok_or_else(wrong)?;
    }
    if number == 0 {
        return Err(wrong());
    }
    Ok((ThreadId(number), rest))
}

fn turn(text: &str) -> Result<Turn, String> {
    let wrong = |_| {
        format!(
            "`{text}` is no turn, which is a thread and its steps (`m3`, `a5`), or the number of one of its stores (`a~0`)"
        )
    };
    let (thread, rest) = thread(text).map_err(wrong)?;
    Ok(match rest.strip_prefix('~') {
        Some(number) => Turn::Commit(thread, read(number).map_err(wrong)?),
        None => Turn::Steps(thread, read(rest).map_err(wrong)?),
    })
}

fn ending(check: Check, text: &str) -> Result<End, String> {
    let (first, rest) = thread(text)?;
    let mut others = rest.split(',').skip(1);
    Ok(match check {
        Check::Race => {
            let other = others.next().ok_or("a data race has two threads")?;
            End::Race(first, thread(other)?.0)
        }
        Check::Deadlock => {
            let one = |text: &str| {
                let (thread, count) = thread(text)?;
                Ok((thread, read(count)?))
            };
            End::Deadlock(first, others.map(one).collect::<Result<_, String>>()?)
        }
        _ => return Err(format!("`!{text}` is the end of a data race or a deadlock")),
    })
}

/// A number, decimal or hexadecimal.
fn read<T: TryFrom<u128>>(text: &str) -> Result<T, String> {
    let value = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let fitting = value.ok().and_then(|value| T::try_from(value).ok());
    fitting.ok_or_else(|| format!("`{text}` is no number that fits here"))
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| 16 * pair[0] + pair[1])
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Tape {
        let tape: Tape = text.parse().expect("a schedule");
        assert_eq!(tape.to_string(), text);
        tape
    }

    #[test]
    fn schedules_are_read_as_they_are_written() {
        let tape = same("m3.a5.b2.m1");
        assert_eq!(tape.check, Check::Assert);
        assert_eq!(tape.moves[1], Turn::Steps(ThreadId(1), 5));
        let tape = same(
            "memory:m12.a~1.aa40/pso/t2,1,-3*2/i0,3*2,0xffffffff/u2=00ff,5=01/p3=0x5000/n1*2,7/s0=1+0x1000/o33/l2/v",
        );
        assert_eq!(tape.moves[2], Turn::Steps(ThreadId(26), 40));
        assert_eq!(tape.memory, MemoryModel::Pso);
        assert_eq!(tape.threads, [(2, true), (1, true), (3, false), (4, false)]);
        assert_eq!(tape.inputs, [0, 3, 3, 0xffff_ffff]);
        assert_eq!(tape.unset, [(2, vec![0, 255]), (5, vec![1])]);
        assert_eq!(
            same("race:m2.a1!b,a").end,
            End::Race(ThreadId(2), ThreadId(1))
        );
        let blocked = same("deadlock:m2.a1!a,m0,a3").end;
        assert_eq!(
            blocked,
            End::Deadlock(ThreadId(1), vec![(ThreadId(0), 0), (ThreadId(1), 3)])
        );
    }

    #[test]
    fn every_thread_has_letters_of_its_own() {
        for number in 0..2000 {
            let letters = Named(ThreadId(number)).to_string();
            assert_eq!(thread(&letters), Ok((ThreadId(number), "")), "{letters}");
        }
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        let wrong = [
            "",
            "3",
            "m",
            "m3.",
            "m3..a1",
            "M3",
            "m-1",
            "m3!a",
            "race:m3!a",
            "nothing:m3",
            "m3/",
            "m3/x1",
            "m3/i",
            "m3/u1",
            "m3/u1=0",
            "m3/s1",
            "m3/v1",
            "m3/o99999999",
            "a~",
            "m3/i1*99999999",
            "m3/t1*",
            "m3/t4294967295*9",
            "m99999999999999999999999999999999999999999",
        ];
        for text in wrong {
            assert!(text.parse::<Tape>().is_err(), "{text}");
        }
    }
}
