//! Families of threads (`transition/family.rs`): any number of members, of which a few are told apart.
//!
//! One attempt after the other tells more members apart, or has a vocabulary; each has so many questions, and more of them in the
//! next round, since what a proof needs is not known beforehand. Only a proof is an answer: something
//! bad may depend on members that are not seen.

use super::{Failure, Finding, Proof, Search, refused};
use crate::ir::Program;
use crate::pdr::{Answer, Wanted};
use crate::solve::Setup;
use crate::transition;
use crate::transition::lockstep::lockstep;
use crate::transition::product::Bad;
use crate::transition::relation::relation;
use crate::transition::vocabulary::{Vocabulary, vocabulary};

/// Members that are told apart, and whether there is a vocabulary, in the attempts of a round.
const ATTEMPTS: [(usize, bool); 6] = [
    (2, false),
    (3, false),
    (2, true),
    (3, true),
    (4, false),
    (4, true),
];
/// Questions of each attempt in the first round; each round has so many times more of them than the one before.
const QUESTIONS: u64 = 2700;
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
        let mut questions = QUESTIONS;
        loop {
            for (members, has_vocabulary) in ATTEMPTS {
                let automata = match explored.told_apart(members) {
                    Ok(automata) => automata,
                    Err(refusal) => return Ok(refused(proof, refusal)),
                };
                let relation = relation(&automata);
                let mut search = Search::new(program, &automata, &relation, setup, proof);
                search.certificate.members = Some(members);
                let Some(finding) = search.of_any_number(has_vocabulary, questions)? else {
                    return Ok(search.proof);
                };
                search.proof.finding = finding;
                proof = search.ended_with_proof();
                if !matches!(proof.finding, Finding::Open) {
                    return Ok(proof);
                }
            }
            questions *= MORE;
        }
    }

    /// Nothing bad in any interleaving of any number of members, as so many questions show.
    /// `None` if something bad is reached, as it is with more members, too.
    fn of_any_number(
        &mut self,
        has_vocabulary: bool,
        questions: u64,
    ) -> Result<Option<Finding>, Failure> {
        let automata = self.automata;
        let system = lockstep(automata, Bad::ALL, |relation, next| {
            if has_vocabulary {
                vocabulary(automata, relation, next)
            } else {
                Vocabulary::default()
            }
        });
        let wanted = Wanted::General(questions);
        let answer = self.search(&system.system, &system.candidates, wanted)?;
        let finding = match answer {
            Answer::Stopped(reason) => Finding::Stopped(reason),
            Answer::Particular => Finding::Open,
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
