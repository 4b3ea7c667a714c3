//! Loops of a function as a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies
//! with widenings", 1993): a hierarchy of components, each with a head, such that every edge that goes
//! backwards in the order leads to the head of a component that contains its source. It exists for every
//! control-flow graph, those with jumps into loops included.

use crate::base::IdVec;
use crate::base::id::Id;
use crate::ir::{BlockId, FuncId, Function, Successors};
use hashbrown::HashMap;

/// A loop of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop {
    pub(crate) function: FuncId,
    /// From 0, by position.
    pub(crate) number: u32,
}

impl Loop {
    /// The loop behind this one in its function, if there is one.
    pub(crate) fn next(self) -> Loop {
        let number = self.number + 1;
        Loop { number, ..self }
    }
}

/// The loop structure of one function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Position of each block in the order (components are contiguous, a head comes first); unreachable
    /// blocks have `u32::MAX`.
    pub order: IdVec<BlockId, u32>,
    /// Heads of the components around each block, outermost first; a head's own component is the last of its nest.
    pub nest: IdVec<BlockId, Vec<BlockId>>,
    /// Number of the loop of each head, from 0 in the order.
    numbers: HashMap<BlockId, u32>,
}

impl Loops {
    /// Computes the order; linear in the size of the function times its nesting depth.
    pub fn of(function: &Function) -> Loops {
        let blocks = function.blocks.len();
        let successors = function.blocks.iter().map(|b| b.end.successors()).collect();
        let mut build = Build {
            successors,
            number: vec![0; blocks],
            counter: 0,
            stack: Vec::new(),
        };
        let mut elements = Vec::new();
        build.visit(function.entry, &mut elements);
        let mut loops = Loops {
            order: (0..blocks).map(|_| u32::MAX).collect(),
            nest: (0..blocks).map(|_| Vec::new()).collect(),
            numbers: HashMap::new(),
        };
        let mut next = 0;
        loops.number(elements, &mut Vec::new(), &mut next);
        loops.numbers = loops.heads().into_iter().zip(0..).collect();
        loops
    }

    fn number(&mut self, elements: Vec<Element>, nest: &mut Vec<BlockId>, next: &mut u32) {
        // Elements were collected last first.
        for element in elements.into_iter().rev() {
            match element {
                Element::Block(block) => self.place(block, nest, next),
                Element::Component(head, body) => {
                    nest.push(head);
                    self.place(head, nest, next);
                    self.number(body, nest, next);
                    nest.pop();
                }
            }
        }
    }

    fn place(&mut self, block: BlockId, nest: &[BlockId], next: &mut u32) {
        self.order[block] = *next;
        self.nest[block] = nest.to_vec();
        *next += 1;
    }

    /// Loop heads: true if the block is one.
    pub fn is_head(&self, block: BlockId) -> bool {
        self.nest[block].last() == Some(&block)
    }

    /// Heads of all loops, in the order.
    pub fn heads(&self) -> Vec<BlockId> {
        let mut heads: Vec<BlockId> = self.nest.ids().filter(|b| self.is_head(*b)).collect();
        heads.sort_by_key(|b| self.order[*b]);
        heads
    }

    /// The loop of a head, in the function that these loops are of.
    pub fn loop_at(&self, function: FuncId, head: BlockId) -> Loop {
        let number = self.numbers.get(&head).copied().unwrap_or(u32::MAX);
        Loop { function, number }
    }

    /// Back edges: true if the edge goes back to the head of a loop around its source.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.is_head(to) && self.nest[from].contains(&to)
    }

    /// Unwinding cut: the head of the loop whose bound cuts control that goes from `from`, with these iteration numbers, to `to`.
    ///
    /// A loop's body runs for iterations 0 to `unwind` - 1. Its head is reached once more, so that a loop can find
    /// that it is over: in iteration `unwind`, what leads from the head back into the loop is cut. A head that
    /// cannot leave the loop has nothing to find out and is not reached again at all.
    pub fn cut(
        &self,
        function: &Function,
        from: BlockId,
        to: BlockId,
        iterations: &[u32],
        unwind: u32,
    ) -> Option<BlockId> {
        let spent =
            |number: Option<&u32>| number.is_some_and(|number| *number > 0 && *number >= unwind);
        let stays = |head: BlockId, next: BlockId| self.nest[next].contains(&head);
        if self.is_head(from) && spent(iterations.last()) && stays(from, to) {
            return Some(from);
        }
        let never_leaves = || {
            function.blocks[to]
                .end
                .successors()
                .into_iter()
                .all(|next| stays(to, next))
        };
        let is_cut =
            self.is_head(to) && spent(self.follow(from, to, iterations).last()) && never_leaves();
        is_cut.then_some(to)
    }

    /// Iteration numbers of the loops around `to`, for control that goes there from `from` with the numbers
    /// `iterations`: an edge back to a head starts the next iteration, entering a loop starts with 0.
    pub fn follow(&self, from: BlockId, to: BlockId, iterations: &[u32]) -> Vec<u32> {
        let (old, new) = (&self.nest[from], &self.nest[to]);
        let shared = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let mut result = iterations[..shared].to_vec();
        result.resize(new.len(), 0);
        if self.is_back_edge(from, to) {
            *result.last_mut().expect("a head is in its own loop") += 1;
        }
        result
    }
}

enum Element {
    Block(BlockId),
    Component(BlockId, Vec<Element>),
}

struct Build {
    successors: Vec<Successors>,
    /// 0 = not visited, `u32::MAX` = done.
    number: Vec<u32>,
    counter: u32,
    stack: Vec<BlockId>,
}

impl Build {
    /// Bourdoncle's recursive `visit`; the partition is collected last element first.
    fn visit(&mut self, block: BlockId, partition: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.counter += 1;
        self.number[block.index()] = self.counter;
        let mut head = self.counter;
        let mut is_loop = false;
        for i in 0..self.successors[block.index()].len() {
            let next = self.successors[block.index()][i];
            let lowest = match self.number[next.index()] {
                0 => self.visit(next, partition),
                number => number,
            };
            if lowest <= head {
                head = lowest;
                is_loop = true;
            }
        }
        if head == self.number[block.index()] {
            self.number[block.index()] = u32::MAX;
            let mut popped = self.stack.pop().expect("the block itself is on the stack");
            if is_loop {
                while popped != block {
                    self.number[popped.index()] = 0;
                    popped = self.stack.pop().expect("the block itself is on the stack");
                }
                let mut body = Vec::new();
                for i in 0..self.successors[block.index()].len() {
                    let next = self.successors[block.index()][i];
                    if self.number[next.index()] == 0 {
                        self.visit(next, &mut body);
                    }
                }
                partition.push(Element::Component(block, body));
            } else {
                partition.push(Element::Block(block));
            }
        }
        head
    }
}
