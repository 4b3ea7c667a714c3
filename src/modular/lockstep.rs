//! All interleavings in lockstep (`transition/lockstep.rs`), with predicates that a vocabulary has.
//!
//! Only a proof that nothing bad is reached at all, or a violation, is an answer: what else there is, the other strategies tell.

use super::{Failure, Finding, Search};
use crate::pdr::{Answer, Wanted};
use crate::transition::lockstep::lockstep;
use crate::transition::product::Bad;
use crate::transition::vocabulary::vocabulary;

impl Search<'_> {
    pub(super) fn lockstep(&mut self) -> Result<Finding, Failure> {
        let automata = self.automata;
        let lockstep = lockstep(automata, Bad::ALL, |relation, next| {
            vocabulary(automata, relation, next)
        });
        match self.search(&lockstep.system, &lockstep.candidates, Wanted::Any)? {
            Answer::Stopped(reason) => Ok(Finding::Stopped(reason)),
            Answer::Particular(_) => Ok(Finding::Open),
            Answer::Safe(invariant) => {
                let part = self.writer.lockstep(&lockstep, &invariant);
                self.certificate.lockstep.push(part);
                self.believe()
            }
            Answer::Reached(trace) => {
                let lost = || Failure::Unsound("a counterexample takes no bad edge".to_string());
                let steps = lockstep.steps(automata, &trace, Bad::ALL);
                let found = self.reached(&steps.ok_or_else(lost)?)?;
                Ok(if self.is_asked(&found) {
                    found.finding()
                } else {
                    Finding::Open
                })
            }
        }
    }
}
