//! Files of a reproduction: the program's own with points, the schedule, the runtime, and a Makefile.

use super::edit::edited;
use super::inputs;
use super::plan::{Plan, Point, Until};
use super::points::Files;
use crate::base::sorted::SortedMap;
use crate::base::{DataModel, Loc};
use crate::event::ThreadId;
use crate::ir::{Check, Property};
use crate::source::Source;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Parts that the files are made of.
pub(super) struct Program<'a> {
    pub plan: &'a Plan,
    pub points: &'a [Point],
    pub goes_on: &'a [ThreadId],
    pub property: Property,
    pub model: DataModel,
    pub values: &'a SortedMap<&'a str, (&'a str, Vec<u128>)>,
    pub units: &'a [(Loc, &'a Source)],
    pub files: &'a Files,
    pub flags: &'a dyn Fn(&Path) -> Vec<String>,
}

/// Functions that the runtime stands before.
const WRAPPED: &[&str] = &[
    "main",
    "pthread_create",
    "pthread_detach",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "sem_timedwait",
    "sem_clockwait",
    "thrd_create",
    "mtx_timedlock",
    "cnd_wait",
    "cnd_timedwait",
    "syscall",
];

impl Program<'_> {
    /// All files, by their names in the folder.
    pub fn files(&self) -> Result<Vec<(PathBuf, String)>, String> {
        let mut files = vec![
            ("schedule.h".into(), self.schedule()),
            ("selvedge.h".into(), include_str!("selvedge.h").to_string()),
            ("selvedge.c".into(), include_str!("selvedge.c").to_string()),
            ("inputs.c".into(), inputs::definitions(self.values)),
        ];
        let mut rules = Vec::new();
        for (index, (_, source)) in self.units.iter().enumerate() {
            rules.push(self.unit(index, source, &mut files)?);
        }
        files.push(("Makefile".into(), self.makefile(&rules)));
        Ok(files)
    }

    /// Writes the files of a unit; the name of the one that is compiled, and the compiler's flags for it.
    fn unit(
        &self,
        index: usize,
        source: &Source,
        files: &mut Vec<(PathBuf, String)>,
    ) -> Result<(String, Vec<String>), String> {
        let stem = source
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let name = match self.units.len() {
            1 => format!("program-{stem}.c"),
            _ => format!("program-{}-{stem}.c", index + 1),
        };
        let folder = source.path.parent().unwrap_or(Path::new(""));
        let changed = |file: &Path| {
            let found = self.files.get(&(index, file.to_path_buf()));
            found.map(|file| edited(&file.text, &mut file.edits.clone()))
        };
        let own = match changed(&source.path) {
            Some(text) => text,
            None => source
                .text_of(&source.path)
                .ok_or_else(|| format!("{} is not there any more", source.path.display()))?,
        };
        files.push((PathBuf::from(&name), own));
        for (unit, file) in self.files.keys() {
            if *unit != index || *file == source.path {
                continue;
            }
            let inside = file
                .strip_prefix(folder)
                .ok()
                .filter(|_| !folder.as_os_str().is_empty());
            let target = inside.unwrap_or(file);
            if target.is_absolute() || target.starts_with("..") {
                return Err(format!("{} is in another folder", file.display()));
            }
            files.push((target.to_path_buf(), changed(file).unwrap_or_default()));
        }
        let mut flags = Vec::new();
        if !source.is_preprocessed() {
            // The bundled headers declare all that the C library's do with it.
            flags.push("-D_GNU_SOURCE".to_string());
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            let folder = folder
                .canonicalize()
                .unwrap_or_else(|_| folder.to_path_buf());
            flags.push(format!("-iquote{}", folder.display()));
            flags.extend((self.flags)(&source.path));
        }
        Ok((name, flags))
    }

    fn number(&self, point: Point) -> String {
        match point {
            Point::Waiting => "SELVEDGE_WAITING".into(),
            Point::End => "SELVEDGE_END".into(),
            _ => self
                .points
                .binary_search(&point)
                .unwrap_or_default()
                .to_string(),
        }
    }

    /// Numbers of threads in the order of their creation; -1 of one that never runs.
    fn created(&self) -> Vec<i64> {
        let mut running: Vec<ThreadId> = self.plan.turns.iter().map(|turn| turn.thread).collect();
        running.sort();
        let number = |thread: &ThreadId| match running.binary_search(thread) {
            Ok(_) => i64::from(thread.0),
            Err(_) => -1,
        };
        self.plan.created.iter().map(number).collect()
    }

    /// The schedule as C declarations.
    fn schedule(&self) -> String {
        let list = |threads: &[i64]| -> String {
            let mut numbers: Vec<String> = threads.iter().map(i64::to_string).collect();
            if numbers.is_empty() {
                numbers.push("-1".into());
            }
            numbers.join(", ")
        };
        let goes_on: Vec<i64> = self.goes_on.iter().map(|one| i64::from(one.0)).collect();
        let highest = self.plan.turns.iter().map(|turn| turn.thread.0).max();
        let at_end = matches!(self.property, Property::Lost | Property::Unfreed);
        let mut text = format!(
            "/* A counterexample: whose turn it is, and before which point of the program it ends. */\n\
             #define SELVEDGE_THREADS {}\n#define SELVEDGE_POINTS {}\n#define SELVEDGE_WAITING SELVEDGE_POINTS\n\
             #define SELVEDGE_END (SELVEDGE_POINTS + 1)\n#define SELVEDGE_GONE -1\n#define SELVEDGE_OVER -2\n\
             #define SELVEDGE_WATCH {}\n#define SELVEDGE_AT_END {}\n\n\
             /* Numbers of threads in the order of their creation; -1 never runs. */\n\
             static const int created[] = {{{}}};\n\
             /* Threads that go on when all turns are over; -1 is none. */\n\
             static const int released[] = {{{}}};\n\
             /* Thread, point (or SELVEDGE_GONE: until it has ended, SELVEDGE_OVER: until the violation), and which time it comes there. */\n\
             static const struct {{ int thread, point; long count; }} turns[] = {{\n",
            highest.map_or(1, |highest| highest + 1),
            self.points.len(),
            u8::from(self.property == Property::Deadlock),
            u8::from(at_end),
            list(&self.created()),
            list(&goes_on),
        );
        for turn in &self.plan.turns {
            let (point, count) = match turn.until {
                Until::Point(point, count) => (self.number(point), count),
                Until::Gone => ("SELVEDGE_GONE".into(), 0),
                Until::Over => ("SELVEDGE_OVER".into(), 0),
            };
            let _ = writeln!(text, "  {{{}, {point}, {count}}},", turn.thread.0);
        }
        text.push_str("};\n");
        text
    }

    /// Sanitizer that reports the violation, the words that it is recognised by, and what the program's surroundings are told.
    fn signs(&self) -> (&'static str, &'static str, &'static str) {
        match self.property {
            Property::Assertion => ("", "Assertion `", ""),
            Property::ReachError => ("", "selvedge: reach_error() is called", ""),
            Property::Race => (
                "-fsanitize=thread",
                "ThreadSanitizer: data race",
                "TSAN_OPTIONS=halt_on_error=1",
            ),
            Property::Deadlock => ("", "selvedge: blocked for ever", ""),
            Property::Lost | Property::Unfreed => ("-fsanitize=address", "LeakSanitizer", ""),
            Property::Defined(_) => match Check::of(self.property) {
                Check::Memory => ("-fsanitize=address", "AddressSanitizer", ""),
                _ => ("-fsanitize=undefined", "runtime error", ""),
            },
        }
    }

    fn makefile(&self, rules: &[(String, Vec<String>)]) -> String {
        let (sanitize, sign, environment) = self.signs();
        let machine = match self.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        };
        let wraps: Vec<String> = WRAPPED
            .iter()
            .map(|name| format!("-Wl,--wrap={name}"))
            .collect();
        let objects: Vec<String> = rules.iter().map(|(name, _)| format!("{name}.o")).collect();
        let mut text = format!(
            "# make run: run the program once.  make check: 20 times.  make gdb: under the debugger.\n\
             CC = gcc\nMACHINE = {machine}\nSANITIZE = {sanitize}\nCFLAGS = -g -O0 -w -std=gnu11 -pthread $(MACHINE)\n\
             SIGN = {sign}\nSURROUNDINGS = {environment}\n\n\
             LINK = $(CC) $(CFLAGS) $(SANITIZE) -o program $^ {wraps} -lm -latomic\n\n\
             # What the program names and nobody defines is a function that the schedule does not call.\n\
             program: {objects} selvedge.o inputs.o\n\
             \t@echo '$(LINK)'; LC_ALL=C $(LINK) 2> missing || {{ \\\n\
             \t  sed -n \"s/.*undefined reference to .\\([A-Za-z0-9_]*\\).*/int \\1(void) {{ return 0; }}/p\" missing | sort -u > missing.c; \\\n\
             \t  $(CC) $(CFLAGS) -fno-builtin -c missing.c && $(LINK) missing.o; }}\n\n\
             selvedge.o: selvedge.c schedule.h\n\t$(CC) $(CFLAGS) -c -o $@ selvedge.c\n\n\
             inputs.o: inputs.c\n\t$(CC) $(CFLAGS) -c -o $@ inputs.c\n\n",
            sign = sign.replace('`', "\\`"),
            objects = objects.join(" "),
            wraps = wraps.join(" "),
        );
        for (name, flags) in rules {
            let flags = shell_words::join(flags);
            let flags = flags.replace('$', "$$");
            // An inline function of a program with one unit is defined there.
            let inline = if rules.len() == 1 {
                "-fgnu89-inline "
            } else {
                ""
            };
            let _ = write!(
                text,
                "{name}.o: {name} selvedge.h\n\t$(CC) $(CFLAGS) $(SANITIZE) {inline}-Ulinux -Uunix -include selvedge.h {flags} -c -o $@ {name}\n\n"
            );
        }
        text.push_str(
            "run: program\n\t$(SURROUNDINGS) ./program\n\n\
             check: program\n\t@for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \\\n\
             \t  SELVEDGE_CHECK=1 $(SURROUNDINGS) timeout 30 ./program > output 2>&1; \\\n\
             \t  grep -q \"$(SIGN)\" output || { cat output; echo \"run $$i shows no violation\"; exit 1; }; \\\n\
             \tdone; echo \"20 of 20 runs show the violation\"\n\n\
             gdb: program\n\t$(SURROUNDINGS) gdb -ex run ./program\n\n\
             clean:\n\trm -f *.o program output missing missing.c\n\n.PHONY: run check gdb clean\n",
        );
        text
    }
}
