//! The watch of an engine: whether the work under way must stop because of an interrupt, a time that has come, or a
//! limit of work that is reached.
//!
//! Long work within one call checks the watch from time to time, often enough that a stop takes a few milliseconds
//! at most. It also reports how many steps it has done. While the engine runs work that must not stay half done, it
//! says so ([`Watch::shield`]); a stop then waits a little. The work stops with an error of its own kind or with
//! [`Stop`]. A step takes some nanoseconds; work of fewer than some thousands of steps is not reported.
#![forbid(unsafe_code)]

use super::alarm::Bell;
use super::growth::{GrowText, reserve_text, text_with_room};
use super::stop::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering, fence};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Steps between two checks.
pub(crate) const STEPS: usize = 1 << 12;
/// Bytes that are compared, copied or hashed in a step.
const BYTES_A_STEP: usize = 8;
/// Steps that a clause of a text counts as, besides one for each byte: about those of a call.
const STEPS_A_CLAUSE: usize = 64;

/// Bytes of a text that are copied between two checks: the system takes long to provide fresh memory.
pub(crate) const PIECE: usize = 1 << 20;

/// Delay of a stop while the work is shielded.
pub(crate) const GRACE_TIME: Duration = Duration::from_millis(100);

/// Time between two checks while a thread works aside.
const MOMENT: Duration = Duration::from_millis(2);

/// The watch: the working engine reads it, others set it.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The bell of the engine: the machine looks for events at the next call once its heap top is above the limit
    /// here. The events themselves are kept apart, so the machine cannot erase them when it changes the limit.
    pub(crate) bell: Bell,
    /// Whether an interrupt of the query was requested.
    interrupt: AtomicBool,
    /// Whether the work is shielded.
    shielded: AtomicBool,
    /// The time from which the time of an interrupt is counted.
    started: Instant,
    /// The time of the interrupt, in nanoseconds since `started`.
    interrupted_at: AtomicU64,
    /// The status with which the process must end; 0 if no end was requested.
    halt: AtomicI32,
    /// Whether buffered output must be written.
    output_wanted: AtomicBool,
    /// Whether a report of the progress of a search was requested.
    progress_wanted: AtomicBool,
    /// Whether the engine waits for a time.
    timed: AtomicBool,
    /// Steps done so far. Only the engine itself counts them.
    done: AtomicU64,
    /// The number of steps from which on the work must stop.
    allowed: AtomicU64,
    /// The number of steps from which on shielded work must stop.
    allowed_late: AtomicU64,
    /// Whether an instruction is under way that can be ended.
    within_instruction: AtomicBool,
    /// Whether the work under way is short and must be done as a whole.
    put_off: AtomicBool,
    /// Whether the engine waits for something outside of it, such as input.
    waiting: AtomicBool,
    /// The thread that the engine works in, by the system's number; 0 if unknown.
    worker: AtomicU64,
    /// Whether a thread works aside.
    aside: Arc<AtomicBool>,
}

/// A guard: a thread works aside until it is dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn new(flag: &Arc<AtomicBool>) -> Busy {
        flag.store(true, Ordering::Relaxed);
        Busy(flag.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Default for Watch {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes; text does not see it"
    )]
    fn default() -> Watch {
        Watch {
            bell: Bell::default(),
            interrupt: AtomicBool::new(false),
            shielded: AtomicBool::new(false),
            started: Instant::now(),
            interrupted_at: AtomicU64::new(0),
            halt: AtomicI32::new(0),
            output_wanted: AtomicBool::new(false),
            progress_wanted: AtomicBool::new(false),
            timed: AtomicBool::new(false),
            done: AtomicU64::new(0),
            allowed: AtomicU64::new(u64::MAX),
            allowed_late: AtomicU64::new(u64::MAX),
            within_instruction: AtomicBool::new(false),
            put_off: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            worker: AtomicU64::new(0),
            aside: Arc::default(),
        }
    }
}

impl Watch {
    /// Returns whether the work must stop.
    #[inline]
    pub(crate) fn stop_wanted(&self) -> bool {
        (self.interrupt_counts() || self.time_has_come() || self.is_too_much())
            && !self.put_off.load(Ordering::Relaxed)
    }

    /// Returns whether the time that the engine waits for has come.
    #[inline]
    pub(crate) fn time_has_come(&self) -> bool {
        self.bell.has_come(self.is_shielded())
    }

    #[inline]
    fn is_shielded(&self) -> bool {
        self.shielded.load(Ordering::Relaxed)
    }

    /// Sets whether the work that runs now is shielded: it must not stay half done if it takes only a little time.
    pub(crate) fn shield(&self, shielded: bool) {
        self.shielded.store(shielded, Ordering::Relaxed);
    }

    /// Returns whether the query was interrupted and, if the work is shielded, the grace time is over.
    #[inline]
    pub(crate) fn interrupt_counts(&self) -> bool {
        self.is_interrupted() && !(self.is_shielded() && self.interrupt_is_new())
    }

    /// Returns whether the interrupt has come just now.
    #[cold]
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes; text does not see it"
    )]
    fn interrupt_is_new(&self) -> bool {
        let at = Duration::from_nanos(self.interrupted_at.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(at) < GRACE_TIME
    }

    /// Makes the machine look for events at the next call.
    pub(crate) fn look_at_next_call(&self) {
        self.bell.look_at_next_call();
    }

    /// Returns whether more steps are done than allowed.
    #[inline]
    fn is_too_much(&self) -> bool {
        let allowed = if self.is_shielded() {
            &self.allowed_late
        } else {
            &self.allowed
        };
        self.steps_done() >= allowed.load(Ordering::Relaxed)
    }

    /// Returns the number of steps done so far.
    #[inline]
    pub(crate) fn steps_done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Sets the number of steps from which on the work must stop; `late` is the number for shielded work.
    pub(crate) fn allow_steps(&self, steps: u64, late: u64) {
        self.allowed.store(steps, Ordering::Relaxed);
        self.allowed_late.store(late, Ordering::Relaxed);
    }

    /// Counts `steps` more steps.
    #[inline]
    pub(crate) fn did(&self, steps: usize) {
        let done = self.steps_done().saturating_add(steps as u64);
        self.done.store(done, Ordering::Relaxed);
        if self.is_too_much() {
            self.look_at_next_call();
        }
    }

    /// Takes back steps that do not count.
    pub(crate) fn undid(&self, steps: u64) {
        let done = self.steps_done().saturating_sub(steps);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Counts `steps` more steps, for callers that must not call a function.
    #[inline(always)]
    pub(crate) fn did_at_once(&self, steps: usize) {
        let done = self.done.load(Ordering::Relaxed).wrapping_add(steps as u64);
        self.done.store(done, Ordering::Relaxed);
        if done >= self.allowed.load(Ordering::Relaxed) {
            self.bell.look_at_next_call();
        }
    }

    /// Counts `steps` more steps, but ignores a small number.
    #[inline]
    pub(crate) fn did_many(&self, steps: usize) {
        if steps >= STEPS {
            self.did(steps);
        }
    }

    /// Counts `bytes` bytes of a text or a number that were processed, but ignores a small number.
    #[inline]
    pub(crate) fn did_bytes(&self, bytes: usize) {
        if bytes >= STEPS {
            self.did(bytes / BYTES_A_STEP);
        }
    }

    /// Adds a text of any length at the end of another.
    pub(crate) fn append(&self, all: &mut String, mut text: &str) -> Result<(), Stop> {
        reserve_text(all, text.len())?;
        while text.len() > PIECE {
            let (piece, rest) = text.split_at(text.floor_char_boundary(PIECE));
            all.put_str(piece)?;
            self.go_on()?;
            text = rest;
        }
        all.put_str(text)
    }

    /// Returns a text of these pieces, of any length.
    pub(crate) fn text_of(&self, pieces: &[&str]) -> Result<String, Stop> {
        let bytes = pieces.iter().map(|piece| piece.len()).sum();
        let mut all = text_with_room(bytes)?;
        for piece in pieces {
            if bytes <= PIECE {
                all.put_str(piece)?;
            } else {
                self.append(&mut all, piece)?;
            }
        }
        Ok(all)
    }

    /// Counts a clause of a text that was read; it has `bytes` bytes with the layout before it.
    #[inline]
    pub(crate) fn did_clause(&self, bytes: usize) {
        self.did(STEPS_A_CLAUSE.saturating_add(bytes));
    }

    /// Counts `steps` more steps and returns whether the work must stop.
    #[inline]
    pub(crate) fn stop_wanted_after(&self, steps: usize) -> bool {
        self.did(steps);
        self.stop_wanted()
    }

    /// Returns an error if the instruction under way must end.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_on(&self) -> Result<(), Stop> {
        if self.ends_instruction() {
            Err(Stop)
        } else {
            Ok(())
        }
    }

    /// Counts `steps` more steps and returns an error if the instruction under way must end.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_on_after(&self, steps: usize) -> Result<(), Stop> {
        self.did(steps);
        self.go_on()
    }

    /// Checks at regular intervals during work of many steps: `at` counts the steps.
    #[inline(always)]
    pub(crate) fn go_on_at(&self, at: usize) -> Result<(), Stop> {
        if at.is_multiple_of(STEPS) {
            self.go_on_after(if at > 0 { STEPS } else { 0 })?;
        }
        Ok(())
    }

    /// Checks at regular intervals during work whose steps are counted elsewhere.
    #[inline(always)]
    pub(crate) fn go_on_counted(&self, at: usize) -> Result<(), Stop> {
        if at.is_multiple_of(STEPS) {
            self.go_on()?;
        }
        Ok(())
    }

    /// Sets whether work that is near its end is finished before it is stopped. Returns the former setting.
    pub(crate) fn put_off(&self, put_off: bool) -> bool {
        self.put_off.swap(put_off, Ordering::Relaxed)
    }

    /// Requests that the work stop. Returns true if this was requested before and the engine has not reacted. A
    /// request immediately after the first counts as the same one: `timeout` signals a process, and then its group.
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes; text does not see it"
    )]
    pub(crate) fn interrupt(&self) -> bool {
        if self.is_interrupted() {
            return !self.interrupt_is_new();
        }
        let now = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.interrupted_at.store(now, Ordering::Relaxed);
        self.interrupt.swap(true, Ordering::SeqCst)
    }

    /// Requests that the work stop because the process must end with this status. Returns true if this was requested
    /// before and the engine has not reacted.
    pub(crate) fn halt(&self, status: i32) -> bool {
        let again = self.halt.swap(status, Ordering::Relaxed) != 0;
        self.interrupt() && again
    }

    /// Returns whether the process must end.
    pub(crate) fn halt_wanted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) != 0
    }

    /// Takes the request that the process end, and returns the status.
    pub(crate) fn take_halt(&self) -> Option<i32> {
        Some(self.halt.swap(0, Ordering::Relaxed)).filter(|&status| status != 0)
    }

    /// Returns whether an interrupt was requested.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Takes the request of an interrupt back. Returns whether there was one.
    pub(crate) fn take_interrupt(&self) -> bool {
        self.interrupt.swap(false, Ordering::Relaxed)
    }

    /// Requests that buffered output be written at the next call.
    pub(crate) fn want_output(&self) {
        self.output_wanted.store(true, Ordering::Relaxed);
        self.look_at_next_call();
    }

    /// Takes the request for buffered output. Returns whether there was one.
    pub(crate) fn take_output_request(&self) -> bool {
        self.output_wanted.swap(false, Ordering::Relaxed)
    }

    /// Requests a report of the progress of a search at the next call.
    pub(crate) fn want_progress(&self) {
        self.progress_wanted.store(true, Ordering::Relaxed);
        self.look_at_next_call();
    }

    /// Takes the request for a report of progress. Returns whether there was one.
    pub(crate) fn take_progress_request(&self) -> bool {
        self.progress_wanted.load(Ordering::Relaxed)
            && self.progress_wanted.swap(false, Ordering::Relaxed)
    }

    /// Sets whether the engine waits for a time.
    pub(crate) fn set_waits_for_time(&self, waits: bool) {
        self.timed.store(waits, Ordering::Relaxed);
    }

    /// Returns whether the engine waits for a time.
    pub(crate) fn waits_for_time(&self) -> bool {
        self.timed.load(Ordering::Relaxed)
    }

    /// Does work that waits for the world outside. Returns `None` instead if the work must stop. The thread that
    /// stops it interrupts system calls meanwhile.
    pub(crate) fn wait<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.waiting.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let done = (!self.interrupt.load(Ordering::SeqCst) && !self.time_has_come()).then(work);
        self.waiting.store(false, Ordering::SeqCst);
        done
    }

    /// Does long work in a thread of its own, because the work cannot check the watch, and waits for it. Returns
    /// `None` instead if the work must stop. The thread then finishes alone and nobody uses its result. The next
    /// work aside waits for that, so there is one such thread at most.
    pub(crate) fn aside<T: Send + 'static>(
        &self,
        work: impl Fn() -> T + Send + Sync + 'static,
    ) -> Option<T> {
        while self.aside.load(Ordering::Acquire) {
            if self.stop_wanted() {
                return None;
            }
            std::thread::sleep(MOMENT);
        }
        let work = Arc::new(work);
        let (sender, receiver) = channel();
        let thread = {
            let (work, busy) = (work.clone(), Busy::new(&self.aside));
            Builder::new()
                .name("wamlet-aside".to_owned())
                .spawn(move || {
                    let _busy = busy;
                    // The receiver may be gone by now.
                    let _ = sender.send(work());
                })
        };
        if thread.is_err() {
            return Some(work());
        }
        loop {
            match receiver.recv_timeout(MOMENT) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Disconnected) => return Some(work()),
                Err(RecvTimeoutError::Timeout) if self.stop_wanted() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns whether an instruction is under way that can be ended.
    pub(crate) fn is_within_instruction(&self) -> bool {
        self.within_instruction.load(Ordering::Relaxed)
    }

    /// Returns whether an instruction is under way that must end.
    pub(crate) fn ends_instruction(&self) -> bool {
        self.stop_wanted() && self.is_within_instruction()
    }

    /// Does work that waits for the world outside. Returns `None` if the instruction under way must end. Outside of
    /// instructions, and where work is finished before it is stopped, the work is always done.
    pub(crate) fn wait_if_ended<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let may_end = self.is_within_instruction() && !self.put_off.load(Ordering::Relaxed);
        if may_end {
            self.wait(work)
        } else {
            Some(work())
        }
    }

    /// Returns the thread to disturb, if the engine waits for something outside of it.
    pub(crate) fn waiting_worker(&self) -> Option<u64> {
        self.waiting
            .load(Ordering::SeqCst)
            .then(|| self.worker.load(Ordering::Relaxed))
    }

    /// Returns the thread that the engine works in.
    pub(crate) fn worker(&self) -> u64 {
        self.worker.load(Ordering::Relaxed)
    }

    /// Sets the thread that the engine works in.
    pub(crate) fn set_worker(&self, thread: u64) {
        self.worker.store(thread, Ordering::Relaxed);
    }

    /// Sets whether instructions run that can be ended. Returns the former setting.
    pub(crate) fn set_within_instruction(&self, within: bool) -> bool {
        self.within_instruction.swap(within, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::Watch;
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::thread::{sleep, spawn};
    use std::time::Duration;

    #[test]
    fn interrupt_ends_the_wait_for_aside_work() {
        let watch = Arc::new(Watch::default());
        assert_eq!(watch.aside(|| 1), Some(1));
        let (sender, receiver) = channel();
        let others = watch.clone();
        let interrupter = spawn(move || {
            sleep(Duration::from_millis(20));
            others.interrupt();
        });
        // The thread ends when the receiver is dropped.
        let done = watch.aside(move || while sender.send(()).is_ok() {});
        assert_eq!(done, None);
        interrupter.join().unwrap();
        // One thread at a time.
        assert_eq!(watch.aside(|| 2), None);
        watch.take_interrupt();
        drop(receiver);
        assert_eq!(watch.aside(|| 3), Some(3));
    }
}
