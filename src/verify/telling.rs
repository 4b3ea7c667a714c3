//! What a run tells on its way: levels that are finished, and violations as soon as they have been replayed.

use super::findings::Findings;
use super::outcome::Found;
use super::request::Request;
use super::result::Progress;
use crate::ir::Program;
use crate::outcome::{Outcome, Reason, Statistics};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A reader of what the lanes of a run say.
pub(super) struct Telling {
    program: Arc<Program>,
    request: Request,
    findings: Findings,
    levels: Receiver<(String, Outcome)>,
}

/// A reader for a run, and the way for levels to tell it that they are finished.
pub(super) fn telling(
    program: &Arc<Program>,
    request: &Request,
    findings: &Findings,
) -> (Sender<(String, Outcome)>, Telling) {
    let (tell, levels) = channel();
    let telling = Telling {
        program: Arc::clone(program),
        request: request.clone(),
        findings: findings.clone(),
        levels,
    };
    (tell, telling)
}

impl Telling {
    /// Tells what is new.
    pub fn look(&mut self, progress: &mut dyn FnMut(&Progress)) {
        let news = self.findings.news();
        if !news.is_empty() {
            let reason = Reason::Other("the search was ended".to_string());
            let mut found = Found::default().unfinished(reason);
            found.add_findings(&self.findings);
            let statistics = Statistics::default();
            let outcome = found.into_outcome(&self.program, &self.request, statistics);
            for finding in &news {
                progress(&Progress {
                    words: "a violation is found",
                    outcome: Some(&outcome),
                    finding: Some(finding),
                });
            }
        }
        let known = self.findings.counted().len();
        for (words, outcome) in self.levels.try_iter() {
            // What others have found meanwhile outweighs it.
            let is_new = outcome.findings.len() >= known;
            progress(&Progress {
                words: &words,
                outcome: is_new.then_some(&outcome),
                finding: None,
            });
        }
    }
}
