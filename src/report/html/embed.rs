//! Data within a page: JSON that no text of a program can end.

use serde::Serialize;

/// JSON for a `<script>` element. Nothing in it ends the element or begins a comment: `<`, `>` and `&` are written as escapes, and so are
/// the line separators that scripts of old take for ends of lines.
pub fn json(data: &impl Serialize) -> String {
    // Structures with string keys: there is nothing that could not be written.
    let text = serde_json::to_string(data).unwrap_or_default();
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn no_text_ends_the_script() {
        let texts = [
            "</script><script>alert(1)</script>",
            "<!-- & -->",
            "a\u{2028}b\"\\",
        ];
        let written = json(&texts);
        assert!(!written.contains(['<', '>', '&', '\u{2028}']), "{written}");
        let read: Vec<String> = serde_json::from_str(&written).expect("it is JSON");
        assert_eq!(read, texts);
    }
}
