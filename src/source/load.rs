//! Reading a file: its bytes, preprocessed if need be.

use std::path::Path;

use super::preprocess::{self, Origins};
use super::read::{MAX_BYTES, bytes, checked, regular};
use super::{LoadError, Message, Options, decode};
use crate::base::WarningKind;

/// Result of reading a file.
pub(super) struct Loaded {
    /// The preprocessed text.
    pub text: String,
    /// Origins of the text in the user's files, if we preprocessed it; otherwise line markers in the text say so.
    pub origins: Option<Origins>,
    /// Warnings, each with its kind.
    pub warnings: Vec<(WarningKind, Message)>,
}

/// Standard input, as command lines call it.
const STANDARD_INPUT: &str = "-";

/// Name of a file as it is shown, beside which headers are.
pub(super) fn shown(path: &Path) -> &Path {
    if path == Path::new(STANDARD_INPUT) {
        Path::new("<stdin>")
    } else {
        path
    }
}

/// The preprocessed text of a file; a name that ends in `.i` says that it is preprocessed already.
pub(super) fn program(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    if options.cpp.is_some() {
        regular(path)?;
    }
    let named = path;
    let path = shown(named);
    let from = if path == named {
        path
    } else {
        Path::new("/dev/stdin")
    };
    let bytes = checked(path, bytes(from)?)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty(path.to_path_buf()));
    }
    let preprocessed = path.extension().is_some_and(|extension| extension == "i");
    if !preprocessed && options.cpp.is_none() {
        let text = decode::program(bytes) + options.appended.as_deref().unwrap_or_default();
        let made = preprocess::preprocess(path, text, options).map_err(LoadError::Invalid)?;
        return Ok(Loaded {
            text: made.text,
            origins: Some(made.origins),
            warnings: made.warnings,
        });
    }
    let bytes = match &options.cpp {
        Some(cpp) if !preprocessed => preprocess::external::run(path, cpp, options)?,
        _ => bytes,
    };
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge(path.to_path_buf()));
    }
    // Preprocessed text names its lines by markers.
    let appended = options.appended.as_ref();
    let appended = appended.map(|text| text.replace("\n#line ", "\n# "));
    Ok(Loaded {
        text: decode::program(bytes) + &appended.unwrap_or_default(),
        origins: None,
        warnings: Vec::new(),
    })
}
