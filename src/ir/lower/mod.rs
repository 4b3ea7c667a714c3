//! From the AST of `lang_c` to a [`Program`](crate::ir::Program): types, conversions, initialisers and control flow of C11 with
//! the GNU extensions that real programs use, once and for all later stages.
//!
//! * Operands are evaluated from left to right, the left side of an assignment before the right one,
//!   arguments in order; each C access of memory is one load or store. C leaves most of that open; a program
//!   whose meaning depends on it has none.
//! * A scalar local whose address is never taken is a named register; everything else lives in memory, in
//!   an object that is allocated where it is declared.
//! * A record is passed by the address of a copy that the callee owns, and returned through an address that
//!   comes as a first, hidden argument.
//! * Expressions fold while they are lowered; there is no second evaluator for constant expressions.
//!
//! The recursion follows the nesting of the source, so callers run this on a thread whose stack suits
//! the deepest input they accept.

mod address_taken;
mod agree;
mod asm;
mod assign;
mod assignable;
mod atomic;
mod attribute;
mod body;
mod builtin;
mod call;
mod callee;
mod choice;
mod classify;
mod condition;
mod consistent;
mod constant;
mod convert;
mod ctype;
mod declaration;
mod definite;
mod draft;
mod entry;
mod expression;
mod float;
mod fold;
mod function;
mod global;
mod indeterminate;
mod initialise;
mod initializer;
mod label;
mod link;
mod linkage;
mod literal;
mod lvalue;
mod meaning;
#[cfg(test)]
mod messages;
mod missing;
mod operator;
mod overflow;
mod permute;
mod place;
mod record;
mod recover;
mod redeclare;
mod sequence;
mod simplify;
mod size;
mod specifier;
mod spell;
mod statement;
mod survey;
#[cfg(test)]
mod test;
mod undeclared;
mod unit;
mod variadic;

pub use linkage::Unit;
pub use meaning::{Entry, Meaning};
pub use unit::lower;

use super::ty::{Type, TypeId, Types};
use super::{Check, DataModel, FuncId, Function, GlobalId, InitPart, Reg};
use crate::base::sorted::SortedSet;
use crate::base::{Diagnostic, IdVec, Loc, Warning, WarningKind};
use body::Body;
use ctype::{CType, IntKind, RecordId, Records};
use hashbrown::{HashMap, HashSet};
use lang_c::span::Span;
use linkage::{Current, Linkage, Names};
use lvalue::LValue;
use rustc_hash::FxBuildHasher;
use survey::Survey;

type Res<T> = Result<T, Diagnostic>;
type Map<K, V> = HashMap<K, V, FxBuildHasher>;
type Set<K> = HashSet<K, FxBuildHasher>;

/// Meaning of an identifier.
#[derive(Clone, Debug)]
enum Symbol {
    Typedef(CType),
    /// An enumeration constant.
    Constant {
        value: u128,
        ty: CType,
    },
    Local(LValue),
    /// Index into [`Lowerer::globals`].
    Global(usize),
    /// Index into [`Lowerer::functions`].
    Function(usize),
}

/// Meaning of a tag.
#[derive(Clone, Debug)]
enum Tag {
    Record(RecordId),
    Enum(CType),
}

/// One scope of identifiers and tags.
#[derive(Default)]
struct Scope {
    names: Map<String, Symbol>,
    tags: Map<String, Tag>,
    /// Values and types of the integers that are `constexpr`, by the names of their objects.
    fixed: Map<String, (u128, CType)>,
    /// Places of the first declarations.
    places: Map<String, Loc>,
    /// Objects that are declared `register`.
    registers: Set<String>,
}

/// A function that has been declared or called.
struct FunctionDraft {
    name: String,
    ty: CType,
    /// True if the unit defines it.
    defined: bool,
    linkage: Linkage,
    /// True if the unit declares it, or it is known without.
    declared: bool,
    /// True if a declaration says that it does not return.
    never_returns: bool,
    id: Option<FuncId>,
    body: Option<Function>,
    /// The register that stands for the result that is missing where control falls off the end, and that place.
    falls_off: Option<(Reg, Loc)>,
    /// Errors in its body.
    failures: Vec<Diagnostic>,
    loc: Loc,
}

/// A static object while the unit is read.
pub(super) struct GlobalDraft {
    pub name: String,
    pub ty: CType,
    /// Given when it is defined or used.
    pub id: Option<GlobalId>,
    /// True if the unit defines it, tentatively or not.
    pub defined: bool,
    pub linkage: Linkage,
    pub init: Vec<InitPart>,
    /// Bytes that the initialiser needs (a flexible array member may exceed the type).
    pub init_bytes: u64,
    pub thread_local: bool,
    pub read_only: bool,
    pub loc: Loc,
}

/// The state of lowering.
struct Lowerer {
    model: DataModel,
    unit: Current,
    survey: Survey,
    records: Records,
    types: Types,
    interned: Map<Type, TypeId>,
    interned_records: Map<RecordId, TypeId>,
    scopes: Vec<Scope>,
    globals: Vec<GlobalDraft>,
    /// Meanings of names with external linkage.
    linked: Names,
    /// Draft of each global, as an index into `globals`.
    global_ids: IdVec<GlobalId, usize>,
    functions: Vec<FunctionDraft>,
    function_ids: IdVec<FuncId, usize>,
    /// Objects of string literals by their content, and where the literals are.
    strings: Map<Vec<u8>, (usize, SortedSet<usize>)>,
    meaning: Meaning,
    /// Calls through pointers whose callees are to be checked.
    pointer_calls: callee::PointerCalls,
    warnings: Vec<Warning>,
    diagnostics: Vec<Diagnostic>,
    /// Declarations that do not go with the one that each notes.
    conflicts: Vec<Diagnostic>,
    /// Names that a `typedef` gives records, for those that have no other.
    record_names: Map<RecordId, String>,
    body: Body,
    /// Functions that run before and after `main`, with their priorities.
    constructors: Vec<(u32, usize)>,
    destructors: Vec<(u32, usize)>,
    /// Names that an error has left without a meaning: nothing more is said of them.
    poisoned: Set<String>,
    /// Index of the operand that `_Generic` or `__builtin_choose_expr` chooses, by its place (start, end).
    choices: Map<(usize, usize), usize>,
    /// Number of constant expressions that are being evaluated around this place.
    constant_depth: u32,
    /// Within the parameter list of a declaration that is no definition.
    in_prototype: bool,
    /// The address of the next lvalue is taken.
    addressed: bool,
    /// Something is accessed through the next value.
    accessed: bool,
    /// The value that is read is not used, or only to access what it points to.
    discards: bool,
    /// Where the pointer arithmetic that is being lowered leads is the business of an access.
    unbounded: bool,
    /// Within the declarators of a typedef.
    in_typedef: bool,
}

impl Lowerer {
    fn new(model: DataModel, survey: Survey) -> Lowerer {
        Lowerer {
            model,
            unit: Current::default(),
            survey,
            records: IdVec::new(),
            types: IdVec::new(),
            interned: Map::default(),
            interned_records: Map::default(),
            scopes: vec![Scope::default()],
            globals: Vec::new(),
            linked: Names::default(),
            global_ids: IdVec::new(),
            functions: Vec::new(),
            function_ids: IdVec::new(),
            strings: Map::default(),
            meaning: Meaning::default(),
            pointer_calls: Default::default(),
            warnings: Vec::new(),
            diagnostics: Vec::new(),
            conflicts: Vec::new(),
            record_names: Map::default(),
            body: Body::new(String::new(), CType::void()),
            constructors: Vec::new(),
            destructors: Vec::new(),
            poisoned: Set::default(),
            choices: Map::default(),
            constant_depth: 0,
            in_prototype: false,
            addressed: false,
            accessed: false,
            discards: false,
            unbounded: false,
            in_typedef: false,
        }
    }

    /// The position of a node of the unit that is being read.
    fn loc(&self, span: Span) -> Loc {
        self.place(span.start)
    }

    /// The position of a place of that unit's text.
    fn place(&self, offset: usize) -> Loc {
        let offset = u32::try_from(offset).ok();
        let offset = offset.and_then(|offset| offset.checked_add(self.unit.start));
        offset.map_or(Loc::NONE, Loc)
    }

    fn error<T>(&self, span: Span, message: impl Into<String>) -> Res<T> {
        Err(Diagnostic::new(self.loc(span), message))
    }

    /// A warning at the current position.
    fn warn(&mut self, kind: WarningKind, message: impl Into<String>) {
        self.warn_at(self.body.loc, kind, message);
    }

    fn warn_at(&mut self, loc: Loc, kind: WarningKind, message: impl Into<String>) {
        let message = message.into();
        self.warnings.push(Warning { loc, kind, message });
    }

    /// Undefined behaviour that costs instructions is asked for, of code that is evaluated.
    fn checks_undefined(&self) -> bool {
        self.meaning.checks.contains(Check::Undefined) && self.constant_depth == 0
    }

    /// Plain `char` in this unit.
    fn plain_char(&self) -> IntKind {
        if self.unit.dialect.unsigned_char {
            IntKind::UnsignedChar
        } else {
            IntKind::Char
        }
    }

    fn pointer_bits(&self) -> u16 {
        self.model.pointer_bits()
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
    }

    fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name))
    }

    fn declare(&mut self, name: &str, symbol: Symbol) {
        let scope = self
            .scopes
            .last_mut()
            .expect("the file scope is always open");
        scope.names.insert(name.to_string(), symbol);
        scope.fixed.remove(name);
        scope.registers.remove(name);
    }

    /// The value and type of an object that is a constant (C23 6.7.2).
    fn fixed(&self, name: &str) -> Option<&(u128, CType)> {
        let mut scopes = self.scopes.iter().rev();
        let scope = scopes.find(|scope| scope.names.contains_key(name))?;
        scope.fixed.get(name)
    }

    /// True if a name is an object that is declared `register`.
    fn is_register(&self, name: &str) -> bool {
        let mut scopes = self.scopes.iter().rev();
        let scope = scopes.find(|scope| scope.names.contains_key(name));
        scope.is_some_and(|scope| scope.registers.contains(name))
    }

    fn declare_tag(&mut self, name: &str, tag: Tag) {
        let scope = self
            .scopes
            .last_mut()
            .expect("the file scope is always open");
        scope.tags.insert(name.to_string(), tag);
    }

    /// Runs `f` with the current position at a node.
    fn at<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.loc(span);
        let end = self.place(span.end);
        let saved = std::mem::replace(&mut self.body.loc, here);
        let behind = std::mem::replace(&mut self.body.end, end);
        let result = f(self);
        self.body.loc = saved;
        self.body.end = behind;
        result
    }
}
