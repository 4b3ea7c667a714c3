//! Switch of deliberate errors.

use super::Fault;
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    static CURRENT: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// State of a fault's switch: true if it is on, in this thread or by the variable `SELVEDGE_FAULT`.
pub fn on(fault: Fault) -> bool {
    static CHOSEN: OnceLock<Option<Fault>> = OnceLock::new();
    let chosen = *CHOSEN.get_or_init(|| {
        let name = std::env::var("SELVEDGE_FAULT").ok()?;
        let mut all = [
            Fault::ENCODING,
            Fault::ROUNDS,
            Fault::UNWINDING,
            Fault::ADDRESSES,
            Fault::MACHINE,
            Fault::SYMEX,
            Fault::LISTS,
            Fault::MEMORY,
            Fault::LIBRARY,
            Fault::LANGUAGE,
            Fault::MODULAR,
            Fault::LEARNING,
            Fault::FLOAT,
        ]
        .concat()
        .into_iter();
        all.find(|fault| fault.name() == name)
    });
    CURRENT.get() == Some(fault) || chosen == Some(fault)
}

/// Runs something with a fault switched on in this thread, or none.
pub fn with<T>(fault: Option<Fault>, run: impl FnOnce() -> T) -> T {
    /// The state before, also where something breaks down.
    struct Before(Option<Fault>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _before = Before(CURRENT.replace(fault));
    run()
}
