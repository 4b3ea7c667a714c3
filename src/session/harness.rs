//! Harnesses: where a program begins that has no `main` for the question, and what its threads are.

use crate::ir::lower::Entry;

/// A harness; the program's own `main`, as it is by default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Harness {
    /// The function with which execution begins, with free arguments.
    pub entry: Option<Entry>,
    /// Statements that run as threads, one beside the other, apart at `|`.
    pub threads: Option<String>,
    /// Statements before the threads are created.
    pub before: Option<String>,
    /// Statements behind their ends.
    pub behind: Option<String>,
}

/// The function that creates the threads.
const MAIN: &str = "__threads_run";

impl Harness {
    /// The function with which execution begins; `None` if that is `main`.
    pub(super) fn entry(&self) -> Option<Entry> {
        match &self.threads {
            Some(_) => Some(Entry::new(MAIN)),
            None => self.entry.clone(),
        }
    }

    /// What is said of where execution begins; `None` if the function says it.
    pub(super) fn said(&self) -> Option<String> {
        let threads = parts(self.threads.as_deref()?).ok()?;
        let threads = threads.iter().map(|part| part.trim());
        let threads: Vec<String> = threads.map(|part| format!("`{part}`")).collect();
        Some(format!("threads run {}", threads.join(" beside ")))
    }

    /// Text that is to follow that of the program's first file.
    ///
    /// # Errors
    /// Those of [`parts`].
    pub(super) fn text(&self) -> Result<Option<String>, String> {
        let Some(threads) = &self.threads else {
            return Ok(None);
        };
        let parts = parts(threads)?;
        let at = |line: usize, option: &str, text: &str| {
            format!("\n#line {line} \"--{option}\"\n{text}\n;")
        };
        let mut text = String::from(
            "\nextern int __threads_create() __asm__(\"pthread_create\"), __threads_join() __asm__(\"pthread_join\");",
        );
        let (mut created, mut joined) = (String::new(), String::new());
        for (index, part) in parts.iter().enumerate() {
            let number = index + 1;
            let part = at(number, "threads-run", part);
            text +=
                &format!("\nstatic void *__thread_{number}(void *__nothing) {{{part} return 0; }}");
            let create = format!(
                "__threads_create(&__threads[{index}], (void *)0, __thread_{number}, (void *)0)"
            );
            created += &at(number, "threads-run", &create);
            joined += &at(
                number,
                "threads-run",
                &format!("__threads_join(__threads[{index}], (void *)0)"),
            );
        }
        let given = |option, text: &Option<String>| {
            text.as_ref()
                .map_or(String::new(), |text| at(1, option, text))
        };
        let count = parts.len();
        text += &format!("\nint {MAIN}(void) {{ unsigned long __threads[{count}];");
        text += &given("init", &self.before);
        text += &created;
        text += &joined;
        text += &given("final", &self.behind);
        text += "\nreturn 0; }\n";
        Ok(Some(text))
    }
}

/// Statements of threads: apart at each `|` that is not within parentheses, brackets, braces or quotes, and no operator of
/// two characters.
///
/// # Errors
/// Parentheses, brackets, braces or quotes do not match.
pub fn parts(text: &str) -> Result<Vec<&str>, String> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut from, mut open, mut quote) = (0, Vec::new(), None);
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match (byte, quote) {
            (b'\\', Some(_)) => at += 1,
            (_, Some(begin)) if byte == begin => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(', None) => open.push(b')'),
            (b'[', None) => open.push(b']'),
            (b'{', None) => open.push(b'}'),
            (b')' | b']' | b'}', None) => {
                let opened = open.pop();
                if opened != Some(byte) {
                    let sign = char::from(byte);
                    return Err(format!("`{sign}` in `{text}` closes nothing"));
                }
            }
            (b'|', None) => match bytes.get(at + 1) {
                Some(b'|' | b'=') => at += 1,
                _ if open.is_empty() => {
                    found.push(&text[from..at]);
                    from = at + 1;
                }
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    if let Some(sign) = quote.or(open.pop()) {
        let sign = char::from(sign);
        return Err(format!("`{sign}` is missing in `{text}`"));
    }
    found.push(&text[from..]);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_apart_at_bars_that_are_no_operators() {
        let parts = |text| parts(text).unwrap();
        assert_eq!(
            parts("push(1); pop() | pop()"),
            ["push(1); pop() ", " pop()"]
        );
        assert_eq!(parts("a || b | x |= (c | d)"), ["a || b ", " x |= (c | d)"]);
        assert_eq!(parts("f('|', \"|\\\"|\") | { g | h; }").len(), 2);
        assert_eq!(parts("one"), ["one"]);
    }

    #[test]
    fn signs_that_do_not_match_are_errors() {
        for (text, wrong) in [
            ("push(1", "`)` is missing"),
            ("f(\"a)", "`\"` is missing"),
            ("} int x; {", "`}` in `} int x; {` closes nothing"),
            ("a[1)", "`)` in `a[1)` closes nothing"),
        ] {
            let found = parts(text).unwrap_err();
            assert!(found.contains(wrong), "{found}");
            let threads = Some(text.to_string());
            let harness = Harness {
                threads,
                ..Harness::default()
            };
            assert_eq!(harness.text(), Err(found));
        }
    }
}
