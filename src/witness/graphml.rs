//! Witnesses as GraphML: version 1.0 of the format, an automaton whose edges are what threads do. What is written is one path; of other
//! automata, those are read that are one path without edges to sinks.
//!
//! An edge has lines and no columns. That of a new thread names it (`createThread`), and the first edge of the thread has the function that
//! it begins with. A data race, of which the format says nothing, is the two edges before the end, one for each thread's access.

use super::data::{Claim, Head, InputFile, Invariant, Kind, Place, Segment, Waypoint, Witness};
use crate::base::DataModel;
use crate::base::sorted::{SortedMap, SortedSet};
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};
use std::io;

/// Keys of data: the name, what it belongs to, its type, and a default.
const KEYS: &[(&str, &str, &str, Option<&str>)] = &[
    ("witness-type", "graph", "string", None),
    ("sourcecodelang", "graph", "string", None),
    ("producer", "graph", "string", None),
    ("specification", "graph", "string", None),
    ("programfile", "graph", "string", None),
    ("programhash", "graph", "string", None),
    ("architecture", "graph", "string", None),
    ("creationtime", "graph", "string", None),
    ("entry", "node", "boolean", Some("false")),
    ("violation", "node", "boolean", Some("false")),
    ("sink", "node", "boolean", Some("false")),
    ("invariant", "node", "string", None),
    ("invariant.scope", "node", "string", None),
    ("originfile", "edge", "string", None),
    ("startline", "edge", "int", None),
    ("endline", "edge", "int", None),
    ("assumption", "edge", "string", None),
    ("assumption.scope", "edge", "string", None),
    ("assumption.resultfunction", "edge", "string", None),
    ("control", "edge", "string", None),
    ("enterFunction", "edge", "string", None),
    ("enterLoopHead", "edge", "boolean", Some("false")),
    ("returnFromFunction", "edge", "string", None),
    ("threadId", "edge", "string", None),
    ("createThread", "edge", "string", None),
];

/// Data of an element, by key; some keys may come several times.
type Data = Vec<(String, String)>;

/// The text of a witness.
pub fn write(witness: &Witness) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // A vector takes all that is written to it.
    let _ = written(&mut writer, witness);
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

type Out = Writer<Vec<u8>>;

fn written(writer: &mut Out, witness: &Witness) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = writer.create_element("graphml").with_attributes([
        ("xmlns", "http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ]);
    root.write_inner_content(|writer| {
        for (name, owner, kind, default) in KEYS {
            let attributes = [
                ("id", *name),
                ("attr.name", *name),
                ("attr.type", *kind),
                ("for", *owner),
            ];
            let key = writer.create_element("key").with_attributes(attributes);
            match default {
                None => key.write_empty()?,
                Some(default) => key.write_inner_content(|writer| {
                    let default = BytesText::new(default);
                    writer
                        .create_element("default")
                        .write_text_content(default)?;
                    Ok(())
                })?,
            };
        }
        let graph = writer
            .create_element("graph")
            .with_attribute(("edgedefault", "directed"));
        graph.write_inner_content(|writer| {
            for (key, value) in written_head(witness) {
                data(writer, &key, &value)?;
            }
            match &witness.claim {
                Claim::Violation(segments) => path(writer, &witness.head, segments),
                Claim::Correctness(invariants) => states(writer, invariants),
            }
        })?;
        Ok(())
    })?;
    Ok(())
}

fn data(writer: &mut Out, key: &str, value: &str) -> io::Result<()> {
    let element = writer.create_element("data").with_attribute(("key", key));
    element.write_text_content(BytesText::new(value))?;
    Ok(())
}

fn written_head(witness: &Witness) -> Data {
    let head = &witness.head;
    let kind = match witness.claim {
        Claim::Violation(_) => "violation_witness",
        Claim::Correctness(_) => "correctness_witness",
    };
    let bits = match head.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let (name, version) = &head.producer;
    let mut all = vec![
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".to_string()),
        ("producer", format!("{name} {version}")),
        ("specification", head.specification.clone()),
    ];
    for file in &head.files {
        all.push(("programfile", file.name.clone()));
        all.push(("programhash", file.hash.clone()));
    }
    all.push(("architecture", bits.to_string()));
    all.push(("creationtime", head.time.clone()));
    let owned = |(key, value): (&str, String)| (key.to_string(), value);
    all.into_iter().map(owned).collect()
}

fn node(writer: &mut Out, id: usize, all: &[(&str, &str)]) -> io::Result<()> {
    let name = format!("N{id}");
    let element = writer
        .create_element("node")
        .with_attribute(("id", name.as_str()));
    if all.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        all.iter()
            .try_for_each(|(key, value)| data(writer, key, value))
    })?;
    Ok(())
}

fn edge(writer: &mut Out, from: usize, all: &Data) -> io::Result<()> {
    let (source, target) = (format!("N{from}"), format!("N{}", from + 1));
    let element = writer
        .create_element("edge")
        .with_attributes([("source", source.as_str()), ("target", target.as_str())]);
    element.write_inner_content(|writer| {
        all.iter()
            .try_for_each(|(key, value)| data(writer, key, value))
    })?;
    Ok(())
}

/// A path of all waypoints that are followed, in order.
fn path(writer: &mut Out, head: &Head, segments: &[Segment]) -> io::Result<()> {
    let waypoints = segments.iter().flat_map(|segment| &segment.0);
    let waypoints: Vec<&Waypoint> = waypoints.filter(|one| one.is_followed).collect();
    let has_threads = waypoints.iter().any(|one| one.thread.is_some());
    let mut edges: Vec<Data> = Vec::new();
    let mut threads = 0;
    if has_threads {
        let own = |(key, value): (&str, &str)| (key.to_string(), value.to_string());
        let first = [
            ("createThread", "0"),
            ("threadId", "0"),
            ("enterFunction", "main"),
        ];
        edges.push(first.map(own).to_vec());
    }
    for one in &waypoints {
        let mut all: Vec<(&str, String)> = Vec::new();
        let is_named = head
            .files
            .first()
            .is_some_and(|first| first.name == one.place.file);
        if !is_named {
            all.push(("originfile", one.place.file.clone()));
        }
        all.push(("startline", one.place.line.to_string()));
        all.push(("endline", one.place.line.to_string()));
        all.extend(one.thread.map(|thread| ("threadId", thread.to_string())));
        match &one.kind {
            Kind::Assumption(value) if value == "1" => {}
            Kind::Assumption(value) => {
                all.push(("assumption", value.clone()));
                let scope = one.place.function.iter();
                all.extend(scope.map(|scope| ("assumption.scope", scope.clone())));
            }
            Kind::Enter(_) => {
                threads += 1;
                all.push(("createThread", threads.to_string()));
            }
            Kind::Return(value, function) => {
                all.push(("assumption", value.clone()));
                let function = function.iter();
                all.extend(function.map(|name| ("assumption.resultfunction", name.clone())));
            }
            Kind::Branch(value) => {
                let is_true = value != "false" && value != "0";
                let control = if is_true {
                    "condition-true"
                } else {
                    "condition-false"
                };
                all.push(("control", control.to_string()));
            }
            Kind::Target => {}
        }
        let own = |(key, value): (&str, String)| (key.to_string(), value);
        edges.push(all.into_iter().map(own).collect());
        if let Kind::Enter(Some(function)) = &one.kind {
            let begins = [
                ("threadId", threads.to_string()),
                ("enterFunction", function.clone()),
            ];
            edges.push(begins.map(own).to_vec());
        }
    }
    for id in 0..=edges.len() {
        let mut marks = Vec::new();
        if id == 0 {
            marks.push(("entry", "true"));
        }
        if id == edges.len() {
            marks.push(("violation", "true"));
        }
        node(writer, id, &marks)?;
    }
    let mut edges = edges.iter().enumerate();
    edges.try_for_each(|(id, all)| edge(writer, id, all))
}

/// Nodes that have the invariants, in the order of their places.
fn states(writer: &mut Out, invariants: &[Invariant]) -> io::Result<()> {
    node(writer, 0, &[("entry", "true")])?;
    for (id, one) in (1..).zip(invariants) {
        let scope = one.place.function.as_deref();
        let mut all = vec![("invariant", one.value.as_str())];
        all.extend(scope.map(|scope| ("invariant.scope", scope)));
        node(writer, id, &all)?;
    }
    for (id, one) in invariants.iter().enumerate() {
        let line = one.place.line.to_string();
        let mut all = vec![
            ("originfile".to_string(), one.place.file.clone()),
            ("startline".to_string(), line.clone()),
            ("endline".to_string(), line),
        ];
        if one.is_loop {
            all.push(("enterLoopHead".to_string(), "true".to_string()));
        }
        edge(writer, id, &all)?;
    }
    Ok(())
}

/// Elements of a text.
#[derive(Default)]
struct Graph {
    head: Data,
    nodes: SortedMap<String, Data>,
    /// Edges: source, target, data.
    edges: Vec<(String, String, Data)>,
}

/// Element that data belong to.
enum Owner {
    Graph,
    Node(String),
    /// The last edge.
    Edge,
}

/// Reads a witness.
///
/// # Errors
/// What is wrong with the text, or is not known here.
pub fn read(text: &str) -> Result<Witness, String> {
    let graph = parse(text)?;
    let of = |key: &str| {
        let found = value(&graph.head, key);
        found.ok_or_else(|| format!("the graph has no `{key}`"))
    };
    let all = |key: &'static str| {
        let found = graph.head.iter().filter(move |(one, _)| one == key);
        found.map(|(_, value)| value.as_str())
    };
    let files = all("programfile").zip(all("programhash"));
    let files: Vec<InputFile> = files
        .map(|(name, hash)| InputFile {
            name: name.to_string(),
            hash: hash.to_lowercase(),
        })
        .collect();
    let first = files
        .first()
        .ok_or("the graph has no `programfile` with its `programhash`")?;
    let file = first.name.clone();
    let producer = of("producer")?;
    let producer = producer.rsplit_once(' ').unwrap_or((producer, ""));
    let head = Head {
        producer: (producer.0.to_string(), producer.1.to_string()),
        time: of("creationtime").unwrap_or_default().to_string(),
        specification: all("specification").collect::<Vec<_>>().join(" "),
        model: match of("architecture")? {
            "32bit" => DataModel::Ilp32,
            "64bit" => DataModel::Lp64,
            other => return Err(format!("the architecture {other} is not known")),
        },
        files,
    };
    let claim = match of("witness-type")? {
        "violation_witness" => Claim::Violation(segments(&graph, &head, &file)?),
        "correctness_witness" => Claim::Correctness(invariants(&graph, &file)?),
        other => return Err(format!("a witness of type {other} is not known")),
    };
    Ok(Witness { head, claim })
}

fn value<'d>(data: &'d Data, key: &str) -> Option<&'d str> {
    let found = data.iter().find(|(one, _)| one == key);
    found.map(|(_, value)| value.as_str())
}

fn is_true(data: &Data, key: &str) -> bool {
    value(data, key) == Some("true")
}

/// Reads all elements.
fn parse(text: &str) -> Result<Graph, String> {
    let mut reader = Reader::from_str(text);
    let mut graph = Graph::default();
    let mut owner = Owner::Graph;
    let mut key: Option<(String, String)> = None;
    let mut is_graph = false;
    loop {
        let at = reader.buffer_position();
        let told = |what: String| format!("{what}, {at} bytes into it");
        let event = reader
            .read_event()
            .map_err(|error| told(error.to_string()))?;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Eof if is_graph => return Ok(graph),
            Event::Eof => return Err("it has no graph".to_string()),
            Event::Start(start) | Event::Empty(start) => match start.local_name().as_ref() {
                "graph" => is_graph = true,
                "node" => {
                    let id = attribute(&start, "id").map_err(told)?;
                    graph.nodes.entry(id.clone()).or_default();
                    owner = match is_empty {
                        true => Owner::Graph,
                        false => Owner::Node(id),
                    };
                }
                "edge" => {
                    let source = attribute(&start, "source").map_err(told)?;
                    let target = attribute(&start, "target").map_err(told)?;
                    graph.edges.push((source, target, Data::new()));
                    owner = match is_empty {
                        true => Owner::Graph,
                        false => Owner::Edge,
                    };
                }
                "data" if !is_empty => {
                    key = Some((attribute(&start, "key").map_err(told)?, String::new()));
                }
                _ => {}
            },
            Event::Text(part) => {
                if let Some((_, value)) = &mut key {
                    value.push_str(&part);
                }
            }
            Event::CData(part) => {
                if let Some((_, value)) = &mut key {
                    value.push_str(&part);
                }
            }
            Event::GeneralRef(name) => {
                if let Some((_, value)) = &mut key {
                    let name = format!("&{};", &*name);
                    let known = unescape(&name).map_err(|error| told(error.to_string()))?;
                    value.push_str(&known);
                }
            }
            Event::End(end) => match end.local_name().as_ref() {
                "node" | "edge" => owner = Owner::Graph,
                "data" => {
                    let Some((key, value)) = key.take() else {
                        continue;
                    };
                    let entry = (key, value.trim().to_string());
                    match &owner {
                        Owner::Graph => graph.head.push(entry),
                        Owner::Node(id) => graph.nodes.entry(id.clone()).or_default().push(entry),
                        Owner::Edge => {
                            if let Some((_, _, data)) = graph.edges.last_mut() {
                                data.push(entry);
                            }
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Attribute of an element.
fn attribute(start: &BytesStart<'_>, name: &str) -> Result<String, String> {
    let found = start.try_get_attribute(name);
    let found = found.map_err(|error| error.to_string())?;
    let found = found.ok_or_else(|| format!("an element has no `{name}`"))?;
    let value = unescape(&found.value).map_err(|error| error.to_string())?;
    Ok(value.into_owned())
}

/// Waypoints of the only path.
fn segments(graph: &Graph, head: &Head, file: &str) -> Result<Vec<Segment>, String> {
    let entry = graph.nodes.iter().find(|(_, data)| is_true(data, "entry"));
    let (entry, _) = entry.ok_or("the graph has no entry")?;
    let sinks = graph.nodes.iter().filter(|(_, data)| is_true(data, "sink"));
    let sinks: SortedSet<&str> = sinks.map(|(id, _)| id.as_str()).collect();
    let mut from: SortedMap<&str, Vec<(&str, &Data)>> = SortedMap::new();
    for (source, target, data) in &graph.edges {
        if source != target && !sinks.contains(target.as_str()) {
            from.entry(source).or_default().push((target, data));
        }
    }
    let mut path: Vec<&Data> = Vec::new();
    let mut here = entry.as_str();
    loop {
        let is_end = graph
            .nodes
            .get(here)
            .is_some_and(|data| is_true(data, "violation"));
        if is_end {
            break;
        }
        let next = from.get(here).map_or(&[][..], Vec::as_slice);
        let [(target, data)] = next else {
            let what = if next.is_empty() {
                "no"
            } else {
                "more than one"
            };
            return Err(format!("{what} edge leads on from the node {here}"));
        };
        if path.len() > graph.edges.len() {
            return Err("the path comes back to where it was".to_string());
        }
        path.push(data);
        here = target;
    }
    let mut threads: Vec<&str> = Vec::new();
    let mut waypoints = Vec::new();
    for data in path {
        let created = value(data, "createThread");
        let thread = value(data, "threadId").or(created);
        let thread = thread.map(|name| numbered(&mut threads, name));
        if let Some(name) = created {
            numbered(&mut threads, name);
        }
        let Some(line) = value(data, "startline") else {
            if let Some(Waypoint {
                kind: Kind::Enter(begins),
                ..
            }) = waypoints.last_mut()
            {
                *begins = value(data, "enterFunction").map(str::to_string);
            }
            continue;
        };
        let line = line
            .parse()
            .map_err(|_| format!("`{line}` is no number of a line"))?;
        let told = |key| value(data, key).map(str::to_string);
        let kind = match (told("assumption"), told("control")) {
            _ if created.is_some() => Kind::Enter(None),
            (Some(value), _) if value.contains("\\result") => {
                Kind::Return(value, told("assumption.resultfunction"))
            }
            (Some(value), _) => Kind::Assumption(value),
            (None, Some(control)) => Kind::Branch((control == "condition-true").to_string()),
            (None, None) => Kind::begin(),
        };
        waypoints.push(Waypoint {
            kind,
            place: Place {
                file: told("originfile").unwrap_or_else(|| file.to_string()),
                line,
                column: None,
                function: told("assumption.scope"),
            },
            thread,
            is_followed: true,
        });
    }
    let targets = match waypoints.as_slice() {
        [.., one, other] if is_race(head) && one.thread != other.thread => 2,
        [_, ..] => 1,
        [] => return Err("no edge has a line".to_string()),
    };
    let last = waypoints.split_off(waypoints.len() - targets);
    let last = last.into_iter().map(|one| Waypoint {
        kind: Kind::Target,
        ..one
    });
    let one = |waypoint| Segment(vec![waypoint]);
    let mut all: Vec<Segment> = waypoints.into_iter().map(one).collect();
    all.push(Segment(last.collect()));
    Ok(all)
}

fn is_race(head: &Head) -> bool {
    head.specification.contains("data-race")
}

/// Number of a thread, by its name: in the order in which they are first named.
fn numbered<'d>(threads: &mut Vec<&'d str>, name: &'d str) -> u32 {
    let known = threads.iter().position(|one| *one == name);
    let number = known.unwrap_or_else(|| {
        threads.push(name);
        threads.len() - 1
    });
    number as u32
}

/// Invariants of nodes, each at the line of an edge that leads to it.
fn invariants(graph: &Graph, file: &str) -> Result<Vec<Invariant>, String> {
    let mut found = Vec::new();
    for (_, id, edge) in &graph.edges {
        let Some(data) = graph.nodes.get(id) else {
            continue;
        };
        let Some(invariant) = value(data, "invariant") else {
            continue;
        };
        let line = value(edge, "startline").and_then(|line| line.parse().ok());
        let line = line.ok_or_else(|| format!("the edge to the node {id} has no line"))?;
        found.push(Invariant {
            is_loop: is_true(edge, "enterLoopHead"),
            place: Place {
                file: value(edge, "originfile").unwrap_or(file).to_string(),
                line,
                column: None,
                function: value(data, "invariant.scope").map(str::to_string),
            },
            value: invariant.to_string(),
        });
    }
    Ok(found)
}
