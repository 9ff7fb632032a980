//! Calls of the operating system: address space without memory behind it, CPU time, keys. The only file that differs
//! between systems. Long because it has all calls of the operating system that the store makes.
#![expect(
    unsafe_code,
    reason = "memory is reserved from, and time asked of, the operating system here alone"
)]

/// The local zone of time of this machine at some time.
pub(crate) struct LocalZone {
    /// Seconds by which local clocks are behind UTC; negative to the east of Greenwich.
    pub(crate) west: i64,
    /// Whether summer time is in force.
    pub(crate) summer: bool,
    /// Name of the zone, such as `CET`.
    pub(crate) name: String,
}

/// A range of addresses that one owner maps memory into. Dropping it gives it back.
///
/// Where addresses are plentiful the range is a window. Nothing is mapped into a window at first, and nobody else
/// requests its addresses: it is far from where the system places other mappings. So areas grow in place, and an
/// engine takes no more of a limited address space than it uses. Elsewhere the whole range is mapped at once.
pub(crate) struct Reservation {
    base: *mut u8,
    bytes: usize,
    /// Whether the reservation is a window, which is mapped in parts.
    window: bool,
}

// SAFETY: the reservation is plain memory with one owner; nothing in it belongs to a thread.
unsafe impl Send for Reservation {}

/// The unit of mapping: a multiple of the page size of every system.
pub(crate) const MAPPED_UNIT: u64 = 1 << 16;

impl Reservation {
    /// Returns the address of its first byte, aligned to a page.
    pub(crate) fn base(&self) -> u64 {
        self.base as u64
    }
    /// Makes memory usable from byte `from` to byte `to`, multiples of [`MAPPED_UNIT`]. Nothing of this range may be
    /// mapped. Returns false if the system refuses.
    pub(crate) fn map(&self, from: u64, to: u64) -> bool {
        !self.window || imp::map_at(self.base() + from, to - from)
    }
}

/// Names of terminals that deliver no single keys.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Returns whether the terminal edits lines itself and delivers whole lines, such as a buffer of Emacs.
#[expect(
    clippy::disallowed_methods,
    reason = "the name of the terminal; text does not see it"
)]
pub(crate) fn keys_come_in_lines() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let terminal = variable("TERM");
    let mut plain = PLAIN_TERMINALS.iter();
    plain.any(|name| name.eq_ignore_ascii_case(&terminal))
        || variable("INSIDE_EMACS").ends_with(",comint")
}

#[cfg(unix)]
mod imp {
    use super::{LocalZone, MAPPED_UNIT, Reservation};
    use crate::base::locks::lock;
    use crate::base::needs::{Clock, Permit, Stdin, Stdout};
    use crate::store::events::Events;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    impl Reservation {
        /// Reserves `bytes` of zeroed address space; memory is taken page by page at first use.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            let bytes = bytes.checked_next_multiple_of(MAPPED_UNIT as usize)?;
            for _ in 0..WINDOWS_TRIED {
                let Some(base) = take_window(bytes as u64) else {
                    break;
                };
                // Test whether the system maps memory at this address.
                if map_at(base, MAPPED_UNIT) {
                    unmap(base, MAPPED_UNIT);
                    let base = base as *mut u8;
                    return Some(Reservation {
                        base,
                        bytes,
                        window: true,
                    });
                }
            }
            let base = map_anywhere(0, bytes)?;
            Some(Reservation {
                base,
                bytes,
                window: false,
            })
        }

        /// Advises the system to use large pages for `from..to` (byte offsets): random access is faster, and growing
        /// cheaper. If the system ignores the advice, nothing changes.
        pub(crate) fn prefer_large_pages(&self, from: u64, to: u64) {
            let (from, to) = (from as usize, (to as usize).min(self.bytes));
            if cfg!(any(target_os = "linux", target_os = "android")) && from < to {
                #[cfg(any(target_os = "linux", target_os = "android"))]
                // SAFETY: the range is within the mapping.
                unsafe {
                    libc::madvise(self.base.add(from).cast(), to - from, libc::MADV_HUGEPAGE);
                }
            }
        }

        /// Gives the memory behind `from..to` (byte offsets, multiples of [`MAPPED_UNIT`]) back. Where the whole
        /// range is mapped at once, that part reads as zero again.
        pub(crate) fn release(&self, from: u64, to: u64) {
            let to = to.min(self.bytes as u64);
            if from >= to {
                return;
            }
            if self.window {
                unmap(self.base() + from, to - from);
                return;
            }
            let (from, bytes) = (from as usize, (to - from) as usize);
            // SAFETY: the range is within the mapping, which nobody else uses.
            unsafe { libc::madvise(self.base.add(from).cast(), bytes, libc::MADV_DONTNEED) };
        }
    }

    impl Drop for Reservation {
        fn drop(&mut self) {
            unmap(self.base(), self.bytes as u64);
            if self.window {
                give_window_back(self.base(), self.bytes as u64);
            }
        }
    }

    /// Maps zeroed memory wherever the system chooses, preferably at the address `hint`.
    fn map_anywhere(hint: u64, bytes: usize) -> Option<*mut u8> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: this is a fresh anonymous mapping; it does not replace an existing one.
        let base = unsafe { libc::mmap(hint as *mut _, bytes, access, flags, -1, 0) };
        (base != libc::MAP_FAILED).then_some(base.cast())
    }

    /// Maps zeroed memory at this address. Returns false if the system refuses.
    pub(super) fn map_at(address: u64, bytes: u64) -> bool {
        match map_anywhere(address, bytes as usize) {
            Some(base) if base as u64 == address => true,
            Some(elsewhere) => {
                unmap(elsewhere as u64, bytes);
                false
            }
            None => false,
        }
    }

    /// Unmaps the range that begins at this address.
    fn unmap(address: u64, bytes: u64) {
        // SAFETY: only ranges of a reservation that is dropped, or that its owner does not use any more.
        unsafe { libc::munmap(address as *mut _, bytes as usize) };
    }

    /// Ranges of addresses for windows: systems map nothing there unless requested.
    const WINDOWS: [(u64, u64); 2] = [(1 << 40, 15 << 40), (32 << 40, 80 << 40)];
    /// Number of windows that are tried, because something may be mapped in them nevertheless.
    const WINDOWS_TRIED: usize = 3;

    /// The windows of this process.
    struct Windows {
        /// Address at which the next window begins.
        next: u64,
        /// Address and size of the windows that were given back.
        free: Vec<(u64, u64)>,
    }

    static TAKEN: Mutex<Windows> = Mutex::new(Windows {
        next: WINDOWS[0].0,
        free: Vec::new(),
    });

    /// Returns the first address of a window of `bytes` bytes.
    fn take_window(bytes: u64) -> Option<u64> {
        if cfg!(not(all(
            target_pointer_width = "64",
            any(target_arch = "x86_64", target_arch = "aarch64")
        ))) {
            return None;
        }
        let mut taken = lock(&TAKEN);
        if let Some(place) = taken.free.iter().position(|&(_, size)| size == bytes) {
            return Some(taken.free.swap_remove(place).0);
        }
        // Nothing is mapped directly after a window, so an access beyond its end is noticed.
        let size = bytes.checked_add(MAPPED_UNIT)?;
        let &(from, to) = WINDOWS
            .iter()
            .find(|&&(from, to)| taken.next.max(from) + size <= to)?;
        let base = taken.next.max(from);
        debug_assert!(base < to);
        taken.next = base + size;
        Some(base)
    }

    fn give_window_back(base: u64, bytes: u64) {
        let mut taken = lock(&TAKEN);
        // If there is no room to note the window, it is not used again.
        let _ = crate::base::growth::Grow::put(&mut taken.free, (base, bytes));
    }

    /// Returns the CPU time of the process, user and system, in seconds.
    pub(crate) fn cpu_time(_: &Permit<Clock>) -> f64 {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes one timespec.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    /// Returns the CPU time of a thread of the process, given its number in the system, or `None` if unknown. No
    /// text sees this time.
    #[cfg(target_os = "linux")]
    pub(crate) fn time_of_thread(thread: u64) -> Option<Duration> {
        // The C library makes the number of a thread's clock in the same way.
        let clock = (!i32::try_from(thread).ok().filter(|&number| number > 0)? << 3) | 6;
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes one timespec.
        let found = unsafe { libc::clock_gettime(clock, &raw mut time) } == 0;
        let part = u32::try_from(time.tv_nsec).unwrap_or(0);
        found.then(|| Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), part))
    }

    /// Returns `None`: the time is unknown on this system.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn time_of_thread(_: u64) -> Option<Duration> {
        None
    }

    /// The exit status that shells report for a process ended by a signal, without the number of the signal.
    const SIGNALLED: i32 = 128;

    /// The events that the interrupt key and other signals set: null, or events that are never freed. A process has
    /// one such key, but any number of engines.
    static INTERRUPTED: AtomicPtr<Events> = AtomicPtr::new(null_mut());

    /// Returns the system's number of this thread, or 0 if the thread cannot be disturbed.
    pub(crate) fn thread_number() -> u64 {
        #[cfg(target_os = "linux")]
        thread_local! {
            // SAFETY: the call has no arguments and only returns a number.
            static NUMBER: u64 = u64::try_from(unsafe { libc::gettid() }).unwrap_or(0);
        }
        #[cfg(target_os = "linux")]
        let number = NUMBER.try_with(|number| *number).unwrap_or(0);
        #[cfg(not(target_os = "linux"))]
        let number = 0;
        number
    }

    /// Interrupts the system call that a thread of this process waits in. Returns false if that is impossible.
    pub(crate) fn disturb(thread: u64) -> bool {
        #[cfg(target_os = "linux")]
        let disturbed = {
            static READY: std::sync::Once = std::sync::Once::new();
            READY.call_once(install_disturbance_handler);
            let thread = libc::pid_t::try_from(thread).unwrap_or(0);
            // SAFETY: the call has no arguments and only returns a number.
            let process = unsafe { libc::getpid() };
            // SAFETY: a system call with numbers as arguments; for a thread that has ended the call returns an
            // error.
            let sent = || unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGURG) };
            thread != 0 && sent() == 0
        };
        #[cfg(not(target_os = "linux"))]
        let disturbed = {
            let _ = thread;
            false
        };
        disturbed
    }

    /// Installs a handler for the signal that disturbs threads, which is ignored by default: the signal then ends a
    /// system call that waits. A host that has a handler for that signal keeps it.
    #[cfg(target_os = "linux")]
    fn install_disturbance_handler() {
        if matches!(action_of(libc::SIGURG), Some(action) if !is_handler(action)) {
            handle(libc::SIGURG, ignore_signal);
        }
    }

    extern "C" fn interrupted(_: libc::c_int) {
        // SAFETY: null, or a pointer that `watched_by` leaked.
        let Some(events) = (unsafe { INTERRUPTED.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        if events.interrupt() {
            // The engine has not answered the first request.
            end_by(libc::SIGINT);
        }
    }

    /// Makes the interrupt key of the terminal set these events. Returns whether that is possible.
    pub(crate) fn on_interrupt(events: Arc<Events>) -> bool {
        watched_by(events);
        handle(libc::SIGINT, interrupted)
    }

    extern "C" fn on_termination_signal(signal: libc::c_int) {
        // SAFETY: null, or a pointer that `watched_by` leaked.
        let Some(events) = (unsafe { INTERRUPTED.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        if events.halt(SIGNALLED + signal) {
            // The engine has not answered the first request.
            end_by(signal);
        } else if matches!(action_of(libc::SIGINT), Some(action) if is_handler(action)) {
            // The line editor waits for keys and reacts only to the signal of the interrupt key.
            // SAFETY: this function may be called in a signal handler.
            unsafe { libc::raise(libc::SIGINT) };
        }
    }

    /// Makes the signals TERM and HUP request the end of the process through these events. Returns whether that is
    /// possible.
    pub(crate) fn on_termination(events: Arc<Events>) -> bool {
        watched_by(events);
        [libc::SIGTERM, libc::SIGHUP].into_iter().all(|signal| {
            // The starter of the process may want it to outlive the terminal, so an ignored signal stays ignored.
            action_of(signal) == Some(libc::SIG_IGN) || handle(signal, on_termination_signal)
        })
    }

    extern "C" fn ignore_signal(_: libc::c_int) {}

    /// Makes a write beyond the limit of file sizes return an error. It installs a handler that does nothing. An
    /// ignored signal would stay ignored in the processes that this one starts.
    pub(crate) fn report_file_size_limit() {
        if action_of(libc::SIGXFSZ) == Some(libc::SIG_DFL) {
            handle(libc::SIGXFSZ, ignore_signal);
        }
    }

    /// Returns the action of a signal: a handler, or one of two numbers.
    fn action_of(signal: libc::c_int) -> Option<libc::sighandler_t> {
        // SAFETY: `sigaction` is made of integers, for which all zeros is a value; the call writes one.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let known = libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0;
            known.then_some(action.sa_sigaction)
        }
    }

    fn is_handler(action: libc::sighandler_t) -> bool {
        action != libc::SIG_DFL && action != libc::SIG_IGN
    }

    /// Installs this handler of a signal. The handler only touches atomics and calls functions that are allowed in
    /// signal handlers. The flag that restarts system calls is not set, so the signal ends calls that wait for
    /// input.
    fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) -> bool {
        // SAFETY: as in `action_of`; the call reads one.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut()) == 0
        }
    }

    /// Ends the process by a signal, as it would end without a handler.
    fn end_by(signal: libc::c_int) {
        // SAFETY: both functions may be called in a signal handler.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    /// Makes the signals of this process set these events.
    fn watched_by(events: Arc<Events>) {
        INTERRUPTED.store(Arc::into_raw(events).cast_mut(), Ordering::Release);
    }

    /// Requests the process of this number to end, or forces it to end.
    pub(crate) fn end_process(number: u32, force: bool) {
        let signal = if force { libc::SIGKILL } else { libc::SIGTERM };
        // Other numbers mean groups of processes, or all processes.
        if let Ok(number @ 2..) = libc::pid_t::try_from(number) {
            // SAFETY: a system call with numbers as arguments; for a process that has ended the call returns an
            // error.
            unsafe { libc::kill(number, signal) };
        }
    }

    /// Waits for one key of the terminal at the standard input, without echo. The interrupt key is a key like
    /// others. A terminal may deliver only lines: then it returns the first character of a line, or the line break
    /// of an empty one. Returns `None` if there is no terminal, or at its end.
    pub(crate) fn read_key(_: &Permit<Stdin>) -> Option<u8> {
        if super::keys_come_in_lines() {
            return read_line_key();
        }
        // SAFETY: `termios` is made of integers, for which all zeros is a value.
        let mut usual: libc::termios = unsafe { std::mem::zeroed() };
        // SAFETY: writes one termios.
        if unsafe { libc::tcgetattr(libc::STDIN_FILENO, &raw mut usual) } != 0 {
            return None;
        }
        let mut single = usual;
        single.c_lflag &= !(libc::ICANON | libc::ECHO | libc::ISIG);
        single.c_cc[libc::VMIN] = 1;
        single.c_cc[libc::VTIME] = 0;
        let mut key = 0u8;
        // SAFETY: reads one termios, writes one byte, reads one termios.
        let count = unsafe {
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSADRAIN, &raw const single);
            let count = libc::read(libc::STDIN_FILENO, (&raw mut key).cast(), 1);
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSADRAIN, &raw const usual);
            count
        };
        (count == 1).then_some(key)
    }

    /// Makes reads of the terminal at the standard input return at once if no key is waiting. This holds until its
    /// mode is set again.
    pub(crate) fn stop_waiting_for_keys() -> bool {
        // SAFETY: as in `read_key`.
        unsafe {
            let mut mode: libc::termios = std::mem::zeroed();
            if libc::tcgetattr(libc::STDIN_FILENO, &raw mut mode) != 0 {
                return false;
            }
            mode.c_cc[libc::VMIN] = 0;
            mode.c_cc[libc::VTIME] = 0;
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &raw const mode) == 0
        }
    }

    fn read_line_key() -> Option<u8> {
        // The longest line of a terminal.
        let mut line = [0u8; 4096];
        // SAFETY: the first call has no memory arguments; the second writes at most the length of `line`.
        let count = unsafe {
            match libc::isatty(libc::STDIN_FILENO) {
                1 => libc::read(libc::STDIN_FILENO, line.as_mut_ptr().cast(), line.len()),
                _ => 0,
            }
        };
        let typed = line.get(..usize::try_from(count).ok()?)?;
        let end = typed.last().copied();
        typed
            .iter()
            .copied()
            .find(|key| !key.is_ascii_whitespace())
            .or(end)
    }

    /// Returns the number of bytes that can be read from the standard input at once.
    pub(crate) fn keys_waiting() -> usize {
        let mut count: libc::c_int = 0;
        // SAFETY: writes one integer.
        let status = unsafe { libc::ioctl(libc::STDIN_FILENO, libc::FIONREAD, &raw mut count) };
        if status == 0 {
            usize::try_from(count).unwrap_or(0)
        } else {
            0
        }
    }

    /// Returns the number of characters in a line of the terminal at the standard error output or the standard
    /// output.
    pub(crate) fn terminal_width(_: &Permit<Stdout>) -> Option<usize> {
        let outputs = [libc::STDERR_FILENO, libc::STDOUT_FILENO];
        outputs.into_iter().find_map(|output| {
            // SAFETY: `winsize` is made of integers, for which all zeros is a value.
            let mut size: libc::winsize = unsafe { std::mem::zeroed() };
            // SAFETY: writes one winsize.
            let status = unsafe { libc::ioctl(output, libc::TIOCGWINSZ, &raw mut size) };
            (status == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
        })
    }

    /// Returns the local zone at a time, given in seconds since 1970.
    pub(crate) fn local_zone(seconds: i64) -> Option<LocalZone> {
        let seconds = libc::time_t::try_from(seconds).ok()?;
        // SAFETY: `tm` is made of integers and a pointer, for which all zeros is a value.
        let mut parts: libc::tm = unsafe { std::mem::zeroed() };
        // SAFETY: reads one time, writes one tm.
        if unsafe { libc::localtime_r(&raw const seconds, &raw mut parts) }.is_null() {
            return None;
        }
        let name = if parts.tm_zone.is_null() {
            String::new()
        } else {
            // SAFETY: the text ends in a zero and is valid while the table of zones is.
            let name = unsafe { std::ffi::CStr::from_ptr(parts.tm_zone) };
            name.to_string_lossy().into_owned()
        };
        Some(LocalZone {
            west: -parts.tm_gmtoff,
            summer: parts.tm_isdst > 0,
            name,
        })
    }

    /// Returns the number of bytes of memory of the machine, if known.
    pub(crate) fn physical_memory() -> Option<u64> {
        // SAFETY: both calls only return a number.
        let (pages, size) = unsafe {
            (
                libc::sysconf(libc::_SC_PHYS_PAGES),
                libc::sysconf(libc::_SC_PAGESIZE),
            )
        };
        Some(u64::try_from(pages).ok()? * u64::try_from(size).ok()?)
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{LocalZone, Reservation};
    use crate::base::needs::{Clock, Permit, Stdin, Stdout};
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    impl Reservation {
        /// Allocates `bytes` of zeroed memory.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            let layout = Layout::from_size_align(bytes, 4096).ok()?;
            // SAFETY: the layout has a non-zero size.
            let base = unsafe { alloc_zeroed(layout) };
            if base.is_null() {
                None
            } else {
                Some(Reservation {
                    base,
                    bytes,
                    window: false,
                })
            }
        }

        /// Does nothing: the system decides about large pages here.
        pub(crate) fn prefer_large_pages(&self, _from: u64, _to: u64) {}

        /// Does nothing: memory cannot be given back in part here.
        pub(crate) fn release(&self, _from: u64, _to: u64) {}
    }

    /// Returns false: there are no windows here.
    pub(super) fn map_at(_address: u64, _bytes: u64) -> bool {
        false
    }

    impl Drop for Reservation {
        fn drop(&mut self) {
            if let Ok(layout) = Layout::from_size_align(self.bytes, 4096) {
                // SAFETY: this is exactly the allocation made in `new`.
                unsafe { dealloc(self.base, layout) };
            }
        }
    }

    /// Returns the time since the first call, in seconds: the CPU time is unknown here.
    pub(crate) fn cpu_time(_: &Permit<Clock>) -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }

    /// Returns `None`: the time is unknown here.
    pub(crate) fn time_of_thread(_: u64) -> Option<Duration> {
        None
    }

    /// Returns 0: threads cannot be disturbed here.
    pub(crate) fn thread_number() -> u64 {
        0
    }

    /// Returns false: threads cannot be disturbed here.
    pub(crate) fn disturb(_: u64) -> bool {
        false
    }

    /// Does nothing: no process can be requested to end here.
    pub(crate) fn end_process(_number: u32, _force: bool) {}

    /// Returns `None`: single keys cannot be read here.
    pub(crate) fn read_key(_: &Permit<Stdin>) -> Option<u8> {
        None
    }

    /// Returns false: reads wait for keys here.
    pub(crate) fn stop_waiting_for_keys() -> bool {
        false
    }

    /// Returns 0: the number is unknown here.
    pub(crate) fn keys_waiting() -> usize {
        0
    }

    /// Returns false: there are no such signals here.
    pub(crate) fn on_termination(_: std::sync::Arc<crate::store::events::Events>) -> bool {
        false
    }

    /// Does nothing: there is no such signal here.
    pub(crate) fn report_file_size_limit() {}

    /// Returns false: there is no such key here.
    pub(crate) fn on_interrupt(_: std::sync::Arc<crate::store::events::Events>) -> bool {
        false
    }

    /// Returns `None`: the width is unknown here.
    pub(crate) fn terminal_width(_: &Permit<Stdout>) -> Option<usize> {
        None
    }

    /// Returns `None`: the local zone is unknown here.
    pub(crate) fn local_zone(_seconds: i64) -> Option<LocalZone> {
        None
    }

    /// Returns `None`: the size is unknown here.
    pub(crate) fn physical_memory() -> Option<u64> {
        None
    }
}

pub(crate) use imp::{
    cpu_time, disturb, end_process, keys_waiting, local_zone, on_interrupt, on_termination,
    physical_memory, read_key, report_file_size_limit, stop_waiting_for_keys, terminal_width,
    thread_number, time_of_thread,
};
