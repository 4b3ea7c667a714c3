//! Points: an engine with values on axes, which is what a cell or a row asks beside its program.

use super::axis::{Axis, Kind};
use crate::base::sorted::SortedMap;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// An engine with values on axes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Name of the engine on the command line.
    pub scheme: String,
    /// Values that are given.
    #[serde(flatten)]
    settings: Settings,
}

/// Values on axes, those that are given, in the order of the axes. As JSON, a field for each.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Settings(Vec<(&'static str, Setting)>);

/// A value on an axis.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Setting {
    /// A variant.
    Name(String),
    /// A number that says nothing of others.
    Number(u32),
    /// A bound: what it covers grows with it.
    Bound(u32),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Name(name) => f.write_str(name),
            Setting::Number(number) | Setting::Bound(number) => write!(f, "{number}"),
        }
    }
}

impl Point {
    /// An engine with values on axes.
    pub fn new(scheme: &str, settings: impl IntoIterator<Item = (&'static str, Setting)>) -> Point {
        let mut settings: Vec<_> = settings.into_iter().collect();
        settings.sort_by_key(|(axis, _)| Axis::place(axis));
        Point {
            scheme: scheme.to_string(),
            settings: Settings(settings),
        }
    }

    /// The point in words, e.g. `lazy tso, rounds 2, unwind 1`.
    pub fn name(&self) -> String {
        let mut name = self.scheme.clone();
        for (axis, value) in &self.settings.0 {
            name.push_str(&match (*axis, value) {
                ("mu" | "memory-model", Setting::Name(variant)) => format!(" {variant}"),
                (axis, value) => format!(", {axis} {value}"),
            });
        }
        name
    }

    /// The options that make a run one of this point.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec!["--scheme".to_string(), self.scheme.clone()];
        for (axis, value) in &self.settings.0 {
            // Several names of one row have commas between them for verification.
            words.extend([format!("--{axis}"), value.to_string().replace('+', ",")]);
        }
        words
    }

    /// Value on an axis, if it is given.
    pub fn value(&self, axis: &str) -> Option<&Setting> {
        let mut all = self.settings.0.iter();
        let found = all.find(|(name, _)| *name == axis);
        found.map(|(_, value)| value)
    }

    /// Value of a bound, if it is given.
    pub fn bound(&self, axis: &str) -> Option<u32> {
        match self.value(axis) {
            Some(Setting::Bound(value)) => Some(*value),
            _ => None,
        }
    }

    /// The same point with a value on an axis.
    #[must_use]
    pub fn with(&self, axis: &'static str, value: Setting) -> Point {
        let others = self.settings.0.iter().filter(|(name, _)| *name != axis);
        Point::new(&self.scheme, others.cloned().chain([(axis, value)]))
    }

    /// The same point without a value on an axis.
    #[must_use]
    pub fn without(&self, axis: &str) -> Point {
        let others = self.settings.0.iter().filter(|(name, _)| *name != axis);
        Point::new(&self.scheme, others.cloned())
    }

    /// Inclusion: true if all executions of this point are ones of the other, which encodes them in the same way.
    pub fn is_within(&self, other: &Point) -> bool {
        let (ours, theirs) = (&self.settings.0, &other.settings.0);
        let mut pairs = ours.iter().zip(theirs);
        let within = pairs.all(|((axis, our), (of, their))| {
            axis == of
                && match (our, their) {
                    (Setting::Bound(our), Setting::Bound(their)) => our <= their,
                    _ => our == their,
                }
        });
        self.scheme == other.scheme && ours.len() == theirs.len() && within
    }

    /// True if the two ask the same of a program, however that is answered: checks and memory model are the same.
    pub fn asks_the_same(&self, other: &Point) -> bool {
        let mut asked = ["check", "memory-model"].into_iter();
        asked.all(|axis| self.value(axis) == other.value(axis))
    }

    /// Sum of the bounds; 0 if there are none.
    pub fn size(&self) -> u64 {
        let bounds = self.settings.0.iter().map(|(_, value)| match value {
            Setting::Bound(bound) => u64::from(*bound),
            _ => 0,
        });
        bounds.sum()
    }

    /// Values that are given, with their axes.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, &Setting)> {
        self.settings.0.iter().map(|(axis, value)| (*axis, value))
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (axis, value) in &self.0 {
            map.serialize_entry(
                axis,
                &match value {
                    Setting::Name(name) => Value::from(name.as_str()),
                    Setting::Number(number) | Setting::Bound(number) => Value::from(*number),
                },
            )?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Settings {
    /// Fields that are absent or null are not given; others are none of these.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
        let fields = SortedMap::<String, Value>::deserialize(deserializer)?;
        let mut settings = Vec::new();
        for Axis { name, kind, .. } in Axis::all() {
            let number = |value: &Value| value.as_u64().and_then(|it| u32::try_from(it).ok());
            let value = match (fields.get(*name), kind) {
                (None | Some(Value::Null), _) => continue,
                (Some(Value::String(name)), Kind::Name) => Some(Setting::Name(name.clone())),
                (Some(value), Kind::Bound { .. }) => number(value).map(Setting::Bound),
                (Some(value), Kind::Number { .. }) => number(value).map(Setting::Number),
                _ => None,
            };
            let wrong = || serde::de::Error::custom(format!("{name} has another kind of value"));
            settings.push((*name, value.ok_or_else(wrong)?));
        }
        Ok(Settings(settings))
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Setting::Name(name) => serializer.serialize_str(name),
            Setting::Number(number) | Setting::Bound(number) => serializer.serialize_u32(*number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_named_and_read_back() {
        let point = Point::new(
            "mu",
            [
                ("unwind", Setting::Bound(2)),
                ("writes", Setting::Bound(4)),
                ("seed", Setting::Number(7)),
                ("mu", Setting::Name("inter".into())),
                ("check", Setting::Name("memory+leak".into())),
            ],
        );
        assert_eq!(
            point.name(),
            "mu inter, check memory+leak, seed 7, writes 4, unwind 2"
        );
        let words = point.words().join(" ");
        assert_eq!(
            words,
            "--scheme mu --mu inter --check memory,leak --seed 7 --writes 4 --unwind 2"
        );
        let text = serde_json::to_string(&point).unwrap();
        assert_eq!(serde_json::from_str::<Point>(&text).unwrap(), point);
        assert_eq!((point.size(), point.bound("writes")), (6, Some(4)));
        let wrong = r#"{"scheme":"mu","writes":"many"}"#;
        assert!(serde_json::from_str::<Point>(wrong).is_err());
    }

    #[test]
    fn only_bounds_include_others() {
        let of = |axis, one: Setting, other: Setting| {
            let point = |value| Point::new("lazy", [(axis, value)]);
            point(one).is_within(&point(other))
        };
        assert!(of("rounds", Setting::Bound(1), Setting::Bound(2)));
        assert!(!of("rounds", Setting::Bound(2), Setting::Bound(1)));
        assert!(!of("seed", Setting::Number(1), Setting::Number(2)));
        let point = Point::new("lazy", [("rounds", Setting::Bound(1))]);
        assert!(!point.is_within(&point.with("unwind", Setting::Bound(1))));
    }
}
