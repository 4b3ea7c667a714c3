use super::grid::Cell;
use super::journal::JournalError;
use super::record::{Record, SCHEMA};
use super::swept::CellState;
use super::*;
use std::time::Duration;

/// Two rounds of lazy and order, unwind 1 to 3, of one program.
fn grid() -> Grid {
    let lazy = |rounds| Row::new("lazy", vec![("rounds", Setting::Number(rounds))]);
    Grid {
        inputs: vec![Input {
            name: "a.c".to_string(),
            path: "a.c".into(),
            content: content("text"),
            options: vec!["--64".into()],
        }],
        rows: vec![Row::new("order", Vec::new()), lazy(1), lazy(2)],
        unwind: vec![1, 2, 3],
        limits: Limits {
            cpu: Some(Duration::from_secs(5)),
            words: vec!["--timeout".into(), "5".into()],
            ..Limits::default()
        },
        jobs: 1,
        prune: true,
    }
}

fn cell(row: usize, column: usize) -> Cell {
    Cell {
        input: 0,
        row,
        column,
    }
}

fn record(grid: &Grid, cell: Cell, verdict: Verdict, complete: bool) -> Record {
    Record {
        verdict,
        complete,
        cpu_ms: 120,
        line: "VERIFICATION …".to_string(),
        ..Record::new(grid, cell)
    }
}

/// States with one cell that was run.
fn states(grid: &Grid, at: Cell, verdict: Verdict, complete: bool) -> Vec<CellState> {
    let mut states = vec![CellState::Open; grid.len()];
    states[grid.index(at)] = CellState::Run {
        record: Box::new(record(grid, at, verdict, complete)),
        earlier: false,
    };
    states
}

#[test]
fn violations_and_complete_answers_imply_larger_cells_of_their_scheme() {
    let grid = grid();
    for (verdict, complete) in [(Verdict::Failed, false), (Verdict::Successful, true)] {
        let states = states(&grid, cell(1, 1), verdict, complete);
        for other in grid.cells() {
            let larger = other.row >= 1 && other.column >= 1 && other != cell(1, 1);
            let expected = larger.then_some(verdict);
            assert_eq!(prune::implied(&grid, &states, other), expected, "{other:?}");
        }
        let all = Grid {
            prune: false,
            ..grid.clone()
        };
        assert_eq!(prune::implied(&all, &states, cell(2, 2)), None);
    }
}

#[test]
fn bounded_and_unknown_answers_imply_nothing_and_bad_input_everything() {
    let grid = grid();
    for verdict in [Verdict::Successful, Verdict::Unknown, Verdict::Error] {
        let states = states(&grid, cell(0, 0), verdict, false);
        assert!(
            grid.cells()
                .all(|other| prune::implied(&grid, &states, other).is_none())
        );
    }
    let states = states(&grid, cell(2, 2), Verdict::Input, false);
    assert_eq!(
        prune::implied(&grid, &states, cell(0, 0)),
        Some(Verdict::Input)
    );
}

#[test]
fn cells_are_numbered_as_they_are_listed() {
    let mut grid = grid();
    grid.inputs.push(grid.inputs[0].clone());
    let numbers: Vec<usize> = grid.cells().map(|cell| grid.index(cell)).collect();
    assert_eq!(numbers, (0..18).collect::<Vec<_>>());
}

#[test]
fn a_journal_gives_back_what_answers_the_same_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let grid = grid();
    let journal = Journal::open(&path, false).unwrap();
    journal
        .append(&record(&grid, cell(0, 0), Verdict::Failed, false))
        .unwrap();
    journal
        .append(&record(&grid, cell(0, 1), Verdict::Unknown, false))
        .unwrap();
    journal
        .append(&record(&grid, cell(0, 2), Verdict::Error, false))
        .unwrap();
    assert!(matches!(
        Journal::open(&path, false),
        Err(JournalError::Exists(_))
    ));
    let journal = Journal::open(&path, true).unwrap();
    let found = |grid: &Grid, column| journal.find(grid, cell(0, column)).is_some();
    assert_eq!(
        [0, 1, 2].map(|column| found(&grid, column)),
        [true, true, false]
    );
    // More time may turn an unknown answer into another, but not a violation.
    let patient = Grid {
        limits: Limits::default(),
        ..grid.clone()
    };
    assert_eq!(
        [0, 1, 2].map(|column| found(&patient, column)),
        [true, false, false]
    );
    let mut changed = grid;
    changed.inputs[0].content = content("other text");
    assert!(!found(&changed, 0));
}

#[test]
fn a_torn_line_is_tolerated_and_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let grid = grid();
    let first = record(&grid, cell(0, 0), Verdict::Failed, false);
    let whole = serde_json::to_string(&first).unwrap();
    for torn in [
        format!("{whole}\n{}", &whole[..whole.len() / 2]),
        whole[..20].to_string(),
    ] {
        std::fs::write(&path, &torn).unwrap();
        let journal = Journal::open(&path, true).unwrap();
        assert_eq!(journal.skipped, 1);
        journal
            .append(&record(&grid, cell(0, 1), Verdict::Failed, false))
            .unwrap();
        let journal = Journal::open(&path, true).unwrap();
        assert!(journal.find(&grid, cell(0, 1)).is_some());
        assert_eq!(journal.find(&grid, cell(0, 0)).is_some(), torn.len() > 20);
    }
}

#[test]
fn other_files_are_no_journals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    for text in ["int main(void) { return 0; }\n", "{\"schema\": 1}\n{}\n"] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(
            Journal::open(&path, true),
            Err(JournalError::Foreign(_))
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    assert!(matches!(
        Journal::open(folder.path(), true),
        Err(JournalError::Write(..))
    ));
}

#[test]
fn the_table_names_what_was_run_and_what_follows() {
    let grid = grid();
    let mut states = states(&grid, cell(0, 0), Verdict::Failed, false);
    states[1] = CellState::Implied(Verdict::Failed);
    let unknown = Record {
        line: "VERIFICATION UNKNOWN (time)".to_string(),
        ..record(&grid, cell(1, 0), Verdict::Unknown, false)
    };
    states[3] = CellState::Run {
        record: Box::new(unknown),
        earlier: true,
    };
    let swept = Swept {
        states,
        failure: None,
        interrupted: false,
    };
    let expected = "\
file  scheme          unwind 1       unwind 2  unwind 3
a.c   order           failed 0.12 s  (failed)  -
      lazy, rounds 1  time 0.12 s    -         -
      lazy, rounds 2  -              -         -
";
    assert_eq!(table(&grid, &swept), expected);
    assert_eq!(
        summary(&grid, &swept),
        "9 cells: 1 run, 1 from the journal, 1 implied, 6 not run\n"
    );
    assert_eq!(
        record(&grid, cell(0, 0), Verdict::Failed, false).schema,
        SCHEMA
    );
}

#[test]
fn a_violation_beside_a_complete_answer_is_a_contradiction() {
    let grid = grid();
    let mut states = states(&grid, cell(0, 0), Verdict::Failed, false);
    let swept = |states: &[CellState]| Swept {
        states: states.to_vec(),
        failure: None,
        interrupted: false,
    };
    assert!(swept(&states).disagreements(&grid).is_empty());
    states[4] = CellState::Run {
        record: Box::new(record(&grid, cell(1, 1), Verdict::Successful, true)),
        earlier: false,
    };
    assert_eq!(swept(&states).disagreements(&grid), ["a.c"]);
}
