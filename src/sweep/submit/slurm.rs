//! Slurm: jobs as arrays of `sbatch`.
//!
//! The index of a task in its array is the line of a list on which the number of its job stands, so that any jobs can be an array, and one
//! that is larger than the cluster takes (`MaxArraySize`) is cut. Which partition, account, time or memory, the user says as everywhere
//! in Slurm, by variables of the environment (`SBATCH_PARTITION`, …).

use super::work::{SubmitError, Work, printed};
use std::process::Command;

const HINT: &str = "--submit slurm needs the programs of Slurm (in Debian, slurm-client)";
/// Most tasks of an array where the cluster does not say.
const MOST: usize = 1001;
/// How often in a row the cluster may leave us without an answer.
const PATIENCE: u32 = 40;

/// Arrays that the cluster has taken.
pub(super) struct Arrays {
    /// Number of each, and its cluster if there are several.
    ids: Vec<(String, Option<String>)>,
    /// Questions in a row without an answer.
    unanswered: u32,
}

/// Submits jobs as arrays.
pub(super) fn submit(work: &Work) -> Result<Arrays, SubmitError> {
    let mut arrays = Arrays {
        ids: Vec::new(),
        unanswered: 0,
    };
    let most = most_tasks()?;
    work.write("sh", &script(work))?;
    for from in (0..work.jobs.len()).step_by(most) {
        let tasks = most.min(work.jobs.len() - from);
        let limit = work.at_a_time.map(|most| format!("%{most}"));
        let mut command = Command::new("sbatch");
        command
            .args(["--parsable", "--job-name=selvedge"])
            .arg(format!(
                "--array=0-{}{}",
                tasks - 1,
                limit.unwrap_or_default()
            ))
            .arg(format!("--chdir={}", work.folder.display()))
            .arg(format!("--output={}", work.name("log")))
            .arg("--open-mode=append")
            .arg(work.path("sh"))
            .arg(from.to_string());
        match printed(&mut command, HINT) {
            Ok(id) => arrays.ids.push(parsed(&id)),
            Err(error) => {
                // What was taken already would run for nobody.
                arrays.cancel();
                return Err(error);
            }
        }
    }
    Ok(arrays)
}

/// The script of every task; its argument is how many lines of the list belong to arrays before.
fn script(work: &Work) -> String {
    format!(
        "#!/bin/sh\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --requeue\n\
         job=\"$(sed -n \"$((SLURM_ARRAY_TASK_ID + $1 + 1))p\" {})\"\n\
         exec ./selvedge job . \"$job\" >>\"logs/$job.log\" 2>&1\n",
        work.name("jobs")
    )
}

/// Most tasks of an array; indices are smaller.
fn most_tasks() -> Result<usize, SubmitError> {
    let text = printed(Command::new("scontrol").args(["show", "config"]), HINT)?;
    let line = text.lines().find(|line| line.starts_with("MaxArraySize"));
    let number = line.and_then(|line| line.split('=').nth(1)?.trim().parse().ok());
    Ok(number.unwrap_or(MOST).max(1))
}

/// What `sbatch --parsable` prints: a number, and behind a semicolon the cluster.
fn parsed(printed: &str) -> (String, Option<String>) {
    let word = printed.trim();
    match word.split_once(';') {
        Some((id, cluster)) => (id.to_string(), Some(cluster.to_string())),
        None => (word.to_string(), None),
    }
}

impl Arrays {
    /// Whether the cluster has none of the jobs any more, waiting or running.
    pub fn is_finished(&mut self) -> Result<bool, SubmitError> {
        for (id, cluster) in &self.ids {
            let mut command = Command::new("squeue");
            command.args(["--noheader", "--format=%i", "--jobs", id]);
            command.args(cluster.iter().map(|name| format!("--clusters={name}")));
            match printed(&mut command, HINT) {
                // Of several clusters, a line names the one that is asked.
                Ok(text) if text.lines().any(|line| line.trim().starts_with(id)) => {
                    self.unanswered = 0;
                    return Ok(false);
                }
                Ok(_) => {}
                // It has forgotten what ended long ago.
                Err(SubmitError::Refused(_, why)) if why.contains("Invalid job id") => {}
                Err(error) => {
                    self.unanswered += 1;
                    return if self.unanswered > PATIENCE {
                        Err(error)
                    } else {
                        Ok(false)
                    };
                }
            }
        }
        Ok(true)
    }

    /// Takes the jobs back.
    pub fn cancel(&mut self) {
        for (id, cluster) in &self.ids {
            let mut command = Command::new("scancel");
            command.arg(id);
            command.args(cluster.iter().map(|name| format!("--clusters={name}")));
            if let Err(error) = printed(&mut command, HINT) {
                eprintln!("selvedge: scancel {id}: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn numbers_of_arrays_are_read() {
        assert_eq!(parsed("17\n"), ("17".to_string(), None));
        let cluster = Some("east".to_string());
        assert_eq!(parsed("17;east\n"), ("17".to_string(), cluster));
    }
}
