//! Families of threads (`transition/family.rs`): any number of members, of which a few are told apart.
//!
//! One attempt after the other tells more members apart, or has a vocabulary; each has so many questions, and more of them in the
//! next round, since what a proof needs is not known beforehand. In the next round, an attempt begins with those of its clauses
//! that hold. Only a proof is an answer: something bad may depend on members that are not seen.

use super::{Failure, Finding, Proof, Search, refused};
use crate::ir::Program;
use crate::pdr::system::Cube;
use crate::pdr::{Answer, Wanted};
use crate::solve::Setup;
use crate::transition;
use crate::transition::lockstep::lockstep;
use crate::transition::product::Bad;
use crate::transition::relation::relation;
use crate::transition::vocabulary::{Vocabulary, vocabulary};

/// One way to a proof.
struct Attempt {
    /// Members that are told apart.
    members: usize,
    has_vocabulary: bool,
    /// Questions that it has.
    questions: u64,
    /// Clauses that may hold, from the rounds before.
    candidates: Vec<Cube>,
}

impl Attempt {
    /// An attempt of the first round.
    fn new(members: usize, has_vocabulary: bool) -> Attempt {
        Attempt {
            members,
            has_vocabulary,
            // A vocabulary is dear, and worth more questions.
            questions: if has_vocabulary { 4500 } else { 2000 },
            candidates: Vec::new(),
        }
    }
}

/// Each round has so many times more questions than the one before.
const MORE: u64 = 3;

impl Search<'_> {
    /// Decides a program whose threads are families. Without an answer, the finding is open.
    pub(super) fn of_families(
        program: &Program,
        setup: Setup,
        proof: Proof,
    ) -> Result<Proof, Failure> {
        let mut proof = proof;
        let explored = match transition::families(program, setup.budget) {
            Ok(Some(explored)) => explored,
            Ok(None) => return Ok(proof),
            Err(refusal) => return Ok(refused(proof, refusal)),
        };
        let mut attempts = [
            Attempt::new(2, false),
            Attempt::new(3, false),
            Attempt::new(3, true),
            Attempt::new(2, true),
            Attempt::new(4, false),
            Attempt::new(4, true),
        ];
        loop {
            for attempt in &mut attempts {
                let automata = match explored.told_apart(attempt.members) {
                    Ok(automata) => automata,
                    Err(refusal) => return Ok(refused(proof, refusal)),
                };
                let relation = relation(&automata);
                let mut search = Search::new(program, &automata, &relation, setup, proof);
                search.certificate.members = Some(attempt.members);
                let Some(finding) = search.of_any_number(attempt)? else {
                    return Ok(search.proof);
                };
                search.proof.finding = finding;
                proof = search.ended_with_proof();
                if !matches!(proof.finding, Finding::Open) {
                    return Ok(proof);
                }
                attempt.questions *= MORE;
            }
        }
    }

    /// Nothing bad in any interleaving of any number of members, as an attempt shows.
    /// `None` if something bad is reached, as it is with more members, too.
    fn of_any_number(&mut self, attempt: &mut Attempt) -> Result<Option<Finding>, Failure> {
        let automata = self.automata;
        let system = lockstep(automata, Bad::ALL, |relation, next| {
            if attempt.has_vocabulary {
                vocabulary(automata, relation, next)
            } else {
                Vocabulary::default()
            }
        });
        let candidates = if attempt.candidates.is_empty() {
            &system.candidates
        } else {
            &attempt.candidates
        };
        let wanted = Wanted::General(attempt.questions);
        let answer = self.search(&system.system, candidates, wanted)?;
        let finding = match answer {
            Answer::Stopped(reason) => Finding::Stopped(reason),
            Answer::Particular(candidates) => {
                attempt.candidates = candidates;
                Finding::Open
            }
            Answer::Reached(_) => return Ok(None),
            Answer::Safe(invariant) => {
                let part = self.writer.lockstep(&system, &invariant);
                self.certificate.lockstep.push(part);
                self.believe()?
            }
        };
        Ok(Some(finding))
    }
}
