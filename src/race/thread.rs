//! Threads by where they are created: a class is an instruction that creates threads, in those that the class of its
//! creator stands for. So classes form a tree, whose root is the first thread. Where threads create others in the way in
//! which they were created themselves, all of these are one class.

use super::flow::Flow;
use super::site::Site;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{FuncId, Program};

/// Classes that are told apart.
const MOST: usize = 128;

/// Threads that are created alike.
pub(super) struct Class {
    /// Class of the creator, and the number of the instruction; `None` of the first thread.
    pub origin: Option<(usize, usize)>,
    /// Functions that its threads may start in.
    pub starts: SortedSet<FuncId>,
    /// Functions that they may execute.
    pub functions: SortedSet<FuncId>,
    /// Classes of those that they create, by the number of the instruction.
    pub created: SortedMap<usize, usize>,
    /// Several may run at once.
    pub several: bool,
}

/// All classes, each after that of its creator.
pub(super) struct Classes {
    pub all: Vec<Class>,
    /// Instructions that create threads, by number.
    pub spawns: Vec<Site>,
}

impl Classes {
    /// `None` if there are too many.
    pub(super) fn of(program: &Program, flow: &Flow) -> Option<Classes> {
        let spawns: Vec<Site> = flow.spawns.keys().copied().collect();
        let mut callees: SortedMap<FuncId, SortedSet<FuncId>> = SortedMap::new();
        for (site, targets) in &flow.calls {
            callees.entry(site.function).or_default().extend(targets);
        }
        let mut all = vec![class(None, [program.main].into(), &callees)];
        let mut next = 0;
        while next < all.len() {
            for (number, site) in spawns.iter().enumerate() {
                if !all[next].functions.contains(&site.function) {
                    continue;
                }
                let known = ancestor(&all, next, number);
                let to = match known {
                    Some(known) => {
                        all[known].several = true;
                        known
                    }
                    None => {
                        let origin = Some((next, number));
                        all.push(class(origin, flow.spawns[site].clone(), &callees));
                        all.len() - 1
                    }
                };
                all[next].created.insert(number, to);
            }
            next += 1;
            if all.len() > MOST {
                return None;
            }
        }
        Some(Classes { all, spawns })
    }

    /// Classes from the first thread's to this one, that included.
    pub(super) fn chain(&self, class: usize) -> Vec<usize> {
        let mut chain = vec![class];
        let mut at = class;
        while let Some((creator, _)) = self.all[at].origin {
            chain.push(creator);
            at = creator;
        }
        chain.reverse();
        chain
    }

    /// Classes whose threads may execute a function.
    pub(super) fn executing(&self, function: FuncId) -> Vec<usize> {
        let all = 0..self.all.len();
        all.filter(|class| self.all[*class].functions.contains(&function))
            .collect()
    }
}

/// The class around one, or itself, whose threads this instruction creates.
fn ancestor(all: &[Class], mut class: usize, number: usize) -> Option<usize> {
    loop {
        let (creator, by) = all[class].origin?;
        if by == number {
            return Some(class);
        }
        class = creator;
    }
}

fn class(
    origin: Option<(usize, usize)>,
    starts: SortedSet<FuncId>,
    callees: &SortedMap<FuncId, SortedSet<FuncId>>,
) -> Class {
    let mut functions = starts.clone();
    let mut work: Vec<FuncId> = starts.iter().copied().collect();
    while let Some(function) = work.pop() {
        for &callee in callees.get(&function).into_iter().flatten() {
            if functions.insert(callee) {
                work.push(callee);
            }
        }
    }
    Class {
        origin,
        starts,
        functions,
        created: SortedMap::new(),
        several: false,
    }
}
