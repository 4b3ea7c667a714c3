//! Topics that `selvedge help` explains. What a text lists comes from the tables that the program itself uses.

use super::columns::{columns, paragraphs};
use crate::base::WarningKind;
use crate::event::MemoryModel;
use crate::ir::{Check, Checks};
use crate::outcome::{Bound, exit};
use crate::session::Engine;

/// Something that is explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    Verdicts,
    Bounds,
    Schemes,
    MemoryModels,
    Checks,
    Warnings,
}

impl Topic {
    /// All of them, in the order of the help.
    pub const ALL: [Topic; 6] = [
        Topic::Verdicts,
        Topic::Bounds,
        Topic::Schemes,
        Topic::MemoryModels,
        Topic::Checks,
        Topic::Warnings,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Verdicts => "verdicts",
            Topic::Bounds => "bounds",
            Topic::Schemes => "schemes",
            Topic::MemoryModels => "memory-models",
            Topic::Checks => "checks",
            Topic::Warnings => "warnings",
        }
    }

    /// What is explained, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Topic::Verdicts => "What the last line means, and the exit codes",
            Topic::Bounds => "What is unrolled how far, and how to say so",
            Topic::Schemes => "How schedules are encoded, and by which papers",
            Topic::MemoryModels => "When other threads see a store",
            Topic::Checks => "What is looked for",
            Topic::Warnings => "What a program is warned of, and how to choose",
        }
    }

    /// The explanation, at most a screen. Ends with a newline.
    pub fn text(self) -> String {
        match self {
            Topic::Verdicts => verdicts(),
            Topic::Bounds => bounds(),
            Topic::Schemes => schemes(),
            Topic::MemoryModels => memory_models(),
            Topic::Checks => checks(),
            Topic::Warnings => warnings(),
        }
    }
}

fn verdicts() -> String {
    let forms = [
        (
            "VERIFICATION FAILED (KIND at FILE:LINE; 2 more)",
            "violating executions were found, and replayed in an interpreter",
        ),
        (
            "VERIFICATION SUCCESSFUL (complete)",
            "no execution violates anything that was asked",
        ),
        (
            "VERIFICATION SUCCESSFUL (bounded: unwind 3)",
            "none does within the limits that are named",
        ),
        (
            "VERIFICATION UNKNOWN (REASON)",
            "out of time or memory, or something that is reached is not modelled",
        ),
    ];
    let mut text = paragraphs(
        "The last line of standard output is the verdict. The line before it, `Covered: …`, says what it is about: \
         memory model, scheme, threads, and every bound.\n\n",
    );
    for (form, meaning) in forms {
        text.push_str(&format!("  {form}\n"));
        text.push_str(&columns(&[("", meaning)]));
    }
    text.push_str("\nExit codes:\n");
    let codes = exit::ALL.map(|(code, meaning)| (code.to_string(), meaning));
    let signals = [
        (libc::SIGINT, "after SIGINT"),
        (libc::SIGTERM, "after SIGTERM"),
    ];
    let signals = signals.map(|(signal, told)| (exit::after_signal(signal).to_string(), told));
    text.push_str(&columns(&[&codes[..], &signals].concat()));
    text + &paragraphs(&format!(
        "\nWith --require-complete, a bounded success exits with {}. A violation wins over unknown, unknown over \
         bounded, and bounded over complete.",
        exit::UNKNOWN
    ))
}

fn bounds() -> String {
    let rows = Bound::ALL.map(|bound| (bound.title(), bound.about()));
    let text = paragraphs(
        "A program is unrolled into finitely many steps. A bound says how far; where one cuts an execution off, the verdict \
         is `bounded` and names it. Where none does, and nothing else is left out, it is complete. The bounds, by the names that verdicts and most options have:\n\n",
    );
    text + &columns(&rows)
        + &paragraphs(
            "\nWithout --unwind, loops are unrolled 1, 2, 4, … times until nothing is cut, a violation or a proof without \
             bounds is found, or time is up. `selvedge show --stage loops FILE` numbers loops for \
             --unwindset FUNCTION.LOOP:N, which bounds single ones. --scheme modular has no bounds.",
        )
}

fn schemes() -> String {
    let mut text = paragraphs(
        "A scheme (--scheme NAME) is a way to put all schedules of a program into a question for a solver. These are there, \
         some with the papers that they are after:\n\n",
    );
    let row = |engine: &Engine| {
        let after = engine.papers().map(|papers| format!(" [{papers}]"));
        (
            engine.name(),
            engine.about().to_string() + &after.unwrap_or_default(),
        )
    };
    text.push_str(&columns(&Engine::all().iter().map(row).collect::<Vec<_>>()));
    let weak = Engine::all();
    let weak = weak.iter().filter(|engine| engine.knows(MemoryModel::Pso));
    let weak: Vec<&str> = weak.map(Engine::name).collect();
    text + &paragraphs(&format!(
        "\nStore buffers (see `selvedge help memory-models`) are known to {}. Options of single schemes stand under \
         their names in `selvedge --help`.",
        weak.join(", ")
    ))
}

fn memory_models() -> String {
    let row = |model: MemoryModel| {
        (
            model.name(),
            format!("{}: {}", model.title(), model.about()),
        )
    };
    let mut text =
        "A memory model (--memory-model NAME) says when other threads see a store:\n\n".to_string();
    text.push_str(&columns(&MemoryModel::ALL.map(row)));
    text + &paragraphs(
        "\nAn answer holds for its model alone: what is safe under sc may fail under tso, and what is safe under tso \
         under pso. Locks, read-modify-writes, seq_cst stores and fences empty the buffer of their thread.\n\n\
         Schemes that know store buffers, and what they do not know under them: `selvedge help schemes`, and the chapter on memory models of the manual.",
    )
}

fn checks() -> String {
    let mark = |check: Check| match () {
        () if Checks::DEFAULT.contains(check) => "",
        () if Checks::ALL.contains(check) => " (not by default)",
        () => " (only by its name)",
    };
    let row = |check: Check| (check.name(), format!("{}{}", check.about(), mark(check)));
    let mut text =
        "A check (--check NAME,…) is a kind of violation, which the verdict tells of:\n\n"
            .to_string();
    text.push_str(&columns(&Check::ALL.map(row)));
    text + &paragraphs(
        "\n`default` is what is looked for without --check, and `all` what does not need its name. What is undefined and not \
         asked for ends an execution; the line `Covered:` names it.",
    )
}

fn warnings() -> String {
    let row = |kind: WarningKind| {
        let mark = if kind.is_default() {
            ""
        } else {
            " (not by default)"
        };
        (kind.name(), format!("{}{mark}", kind.about()))
    };
    let mut text = paragraphs(
        "Warnings go to standard error and never change the verdict. Each ends with its name, [NAME]:\n\n",
    );
    text.push_str(&columns(&WarningKind::ALL.map(row)));
    text + &paragraphs(
        "\n--warn no-NAME,… leaves some out, --warn NAME,… adds others; all, none and default begin anew. With \
         --deny-warnings they are errors, all but unused-suppression, which is told after the answer.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_fits_on_a_screen() {
        for topic in Topic::ALL {
            let text = topic.text();
            assert!(text.lines().count() <= 35, "{text}");
            let widths = text.lines().map(|line| line.chars().count());
            assert!(widths.max() <= Some(80), "{text}");
        }
    }

    #[test]
    fn topics_list_what_there_is() {
        let lists = |topic: Topic, names: &[&str]| {
            let text = topic.text();
            for name in names {
                let row = |line: &str| line.split_whitespace().next() == Some(name);
                assert!(text.lines().any(row), "{name}: {text}");
            }
        };
        let engines = Engine::all();
        let engines: Vec<&str> = engines.iter().map(Engine::name).collect();
        lists(Topic::Schemes, &engines);
        lists(
            Topic::MemoryModels,
            &MemoryModel::ALL.map(MemoryModel::name),
        );
        lists(Topic::Checks, &Check::ALL.map(Check::name));
        lists(Topic::Warnings, &WarningKind::ALL.map(WarningKind::name));
        lists(Topic::Bounds, &Bound::ALL.map(Bound::title));
        let codes = exit::ALL.map(|(code, _)| code.to_string());
        lists(Topic::Verdicts, &codes.each_ref().map(String::as_str));
        assert!(Topic::Schemes.text().contains("Madhukar"));
    }
}
