//! Directives (C11 6.10), with GNU's `#include_next`, `#warning`, `#ident` and line markers.

use super::inclusions::BytePos;
use super::state::{Condition, Guard, Preprocessor, Stop};
use super::token::{Kind, Name, Token};
use crate::base::WarningKind;

impl Preprocessor<'_> {
    /// Does what the directive after a `#` says. A pragma is handed on as a token.
    pub(super) fn directive(&mut self, hash: &Token) -> Result<Option<Token>, Stop> {
        self.directive = hash.place;
        let Some(word) = self.lex_in_line() else {
            return Ok(None);
        };
        let text = self.names.text(word.name);
        let conditional = matches!(text, "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif");
        if !conditional {
            self.leave_guard();
        }
        let mut token = None;
        match text {
            "include" | "import" => self.include(text == "import", false)?,
            "include_next" => self.include(false, true)?,
            "define" => {
                let line = self.line();
                if let Err((place, message)) = self.define(&line) {
                    self.error(place, message);
                }
            }
            "undef" => {
                if let Some(name) = self.macro_name() {
                    self.set_macro(name, None);
                }
            }
            "if" | "ifdef" | "ifndef" => self.begin_condition(text)?,
            "elif" | "elifdef" | "elifndef" | "else" => self.next_group(text, word.place)?,
            "endif" => self.end_condition(word.place),
            "line" => self.line_directive()?,
            "error" => {
                let message = self.rest_of_line();
                self.error(hash.place, format!("#error {message}"));
            }
            "warning" => {
                let message = self.rest_of_line();
                let text = format!("#warning {message}");
                self.warn(WarningKind::UserWarning, hash.place, text);
            }
            "pragma" => token = self.pragma(hash),
            "ident" | "sccs" | "assert" | "unassert" => {}
            _ if word.kind == Kind::Number => {
                let line = self.line();
                self.rename(&[&[word][..], &line].concat());
            }
            "embed" => self.error(
                word.place,
                "`#embed` is not supported; write the bytes as an initialiser, or as a string literal".to_string(),
            ),
            _ => self.error(word.place, format!("there is no directive `#{text}`")),
        }
        // What is left of the line says nothing, as in `#endif NAME`. After an inclusion, the file is another.
        if !matches!(text, "include" | "import" | "include_next") {
            self.rest_of_line();
        }
        Ok(token)
    }

    fn begin_condition(&mut self, word: &str) -> Result<(), Stop> {
        let place = self.directive;
        let holds = match word {
            "if" => {
                let line = self.line();
                self.enter_guard(self.negated_definition(&line));
                self.condition(&line)?
            }
            _ => {
                let name = self.macro_name();
                self.enter_guard(name.filter(|_| word == "ifndef"));
                name.is_some_and(|name| self.is_defined(name)) == (word == "ifdef")
            }
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.conditions.push(Condition {
                place,
                taken: holds,
                last: false,
            });
        }
        if holds { Ok(()) } else { self.skip() }
    }

    /// `#else` and its like after a group that was part of the program: nothing more is.
    fn next_group(&mut self, word: &str, place: BytePos) -> Result<(), Stop> {
        let condition = self.frames.last_mut().and_then(|frame| {
            if frame.conditions.len() == 1 {
                frame.guard = Guard::No;
            }
            frame.conditions.last_mut()
        });
        let Some(condition) = condition else {
            self.error(place, format!("`#{word}` without `#if`"));
            return Ok(());
        };
        let after_last = condition.last;
        condition.last |= word == "else";
        if after_last {
            self.error(place, format!("`#{word}` after `#else`"));
        }
        self.skip()
    }

    fn end_condition(&mut self, place: BytePos) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if frame.conditions.pop().is_none() {
            self.error(place, "`#endif` without `#if`".to_string());
        } else if frame.conditions.is_empty()
            && let Guard::Inside(name) = frame.guard
        {
            frame.guard = Guard::After(name);
        }
    }

    /// Skips groups until one is part of the program, or the condition ends.
    fn skip(&mut self) -> Result<(), Stop> {
        let mut inner = 0usize;
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Ok(());
            };
            match frame.lexer.skip_to_directive() {
                // The end of the file tells what is missing.
                Ok(None) => return Ok(()),
                Ok(Some(place)) => self.directive = place,
                Err(place) => {
                    self.error(place, "this comment is never closed".to_string());
                    self.end_lexing();
                    return Ok(());
                }
            }
            let Some(word) = self.lex_in_line() else {
                continue;
            };
            let text = self.names.text(word.name);
            match text {
                "if" | "ifdef" | "ifndef" => inner += 1,
                "endif" if inner > 0 => inner -= 1,
                "endif" => {
                    self.end_condition(word.place);
                    self.rest_of_line();
                    return Ok(());
                }
                "else" | "elif" | "elifdef" | "elifndef"
                    if inner == 0 && self.enters_group(text, word.place)? =>
                {
                    self.rest_of_line();
                    return Ok(());
                }
                _ => {}
            }
            self.rest_of_line();
        }
    }

    /// True if the group after this directive (`#else`, `#elif` and its like) is part of the program, where the one
    /// before was not.
    fn enters_group(&mut self, word: &str, place: BytePos) -> Result<bool, Stop> {
        let condition = self.frames.last_mut().and_then(|frame| {
            if frame.conditions.len() == 1 {
                frame.guard = Guard::No;
            }
            frame.conditions.last_mut()
        });
        let Some(condition) = condition else {
            return Ok(true);
        };
        let (taken, after_last) = (condition.taken, condition.last);
        condition.last |= word == "else";
        if after_last {
            self.error(place, format!("`#{word}` after `#else`"));
            return Ok(false);
        }
        if taken {
            return Ok(false);
        }
        let holds = match word {
            "else" => true,
            "elif" => {
                let line = self.line();
                self.condition(&line)?
            }
            _ => {
                let name = self.macro_name();
                name.is_some_and(|name| self.is_defined(name)) == (word == "elifdef")
            }
        };
        if let Some(condition) = self
            .frames
            .last_mut()
            .and_then(|frame| frame.conditions.last_mut())
        {
            condition.taken = holds;
        }
        Ok(holds)
    }

    /// Conditions that the end of a file leaves open: an error for each.
    pub(super) fn check_conditions(&mut self, conditions: &[Condition]) {
        for condition in conditions {
            self.error(
                condition.place,
                "this condition has no `#endif`".to_string(),
            );
        }
    }

    /// A condition that is `!defined NAME` guards a file as `#ifndef NAME` does.
    fn negated_definition(&self, line: &[Token]) -> Option<Name> {
        let texts: Vec<&str> = line
            .iter()
            .map(|token| self.names.text(token.name))
            .collect();
        match texts[..] {
            ["!", "defined", _] => Some(line[2].name),
            ["!", "defined", "(", _, ")"] => Some(line[3].name),
            _ => None,
        }
    }

    /// The first directive of a file: if it guards it, remembers the name.
    fn enter_guard(&mut self, name: Option<Name>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.guard = match (frame.guard, name) {
                (Guard::Start, Some(name)) => Guard::Inside(name),
                (Guard::Inside(name), _) => Guard::Inside(name),
                _ => Guard::No,
            };
        }
    }

    /// Something of the file is outside of its guard.
    pub(super) fn leave_guard(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && !matches!(frame.guard, Guard::Inside(_))
        {
            frame.guard = Guard::No;
        }
    }

    /// The name after `#ifdef`, `#undef`, ….
    fn macro_name(&mut self) -> Option<Name> {
        let checked = match self.lex_in_line() {
            None => Err((self.directive, "a macro's name is missing".to_string())),
            Some(token) => self.check_macro_name(&token).map(|()| token.name),
        };
        match checked {
            Ok(name) => Some(name),
            Err((place, message)) => {
                self.error(place, message);
                None
            }
        }
    }

    /// `#line`.
    fn line_directive(&mut self) -> Result<(), Stop> {
        let line = self.line();
        let tokens = self.expand_alone(&line)?;
        self.rename(&tokens);
        Ok(())
    }

    /// Changes the number of the next line and the file's name.
    fn rename(&mut self, tokens: &[Token]) {
        let text = |at: usize| {
            tokens
                .get(at)
                .map_or("", |token| self.names.text(token.name))
        };
        let number = text(0)
            .parse::<u32>()
            .ok()
            .filter(|_| text(0).bytes().all(|byte| byte.is_ascii_digit()));
        let name = match tokens.get(1).map(|token| token.kind) {
            None => Ok(None),
            Some(Kind::Text) if text(1).starts_with('"') => {
                let inner = text(1).trim_matches('"');
                Ok(Some(inner.replace("\\\"", "\"").replace("\\\\", "\\")))
            }
            Some(_) => Err(()),
        };
        let (Some(number), Ok(name)) = (number, name) else {
            let place = self.directive;
            self.error(
                place,
                "expected a line number, and the name of a file in quotes".to_string(),
            );
            return;
        };
        if let Some(frame) = self.frames.last() {
            self.inclusions
                .rename(frame.lexer.place(), number, name.as_deref());
        }
    }

    /// `#pragma`: what concerns preprocessing is done, everything else is handed on.
    fn pragma(&mut self, hash: &Token) -> Option<Token> {
        let lexer = self.frames.last()?.lexer.clone();
        let line = self.line();
        let texts: Vec<&str> = line
            .iter()
            .map(|token| self.names.text(token.name))
            .collect();
        match texts[..] {
            ["once"] => {
                self.mark_once();
                None
            }
            ["GCC", "system_header" | "poison" | "dependency", ..] => None,
            [word @ ("push_macro" | "pop_macro"), "(", text, ")"] => {
                let name = self.names.name(text.trim_matches('"'));
                if word == "push_macro" {
                    let now = self.find_macro(name);
                    self.saved.entry(name).or_default().push(now);
                } else if let Some(before) = self.saved.get_mut(&name).and_then(Vec::pop) {
                    self.set_macro(name, before.as_deref().cloned());
                }
                None
            }
            _ => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.lexer = lexer;
                }
                let line = format!("#pragma {}", self.rest_of_line());
                let name = self.names.name(&line);
                Some(Token {
                    kind: Kind::Pragma,
                    name,
                    ..*hash
                })
            }
        }
    }

    /// The rest of the directive's line.
    pub(super) fn line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        while let Some(token) = self.lex_in_line() {
            line.push(token);
        }
        line
    }

    fn lex_in_line(&mut self) -> Option<Token> {
        let token = self.frames.last_mut()?.lexer.next(&mut self.names, true)?;
        if token.kind == Kind::UnclosedComment {
            self.error(token.place, "this comment is never closed".to_string());
            return None;
        }
        Some(token)
    }

    fn rest_of_line(&mut self) -> String {
        self.frames.last_mut().map_or(String::new(), |frame| {
            frame.lexer.rest_of_line().to_string()
        })
    }
}
