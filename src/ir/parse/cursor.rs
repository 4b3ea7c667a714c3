//! A line of a printed program, token by token.

use super::lex::{Token, lex};

/// The tokens of one line that are still to be read.
pub(super) struct Cursor {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
}

impl Cursor {
    /// The line from its start.
    pub fn new(line: &str) -> Result<Cursor, String> {
        Ok(Cursor {
            tokens: lex(line)?.into_iter().peekable(),
        })
    }

    /// The next token.
    pub fn peek(&mut self) -> Option<&Token> {
        self.tokens.peek()
    }

    /// True at the end of the line.
    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Message that something else stands here.
    pub fn expected(&mut self, what: &str) -> String {
        match self.peek() {
            Some(token) => format!("expected {what}, found {token}"),
            None => format!("expected {what}, found the end of the line"),
        }
    }

    /// The end of the line.
    pub fn end(&mut self) -> Result<(), String> {
        if self.is_at_end() {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    /// Reads a sign if it stands here.
    pub fn eat(&mut self, sign: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Sign(sign)).is_some()
    }

    /// Reads a sign.
    pub fn sign(&mut self, sign: &'static str) -> Result<(), String> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{sign}`")))
        }
    }

    /// Reads a keyword if it stands here.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let is_word = |token: &Token| matches!(token, Token::Word(found) if found == word);
        self.tokens.next_if(is_word).is_some()
    }

    /// Reads a keyword.
    pub fn keyword(&mut self, word: &str) -> Result<(), String> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{word}`")))
        }
    }

    /// Reads a word.
    pub fn word(&mut self, what: &str) -> Result<String, String> {
        match self.tokens.next_if(|token| matches!(token, Token::Word(_))) {
            Some(Token::Word(word)) => Ok(word),
            _ => Err(self.expected(what)),
        }
    }

    /// Reads a word that has a meaning.
    pub fn named<T>(
        &mut self,
        what: &str,
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Result<T, String> {
        let found = match self.peek() {
            Some(Token::Word(word)) => meaning(word),
            _ => None,
        };
        self.take(found, what)
    }

    /// Reads a number.
    pub fn number<T: TryFrom<u128>>(&mut self, what: &str) -> Result<T, String> {
        let found = match self.peek() {
            Some(Token::Number(number)) => T::try_from(*number).ok(),
            _ => None,
        };
        self.take(found, what)
    }

    /// Goes on behind a token that has this value.
    fn take<T>(&mut self, value: Option<T>, what: &str) -> Result<T, String> {
        let value = value.ok_or_else(|| self.expected(what))?;
        self.tokens.next();
        Ok(value)
    }

    /// Reads a quoted text.
    pub fn text(&mut self, what: &str) -> Result<String, String> {
        match self.tokens.next_if(|token| matches!(token, Token::Text(_))) {
            Some(Token::Text(text)) => Ok(text),
            _ => Err(self.expected(what)),
        }
    }

    /// Reads an id: a letter and a number.
    pub fn id(&mut self, letter: char, what: &str) -> Result<u32, String> {
        self.named(what, |word| number_of(word, letter))
    }

    /// True if an id of this letter stands here.
    pub fn is_id(&mut self, letter: char) -> bool {
        matches!(self.peek(), Some(Token::Word(word)) if number_of(word, letter).is_some())
    }

    /// Reads items with commas between them, up to the sign that ends them.
    pub fn list<T>(
        &mut self,
        end: &'static str,
        mut item: impl FnMut(&mut Cursor) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        while !self.eat(end) {
            if !items.is_empty() {
                self.sign(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

/// The number of an id.
fn number_of(word: &str, letter: char) -> Option<u32> {
    word.strip_prefix(letter)?.parse().ok()
}
