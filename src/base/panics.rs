//! Panics of instructions, which the machine turns into exceptions: of the library of integers where
//! the system refuses memory, or of a broken invariant. Before a panic is caught the hook of the process
//! tells of it on the standard error output, and that hook belongs to the host: it is changed only
//! where the host wants it.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Would the machine catch a panic of this thread?
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic was that was not told of.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Says whether the machine catches panics of this thread; gives what was said before.
pub(crate) fn contain(contained: bool) -> bool {
    CONTAINED.replace(contained)
}

/// Has code of the host do something; an error if it panicked. Of a panic of its own the host wants to
/// hear, so its hook tells of it.
pub(crate) fn in_host<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    let contained = contain(false);
    let result = catch_unwind(AssertUnwindSafe(work));
    contain(contained);
    result
}

/// Something of the host's, which may panic as it is dropped: the host's hook tells of that, and nobody else
/// need know.
pub(crate) struct Entrusted<T>(Option<T>);

impl<T> Entrusted<T> {
    /// Takes it over.
    pub(crate) fn new(value: T) -> Entrusted<T> {
        Entrusted(Some(value))
    }

    /// What it is.
    pub(crate) fn get(&mut self) -> &mut T {
        match &mut self.0 {
            Some(value) => value,
            None => unreachable!("it is there until it is dropped"),
        }
    }
}

impl<T> Drop for Entrusted<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if let Err(payload) = in_host(|| drop(value)) {
            // It may be of the same kind, and is left to nobody.
            let _ = Box::leak(payload);
        }
    }
}

/// Where the panic was that has just been caught, if nobody was told of it.
pub(crate) fn silent_place() -> Option<String> {
    PLACE.take()
}

/// Keeps the panic hook of the process from telling of panics that an engine contains: the query gets
/// an exception, which says what the panic said. All others are told as before.
///
/// This is a change for the whole process, of which an engine knows nothing: only who owns the process
/// may want it, as the command `wamlet` does. A hook that is set later takes its place.
pub fn silence_contained_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |info| {
            if CONTAINED.get() {
                note_place(info);
            } else {
                told(info);
            }
        }));
    });
}

fn note_place(info: &PanicHookInfo<'_>) {
    let place = info.location();
    let place = place.map(|at| format!("{}:{}", at.file(), at.line()));
    PLACE.set(place);
}
