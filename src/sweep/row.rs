//! Rows: engines with values of options of their own, which the schemes' tables name.

use crate::base::option::{About, Values};
use crate::scheme::Scheme;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A row of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Name of the engine on the command line.
    pub engine: &'static str,
    /// Values of its options, those that are given.
    pub settings: Settings,
}

/// Values of options, by name, variants before bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Settings(Vec<(&'static str, Setting)>);

/// A value of an option.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Setting {
    /// A variant.
    Name(String),
    /// A bound: what it covers grows with it.
    Number(u32),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Name(name) => f.write_str(name),
            Setting::Number(number) => write!(f, "{number}"),
        }
    }
}

impl Row {
    /// An engine with values of its options.
    pub fn new(engine: &'static str, mut settings: Vec<(&'static str, Setting)>) -> Row {
        settings.sort_by_key(|(_, value)| matches!(value, Setting::Number(_)));
        Row {
            engine,
            settings: Settings(settings),
        }
    }

    /// The row in words, e.g. `lazy, rounds 2`.
    pub fn name(&self) -> String {
        let mut name = self.engine.to_string();
        for (option, value) in &self.settings.0 {
            name.push_str(&match value {
                Setting::Name(variant) => format!(" {variant}"),
                Setting::Number(bound) => format!(", {option} {bound}"),
            });
        }
        name
    }

    /// The options that make a run one of this row.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec!["--scheme".to_string(), self.engine.to_string()];
        for (option, value) in &self.settings.0 {
            words.extend([format!("--{option}"), value.to_string()]);
        }
        words
    }

    /// Inclusion: true if all executions of this row are ones of the other, which encodes them in the same way.
    pub(super) fn is_within(&self, other: &Row) -> bool {
        let (ours, theirs) = (&self.settings.0, &other.settings.0);
        let mut pairs = ours.iter().zip(theirs);
        let within = pairs.all(|((option, our), (of, their))| {
            option == of
                && match (our, their) {
                    (Setting::Number(our), Setting::Number(their)) => our <= their,
                    _ => our == their,
                }
        });
        self.engine == other.engine && ours.len() == theirs.len() && within
    }

    /// Sum of the bounds; 0 if there are none.
    pub(super) fn size(&self) -> u64 {
        let bounds = self.settings.0.iter().map(|(_, value)| match value {
            Setting::Name(_) => 0,
            Setting::Number(bound) => u64::from(*bound),
        });
        bounds.sum()
    }
}

/// The options of all schemes that rows are made of.
fn all() -> impl Iterator<Item = (&'static str, Values)> {
    let options = Scheme::all().into_iter().flat_map(Scheme::options);
    options.filter_map(|About { name, rows, .. }| Some((name, rows?.values)))
}

impl Serialize for Settings {
    /// A field for each option that rows are made of, null if it is not given.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, _) in all() {
            let given = self.0.iter().find(|(option, _)| *option == name);
            map.serialize_entry(
                name,
                &given.map(|(_, value)| match value {
                    Setting::Name(name) => Value::from(name.as_str()),
                    Setting::Number(number) => Value::from(*number),
                }),
            )?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Settings {
    /// Fields that are absent or null are not given; others are none of these.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
        let fields = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let mut settings = Vec::new();
        for (name, values) in all() {
            let value = match (fields.get(name), values) {
                (None | Some(Value::Null), _) => continue,
                (Some(Value::String(name)), Values::Names) => Some(Setting::Name(name.clone())),
                (Some(number), Values::Numbers { .. }) => {
                    let number = number.as_u64().and_then(|it| u32::try_from(it).ok());
                    number.map(Setting::Number)
                }
                _ => None,
            };
            let wrong = || serde::de::Error::custom(format!("{name} has another kind of value"));
            settings.push((name, value.ok_or_else(wrong)?));
        }
        Ok(Row::new("", settings).settings)
    }
}
