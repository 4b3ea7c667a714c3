//! Comparison of an output with what a document shows of it.

/// Compares what is shown with an output. Lines that are `…` stand for any number of lines; all others follow each other. Of
/// numbers before units of time and memory, and of the room between words, nothing is compared.
///
/// # Errors
/// The first line that is not there.
pub fn compare(shown: &str, output: &str) -> Result<(), String> {
    let shown: Vec<String> = shown.trim_end().lines().map(plain).collect();
    let output: Vec<String> = output.trim_end().lines().map(plain).collect();
    let mut at = 0;
    for (index, part) in shown.split(|line| line == "…").enumerate() {
        let is_first = index == 0;
        if part.is_empty() {
            continue;
        }
        let starts = if is_first { 0..1 } else { at..output.len() };
        let fits = |start: &usize| output[*start..].starts_with(part);
        let missing = || {
            let known = |line: &&String| !output.contains(line);
            let line = part.iter().find(known).unwrap_or(&part[0]);
            format!("not in the output, or elsewhere: `{line}`")
        };
        at = starts.into_iter().find(fits).ok_or_else(missing)? + part.len();
    }
    let is_open = shown.last().is_some_and(|line| line == "…");
    if at < output.len() && !is_open {
        return Err(format!("the output goes on: `{}`", output[at]));
    }
    Ok(())
}

/// A line without what differs from machine to machine.
fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let mut plain = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let unit = words
            .get(index + 1)
            .map(|next| next.trim_end_matches([',', ';', ')']));
        let measured = is_number(word) && matches!(unit, Some("s" | "ms" | "MB"));
        plain.push(if measured { "N" } else { word });
    }
    plain.join(" ")
}

#[test]
fn gaps_are_only_where_they_are_shown() {
    let output = "a\nb 0.25 s\nc\nd";
    for shown in [
        "a\n…\nd",
        "a\nb 7 s\nc\nd",
        "…\nc\nd",
        "a\n…",
        "…\nb   0.1 s\n…",
    ] {
        assert_eq!(compare(shown, output), Ok(()), "{shown}");
    }
    for shown in [
        "a\nd",
        "b 0.25 s\nc\nd",
        "a\nb 0.25 s\nc",
        "…\nd\n…\nc\n…",
        "a\n…\ne",
    ] {
        assert!(compare(shown, output).is_err(), "{shown}");
    }
}
