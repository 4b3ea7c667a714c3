//! Text of a program that a generator writes.

/// Lines of C.
#[derive(Default)]
pub struct Text(String);

impl Text {
    /// Adds a line, indented by `depth` levels.
    pub fn line(&mut self, depth: usize, line: &str) {
        self.0.extend(std::iter::repeat_n("    ", depth));
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Adds whole lines.
    pub fn lines(&mut self, lines: &str) {
        self.0.push_str(lines);
    }

    /// All of it.
    pub fn into_string(self) -> String {
        self.0
    }
}
