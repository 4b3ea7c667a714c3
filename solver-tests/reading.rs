//! Files are read and parsed, or refused with one clear message.

use crate::tier::{corpus, skipped};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use selvedge::source::task::{PropertyFile, Task};
use selvedge::source::{DataModel, LoadError, Options, Source, render};
use selvedge::syntax;

/// Preprocesses and parses; an error is what the user would see.
fn read(path: &Path, options: &Options) -> Result<(), String> {
    let source = Source::load(path, options).map_err(|error| error.to_string())?;
    syntax::parse(&source)
        .map(drop)
        .map_err(|diagnostic| render(&source, &diagnostic))
}

/// A file in a folder that lives as long as the returned guard.
fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

/// Names of the bundled headers in a folder of theirs, without `.h`.
fn headers(folder: &Path, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match name.strip_suffix(".h") {
            Some(stem) => names.push(format!("{prefix}{stem}")),
            None => names.extend(headers(&entry.path(), &format!("{prefix}{name}/"))),
        }
    }
    names.sort();
    names
}

#[test]
fn every_bundled_header_in_both_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/source/include");
    let headers = headers(&folder, "");
    assert!(headers.len() > 50 && headers.contains(&"sys/time".to_string()));
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Options {
            model,
            ..Options::default()
        };
        let each = headers
            .iter()
            .map(|header| format!("#include <{header}.h>\nint x;\n"));
        let all: String = headers
            .iter()
            .map(|header| format!("#include <{header}.h>\n"))
            .collect();
        for text in each.chain([all + "int x;\n"]) {
            let (_folder, path) = file("a.c", text.as_bytes());
            read(&path, &options).unwrap_or_else(|error| panic!("{text}{error}"));
        }
    }
}

/// Headers that are not bundled include others that are, and rely on what those of the GNU C library define beside what the
/// standards say.
#[test]
fn headers_of_the_system_beside_ours() {
    let system = ["/usr/include", "/usr/include/x86_64-linux-gnu"];
    if !Path::new(system[0]).join("features.h").exists() {
        skipped(
            "headers of the system",
            "there are none of the GNU C library",
        );
        return;
    }
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Options {
            model,
            system_includes: system.map(PathBuf::from).to_vec(),
            ..Options::default()
        };
        let names = [
            "argp.h",
            "argz.h",
            "fnmatch.h",
            "glob.h",
            "grp.h",
            "obstack.h",
            "pwd.h",
            "regex.h",
            "search.h",
            "spawn.h",
            "sys/inotify.h",
            "sys/ipc.h",
            "sys/sem.h",
            "sys/shm.h",
            "sys/statvfs.h",
            "sys/times.h",
            "termios.h",
            "utime.h",
            "wordexp.h",
        ];
        for name in names {
            if !system
                .iter()
                .any(|folder| Path::new(folder).join(name).exists())
            {
                continue;
            }
            let text =
                format!("#include <stdio.h>\n#include <time.h>\n#include <{name}>\nint x;\n");
            let (_folder, path) = file("a.c", text.as_bytes());
            read(&path, &options).unwrap_or_else(|error| panic!("{text}{error}"));
        }
    }
}

#[test]
fn the_data_model_sizes_types() {
    let text = b"#include <stdint.h>\nint a[sizeof(long) == __SIZEOF_LONG__ ? 1 : -1]; long max = INTPTR_MAX;\n";
    let (_folder, path) = file("a.c", text);
    let text = |model| {
        Source::load(
            &path,
            &Options {
                model,
                ..Options::default()
            },
        )
        .unwrap()
        .text
    };
    assert!(text(DataModel::Ilp32).contains("max = 0x7fffffff;"));
    assert!(text(DataModel::Lp64).contains("max = 0x7fffffffffffffffL;"));
}

#[test]
fn options_reach_the_preprocessor() {
    let (folder, path) = file(
        "a.c",
        b"#include \"own.h\"\n#include <there.h>\nint a = VALUE;\n",
    );
    fs::write(folder.path().join("own.h"), "int own;\n").unwrap();
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(folder.path().join("more/there.h"), "int there;\n").unwrap();
    let options = Options {
        defines: vec!["VALUE=7".to_string()],
        includes: vec![folder.path().join("more")],
        ..Options::default()
    };
    read(&path, &options).unwrap();
}

#[test]
fn headers_that_are_not_bundled_come_from_the_system_if_that_is_wanted() {
    let (_folder, path) = file(
        "a.c",
        b"#include <pthread.h>\n#include <fnmatch.h>\nint x = FNM_NOMATCH; pthread_t t;\n",
    );
    if !Path::new("/usr/include/fnmatch.h").exists() {
        skipped("headers of the system", "there are none");
        return;
    }
    let told = read(&path, &Options::default()).unwrap_err();
    assert!(
        told.contains("there is no header `fnmatch.h`") && told.contains("--cpp"),
        "{told}"
    );
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Options {
            cpp: Some("cc -E".to_string()),
            model,
            ..Options::default()
        };
        read(&path, &options).unwrap();
    }
}

#[test]
fn broken_files() {
    let options = Options::default();
    let check = |name: &str, content: &[u8], message: &str| {
        let (_folder, path) = file(name, content);
        let error = read(&path, &options).unwrap_err();
        assert!(error.contains(message), "{name}: {error}");
    };
    check("a.c", b"", "the file is empty");
    check("a.i", b" \n\t", "the file is empty");
    check("a.c", b"int x;\0", "zero byte at offset 6");
    check("a.c", b"#include <nowhere_at_all.h>\n", "nowhere_at_all.h");
    check("a.c", b"#error no\n", "a.c:1:1: error: #error no");
    check(
        "a.i",
        b"int x = ;\n",
        "a.i:1:9: error: expected an expression before `;`",
    );
    check("a.i", b"/* nothing */\n", "the program is empty");
    let missing = Source::load(Path::new("no/such/file.c"), &options).unwrap_err();
    assert!(matches!(missing, LoadError::Missing(_)));
    let folder = Source::load(Path::new("src"), &options).unwrap_err();
    assert!(matches!(folder, LoadError::Directory(_)));
    let (_folder, path) = file("a.c", b"int x;\n");
    let no_command = Options {
        cpp: Some("no-such-preprocessor -E".to_string()),
        ..Options::default()
    };
    assert!(read(&path, &no_command).unwrap_err().contains("--cpp"));
}

#[test]
fn garbage_is_refused_quickly() {
    // Ten megabytes from a linear congruential generator, without zero bytes.
    let mut state = 1u64;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 56) as u8).max(1)
    })
    .take(10 << 20)
    .collect();
    let (_folder, path) = file("a.i", &garbage);
    let start = std::time::Instant::now();
    let error = read(&path, &Options::default()).unwrap_err();
    assert!(error.len() < 2000, "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn latin_1_in_strings_and_comments() {
    let (_folder, path) = file("a.c", b"/* \xe9 */\nchar s[] = \"\xe9\"; // \xe9\n");
    let source = Source::load(&path, &Options::default()).unwrap();
    assert!(source.text.contains("\"\\351\""));
    syntax::parse(&source).unwrap();
}

/// Files with one of the extensions under a folder, sorted by path.
pub fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, extensions, found);
        } else if extensions.iter().any(|wanted| {
            path.extension()
                .is_some_and(|extension| extension == *wanted)
        }) {
            found.push(path);
        }
    }
}

#[test]
fn verification_tasks_are_parsed() {
    let Some(corpus) = corpus("verification tasks are parsed") else {
        return;
    };
    let mut programs = Vec::new();
    files(&corpus, &["c", "i"], &mut programs);
    assert!(programs.len() > 100, "{} has no programs", corpus.display());
    let options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    // Every tenth, so that the test stays quick.
    for path in programs.iter().step_by(10) {
        read(path, &options).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn task_and_property_files_are_read() {
    let Some(corpus) = corpus("task and property files are read") else {
        return;
    };
    let (mut tasks, mut properties) = (Vec::new(), Vec::new());
    files(&corpus, &["yml"], &mut tasks);
    files(&corpus, &["prp"], &mut properties);
    for path in tasks {
        let task = Task::load(&path).unwrap();
        assert!(
            task.input_files.iter().all(|file| file.exists()),
            "{task:?}"
        );
        assert!(
            !task.properties.is_empty() && task.data_model.is_some(),
            "{task:?}"
        );
    }
    for path in properties {
        PropertyFile::load(&path).unwrap_or_else(|error| panic!("{error}"));
    }
}
