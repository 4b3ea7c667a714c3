//! Options of schemes' own on the command line: arguments that are made of the schemes' tables.

use crate::scheme::Scheme;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// Options of schemes that were given, with their values, which are valid.
#[derive(Clone, Debug, Default)]
pub struct OwnOptions {
    /// Names without dashes, and values.
    pub given: Vec<(&'static str, String)>,
}

impl Args for OwnOptions {
    fn augment_args(command: Command) -> Command {
        Scheme::all().into_iter().fold(command, |command, scheme| {
            let own = scheme.options().into_iter().map(move |own| {
                let parser = move |text: &str| {
                    let mut scheme = scheme;
                    scheme.set(own.name, text).map(|()| text.to_string())
                };
                Arg::new(own.name)
                    .long(own.name)
                    .value_name(own.value)
                    .value_parser(parser)
                    .help(own.help)
                    .help_heading("Bounds")
            });
            command.args(own)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        OwnOptions::augment_args(command)
    }
}

impl FromArgMatches for OwnOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OwnOptions, Error> {
        let all = Scheme::all().into_iter().flat_map(Scheme::options);
        let given = all.filter_map(|own| {
            let value = matches.get_one::<String>(own.name)?;
            Some((own.name, value.clone()))
        });
        Ok(OwnOptions {
            given: given.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = OwnOptions::from_arg_matches(matches)?;
        Ok(())
    }
}
