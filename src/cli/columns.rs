//! Text for people, in lines of at most 80 characters.

/// The most characters of a line.
const WIDTH: usize = 80;

/// Rows of a name and what it stands for, in two columns, indented by two blanks. Ends with a newline unless it is empty.
pub fn columns<N: AsRef<str>, T: AsRef<str>>(rows: &[(N, T)]) -> String {
    let names = rows.iter().map(|(name, _)| name.as_ref().chars().count());
    let indent = names.max().unwrap_or(0) + 4;
    let row = |(name, text): &(N, T)| {
        let text = indented(text.as_ref(), indent);
        let name = format!("  {:<width$}", name.as_ref(), width = indent - 2);
        name + text.trim_start()
    };
    rows.iter().map(row).collect()
}

/// Paragraphs, with their lines broken.
pub fn paragraphs(text: &str) -> String {
    text.lines().map(|line| indented(line, 0)).collect()
}

/// A line, broken and indented. Ends with a newline.
fn indented(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            line.push_str(word);
        } else if indent + line.chars().count() + 1 + word.chars().count() <= WIDTH {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    let blanks = " ".repeat(indent);
    let line = |line: &String| format!("{}\n", format!("{blanks}{line}").trim_end());
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_and_lines_broken() {
        let long = "word ".repeat(20);
        let text = columns(&[("a", long.as_str()), ("bcd", "short")]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("  a    word word"), "{text}");
        assert!(lines[1].starts_with("       word"), "{text}");
        assert_eq!(lines.last(), Some(&"  bcd  short"));
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(paragraphs("a\n\nb\n"), "a\n\nb\n");
    }
}
