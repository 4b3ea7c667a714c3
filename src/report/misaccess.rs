//! Invalid accesses in words: `out-of-bounds write`, and what is known of the object.

use crate::base::Loc;
use crate::event::ThreadId;
use crate::source::place::{Places, file_line};
use crate::trace::misaccess::{Access, Flaw, Involved, Misaccess};

/// Kind of an invalid access.
pub fn kind(misaccess: &Misaccess) -> &'static str {
    let heap = misaccess.object.as_ref().is_some_and(|object| object.heap);
    match (misaccess.flaw, misaccess.access) {
        (Flaw::Null, Access::Free) | (Flaw::Wild, Access::Free) | (Flaw::NoBlock(_), _) => {
            "invalid free"
        }
        (Flaw::Null, Access::Call) => "call of a null pointer",
        (Flaw::Null, _) => "null pointer dereference",
        (Flaw::Wild, _) => "invalid pointer",
        (Flaw::Ended, Access::Free) => "double free",
        (Flaw::Ended, _) if heap => "use after free",
        (Flaw::Ended, _) => "use after scope",
        (_, Access::Call) => "call of what is no function",
        (Flaw::Outside(_), Access::Read(_)) => "out-of-bounds read",
        (Flaw::Outside(_), Access::Write(_)) => "out-of-bounds write",
        (Flaw::Outside(_), _) => "out-of-bounds access",
        (Flaw::Misaligned(_), _) => "misaligned access",
    }
}

/// Access and object in words, in lines without indentation.
pub fn details(misaccess: &Misaccess, places: &dyn Places) -> Vec<String> {
    let what = match misaccess.access {
        Access::Read(bytes) => format!("read of {}", counted(bytes)),
        Access::Write(bytes) => format!("write of {}", counted(bytes)),
        Access::Lock => "use of a synchronisation object".to_string(),
        Access::Call => "call".to_string(),
        Access::Free => "free".to_string(),
    };
    let Some(object) = &misaccess.object else {
        return match misaccess.flaw {
            Flaw::Null => vec![format!("{what} through a null pointer")],
            _ => vec![format!("{what} through a pointer to no object")],
        };
    };
    let name = name(object);
    let at = match misaccess.flaw {
        Flaw::NoBlock(0) => String::new(),
        Flaw::Outside(offset) | Flaw::Misaligned(offset) | Flaw::NoBlock(offset) => {
            format!(" at offset {offset}")
        }
        _ => String::new(),
    };
    let link = if misaccess.access == Access::Free {
        " of"
    } else {
        " in"
    };
    vec![format!("{what}{link} {name}{at}"), about(object, places)]
}

/// Size of an object in words, and where it began and ended.
pub fn about(object: &Involved, places: &dyn Places) -> String {
    let (name, size) = (name(object), counted(object.size_bytes));
    let mut about = format!("{name} has {size}");
    if let Some((thread, loc)) = object.made {
        let how = if object.heap { "allocated" } else { "declared" };
        about.push_str(&format!(", {how} {}", by(thread, loc, places)));
    }
    if let Some((thread, loc)) = object.ended {
        let how = if object.heap { "freed" } else { "ended" };
        about.push_str(&format!(", {how} {}", by(thread, loc, places)));
    }
    about
}

fn name(object: &Involved) -> &str {
    match object.name.as_str() {
        "" => "an object",
        name => name,
    }
}

/// Thread and place of something.
fn by(thread: ThreadId, loc: Loc, places: &dyn Places) -> String {
    let who = thread.title();
    if loc == Loc::NONE {
        return format!("by {who}");
    }
    format!("at {} by {who}", file_line(places, loc))
}

fn counted(bytes: u64) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}
