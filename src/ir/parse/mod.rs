//! The program that a text is ([`print`](super::print) writes it), for tests of the stages: one line for each type, global,
//! register, block, instruction and terminator; `#` begins a comment.
//!
//! Places ([`Loc`]) are offsets into this text, so that every instruction has one of its own. Warnings are no part of it.
//! A program that was read is consistent ([`check`]): ids name something, and widths agree.

mod check;
mod cursor;
mod instr;
mod lex;
mod operand;
mod ty;

use super::{Block, Function, Global, InitPart, Instr, Origin, Program, Reg, RegInfo, Terminator};
use super::{BlockId, DataModel, FuncId};
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::base::{IdVec, Loc};
use cursor::Cursor;
use std::fmt::{self, Display, Formatter};

/// A text that is no program: the line, from 1, and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line.
    pub line: usize,
    /// The expectation that the text does not meet.
    pub message: String,
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

/// The program that is printed so.
///
/// # Errors
/// The first line that is wrong.
pub fn parse(text: &str) -> Result<Program, Error> {
    let at = |loc: Loc, message| {
        let before = text.get(..loc.0 as usize).unwrap_or(text);
        Error {
            line: before.matches('\n').count() + 1,
            message,
        }
    };
    let mut reader = Reader::default();
    let mut next = 0;
    for line in text.split_inclusive('\n') {
        let loc = Loc(next);
        next += line.len() as u32;
        let wrong = |message| at(loc, message);
        let mut cursor = Cursor::new(line).map_err(wrong)?;
        if !cursor.is_at_end() {
            reader.line(loc, &mut cursor).map_err(wrong)?;
            cursor.end().map_err(wrong)?;
        }
    }
    let program = reader.finish().map_err(|message| at(Loc(next), message))?;
    check::check(&program).map_err(|(loc, message)| at(loc, message))?;
    Ok(program)
}

/// A program, as far as it has been read.
struct Reader {
    program: Program,
    main: Option<FuncId>,
    /// The function whose end has not been read.
    open: Option<Open>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            program: Program {
                model: DataModel::Lp64,
                functions: IdVec::new(),
                globals: IdVec::new(),
                types: IdVec::new(),
                main: FuncId(0),
                warnings: Vec::new(),
                repeated: Default::default(),
                undeclared: Default::default(),
                external: Vec::new(),
                open_calls: Vec::new(),
                open: None,
                handles_signals: false,
                begins: None,
                malloc_may_fail: false,
                deadlocks: false,
                source: None,
            },
            main: None,
            open: None,
        }
    }
}

/// A function, as far as it has been read.
struct Open {
    function: Function,
    regs: SortedMap<Reg, RegInfo>,
    entry: Option<BlockId>,
    /// Instructions of a block whose terminator has not been read.
    block: Option<Vec<Instr>>,
}

impl Reader {
    fn line(&mut self, loc: Loc, line: &mut Cursor) -> Result<(), String> {
        if let Some(mut open) = self.open.take() {
            if line.eat("}") {
                self.program.functions.push(open.finish()?);
            } else {
                open.line(loc, line)?;
                self.open = Some(open);
            }
            return Ok(());
        }
        match line.word("a type, a global or a function")?.as_str() {
            "model" => {
                self.program.model = line.named("LP64 or ILP32", |name| {
                    let all = [DataModel::Lp64, DataModel::Ilp32];
                    all.into_iter().find(|model| model.name() == name)
                })?;
            }
            "type" => {
                next(line, 't', self.program.types.next_id())?;
                line.sign("=")?;
                self.program.types.push(ty::ty(line)?);
            }
            "global" => self.global(loc, line)?,
            "external" => self.program.external.push(line.text("a name")?),
            "undeclared" => {
                self.program.undeclared.insert(line.text("a name")?);
            }
            "function" => self.function(loc, line)?,
            "main" => {
                line.keyword("function")?;
                let id = self.program.functions.next_id();
                if self.main.replace(id).is_some() {
                    return Err("there is another main function".into());
                }
                self.function(loc, line)?;
            }
            other => {
                return Err(format!(
                    "expected a type, a global or a function, found `{other}`"
                ));
            }
        }
        Ok(())
    }

    fn global(&mut self, loc: Loc, line: &mut Cursor) -> Result<(), String> {
        let id = next(line, 'g', self.program.globals.next_id())?;
        let name = line.text("a name")?;
        line.sign(":")?;
        let ty = ty::id(line)?;
        line.sign(",")?;
        let size_bytes = line.number("a size")?;
        line.keyword("bytes")?;
        line.keyword("align")?;
        let align_bytes = line.number("an alignment")?;
        let thread_local = line.eat_word("thread_local");
        let read_only = line.eat_word("read_only");
        if line.eat_word("repeated") {
            self.program.repeated.insert(id);
        }
        let mut init = Vec::new();
        if line.eat("=") {
            line.sign("{")?;
            init = line.list("}", init_part)?;
        }
        self.program.globals.push(Global {
            name,
            ty,
            size_bytes,
            align_bytes,
            init,
            thread_local,
            read_only,
            loc,
        });
        Ok(())
    }

    fn function(&mut self, loc: Loc, line: &mut Cursor) -> Result<(), String> {
        next(line, 'f', self.program.functions.next_id())?;
        let name = line.text("a name")?;
        line.sign("(")?;
        let (mut regs, mut variadic) = (SortedMap::new(), false);
        let params = line.list(")", |line| {
            variadic = line.eat("...");
            if variadic {
                Ok(None)
            } else {
                declaration(line, &mut regs).map(Some)
            }
        })?;
        let ret_bits = if line.eat("->") {
            Some(line.number("a width")?)
        } else {
            None
        };
        let origin = if line.eat_word("model") {
            Origin::Model {
                synchronises: line.eat_word("synchronises"),
            }
        } else {
            Origin::Program
        };
        line.sign("{")?;
        self.open = Some(Open {
            function: Function {
                name,
                params: params.into_iter().flatten().collect(),
                ret_bits,
                variadic,
                regs: IdVec::new(),
                blocks: IdVec::new(),
                entry: BlockId(0),
                loc,
                origin,
            },
            regs,
            entry: None,
            block: None,
        });
        Ok(())
    }

    fn finish(self) -> Result<Program, String> {
        if self.open.is_some() {
            return Err("the last function has no end".into());
        }
        let main = self.main.ok_or("no function is the main one")?;
        Ok(Program {
            main,
            ..self.program
        })
    }
}

impl Open {
    fn line(&mut self, loc: Loc, line: &mut Cursor) -> Result<(), String> {
        if line.is_id('b') {
            return self.label(line);
        }
        let dst = if line.is_id('r') {
            Some(declaration(line, &mut self.regs)?)
        } else {
            None
        };
        if dst.is_some() && line.is_at_end() {
            return Ok(());
        }
        let Some(instrs) = &mut self.block else {
            return Err(line.expected("a block"));
        };
        if let Some(dst) = dst {
            line.sign("=")?;
            let kind = instr::with_result(line, dst)?;
            instrs.push(Instr { kind, loc });
        } else if let Some(end) = instr::terminator(line)? {
            self.close(end, loc);
        } else {
            let kind = instr::without_result(line)?;
            instrs.push(Instr { kind, loc });
        }
        Ok(())
    }

    fn label(&mut self, line: &mut Cursor) -> Result<(), String> {
        if self.block.is_some() {
            return Err("the block before this one has no end".into());
        }
        let id = next(line, 'b', self.function.blocks.next_id())?;
        line.sign(":")?;
        if line.eat_word("entry") && self.entry.replace(id).is_some() {
            return Err("there is another entry".into());
        }
        self.block = Some(Vec::new());
        Ok(())
    }

    fn close(&mut self, end: Terminator, end_loc: Loc) {
        self.function.blocks.push(Block {
            instrs: self.block.take().unwrap_or_default(),
            end,
            end_loc,
        });
    }

    fn finish(mut self) -> Result<Function, String> {
        if self.block.is_some() {
            return Err("the last block has no end".into());
        }
        for (id, info) in self.regs {
            if id != self.function.regs.next_id() {
                return Err(format!("r{} is missing", self.function.regs.next_id().0));
            }
            self.function.regs.push(info);
        }
        self.function.entry = self.entry.unwrap_or(BlockId(0));
        Ok(self.function)
    }
}

/// Reads an id, which is that of the next item of its kind.
fn next<I: Id>(line: &mut Cursor, letter: char, due: I) -> Result<I, String> {
    let what = format!("`{letter}{}`", due.index());
    if line.id(letter, &what)? as usize == due.index() {
        Ok(due)
    } else {
        Err(format!("expected {what}"))
    }
}

/// A register with its width, and maybe its name, which it may have had before.
fn declaration(line: &mut Cursor, regs: &mut SortedMap<Reg, RegInfo>) -> Result<Reg, String> {
    let (reg, info) = operand::register(line)?;
    match regs.get(&reg) {
        None => {
            regs.insert(reg, info);
        }
        Some(known) if (known.bits, known.reading) != (info.bits, info.reading) => {
            return Err(format!("r{} had another width or sign before", reg.0));
        }
        Some(_) => {}
    }
    Ok(reg)
}

fn init_part(line: &mut Cursor) -> Result<InitPart, String> {
    let offset_bytes = line.number("an offset")?;
    line.sign(":")?;
    let value = operand::operand(line)?;
    let bits = match value {
        super::Operand::Const { bits, .. } if !line.eat(":") => bits,
        super::Operand::Const { .. } => line.number("a width")?,
        _ => {
            line.sign(":")?;
            line.number("a width")?
        }
    };
    Ok(InitPart {
        offset_bytes,
        bits,
        value,
    })
}
