//! Running the external C preprocessor.
//!
//! It runs with `-undef -nostdinc`, our own predefined macros and our own headers, so that the text depends on
//! neither the machine nor its C library: the same program gives the same formula everywhere, and ILP32 needs no
//! 32-bit headers. A program that includes a header that we do not bundle is preprocessed again with the system's
//! headers behind ours.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::predefined;
use crate::source::{LoadError, Options, decode, headers};

/// The preprocessed bytes of a file.
pub(in super::super) fn run(
    path: &Path,
    cpp: &str,
    options: &Options,
) -> Result<Vec<u8>, LoadError> {
    let folder = headers::write().map_err(|error| LoadError::Headers(error.to_string()))?;
    let first = once(path, cpp, options, &folder, false)?;
    if first.status.success() {
        return Ok(first.stdout);
    }
    let missing_header = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stderr);
        text.contains("No such file")
            || text.contains("not found")
            || text.contains("no include path")
    };
    let failed = |output: Output| {
        LoadError::Preprocessor(path.to_path_buf(), decode::lossless(output.stderr))
    };
    if !missing_header(&first) {
        return Err(failed(first));
    }
    let second = once(path, cpp, options, &folder, true)?;
    if second.status.success() {
        Ok(second.stdout)
    } else {
        Err(failed(second))
    }
}

/// Runs the preprocessor once, with or without the system's headers after ours.
fn once(
    path: &Path,
    cpp: &str,
    options: &Options,
    folder: &TempDir,
    system: bool,
) -> Result<Output, LoadError> {
    let mut words = cpp.split_whitespace();
    let no_command = |why: &str| LoadError::NoPreprocessor(cpp.to_string(), why.to_string());
    let program = words
        .next()
        .ok_or_else(|| no_command("the command is empty"))?;
    let mut command = Command::new(program);
    command.args(words).arg("-undef");
    if !system {
        command.arg("-nostdinc");
    }
    command.args(predefined::macros(options));
    // Its own macros are those of this standard.
    command.arg("-U__STDC_VERSION__");
    if let Some(version) = options.standard.version {
        command.arg(format!("-D__STDC_VERSION__={version}"));
    }
    command.args(options.defines.iter().map(|define| format!("-D{define}")));
    command.args(options.undefines.iter().map(|name| format!("-U{name}")));
    for include in &options.quote_includes {
        command.arg("-iquote").arg(include);
    }
    for header in &options.forced {
        command.arg("-include").arg(header);
    }
    for include in &options.includes {
        command.arg("-I").arg(include);
    }
    if !options.bare {
        command.arg("-isystem").arg(folder.path().join("include"));
    }
    for include in &options.system_includes {
        command.arg("-isystem").arg(include);
    }
    // A file whose name starts with a dash is no option.
    let file = if path.is_absolute() || path.starts_with(".") {
        path.to_path_buf()
    } else if path.to_string_lossy().starts_with('-') {
        Path::new(".").join(path)
    } else {
        path.to_path_buf()
    };
    command.arg(file).stdin(Stdio::null());
    command
        .output()
        .map_err(|error| no_command(&error.to_string()))
}
