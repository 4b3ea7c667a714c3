//! Deliberate errors of all stages by kind, and the campaigns of tests that catch each kind.

use selvedge::base::faults::Fault;

/// Campaigns (`faults/seeds.txt`) that have programs for each kind of faults.
const KINDS: [(&str, &[&str]); 35] = [
    // Errors of the encodings.
    ("ENCODING", &["events", "programs"]),
    // Errors of the search for all violations of several checks.
    ("CHECKS", &["checks"]),
    // Errors of bounds that rise, which loops of different depths show.
    ("LEVELS", &["levels"]),
    // Errors of cubes, and of clauses that solvers share.
    (
        "CUBES",
        &["cubes", "cubes-of-cells", "cubes-together", "sharing"],
    ),
    // Errors of checks that programs with and without a defect show.
    ("DEFECTS", &["defects"]),
    // Errors that were made once, which the programs that failed then show.
    ("SHRUNK", &["shrunk"]),
    // Errors of the check of misuse, which pairs of programs show.
    ("MISUSE", &["misuse"]),
    // Errors of the check of leaks, which pairs of programs show.
    ("LEAKS", &["leaks"]),
    // Errors of `lazy` that only numbers of rounds show, or that it has tests of its own for.
    ("ROUNDS", &["rounds"]),
    // Errors of `mu`, which has tests of its own.
    (
        "UNWINDING",
        &[
            "programs",
            "unwinding-fine-explicit",
            "unwinding-fine-implicit",
            "unwinding-fine-mixed",
            "unwinding-inter",
            "unwinding-intra",
        ],
    ),
    // Errors of the library's models.
    ("LIBRARY", &["library", "programs"]),
    // Errors of models that give what the system may give, which no random program asks for.
    ("ANSWERS", &["library"]),
    // Errors of symbolic execution about machine addresses, and of the interpreter.
    ("ADDRESSES", &["addresses"]),
    ("MACHINE", &["addresses"]),
    // Errors of symbolic execution about objects that only their threads know, or main alone.
    ("HEAP", &["heap"]),
    // Errors of symbolic execution about addresses, which accesses show that the enumeration executes.
    ("POINTS", &["points"]),
    // Errors of symbolic execution, and of what is left out before it.
    ("SYMEX", &["points", "programs"]),
    // Errors about threads that are alike, which random event programs show.
    ("SYMMETRY", &["twins"]),
    // Errors of store buffers that are lists with stamps.
    ("LISTS", &["lists"]),
    // Errors of weak memory models, in encodings: programs under such a model show them.
    ("MEMORY", &["events-weak", "weak"]),
    // Errors of the front end and of the models of texts, which sequential programs show.
    ("LANGUAGE", &["language"]),
    // Errors of the search for invariants and of k-induction.
    ("SYSTEMS", &["systems", "systems-induction"]),
    // Errors of automata, which unbounded proofs show.
    ("MODULAR", &["modular"]),
    // Errors of verification thread by thread.
    ("LEARNING", &["modular"]),
    // Errors of races in automata, which programs with and without a race show.
    ("RACING", &["racing"]),
    // Errors of deadlocks in automata, which programs with and without one show.
    ("STUCK", &["blocked"]),
    // Errors of deadlocks in encodings and models, which programs with and without one show.
    ("DEADLOCKS", &["deadlocks"]),
    // Errors of lockstep, and of what it knows besides.
    ("LOCKSTEP", &["lockstep"]),
    // Errors of families of threads.
    ("FAMILIES", &["families"]),
    // Errors of the check of certificates, which changed ones show.
    ("CERTIFICATE", &["certificates"]),
    // Errors of announcements and looks, which pairs of programs with and without a race show.
    ("WATCHES", &["watches"]),
    // Errors of the analysis of races, which its own programs show (`race/tests`).
    ("RACES", &["races"]),
    // Errors of levels that one solver answers one after the other.
    ("CHAINS", &["chains"]),
    // Errors of what answers of a sweep imply (`sweep/tests.rs`).
    ("PRUNING", &["pruning"]),
    // Errors of floating-point arithmetic.
    ("FLOAT", &["floats"]),
];

/// The deliberate errors of all stages.
fn all() -> Vec<Fault> {
    [
        selvedge::term::faults::Fault::ALL,
        selvedge::sat::faults::Fault::ALL,
        selvedge::pdr::faults::Fault::ALL,
        selvedge::ir::faults::Fault::ALL,
        selvedge::library::faults::Fault::ALL,
        selvedge::race::faults::Fault::ALL,
        selvedge::exec::faults::Fault::ALL,
        selvedge::symex::faults::Fault::ALL,
        selvedge::transition::faults::Fault::ALL,
        selvedge::reduce::faults::Fault::ALL,
        selvedge::relation::faults::Fault::ALL,
        selvedge::scheme::faults::Fault::ALL,
        selvedge::question::faults::Fault::ALL,
        selvedge::trace::faults::Fault::ALL,
        selvedge::modular::faults::Fault::ALL,
        selvedge::verify::faults::Fault::ALL,
        selvedge::sweep::faults::Fault::ALL,
    ]
    .concat()
}

/// The deliberate errors of a kind, each with what a campaign has to know of it.
#[cfg(feature = "faults")]
pub fn of_kind<T: Copy>(kind: &str, more: T) -> Vec<(Fault, T)> {
    let faults = all().into_iter().filter(|fault| fault.kind() == kind);
    let faults: Vec<_> = faults.map(|fault| (fault, more)).collect();
    assert!(!faults.is_empty(), "no fault is of {kind}");
    faults
}

#[test]
fn every_fault_that_a_stage_declares_is_gathered() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut declared = Vec::new();
    for stage in std::fs::read_dir(root).unwrap() {
        let path = stage.unwrap().path().join("faults.rs");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        // `Name = "name",`
        let name = |line: &str| Some(line.split_once(" = \"")?.1.strip_suffix("\",")?.to_string());
        declared.extend(text.lines().filter_map(name));
    }
    declared.sort_unstable();
    let mut gathered: Vec<&str> = all().into_iter().map(Fault::name).collect();
    gathered.sort_unstable();
    assert_eq!(declared, gathered);
    gathered.dedup();
    assert_eq!(declared.len(), gathered.len(), "two faults have one name");
}

#[test]
fn every_fault_is_of_one_kind_that_campaigns_catch() {
    let listed = |kind: &str| KINDS.iter().filter(|(name, _)| *name == kind).count();
    for fault in all() {
        assert_eq!(listed(fault.kind()), 1, "{fault:?}");
    }
    for (kind, _) in KINDS {
        let is_used = all().iter().any(|fault| fault.kind() == kind);
        assert!(is_used, "no fault is of {kind}");
    }
}

/// Every fault that there is has a program that is recorded to show it, in a campaign of its kind and in no other but those of
/// kinds of goals, which try errors of reductions once more.
#[cfg(feature = "faults")]
#[test]
fn every_fault_has_a_record() {
    let record = selvedge::base::faults::record::read();
    let mut wrong = Vec::new();
    for (kind, campaigns) in KINDS {
        for (fault, ()) in of_kind(kind, ()) {
            let own = record.keys().filter(|(_, name)| name == fault.name());
            let own = own.map(|(campaign, _)| campaign.as_str());
            let of_goals = |campaign: &&str| campaign.starts_with(crate::goals::CAMPAIGN);
            let own: Vec<&str> = own.filter(|campaign| !of_goals(campaign)).collect();
            if own.is_empty() || !own.iter().all(|campaign| campaigns.contains(campaign)) {
                wrong.push(format!("{} of {kind}: {own:?}", fault.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
