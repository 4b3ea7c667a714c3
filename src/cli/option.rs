//! Options: syntax, help, meaning and effect of each are one row of a table, from which everything else is made.

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, ValueHint, value_parser};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// An option that has an effect on a `T`. The default of `T` is what holds without it.
#[derive(Clone)]
pub struct Opt<T> {
    /// Name without dashes; one of a single letter has a single dash.
    pub name: &'static str,
    /// A letter that says the same.
    short: Option<char>,
    /// A long name, of an option whose name is a letter.
    long: Option<&'static str>,
    /// Another name, which help does not show.
    alias: Option<&'static str>,
    /// Placeholder of the value; empty for a flag.
    value: &'static str,
    /// Help, in sentences.
    help: Cow<'static, str>,
    /// Help of the few options that the short help has, in a few words.
    brief: Option<&'static str>,
    /// Value that help shows as the default, if it shows one.
    pub default: Option<&'static str>,
    /// Meaning of a second one.
    times: Times,
    /// An option that it excludes.
    against: Option<&'static str>,
    /// Heading in help.
    pub group: Group,
    /// Commands that have it.
    pub commands: &'static [Command],
    /// Engines that it means something for.
    pub meaning: Meaning,
    /// A limit of time or memory, within which an answer is the same as without.
    pub is_limit: bool,
    /// An option of preprocessing: the text that comes of it is the same without.
    pub is_in_text: bool,
    /// Setter.
    effect: Effect<T>,
}

/// Commands of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Verification, which needs no name.
    Verify,
    /// Showing what a stage makes of a program.
    Show,
    /// Checking a proof.
    Check,
    /// Execution of a schedule.
    Replay,
    /// Search for an execution by a witness.
    Validate,
    /// Printing of an outcome that was kept.
    Trace,
    /// Verification under a grid of bounds.
    Sweep,
}

/// Headings of options, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Input,
    Checks,
    Bounds,
    /// Options that only the scheme of this name has.
    Scheme(&'static str),
    Resources,
    Output,
    Sweep,
}

impl Group {
    fn heading(self) -> String {
        match self {
            Group::Input => "Input".to_string(),
            Group::Checks => "Checks".to_string(),
            Group::Bounds => "Bounds".to_string(),
            Group::Scheme(name) => format!("Scheme {name}"),
            Group::Resources => "Resources".to_string(),
            Group::Output => "Output".to_string(),
            Group::Sweep => "Sweep".to_string(),
        }
    }

    /// Place of the heading in help; of schemes, all have the same.
    pub fn place(self) -> u8 {
        match self {
            Group::Input => 0,
            Group::Checks => 1,
            Group::Bounds => 2,
            Group::Scheme(_) => 3,
            Group::Resources => 4,
            Group::Output => 5,
            Group::Sweep => 6,
        }
    }
}

/// Engines that an option means something for. It is refused with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// All of them.
    Any,
    /// All that unroll the program.
    Unrolling,
    /// The one of this name. Whoever sets the option and asks for no other engine means this one.
    Only(&'static str),
}

/// Meaning of an option that is given again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Times {
    /// Refused.
    Once,
    /// The last one counts.
    Last,
    /// All count.
    Each,
    /// All count, and one has several values, with commas between them.
    List,
}

type Set<T> = Arc<dyn Fn(&mut T, &str) -> Result<(), String> + Send + Sync>;
type SetPath<T> = Arc<dyn Fn(&mut T, &Path) + Send + Sync>;

/// Setters, by the kind of value.
#[derive(Clone)]
enum Effect<T> {
    Flag(fn(&mut T)),
    Value(Set<T>),
    Path(SetPath<T>),
}

impl<T: Default + 'static> Opt<T> {
    fn new(
        name: &'static str,
        value: &'static str,
        help: Cow<'static, str>,
        effect: Effect<T>,
    ) -> Self {
        Opt {
            name,
            short: None,
            long: None,
            alias: None,
            value,
            help,
            brief: None,
            default: None,
            times: Times::Once,
            against: None,
            group: Group::Input,
            commands: &[],
            meaning: Meaning::Any,
            is_limit: false,
            is_in_text: false,
            effect,
        }
    }

    /// An option without value.
    pub fn flag(name: &'static str, help: impl Into<Cow<'static, str>>, set: fn(&mut T)) -> Self {
        Opt::new(name, "", help.into(), Effect::Flag(set))
    }

    /// An option with a value. `set` says what is expected instead of a value that makes no sense.
    pub fn value(
        name: &'static str,
        value: &'static str,
        help: impl Into<Cow<'static, str>>,
        set: impl Fn(&mut T, &str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Opt::new(name, value, help.into(), Effect::Value(Arc::new(set)))
    }

    /// An option with a path for a value.
    pub fn path(
        name: &'static str,
        value: &'static str,
        help: impl Into<Cow<'static, str>>,
        set: impl Fn(&mut T, &Path) + Send + Sync + 'static,
    ) -> Self {
        Opt::new(name, value, help.into(), Effect::Path(Arc::new(set)))
    }

    /// The same option, with a letter for it.
    pub fn short(self, letter: char) -> Self {
        let short = Some(letter);
        Opt { short, ..self }
    }

    /// The same option, with a long name beside the letter that is its name.
    pub fn long(self, name: &'static str) -> Self {
        let long = Some(name);
        Opt { long, ..self }
    }

    /// The same option, as one of the few that the short help has.
    pub fn brief(self, help: &'static str) -> Self {
        let brief = Some(help);
        Opt { brief, ..self }
    }

    /// The same option, with another name.
    pub fn alias(self, name: &'static str) -> Self {
        let alias = Some(name);
        Opt { alias, ..self }
    }

    /// The same option, with a default that help shows.
    pub fn default(self, shown: &'static str) -> Self {
        let default = Some(shown);
        Opt { default, ..self }
    }

    /// See [`Times::Last`].
    pub fn last(self) -> Self {
        let times = Times::Last;
        Opt { times, ..self }
    }

    /// See [`Times::Each`].
    pub fn each(self) -> Self {
        let times = Times::Each;
        Opt { times, ..self }
    }

    /// See [`Times::List`].
    pub fn list(self) -> Self {
        let times = Times::List;
        Opt { times, ..self }
    }

    /// The same option, which excludes another one.
    pub fn against(self, name: &'static str) -> Self {
        let against = Some(name);
        Opt { against, ..self }
    }

    /// See [`Meaning::Unrolling`].
    pub fn unrolling(self) -> Self {
        let meaning = Meaning::Unrolling;
        Opt { meaning, ..self }
    }

    /// See [`Meaning::Only`].
    pub fn only(self, engine: &'static str) -> Self {
        let meaning = Meaning::Only(engine);
        Opt { meaning, ..self }
    }

    /// The same option, as a limit of time or memory.
    pub fn limit(self) -> Self {
        let is_limit = true;
        Opt { is_limit, ..self }
    }

    /// The same option, as one of preprocessing.
    pub fn in_text(self) -> Self {
        let is_in_text = true;
        Opt { is_in_text, ..self }
    }

    /// The same option, for these commands alone.
    pub fn commands(self, commands: &'static [Command]) -> Self {
        Opt { commands, ..self }
    }

    /// These options under a heading, for these commands unless they name their own.
    pub fn group(group: Group, commands: &'static [Command], all: Vec<Self>) -> Vec<Self> {
        let one = |option: Opt<T>| Opt {
            group,
            commands: match option.commands {
                [] => commands,
                own => own,
            },
            ..option
        };
        all.into_iter().map(one).collect()
    }

    /// The option as it is typed.
    pub fn word(&self) -> String {
        let dashes = if self.name.len() == 1 { "-" } else { "--" };
        format!("{dashes}{}", self.name)
    }

    /// The name in a file of defaults: the long one.
    pub fn key(&self) -> &'static str {
        self.long.unwrap_or(self.name)
    }

    /// The line of the short help, if it has one: the option with its value, and a few words.
    pub fn line(&self) -> Option<(String, &'static str)> {
        let letter = self.short.filter(|_| self.name.len() > 1);
        let letter = letter.map(|letter| format!("-{letter}, "));
        let long = self.long.map(|name| format!(", --{name}"));
        let value = if self.is_flag() { "" } else { " " };
        let word = [
            letter.unwrap_or_default(),
            self.word(),
            long.unwrap_or_default(),
            value.to_string(),
            self.value.to_string(),
        ];
        self.brief.map(|brief| (word.concat(), brief))
    }

    /// Flags: true if the option has no value.
    pub fn is_flag(&self) -> bool {
        matches!(self.effect, Effect::Flag(_))
    }

    /// Several values: true if all that are given count.
    pub fn has_several(&self) -> bool {
        matches!(self.times, Times::Each | Times::List)
    }

    /// True if one of the two excludes the other.
    pub fn excludes(&self, other: &Self) -> bool {
        self.against == Some(other.name) || other.against == Some(self.name)
    }

    /// Syntax and help.
    pub fn argument(&self) -> Arg {
        let mut argument = Arg::new(self.name)
            .help(self.help.to_string())
            .help_heading(self.group.heading());
        argument = match self.name.chars().next() {
            Some(letter) if self.name.len() == 1 => argument.short(letter),
            _ => argument.long(self.name),
        };
        if let Some(name) = self.long {
            argument = argument.long(name);
        }
        if let Some(letter) = self.short {
            argument = argument.short(letter);
        }
        if let Some(alias) = self.alias {
            argument = argument.alias(alias);
        }
        if let Some(other) = self.against {
            argument = argument.conflicts_with(other);
        }
        if let Some(shown) = self.default {
            argument = argument.default_value(shown);
        }
        let parser: ValueParser = match &self.effect {
            Effect::Flag(_) if self.times == Times::Each => {
                return argument.action(ArgAction::Count);
            }
            Effect::Flag(_) => return argument.action(ArgAction::SetTrue),
            Effect::Path(_) => {
                argument = argument.value_hint(ValueHint::AnyPath);
                value_parser!(OsString)
            }
            Effect::Value(set) => {
                let set = Arc::clone(set);
                ValueParser::new(move |text: &str| {
                    set(&mut T::default(), text).map(|()| OsString::from(text))
                })
            }
        };
        argument = argument.value_name(self.value).value_parser(parser);
        match self.times {
            Times::Once => argument.action(ArgAction::Set),
            Times::Last => argument.action(ArgAction::Set).overrides_with(self.name),
            Times::Each => argument.action(ArgAction::Append),
            Times::List => argument.action(ArgAction::Append).value_delimiter(','),
        }
    }
}

/// An option that was given.
#[derive(Clone)]
pub struct Given<T> {
    pub option: Opt<T>,
    /// The line of the file of defaults that gives it; `None` for the command line.
    pub line: Option<usize>,
    /// Its values, which are valid; of a flag, an empty one for each time.
    values: Vec<OsString>,
}

impl<T: Default + 'static> Given<T> {
    /// Those of the options that were given, in their order.
    pub fn of(options: Vec<Opt<T>>, matches: &ArgMatches) -> Vec<Given<T>> {
        let is_given =
            |option: &Opt<T>| matches.value_source(option.name) == Some(ValueSource::CommandLine);
        let given = options.into_iter().filter(is_given).map(|option| {
            let values = match (&option.effect, option.times) {
                (Effect::Flag(_), Times::Each) => {
                    vec![OsString::new(); usize::from(matches.get_count(option.name))]
                }
                (Effect::Flag(_), _) => vec![OsString::new()],
                _ => {
                    let raw = matches.get_raw(option.name).into_iter().flatten();
                    raw.map(OsString::from).collect()
                }
            };
            let line = None;
            Given {
                option,
                line,
                values,
            }
        });
        given.collect()
    }

    /// An option that a file gives in a line; of a flag, without values.
    ///
    /// # Errors
    /// A value makes no sense; says what was expected.
    pub fn by_file(option: Opt<T>, line: usize, values: Vec<String>) -> Result<Given<T>, String> {
        let values = match &option.effect {
            Effect::Flag(_) => vec![OsString::new()],
            Effect::Value(set) => {
                let is_list = option.times == Times::List;
                let single = values.iter().flat_map(|value| match value.split(',') {
                    parts if is_list => parts.collect(),
                    _ => vec![value.as_str()],
                });
                let valid = single
                    .map(|value| set(&mut T::default(), value).map(|()| OsString::from(value)));
                valid.collect::<Result<_, String>>()?
            }
            Effect::Path(_) => values.into_iter().map(OsString::from).collect(),
        };
        let line = Some(line);
        Ok(Given {
            option,
            line,
            values,
        })
    }

    /// The values as texts; of a flag, none.
    pub fn texts(&self) -> Vec<Cow<'_, str>> {
        match self.option.effect {
            Effect::Flag(_) => Vec::new(),
            _ => self
                .values
                .iter()
                .map(|value| value.to_string_lossy())
                .collect(),
        }
    }

    /// Has its effect.
    ///
    /// # Errors
    /// A value makes no sense; says what was expected.
    pub fn apply(&self, of: &mut T) -> Result<(), String> {
        self.values.iter().try_for_each(|value| {
            match &self.option.effect {
                Effect::Flag(set) => set(of),
                Effect::Value(set) => return set(of, &value.to_string_lossy()),
                Effect::Path(set) => set(of, Path::new(value)),
            }
            Ok(())
        })
    }

    /// The words that give it to another process.
    pub fn words(&self) -> Vec<OsString> {
        let word = || OsString::from(self.option.word());
        let words = self
            .values
            .iter()
            .flat_map(|value| match &self.option.effect {
                Effect::Flag(_) => vec![word()],
                _ => vec![word(), value.clone()],
            });
        words.collect()
    }
}
