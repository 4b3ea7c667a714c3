//! Macro expansion on a stack of pending tokens (C11 6.10.3).
//!
//! An expansion goes back in front of the tokens that follow, with a mark behind it, and is looked at again. Until the
//! mark is read the macro is disabled: a word that names it is painted, and never expanded from then on. An argument
//! is expanded by itself, where its parameter is not beside `#` or `##`.
//!
//! This is what compilers do. The hide sets of D. Prosser's algorithm, from which the standard's words were made, say
//! the same except where a call is put together from inside and outside of a macro; there they would stop the
//! deferred calls with which programs write recursive macros.

use super::inclusions::BytePos;
use super::macros::{Builtin, Definition, Macro, Piece, What};
use super::state::{Preprocessor, Stop};
use super::token::{Kind, Name, Token};
use std::rc::Rc;

/// Calls in arguments of calls, at most.
const DEEPEST: usize = 200;
/// Tokens that macros may make, all together.
const MOST_TOKENS: usize = 40_000_000;

/// An argument of a call.
struct Argument {
    tokens: Vec<Token>,
    expanded: Option<Vec<Token>>,
    /// No argument was given, not even an empty one (only of variable arguments).
    omitted: bool,
}

impl Preprocessor<'_> {
    /// The macro of a name.
    pub(super) fn find_macro(&self, name: Name) -> Option<Rc<Macro>> {
        self.macros.get(name.0 as usize)?.clone()
    }

    pub(super) fn set_macro(&mut self, name: Name, what: Option<Macro>) {
        let index = name.0 as usize;
        if self.macros.len() <= index {
            self.macros.resize(index + 1, None);
        }
        self.macros[index] = what.map(Rc::new);
    }

    /// The next token that no macro takes.
    pub(super) fn next_expanded(&mut self) -> Result<Option<Token>, Stop> {
        while let Some(token) = self.next_raw()? {
            match token.kind {
                Kind::EndOfFile => {}
                Kind::Word if !token.painted && self.expand(&token)? => {}
                _ => return Ok(Some(token)),
            }
        }
        Ok(None)
    }

    /// The next token as it stands: a pending one, or of the file.
    pub(super) fn next_raw(&mut self) -> Result<Option<Token>, Stop> {
        while self.pending.len() > self.floor
            && let Some(mut token) = self.pending.pop()
        {
            if token.kind != Kind::EndOfMacro {
                // Also where it becomes part of an argument.
                token.painted |= token.kind == Kind::Word && self.is_disabled(token.name);
                return Ok(Some(token));
            }
            self.enable(token.name);
        }
        if self.from_file {
            return self.next_from_file();
        }
        Ok(None)
    }

    fn is_disabled(&self, name: Name) -> bool {
        self.disabled
            .get(name.0 as usize)
            .is_some_and(|open| *open > 0)
    }

    fn disable(&mut self, name: Name) {
        let index = name.0 as usize;
        if self.disabled.len() <= index {
            self.disabled.resize(index + 1, 0);
        }
        self.disabled[index] += 1;
    }

    fn enable(&mut self, name: Name) {
        self.disabled[name.0 as usize] -= 1;
    }

    /// Expands tokens by themselves.
    pub(super) fn expand_alone(&mut self, tokens: &[Token]) -> Result<Vec<Token>, Stop> {
        self.alone(tokens, |pre| {
            let mut out = Vec::new();
            while let Some(token) = pre.next_expanded()? {
                out.push(token);
            }
            Ok(out)
        })
    }

    /// Does `work` while these tokens, and nothing behind them, are what is read.
    pub(super) fn alone<T>(
        &mut self,
        tokens: &[Token],
        work: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (floor, from_file) = (self.floor, self.from_file);
        self.floor = self.pending.len();
        self.from_file = false;
        self.pending.extend(tokens.iter().rev());
        self.depth += 1;
        let result = if self.depth > DEEPEST {
            let place = tokens.first().map_or(self.directive, |token| token.place);
            Err(self.give_up(
                place,
                format!("calls of macros nest more than {DEEPEST} deep"),
            ))
        } else {
            work(self)
        };
        self.depth -= 1;
        // After an error, something may be left.
        while self.pending.len() > self.floor
            && let Some(token) = self.pending.pop()
        {
            if token.kind == Kind::EndOfMacro {
                self.enable(token.name);
            }
        }
        (self.floor, self.from_file) = (floor, from_file);
        result
    }

    /// Puts what a word expands to in front, if it is a macro that may be expanded here.
    fn expand(&mut self, token: &Token) -> Result<bool, Stop> {
        let Some(found) = self.find_macro(token.name) else {
            return Ok(false);
        };
        let definition = match &*found {
            Macro::Builtin(builtin) => return self.expand_builtin(token, *builtin),
            Macro::User(definition) => definition,
        };
        let mut arguments = Vec::new();
        if let Some(parameters) = &definition.parameters {
            // A directive between a name and its parenthesis means that there is no call.
            self.stops_at_directive = true;
            let next = self.next_raw();
            self.stops_at_directive = false;
            let next = next?.filter(|next| next.kind != Kind::EndOfFile);
            let open =
                |next: &Token| next.kind == Kind::Punctuator && self.names.text(next.name) == "(";
            if !next.as_ref().is_some_and(open) {
                self.pending.extend(next);
                return Ok(false);
            }
            let Some(given) = self.arguments(token, definition)? else {
                return Ok(true);
            };
            let Some(fitted) = self.fitted(token, definition, parameters.len(), given) else {
                return Ok(true);
            };
            arguments = fitted;
        }
        let mut out = self.substitute(
            &definition.body,
            definition.variadic,
            &mut arguments,
            token.place,
        )?;
        out.retain(|one| one.kind != Kind::Placemarker);
        if let Some(first) = out.first_mut() {
            (first.space, first.first) = (token.space, token.first);
        } else if token.is_apart() {
            // The white space before a macro that becomes nothing still separates.
            let next = self.pending[self.floor..].iter_mut().rev();
            if let Some(next) = next.into_iter().find(|one| one.kind != Kind::EndOfMacro) {
                next.space = true;
            }
        }
        self.spend(out.len() + 1, token.place)?;
        self.disable(token.name);
        self.pending.push(Token {
            kind: Kind::EndOfMacro,
            ..*token
        });
        self.pending.extend(out.into_iter().rev());
        Ok(true)
    }

    /// Counts tokens that macros make.
    fn spend(&mut self, tokens: usize, place: BytePos) -> Result<(), Stop> {
        self.made += tokens;
        if self.made > MOST_TOKENS {
            return Err(self.give_up(
                place,
                format!("macros expand to more than {MOST_TOKENS} tokens"),
            ));
        }
        Ok(())
    }

    /// The arguments of a call after its parenthesis; `None` if it does not close, which has been told.
    fn arguments(
        &mut self,
        call: &Token,
        definition: &Definition,
    ) -> Result<Option<Vec<Vec<Token>>>, Stop> {
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        let mut count = 0;
        loop {
            let token = self
                .next_raw()?
                .filter(|token| token.kind != Kind::EndOfFile);
            let Some(token) = token else {
                let name = self.names.text(call.name);
                self.error(
                    call.place,
                    format!("the arguments of the macro `{name}` are not closed"),
                );
                return Ok(None);
            };
            count += 1;
            if count > MOST_TOKENS / 8 {
                return Err(self.give_up(
                    call.place,
                    "the arguments of this macro do not end".to_string(),
                ));
            }
            if token.kind == Kind::Pragma {
                continue;
            }
            if token.kind == Kind::Punctuator {
                match self.names.text(token.name) {
                    "(" => depth += 1,
                    ")" if depth == 0 => return Ok(Some(arguments)),
                    ")" => depth -= 1,
                    "," if depth == 0
                        && !(definition.variadic && arguments.len() == parameters) =>
                    {
                        arguments.push(Vec::new());
                        continue;
                    }
                    _ => {}
                }
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
    }

    /// As many arguments as there are parameters, or an error.
    fn fitted(
        &mut self,
        call: &Token,
        definition: &Definition,
        parameters: usize,
        mut arguments: Vec<Vec<Token>>,
    ) -> Option<Vec<Argument>> {
        if parameters == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        let omitted = definition.variadic && arguments.len() + 1 == parameters;
        // A single list of variable arguments that is empty counts as omitted in GNU C.
        let empty = definition.variadic && parameters == 1 && arguments.iter().all(Vec::is_empty);
        if omitted {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters {
            let name = self.names.text(call.name);
            let given = arguments.len();
            self.error(
                call.place,
                format!("the macro `{name}` takes {parameters} arguments, {given} are given"),
            );
            return None;
        }
        let last = parameters.wrapping_sub(1);
        let argument = |(index, tokens): (usize, Vec<Token>)| Argument {
            tokens,
            expanded: None,
            omitted: index == last && (omitted || empty),
        };
        Some(arguments.into_iter().enumerate().map(argument).collect())
    }

    /// The body with its arguments; placemarkers are left where arguments are empty.
    fn substitute(
        &mut self,
        body: &[Piece],
        variadic: bool,
        arguments: &mut [Argument],
        place: BytePos,
    ) -> Result<Vec<Token>, Stop> {
        let mut out: Vec<Token> = Vec::new();
        let mut paste = false;
        for (at, piece) in body.iter().enumerate() {
            let last = arguments.len().wrapping_sub(1);
            let beside = paste || piece.pasted;
            // GNU C: a comma before `##` and variable arguments goes if there are none, and is not pasted.
            let after_comma = paste
                && variadic
                && matches!(piece.what, What::Argument(number) if number == last)
                && !piece.pasted
                && self.names.text(body[at - 1].token.name) == ","
                && body[at - 1].what == What::Token;
            if after_comma {
                if arguments[last].omitted {
                    out.pop();
                }
                paste = false;
            }
            let mut tokens = match &piece.what {
                What::Token => vec![Token {
                    place,
                    ..piece.token
                }],
                What::Text(number) => {
                    let name = self.stringify(&arguments[*number].tokens);
                    let kind = Kind::Text;
                    vec![Token {
                        kind,
                        name,
                        place,
                        ..piece.token
                    }]
                }
                What::Argument(number) if beside => arguments[*number].tokens.clone(),
                What::Argument(number) => self.expanded(&mut arguments[*number])?,
                What::Optional(inner) => {
                    if self.expanded(&mut arguments[last])?.is_empty() {
                        Vec::new()
                    } else {
                        let mut tokens = self.substitute(inner, variadic, arguments, place)?;
                        tokens.retain(|one| one.kind != Kind::Placemarker);
                        tokens
                    }
                }
            };
            if let Some(first) = tokens.first_mut() {
                (first.space, first.first) = (piece.token.is_apart(), false);
            } else {
                let kind = Kind::Placemarker;
                tokens.push(Token {
                    kind,
                    place,
                    ..piece.token
                });
            }
            self.spend(tokens.len(), place)?;
            if paste && let Some(left) = out.pop() {
                tokens[0] = self.paste(&left, &tokens[0])?;
            }
            out.append(&mut tokens);
            paste = piece.pasted;
        }
        Ok(out)
    }

    /// An argument with its macros expanded.
    fn expanded(&mut self, argument: &mut Argument) -> Result<Vec<Token>, Stop> {
        if let Some(known) = &argument.expanded {
            return Ok(known.clone());
        }
        let tokens = self.expand_alone(&argument.tokens)?;
        argument.expanded = Some(tokens.clone());
        Ok(tokens)
    }

    /// Expands a macro whose value depends on the place.
    fn expand_builtin(&mut self, token: &Token, builtin: Builtin) -> Result<bool, Stop> {
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let (kind, text) = match builtin {
            Builtin::Line => (Kind::Number, self.inclusions.line(token.place).to_string()),
            Builtin::File => (Kind::Text, quoted(&self.inclusions.file(token.place))),
            Builtin::BaseFile => (Kind::Text, quoted(&self.base_file)),
            Builtin::FileName => {
                let file = self.inclusions.file(token.place);
                (Kind::Text, quoted(file.rsplit('/').next().unwrap_or(&file)))
            }
            Builtin::IncludeLevel => (Kind::Number, self.include_level().to_string()),
            Builtin::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            // The same program gives the same bytes at any time.
            Builtin::Date => (Kind::Text, "\"Jan  1 1970\"".to_string()),
            Builtin::Time => (Kind::Text, "\"00:00:00\"".to_string()),
            Builtin::Timestamp => (Kind::Text, "\"Thu Jan  1 00:00:00 1970\"".to_string()),
            Builtin::Pragma => return self.pragma_operator(token),
            _ => return Ok(false),
        };
        self.spend(1, token.place)?;
        let name = self.names.name(&text);
        self.pending.push(Token {
            kind,
            name,
            ..*token
        });
        Ok(true)
    }

    /// `_Pragma("…")` (C11 6.10.9).
    fn pragma_operator(&mut self, token: &Token) -> Result<bool, Stop> {
        let mut parts = Vec::new();
        for _ in 0..3 {
            match self.next_raw()? {
                Some(part) if part.kind != Kind::EndOfFile => parts.push(part),
                _ => break,
            }
        }
        let text = |at: usize| parts.get(at).map_or("", |part| self.names.text(part.name));
        if parts.len() < 3 || text(0) != "(" || text(2) != ")" || parts[1].kind != Kind::Text {
            self.error(
                token.place,
                "`_Pragma` takes a string in parentheses".to_string(),
            );
            self.pending.extend(parts.into_iter().rev());
            return Ok(true);
        }
        let string = text(1).trim_start_matches(['L', 'u', 'U', '8']);
        let inner = string
            .trim_matches('"')
            .replace("\\\"", "\"")
            .replace("\\\\", "\\");
        let line = format!("#pragma {}", inner.replace(['\n', '\r'], " ").trim());
        let name = self.names.name(&line);
        self.pending.push(Token {
            kind: Kind::Pragma,
            name,
            ..*token
        });
        Ok(true)
    }
}
