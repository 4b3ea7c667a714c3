//! Plans: a sweep as numbered jobs in a folder, which any machine that has the folder and the same version of this program can
//! run, in any order, more than once, and by whatever brings them there.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.json` | the whole grid, and the number of jobs; written last, so that where it is, all the rest is |
//! | `inputs/N.i` | preprocessed texts, with line markers; no headers are needed |
//! | `inputs/N.prp` | a property file, where a program has one |
//! | `shards/N.jsonl` | the records of job N, from 0, in the form of a journal; whole or not there ([`super::shard`]) |
//! | `selvedge`, `hyperqueue.toml` | the program that planned it, and a job file, for whatever runs the jobs ([`super::submit`]) |
//! | `submit/`, `logs/` | what engines were given and have printed, and what jobs have |
//!
//! Paths are relative to the folder. `plan.json` has these fields:
//!
//! | field | value |
//! |---|---|
//! | `schema` | 1 |
//! | `version` | version of Selvedge, which jobs have to be run by |
//! | `inputs` | of each program: `name`, `content` and `options` as in records; `text`, its file; `hash` of that; `property`, its file; `words` that it is run with |
//! | `rows` | what they ask: `scheme` and other axes, as in records |
//! | `columns` | `axis`, and its `values` |
//! | `limits` | `words` of options, and `cpu_ms` and `wall_ms` for whoever watches |
//! | `prune` | cells are not run whose answers follow from others |
//! | `chain` | cells of one job are run by one process |
//! | `cubes` | number of cubes that each cell is split into, or null |
//! | `jobs` | their number |

use super::axis::Axis;
use super::content::content;
use super::grid::{Columns, Grid, Input, Limits};
use super::job::jobs;
use super::point::{Point, Setting};
use crate::report::save::save;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of the schema that is described above.
const SCHEMA: u32 = 1;
/// Name of the file that describes a plan, in its folder.
const FILE: &str = "plan.json";
const INPUTS: &str = "inputs";
/// Folder of shards.
pub(super) const SHARDS: &str = "shards";

/// A plan as its file has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    schema: u32,
    version: String,
    inputs: Vec<Planned>,
    rows: Vec<Point>,
    columns: PlannedColumns,
    limits: PlannedLimits,
    prune: bool,
    chain: bool,
    cubes: Option<u32>,
    /// Number of jobs.
    pub jobs: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Planned {
    name: String,
    content: String,
    options: Vec<String>,
    text: String,
    hash: String,
    property: Option<String>,
    words: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct PlannedColumns {
    axis: String,
    values: Vec<Value>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct PlannedLimits {
    words: Vec<String>,
    cpu_ms: Option<u64>,
    wall_ms: Option<u64>,
}

/// A program for a plan: what grids have of it, its preprocessed text, and its property file.
#[derive(Clone, Debug)]
pub struct Text {
    /// The program; its words are those that the text is to be read with, without a property file.
    pub input: Input,
    /// The text, with line markers.
    pub text: String,
    /// Contents of the property file.
    pub property: Option<Vec<u8>>,
}

impl Plan {
    /// Writes a plan into a folder, which is made if it is not there. A folder that holds the same plan already is left as it is.
    ///
    /// # Errors
    /// The folder holds something else, or the system refuses to write.
    pub fn write(folder: &Path, grid: &Grid, texts: &[Text]) -> Result<Plan, String> {
        let plan = Plan::of(grid, texts);
        let path = folder.join(FILE);
        let told = |why: std::io::Error| format!("cannot write {}: {why}", folder.display());
        match std::fs::read(&path) {
            Ok(bytes) => {
                let same = serde_json::from_slice::<Plan>(&bytes).is_ok_and(|old| old == plan);
                let other = format!(
                    "{} holds another plan; name another folder",
                    folder.display()
                );
                return same.then_some(plan).ok_or(other);
            }
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(format!("cannot read {}: {why}", path.display())),
        }
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.map_err(told)?.file_name();
                    // What a plan was broken off at, by us or somebody else.
                    let is_ours = name == INPUTS
                        || name == SHARDS
                        || name.to_string_lossy().starts_with(".selvedge-");
                    if !is_ours {
                        let folder = folder.display();
                        return Err(format!(
                            "{folder} holds other files than those of a plan; name a new folder"
                        ));
                    }
                }
            }
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(told(why)),
        }
        for inner in [INPUTS, SHARDS] {
            std::fs::create_dir_all(folder.join(inner)).map_err(told)?;
        }
        for (text, planned) in texts.iter().zip(&plan.inputs) {
            save(&folder.join(&planned.text), |out| {
                out.write_all(text.text.as_bytes())
            })?;
            if let (Some(bytes), Some(name)) = (&text.property, &planned.property) {
                save(&folder.join(name), |out| out.write_all(bytes))?;
            }
        }
        save(&path, |out| {
            serde_json::to_writer_pretty(&mut *out, &plan)?;
            out.write_all(b"\n")
        })?;
        Ok(plan)
    }

    fn of(grid: &Grid, texts: &[Text]) -> Plan {
        let strings = |words: &[OsString]| {
            let words = words.iter().map(|word| word.to_string_lossy().into_owned());
            words.collect::<Vec<String>>()
        };
        let ms = |limit: Duration| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let planned = |(number, text): (usize, &Text)| Planned {
            name: text.input.name.clone(),
            content: text.input.content.clone(),
            options: strings(&text.input.options),
            text: format!("{INPUTS}/{number}.i"),
            hash: content(&text.text),
            property: text
                .property
                .as_ref()
                .map(|_| format!("{INPUTS}/{number}.prp")),
            words: strings(&text.input.words),
        };
        let values = grid.columns.values.iter().map(|value| match value {
            Setting::Name(name) => Value::from(name.as_str()),
            Setting::Number(number) | Setting::Bound(number) => Value::from(*number),
        });
        Plan {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_string(),
            inputs: texts.iter().enumerate().map(planned).collect(),
            rows: grid.rows.clone(),
            columns: PlannedColumns {
                axis: grid.columns.axis.name.to_string(),
                values: values.collect(),
            },
            limits: PlannedLimits {
                words: strings(&grid.limits.words),
                cpu_ms: grid.limits.cpu.map(ms),
                wall_ms: grid.limits.wall.map(ms),
            },
            prune: grid.prune,
            chain: grid.chain,
            cubes: grid.cubes,
            jobs: jobs(grid).len(),
        }
    }

    /// Reads the plan in a folder: the number of jobs is in it, and the grid, with paths of programs in the folder.
    ///
    /// # Errors
    /// There is none, it is not whole, or it was made by another version.
    pub fn read(folder: &Path) -> Result<(Plan, Grid), String> {
        let path = folder.join(FILE);
        let bytes = std::fs::read(&path).map_err(|why| match why.kind() {
            ErrorKind::NotFound => format!("{} has no {FILE}: it is no plan", folder.display()),
            _ => format!("cannot read {}: {why}", path.display()),
        })?;
        let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let value: Value = serde_json::from_slice(&bytes).map_err(|why| told(&why))?;
        let (schema, version) = (&value["schema"], &value["version"]);
        if *schema != SCHEMA || *version != env!("CARGO_PKG_VERSION") {
            let own = env!("CARGO_PKG_VERSION");
            return Err(told(&format!(
                "planned by version {version} (schema {schema}), and this is {own} (schema {SCHEMA})"
            )));
        }
        let plan: Plan = serde_json::from_value(value).map_err(|why| told(&why))?;
        let grid = plan.grid(folder).map_err(|why| told(&why))?;
        if jobs(&grid).len() != plan.jobs {
            return Err(told(&"the number of jobs is not that of its grid"));
        }
        Ok((plan, grid))
    }

    fn grid(&self, folder: &Path) -> Result<Grid, String> {
        let os = |words: &[String]| words.iter().map(OsString::from).collect::<Vec<OsString>>();
        let input = |planned: &Planned| {
            let mut words = os(&planned.words);
            if let Some(property) = &planned.property {
                words.extend(["--property".into(), folder.join(property).into()]);
            }
            Input {
                name: planned.name.clone(),
                path: folder.join(&planned.text),
                content: planned.content.clone(),
                options: os(&planned.options),
                words,
            }
        };
        let axis = Axis::named(&self.columns.axis).ok_or("there is no such axis")?;
        let value = |value: &Value| {
            let one = serde_json::json!({"scheme": "", axis.name: value});
            let point = serde_json::from_value::<Point>(one).map_err(|why| why.to_string())?;
            point
                .value(axis.name)
                .cloned()
                .ok_or("a value is missing".to_string())
        };
        let values: Vec<Setting> = self
            .columns
            .values
            .iter()
            .map(value)
            .collect::<Result<_, _>>()?;
        if values.is_empty() || self.rows.is_empty() || self.inputs.is_empty() {
            return Err("it has no cells".to_string());
        }
        Ok(Grid {
            inputs: self.inputs.iter().map(input).collect(),
            rows: self.rows.clone(),
            columns: Columns { axis, values },
            limits: Limits {
                cpu: self.limits.cpu_ms.map(Duration::from_millis),
                wall: self.limits.wall_ms.map(Duration::from_millis),
                words: os(&self.limits.words),
            },
            jobs: 1,
            prune: self.prune,
            chain: self.chain,
            cubes: self.cubes,
        })
    }

    /// Checks that the text of a program is the one that was planned.
    ///
    /// # Errors
    /// It cannot be read, or is another one.
    pub fn check(&self, folder: &Path, input: usize) -> Result<(), String> {
        let planned = &self.inputs[input];
        let path: PathBuf = folder.join(&planned.text);
        let text =
            std::fs::read(&path).map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        if content(&String::from_utf8_lossy(&text)) == planned.hash {
            Ok(())
        } else {
            let path = path.display();
            Err(format!(
                "{path} is not what was planned: it has been changed"
            ))
        }
    }
}
