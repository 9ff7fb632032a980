//! Large pages for large blocks. To find a clause among a million is to read two or three places that nothing else has
//! read for long; in small pages the processor has to look for the page as well, each time.
#![cfg_attr(
    all(target_os = "linux", target_pointer_width = "64"),
    expect(unsafe_code, reason = "the system is given advice")
)]

/// A block of so many bytes is large.
const LARGE: usize = 4 << 20;

/// The allocator has given a block: it is asked for large pages if it is large.
#[inline(always)]
pub(super) fn note(block: *mut u8, bytes: usize) {
    if bytes >= LARGE {
        prefer(block as usize, bytes);
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[cold]
#[inline(never)]
fn prefer(block: usize, bytes: usize) {
    // Pages are of so many bytes at most.
    const PAGE: usize = 1 << 16;
    let (from, to) = (block.next_multiple_of(PAGE), (block + bytes) & !(PAGE - 1));
    // SAFETY: it is advice; what lies there stays.
    unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn prefer(_: usize, _: usize) {}
