//! Records as comma-separated values: a line each, with a column for each axis that some record has a value on.

use super::axis::Axis;
use super::record::Record;

/// The text of the file.
pub fn csv(records: &[Record]) -> String {
    let has = |axis: &&Axis| {
        records
            .iter()
            .any(|one| one.point.value(axis.name).is_some())
    };
    let axes: Vec<&str> = Axis::all()
        .iter()
        .filter(has)
        .map(|axis| axis.name)
        .collect();
    let mut heading = vec!["file", "scheme"];
    heading.extend(&axes);
    heading.extend([
        "verdict",
        "complete",
        "asserted",
        "implied_by",
        "chained",
        "cpu_ms",
        "wall_ms",
        "peak_memory_bytes",
        "events",
        "terms",
        "variables",
        "clauses",
        "line",
        "content",
        "options",
        "limits",
        "version",
    ]);
    let mut text = line(heading.into_iter().map(str::to_string));
    for one in records {
        let value = |axis: &&str| {
            one.point
                .value(axis)
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        let verdict = serde_json::to_value(one.verdict).unwrap_or_default();
        let mut cells = vec![one.file.clone(), one.point.scheme.clone()];
        cells.extend(axes.iter().map(value));
        cells.extend([
            verdict.as_str().unwrap_or_default().to_string(),
            one.complete.to_string(),
            one.asserted.map(|it| it.to_string()).unwrap_or_default(),
            one.implied_by
                .as_ref()
                .map(|by| by.name())
                .unwrap_or_default(),
            one.chained.to_string(),
        ]);
        let numbers = [
            one.cpu_ms,
            one.wall_ms,
            one.peak_memory_bytes,
            one.events,
            one.terms,
            one.variables,
            one.clauses,
        ];
        cells.extend(numbers.map(|number| number.to_string()));
        let texts = [
            &one.line,
            &one.content,
            &one.options,
            &one.limits,
            &one.version,
        ];
        cells.extend(texts.map(String::clone));
        text += &line(cells);
    }
    text
}

/// A line (RFC 4180): cells with a comma, a quote or a line break are in quotes.
fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells
        .into_iter()
        .map(|cell| match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        });
    cells.collect::<Vec<String>>().join(",") + "\n"
}
