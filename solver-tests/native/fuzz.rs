//! `scripts/fuzz --native`: random sequential programs against the compiler until stopped.

use crate::native::{BATCH, compare, interpreted, is_available, run, text, verified};
use crate::oracle::on_a_deep_stack;
use std::process::ExitCode;
use std::time::Instant;

/// Every so many programs go through the whole pipeline as well.
const VERIFIED: u64 = 10;

/// Compares programs until stopped; `show` prints one and what it computes instead.
pub fn fuzz(from: u64, count: u64, show: Option<u64>) -> ExitCode {
    if !is_available() {
        eprintln!("there is no C compiler for x86-64");
        return ExitCode::from(1);
    }
    if let Some(seed) = show {
        return explain(seed);
    }
    let start = Instant::now();
    let (mut found, mut through, mut with_inputs) = (0, 0, 0);
    let mut at = from;
    let end = from.saturating_add(count);
    while at < end {
        let batch = at..(at + BATCH).min(end);
        at = batch.end;
        match compare(batch.clone()) {
            Ok(wrong) => {
                for (seed, why) in wrong {
                    found += 1;
                    println!("seed {seed}: {why}");
                }
            }
            Err(why) => {
                found += 1;
                println!("seeds {batch:?}: {why}");
            }
        }
        for seed in batch.filter(|seed| seed % VERIFIED == 0) {
            let outcome = on_a_deep_stack(|| {
                let value = interpreted(&text(seed, ""), &mut |_| ())?;
                let folded = verified(seed, value, false)?;
                Ok::<_, String>((folded, verified(seed, value, true)?))
            });
            match outcome {
                Ok((folded, open)) => {
                    through += usize::from(folded.is_some());
                    with_inputs += usize::from(open.is_some());
                }
                Err(why) => {
                    found += 1;
                    println!("seed {seed}: verified: {why}");
                }
            }
        }
        println!(
            "{} programs, {through} verified as well ({with_inputs} with inputs), {found} findings, {} s",
            at - from,
            start.elapsed().as_secs()
        );
    }
    ExitCode::from(u8::from(found > 0))
}

/// Prints a program, and the first number in which the two checksums differ.
fn explain(seed: u64) -> ExitCode {
    let text = text(seed, "");
    println!("{text}");
    let mut own = Vec::new();
    let outcome = on_a_deep_stack(|| interpreted(&text, &mut |value| own.push(value)));
    let mix = format!("p{seed}_mix(unsigned long v) {{");
    let printing = format!("{mix} extern int printf(const char *, ...); printf(\"%lu\\n\", v);");
    let native = tempfile::tempdir()
        .map_err(|e| e.to_string())
        .and_then(|folder| run(&text.replace(&mix, &printing), folder.path()));
    match native {
        Err(why) => println!("// {why}"),
        Ok(native) => {
            let same = own.iter().zip(&native).take_while(|(a, b)| a == b).count();
            println!(
                "// {outcome:?}; {} and {} numbers, the first {same} agree, then {:?} and {:?}",
                own.len(),
                native.len(),
                own.get(same),
                native.get(same)
            );
        }
    }
    ExitCode::SUCCESS
}
