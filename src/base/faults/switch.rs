//! Switch of deliberate errors.

use super::Fault;
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    static CURRENT: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// State of a fault's switch: true if it is on, in this thread or by the variable `SELVEDGE_FAULT`.
pub fn on(fault: Fault) -> bool {
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| std::env::var("SELVEDGE_FAULT").ok());
    CURRENT.get() == Some(fault) || chosen.as_deref() == Some(fault.name())
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

/// Fault that is switched on in this thread, for threads that work for it.
pub fn current() -> Current {
    Current(CURRENT.get())
}

/// See [`current`].
#[derive(Clone, Copy)]
pub struct Current(Option<Fault>);

impl Current {
    /// Runs something with the same fault switched on in this thread.
    pub fn with<T>(self, run: impl FnOnce() -> T) -> T {
        with(self.0, run)
    }
}
