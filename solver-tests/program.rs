//! A C program as a tree of statements, so that parts of it can be taken away.

use std::fmt::Write;

/// A statement with what is nested in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Text that stands or goes as a whole.
    Line(String),
    /// `open`, the statements, `close`: an `if`, a loop.
    Block {
        open: String,
        body: Vec<Statement>,
        close: String,
    },
    /// The same, but what is around the statements only protects them: a critical section, an atomic
    /// section, a fence (no statements).
    Guard {
        open: String,
        body: Vec<Statement>,
        close: String,
    },
}

/// A function: its head (without the brace) and body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub head: String,
    pub body: Vec<Statement>,
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Text that every program needs: includes and declarations of the verifier's functions.
    pub prelude: String,
    /// Declarations at file scope.
    pub globals: Vec<String>,
    /// In the order of definition, `main` last.
    pub functions: Vec<Function>,
}

pub fn line(text: impl Into<String>) -> Statement {
    Statement::Line(text.into())
}

pub fn lines(texts: &[&str]) -> Vec<Statement> {
    texts.iter().map(|text| line(*text)).collect()
}

pub fn block(open: impl Into<String>, body: Vec<Statement>) -> Statement {
    Statement::Block {
        open: format!("{} {{", open.into()),
        body,
        close: "}".into(),
    }
}

pub fn guard(open: impl Into<String>, body: Vec<Statement>, close: impl Into<String>) -> Statement {
    Statement::Guard {
        open: open.into(),
        body,
        close: close.into(),
    }
}

impl Program {
    /// The text.
    pub fn render(&self) -> String {
        let mut text = self.prelude.clone();
        for global in &self.globals {
            writeln!(text, "{global}").expect("strings grow");
        }
        for function in &self.functions {
            writeln!(text, "\n{} {{", function.head).expect("strings grow");
            render(&function.body, 1, &mut text);
            text.push_str("}\n");
        }
        text
    }

    /// The program without one guard, for each guard.
    pub fn weakened(&self) -> Vec<Program> {
        let mut count = 0;
        self.each_list(|list| {
            count += list
                .iter()
                .filter(|s| matches!(s, Statement::Guard { .. }))
                .count()
        });
        (0..count)
            .map(|wanted| {
                let mut program = self.clone();
                let mut next = 0;
                program.each_list_mut(&mut |list| {
                    let mut i = 0;
                    while i < list.len() {
                        if let Statement::Guard { body, .. } = &mut list[i] {
                            next += 1;
                            if next == wanted + 1 {
                                let body = std::mem::take(body);
                                list.splice(i..=i, body);
                                return;
                            }
                        }
                        i += 1;
                    }
                });
                program
            })
            .collect()
    }

    /// Smaller programs, the smallest steps last: without a run of statements, with a block replaced by
    /// its body, without a declaration or function.
    pub fn reductions(&self) -> Vec<Program> {
        let mut found = Vec::new();
        for i in 0..self.functions.len().saturating_sub(1) {
            let mut program = self.clone();
            program.functions.remove(i);
            found.push(program);
        }
        let mut lists = 0;
        let mut longest = 0;
        self.each_list(|list| {
            lists += 1;
            longest = longest.max(list.len());
        });
        let mut run = longest.next_power_of_two();
        while run > 0 {
            for wanted in 0..lists {
                let mut length = 0;
                self.nth_list(wanted, &mut |list| length = list.len());
                for start in (0..length).step_by(run) {
                    let mut program = self.clone();
                    program.nth_list_mut(wanted, &mut |list| {
                        list.drain(start..(start + run).min(list.len()));
                    });
                    found.push(program);
                }
            }
            run /= 2;
        }
        for wanted in 0..lists {
            let mut length = 0;
            self.nth_list(wanted, &mut |list| length = list.len());
            for at in 0..length {
                let mut program = self.clone();
                let mut changed = false;
                program.nth_list_mut(wanted, &mut |list| {
                    if let Statement::Block { body, .. } | Statement::Guard { body, .. } =
                        &mut list[at]
                    {
                        let body = std::mem::take(body);
                        list.splice(at..=at, body);
                        changed = true;
                    }
                });
                if changed {
                    found.push(program);
                }
            }
        }
        for i in 0..self.globals.len() {
            let mut program = self.clone();
            program.globals.remove(i);
            found.push(program);
        }
        found
    }

    fn each_list(&self, mut visit: impl FnMut(&[Statement])) {
        for function in &self.functions {
            each_list(&function.body, &mut visit);
        }
    }

    fn each_list_mut(&mut self, visit: &mut impl FnMut(&mut Vec<Statement>)) {
        for function in &mut self.functions {
            each_list_mut(&mut function.body, visit);
        }
    }

    fn nth_list(&self, wanted: usize, visit: &mut impl FnMut(&[Statement])) {
        let mut next = 0;
        self.each_list(|list| {
            if next == wanted {
                visit(list);
            }
            next += 1;
        });
    }

    fn nth_list_mut(&mut self, wanted: usize, visit: &mut impl FnMut(&mut Vec<Statement>)) {
        // Counted on the way in, so that changing a list does not renumber those before it.
        let mut next = 0;
        for function in &mut self.functions {
            nth_list_mut(&mut function.body, wanted, &mut next, visit);
        }
    }
}

fn render(list: &[Statement], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in list {
        match statement {
            Statement::Line(line) => writeln!(text, "{indent}{line}").expect("strings grow"),
            Statement::Block { open, body, close } | Statement::Guard { open, body, close } => {
                writeln!(text, "{indent}{open}").expect("strings grow");
                render(body, depth + 1, text);
                if !close.is_empty() {
                    writeln!(text, "{indent}{close}").expect("strings grow");
                }
            }
        }
    }
}

fn each_list(list: &[Statement], visit: &mut impl FnMut(&[Statement])) {
    visit(list);
    for statement in list {
        if let Statement::Block { body, .. } | Statement::Guard { body, .. } = statement {
            each_list(body, visit);
        }
    }
}

fn each_list_mut(list: &mut Vec<Statement>, visit: &mut impl FnMut(&mut Vec<Statement>)) {
    for statement in list.iter_mut() {
        if let Statement::Block { body, .. } | Statement::Guard { body, .. } = statement {
            each_list_mut(body, visit);
        }
    }
    visit(list);
}

fn nth_list_mut(
    list: &mut Vec<Statement>,
    wanted: usize,
    next: &mut usize,
    visit: &mut impl FnMut(&mut Vec<Statement>),
) {
    *next += 1;
    if *next == wanted + 1 {
        visit(list);
        return;
    }
    for statement in list {
        if let Statement::Block { body, .. } | Statement::Guard { body, .. } = statement
            && *next <= wanted
        {
            nth_list_mut(body, wanted, next, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Program {
        let body = vec![
            guard(
                "lock();",
                vec![line("x++;"), block("if (x)", vec![line("y++;")])],
                "unlock();",
            ),
            guard("fence();", vec![], ""),
        ];
        Program {
            prelude: String::new(),
            globals: vec!["int x, y;".into()],
            functions: vec![Function {
                head: "int main(void)".into(),
                body,
            }],
        }
    }

    #[test]
    fn weakening_removes_one_guard_and_nothing_else() {
        let texts: Vec<String> = sample().weakened().iter().map(Program::render).collect();
        assert_eq!(texts.len(), 2);
        assert!(
            !texts[0].contains("lock") && texts[0].contains("x++;") && texts[0].contains("fence")
        );
        assert!(texts[1].contains("unlock") && !texts[1].contains("fence"));
    }

    #[test]
    fn reductions_are_smaller_and_reach_every_statement() {
        let program = sample();
        let all = program.reductions();
        assert!(
            all.iter()
                .all(|smaller| smaller.render().len() < program.render().len())
        );
        for text in ["x++;", "y++;", "fence", "if (x)", "int x"] {
            assert!(
                all.iter().any(|smaller| !smaller.render().contains(text)),
                "{text}"
            );
        }
    }
}
