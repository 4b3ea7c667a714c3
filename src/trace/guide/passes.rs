//! Passes: how the execution of a thread falls into statements. A pass begins where a thread comes to a statement from another one of the
//! same activation of a function, and goes on while functions are called in it.
//!
//! Witnesses name passes, so whoever writes one and whoever follows one must see the same: both ask this file.

use super::sites::Site;

/// Pass of a thread through a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The statement; `None` where there is no text.
    pub site: Option<Site>,
    /// Number among the passes of its thread.
    pub number: u32,
    /// The witness names it.
    pub is_named: bool,
}

/// Passes of a thread that have begun and not ended, that of the outermost function first.
#[derive(Clone, Default, Debug)]
pub struct Passes {
    open: Vec<Pass>,
    begun: u32,
}

impl Passes {
    /// The thread is about to execute an instruction at a statement, with so many functions of the program on its stack. True if a pass
    /// begins with it.
    pub fn stand(&mut self, depth: usize, site: Option<Site>) -> bool {
        self.open.truncate(depth);
        if self.open.len() == depth && self.open.last().is_some_and(|last| last.site == site) {
            return false;
        }
        self.open.truncate(depth.saturating_sub(1));
        while self.open.len() < depth {
            self.open.push(Pass {
                site,
                number: self.begun,
                is_named: false,
            });
            self.begun += 1;
        }
        true
    }

    /// The innermost pass.
    pub fn innermost(&self) -> Option<&Pass> {
        self.open.last()
    }

    /// All that are open, the outermost first.
    pub fn open(&self) -> &[Pass] {
        &self.open
    }

    /// The same, to be changed.
    pub fn open_mut(&mut self) -> &mut [Pass] {
        &mut self.open
    }

    /// True if the witness names one that is open.
    pub fn is_named(&self) -> bool {
        self.open.iter().any(|pass| pass.is_named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_part_of_the_pass_that_makes_it() {
        let mut passes = Passes::default();
        let [one, other, inner] = [0, 1, 2].map(|number| Some(Site(number)));
        assert!(passes.stand(1, one));
        assert!(!passes.stand(1, one), "the same statement goes on");
        passes.open_mut()[0].is_named = true;
        assert!(passes.stand(2, inner));
        assert!(!passes.stand(1, one), "back from the call");
        assert!(passes.is_named());
        assert!(passes.stand(2, inner), "called again");
        assert!(passes.stand(1, other));
        assert!(!passes.is_named());
        assert!(passes.stand(1, one), "a loop comes round");
        assert_eq!(passes.innermost().map(|pass| pass.number), Some(4));
    }
}
