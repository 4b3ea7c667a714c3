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
const HEADERS: [(&str, &str); 26] = bundled![
    "alloca.h",
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "inttypes.h",
    "limits.h",
    "malloc.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "threads.h",
    "time.h",
    "unistd.h",
];

/// Writes the headers to a temporary folder: `include/` with ours, and `system/` with what the system's headers
/// need to be read for a data model that is not installed.
pub(super) fn write() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("selvedge-").tempdir()?;
    std::fs::create_dir_all(folder.path().join("include/sys"))?;
    for (name, text) in HEADERS {
        std::fs::write(folder.path().join("include").join(name), text)?;
    }
    // The GNU C library lists the functions it lacks here, in a file per data model.
    std::fs::create_dir_all(folder.path().join("system/gnu"))?;
    std::fs::write(folder.path().join("system/gnu/stubs.h"), "")?;
    Ok(folder)
}
