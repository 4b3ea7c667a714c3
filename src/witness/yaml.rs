//! Witnesses as YAML: version 2.2 of the format, a list with one entry (`violation_sequence` or `invariant_set`). Older versions from 2.0 on
//! are read as well; of other entries of a list, nothing is known.

use super::data::{Claim, Head, InputFile, Invariant, Kind, Place, Segment, Waypoint, Witness};
use crate::base::DataModel;
use saphyr::{LoadableYamlNode, Mapping, Scalar, Yaml, YamlEmitter};

/// Version that is written.
const VERSION: &str = "2.2";

/// The text of a witness.
pub fn write(witness: &Witness) -> String {
    let (entry, content) = match &witness.claim {
        Claim::Violation(segments) => (
            "violation_sequence",
            segments.iter().map(written_segment).collect(),
        ),
        Claim::Correctness(invariants) => (
            "invariant_set",
            invariants.iter().map(written_invariant).collect(),
        ),
    };
    let content = Yaml::Sequence(content);
    let identifier = super::data::identifier(&format!("{:?}{content:?}", witness.head));
    let head = written_head(&witness.head, &identifier);
    let list = Yaml::Sequence(vec![mapping(vec![
        ("entry_type", text(entry)),
        ("metadata", head),
        ("content", content),
    ])]);
    let mut written = String::new();
    // A string takes all that is written to it.
    let _ = YamlEmitter::new(&mut written).dump(&list);
    let written = written.strip_prefix("---\n").unwrap_or(&written);
    format!("{}\n", written.trim_end())
}

fn text(value: &str) -> Yaml<'_> {
    Yaml::Value(Scalar::String(value.into()))
}

fn number<'a>(value: u32) -> Yaml<'a> {
    Yaml::Value(Scalar::Integer(value.into()))
}

fn mapping<'a>(entries: Vec<(&'a str, Yaml<'a>)>) -> Yaml<'a> {
    let entries = entries.into_iter();
    Yaml::Mapping(entries.map(|(key, value)| (text(key), value)).collect())
}

fn written_head<'a>(head: &'a Head, identifier: &'a str) -> Yaml<'a> {
    let files = head.files.iter();
    let names = files.clone().map(|file| text(&file.name)).collect();
    let hashes: Mapping = files
        .map(|file| (text(&file.name), text(&file.hash)))
        .collect();
    mapping(vec![
        ("format_version", text(VERSION)),
        ("uuid", text(identifier)),
        ("creation_time", text(&head.time)),
        (
            "producer",
            mapping(vec![
                ("name", text(&head.producer.0)),
                ("version", text(&head.producer.1)),
            ]),
        ),
        (
            "task",
            mapping(vec![
                ("input_files", Yaml::Sequence(names)),
                ("input_file_hashes", Yaml::Mapping(hashes)),
                ("specification", text(&head.specification)),
                ("data_model", text(head.model.name())),
                ("language", text("C")),
            ]),
        ),
    ])
}

fn written_place(place: &Place) -> Yaml<'_> {
    let mut entries = vec![
        ("file_name", text(&place.file)),
        ("line", number(place.line)),
    ];
    entries.extend(place.column.map(|column| ("column", number(column))));
    let function = place.function.as_deref();
    entries.extend(function.map(|name| ("function", text(name))));
    mapping(entries)
}

fn written_segment(segment: &Segment) -> Yaml<'_> {
    let waypoints = segment.0.iter().map(written_waypoint).collect();
    mapping(vec![("segment", Yaml::Sequence(waypoints))])
}

fn written_waypoint(waypoint: &Waypoint) -> Yaml<'_> {
    let constraint = |value, format| {
        let mut entries = vec![("value", text(value))];
        entries.extend(Option::map(format, |format| ("format", text(format))));
        Some(mapping(entries))
    };
    let (kind, constraint) = match &waypoint.kind {
        Kind::Assumption(value) => ("assumption", constraint(value, Some("c_expression"))),
        Kind::Enter(_) => ("function_enter", None),
        Kind::Return(value, _) => (
            "function_return",
            constraint(value, Some("acsl_expression")),
        ),
        Kind::Branch(value) => ("branching", constraint(value, None)),
        Kind::Target => ("target", None),
    };
    let action = if waypoint.is_followed {
        "follow"
    } else {
        "avoid"
    };
    let mut entries = vec![("type", text(kind)), ("action", text(action))];
    entries.extend(waypoint.thread.map(|thread| ("thread_id", number(thread))));
    entries.extend(constraint.map(|constraint| ("constraint", constraint)));
    entries.push(("location", written_place(&waypoint.place)));
    mapping(vec![("waypoint", mapping(entries))])
}

fn written_invariant(invariant: &Invariant) -> Yaml<'_> {
    let kind = match invariant.is_loop {
        true => "loop_invariant",
        false => "location_invariant",
    };
    mapping(vec![(
        "invariant",
        mapping(vec![
            ("type", text(kind)),
            ("location", written_place(&invariant.place)),
            ("value", text(&invariant.value)),
            ("format", text("c_expression")),
        ]),
    )])
}

/// Reads a witness.
///
/// # Errors
/// What is wrong with the text.
pub fn read(source: &str) -> Result<Witness, String> {
    let documents = Yaml::load_from_str(source).map_err(|error| error.to_string())?;
    let root = documents.first().ok_or("it is empty")?;
    let entries = root.as_sequence().ok_or("it is no list of entries")?;
    let entry = entries.iter().find_map(|entry| {
        let kind = entry.as_mapping_get("entry_type")?.as_str()?;
        ["violation_sequence", "invariant_set"]
            .contains(&kind)
            .then_some((entry, kind))
    });
    let (entry, kind) =
        entry.ok_or("it has no entry of the type violation_sequence or invariant_set")?;
    let head = read_head(field(entry, "metadata")?)?;
    let content = sequence(entry, "content")?.iter().enumerate();
    let claim = match kind {
        "invariant_set" => {
            let one = |(index, item)| {
                read_invariant(item).map_err(|why| format!("item {} of content: {why}", index + 1))
            };
            Claim::Correctness(content.map(one).collect::<Result<_, String>>()?)
        }
        _ => {
            let one = |(index, item)| {
                read_segment(item).map_err(|why| format!("segment {}: {why}", index + 1))
            };
            Claim::Violation(content.map(one).collect::<Result<_, String>>()?)
        }
    };
    Ok(Witness { head, claim })
}

fn field<'y, 'a>(node: &'y Yaml<'a>, key: &str) -> Result<&'y Yaml<'a>, String> {
    let found = node.as_mapping_get(key);
    found.ok_or_else(|| format!("`{key}` is missing"))
}

fn string<'y>(node: &'y Yaml<'_>, key: &str) -> Result<&'y str, String> {
    let found = field(node, key)?.as_str();
    found.ok_or_else(|| format!("`{key}` is no string"))
}

/// A value that is a text, or that YAML takes for a number or a truth value.
fn printed(node: &Yaml<'_>, key: &str) -> Result<String, String> {
    match field(node, key)? {
        Yaml::Value(Scalar::String(text)) => Ok(text.to_string()),
        Yaml::Value(Scalar::Integer(number)) => Ok(number.to_string()),
        Yaml::Value(Scalar::Boolean(value)) => Ok(value.to_string()),
        _ => Err(format!("`{key}` is no text")),
    }
}

fn count(node: &Yaml<'_>, key: &str) -> Result<u32, String> {
    let found = field(node, key)?.as_integer();
    let found = found.and_then(|value| u32::try_from(value).ok());
    found.ok_or_else(|| format!("`{key}` is no number that fits here"))
}

fn sequence<'y, 'a>(node: &'y Yaml<'a>, key: &str) -> Result<&'y [Yaml<'a>], String> {
    let found = field(node, key)?.as_sequence();
    let found = found.ok_or_else(|| format!("`{key}` is no list"))?;
    Ok(found)
}

fn read_head(node: &Yaml<'_>) -> Result<Head, String> {
    let version = printed(node, "format_version")?;
    if !version.starts_with("2.") {
        return Err(format!("version {version} of the format is not known"));
    }
    let producer = field(node, "producer")?;
    let task = field(node, "task")?;
    let hashes = field(task, "input_file_hashes")?;
    let files = match field(task, "input_files")?.as_str() {
        Some(one) => vec![one],
        None => sequence(task, "input_files")?
            .iter()
            .map(|name| name.as_str().ok_or("a file has no name"))
            .collect::<Result<_, _>>()?,
    };
    let files = files.into_iter().map(|name| {
        let hash = string(hashes, name).map_err(|_| format!("{name} has no hash"))?;
        Ok(InputFile {
            name: name.to_string(),
            hash: hash.to_lowercase(),
        })
    });
    Ok(Head {
        producer: (
            string(producer, "name")?.to_string(),
            printed(producer, "version")?,
        ),
        time: printed(node, "creation_time")?,
        files: files.collect::<Result<_, String>>()?,
        specification: string(task, "specification")?.trim().to_string(),
        model: match string(task, "data_model")? {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            other => return Err(format!("the data model {other} is not known")),
        },
    })
}

fn read_place(node: &Yaml<'_>) -> Result<Place, String> {
    let location = field(node, "location")?;
    let column = location.as_mapping_get("column");
    let function = location.as_mapping_get("function");
    Ok(Place {
        file: string(location, "file_name")?.to_string(),
        line: count(location, "line")?,
        column: column.map(|_| count(location, "column")).transpose()?,
        function: function.and_then(|name| name.as_str()).map(str::to_string),
    })
}

fn read_segment(node: &Yaml<'_>) -> Result<Segment, String> {
    let waypoints = sequence(node, "segment")?.iter();
    let waypoints = waypoints.map(|one| read_waypoint(field(one, "waypoint")?));
    let waypoints: Vec<Waypoint> = waypoints.collect::<Result<_, String>>()?;
    if !waypoints.iter().any(|one| one.is_followed) {
        return Err("no waypoint is followed".to_string());
    }
    Ok(Segment(waypoints))
}

fn read_waypoint(node: &Yaml<'_>) -> Result<Waypoint, String> {
    let value = || printed(field(node, "constraint")?, "value");
    let thread = node.as_mapping_get("thread_id");
    Ok(Waypoint {
        kind: match string(node, "type")? {
            "assumption" => Kind::Assumption(value()?),
            "function_enter" => Kind::Enter(None),
            "function_return" => Kind::Return(value()?, None),
            "branching" => Kind::Branch(value()?),
            "target" => Kind::Target,
            other => return Err(format!("a waypoint of type {other} is not known")),
        },
        place: read_place(node)?,
        thread: thread.map(|_| count(node, "thread_id")).transpose()?,
        is_followed: match string(node, "action")? {
            "follow" => true,
            "avoid" => false,
            other => return Err(format!("the action {other} is not known")),
        },
    })
}

fn read_invariant(node: &Yaml<'_>) -> Result<Invariant, String> {
    let node = field(node, "invariant")?;
    Ok(Invariant {
        is_loop: match string(node, "type")? {
            "loop_invariant" => true,
            "location_invariant" => false,
            other => return Err(format!("an invariant of type {other} is not known")),
        },
        place: read_place(node)?,
        value: printed(node, "value")?,
    })
}
