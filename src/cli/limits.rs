//! Limits of a run.

use crate::base::Budget;
use std::time::Duration;

/// Limits of the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Option<Duration>,
    /// Memory of the process.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// A budget that runs from now. It ends a little below the memory limit, while there is room to say so.
    pub fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited();
        if let Some(cpu) = self.cpu {
            budget = budget.with_cpu_limit(cpu);
        }
        if let Some(wall) = self.wall {
            budget = budget.with_wall_limit(wall);
        }
        if let Some(bytes) = self.memory_bytes {
            budget = budget.with_memory_limit(bytes - bytes / 8);
        }
        budget
    }
}
