//! Dask: jobs as tasks of a cluster, by a bridge in Python that talks with its scheduler. The workers have to see the folder of the plan.

use super::child::{Engine, Kind, start};
use super::work::{SubmitError, Work};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The bridge; its exit codes are at its top.
const BRIDGE: &str = include_str!("bridge.py");

const DASK: Kind = Kind {
    name: "the bridge to Dask",
    hint: "--submit dask needs Python 3 with the package distributed ($PYTHON names it if it is not python3)",
    refuses: &[3, 4],
};

/// Starts the bridge to the scheduler that has this address.
pub(super) fn submit(work: &Work, address: &str) -> Result<Engine, SubmitError> {
    work.write("py", BRIDGE)?;
    let mut command = Command::new(python());
    command.arg(work.name("py")).arg(address);
    start(&DASK, command, work)
}

/// The Python that is to run it: a name on the path, or a file, which is not relative to the plan.
fn python() -> OsString {
    let given = std::env::var_os("PYTHON").filter(|name| !name.is_empty());
    let given = given.unwrap_or_else(|| "python3".into());
    let is_file = Path::new(&given).components().count() > 1;
    match std::path::absolute(&given) {
        Ok(path) if is_file => path.into(),
        _ => given,
    }
}
