//! Comparison with compiled C: random programs without undefined behaviour, run by the interpreter and as the system's
//! compiler builds them (x86-64, LP64; signed overflow wraps).

mod construct;
mod expression;
mod idiom;
mod number;
mod shape;
mod statement;
mod text;
mod variadic;
mod writer;

use crate::oracle::on_a_deep_stack;
use selvedge::base::{Budget, Diagnostic};
use selvedge::event::{Cut, ThreadId};
use selvedge::ir::{self, DataModel, Operand};
use selvedge::outcome::{Limit, Verdict};
use selvedge::source::{self, Source};
use selvedge::trace::interpret::state::Status;
use selvedge::trace::interpret::{Bounds, Effect, Interpreter, Zeros};
use selvedge::verify::{Request, verify};
use selvedge::{library, syntax};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Programs that one run of the compiler takes.
pub const BATCH: u64 = 50;

/// Static integers that become inputs.
const OPENED: usize = 1;

/// Instructions that a program may take; those of a program that ends are far fewer.
const MOST_INSTRUCTIONS: usize = 20_000_000;

/// True if there is a compiler, and this machine is of its kind (x86-64, Linux).
pub fn is_available() -> bool {
    let here = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    here && Command::new("cc").arg("--version").output().is_ok()
}

/// The program of a seed as it is checked, with a `main` that has the given body after `value` is computed.
pub fn text(seed: u64, end: &str) -> String {
    format!(
        "{}{}extern void reach_error(void);\nunsigned long value;\n\
         int main(void) {{ value = p{seed}_run(); {end} return 0; }}\n",
        idiom::PRELUDE,
        writer::program(seed)
    )
}

/// The same, but some of the static integers that the program starts with are inputs, which are assumed to have the
/// values they have: the whole pipeline computes with unknowns.
pub fn open_text(seed: u64, end: &str) -> String {
    let (program, inputs) = writer::program_with_inputs(seed);
    let mut opened = String::new();
    for (name, ty) in inputs.iter().take(OPENED) {
        opened.push_str(&format!(
            " {{ unsigned long was = {name}, now = __VERIFIER_nondet_ulong(); {name} = ({ty})now;\
             __VERIFIER_assume((unsigned long){name} == was); }}"
        ));
    }
    format!(
        "{}{program}extern void reach_error(void), __VERIFIER_assume(int);\n\
         extern unsigned long __VERIFIER_nondet_ulong(void);\nunsigned long value;\n\
         int main(void) {{{opened} value = p{seed}_run(); {end} return 0; }}\n",
        idiom::PRELUDE
    )
}

/// Values that the compiled programs of these seeds compute; `Err` is what the compiler or a program said.
pub fn compiled(seeds: std::ops::Range<u64>, folder: &Path) -> Result<Vec<u64>, String> {
    let mut whole = String::from(idiom::PRELUDE);
    let mut main = String::from("int main(void) {\n");
    for seed in seeds.clone() {
        whole.push_str(&writer::program(seed));
        main.push_str(&format!("  printf(\"%lu\\n\", p{seed}_run());\n"));
    }
    whole.push_str("extern int printf(const char *, ...);\n");
    whole.push_str(&main);
    whole.push_str("  return 0;\n}\n");
    let values = run(&whole, folder)?;
    if values.len() as u64 == seeds.end - seeds.start {
        Ok(values)
    } else {
        Err(format!(
            "program {} fails",
            seeds.start + values.len() as u64
        ))
    }
}

/// The numbers that a program prints, compiled.
pub fn run(text: &str, folder: &Path) -> Result<Vec<u64>, String> {
    let (source, binary) = (folder.join("native.c"), folder.join("native"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let output = Command::new("cc")
        .args([
            "-std=gnu11",
            "-O1",
            "-fwrapv",
            "-fno-strict-aliasing",
            // GCC 12 takes 0.0 - x for -x, where x is converted from an integer, unless it has to mind the rounding.
            "-frounding-math",
            "-w",
            "-Wno-packed-bitfield-compat",
            "-o",
        ])
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let output = Command::new(&binary).output().map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect())
}

/// From text to the typed program.
pub fn read(text: &str) -> Result<ir::Program, String> {
    let source = Source::from_text("native.c", text);
    let unit = syntax::parse(&source).map_err(|e| source::render(&source, &e))?;
    let shown = |all: Vec<Diagnostic>| source::render_all(&source, &all);
    library::read(
        &[selvedge::ir::lower::Unit::alone(&unit)],
        DataModel::Lp64,
        &library::Options::default(),
    )
    .map_err(shown)
}

/// Value that the interpreter computes; `mixed` is told everything that goes into the checksum.
pub fn interpreted(text: &str, mixed: &mut dyn FnMut(u64)) -> Result<u64, String> {
    let program = read(text)?;
    let mut interpreter = Interpreter::new(&program, Bounds::default()).map_err(|(_, why)| why)?;
    let mut state = interpreter.start();
    let main = ThreadId(0);
    let mut depth = 1;
    for _ in 0..MOST_INSTRUCTIONS {
        match state.thread(main).status {
            Status::Running => {}
            Status::Ended(_) => {
                let (id, _) = program
                    .globals
                    .iter_ids()
                    .find(|(_, global)| global.name == "value")
                    .ok_or("no value")?;
                let address = interpreter.value(&state, main, Operand::GlobalAddr(id, 0));
                let (_, _, object) = interpreter.object(&state, address).ok_or("no object")?;
                let bytes = object.bytes[..8].iter().rev();
                return Ok(bytes.fold(0, |v, byte| v << 8 | u64::from(byte.unwrap_or(0))));
            }
            other => return Err(format!("{other:?}")),
        }
        let (_, loc) = interpreter.next(&state, main);
        if let Effect::Cut(why) = interpreter.execute(&mut state, main, &mut Zeros) {
            let place = Source::from_text("native.c", text).position(loc);
            let line = place.as_ref().map_or(0, |p| p.line);
            let shown = text.lines().nth(line.saturating_sub(1) as usize);
            let why = match why {
                Cut::Unsupported(reason) => reason,
                other => format!("{other:?}"),
            };
            return Err(format!(
                "{why} in line {line}: {}",
                shown.unwrap_or_default()
            ));
        }
        let (frame, frames) = (state.frame(main), state.thread(main).frames.len());
        let function = interpreter.function(frame);
        if frames > depth && function.name.ends_with("_mix") {
            mixed(frame.regs[function.params[0].0 as usize] as u64);
        }
        depth = frames;
    }
    Err("it does not end".to_string())
}

/// Check of the value by the whole pipeline, with inputs if `open`; `None` if it has no time.
pub fn verified(seed: u64, value: u64, open: bool) -> Result<Option<()>, String> {
    let text = if open { open_text } else { text };
    for (operator, violated) in [("!=", false), ("==", true)] {
        let end = format!("if (value {operator} {value}ul) reach_error();");
        let program = Arc::new(read(&text(seed, &end))?);
        let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(20));
        let verified = verify(&program, None, &Request::assertions(), &budget, &mut |_| ())
            .map_err(|e| format!("{e:?}"))?;
        match (verified.outcome.verdict, violated) {
            (Verdict::Failed, true) => {}
            (Verdict::Unknown { .. }, _) => return Ok(None),
            // Out of time while bounds rise.
            (Verdict::Successful { limits }, _) if open && is_bounded(&limits) => return Ok(None),
            (Verdict::Successful { limits }, false) if limits.is_empty() => {}
            (verdict, _) => return Err(format!("value {operator} {value}: {verdict:?}")),
        }
    }
    Ok(Some(()))
}

fn is_bounded(limits: &[Limit]) -> bool {
    let bound = |limit: &Limit| matches!(limit, Limit::Bound { .. } | Limit::LoopBudget);
    !limits.is_empty() && limits.iter().all(bound)
}

/// Compares a batch; gives what disagrees, by seed.
pub fn compare(seeds: std::ops::Range<u64>) -> Result<Vec<(u64, String)>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let values = compiled(seeds.clone(), folder.path())?;
    Ok(on_a_deep_stack(|| {
        let mut wrong = Vec::new();
        for (seed, value) in seeds.zip(values) {
            match interpreted(&text(seed, ""), &mut |_| ()) {
                Ok(own) if own == value => {}
                Ok(own) => wrong.push((seed, format!("{own} instead of {value}"))),
                Err(why) => wrong.push((seed, why)),
            }
        }
        wrong
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier::programs;

    #[test]
    fn programs_compute_what_they_compute_compiled() {
        if !is_available() {
            crate::tier::skipped("programs as they are compiled", "no C compiler for x86-64");
            return;
        }
        for from in (0..programs(2 * BATCH)).step_by(BATCH as usize) {
            let wrong = compare(from..from + BATCH).unwrap();
            assert!(wrong.is_empty(), "{wrong:#?}");
        }
    }

    #[test]
    fn what_programs_compute_is_verified() {
        on_a_deep_stack(|| {
            for seed in 0..4 {
                let value = interpreted(&text(seed, ""), &mut |_| ()).unwrap();
                assert_eq!(verified(seed, value, false), Ok(Some(())), "seed {seed}");
            }
        });
    }
}
