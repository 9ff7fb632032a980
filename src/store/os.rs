#![expect(unsafe_code, reason = "memory is reserved from, and time asked of, the operating system here alone")]
//! What is asked of the operating system: address space without memory behind it, CPU time.
//! The only file that differs between systems.

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
    use super::Reservation;

    impl Reservation {
        /// Reserves `bytes` of zeroed address space; memory is taken page by page at first use.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            // SAFETY: a fresh anonymous mapping at an address of the system's choice.
            let base = unsafe {
                libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
            };
            if base == libc::MAP_FAILED { None } else { Some(Reservation { base: base.cast(), bytes }) }
        }

        /// Gives the memory behind `from..to` (byte offsets) back; it reads as zero again.
        pub(crate) fn release(&self, from: usize, to: usize) {
            let page = 4096;
            let from = from.div_ceil(page) * page;
            let to = to.min(self.bytes) / page * page;
            if from < to {
                // SAFETY: the range lies within the mapping, which nobody else uses.
                unsafe { libc::madvise(self.base.add(from).cast(), to - from, libc::MADV_DONTNEED) };
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
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: writes one timespec.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    /// Bytes of memory of the machine, if it can be known.
    pub(crate) fn physical_memory() -> Option<u64> {
        // SAFETY: two queries without arguments in memory.
        let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        Some(u64::try_from(pages).ok()? * u64::try_from(size).ok()?)
    }
}

#[cfg(not(unix))]
mod imp {
    use super::Reservation;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::sync::OnceLock;
    use std::time::Instant;

    impl Reservation {
        /// Allocates `bytes` of zeroed memory.
        pub(crate) fn new(bytes: usize) -> Option<Reservation> {
            let layout = Layout::from_size_align(bytes, 4096).ok()?;
            // SAFETY: the layout has a non-zero size.
            let base = unsafe { alloc_zeroed(layout) };
            if base.is_null() { None } else { Some(Reservation { base, bytes }) }
        }

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

    /// Not known here.
    pub(crate) fn physical_memory() -> Option<u64> {
        None
    }
}

pub(crate) use imp::{cpu_time, physical_memory};
