//! Flags of C compilers, as they stand behind `--` and in `compile_commands.json`: those that say how a file is to be read mean that
//! here, and those that say what becomes of it, or what is told of it, mean nothing.

use crate::base::DataModel;
use crate::session::{Flags, Standard};
use std::path::{Path, PathBuf};

/// Flags that take a value, which may be the next word, and mean nothing here.
const IDLE_WITH_VALUE: [&str; 22] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-l",
    "-L",
    "-T",
    "-u",
    "-z",
    "-B",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-arch",
    "-isysroot",
    "--sysroot",
    "-target",
    "--param",
    "-aux-info",
    "-dumpdir",
];

/// Beginnings of flags that mean nothing here: of warnings, of optimisation and code, of debug information, of linking.
const IDLE: [&str; 22] = [
    "-W",
    "-w",
    "-O",
    "-g",
    "-f",
    "-m",
    "-M",
    "-pedantic",
    "-pipe",
    "-pthread",
    "-c",
    "-S",
    "-E",
    "-v",
    "-shared",
    "-static",
    "-rdynamic",
    "-no-pie",
    "-pie",
    "-P",
    "-fPIC",
    "--target=",
];

/// Flags that change what a program means in a way that is not modelled.
const REFUSED: [(&str, &str); 8] = [
    ("-fpack-struct", "it changes layouts"),
    ("-fshort-wchar", "it changes the type wchar_t"),
    (
        "-mx32",
        "pointers of 32 bits with 64-bit registers are not modelled",
    ),
    ("-m16", "16-bit code is not modelled"),
    ("-fms-extensions", "it makes another language of C"),
    ("-fplan9-extensions", "it makes another language of C"),
    ("-traditional", "it makes another language of C"),
    ("-fopenmp", "OpenMP is not modelled"),
];

/// The flags of some words. Paths are in `folder`.
///
/// # Errors
/// A flag that is not known, or means something that is not modelled.
pub fn parse(words: &[String], folder: &Path) -> Result<Flags, String> {
    let mut flags = Flags::default();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut value = |flag: &str| -> Option<Result<String, String>> {
            let rest = word.strip_prefix(flag)?;
            if !rest.is_empty() {
                return Some(Ok(rest.to_string()));
            }
            let next = words.next().map(String::from);
            Some(next.ok_or_else(|| format!("compiler flag {flag}: a value is missing")))
        };
        let path = |text: Result<String, String>| text.map(|text| folder.join(text));
        // Longer names first: `-isystem` begins as `-i…` flags do.
        if let Some(text) = value("-isystem").or_else(|| value("-idirafter")) {
            flags.system_includes.push(path(text)?);
        } else if let Some(text) = value("-iquote") {
            flags.quote_includes.push(path(text)?);
        } else if let Some(text) = value("-include") {
            let text = text?;
            let beside = folder.join(&text);
            let found = beside.exists().then_some(beside);
            flags.forced.push(found.unwrap_or(PathBuf::from(text)));
        } else if let Some(text) = value("-D") {
            let text = text?;
            let name = text
                .split(['=', '('])
                .next()
                .unwrap_or_default()
                .to_string();
            flags.undefines.retain(|other| *other != name);
            flags.defines.push(text);
        } else if let Some(text) = value("-U") {
            let text = text?;
            let is_other = |define: &String| define.split(['=', '(']).next() != Some(text.as_str());
            flags.defines.retain(is_other);
            flags.undefines.push(text);
        } else if let Some(text) = value("-I") {
            flags.includes.push(path(text)?);
        } else if let Some(text) = value("-x") {
            let language = text?;
            if !["c", "cpp-output", "none", "c-header"].contains(&language.as_str()) {
                return Err(format!("compiler flag -x {language}: this is no C"));
            }
        } else if let Some(name) = word.strip_prefix("-std=") {
            flags.standard = standard(name)?;
        } else if let Some(known) = exact(word, &mut flags) {
            known?;
        } else if let Some((flag, why)) = REFUSED.iter().find(|(flag, _)| word.starts_with(flag)) {
            return Err(format!("compiler flag {flag}: {why}"));
        } else if IDLE_WITH_VALUE.contains(&word) {
            if words.next().is_none() {
                return Err(format!("compiler flag {word}: a value is missing"));
            }
        } else if !IDLE.iter().any(|idle| word.starts_with(idle))
            && !IDLE_WITH_VALUE.iter().any(|idle| word.starts_with(idle))
        {
            return Err(format!("compiler flag {word}: it is not known here"));
        }
    }
    Ok(flags)
}

/// Flags that are one word and mean something.
fn exact(word: &str, flags: &mut Flags) -> Option<Result<(), String>> {
    match word {
        "-m32" => flags.model = Some(DataModel::Ilp32),
        "-m64" => flags.model = Some(DataModel::Lp64),
        "-nostdinc" => flags.bare = true,
        "-funsigned-char" | "-fno-signed-char" => flags.dialect.unsigned_char = true,
        "-fsigned-char" | "-fno-unsigned-char" => flags.dialect.unsigned_char = false,
        "-fshort-enums" => flags.dialect.short_enums = true,
        "-fno-short-enums" => flags.dialect.short_enums = false,
        "-fno-pack-struct" | "-fno-short-wchar" | "-fno-openmp" => {}
        "-ansi" => return Some(standard("c90").map(|found| flags.standard = found)),
        "-O1" | "-O2" | "-O3" | "-Os" | "-Oz" | "-Og" | "-O" | "-Ofast" => {
            flags.defines.push("__OPTIMIZE__".to_string());
        }
        _ => return None,
    }
    Some(Ok(()))
}

/// The standard of a name.
fn standard(name: &str) -> Result<Standard, String> {
    let strict = !name.starts_with("gnu");
    let year = name
        .trim_start_matches("gnu")
        .trim_start_matches("iso9899:");
    let version = match year.trim_start_matches('c') {
        "89" | "90" | "1990" => None,
        "199409" => Some("199409L"),
        "99" | "9x" | "1999" | "199x" => Some("199901L"),
        "11" | "1x" | "2011" => Some("201112L"),
        "17" | "18" | "2017" | "2018" => Some("201710L"),
        "23" | "2x" | "2023" | "2024" => Some("202311L"),
        _ => {
            return Err(format!(
                "compiler flag -std={name}: this is no standard of C"
            ));
        }
    };
    Ok(Standard { version, strict })
}

/// The data model of all files; `None` if no flag names one.
///
/// # Errors
/// Flags of several files name several.
pub fn model<'f>(all: impl Iterator<Item = &'f Flags>) -> Result<Option<DataModel>, String> {
    let mut models: Vec<DataModel> = Vec::new();
    let mut some_named = false;
    for flags in all {
        some_named |= flags.model.is_some();
        let model = flags.model.unwrap_or(DataModel::Lp64);
        if !models.contains(&model) {
            models.push(model);
        }
    }
    match models[..] {
        [_, _, ..] => Err("some files are compiled with -m32 and some with -m64".to_string()),
        [model] if some_named => Ok(Some(model)),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Flags, String> {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        parse(&words, Path::new("/p"))
    }

    #[test]
    fn flags_that_mean_something() {
        let flags = of("-DA -D B=2 -UA -Iinc -I /abs -isystem sys -iquote q -std=gnu11 -m32 -nostdinc -funsigned-char -fshort-enums")
            .expect("all are known");
        assert_eq!(flags.defines, ["B=2"]);
        assert_eq!(flags.undefines, ["A"]);
        assert_eq!(
            flags.includes,
            [PathBuf::from("/p/inc"), PathBuf::from("/abs")]
        );
        assert_eq!(flags.system_includes, [PathBuf::from("/p/sys")]);
        assert_eq!(flags.quote_includes, [PathBuf::from("/p/q")]);
        assert_eq!(flags.standard.version, Some("201112L"));
        assert!(!flags.standard.strict && flags.bare);
        assert!(flags.dialect.unsigned_char && flags.dialect.short_enums);
        assert_eq!(flags.model, Some(DataModel::Ilp32));
    }

    #[test]
    fn flags_that_mean_nothing() {
        let flags = of("-Wall -Wextra -Werror=format -g3 -fPIC -fno-strict-aliasing -march=native -c -o x.o -MD -MF x.d -pthread -lm -L/lib")
            .expect("all are known");
        assert_eq!(flags, Flags::default());
    }

    #[test]
    fn flags_that_are_refused() {
        for (text, told) in [
            ("-fpack-struct=2", "layouts"),
            ("-std=c++17", "no standard of C"),
            ("-x c++", "no C"),
            ("-I", "missing"),
            ("-o", "missing"),
            ("--frobnicate", "not known"),
            ("file.c", "not known"),
        ] {
            let error = of(text).expect_err(text);
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn models_of_files() {
        let [small, large] = ["-m32", "-m64"].map(|text| of(text).expect("it is known"));
        let none = Flags::default();
        assert_eq!(model([&none].into_iter()), Ok(None));
        assert_eq!(
            model([&small, &small].into_iter()),
            Ok(Some(DataModel::Ilp32))
        );
        assert_eq!(
            model([&large, &none].into_iter()),
            Ok(Some(DataModel::Lp64))
        );
        assert!(model([&small, &none].into_iter()).is_err());
    }
}
