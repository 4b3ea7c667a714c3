//! Reports that are written to files: arguments that are made of the table of formats.

use crate::outcome::Outcome;
use crate::report::format::{FORMATS, Format};
use crate::source::place::Places;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use std::path::PathBuf;

/// Files that reports go to, each with the number of its format.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reports(Vec<(usize, PathBuf)>);

impl Reports {
    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter().map(|(_, path)| path)
    }

    /// The reports of an outcome: files and texts.
    pub fn of(&self, outcome: &Outcome, places: &dyn Places) -> Vec<(PathBuf, String)> {
        let text = |(number, path): &(usize, PathBuf)| {
            let format: &Format = &FORMATS[*number];
            (path.clone(), (format.render)(outcome, places))
        };
        self.0.iter().map(text).collect()
    }
}

impl Args for Reports {
    fn augment_args(command: Command) -> Command {
        let arguments = FORMATS.iter().map(|format| {
            Arg::new(format.name)
                .long(format.name)
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help(format.help)
                .help_heading("Output")
        });
        command.args(arguments)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Reports::augment_args(command)
    }
}

impl FromArgMatches for Reports {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Reports, Error> {
        let given = FORMATS.iter().enumerate().filter_map(|(number, format)| {
            let path = matches.get_one::<PathBuf>(format.name)?;
            Some((number, path.clone()))
        });
        Ok(Reports(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Reports::from_arg_matches(matches)?;
        Ok(())
    }
}
