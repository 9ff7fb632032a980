//! Whether the work that is under way is to be stopped: an interrupt, a time that has come, or a limit
//! of work that is reached.
//!
//! What takes long in one go looks here from time to time, often enough for nobody to wait longer
//! than some milliseconds, and tells how many steps it has done since. While what must not be left half
//! done runs, the engine says so ([`Watch::shield`]): what stops the work comes a little later then. It ends in an error of its own
//! kind or with [`Stop`]. Steps are of some nanoseconds
//! each; work of fewer than some thousands of them is not told of.
#![forbid(unsafe_code)]

use super::alarm::Bell;
use super::growth::{GrowText, reserve_text, text_with_room};
use super::stop::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering, fence};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Steps between two looks.
pub(crate) const STEPS: usize = 1 << 12;
/// Bytes that are compared, copied or hashed in a step.
const BYTES_A_STEP: usize = 8;
/// Steps that a clause of a text counts as, besides one for each byte: about those of a call.
const STEPS_A_CLAUSE: usize = 64;

/// Bytes of a text that are copied between two looks: the system takes long to give fresh memory.
pub(crate) const PIECE: usize = 1 << 20;

/// How much later what stops the work comes while it is shielded.
pub(crate) const GRACE_TIME: Duration = Duration::from_millis(100);

/// Between two looks while something is done aside.
const MOMENT: Duration = Duration::from_millis(2);

/// Looked at by the engine that works, set by others.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The machine looks for events at the next call once its heap top is above the limit of this. What they are
    /// is kept apart: the machine's own changes of the limit cannot erase it.
    pub(crate) bell: Bell,
    /// Somebody wants the query stopped.
    interrupt: AtomicBool,
    /// Is the work shielded?
    shielded: AtomicBool,
    /// From when on the time of an interrupt is counted.
    started: Instant,
    /// When it came, in nanoseconds since.
    interrupted_at: AtomicU64,
    /// The status with which the process is to end; 0 if nobody wants its end.
    halt: AtomicI32,
    /// Output that is held back is to be written.
    output_wanted: AtomicBool,
    /// Somebody wants to know how far a search is.
    progress_wanted: AtomicBool,
    /// Is there a time that is waited for?
    timed: AtomicBool,
    /// Steps done so far. Only the engine itself counts them.
    done: AtomicU64,
    /// The number of them from which on the work is to be stopped.
    allowed: AtomicU64,
    /// The same while it is shielded.
    allowed_late: AtomicU64,
    /// Is there an instruction that can be ended?
    within_instruction: AtomicBool,
    /// Is what is under way short and to be done as a whole?
    put_off: AtomicBool,
    /// Does the engine wait for something outside of it, such as input?
    waiting: AtomicBool,
    /// The thread that the engine works in, by the system's number; 0 if that is not known.
    worker: AtomicU64,
    /// Is something done aside?
    aside: Arc<AtomicBool>,
}

/// Says that something is done aside, until it is dropped.
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
    /// Is the work to be stopped?
    #[inline]
    pub(crate) fn stop_wanted(&self) -> bool {
        (self.interrupt_counts() || self.time_has_come() || self.is_too_much())
            && !self.put_off.load(Ordering::Relaxed)
    }

    /// Has the time come that was waited for?
    #[inline]
    pub(crate) fn time_has_come(&self) -> bool {
        self.bell.has_come(self.is_shielded())
    }

    #[inline]
    fn is_shielded(&self) -> bool {
        self.shielded.load(Ordering::Relaxed)
    }

    /// Says whether what runs now must not be left half done if it takes only a little time.
    pub(crate) fn shield(&self, shielded: bool) {
        self.shielded.store(shielded, Ordering::Relaxed);
    }

    /// Does somebody want the query stopped, and have waited as long as he must?
    #[inline]
    pub(crate) fn interrupt_counts(&self) -> bool {
        self.is_interrupted() && !(self.is_shielded() && self.interrupt_is_new())
    }

    /// Has the interrupt come just now?
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

    /// Is more done than is allowed?
    #[inline]
    fn is_too_much(&self) -> bool {
        let allowed = if self.is_shielded() {
            &self.allowed_late
        } else {
            &self.allowed
        };
        self.steps_done() >= allowed.load(Ordering::Relaxed)
    }

    /// Steps done so far.
    #[inline]
    pub(crate) fn steps_done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// From so many steps done on the work is to be stopped, while it is shielded from the other number on.
    pub(crate) fn allow_steps(&self, steps: u64, late: u64) {
        self.allowed.store(steps, Ordering::Relaxed);
        self.allowed_late.store(late, Ordering::Relaxed);
    }

    /// So many more steps are done.
    #[inline]
    pub(crate) fn did(&self, steps: usize) {
        let done = self.steps_done().saturating_add(steps as u64);
        self.done.store(done, Ordering::Relaxed);
        if self.is_too_much() {
            self.look_at_next_call();
        }
    }

    /// The same for who must not call a function.
    #[inline(always)]
    pub(crate) fn did_at_once(&self, steps: usize) {
        let done = self.done.load(Ordering::Relaxed).wrapping_add(steps as u64);
        self.done.store(done, Ordering::Relaxed);
        if done >= self.allowed.load(Ordering::Relaxed) {
            self.bell.look_at_next_call();
        }
    }

    /// So many more steps are done; few of them do not count.
    #[inline]
    pub(crate) fn did_many(&self, steps: usize) {
        if steps >= STEPS {
            self.did(steps);
        }
    }

    /// So many bytes of a text or a number have been gone through; few of them do not count.
    #[inline]
    pub(crate) fn did_bytes(&self, bytes: usize) {
        if bytes >= STEPS {
            self.did(bytes / BYTES_A_STEP);
        }
    }

    /// Adds a text at the end of another, however long it is.
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

    /// A text of these pieces, however long they are.
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

    /// A clause of a text was read, with the layout before it so many bytes.
    #[inline]
    pub(crate) fn did_clause(&self, bytes: usize) {
        self.did(STEPS_A_CLAUSE.saturating_add(bytes));
    }

    /// So many more steps are done: is the work to be stopped?
    #[inline]
    pub(crate) fn stop_wanted_after(&self, steps: usize) -> bool {
        self.did(steps);
        self.stop_wanted()
    }

    /// An error if the instruction under way is to be ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_on(&self) -> Result<(), Stop> {
        if self.ends_instruction() {
            Err(Stop)
        } else {
            Ok(())
        }
    }

    /// The same after so many more steps.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_on_after(&self, steps: usize) -> Result<(), Stop> {
        self.did(steps);
        self.go_on()
    }

    /// Looks after work of many steps at regular intervals: `at` counts the steps.
    #[inline(always)]
    pub(crate) fn go_on_at(&self, at: usize) -> Result<(), Stop> {
        if at.is_multiple_of(STEPS) {
            self.go_on_after(if at > 0 { STEPS } else { 0 })?;
        }
        Ok(())
    }

    /// The same of work that is counted by others.
    #[inline(always)]
    pub(crate) fn go_on_counted(&self, at: usize) -> Result<(), Stop> {
        if at.is_multiple_of(STEPS) {
            self.go_on()?;
        }
        Ok(())
    }

    /// Says whether work is to go on to its end, which is near, before it is stopped; gives what was
    /// said before.
    pub(crate) fn put_off(&self, put_off: bool) -> bool {
        self.put_off.swap(put_off, Ordering::Relaxed)
    }

    /// Asks for the work to be stopped; true if that was asked already, and nobody answers it. What comes right
    /// after the first is the same one: `timeout` signals a process, and then its group.
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

    /// Asks for the work to be stopped since the process is to end, with this status; true if that was asked already,
    /// and nobody answers it.
    pub(crate) fn halt(&self, status: i32) -> bool {
        let again = self.halt.swap(status, Ordering::Relaxed) != 0;
        self.interrupt() && again
    }

    /// Is the process to end?
    pub(crate) fn halt_wanted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) != 0
    }

    /// Takes the request that the process end: the status.
    pub(crate) fn take_halt(&self) -> Option<i32> {
        Some(self.halt.swap(0, Ordering::Relaxed)).filter(|&status| status != 0)
    }

    /// Was it asked for?
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Takes the request back; true if there was one.
    pub(crate) fn take_interrupt(&self) -> bool {
        self.interrupt.swap(false, Ordering::Relaxed)
    }

    /// Asks for output that is held back to be written at the next call.
    pub(crate) fn want_output(&self) {
        self.output_wanted.store(true, Ordering::Relaxed);
        self.look_at_next_call();
    }

    /// Takes that request; true if there was one.
    pub(crate) fn take_output_request(&self) -> bool {
        self.output_wanted.swap(false, Ordering::Relaxed)
    }

    /// Asks for the progress of a search to be told at the next call.
    pub(crate) fn want_progress(&self) {
        self.progress_wanted.store(true, Ordering::Relaxed);
        self.look_at_next_call();
    }

    /// Takes that request; true if there was one.
    pub(crate) fn take_progress_request(&self) -> bool {
        self.progress_wanted.load(Ordering::Relaxed)
            && self.progress_wanted.swap(false, Ordering::Relaxed)
    }

    /// Says whether there is a time that is waited for.
    pub(crate) fn set_waits_for_time(&self, waits: bool) {
        self.timed.store(waits, Ordering::Relaxed);
    }

    /// Is there one?
    pub(crate) fn waits_for_time(&self) -> bool {
        self.timed.load(Ordering::Relaxed)
    }

    /// Does something that waits for the world outside, unless the work is to be stopped: gives
    /// nothing then. Whoever stops it breaks off system calls meanwhile.
    pub(crate) fn wait<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.waiting.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let done = (!self.interrupt.load(Ordering::SeqCst) && !self.time_has_come()).then(work);
        self.waiting.store(false, Ordering::SeqCst);
        done
    }

    /// Does something long that cannot look here in a thread of its own and waits for it, unless the work is to be
    /// stopped: gives nothing then. What was begun comes to its end unheard, and the next waits for that, so there
    /// is one such thread at most.
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
                    // Nobody may hear of it any more.
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

    /// Is there an instruction under way that can be ended?
    pub(crate) fn is_within_instruction(&self) -> bool {
        self.within_instruction.load(Ordering::Relaxed)
    }

    /// Is there one that is to be ended?
    pub(crate) fn ends_instruction(&self) -> bool {
        self.stop_wanted() && self.is_within_instruction()
    }

    /// Does something that waits for the world outside, and gives nothing if the instruction that wants
    /// it is to be ended. Outside of instructions, and where the work is to go on to its end, it is done
    /// whatever others want.
    pub(crate) fn wait_if_ended<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let may_end = self.is_within_instruction() && !self.put_off.load(Ordering::Relaxed);
        if may_end {
            self.wait(work)
        } else {
            Some(work())
        }
    }

    /// The thread to be disturbed, while the engine waits for something outside of it.
    pub(crate) fn waiting_worker(&self) -> Option<u64> {
        self.waiting
            .load(Ordering::SeqCst)
            .then(|| self.worker.load(Ordering::Relaxed))
    }

    /// The thread that the engine works in.
    pub(crate) fn worker(&self) -> u64 {
        self.worker.load(Ordering::Relaxed)
    }

    /// Tells which thread the engine works in.
    pub(crate) fn set_worker(&self, thread: u64) {
        self.worker.store(thread, Ordering::Relaxed);
    }

    /// Says whether instructions run that can be ended; gives what was said before.
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
    fn what_is_done_aside_is_not_waited_for_after_an_interrupt() {
        let watch = Arc::new(Watch::default());
        assert_eq!(watch.aside(|| 1), Some(1));
        let (sender, receiver) = channel();
        let others = watch.clone();
        let interrupter = spawn(move || {
            sleep(Duration::from_millis(20));
            others.interrupt();
        });
        // It ends when the receiver is dropped.
        let done = watch.aside(move || while sender.send(()).is_ok() {});
        assert_eq!(done, None);
        interrupter.join().unwrap();
        // One at a time.
        assert_eq!(watch.aside(|| 2), None);
        watch.take_interrupt();
        drop(receiver);
        assert_eq!(watch.aside(|| 3), Some(3));
    }
}
