//! Outcomes as HTML pages: what is in the file, and, where there is a Chromium, what a browser makes of it.
//!
//! The browser is the program that `SELVEDGE_CHROMIUM` names, or one of the usual names on the path. It runs without a window, prints the
//! document after the page's script has run, and tells errors on its standard error.

use crate::beside;
use crate::command::{Folder, LOST};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names that the browser goes by.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("SELVEDGE_CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = NAMES.iter().flat_map(|name| {
        let folders = folders.iter();
        folders.map(move |folder| folder.join(name))
    });
    let found = files.into_iter().find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium on the path, and SELVEDGE_CHROMIUM names none");
    }
    found
}

/// The document of a page behind its script. The address may end in a fragment.
fn document(browser: &Path, page: &Path, fragment: &str) -> String {
    let profile = tempfile::tempdir().expect("a folder");
    let run = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args([
            "--enable-logging=stderr",
            "--virtual-time-budget=5000",
            "--window-size=1366,768",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("--dump-dom")
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .expect("the browser runs");
    let told = String::from_utf8_lossy(&run.stderr);
    let told: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert!(told.is_empty(), "{}: {}", page.display(), told.join("\n"));
    let document = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        document.contains("</html>"),
        "{}: {document}",
        page.display()
    );
    document
}

/// A program of `traces/` in a folder, with its page and its JSON.
fn reported(name: &str) -> (Folder, Value) {
    let text = beside::text(&beside::path(&format!("traces/{name}.c")));
    let head = text.lines().next().unwrap_or_default();
    let options = head.strip_prefix("// options:").expect("the options");
    let folder = Folder::new(&[("a.c", &text)]);
    let mut words = vec!["a.c", "--html", "a.html", "--json", "a.json", "-q"];
    words.extend(options.split_whitespace());
    let run = folder.run(&words);
    assert_eq!(run.code, Some(10), "{name}: {}", run.err);
    let json = beside::text(&folder.path("a.json"));
    (folder, serde_json::from_str(&json).expect("it is JSON"))
}

fn page(folder: &Folder) -> String {
    beside::text(&folder.path("a.html"))
}

/// Texts of elements that begin with a tag: all up to the next tag.
fn texts<'d>(document: &'d str, tag: &str) -> Vec<&'d str> {
    let all = document.split(tag).skip(1);
    all.filter_map(|rest| rest.split('<').next()).collect()
}

#[test]
fn a_page_is_the_same_each_time_and_asks_for_nothing() {
    let (folder, _) = reported("counter");
    let once = page(&folder);
    for from in ["http:", "https:", "url(", " src=", "@import", "import("] {
        assert!(!once.contains(from), "{from}");
    }
    assert!(once.contains("content=\"default-src 'none'; "));
    let (folder, _) = reported("counter");
    assert_eq!(once, page(&folder));
}

#[test]
fn verify_and_replay_write_the_same_steps() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["lost.c", "--html", "a.html"]);
    let schedule = run
        .out
        .lines()
        .find_map(|line| line.strip_prefix("Schedule: "));
    let schedule = schedule.expect("a schedule").to_string();
    let found = page(&folder);
    folder.run(&[
        "replay",
        "lost.c",
        "--schedule",
        &schedule,
        "--html",
        "a.html",
    ]);
    let steps = |page: &str| {
        let table = page.split("<table class=\"steps\">").nth(1);
        let table = table.and_then(|rest| rest.split("</table>").next());
        table.map(str::to_string)
    };
    assert!(steps(&found).is_some());
    assert_eq!(steps(&found), steps(&page(&folder)));
    assert!(found.contains(&format!("selvedge replay lost.c --schedule {schedule}")));
}

#[test]
fn texts_of_a_program_are_no_markup() {
    let text = LOST.replace(
        "hits++;",
        "hits++; /* </script><script>alert('&amp;')</script><!-- */",
    );
    let name = "<b>\"lost\"&'.c";
    let folder = Folder::new(&[(name, &text)]);
    let run = folder.run(&[name, "--html", "a.html"]);
    assert_eq!(run.code, Some(10), "{}", run.err);
    let page = page(&folder);
    assert!(
        !page.contains("<b>\"lost") && !page.contains("alert('"),
        "{page}"
    );
    assert!(
        !page.contains("<!-- *") && page.contains("&#60;/script&#62;"),
        "{page}"
    );
    assert_eq!(page.matches("<script").count(), 2);
    let Some(browser) = browser() else {
        return;
    };
    let document = document(&browser, &folder.path("a.html"), "");
    assert_eq!(document.matches("<script").count(), 2);
    assert!(
        document.contains("&lt;/script&gt;&lt;script&gt;"),
        "{document}"
    );
}

#[test]
fn what_is_proved_has_a_page_as_well() {
    let text = LOST.replace("hits == 2", "hits <= 2");
    let folder = Folder::new(&[("lost.c", &text)]);
    let run = folder.run(&["lost.c", "--html", "a.html"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let page = page(&folder);
    assert!(
        page.contains(&format!("<h1>{}</h1>", run.verdict())),
        "{page}"
    );
    assert!(page.contains("<code>int hits;</code>") && page.contains("class=\"complete\""));
    if let Some(browser) = browser() {
        document(&browser, &folder.path("a.html"), "");
    }
}

#[test]
fn a_proof_has_its_facts_at_their_lines() {
    let text = beside::text(&beside::path("modular/peterson.c"));
    let folder = Folder::new(&[("peterson.c", &text)]);
    let options = ["peterson.c", "--scheme", "modular", "--html", "a.html"];
    let run = folder.run(&[&options[..], &["--proof-out", "a.json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let proof: Value = serde_json::from_str(&beside::text(&folder.path("a.json"))).expect("JSON");
    let never = &proof["interleavings"][0]["invariant"]["never"];
    let first = never[0]["c"].as_str().expect("a condition");
    let line = first
        .split_once('{')
        .and_then(|(_, places)| places.split_once(':'));
    let line = line.expect("a place").0;
    let page = page(&folder);
    let escaped = first.replace('&', "&#38;");
    assert!(
        page.contains(&format!("<li><code>{escaped}</code>")),
        "{page}"
    );
    let there = page
        .split(&format!("id=\"L0-{line}\""))
        .nth(1)
        .expect("the line");
    let there = there.split("</div>").next().unwrap_or_default();
    assert!(there.contains("<em class=\"fact\">N1"), "{there}");
}

#[test]
fn a_page_opens_at_the_line_that_fails() {
    let Some(browser) = browser() else {
        return;
    };
    for name in ["counter", "crossed", "freed-job", "lost-node", "dekker"] {
        let (folder, json) = reported(name);
        let document = document(&browser, &folder.path("a.html"), "");
        let steps = json["trace"]["steps"].as_array().expect("steps");
        let last = &steps.last().expect("a step")["place"]["line"];
        let now: Vec<&str> = document
            .split("<div class=\"line ")
            .skip(1)
            .filter(|line| {
                line.split('"')
                    .next()
                    .is_some_and(|class| class.contains("now"))
            })
            .collect();
        let [now] = now.as_slice() else {
            panic!("{name}: one line is current");
        };
        let id = format!("id=\"L0-{last}\"");
        assert!(
            now.contains(&id) && now.contains("class=\"hit on\""),
            "{name}: {now}"
        );
        let position = texts(&document, "<output class=\"position\">");
        let [step, of] = position[0]
            .strip_prefix("step ")
            .and_then(|text| {
                let (step, of) = text.split_once(" of ")?;
                Some([step, of])
            })
            .expect("a position");
        assert_eq!(step, of, "{name}");
        assert!(document.contains("violation now\""), "{name}");
        assert!(
            !document.contains("NaN") && !document.contains("undefined<"),
            "{name}"
        );
    }
}

/// Script that presses keys, and notes behind each where the page stands.
const PRESS: &str = r#"<script>
const seen = [];
const note = () => {
  const lines = [...document.querySelectorAll(".line.now")].map((line) => line.id);
  const values = [...document.querySelectorAll(".finding.shown .state dt")].map((name) => `${name.textContent}=${name.nextSibling.textContent}`);
  const stores = [...document.querySelectorAll(".finding.shown .state .entry")].map((store) => store.textContent);
  seen.push([location.hash, document.querySelectorAll("tr.now").length, ...lines, ...values, ...stores].join(" "));
};
note();
for (const key of KEYS) {
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  note();
}
const out = document.createElement("pre");
out.id = "seen";
out.textContent = seen.join("\n");
document.body.append(out);
</script></body>"#;

/// What stands on a page behind each key.
fn pressed(browser: &Path, folder: &Folder, fragment: &str, keys: &[&str]) -> Vec<String> {
    let keys = serde_json::to_string(keys).expect("texts");
    let pressing = page(folder).replace("</body>", &PRESS.replace("KEYS", &keys));
    let path = folder.path("pressed.html");
    std::fs::write(&path, pressing).expect("a writable file");
    let document = document(browser, &path, fragment);
    let seen = texts(&document, "<pre id=\"seen\">");
    seen[0].lines().map(str::to_string).collect()
}

#[test]
fn keys_step_through_an_execution() {
    let Some(browser) = browser() else {
        return;
    };
    let (folder, _) = reported("dekker");
    let keys = [
        "Home",
        "k",
        "j",
        "ArrowDown",
        "n",
        "p",
        "ArrowUp",
        "End",
        "j",
        "]",
        "]",
        "[",
    ];
    let seen = pressed(&browser, &folder, "", &keys);
    let at: Vec<&str> = seen
        .iter()
        .filter_map(|one| one.split(' ').next())
        .collect();
    let expected = [
        "#f1s14", "#f1s1", "#f1s1", "#f1s2", "#f1s3", "#f1s5", "#f1s3", "#f1s2", "#f1s14",
        "#f1s14", "#f2s14", "#f2s14", "#f1s14",
    ];
    assert_eq!(at, expected, "{seen:#?}");
    assert!(
        seen.iter().all(|one| one.split(' ').nth(1) == Some("1")),
        "{seen:#?}"
    );
}

#[test]
fn buffers_and_variables_are_those_of_the_step() {
    let Some(browser) = browser() else {
        return;
    };
    let (folder, _) = reported("dekker");
    let seen = pressed(&browser, &folder, "#f1s3", &["j", "j", "j", "j", "j"]);
    let has = |index: usize, text: &str| seen[index].contains(text);
    // The first store waits in the buffer, and is not in memory for the other thread.
    assert!(has(0, "L0-10") && has(0, "wants_one = 1"), "{seen:#?}");
    assert!(
        has(3, "wants_one=0") && has(3, "wants_one = 1") && has(3, "wants_other = 1"),
        "{seen:#?}"
    );
    // That of the other thread has reached memory.
    assert!(
        has(5, "wants_other=1") && !has(5, "wants_other = 1"),
        "{seen:#?}"
    );
}
