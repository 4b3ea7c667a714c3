//! Functions that are known although a program does not declare them: those of the bundled headers, and the words by
//! which programs talk to a checker.

use super::headers;
pub(crate) use super::headers::distance;
use super::{DataModel, Options, Source};

/// A declaration of a function that is known.
pub struct KnownFunction {
    /// A text that declares it, with the types that it needs.
    pub source: Source,
    /// The header that it is from; `None` for a word of checkers.
    pub header: Option<&'static str>,
}

/// Words of checkers, with the parameters that each of them has.
const WORDS: [(&str, &str); 15] = [
    ("__CPROVER_assert", "_Bool, const char *"),
    ("__CPROVER_assume", "_Bool"),
    ("__CPROVER_atomic_begin", "void"),
    ("__CPROVER_atomic_end", "void"),
    ("__ESBMC_assert", "_Bool, const char *"),
    ("__ESBMC_assume", "_Bool"),
    ("__ESBMC_atomic_begin", "void"),
    ("__ESBMC_atomic_end", "void"),
    ("__VERIFIER_assert", "_Bool"),
    ("__VERIFIER_assume", "_Bool"),
    ("__VERIFIER_atomic_begin", "void"),
    ("__VERIFIER_atomic_end", "void"),
    ("klee_assert", "_Bool"),
    ("klee_assume", "_Bool"),
    ("klee_make_symbolic", "void *, __SIZE_TYPE__, const char *"),
];

/// Words of checkers of which programs have declarations of their own.
const OTHER_WORDS: [&str; 3] = ["reach_error", "__VERIFIER_error", "__VERIFIER_nondet_int"];

/// The declaration of a function, if it is known.
pub fn declaration(name: &str, model: DataModel) -> Option<KnownFunction> {
    if name == "assert" {
        // A macro, whose argument is a condition as that of `if` is.
        return Some(KnownFunction {
            source: Source::from_text("assert.h", "extern void assert(_Bool);\n"),
            header: Some("assert.h"),
        });
    }
    let header = headers::declaring(name);
    let text = match header {
        Some(header) => format!("#include <{header}>\n"),
        None => word(name)?,
    };
    let options = Options {
        model,
        defines: vec!["__STDC_WANT_LIB_EXT1__=1".to_string()],
        ..Options::default()
    };
    Some(KnownFunction {
        source: Source::preprocessed("known.h", text, &options).ok()?,
        header,
    })
}

/// A function that is known by its name.
pub struct Name {
    /// The header that declares it; `None` for a word of checkers.
    pub header: Option<&'static str>,
    pub name: &'static str,
    /// The header has its body as well.
    pub has_body: bool,
}

/// All functions that are known, those of the headers first. Of `__VERIFIER_nondet_` and its kin, of which there is one for each type,
/// one stands for all.
pub fn functions() -> impl Iterator<Item = Name> {
    let of_headers = headers::declarations().map(|(header, name, has_body)| Name {
        header: Some(header),
        name,
        has_body,
    });
    let words = WORDS.iter().map(|(name, _)| *name);
    let words = words.chain(OTHER_WORDS).map(|name| Name {
        header: None,
        name,
        has_body: false,
    });
    of_headers.chain(words)
}

/// A declaration of a word of checkers.
fn word(name: &str) -> Option<String> {
    if let Some((_, params)) = WORDS.iter().find(|(word, _)| *word == name) {
        return Some(format!("extern void {name}({params});\n"));
    }
    // CBMC takes a function for one of these by its first letters; what nothing is known of returns `int`.
    if let Some(kind) = name.strip_prefix("nondet_") {
        let ty = nondet(kind).unwrap_or("int");
        return Some(format!("extern {ty} {name}(void);\n"));
    }
    match name.strip_prefix("__VERIFIER_nondet_")? {
        "memory" => Some(format!("extern void {name}(void *, __SIZE_TYPE__);\n")),
        kind => Some(format!("extern {} {name}(void);\n", nondet(kind)?)),
    }
}

/// The bundled header that declares a type.
pub fn header_of_type(name: &str) -> Option<&'static str> {
    headers::naming(name)
}

/// The bundled header that defines a macro.
pub fn header_of_macro(name: &str) -> Option<&'static str> {
    headers::defining(name)
}

/// The type of the values that `__VERIFIER_nondet_` or `nondet_` with this ending gives.
fn nondet(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "schar" | "s8" | "S8" | "int8_t" => "signed char",
        "uchar" | "unsigned_char" | "u8" | "U8" | "uint8_t" => "unsigned char",
        "short" | "s16" | "S16" | "int16_t" => "short",
        "ushort" | "unsigned_short" | "u16" | "U16" | "uint16_t" => "unsigned short",
        "int" | "s32" | "S32" | "int32_t" => "int",
        "uint" | "unsigned" | "unsigned_int" | "u32" | "U32" | "uint32_t" => "unsigned",
        "long" | "ptrdiff_t" | "intptr_t" | "ssize_t" | "long_int" => "long",
        "ulong" | "unsigned_long" | "pthread_t" | "sector_t" | "uintptr_t" => "unsigned long",
        "size_t" => "__SIZE_TYPE__",
        "longlong" | "long_long" | "loff_t" | "s64" | "S64" | "int64_t" => "long long",
        "ulonglong" | "unsigned_long_long" | "unsigned_longlong" | "u64" | "U64" | "uint64_t" => {
            "unsigned long long"
        }
        "int128" => "__int128",
        "uint128" => "unsigned __int128",
        "float" => "float",
        "double" => "double",
        "pointer" | "ptr" => "void *",
        "pchar" | "charp" => "char *",
        "const_char_pointer" => "const char *",
        _ => return None,
    })
}

/// The name of a known function, or of one of `others`, that looks most like this one.
pub fn nearest<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    let most = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=10 => 2,
        _ => 3,
    };
    let words = WORDS.iter().map(|(word, _)| *word);
    let more = OTHER_WORDS.into_iter().chain(["assert"]);
    let known = headers::functions().chain(words).chain(more);
    known
        .map(|known: &str| -> &'a str { known })
        .chain(others)
        .filter(|other| *other != name && other.len().abs_diff(name.len()) <= most)
        .map(|other| (headers::distance(name, other), other))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, other)| other.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_declared() {
        for (name, header) in [
            ("assert", Some("assert.h")),
            ("malloc", Some("stdlib.h")),
            ("labs", Some("stdlib.h")),
            ("pthread_create", Some("pthread.h")),
            ("__CPROVER_assert", None),
            ("__VERIFIER_nondet_ulong", None),
            ("nondet_0", None),
        ] {
            let known = declaration(name, DataModel::Lp64).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(known.header, header, "{name}");
            assert!(known.source.text.contains(&format!("{name}(")), "{name}");
        }
        for name in [
            "asert",
            "size_t",
            "start",
            "__VERIFIER_nondet_itn",
            "object",
        ] {
            assert!(declaration(name, DataModel::Lp64).is_none(), "{name}");
        }
    }

    #[test]
    fn the_nearest_name() {
        let near = |name| nearest(name, ["worker", "f"].into_iter());
        assert_eq!(near("asert").as_deref(), Some("assert"));
        assert_eq!(near("pthread_craete").as_deref(), Some("pthread_create"));
        assert_eq!(
            near("__VERIFIER_asume").as_deref(),
            Some("__VERIFIER_assume")
        );
        assert_eq!(near("wroker").as_deref(), Some("worker"));
        assert_eq!(near("g"), None);
        assert_eq!(near("frobnicate_the_device"), None);
    }
}
