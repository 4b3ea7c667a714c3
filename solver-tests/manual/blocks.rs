//! Fenced blocks of a Markdown text.

/// A fenced block.
pub struct Block {
    /// What stands behind the fence (`sh`, `text`, `c`), up to a comma.
    pub kind: String,
    pub text: String,
    /// Line of the fence, from 1.
    pub line: usize,
}

impl Block {
    /// The commands of a block of shell, without comments; a line that ends with a backslash goes on.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let mut goes_on = false;
        self.text.lines().map(str::trim).filter(move |line| {
            let begins = !goes_on;
            goes_on = line.ends_with('\\');
            begins && !line.is_empty() && !line.starts_with('#')
        })
    }
}

/// The blocks of a text, in order.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), is_open) {
            (Some(kind), false) => {
                let kind = kind
                    .split(',')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_string();
                blocks.push(Block {
                    kind,
                    text: String::new(),
                    line: index + 1,
                });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => {
                if let Some(block) = blocks.last_mut() {
                    block.text += line;
                    block.text.push('\n');
                }
            }
            (None, false) => {}
        }
    }
    assert!(!is_open, "a block has no end");
    blocks
}

#[test]
fn blocks_have_kinds_and_commands() {
    let text = "a\n```sh\n# why\nselvedge a.c \\\n  --first\n```\n```text,ignore\nx\n```\n";
    let found = blocks(text);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].kind.as_str(), found[0].line), ("sh", 2));
    assert_eq!(found[0].commands().collect::<Vec<_>>(), ["selvedge a.c \\"]);
    assert_eq!(
        (found[1].kind.as_str(), found[1].text.as_str()),
        ("text", "x\n")
    );
}
