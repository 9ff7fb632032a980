//! What is asked of the operating system: address space without memory behind it, CPU time, keys.
//! The only file that differs between systems.
//! Long because all calls of the operating system that the store makes are here.
#![expect(
    unsafe_code,
    reason = "memory is reserved from, and time asked of, the operating system here alone"
)]

/// What clocks show in the zone of this machine at some time.
pub(crate) struct LocalZone {
    /// Seconds that they are behind UTC; negative to the east of Greenwich.
    pub(crate) west: i64,
    /// Is it summer time?
    pub(crate) summer: bool,
    /// Their name, such as `CET`.
    pub(crate) name: String,
}

/// A range of addresses that one owner maps memory into, given back when dropped.
///
/// Where there are addresses in plenty it is a window that nothing is mapped into at first and nobody else asks
/// for, far from where the system puts what others map: so areas grow where they are, and an engine takes no more
/// of a limited address space than it uses. Elsewhere all of it is mapped at once.
pub(crate) struct Reservation {
    base: *mut u8,
    bytes: usize,
    /// Is it mapped in parts?
    window: bool,
}

// SAFETY: the reservation is plain memory with one owner; nothing in it belongs to a thread.
unsafe impl Send for Reservation {}

/// The unit that memory is mapped in: a multiple of the page size of every system.
pub(crate) const MAPPED_UNIT: u64 = 1 << 16;

impl Reservation {
    /// Address of its first byte, aligned to a page.
    pub(crate) fn base(&self) -> u64 {
        self.base as u64
    }
    /// Makes memory usable from byte `from` to byte `to` of it, multiples of [`MAPPED_UNIT`], none of which is
    /// mapped. False if the system refuses.
    pub(crate) fn map(&self, from: u64, to: u64) -> bool {
        !self.window || imp::map_at(self.base() + from, to - from)
    }
}

/// Terminals that have no single keys, by their names.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Is the terminal one that edits lines itself and gives them whole, such as a buffer of Emacs?
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
                // Is this an address that the system maps memory at?
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

        /// Lets the system give memory for `from..to` (byte offsets) in large pages: random access is
        /// faster, and growing cheaper. It is advice: where it is not heeded nothing changes.
        pub(crate) fn prefer_large_pages(&self, from: u64, to: u64) {
            let (from, to) = (from as usize, (to as usize).min(self.bytes));
            if cfg!(any(target_os = "linux", target_os = "android")) && from < to {
                #[cfg(any(target_os = "linux", target_os = "android"))]
                // SAFETY: the range lies within the mapping.
                unsafe {
                    libc::madvise(self.base.add(from).cast(), to - from, libc::MADV_HUGEPAGE);
                }
            }
        }

        /// Gives the memory behind `from..to` (byte offsets, multiples of [`MAPPED_UNIT`]) back; where all is mapped
        /// at once it reads as zero again.
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
            // SAFETY: the range lies within the mapping, which nobody else uses.
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

    /// Maps zeroed memory wherever the system likes, but best at the address `hint`.
    fn map_anywhere(hint: u64, bytes: usize) -> Option<*mut u8> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh anonymous mapping; one that is there already is not replaced.
        let base = unsafe { libc::mmap(hint as *mut _, bytes, access, flags, -1, 0) };
        (base != libc::MAP_FAILED).then_some(base.cast())
    }

    /// Maps zeroed memory at this address. False if the system refuses.
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

    /// Unmaps what is mapped from this address on.
    fn unmap(address: u64, bytes: u64) {
        // SAFETY: only ranges of a reservation that is dropped, or that its owner does not use any more.
        unsafe { libc::munmap(address as *mut _, bytes as usize) };
    }

    /// Addresses that windows are taken from: systems map nothing there unless asked to.
    const WINDOWS: [(u64, u64); 2] = [(1 << 40, 15 << 40), (32 << 40, 80 << 40)];
    /// Somebody may have mapped something there all the same.
    const WINDOWS_TRIED: usize = 3;

    /// The windows of this process.
    struct Windows {
        /// Where the next one begins.
        next: u64,
        /// Those that were given back: where they begin, and how large they are.
        free: Vec<(u64, u64)>,
    }

    static TAKEN: Mutex<Windows> = Mutex::new(Windows {
        next: WINDOWS[0].0,
        free: Vec::new(),
    });

    /// The beginning of a window of so many bytes.
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
        // What follows a window is mapped by nobody, so that what runs over its end is noticed.
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
        // Without room it is not used again.
        let _ = crate::base::growth::Grow::put(&mut taken.free, (base, bytes));
    }

    /// CPU time of the process, user and system, in seconds.
    pub(crate) fn cpu_time(_: &Permit<Clock>) -> f64 {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes one timespec.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    /// Time of the processor that a thread of the process has had, by the system's number, if that is known. No text sees it.
    #[cfg(target_os = "linux")]
    pub(crate) fn time_of_thread(thread: u64) -> Option<Duration> {
        // As the C library makes it of the number of a thread.
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

    /// That is not known here.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn time_of_thread(_: u64) -> Option<Duration> {
        None
    }

    /// The exit status of a process that a signal has ended, as shells have it, without the number of the signal.
    const SIGNALLED: i32 = 128;

    /// What the interrupt key and other signals set: null, or events that are never freed. A process has one such
    /// key, whatever number of engines.
    static INTERRUPTED: AtomicPtr<Events> = AtomicPtr::new(null_mut());

    /// The system's number of this thread, 0 if it cannot be disturbed.
    pub(crate) fn thread_number() -> u64 {
        #[cfg(target_os = "linux")]
        thread_local! {
            // SAFETY: a query without arguments.
            static NUMBER: u64 = u64::try_from(unsafe { libc::gettid() }).unwrap_or(0);
        }
        #[cfg(target_os = "linux")]
        let number = NUMBER.try_with(|number| *number).unwrap_or(0);
        #[cfg(not(target_os = "linux"))]
        let number = 0;
        number
    }

    /// Breaks off the system call that a thread of this process waits in. False if that cannot be
    /// done.
    pub(crate) fn disturb(thread: u64) -> bool {
        #[cfg(target_os = "linux")]
        let disturbed = {
            static READY: std::sync::Once = std::sync::Once::new();
            READY.call_once(heed_disturbances);
            let thread = libc::pid_t::try_from(thread).unwrap_or(0);
            // SAFETY: a query without arguments.
            let process = unsafe { libc::getpid() };
            // SAFETY: a system call on numbers; a thread that is no more is an error of the call.
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

    /// Makes the signal that threads are disturbed with known, which is otherwise ignored: a call
    /// that it finds waiting ends. Who has a use for that signal keeps it.
    #[cfg(target_os = "linux")]
    fn heed_disturbances() {
        if matches!(action_of(libc::SIGURG), Some(action) if !is_handler(action)) {
            handle(libc::SIGURG, noted);
        }
    }

    extern "C" fn interrupted(_: libc::c_int) {
        // SAFETY: null, or a pointer that `watched_by` leaked.
        let Some(events) = (unsafe { INTERRUPTED.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        if events.interrupt() {
            // Nobody answers the first request.
            end_by(libc::SIGINT);
        }
    }

    /// Lets the interrupt key of the terminal set these events. True where that is possible.
    pub(crate) fn on_interrupt(events: Arc<Events>) -> bool {
        watched_by(events);
        handle(libc::SIGINT, interrupted)
    }

    extern "C" fn asked_to_end(signal: libc::c_int) {
        // SAFETY: null, or a pointer that `watched_by` leaked.
        let Some(events) = (unsafe { INTERRUPTED.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        if events.halt(SIGNALLED + signal) {
            // Nobody answers the first request.
            end_by(signal);
        } else if matches!(action_of(libc::SIGINT), Some(action) if is_handler(action)) {
            // Who edits a line waits for keys, and heeds the signal of the interrupt key alone.
            // SAFETY: it may be called in a signal handler.
            unsafe { libc::raise(libc::SIGINT) };
        }
    }

    /// Has the signals TERM and HUP ask these events for the end of the process. True where that is possible.
    pub(crate) fn on_termination(events: Arc<Events>) -> bool {
        watched_by(events);
        [libc::SIGTERM, libc::SIGHUP].into_iter().all(|signal| {
            // Who started the process may want it to outlive the terminal.
            action_of(signal) == Some(libc::SIG_IGN) || handle(signal, asked_to_end)
        })
    }

    extern "C" fn noted(_: libc::c_int) {}

    /// Makes a write that the limit of file sizes forbids an error. A handler that does nothing, since what is
    /// ignored stays so in the processes that this one begins.
    pub(crate) fn report_file_size_limit() {
        if action_of(libc::SIGXFSZ) == Some(libc::SIG_DFL) {
            handle(libc::SIGXFSZ, noted);
        }
    }

    /// What a signal does: a handler, or one of two numbers.
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

    /// Gives a signal this handler, which only touches atomics and calls functions that signals allow. Without the flag
    /// that restarts them, calls that wait for input are broken off.
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

    /// Has the signals of this process ask these events.
    fn watched_by(events: Arc<Events>) {
        INTERRUPTED.store(Arc::into_raw(events).cast_mut(), Ordering::Release);
    }

    /// Asks the process of this number to end, or makes it end.
    pub(crate) fn end_process(number: u32, force: bool) {
        let signal = if force { libc::SIGKILL } else { libc::SIGTERM };
        // Other numbers mean groups of processes, or all.
        if let Ok(number @ 2..) = libc::pid_t::try_from(number) {
            // SAFETY: a system call on numbers; a process that is no more is an error of the call.
            unsafe { libc::kill(number, signal) };
        }
    }

    /// Waits for one key of the terminal that is the standard input, without echo; the interrupt
    /// key is a key like others. Where the terminal has lines alone it is the first character of one, or the end of an
    /// empty one. `None` if there is no terminal, or at its end.
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

    /// Has reads of the terminal that is the standard input end where no key waits, until its mode is set anew.
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
        // SAFETY: a query without arguments in memory; writes at most as many bytes as there are.
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

    /// Bytes that wait to be read from the standard input.
    pub(crate) fn keys_waiting() -> usize {
        let mut count: libc::c_int = 0;
        // SAFETY: writes one integer.
        let told = unsafe { libc::ioctl(libc::STDIN_FILENO, libc::FIONREAD, &raw mut count) };
        if told == 0 {
            usize::try_from(count).unwrap_or(0)
        } else {
            0
        }
    }

    /// How many characters a line of the terminal shows that is the standard error output, or the standard
    /// output.
    pub(crate) fn terminal_width(_: &Permit<Stdout>) -> Option<usize> {
        let outputs = [libc::STDERR_FILENO, libc::STDOUT_FILENO];
        outputs.into_iter().find_map(|output| {
            // SAFETY: `winsize` is made of integers, for which all zeros is a value.
            let mut size: libc::winsize = unsafe { std::mem::zeroed() };
            // SAFETY: writes one winsize.
            let told = unsafe { libc::ioctl(output, libc::TIOCGWINSZ, &raw mut size) };
            (told == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
        })
    }

    /// What clocks here show at a time, in seconds since 1970.
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
            // SAFETY: a text that ends in a zero, which stays as long as the zones do.
            let name = unsafe { std::ffi::CStr::from_ptr(parts.tm_zone) };
            name.to_string_lossy().into_owned()
        };
        Some(LocalZone {
            west: -parts.tm_gmtoff,
            summer: parts.tm_isdst > 0,
            name,
        })
    }

    /// Bytes of memory of the machine, if it can be known.
    pub(crate) fn physical_memory() -> Option<u64> {
        // SAFETY: two queries without arguments in memory.
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

        /// The system decides here.
        pub(crate) fn prefer_large_pages(&self, _from: u64, _to: u64) {}

        /// Memory cannot be given back in part here.
        pub(crate) fn release(&self, _from: u64, _to: u64) {}
    }

    /// There are no windows here.
    pub(super) fn map_at(_address: u64, _bytes: u64) -> bool {
        false
    }

    impl Drop for Reservation {
        fn drop(&mut self) {
            if let Ok(layout) = Layout::from_size_align(self.bytes, 4096) {
                // SAFETY: exactly the allocation made in `new`.
                unsafe { dealloc(self.base, layout) };
            }
        }
    }

    /// Time since the first call, in seconds: the system's CPU time is not asked for here.
    pub(crate) fn cpu_time(_: &Permit<Clock>) -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }

    /// Not known.
    pub(crate) fn time_of_thread(_: u64) -> Option<Duration> {
        None
    }

    /// Threads are not disturbed here.
    pub(crate) fn thread_number() -> u64 {
        0
    }

    /// Threads are not disturbed here.
    pub(crate) fn disturb(_: u64) -> bool {
        false
    }

    /// Nobody is asked to end here.
    pub(crate) fn end_process(_number: u32, _force: bool) {}

    /// Keys are not read singly here.
    pub(crate) fn read_key(_: &Permit<Stdin>) -> Option<u8> {
        None
    }

    /// They wait here.
    pub(crate) fn stop_waiting_for_keys() -> bool {
        false
    }

    /// Not known here.
    pub(crate) fn keys_waiting() -> usize {
        0
    }

    /// There are no such signals here.
    pub(crate) fn on_termination(_: std::sync::Arc<crate::store::events::Events>) -> bool {
        false
    }

    /// There is no such signal here.
    pub(crate) fn report_file_size_limit() {}

    /// There is no such key here.
    pub(crate) fn on_interrupt(_: std::sync::Arc<crate::store::events::Events>) -> bool {
        false
    }

    /// It cannot be known here.
    pub(crate) fn terminal_width(_: &Permit<Stdout>) -> Option<usize> {
        None
    }

    /// What clocks here show at a time: it cannot be known.
    pub(crate) fn local_zone(_seconds: i64) -> Option<LocalZone> {
        None
    }

    /// Not known here.
    pub(crate) fn physical_memory() -> Option<u64> {
        None
    }
}

pub(crate) use imp::{
    cpu_time, disturb, end_process, keys_waiting, local_zone, on_interrupt, on_termination,
    physical_memory, read_key, report_file_size_limit, stop_waiting_for_keys, terminal_width,
    thread_number, time_of_thread,
};
