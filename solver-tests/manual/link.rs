//! Links of a Markdown text, and whether they lead somewhere.

use std::path::Path;

/// Targets of the links of a text, outside of code, each with its line.
pub fn targets(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        // Parts of a line at odd places are in code.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("x");
        for (start, _) in prose.match_indices("](") {
            let rest = &prose[start + 2..];
            if let Some(end) = rest.find(')') {
                found.push((index + 1, rest[..end].to_string()));
            }
        }
    }
    found
}

/// Checks a target of a document; places on the web are not looked at.
///
/// # Errors
/// There is no such file or heading, or a chapter leads out of the manual, where its page would find nothing.
pub fn check(root: &Path, document: &str, target: &str) -> Result<(), String> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return Ok(());
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    let file = match file {
        "" => Path::new(document).to_path_buf(),
        file => folder.join(file),
    };
    if document.starts_with("manual/") && target.starts_with("..") {
        return Err("leads out of the manual".to_string());
    }
    let path = root.join(&file);
    if !path.exists() {
        return Err("there is no such file".to_string());
    }
    let Some(anchor) = anchor else {
        return Ok(());
    };
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let mut is_code = false;
    let mut headings = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code && line.starts_with('#')
    });
    if headings.any(|heading| id(heading) == anchor) {
        return Ok(());
    }
    Err("there is no such heading".to_string())
}

/// Name of a heading in addresses.
fn id(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.collect()
}

#[test]
fn links_are_found_outside_of_code() {
    let text = "see [a](b.md#c) and `[x](y)`\n```sh\n[d](e)\n```\n![p](q.svg)\n";
    let expected = [(1, "b.md#c".to_string()), (5, "q.svg".to_string())];
    assert_eq!(targets(text), expected);
    assert_eq!(
        id("## What `x --y` means, in short"),
        "what-x---y-means-in-short"
    );
}
