//! Content hash, which tells one program text from another.

use crate::base::fnv::fnv;

/// Names a preprocessed text by 128 bits in hexadecimal. Line markers do not count: they name folders, some of them temporary.
pub fn content(text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !is_marker(line));
    format!("{:032x}", fnv(lines.flat_map(str::bytes)))
}

fn is_marker(line: &str) -> bool {
    line.strip_prefix("# ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(content(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(content("a"), "d228cb696f1a8caf78912b704e4a8964");
        let text = "# 1 \"/tmp/1/a.c\"\nint x;\n# 7\nint y;\n";
        assert_eq!(content(text), content("int x;\nint y;\n"));
    }
}
