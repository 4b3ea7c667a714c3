//! What `__has_builtin`, `__has_attribute` and `__has_c_attribute` say: what is read here with its meaning, and nothing else, so
//! that a program that asks takes a way that can be verified.

/// Attributes of GNU C that are understood, or that change nothing, without underscores around them.
const ATTRIBUTES: [&str; 36] = [
    "alias",
    "aligned",
    "alloc_size",
    "always_inline",
    "assume_aligned",
    "cleanup",
    "cold",
    "const",
    "constructor",
    "deprecated",
    "destructor",
    "fallthrough",
    "flatten",
    "format",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "mode",
    "noclone",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "packed",
    "pure",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "transparent_union",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "optimize",
];

/// Attributes of C23, and what asking for them gives.
const STANDARD: [(&str, &str); 6] = [
    ("deprecated", "201904L"),
    ("fallthrough", "201904L"),
    ("maybe_unused", "201904L"),
    ("nodiscard", "202003L"),
    ("noreturn", "202202L"),
    ("_Noreturn", "202202L"),
];

/// Functions whose names begin with `__builtin_`.
const BUILTINS: [&str; 98] = [
    "__clear_cache",
    "abort",
    "abs",
    "add_overflow",
    "add_overflow_p",
    "alloca",
    "alloca_with_align",
    "assume",
    "assume_aligned",
    "bitreverse16",
    "bitreverse32",
    "bitreverse64",
    "bitreverse8",
    "bswap128",
    "bswap16",
    "bswap32",
    "bswap64",
    "calloc",
    "choose_expr",
    "constant_p",
    "copysign",
    "dynamic_object_size",
    "exit",
    "expect",
    "expect_with_probability",
    "fabs",
    "fpclassify",
    "free",
    "huge_val",
    "huge_valf",
    "huge_vall",
    "ia32_pause",
    "inf",
    "inff",
    "infl",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "labs",
    "llabs",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "mul_overflow",
    "mul_overflow_p",
    "nan",
    "nanf",
    "nanl",
    "object_size",
    "offsetof",
    "prefetch",
    "printf",
    "puts",
    "realloc",
    "rotateleft16",
    "rotateleft32",
    "rotateleft64",
    "rotateleft8",
    "rotateright16",
    "rotateright32",
    "rotateright64",
    "rotateright8",
    "signbit",
    "snprintf",
    "speculation_safe_value",
    "sprintf",
    "sqrt",
    "stpcpy",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strlen",
    "strncat",
    "strncmp",
    "strncpy",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "sub_overflow",
    "sub_overflow_p",
    "trap",
    "types_compatible_p",
    "unpredictable",
    "unreachable",
];

/// Names of several functions: what stands in the middle of the names, between its beginnings and its endings.
struct Family {
    beginnings: &'static [&'static str],
    middles: &'static [&'static str],
    endings: &'static [&'static str],
}

/// Operations of `fetch` functions.
const OPERATIONS: &[&str] = &["add", "sub", "and", "or", "xor", "nand"];

/// Functions in families.
const FAMILIES: [Family; 10] = [
    Family {
        beginnings: &["__builtin_"],
        middles: &["popcount", "parity", "clz", "ctz", "ffs", "clrsb"],
        endings: &["", "l", "ll"],
    },
    Family {
        beginnings: &["__builtin_s", "__builtin_u"],
        middles: &["add", "sub", "mul"],
        endings: &["_overflow", "l_overflow", "ll_overflow"],
    },
    Family {
        beginnings: &["__builtin_va_"],
        middles: &["start", "end", "copy", "arg"],
        endings: &[""],
    },
    Family {
        beginnings: &["__atomic_"],
        middles: &["load", "store", "exchange", "compare_exchange"],
        endings: &["", "_n"],
    },
    Family {
        beginnings: &["__atomic_fetch_"],
        middles: OPERATIONS,
        endings: &[""],
    },
    Family {
        beginnings: &["__atomic_"],
        middles: OPERATIONS,
        endings: &["_fetch"],
    },
    Family {
        beginnings: &["__atomic_"],
        middles: &[
            "test_and_set",
            "clear",
            "thread_fence",
            "signal_fence",
            "always_lock_free",
            "is_lock_free",
        ],
        endings: &[""],
    },
    Family {
        beginnings: &["__sync_fetch_and_"],
        middles: OPERATIONS,
        endings: &[""],
    },
    Family {
        beginnings: &["__sync_"],
        middles: OPERATIONS,
        endings: &["_and_fetch"],
    },
    Family {
        beginnings: &["__sync_"],
        middles: &[
            "synchronize",
            "bool_compare_and_swap",
            "val_compare_and_swap",
            "lock_test_and_set",
            "lock_release",
        ],
        endings: &[""],
    },
];

impl Family {
    fn has(&self, name: &str) -> bool {
        let mut rests = self.beginnings.iter().filter_map(|b| name.strip_prefix(b));
        rests.any(|rest| {
            let mut middles = self.endings.iter().filter_map(|e| rest.strip_suffix(e));
            middles.any(|middle| self.middles.contains(&middle))
        })
    }
}

/// Built-in functions: true if there is one of this name.
pub(super) fn builtin(name: &str) -> bool {
    name.strip_prefix("__builtin_")
        .is_some_and(|name| BUILTINS.contains(&name))
        || FAMILIES.iter().any(|family| family.has(name))
}

/// The name without the underscores around it.
fn bare(name: &str) -> &str {
    name.strip_prefix("__")
        .and_then(|name| name.strip_suffix("__"))
        .unwrap_or(name)
}

/// Attributes of GNU C: true if this one is understood.
pub(super) fn attribute(name: &str) -> bool {
    ATTRIBUTES.contains(&bare(name))
}

/// The value of `__has_c_attribute`, of an attribute and the tokens before its name, `gnu ::` among them.
pub(super) fn c_attribute(before: &[&str], name: &str) -> &'static str {
    match before {
        [] => {
            let known = STANDARD.iter().find(|(known, _)| *known == bare(name));
            known.map_or("0", |(_, value)| value)
        }
        ["gnu" | "__gnu__", ..] if attribute(name) => "1",
        _ => "0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole() {
        for name in [
            "__builtin_popcountll",
            "__builtin_usubl_overflow",
            "__builtin_expect",
            "__atomic_compare_exchange",
            "__atomic_nand_fetch",
            "__sync_fetch_and_or",
        ] {
            assert!(builtin(name), "{name}");
        }
        for name in [
            "expect",
            "__builtin_shufflevector",
            "__builtin_frame_address",
            "__builtin_popcountlll",
            "__atomic_fetch_mul",
            "__atomic_clear_n",
        ] {
            assert!(!builtin(name), "{name}");
        }
        assert!(attribute("__packed__") && attribute("packed") && !attribute("vector_size"));
        assert_eq!(c_attribute(&[], "__nodiscard__"), "202003L");
        assert_eq!(c_attribute(&["gnu", ":", ":"], "aligned"), "1");
        assert_eq!(c_attribute(&["clang", ":", ":"], "aligned"), "0");
    }
}
