//! Shape of the JSON: its objects, with the names of their members.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the format.
pub(super) const SCHEMA: u32 = 1;

/// A word of the format; one that is written is a constant.
pub(super) type Word = Cow<'static, str>;

#[derive(Serialize)]
pub(super) struct OutcomeJson {
    pub schema: u32,
    pub version: &'static str,
    pub file: String,
    pub data_model: &'static str,
    pub check: String,
    pub verdict: &'static str,
    pub complete: bool,
    pub line: String,
    pub summary: Vec<String>,
    pub limits: Vec<String>,
    pub reason: Option<String>,
    pub violation: Option<ViolationJson>,
    pub checks: Vec<CheckJson>,
    pub findings: Vec<FindingJson>,
    pub suppressed: Vec<FindingJson>,
    pub coverage: CoverageJson,
    pub statistics: StatisticsJson,
    pub trace: Option<TraceJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PlaceJson {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: Option<String>,
    pub offset: u32,
}

#[derive(Serialize)]
pub(super) struct ViolationJson {
    pub property: &'static str,
    pub place: Option<PlaceJson>,
}

#[derive(Serialize)]
pub(super) struct CheckJson {
    pub check: &'static str,
    #[serde(flatten)]
    pub answer: VerdictJson,
}

#[derive(Serialize)]
pub(super) struct VerdictJson {
    pub verdict: &'static str,
    pub complete: bool,
    pub limits: Vec<String>,
    pub reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FindingJson {
    pub check: Word,
    pub property: Word,
    pub place: Option<PlaceJson>,
    pub title: String,
    pub fingerprint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<AccessJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadlock: Option<DeadlockJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misaccess: Option<MisaccessJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<ObjectJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwinding: Option<Word>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct MisaccessJson {
    pub access: Word,
    pub bytes: Option<u64>,
    pub flaw: Word,
    pub offset: Option<i64>,
    pub object: Option<ObjectJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ObjectJson {
    pub name: String,
    pub bytes: u64,
    pub on_heap: bool,
    pub made: Option<WriterJson>,
    pub ended: Option<WriterJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct OtherJson {
    #[serde(flatten)]
    pub place: Option<PlaceJson>,
    pub thread: u32,
    pub function: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AccessJson {
    pub thread: u32,
    pub function: String,
    pub created_at: Option<PlaceJson>,
    pub place: Option<PlaceJson>,
    pub calls: Vec<Option<PlaceJson>>,
    pub access: Word,
    pub variable: String,
    pub bytes: u64,
    pub value: Option<ValueJson>,
    pub is_atomic: bool,
    pub in_section: bool,
    pub locks: Vec<LockJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DeadlockJson {
    pub kind: Word,
    pub threads: Vec<WaiterJson>,
    pub ring: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Option<PlaceJson>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct WaiterJson {
    pub thread: u32,
    pub function: String,
    pub created_at: Option<PlaceJson>,
    pub place: Option<PlaceJson>,
    pub calls: Vec<Option<PlaceJson>>,
    pub waits_for: AwaitedJson,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AwaitedJson {
    pub what: Word,
    pub variable: Option<String>,
    pub holders: Vec<HolderJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct HolderJson {
    pub thread: u32,
    pub since: Option<PlaceJson>,
    pub ended: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct LockJson {
    pub variable: String,
    pub since: Option<PlaceJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct WriterJson {
    pub thread: u32,
    pub place: Option<PlaceJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ArgumentJson {
    pub name: String,
    pub value: ValueJson,
}

#[derive(Serialize)]
pub(super) struct CoverageJson {
    pub memory_model: &'static str,
    pub scheme: String,
    pub solver: String,
    pub threads: Option<usize>,
    pub bounds: Vec<BoundJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cubes: Option<CubesJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<CutJson>,
    pub undefined: Vec<UndefinedJson>,
    pub assertions_reachable: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub external: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    pub allocations_succeed: bool,
    pub signals_absent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begins: Option<String>,
    pub races_excluded: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learnt: Vec<String>,
    pub warnings: Vec<WarningJson>,
}

#[derive(Serialize)]
pub(super) struct CubesJson {
    pub count: usize,
    pub decided: usize,
    pub only: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
}

#[derive(Serialize)]
pub(super) struct BoundJson {
    pub name: &'static str,
    pub value: u64,
    pub reached: Option<bool>,
}

#[derive(Serialize)]
pub(super) struct CutJson {
    pub bound: &'static str,
    pub value: Option<u64>,
    pub place: Option<PlaceJson>,
    pub function: String,
    #[serde(rename = "loop")]
    pub number: Option<u32>,
    pub certain: bool,
}

#[derive(Serialize)]
pub(super) struct UndefinedJson {
    pub kind: &'static str,
    pub place: Option<PlaceJson>,
}

#[derive(Serialize)]
pub(super) struct WarningJson {
    pub name: &'static str,
    pub text: String,
    pub place: Option<PlaceJson>,
}

#[derive(Serialize)]
pub(super) struct StatisticsJson {
    pub events: u64,
    pub reads: u64,
    pub writes: u64,
    pub terms: u64,
    pub variables: u64,
    pub clauses: u64,
    pub stages: Vec<StageJson>,
    pub cpu_ms: u64,
    pub wall_ms: u64,
    pub peak_memory_bytes: u64,
}

#[derive(Serialize)]
pub(super) struct StageJson {
    pub name: &'static str,
    pub ms: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TraceJson {
    pub memory_model: Option<Word>,
    pub threads: Vec<ThreadJson>,
    pub steps: Vec<StepJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ThreadJson {
    pub function: String,
    pub created_at: Option<PlaceJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StepJson {
    pub thread: u32,
    pub place: Option<PlaceJson>,
    pub function: String,
    pub calls: Vec<Option<PlaceJson>>,
    pub atomic: bool,
    #[serde(flatten)]
    pub action: ActionJson,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub(super) enum ActionJson {
    Read {
        variable: String,
        value: ValueJson,
        is_initial: bool,
        is_private: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<WriterJson>,
    },
    Write {
        variable: String,
        value: ValueJson,
    },
    Issue {
        variable: String,
        value: ValueJson,
    },
    Commit {
        variable: String,
        value: ValueJson,
    },
    Update {
        variable: String,
        old: Box<ValueJson>,
        new: Box<ValueJson>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<WriterJson>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<Box<ValueJson>>,
    },
    Local {
        variable: String,
        value: ValueJson,
        is_variable: bool,
    },
    Input {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
        value: ValueJson,
    },
    Create {
        child: u32,
        callee: String,
        argument: ValueJson,
    },
    Call {
        callee: String,
        arguments: Vec<ArgumentJson>,
    },
    Return {
        callee: String,
        result: Option<ValueJson>,
    },
    Join {
        child: u32,
    },
    End,
    Lock {
        variable: String,
    },
    TryLock {
        variable: String,
        taken: bool,
    },
    Unlock {
        variable: String,
    },
    Await {
        variable: String,
    },
    Awake {
        variable: String,
        signalled: bool,
    },
    Signal {
        variable: String,
        all: bool,
        woken: Vec<u32>,
    },
    Fence,
    Initialise {
        variable: String,
    },
    AtomicBegin,
    AtomicEnd,
    Copy {
        variable: Option<String>,
        from: Option<String>,
        byte: Option<u8>,
        bytes: u64,
        value: Option<ValueJson>,
        is_private: bool,
    },
    Allocate {
        variable: String,
        bytes: u64,
    },
    Free {
        variable: String,
    },
    Reuse {
        variable: String,
        before: String,
        by: u32,
        is_freed: bool,
    },
    Attempt {
        variable: String,
        access: Word,
        value: Option<ValueJson>,
    },
    Blocked {
        waits_for: AwaitedJson,
    },
    Violation {
        property: Word,
    },
}

#[derive(Serialize, Deserialize)]
pub(super) struct ValueJson {
    pub bits: u16,
    pub signed: bool,
    pub float: bool,
    pub decimal: String,
    pub kind: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}
