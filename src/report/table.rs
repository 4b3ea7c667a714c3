//! Plain-text columns.

/// A table whose rows are lines of text per column.
pub struct Table {
    widths: Vec<usize>,
    text: String,
}

impl Table {
    /// A table with columns this many characters wide.
    pub fn new(widths: Vec<usize>) -> Table {
        Table {
            widths,
            text: String::new(),
        }
    }

    /// Adds a row; cells hold any number of lines and are filled up with blanks.
    pub fn row(&mut self, cells: &[Vec<String>]) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let text = &mut self.text;
            let begin = text.len();
            for (index, width) in self.widths.iter().enumerate() {
                let cell = cells
                    .get(index)
                    .and_then(|lines| lines.get(line))
                    .map_or("", String::as_str);
                text.push_str(if index == 0 { " " } else { " | " });
                text.push_str(cell);
                let room = width.saturating_sub(cell.chars().count());
                text.extend(std::iter::repeat_n(' ', room));
            }
            text.truncate(begin + text[begin..].trim_end().len());
            text.push('\n');
        }
    }

    /// Adds a line across all columns that begins with a word.
    pub fn rule(&mut self, word: &str) {
        let last = self.widths.len().saturating_sub(1);
        for (index, width) in self.widths.iter().enumerate() {
            let (lead, rest) = if index == 0 {
                (word, width + 2)
            } else {
                ("+", width + 3)
            };
            // Nothing stands behind the last column.
            let rest = rest - usize::from(index == last);
            self.text.push_str(lead);
            self.text.extend(std::iter::repeat_n(
                '-',
                rest.saturating_sub(lead.chars().count()),
            ));
        }
        self.text.push('\n');
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Breaks text into lines of at most `width` characters, at blanks where possible; lines after the first are
/// indented by `indent` more than the text itself.
pub fn wrap(text: &str, width: usize, indent: usize) -> Vec<String> {
    let own = text.len() - text.trim_start().len();
    let hanging = (own + indent).min(width / 2);
    let mut lines = Vec::new();
    let mut line = blank(own.min(width / 2));
    // Characters of the line.
    let mut long = line.len();
    let mut is_empty = true;
    for mut word in text.split_whitespace() {
        let mut size = word.chars().count();
        if !is_empty && long + 1 + size > width {
            lines.push(std::mem::replace(&mut line, blank(hanging)));
            long = hanging;
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
            long += 1;
        }
        loop {
            let room = width.saturating_sub(long).max(1);
            if size <= room {
                break;
            }
            let begin: Vec<char> = word.chars().take(room).collect();
            let begin = &begin[..cut(&begin)];
            line.extend(begin);
            word = &word[begin.iter().map(|c| c.len_utf8()).sum::<usize>()..];
            size -= begin.len();
            lines.push(std::mem::replace(&mut line, blank(hanging)));
            long = hanging;
        }
        line.push_str(word);
        long += size;
        is_empty = false;
    }
    lines.push(line);
    lines
}

fn blank(size: usize) -> String {
    " ".repeat(size)
}

/// Cut of a word that does not fit: behind a bracket or a comma in its second half, or else behind an underscore there, or at its end.
fn cut(word: &[char]) -> usize {
    let behind = |is_end: fn(&char) -> bool| {
        let at = word.iter().rposition(is_end).map(|index| index + 1);
        at.filter(|at| 2 * at >= word.len())
    };
    let at = behind(|c| matches!(c, '(' | ',' | '>' | '.'));
    at.or(behind(|c| *c == '_')).unwrap_or(word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let lines = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| text.to_string())
                .collect::<Vec<_>>()
        };
        let mut table = Table::new(vec![5, 6, 3]);
        table.row(&[lines(&["where"]), lines(&["main"]), lines(&["t1"])]);
        table.rule("");
        table.row(&[lines(&["a:1"]), lines(&["x = 1;", "  y"])]);
        table.rule("-- now");
        table.row(&[lines(&["ä:2"]), vec![], lines(&["z"])]);
        assert_eq!(
            table.finish(),
            " where | main   | t1\n\
             -------+--------+----\n \
             a:1   | x = 1; |\n       \
             |   y    |\n\
             -- now-+--------+----\n \
             ä:2   |        | z\n"
        );
    }

    #[test]
    fn wrapping_keeps_the_width_and_the_words() {
        assert_eq!(
            wrap("assert(a == b && c);", 12, 2),
            ["assert(a ==", "  b && c);"]
        );
        assert_eq!(wrap("  read x = 1", 80, 2), ["  read x = 1"]);
        assert_eq!(wrap("abcdefghij", 4, 1), ["abcd", " efg", " hij"]);
        assert_eq!(
            wrap("call(one,two,three)", 12, 2),
            ["call(one,", "  two,three)"]
        );
        assert_eq!(wrap("", 4, 1), [""]);
    }
}
