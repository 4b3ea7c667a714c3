use super::grid::Cell;
use super::job::{self, Job};
use super::journal::JournalError;
use super::record::{Record, SCHEMA};
use super::swept::CellState;
use super::*;
use std::ffi::OsString;
use std::time::Duration;

/// Two rounds of lazy and order, unwind 1 to 3, of one program.
fn grid() -> Grid {
    let lazy = |rounds| Point::new("lazy", [("rounds", Setting::Bound(rounds))]);
    let options: Vec<OsString> = vec!["--64".into()];
    Grid {
        inputs: vec![Input {
            name: "a.c".to_string(),
            path: "a.c".into(),
            content: content("text"),
            options: options.clone(),
            words: options,
        }],
        rows: vec![Point::new("order", []), lazy(1), lazy(2)],
        columns: Columns {
            axis: Axis::named(UNWIND).unwrap(),
            values: [1, 2, 3].map(Setting::Bound).to_vec(),
        },
        limits: Limits {
            cpu: Some(Duration::from_secs(5)),
            words: vec!["--timeout".into(), "5".into()],
            ..Limits::default()
        },
        jobs: 1,
        prune: true,
        chain: false,
        cubes: None,
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

/// State of a cell with this answer.
fn known(record: Record) -> CellState {
    CellState::Known {
        record: Box::new(record),
        earlier: false,
    }
}

/// States with one cell that was run.
fn states(grid: &Grid, at: Cell, verdict: Verdict, complete: bool) -> Vec<CellState> {
    let mut states = vec![CellState::Open; grid.places()];
    states[grid.index(at)] = known(record(grid, at, verdict, complete));
    states
}

/// Answers that the cell in the middle implies to others, by what it found.
fn implied(verdict: Verdict, complete: bool) -> Vec<(Cell, Verdict, bool)> {
    let grid = grid();
    let states = states(&grid, cell(1, 1), verdict, complete);
    let implied = |other: Cell| {
        let record = prune::implied(&grid, &states, other)?;
        assert_eq!(record.implied_by, Some(grid.point(cell(1, 1))));
        assert_eq!(record.point, grid.point(other));
        Some((other, record.verdict, record.complete))
    };
    grid.cells().filter_map(implied).collect()
}

#[test]
fn violations_and_complete_answers_imply_larger_cells_of_their_scheme() {
    for (verdict, complete) in [(Verdict::Failed, false), (Verdict::Successful, true)] {
        let larger = [(1, 2), (2, 1), (2, 2)];
        let expected = larger.map(|(row, column)| (cell(row, column), verdict, complete));
        assert_eq!(implied(verdict, complete), expected);
    }
    let grid = grid();
    let all = Grid {
        prune: false,
        ..grid.clone()
    };
    let states = states(&grid, cell(1, 1), Verdict::Failed, false);
    assert_eq!(prune::implied(&all, &states, cell(2, 2)), None);
}

#[test]
fn bounded_answers_imply_smaller_cells_and_bad_input_everything() {
    let expected = [(cell(1, 0), Verdict::Successful, false)];
    assert_eq!(implied(Verdict::Successful, false), expected);
    for verdict in [Verdict::Unknown, Verdict::Error] {
        assert_eq!(implied(verdict, false), []);
    }
    assert_eq!(implied(Verdict::Input, false).len(), 8);
}

#[test]
fn an_assertion_that_larger_bounds_reach_may_not_be_reached_within_smaller_ones() {
    let grid = grid();
    for (asserted, expected) in [(Some(true), None), (Some(false), Some(false))] {
        let known_record = Record {
            asserted,
            ..record(&grid, cell(1, 1), Verdict::Successful, false)
        };
        let mut states = vec![CellState::Open; grid.places()];
        states[grid.index(cell(1, 1))] = known(known_record);
        let found = prune::implied(&grid, &states, cell(1, 0)).unwrap();
        assert_eq!(found.asserted, expected);
    }
}

/// Every deliberate error of pruning shows in what is implied.
#[cfg(feature = "faults")]
#[test]
fn every_fault_of_pruning_is_caught() {
    use crate::base::faults::record::Campaign;
    let campaign = Campaign {
        name: "pruning",
        faults: super::faults::Fault::ALL
            .iter()
            .filter(|fault| fault.kind() == "PRUNING")
            .map(|fault| (*fault, ()))
            .collect(),
        programs: vec!["violation".to_string(), "bounded".to_string()],
    };
    campaign.run(|_, (), number| {
        Some(match number {
            0 => implied(Verdict::Failed, false).len() == 3,
            _ => implied(Verdict::Successful, false).len() == 1,
        })
    });
}

#[test]
fn cells_are_numbered_as_they_are_listed() {
    let mut grid = grid();
    grid.inputs.push(grid.inputs[0].clone());
    let numbers: Vec<usize> = grid.cells().map(|cell| grid.index(cell)).collect();
    assert_eq!(numbers, (0..18).collect::<Vec<_>>());
    // Only one scheme has rounds.
    grid.rows.pop();
    grid.rows[1] = grid.rows[1].without("rounds");
    grid.columns = Columns {
        axis: Axis::named("rounds").unwrap(),
        values: [1, 2].map(Setting::Bound).to_vec(),
    };
    let cells: Vec<String> = grid.cells().take(3).map(|cell| grid.name(cell)).collect();
    assert_eq!(
        cells,
        ["a.c: order", "a.c: lazy, rounds 1", "a.c: lazy, rounds 2"]
    );
    assert_eq!((grid.len(), grid.places()), (6, 8));
}

#[test]
fn chains_are_along_a_bound_that_has_several_values() {
    let bound = |(axis, value)| (axis, Setting::Bound(value));
    let lazy = |rounds, clock| {
        let bounds = [("rounds", rounds), ("max-clock", clock), (UNWIND, 1)];
        Point::new("lazy", bounds.map(bound))
    };
    let along = |grid: &Grid| -> Vec<Vec<usize>> {
        let places = |job: &Job| job.cells.iter().map(|cell| grid.index(*cell)).collect();
        let mut all: Vec<Vec<usize>> = job::jobs(grid).iter().map(places).collect();
        all.sort();
        all
    };
    let mut grid = Grid {
        columns: Columns {
            axis: Axis::named("seed").unwrap(),
            values: vec![Setting::Number(0)],
        },
        chain: true,
        ..grid()
    };
    // What a clock that is always 0 means has another formula.
    grid.rows = vec![lazy(2, 1), lazy(2, 2), lazy(2, 4)];
    assert_eq!(along(&grid), [vec![0], vec![1, 2]]);
    grid.rows = vec![lazy(1, 2), lazy(1, 3), lazy(2, 2), lazy(2, 3)];
    assert_eq!(along(&grid), [[0, 2], [1, 3]]);
    grid.rows = vec![lazy(2, 3)];
    assert_eq!(along(&grid), [[0]]);
    grid.columns = Columns {
        axis: Axis::named("max-clock").unwrap(),
        values: [1, 2, 3].map(Setting::Bound).to_vec(),
    };
    grid.rows = vec![Point::new("lazy", [("rounds", 2), (UNWIND, 1)].map(bound))];
    assert_eq!(along(&grid), [vec![0], vec![1, 2]]);
}

#[test]
fn jobs_are_all_cells_the_smallest_first() {
    let mut grid = grid();
    grid.chain = true;
    let chains = job::jobs(&grid);
    let rounds = |job: &Job| {
        job.cells
            .iter()
            .map(|cell| cell.row)
            .collect::<Vec<usize>>()
    };
    let mut all: Vec<Vec<usize>> = chains.iter().map(rounds).collect();
    all.sort();
    assert_eq!(
        all,
        [
            vec![0],
            vec![0],
            vec![0],
            vec![1, 2],
            vec![1, 2],
            vec![1, 2]
        ]
    );
    let one = |job: &Job| {
        let mut cells = job.cells.iter();
        cells.all(|cell| cell.column == job.cells[0].column)
    };
    assert!(chains.iter().all(one));
    grid.chain = false;
    let jobs = job::jobs(&grid);
    let mut all: Vec<usize> = jobs
        .iter()
        .flat_map(|job| &job.cells)
        .map(|&cell| grid.index(cell))
        .collect();
    assert_eq!(jobs[0].cells, [cell(0, 0)]);
    assert_eq!(jobs[8].cells, [cell(2, 2)]);
    all.sort_unstable();
    assert_eq!(all, (0..9).collect::<Vec<_>>());
    grid.rows[0] = Point::new("mu", []);
    (grid.chain, grid.cubes) = (true, Some(4));
    let jobs = job::jobs(&grid);
    let of = |row: usize| -> Vec<Option<u32>> {
        let own = jobs.iter().filter(|job| job.cells[0].row == row);
        own.map(|job| job.cube.as_ref().map(|cube| cube.number))
            .collect()
    };
    // A scheme that cannot split is asked about whole cells.
    assert_eq!(of(0), [None; 3]);
    let numbers: Vec<Option<u32>> = (0..12).map(|number| Some(number % 4 + 1)).collect();
    assert_eq!(of(1), numbers);
}

#[test]
fn a_journal_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let first = Journal::open(&path).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse(_))));
    drop(first);
    assert!(Journal::open(&path).is_ok());
}

#[test]
fn a_plan_is_read_back_and_another_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("plan");
    let mut grid = grid();
    grid.rows[0] = Point::new("auto", [("seed", Setting::Number(3))]);
    let texts: Vec<Text> = (grid.inputs.iter())
        .map(|input| Text {
            input: input.clone(),
            text: "int x;\n".to_string(),
            property: None,
        })
        .collect();
    let plan = Plan::write(&folder, &grid, &texts).unwrap();
    assert_eq!(Plan::write(&folder, &grid, &texts).unwrap(), plan);
    let (again, read) = Plan::read(&folder).unwrap();
    assert_eq!((again, plan.jobs), (plan.clone(), 9));
    for cell in grid.cells() {
        assert_eq!(Record::new(&grid, cell), Record::new(&read, cell));
    }
    assert_eq!(read.inputs[0].path, folder.join("inputs/0.i"));
    assert_eq!(plan.check(&folder, 0), Ok(()));
    grid.prune = false;
    let error = Plan::write(&folder, &grid, &texts).unwrap_err();
    assert!(error.contains("another plan"), "{error}");
    std::fs::write(folder.join("inputs/0.i"), "int y;\n").unwrap();
    assert!(plan.check(&folder, 0).unwrap_err().contains("changed"));
    let text = std::fs::read_to_string(folder.join("plan.json")).unwrap();
    for (old, new, told) in [
        ("\"jobs\": 9", "\"jobs\": 8", "number of jobs"),
        ("\"version\": \"", "\"version\": \"9", "planned by version"),
        ("\"axis\": \"unwind\"", "\"axis\": \"x\"", "no such axis"),
        ("}", "", ""),
    ] {
        std::fs::write(folder.join("plan.json"), text.replace(old, new)).unwrap();
        let error = Plan::read(&folder).unwrap_err();
        assert!(
            error.contains(told) && error.contains("plan.json"),
            "{error}"
        );
    }
    std::fs::remove_file(folder.join("plan.json")).unwrap();
    assert!(Plan::read(&folder).unwrap_err().contains("no plan"));
    // What was broken off is finished, and what somebody else has there stays.
    assert!(Plan::write(&folder, &grid, &texts).is_ok());
    std::fs::remove_file(folder.join("plan.json")).unwrap();
    std::fs::write(folder.join("mine.txt"), "").unwrap();
    let error = Plan::write(&folder, &grid, &texts).unwrap_err();
    assert!(error.contains("other files"), "{error}");
}

#[test]
fn a_journal_gives_back_what_answers_the_same_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let grid = grid();
    let journal = Journal::open(&path).unwrap();
    journal
        .append(&record(&grid, cell(0, 0), Verdict::Failed, false))
        .unwrap();
    journal
        .append(&record(&grid, cell(0, 1), Verdict::Unknown, false))
        .unwrap();
    journal
        .append(&record(&grid, cell(0, 2), Verdict::Error, false))
        .unwrap();
    drop(journal);
    assert_eq!(contents(&path, &grid), Contents::Answers(2));
    let journal = Journal::open(&path).unwrap();
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
fn a_torn_last_line_is_removed_or_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let grid = grid();
    let of = |column| record(&grid, cell(0, column), Verdict::Failed, false);
    let line = |column| serde_json::to_string(&of(column)).unwrap();
    let (first, second) = (line(0) + "\n", line(1));
    for (text, kept, torn) in [
        (
            first.clone() + &second[..second.len() / 2],
            vec![0],
            second.len() / 2,
        ),
        (first.clone() + &second, vec![0, 1], 0),
        (first.clone() + "{", vec![0], 1),
        (second[..20].to_string(), vec![], 20),
        (second[..3].to_string(), vec![], 3),
        (second, vec![1], 0),
        (first, vec![0], 0),
    ] {
        std::fs::write(&path, &text).unwrap();
        let journal = Journal::open(&path).unwrap();
        assert_eq!((journal.torn, journal.skipped), (torn, 0), "{text}");
        journal.append(&of(2)).unwrap();
        drop(journal);
        let lines = std::fs::read_to_string(&path).unwrap();
        let expected: Vec<String> = kept
            .iter()
            .chain(&[2])
            .map(|&column| line(column))
            .collect();
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected, "{text}");
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.answers(&grid), kept.len() + 1);
    }
}

#[test]
fn other_files_are_no_journals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    let grid = grid();
    for text in [
        "int main(void) { return 0; }\n",
        "int main(void) { return 0; }",
        "{\"schema\": 1}\n{}\n",
    ] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(
            Journal::open(&path),
            Err(JournalError::Foreign(_))
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(contents(&path, &grid), Contents::Other);
    }
    assert!(matches!(
        Journal::open(folder.path()),
        Err(JournalError::Write(..))
    ));
}

#[test]
fn what_others_imply_is_no_answer_where_every_cell_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let grid = grid();
    let states = states(&grid, cell(0, 0), Verdict::Failed, false);
    let implied = prune::implied(&grid, &states, cell(0, 1)).unwrap();
    Journal::open(&path).unwrap().append(&implied).unwrap();
    assert_eq!(contents(&path, &grid), Contents::Answers(1));
    let all = Grid {
        prune: false,
        ..grid
    };
    assert_eq!(contents(&path, &all), Contents::Answers(0));
}

#[test]
fn the_table_names_what_was_run_and_what_follows() {
    let grid = grid();
    let mut states = states(&grid, cell(0, 0), Verdict::Failed, false);
    states[1] = known(prune::implied(&grid, &states, cell(0, 1)).unwrap());
    let unknown = Record {
        line: "VERIFICATION UNKNOWN (time)".to_string(),
        ..record(&grid, cell(1, 0), Verdict::Unknown, false)
    };
    states[3] = CellState::Known {
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
    let told = |states: &[CellState]| !swept(states).disagreements(&grid).is_empty();
    assert!(!told(&states));
    let safe = |row, column, complete| {
        known(record(
            &grid,
            cell(row, column),
            Verdict::Successful,
            complete,
        ))
    };
    states[4] = safe(1, 1, false);
    assert!(!told(&states));
    states[4] = safe(1, 1, true);
    assert!(told(&states));
    // Even without a complete answer, if the bounds include those of the violation.
    states[4] = CellState::Open;
    states[2] = safe(0, 2, false);
    assert!(told(&states));
}
