//! The bundled headers: what concurrent programs include, written from the C and POSIX standards and sized by
//! the data model's macro (`__SELVEDGE_ILP32__`).

use std::io;

use tempfile::TempDir;

macro_rules! bundled {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("include/", $name)))),*]
    };
}

/// Name and text of every header.
const HEADERS: [(&str, &str); 86] = bundled![
    "alloca.h",
    "arpa/inet.h",
    "assert.h",
    "byteswap.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "emmintrin.h",
    "endian.h",
    "err.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "ftw.h",
    "getopt.h",
    "gnu/libc-version.h",
    "gnu/stubs.h",
    "immintrin.h",
    "inttypes.h",
    "iso646.h",
    "libgen.h",
    "limits.h",
    "linux/futex.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stdckdint.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/cdefs.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/prctl.h",
    "sys/queue.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/signalfd.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syscall.h",
    "syslog.h",
    "termios.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "x86intrin.h",
    "xmmintrin.h",
];

/// Writes the headers to a temporary folder, below `include/`. That of the GNU C library which lists the functions that it
/// lacks is among them, since there is none of it for a data model that is not installed.
pub(super) fn write() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("selvedge-").tempdir()?;
    for (name, text) in HEADERS {
        let path = folder.path().join("include").join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(folder)
}

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let found = HEADERS
        .binary_search_by(|(other, _)| other.cmp(&name))
        .ok()?;
    Some(HEADERS[found].1)
}

/// Headers whose names look like this one's.
pub(super) fn near(name: &str) -> Vec<&'static str> {
    let stem = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        last.trim_end_matches(".h").to_ascii_lowercase()
    };
    let wanted = stem(name);
    let is_near = |other: &str| {
        let other = stem(other);
        other == wanted || wanted.len() > 3 && distance(&other, &wanted) <= 1
    };
    HEADERS
        .iter()
        .map(|(other, _)| *other)
        .filter(|other| is_near(other))
        .collect()
}

/// The header that declares a function.
pub(super) fn declaring(function: &str) -> Option<&'static str> {
    let mut headers = HEADERS.iter();
    let found = headers.find(|(_, text)| declared(text).any(|name| name == function));
    found.map(|(header, _)| *header)
}

/// The functions that the headers declare.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    let declared = HEADERS.iter().flat_map(|(_, text)| declared(text));
    declared.filter(|name| !name.starts_with("__"))
}

/// The functions that the headers declare: the header, the name, and whether the header has the body.
pub(super) fn declarations() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    HEADERS.iter().flat_map(|(header, text)| {
        let defined = move |name: &str| {
            let start = format!(" {name}(");
            let mut lines = text.lines().filter(|line| line.starts_with(INLINE));
            lines.any(|line| line.contains(&start))
        };
        let names = declared(text).filter(|name| !name.starts_with("__"));
        names.map(move |name| (*header, name, defined(name)))
    })
}

/// Beginning of a definition in a header.
const INLINE: &str = "static inline ";

/// The functions that a header declares, each on a line of its own.
fn declared(text: &'static str) -> impl Iterator<Item = &'static str> {
    let starts = ["extern ", INLINE];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.lines()
        .filter(move |line| starts.iter().any(|start| line.starts_with(start)))
        .filter_map(move |line: &'static str| {
            let before = &line[..line.find('(')?];
            let start = before.rfind(|c| !is_part(c))? + 1;
            (start < before.len()).then(|| &before[start..])
        })
}

/// Headers that most programs include, before the others.
fn usual() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    const FIRST: [&str; 6] = [
        "stddef.h",
        "stdint.h",
        "stdbool.h",
        "limits.h",
        "stdlib.h",
        "stdio.h",
    ];
    let is_first = |name: &str| FIRST.contains(&name);
    let first = HEADERS.iter().filter(move |(name, _)| is_first(name));
    first.chain(HEADERS.iter().filter(move |(name, _)| !is_first(name)))
}

/// The header that declares a type name.
pub(super) fn naming(name: &str) -> Option<&'static str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = |line: &str| {
        let starts = line.starts_with("typedef ") || line.starts_with("} ");
        let last = line.rsplit(|c| !is_word(c)).find(|word| !word.is_empty());
        starts && last == Some(name)
    };
    let (header, _) = usual().find(|(_, text)| text.lines().any(names))?;
    // Some names are in a header that other ones bring.
    let is_of_threads = name.starts_with("pthread_") && *header == "sys/types.h";
    Some(if is_of_threads { "pthread.h" } else { header })
}

/// The header that defines a macro.
pub(super) fn defining(name: &str) -> Option<&'static str> {
    let defines = |line: &str| {
        let rest = line.trim_start().strip_prefix('#');
        let rest = rest.and_then(|rest| rest.trim_start().strip_prefix("define "));
        rest.and_then(|rest| rest.split([' ', '(']).next()) == Some(name)
    };
    let found = usual().find(|(_, text)| text.lines().any(defines));
    found.map(|(header, _)| *header)
}

/// Edit distance (Levenshtein): number of letters that must be put in, left out or changed.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != *y))
                .min(above + 1)
                .min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_by_name() {
        assert!(HEADERS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(text("pthread.h").is_some() && text("sys/types.h").is_some());
        assert!(text("pthread").is_none());
        assert_eq!(near("thread.h"), ["pthread.h", "threads.h"]);
        assert_eq!(near("bits/types.h"), ["sys/types.h"]);
        assert_eq!(near("windows.h"), [""; 0]);
        assert_eq!(naming("uint32_t"), Some("stdint.h"));
        assert_eq!(naming("pthread_mutex_t"), Some("pthread.h"));
        assert_eq!(naming("mutex"), None);
        assert_eq!(defining("NULL"), Some("stddef.h"));
        assert_eq!(defining("INT_MAX"), Some("limits.h"));
        assert_eq!(defining("INT_MOST"), None);
    }
}
