//! The macros that a compiler predefines: GNU C 12 on Linux, in the chosen data model. An external preprocessor runs
//! with `-undef` and gets the same.

use crate::base::DataModel;
use crate::source::Options;

/// `NAME=VALUE` in both data models.
const COMMON: &[&str] = &[
    "__SELVEDGE__=1",
    "__GNUC__=12",
    "__GNUC_MINOR__=2",
    "__GNUC_PATCHLEVEL__=0",
    "__GNUC_STDC_INLINE__=1",
    "__linux__=1",
    "__linux=1",
    "linux=1",
    "__gnu_linux__=1",
    "__unix__=1",
    "__unix=1",
    "unix=1",
    "__ELF__=1",
    "_REENTRANT=1",
    "__CHAR_BIT__=8",
    "__SCHAR_MAX__=0x7f",
    "__SHRT_MAX__=0x7fff",
    "__INT_MAX__=0x7fffffff",
    "__LONG_LONG_MAX__=0x7fffffffffffffffLL",
    "__INTMAX_MAX__=__INT64_MAX__",
    "__WCHAR_MAX__=0x7fffffff",
    "__SIZEOF_SHORT__=2",
    "__SIZEOF_INT__=4",
    "__SIZEOF_LONG_LONG__=8",
    "__SIZEOF_FLOAT__=4",
    "__SIZEOF_DOUBLE__=8",
    "__SIZEOF_WCHAR_T__=4",
    "__SIZEOF_WINT_T__=4",
    "__ORDER_LITTLE_ENDIAN__=1234",
    "__ORDER_BIG_ENDIAN__=4321",
    "__ORDER_PDP_ENDIAN__=3412",
    "__BYTE_ORDER__=__ORDER_LITTLE_ENDIAN__",
    "__FLOAT_WORD_ORDER__=__ORDER_LITTLE_ENDIAN__",
    "__ATOMIC_RELAXED=0",
    "__ATOMIC_CONSUME=1",
    "__ATOMIC_ACQUIRE=2",
    "__ATOMIC_RELEASE=3",
    "__ATOMIC_ACQ_REL=4",
    "__ATOMIC_SEQ_CST=5",
    "__INT8_TYPE__=signed char",
    "__UINT8_TYPE__=unsigned char",
    "__INT16_TYPE__=short int",
    "__UINT16_TYPE__=short unsigned int",
    "__INT32_TYPE__=int",
    "__UINT32_TYPE__=unsigned int",
    "__WINT_TYPE__=unsigned int",
    "__CHAR16_TYPE__=short unsigned int",
    "__CHAR32_TYPE__=unsigned int",
    "__SIG_ATOMIC_TYPE__=int",
    "__VERSION__=\"12.2.0\"",
    "__USER_LABEL_PREFIX__=",
    "__BIGGEST_ALIGNMENT__=16",
    "__STDC_IEC_559__=1",
    "__STDC_ISO_10646__=201706L",
    "__SCHAR_WIDTH__=8",
    "__SHRT_WIDTH__=16",
    "__INT_WIDTH__=32",
    "__LONG_LONG_WIDTH__=64",
    "__INT8_MAX__=0x7f",
    "__INT16_MAX__=0x7fff",
    "__INT32_MAX__=0x7fffffff",
    "__UINT8_MAX__=0xff",
    "__UINT16_MAX__=0xffff",
    "__UINT32_MAX__=0xffffffffU",
    "__WCHAR_MIN__=(-__WCHAR_MAX__ - 1)",
    "__WINT_MAX__=0xffffffffU",
    "__WINT_MIN__=0U",
    "__SIG_ATOMIC_MAX__=0x7fffffff",
    "__SIG_ATOMIC_MIN__=(-__SIG_ATOMIC_MAX__ - 1)",
    "__INT_LEAST8_TYPE__=signed char",
    "__UINT_LEAST8_TYPE__=unsigned char",
    "__INT_LEAST16_TYPE__=short int",
    "__UINT_LEAST16_TYPE__=short unsigned int",
    "__INT_LEAST32_TYPE__=int",
    "__UINT_LEAST32_TYPE__=unsigned int",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_1=1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2=1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4=1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8=1",
    "__GCC_ATOMIC_CHAR16_T_LOCK_FREE=2",
    "__GCC_ATOMIC_CHAR32_T_LOCK_FREE=2",
    "__GCC_ATOMIC_WCHAR_T_LOCK_FREE=2",
    "__GCC_ATOMIC_TEST_AND_SET_TRUEVAL=1",
    "__FLT_RADIX__=2",
    "__FLT_EVAL_METHOD__=0",
    "__FLT_MANT_DIG__=24",
    "__FLT_DIG__=6",
    "__FLT_MAX__=3.40282346638528859811704183484516925e+38F",
    "__FLT_MIN__=1.17549435082228750796873653722224568e-38F",
    "__FLT_EPSILON__=1.19209289550781250000000000000000000e-7F",
    "__DBL_MANT_DIG__=53",
    "__DBL_DIG__=15",
    "__DBL_MAX__=((double)1.79769313486231570814527423731704357e+308L)",
    "__DBL_MIN__=((double)2.22507385850720138309023271733240406e-308L)",
    "__DBL_EPSILON__=((double)2.22044604925031308084726333618164062e-16L)",
    "__GCC_ATOMIC_BOOL_LOCK_FREE=2",
    "__GCC_ATOMIC_CHAR_LOCK_FREE=2",
    "__GCC_ATOMIC_SHORT_LOCK_FREE=2",
    "__GCC_ATOMIC_INT_LOCK_FREE=2",
    "__GCC_ATOMIC_LONG_LOCK_FREE=2",
    "__GCC_ATOMIC_LLONG_LOCK_FREE=2",
    "__GCC_ATOMIC_POINTER_LOCK_FREE=2",
];

/// `NAME=VALUE` for 32-bit `long` and pointers.
const ILP32: &[&str] = &[
    "__SELVEDGE_ILP32__=1",
    "__ILP32__=1",
    "_ILP32=1",
    "__i386__=1",
    "__i386=1",
    "i386=1",
    "__SIZEOF_LONG__=4",
    "__SIZEOF_POINTER__=4",
    "__SIZEOF_SIZE_T__=4",
    "__SIZEOF_PTRDIFF_T__=4",
    "__SIZEOF_LONG_DOUBLE__=12",
    "__LONG_MAX__=0x7fffffffL",
    "__SIZE_MAX__=0xffffffffU",
    "__PTRDIFF_MAX__=0x7fffffff",
    "__LONG_WIDTH__=32",
    "__PTRDIFF_WIDTH__=32",
    "__SIZE_WIDTH__=32",
    "__INT64_MAX__=0x7fffffffffffffffLL",
    "__UINT64_MAX__=0xffffffffffffffffULL",
    "__INTPTR_MAX__=0x7fffffff",
    "__UINTPTR_MAX__=0xffffffffU",
    "__INT64_C(c)=c ## LL",
    "__UINT64_C(c)=c ## ULL",
    "__INTMAX_C(c)=c ## LL",
    "__UINTMAX_C(c)=c ## ULL",
    "__UINTMAX_MAX__=0xffffffffffffffffULL",
    "__SIZE_TYPE__=unsigned int",
    "__PTRDIFF_TYPE__=int",
    "__INTPTR_TYPE__=int",
    "__UINTPTR_TYPE__=unsigned int",
    "__WCHAR_TYPE__=long int",
    "__INT64_TYPE__=long long int",
    "__UINT64_TYPE__=long long unsigned int",
    "__INTMAX_TYPE__=long long int",
    "__UINTMAX_TYPE__=long long unsigned int",
];

/// `NAME=VALUE` for 64-bit `long` and pointers.
const LP64: &[&str] = &[
    "__LP64__=1",
    "_LP64=1",
    "__x86_64__=1",
    "__x86_64=1",
    "__amd64__=1",
    "__SIZEOF_LONG__=8",
    "__SIZEOF_POINTER__=8",
    "__SIZEOF_SIZE_T__=8",
    "__SIZEOF_PTRDIFF_T__=8",
    "__SIZEOF_LONG_DOUBLE__=16",
    "__SIZEOF_INT128__=16",
    "__LONG_MAX__=0x7fffffffffffffffL",
    "__SIZE_MAX__=0xffffffffffffffffUL",
    "__PTRDIFF_MAX__=0x7fffffffffffffffL",
    "__LONG_WIDTH__=64",
    "__PTRDIFF_WIDTH__=64",
    "__SIZE_WIDTH__=64",
    "__INT64_MAX__=0x7fffffffffffffffL",
    "__UINT64_MAX__=0xffffffffffffffffUL",
    "__INTPTR_MAX__=0x7fffffffffffffffL",
    "__UINTPTR_MAX__=0xffffffffffffffffUL",
    "__INT64_C(c)=c ## L",
    "__UINT64_C(c)=c ## UL",
    "__INTMAX_C(c)=c ## L",
    "__UINTMAX_C(c)=c ## UL",
    "__UINTMAX_MAX__=0xffffffffffffffffUL",
    "__SIZE_TYPE__=unsigned long",
    "__PTRDIFF_TYPE__=long int",
    "__INTPTR_TYPE__=long int",
    "__UINTPTR_TYPE__=unsigned long",
    "__WCHAR_TYPE__=int",
    "__INT64_TYPE__=long int",
    "__UINT64_TYPE__=unsigned long",
    "__INTMAX_TYPE__=long int",
    "__UINTMAX_TYPE__=unsigned long",
];

/// Names and values of the macros of a data model.
fn all(model: DataModel) -> impl Iterator<Item = &'static str> {
    let of_model = match model {
        DataModel::Ilp32 => ILP32,
        DataModel::Lp64 => LP64,
    };
    COMMON.iter().chain(of_model).copied()
}

/// Names of GNU C that are no names of the implementation.
const GNU: [&str; 3] = ["linux=1", "unix=1", "i386=1"];

/// What flags of a compiler define besides.
fn chosen(options: &Options) -> Vec<String> {
    let dialect = [
        (options.dialect.unsigned_char, "__CHAR_UNSIGNED__=1"),
        (options.standard.strict, "__STRICT_ANSI__=1"),
    ];
    let set = dialect.into_iter().filter(|(is_set, _)| *is_set);
    set.map(|(_, define)| define.to_string()).collect()
}

/// The arguments that define the macros of a data model for an external preprocessor.
pub(super) fn macros(options: &Options) -> Vec<String> {
    let own = chosen(options);
    let is_left = |define: &&str| !options.standard.strict || !GNU.contains(define);
    let all = all(options.model).filter(is_left);
    let all = all.map(String::from).chain(own);
    all.map(|define| format!("-D{define}")).collect()
}

/// The macros of a data model as a text, with those that only the preprocessor itself may define; if names are given,
/// the macros with these names alone.
pub(super) fn text(options: &Options) -> String {
    let (model, names) = (options.model, options.predefined);
    let version = options.standard.version;
    let version = version.map(|version| format!("__STDC_VERSION__={version}"));
    let standard = [
        "__STDC__=1",
        "__STDC_HOSTED__=1",
        "__STDC_UTF_16__=1",
        "__STDC_UTF_32__=1",
    ];
    let is_wanted = |define: &&str| {
        let name = define.split_once('=').map_or(*define, |(name, _)| name);
        names.is_none_or(|names| names.contains(&name))
    };
    let own = chosen(options);
    let is_left = |define: &&str| !options.standard.strict || !GNU.contains(define);
    let all = all(model).filter(is_left).chain(standard);
    let own = own.iter().chain(&version).map(String::as_str);
    let all = all.filter(is_wanted).map(directive);
    all.chain(own.filter(is_wanted).map(directive)).collect()
}

/// Directives for `-D` and `-U`, as a text.
pub(super) fn command_line(defines: &[String], undefines: &[String]) -> String {
    let defines = defines.iter().map(|define| directive(define));
    let undefines = undefines
        .iter()
        .map(|name| format!("#undef {}\n", line(name)));
    defines.chain(undefines).collect()
}

/// `NAME=VALUE`, or `NAME` for `NAME=1`, as a directive.
fn directive(define: &str) -> String {
    match define.split_once('=') {
        Some((name, value)) => format!("#define {} {}\n", line(name), line(value)),
        None => format!("#define {} 1\n", line(define)),
    }
}

/// The first line of a text, which a directive may not exceed.
fn line(text: &str) -> &str {
    text.lines().next().unwrap_or("").trim_end_matches('\\')
}
