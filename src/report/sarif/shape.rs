//! Shape of the SARIF file: its objects, with the names of their members in the standard.

use crate::base::sorted::SortedMap;
use serde::Serialize;

#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    pub invocations: [Invocation; 1],
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub original_uri_base_ids: SortedMap<&'static str, Base>,
    pub artifacts: Vec<Artifact>,
    pub results: Vec<ResultObject>,
    pub column_kind: &'static str,
    pub properties: RunProperties,
}

#[derive(Serialize)]
pub struct Base {
    pub description: Message,
}

#[derive(Serialize)]
pub struct RunProperties {
    pub verdict: String,
    pub covered: String,
}

#[derive(Serialize)]
pub struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    pub name: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Descriptor>,
    pub notifications: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_configuration: Option<Configuration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<RuleProperties>,
}

#[derive(Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

/// Properties of a rule that code scanning of GitHub looks at.
#[derive(Serialize)]
pub struct RuleProperties {
    pub tags: [&'static str; 2],
    pub precision: &'static str,
    #[serde(rename = "problem.severity")]
    pub severity: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code_description: Option<&'static str>,
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub struct Notification {
    pub descriptor: Reference,
    pub level: &'static str,
    pub message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

#[derive(Serialize)]
pub struct Reference {
    pub id: String,
    pub index: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    pub location: ArtifactLocation,
    pub source_language: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultObject {
    pub rule_id: String,
    pub rule_index: usize,
    pub kind: &'static str,
    pub level: &'static str,
    pub message: Message,
    pub locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    pub partial_fingerprints: SortedMap<&'static str, String>,
    pub suppressions: Vec<Suppression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<ResultProperties>,
}

#[derive(Serialize)]
pub struct ResultProperties {
    pub schedule: String,
}

#[derive(Serialize)]
pub struct Suppression {
    pub kind: &'static str,
    pub justification: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Message>,
}

#[derive(Serialize)]
pub struct LogicalLocation {
    pub name: String,
    pub kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    pub thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
pub struct ThreadFlow {
    pub id: String,
    pub message: Message,
    pub locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadFlowLocation {
    pub location: Location,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub kinds: &'static [&'static str],
    pub nesting_level: usize,
    pub execution_order: usize,
    pub importance: &'static str,
}

/// A text; of a snippet, as it stands.
#[derive(Serialize)]
pub struct Message {
    pub text: String,
}
