//! HyperQueue: a job definition file, for those who have `hq`: `cd PLAN && hq job submit-file hyperqueue.toml`.

/// Name of the file in a plan.
pub(super) const FILE: &str = "hyperqueue.toml";

/// The file: one task for each job, which every version of HyperQueue reads.
pub(super) fn text(jobs: usize) -> String {
    let task = |job: usize| {
        format!("\n[[task]]\nid = {job}\ncommand = [\"./selvedge\", \"job\", \".\", \"{job}\"]\n")
    };
    let tasks: String = (0..jobs).map(task).collect();
    format!("name = \"selvedge\"\n{tasks}")
}

#[cfg(test)]
mod tests {
    use toml::de::{DeTable, DeValue};

    #[test]
    fn every_job_is_a_task() {
        let text = super::text(3);
        let read = DeTable::parse(&text).expect("TOML").into_inner();
        let Some(DeValue::Array(tasks)) = read.get("task").map(|tasks| tasks.get_ref()) else {
            panic!("{text}")
        };
        assert_eq!(tasks.len(), 3);
        let last = tasks[2].get_ref().as_table().expect("a table");
        assert_eq!(
            last["id"].get_ref().as_integer().map(|id| id.as_str()),
            Some("2")
        );
        let command = last["command"].get_ref().as_array().expect("a command");
        let words = command.iter().filter_map(|word| word.get_ref().as_str());
        assert_eq!(words.collect::<Vec<_>>(), ["./selvedge", "job", ".", "2"]);
    }
}
