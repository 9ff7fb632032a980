//! What is asked of the operating system: address space without memory behind it, CPU time, keys.
//! The only file that differs between systems.
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

/// Reserved address space, given back when dropped.
pub(crate) struct Reservation {
    base: *mut u8,
    bytes: usize,
}

// SAFETY: the reservation is plain memory with one owner; nothing in it belongs to a thread.
unsafe impl Send for Reservation {}

impl Reservation {
    /// Address of its first byte, aligned to a page.
    pub(crate) fn base(&self) -> u64 {
        self.base as u64
    }
    /// Its size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(unix)]
mod imp {
    use super::{LocalZone, Reservation};
    use crate::store::heap::Events;
    use std::ptr::null_mut;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicPtr, Ordering};

    impl Reservation {
        /// Reserves `bytes` of zeroed address space; memory is taken page by page at first use.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            // SAFETY: a fresh anonymous mapping at an address of the system's choice.
            let base = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    bytes,
                    libc::PROT_READ | libc::PROT_WRITE,
                    flags,
                    -1,
                    0,
                )
            };
            if base == libc::MAP_FAILED {
                return None;
            }
            Some(Reservation {
                base: base.cast(),
                bytes,
            })
        }

        /// Lets the system give memory for `from..to` (byte offsets) in large pages: random access is
        /// faster, and growing cheaper. It is advice: where it is not heeded nothing changes.
        pub(crate) fn prefer_large_pages(&self, from: usize, to: usize) {
            let to = to.min(self.bytes);
            if cfg!(any(target_os = "linux", target_os = "android")) && from < to {
                #[cfg(any(target_os = "linux", target_os = "android"))]
                // SAFETY: the range lies within the mapping.
                unsafe {
                    libc::madvise(self.base.add(from).cast(), to - from, libc::MADV_HUGEPAGE);
                }
            }
        }

        /// Gives the memory behind `from..to` (byte offsets) back; it reads as zero again.
        pub(crate) fn release(&self, from: usize, to: usize) {
            let page = 4096;
            let from = from.div_ceil(page) * page;
            let to = to.div_ceil(page) * page;
            let to = to.min(self.bytes);
            if from < to {
                // SAFETY: the range lies within the mapping, which nobody else uses.
                unsafe {
                    libc::madvise(self.base.add(from).cast(), to - from, libc::MADV_DONTNEED)
                };
            }
        }
    }

    impl Drop for Reservation {
        fn drop(&mut self) {
            // SAFETY: exactly the mapping made in `new`.
            unsafe { libc::munmap(self.base.cast(), self.bytes) };
        }
    }

    /// CPU time of the process, user and system, in seconds.
    pub(crate) fn cpu_time() -> f64 {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes one timespec.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    /// What the interrupt key sets: null, or events that are never freed. A process has one such
    /// key, whatever number of engines.
    static INTERRUPTED: AtomicPtr<Events> = AtomicPtr::new(null_mut());

    /// The system's number of this thread, 0 if it cannot be disturbed.
    pub(crate) fn thread_number() -> u64 {
        #[cfg(target_os = "linux")]
        // SAFETY: a query without arguments.
        let number = u64::try_from(unsafe { libc::gettid() }).unwrap_or(0);
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

    #[cfg(target_os = "linux")]
    extern "C" fn disturbed(_: libc::c_int) {}

    /// Makes the signal that threads are disturbed with known, which is otherwise ignored: a call
    /// that it finds waiting ends. Who has a use for that signal keeps it.
    #[cfg(target_os = "linux")]
    fn heed_disturbances() {
        let handler: extern "C" fn(libc::c_int) = disturbed;
        // SAFETY: `sigaction` is made of integers, for which all zeros is a value; the calls read
        // and write two of them, and the handler does nothing.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut old: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGURG, std::ptr::null(), &raw mut old);
            if old.sa_sigaction == libc::SIG_DFL || old.sa_sigaction == libc::SIG_IGN {
                action.sa_sigaction = handler as libc::sighandler_t;
                libc::sigaction(libc::SIGURG, &raw const action, std::ptr::null_mut());
            }
        }
    }

    extern "C" fn interrupted(_: libc::c_int) {
        // SAFETY: null, or a pointer that `on_interrupt` leaked.
        let Some(events) = (unsafe { INTERRUPTED.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        if events.interrupt() {
            // Nobody answers the first request: the process ends as it would without this handler.
            // SAFETY: both functions may be called in a signal handler.
            unsafe {
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                libc::raise(libc::SIGINT);
            }
        }
    }

    /// Lets the interrupt key of the terminal set these events. True where that is possible.
    pub(crate) fn on_interrupt(events: Arc<Events>) -> bool {
        INTERRUPTED.store(Arc::into_raw(events).cast_mut(), Ordering::Release);
        let handler: extern "C" fn(libc::c_int) = interrupted;
        // SAFETY: `sigaction` is made of integers, for which all zeros is a value. Without the flag
        // that restarts them, calls that wait for input are broken off.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler as libc::sighandler_t;
        // SAFETY: the handler only touches atomics and calls functions that signals allow.
        unsafe { libc::sigaction(libc::SIGINT, &raw const action, std::ptr::null_mut()) == 0 }
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
    /// key is a key like others. `None` if there is no terminal, or at its end.
    pub(crate) fn read_key() -> Option<u8> {
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

    /// How many characters a line of the terminal shows that is the standard error output, or the standard
    /// output.
    pub(crate) fn terminal_width() -> Option<usize> {
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
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::sync::OnceLock;
    use std::time::Instant;

    impl Reservation {
        /// Allocates `bytes` of zeroed memory.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            let layout = Layout::from_size_align(bytes, 4096).ok()?;
            // SAFETY: the layout has a non-zero size.
            let base = unsafe { alloc_zeroed(layout) };
            if base.is_null() {
                None
            } else {
                Some(Reservation { base, bytes })
            }
        }

        /// The system decides here.
        pub(crate) fn prefer_large_pages(&self, _from: usize, _to: usize) {}

        /// Memory cannot be given back in part here.
        pub(crate) fn release(&self, _from: usize, _to: usize) {}
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
    pub(crate) fn cpu_time() -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
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
    pub(crate) fn read_key() -> Option<u8> {
        None
    }

    /// There is no such key here.
    pub(crate) fn on_interrupt(_: std::sync::Arc<crate::store::heap::Events>) -> bool {
        false
    }

    /// It cannot be known here.
    pub(crate) fn terminal_width() -> Option<usize> {
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
    cpu_time, disturb, end_process, local_zone, on_interrupt, physical_memory, read_key,
    terminal_width, thread_number,
};
