//! Macro definitions (C11 6.10.3, with GNU's named variable arguments and C23's `__VA_OPT__`).

use super::inclusions::BytePos;
use super::macros::{Definition, Macro, Piece, What};
use super::state::Preprocessor;
use super::token::{Kind, Name, Names, Token};
use crate::base::WarningKind;

type Wrong = (BytePos, String);

impl Preprocessor<'_> {
    /// `#define`, after that word.
    pub(super) fn define(&mut self, line: &[Token]) -> Result<(), Wrong> {
        let here = self.directive;
        let Some((name, rest)) = line.split_first() else {
            return Err((here, "a macro needs a name".to_string()));
        };
        self.check_macro_name(name)?;
        let is_function = rest
            .first()
            .is_some_and(|token| self.names.text(token.name) == "(" && !token.is_apart());
        let (parameters, variadic, body) = if is_function {
            let (parameters, variadic, used) = self.parameters(name, &rest[1..])?;
            (Some(parameters), variadic, &rest[1 + used..])
        } else {
            (None, false, rest)
        };
        let mut body = body.to_vec();
        if let Some(first) = body.first_mut() {
            first.space = false;
        }
        let body = pieces(&self.names, &body, parameters.as_deref(), variadic)?;
        let definition = Definition {
            parameters,
            variadic,
            body,
        };
        let old = self
            .macros
            .get(name.name.0 as usize)
            .and_then(Option::as_ref);
        let text = self.names.text(name.name);
        match old.map(std::rc::Rc::as_ref) {
            Some(Macro::Builtin(_)) => {
                self.warn(
                    WarningKind::MacroRedefined,
                    name.place,
                    format!("the built-in macro `{text}` is redefined"),
                );
            }
            Some(Macro::User(old)) if *old != definition => {
                self.warn(
                    WarningKind::MacroRedefined,
                    name.place,
                    format!("`{text}` is redefined with another body"),
                );
            }
            _ => {}
        }
        self.set_macro(name.name, Some(Macro::User(definition)));
        Ok(())
    }

    /// Check of a macro's name in `#define` and `#undef`.
    pub(super) fn check_macro_name(&self, token: &Token) -> Result<(), Wrong> {
        let text = self.names.text(token.name);
        if token.kind != Kind::Word {
            return Err((token.place, format!("`{text}` is no name of a macro")));
        }
        if matches!(text, "defined" | "__VA_ARGS__" | "__VA_OPT__") {
            return Err((token.place, format!("`{text}` cannot be a macro")));
        }
        Ok(())
    }

    /// Parameters after the parenthesis; whether the last is variadic, and how many tokens they take.
    fn parameters(
        &mut self,
        name: &Token,
        line: &[Token],
    ) -> Result<(Vec<Name>, bool, usize), Wrong> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        let mut at = 0;
        let unclosed = || {
            (
                name.place,
                "the list of parameters is not closed".to_string(),
            )
        };
        let texts: Vec<&str> = line
            .iter()
            .map(|token| self.names.text(token.name))
            .collect();
        if texts.first() == Some(&")") {
            return Ok((parameters, false, 1));
        }
        loop {
            let token = line.get(at).ok_or_else(unclosed)?;
            let text = texts[at];
            at += 1;
            if text == "..." {
                variadic = true;
                parameters.push(self.names.name("__VA_ARGS__"));
            } else if token.kind == Kind::Word && text != "__VA_ARGS__" {
                if parameters.contains(&token.name) {
                    return Err((token.place, format!("two parameters are called `{text}`")));
                }
                parameters.push(token.name);
                if texts.get(at) == Some(&"...") {
                    variadic = true;
                    at += 1;
                }
            } else {
                return Err((token.place, format!("expected a parameter, found `{text}`")));
            }
            let next = line.get(at).ok_or_else(unclosed)?;
            at += 1;
            match texts[at - 1] {
                ")" => return Ok((parameters, variadic, at)),
                "," if !variadic => {}
                other => {
                    let expected = if variadic { "`)`" } else { "`,` or `)`" };
                    return Err((next.place, format!("expected {expected}, found `{other}`")));
                }
            }
        }
    }
}

fn pieces(
    names: &Names,
    body: &[Token],
    parameters: Option<&[Name]>,
    variadic: bool,
) -> Result<Vec<Piece>, Wrong> {
    let mut pieces: Vec<Piece> = Vec::new();
    let number = |token: &Token| {
        let parameters = parameters?;
        parameters.iter().position(|name| *name == token.name)
    };
    let mut at = 0;
    while let Some(token) = body.get(at) {
        at += 1;
        let text = names.text(token.name);
        let what = match text {
            "##" | "%:%:" if token.kind == Kind::Punctuator => {
                let last = pieces.last_mut().filter(|_| at < body.len());
                let Some(last) = last else {
                    return Err((
                        token.place,
                        "`##` cannot be at an end of a macro's body".to_string(),
                    ));
                };
                last.pasted = true;
                continue;
            }
            "#" | "%:" if token.kind == Kind::Punctuator && parameters.is_some() => {
                let Some(argument) = body.get(at).and_then(number) else {
                    return Err((
                        token.place,
                        "`#` must be followed by a parameter".to_string(),
                    ));
                };
                at += 1;
                What::Text(argument)
            }
            "__VA_ARGS__" if !variadic => {
                let message = "`__VA_ARGS__` is only for macros with variable arguments";
                return Err((token.place, message.to_string()));
            }
            "__VA_OPT__" if variadic => {
                let length = group(names, &body[at..]).ok_or_else(|| {
                    (
                        token.place,
                        "`__VA_OPT__` needs tokens in parentheses".to_string(),
                    )
                })?;
                let inner = &body[at + 1..at + length - 1];
                at += length;
                What::Optional(self::pieces(names, inner, parameters, variadic)?)
            }
            _ => match number(token) {
                Some(argument) => What::Argument(argument),
                None => What::Token,
            },
        };
        pieces.push(Piece {
            what,
            token: *token,
            pasted: false,
        });
    }
    Ok(pieces)
}

/// Number of tokens of the group in parentheses that starts here.
fn group(names: &Names, tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match names.text(token.name) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}
