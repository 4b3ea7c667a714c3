//! Translation units, and what several of them know of one object or function; `link.rs` says what linkage is.

use crate::base::Loc;
use crate::source::{Dialect, Source};
use hashbrown::{HashMap, HashSet};
use lang_c::ast::TranslationUnit;
use rustc_hash::FxBuildHasher;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;
type Set<K> = HashSet<K, FxBuildHasher>;

/// A translation unit of a program.
#[derive(Clone, Copy)]
pub struct Unit<'u> {
    /// Its syntax tree.
    pub tree: &'u TranslationUnit,
    /// The file, for names that several units have.
    pub name: &'u str,
    /// The dialect that it is written in.
    pub dialect: Dialect,
    /// Start of its text among those of all units.
    pub start: Loc,
    /// Its text, if it is known.
    pub text: Option<&'u Source>,
}

impl<'u> Unit<'u> {
    /// The only unit of a program.
    pub fn alone(tree: &'u TranslationUnit) -> Unit<'u> {
        Unit {
            tree,
            name: "",
            dialect: Dialect::default(),
            start: Loc(0),
            text: None,
        }
    }
}

/// True for a place in a header that is not the user's.
pub(super) fn is_system(units: &[Unit], loc: Loc) -> bool {
    let mut before = units.iter().rev();
    let unit = before.find(|unit| unit.start <= loc);
    let text = unit.and_then(|unit| Some((unit.text?, unit.start)));
    text.is_some_and(|(text, start)| loc != Loc::NONE && text.is_system(Loc(loc.0 - start.0)))
}

/// The unit that is being read.
#[derive(Default)]
pub(super) struct Current {
    pub number: usize,
    pub name: String,
    pub dialect: Dialect,
    pub start: u32,
    /// Names that are the unit's own.
    pub internal: Set<String>,
    /// Functions whose definition here is an inline definition.
    pub inline: Set<String>,
    /// Assembler names, by the names that are declared with them.
    pub labels: Map<String, String>,
    /// Functions and objects that the unit defines.
    pub defined: Set<String>,
    /// Meanings of these names.
    pub names: Names,
    /// First declarations of names in the file: `static` or not, and where.
    pub first: Map<String, (bool, Loc)>,
}

/// Meanings of names with linkage: functions and objects by their indices.
#[derive(Default)]
pub(super) struct Names {
    pub functions: Map<String, usize>,
    pub objects: Map<String, usize>,
}

/// Strength of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    Inline,
    Weak,
    Strong,
}

/// Linkage of one object or function: what several units know of it.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// The unit that alone knows it.
    pub own: Option<String>,
    /// The first declaration, with its unit.
    pub declared: Option<(usize, Loc)>,
    /// A declaration says that there may be no definition.
    pub weak: bool,
    /// The definition that counts so far; of an object, one with an initialiser.
    pub defined: Option<(Strength, Loc)>,
}

impl Current {
    /// The name by which other units know one.
    pub fn key<'n>(&'n self, name: &'n str) -> &'n str {
        self.labels.get(name).map_or(name, String::as_str)
    }

    /// The unit's name if a name is its own.
    pub fn owner(&self, name: &str) -> Option<String> {
        self.internal.contains(name).then(|| self.name.clone())
    }
}
