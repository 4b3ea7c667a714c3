//! Native reproduction of a finding, see [`crate::native`].

use super::{Options, Session};
use crate::ir::Check;
use crate::native::{self, Reproduction};
use crate::outcome::Finding;
use std::path::Path;

impl Session {
    /// The user's program with the schedule of a finding enforced, for a compiler.
    ///
    /// # Errors
    /// The reason why the execution cannot be reproduced.
    pub fn reproduce(&self, finding: &Finding, options: &Options) -> Result<Reproduction, String> {
        if options.harness.said().is_some() {
            return Err("execution does not begin with the program's own `main`".to_string());
        }
        let program = match (&self.waiting, Check::of(finding.property)) {
            (Some(waiting), Check::Deadlock) => waiting,
            _ => &self.program,
        };
        let flags = |file: &Path| compiler_flags(options, file);
        native::reproduce(program, &self.source, &finding.trace, &flags)
    }
}

/// Flags of a compiler that read a file as it was read here.
fn compiler_flags(options: &Options, file: &Path) -> Vec<String> {
    let options = options.source(file);
    let absolute = |path: &Path| {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        path.display().to_string()
    };
    let mut flags = Vec::new();
    flags.extend(options.defines.iter().map(|define| format!("-D{define}")));
    flags.extend(options.undefines.iter().map(|name| format!("-U{name}")));
    for (option, folders) in [
        ("-iquote", &options.quote_includes),
        ("-I", &options.includes),
        ("-isystem", &options.system_includes),
    ] {
        flags.extend(
            folders
                .iter()
                .map(|folder| option.to_string() + &absolute(folder)),
        );
    }
    for header in &options.forced {
        flags.extend(["-include".to_string(), absolute(Path::new(header))]);
    }
    flags
}
