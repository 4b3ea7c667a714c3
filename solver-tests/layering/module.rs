//! The modules of one stage, and which of them use which: read from the text of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of a stage, without its tests.
pub(super) struct Module {
    /// Names from the stage on: `["ir", "lower", "body"]`.
    pub path: Vec<String>,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    tokens: Vec<String>,
    /// Items that are defined at the top of the file.
    defined: BTreeSet<String>,
    imports: Vec<Import>,
}

/// One name that a `use` brings into a file.
struct Import {
    path: Vec<String>,
    /// The name within the file; `*` for all names.
    name: String,
    /// Handed on to others: no use by itself.
    public: bool,
}

/// The modules of a stage; the first one is the stage itself.
pub(super) fn modules(stage: &Path) -> Vec<Module> {
    let mut found = Vec::new();
    let name = stage.file_name().unwrap().to_str().unwrap().to_string();
    load(&stage.join("mod.rs"), vec![name], None, &mut found);
    found
}

/// Reads a file and the modules that it declares; the number of its module.
fn load(file: &Path, path: Vec<String>, parent: Option<usize>, found: &mut Vec<Module>) -> usize {
    let tokens = without_tests(tokens(&fs::read_to_string(file).unwrap()));
    let (imports, tokens) = imports(tokens);
    let index = found.len();
    let declared: Vec<String> = tokens
        .windows(3)
        .filter(|w| w[0] == "mod" && w[2] == ";")
        .map(|w| w[1].clone())
        .collect();
    found.push(Module {
        path: path.clone(),
        parent,
        children: BTreeMap::new(),
        defined: defined(&tokens),
        tokens,
        imports,
    });
    let folder: PathBuf = if file.ends_with("mod.rs") {
        file.parent().unwrap().to_path_buf()
    } else {
        file.with_extension("")
    };
    for name in declared {
        let file = [format!("{name}.rs"), format!("{name}/mod.rs")]
            .into_iter()
            .map(|file| folder.join(file))
            .find(|file| file.is_file())
            .unwrap_or_else(|| panic!("the file of `{name}` in {}", folder.display()));
        let path = [path.clone(), vec![name.clone()]].concat();
        let child = load(&file, path, Some(index), found);
        found[index].children.insert(name, child);
    }
    index
}

/// Pairs of modules of which the first uses something that the second defines.
pub(super) fn edges(modules: &[Module]) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (index, module) in modules.iter().enumerate() {
        let used = module.imports.iter().filter(|import| {
            let named = |at: &[String]| {
                at[1] == import.name && !matches!(at[0].as_str(), "mod" | "." | "::")
            };
            !import.public || module.tokens.windows(2).any(named)
        });
        let imported = used.map(|import| import.path.clone());
        for path in imported.chain(paths(&module.tokens)) {
            if let Some(Target::Item(owner)) = resolve(modules, index, &path, 0)
                && owner != index
            {
                found.insert((index, owner));
            }
        }
    }
    found
}

/// Target of a path.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// An item of a module.
    Item(usize),
}

/// Number of re-exports that are followed at most.
const MOST_STEPS: usize = 16;

fn resolve(modules: &[Module], from: usize, path: &[String], steps: usize) -> Option<Target> {
    let stage = &modules[0].path[0];
    let (mut module, mut rest) = (from, path);
    match path.first()?.as_str() {
        "crate" if path.get(1) == Some(stage) => (module, rest) = (0, &path[2..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                module = modules[module].parent?;
                rest = &rest[1..];
            }
        }
        name if modules[from].children.contains_key(name) => {}
        name => {
            let import = modules[from]
                .imports
                .iter()
                .find(|import| import.name == name && import.path != path)?;
            if steps == MOST_STEPS {
                return None;
            }
            let whole = [&import.path, &path[1..]].concat();
            return resolve(modules, from, &whole, steps + 1);
        }
    }
    while let Some((name, behind)) = rest.split_first() {
        match modules[module].children.get(name) {
            Some(child) => (module, rest) = (*child, behind),
            None => return owner(modules, module, rest, steps),
        }
    }
    Some(Target::Module(module))
}

/// The module that defines what `path` names in a module that may only re-export it.
fn owner(modules: &[Module], module: usize, path: &[String], steps: usize) -> Option<Target> {
    let name = &path[0];
    if steps == MOST_STEPS || modules[module].defined.contains(name) {
        return Some(Target::Item(module));
    }
    let imports = &modules[module].imports;
    if let Some(import) = imports.iter().find(|import| import.name == *name) {
        let whole = [&import.path, &path[1..]].concat();
        return resolve(modules, module, &whole, steps + 1);
    }
    for import in imports.iter().filter(|import| import.name == "*") {
        if let Some(Target::Module(inner)) = resolve(modules, module, &import.path, steps + 1)
            && modules[inner].defined.contains(name)
        {
            return Some(Target::Item(inner));
        }
    }
    Some(Target::Item(module))
}

/// The words and signs of a text, without comments, texts and characters; `::` is one sign.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\n');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let start = i;
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if let Some(hashes) = raw_text(&chars, i) {
            let end: String = ['"'].into_iter().chain(vec!['#'; hashes]).collect();
            i += hashes + 2;
            while i < chars.len() && !end.chars().enumerate().all(|(k, e)| at(i + k) == e) {
                i += 1;
            }
            i += end.len();
        } else if is_word(c) {
            while i < chars.len() && is_word(chars[i]) {
                i += 1;
            }
            found.push(chars[start..i].iter().collect());
        } else if c == '"' {
            i += 1;
            while i < chars.len() && chars[i] != '"' {
                i += if chars[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < chars.len() && chars[i] != '\'' {
                i += 1;
            }
            i += 1;
        } else {
            let width = if c == ':' && at(i + 1) == ':' { 2 } else { 1 };
            i += width;
            if !c.is_whitespace() {
                found.push(chars[start..i].iter().collect());
            }
        }
    }
    found
}

/// The number of `#` of a raw text that starts here.
fn raw_text(chars: &[char], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map(|before| chars[before]);
    if chars[at] != 'r' || before.is_some_and(|c| c.is_alphanumeric() && c != 'b' || c == '_') {
        return None;
    }
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    (chars.get(at + 1 + hashes) == Some(&'"')).then_some(hashes)
}

/// Tokens without the items that are only for tests.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i..].len() >= MARK.len() && (0..MARK.len()).all(|k| tokens[i + k] == MARK[k]) {
            i = end_of_item(&tokens, i + MARK.len());
        } else {
            kept.push(tokens[i].clone());
            i += 1;
        }
    }
    kept
}

/// The token behind an item: behind its `;`, or behind the brace that closes it.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut open = 0;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => open += 1,
            "}" | ")" | "]" => open -= 1,
            _ => {}
        }
        if open == 0 && matches!(token.as_str(), ";" | "}") {
            return i + 1;
        }
    }
    tokens.len()
}

/// Takes the `use` declarations out of a text.
fn imports(tokens: Vec<String>) -> (Vec<Import>, Vec<String>) {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i] == "use" {
            let end = i + tokens[i..].iter().position(|t| t == ";").unwrap();
            let public = i > 0 && matches!(tokens[i - 1].as_str(), "pub" | ")");
            names_of(&tokens[i + 1..end], &[], public, &mut found);
            i = end + 1;
        } else {
            others.push(tokens[i].clone());
            i += 1;
        }
    }
    (found, others)
}

/// The names of a `use` tree behind a prefix.
fn names_of(tree: &[String], prefix: &[String], public: bool, found: &mut Vec<Import>) {
    let mut path = prefix.to_vec();
    let mut i = 0;
    while i < tree.len() {
        match tree[i].as_str() {
            "::" => {}
            "{" => {
                let mut start = i + 1;
                let mut open = 0;
                for (k, token) in tree.iter().enumerate().skip(i) {
                    match token.as_str() {
                        "{" => open += 1,
                        "}" => open -= 1,
                        _ => {}
                    }
                    let ends = open == 0 && token == "}" || open == 1 && token == ",";
                    if ends {
                        if start < k {
                            names_of(&tree[start..k], &path, public, found);
                        }
                        start = k + 1;
                    }
                }
                return;
            }
            "as" => {
                let name = tree[i + 1].clone();
                found.push(Import { path, name, public });
                return;
            }
            "*" => {
                let name = "*".to_string();
                found.push(Import { path, name, public });
                return;
            }
            "self" if !path.is_empty() => {}
            name => path.push(name.to_string()),
        }
        i += 1;
    }
    if let Some(name) = path.last().cloned() {
        found.push(Import { path, name, public });
    }
}

/// Names of the items at the top of a file; ids are declared by a macro.
fn defined(tokens: &[String]) -> BTreeSet<String> {
    const WORDS: [&str; 9] = [
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "const",
        "static",
        "union",
        "macro_rules",
    ];
    let mut found = BTreeSet::new();
    let mut open: Vec<bool> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => open.push(i >= 2 && tokens[i - 1] == "!" && tokens[i - 2] == "ids"),
            "}" => {
                open.pop();
            }
            ";" if open == [true] => {
                found.insert(tokens[i - 1].clone());
            }
            word if open.is_empty() && WORDS.contains(&word) => {
                let name = tokens[i + 1..].iter().find(|token| *token != "!");
                found.extend(name.cloned());
            }
            _ => {}
        }
    }
    found
}

/// Paths of more than one name in code.
fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let is_name = |token: &String| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    for i in 0..tokens.len() {
        let starts =
            is_name(&tokens[i]) && (i == 0 || !matches!(tokens[i - 1].as_str(), "::" | "in"));
        if !starts {
            continue;
        }
        let mut path = vec![tokens[i].clone()];
        let mut next = i + 1;
        while next + 1 < tokens.len() && tokens[next] == "::" && is_name(&tokens[next + 1]) {
            path.push(tokens[next + 1].clone());
            next += 2;
        }
        if path.len() > 1 {
            found.push(path);
        }
    }
    found
}
