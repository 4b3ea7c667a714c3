//! The operators `#` and `##` (C11 6.10.3.2, 6.10.3.3).

use super::lex::single;
use super::state::{Preprocessor, Stop};
use super::token::{Kind, Name, Token};

/// Longer spellings are not made, nor more bytes of them all together.
const LONGEST: usize = 1 << 20;
const MOST_BYTES: usize = 512 << 20;

impl Preprocessor<'_> {
    /// The spelling of tokens as a string.
    pub(super) fn stringify(&mut self, tokens: &[Token]) -> Name {
        let mut text = String::from("\"");
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 && token.is_apart() {
                text.push(' ');
            }
            let spelling = self.names.text(token.name);
            if matches!(token.kind, Kind::Text | Kind::Character | Kind::Unclosed) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
            if text.len() > LONGEST {
                break;
            }
        }
        text.push('"');
        if text.len() > LONGEST {
            let place = tokens.first().map_or(self.directive, |token| token.place);
            self.error(
                place,
                format!("the string of this argument is longer than {LONGEST} bytes"),
            );
            text = "\"\"".to_string();
        }
        self.names.name(&text)
    }

    /// Two tokens as one.
    pub(super) fn paste(&mut self, left: &Token, right: &Token) -> Result<Token, Stop> {
        if right.kind == Kind::Placemarker {
            return Ok(*left);
        }
        if left.kind == Kind::Placemarker {
            return Ok(Token {
                space: left.space,
                first: left.first,
                ..*right
            });
        }
        let text = [self.names.text(left.name), self.names.text(right.name)].concat();
        if text.len() > LONGEST || self.names.bytes() > MOST_BYTES {
            return Err(self.give_up(left.place, "`##` makes too long a token".to_string()));
        }
        let Some(kind) = single(&text) else {
            self.error(
                left.place,
                format!("`##` makes `{text}`, which is no token"),
            );
            return Ok(*left);
        };
        let name = self.names.name(&text);
        Ok(Token {
            kind,
            name,
            painted: false,
            ..*left
        })
    }
}
