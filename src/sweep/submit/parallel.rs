//! GNU parallel: jobs on this machine, or by SSH on hosts that see the folder of the plan.

use super::child::{Engine, Kind, start};
use super::work::{SubmitError, Work};
use std::process::Command;

const PARALLEL: Kind = Kind {
    name: "GNU parallel",
    hint: "--submit parallel needs GNU parallel (in Debian, parallel)",
    // It did not work at all; smaller numbers count jobs that failed.
    refuses: &[255],
};

/// Starts it, on hosts that are named as for its `--sshlogin`.
pub(super) fn submit(work: &Work, hosts: Option<&str>) -> Result<Engine, SubmitError> {
    let mut command = Command::new("parallel");
    // The line below is for this shell, whichever its user has.
    command.env("PARALLEL_SHELL", "/bin/sh");
    if let Some(hosts) = hosts {
        command.args(["--sshlogin", hosts, "--workdir"]);
        command.arg(&work.folder);
    }
    if let Some(most) = work.at_a_time {
        command.args(["--jobs", &most.to_string()]);
    }
    command.args(["--joblog", &work.name("joblog")]);
    command.arg("./selvedge job . {} >>logs/{}.log 2>&1");
    start(&PARALLEL, command, work)
}
