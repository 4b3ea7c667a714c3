//! Answers for several levels of a scheme's own bound by one solver (`--levels`, the chains of a sweep) are those of runs with one
//! bound each: on random programs, whose loops and threads may need more than a level has, and on programs with a known answer.

#[cfg(test)]
mod tests {
    use crate::command::{Folder, LOST};
    use crate::generate::{generate, weak};
    use crate::oracle::{Fault, Skip, on_a_deep_stack};
    use crate::tier::{programs, start};
    use selvedge::settings::{Mu, Variant};
    use selvedge::{
        Budget, Checks, Engine, MemoryModel, Options, Outcome, Request, Scheme, Session,
    };

    /// Chains: the scheme, the option for its bound, and the levels.
    fn chains(seed: u64, memory: MemoryModel) -> Vec<(Scheme, &'static str, Vec<u32>)> {
        let variant = Variant::ALL[seed as usize % Variant::ALL.len()];
        let lazy = Scheme::named("lazy").expect("it is a scheme");
        let levels = match seed % 3 {
            0 => vec![1, 2, 4],
            1 => vec![2, 3],
            _ => vec![1, 2, 3, 4],
        };
        let writes = levels.iter().map(|level| 2 * level - 1).collect();
        let clocks = levels.iter().map(|level| level + 1).collect();
        let mut two_rounds = lazy;
        two_rounds.set("rounds", "2").expect("it is an option");
        let all = [
            (lazy, "rounds", levels),
            (Mu::of(variant).into(), "writes", writes),
            (two_rounds, "max-clock", clocks),
        ];
        let can = |(scheme, option, _): &(Scheme, &str, _)| {
            scheme.knows(memory) && (*option != "max-clock" || memory.is_weak())
        };
        all.into_iter().filter(can).collect()
    }

    fn fault(kind: &str, details: String) -> Fault {
        let kind = kind.into();
        Fault { kind, details }
    }

    /// TSO: the reader sees neither of two writes, then the first alone, after the writer has read something older. So they reach memory at two
    /// moments after that, and the clock's bound has to be 3.
    const TWO_BATCHES: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int x, y, z, seen;
void *reader(void *p) {
    z = 1;
    atomic_thread_fence(memory_order_seq_cst);
    int before = x, first = x, second = y;
    if (before == 0 && first == 1 && second == 0) {
        seen = 1;
        atomic_thread_fence(memory_order_seq_cst);
    }
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    x = 1;
    y = 1;
    int begun = z, known = seen;
    assert(begun || !known);
}
";

    /// A program, whose assertions are asked about.
    fn parsed(text: &str) -> Result<Session, Fault> {
        let options = Options {
            checks: Checks::ASSERT,
            ..Options::default()
        };
        Session::parse("chain.c", text, &options).map_err(|why| fault("input", why.to_string()))
    }

    /// Comparison of a chain along the clock with single runs, on the program with two batches.
    fn compare_batches() -> Result<Result<(usize, usize), Skip>, Fault> {
        let session = parsed(TWO_BATCHES)?;
        let request = Request {
            unwind: Some(1),
            memory: MemoryModel::Tso,
            ..Request::assertions()
        };
        let mut lazy = Scheme::named("lazy").expect("it is a scheme");
        lazy.set("rounds", "3").expect("it is an option");
        let answered = compare_chain(&session, &request, &(lazy, "max-clock", vec![2, 3, 4]))?;
        Ok(Ok((answered, 3)))
    }

    /// Parts of an outcome that a table shows. Of several places where something is undefined, a solver may name any.
    fn shown(outcome: &Outcome) -> String {
        let Outcome {
            verdict, coverage, ..
        } = outcome;
        let (bounds, asserted) = (&coverage.bounds, coverage.assertions_reachable);
        let verdict = format!("{verdict:?}");
        let kinds = verdict
            .split("Loc(")
            .map(|part| match part.split_once(')') {
                Some((_, rest)) if part.starts_with(|c: char| c.is_ascii_digit()) => rest,
                _ => part,
            });
        let kinds: String = kinds.collect();
        format!("{kinds} {bounds:?} {asserted:?} {}", coverage.scheme)
    }

    /// Number of levels that a chain has answered, all as single runs do.
    fn compare_chain(
        session: &Session,
        request: &Request,
        (scheme, option, levels): &(Scheme, &'static str, Vec<u32>),
    ) -> Result<usize, Fault> {
        let chain = Request {
            engine: Engine::Scheme(*scheme),
            levels: levels.clone(),
            levels_of: Some((*option).to_string()),
            ..request.clone()
        };
        let mut told: Vec<Outcome> = Vec::new();
        let answer = session.verify(&chain, &Budget::unlimited(), &mut |progress| {
            told.extend(progress.outcome.cloned());
        });
        answer.map_err(|why| fault("chain", why.to_string()))?;
        for (level, outcome) in levels.iter().zip(&told) {
            let mut scheme = *scheme;
            let set = scheme.set(option, &level.to_string());
            set.map_err(|why| fault("option", why))?;
            let single = Request {
                engine: Engine::Scheme(scheme),
                ..request.clone()
            };
            let answer = session.verify(&single, &Budget::unlimited(), &mut |_| ());
            let answer = answer.map_err(|why| fault("single", why.to_string()))?;
            let (single, chained) = (shown(&answer.outcome), shown(outcome));
            if single != chained {
                let details = format!("{option} {level}: single {single}\nchained {chained}");
                return Err(fault("answer", details));
            }
        }
        Ok(told.len())
    }

    /// Numbers of levels of all chains of a program that are answered, and that there are.
    fn compare(seed: u64) -> Result<Result<(usize, usize), Skip>, Fault> {
        let memory = match seed % 8 {
            3 => MemoryModel::Tso,
            7 => MemoryModel::Pso,
            _ => MemoryModel::Sc,
        };
        let program = if memory.is_weak() {
            weak::generate(seed)
        } else {
            generate(seed)
        };
        let session = parsed(&program.render())?;
        let request = Request {
            unwind: Some(1 + seed as u32 % 3),
            memory,
            first: !seed.is_multiple_of(5),
            ..Request::assertions()
        };
        let (mut answered, mut all) = (0, 0);
        for chain in chains(seed, memory) {
            answered += compare_chain(&session, &request, &chain)?;
            all += chain.2.len();
        }
        Ok(Ok((answered, all)))
    }

    #[test]
    fn chains_answer_as_single_runs_do() {
        let (first, count) = (start(), programs(60));
        let (mut answered, mut all) = (0, 0);
        for seed in first..first + count {
            match on_a_deep_stack(|| compare(seed)) {
                Ok(Ok((own, of))) => {
                    answered += own;
                    all += of;
                }
                Ok(Err(skip)) => println!("seed {seed}: {skip:?}"),
                Err(fault) => panic!("seed {seed}: {fault:?}"),
            }
        }
        println!("{answered} of {all} levels are answered");
        assert!(3 * answered >= all, "{answered} of {all}");
    }

    /// The second answer is the violation, and the last.
    #[test]
    fn violations_need_the_clock_that_they_need() {
        assert!(matches!(compare_batches(), Ok(Ok((2, 3)))));
    }

    /// Every deliberate error of chains shows in a random program, or in the one that needs a clock of 3.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_chains_is_caught() {
        use selvedge::base::faults::record::{Campaign, seeds};
        let mut programs = seeds(6000);
        let random = programs.len();
        programs.push("batches".to_string());
        let campaign = Campaign {
            name: "chains",
            faults: crate::campaigns::of_kind("CHAINS", ()),
            programs,
        };
        campaign.run(|_, (), number| {
            let compared = match number {
                number if number < random => compare(number as u64),
                _ => compare_batches(),
            };
            crate::faults::agreement(compared)
        });
    }

    #[test]
    fn levels_are_lines_of_json_up_to_the_first_violation() {
        let folder = Folder::new(&[("lost.c", LOST)]);
        let words = "lost.c --scheme lazy --unwind 1 --levels 1,2,3 --levels-json l.jsonl --check assert --first";
        let run = folder.run(&words.split(' ').collect::<Vec<_>>());
        run.ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
        let text = std::fs::read_to_string(folder.path("l.jsonl")).unwrap();
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let verdicts: Vec<String> = lines.map(|line| line["verdict"].to_string()).collect();
        assert_eq!(verdicts, ["\"successful\"", "\"failed\""]);
        for (words, told) in [
            (
                "--scheme lazy --levels 1,2 --levels-json l.jsonl",
                "--unwind says how often",
            ),
            ("--scheme lazy --unwind 1 --levels 1,2", "need each other"),
            (
                "--scheme order --unwind 1 --levels 1 --levels-json l.jsonl",
                "no bound that rises",
            ),
            (
                "--scheme order --unwind 1 --levels 1 --levels-of rounds --levels-json l.jsonl",
                "no bound that rises by --rounds",
            ),
            (
                "--scheme lazy --memory-model tso --unwind 1 --levels 2,3 --levels-of max-clock --levels-json l.jsonl",
                "--rounds is one number",
            ),
            (
                "--scheme lazy --memory-model tso --unwind 1 --rounds 1..2 --levels 2,3 --levels-of max-clock --levels-json l.jsonl",
                "--rounds is one number",
            ),
            (
                "--scheme lazy --memory-model tso --unwind 1 --rounds 2 --levels 1,2 --levels-of max-clock --levels-json l.jsonl",
                "no formula in common with others below 2",
            ),
            (
                "--scheme lazy --unwind 1 --rounds 2 --levels 2,3 --levels-of max-clock --levels-json l.jsonl",
                "--max-clock is about store buffers",
            ),
            (
                "--scheme lazy --unwind 1 --levels-of rounds",
                "which are not given",
            ),
            (
                "--unwind 1 --levels 1 --levels-json l.jsonl",
                "only schemes have a bound",
            ),
            (
                "--scheme lazy --unwind 1 --levels 2,1 --levels-json l.jsonl",
                "they ascend",
            ),
            (
                "--scheme lazy --unwind 1 --levels 1,2 --levels-json l.jsonl --check race",
                "one bound at a time",
            ),
        ] {
            let words: Vec<&str> = ["lost.c"].into_iter().chain(words.split(' ')).collect();
            folder.run(&words).refused(1, told);
        }
        assert!(
            !folder.path("l.jsonl").exists(),
            "what is of an earlier run is not left"
        );
    }
}
