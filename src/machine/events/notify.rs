//! Notification of observers about the actions of goals.
#![forbid(unsafe_code)]

use super::observer::{Event, Kinds, Observer, Subscriber, View};
use super::trace::Caller;
use crate::machine::dispatch::regs::Regs;
use crate::machine::state::Machine;

impl View<'_, Machine> {
    /// Returns the continuations of the clauses that wait, innermost first.
    pub(crate) fn callers(&self) -> Vec<Caller> {
        self.machine.callers(self.machine.cont, self.e)
    }
}

/// The observers while they handle an event. They return to the machine in any case.
struct ObserversInUse<'a> {
    m: &'a mut Machine,
    all: Vec<Subscriber<Machine>>,
}

impl Drop for ObserversInUse<'_> {
    fn drop(&mut self) {
        self.m.run.observers.observing.all = std::mem::take(&mut self.all);
    }
}

impl Machine {
    /// Notifies the observers that want this event.
    #[inline]
    pub(in crate::machine) fn notify(&mut self, event: &Event<'_>, r: &Regs) {
        let kind = event.kind();
        if self.run.observers.observing.wants(kind) {
            self.notify_each(kind, event, r);
        }
    }

    #[inline(never)]
    fn notify_each(&mut self, kind: Kinds, event: &Event<'_>, r: &Regs) {
        let all = std::mem::take(&mut self.run.observers.observing.all);
        let mut in_use = ObserversInUse { m: self, all };
        let view = View {
            machine: in_use.m,
            p: r.p(),
            e: r.e,
        };
        let mut all = in_use.all.iter_mut().filter(|other| other.kinds.any(kind));
        let noted = all.try_for_each(|other| other.observer.event(event, &view));
        drop(in_use);
        if noted.is_err() {
            self.run.observers.observing.stopped = true;
            self.store.watch.look_at_next_call();
        }
    }

    /// Subscribes an observer and removes another one of its type.
    pub(crate) fn observe(&mut self, observer: impl Observer<Machine>) {
        self.run.observers.observing.begin(Box::new(observer));
        self.recheck_mode();
    }
}
