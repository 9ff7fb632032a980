//! Large pages for large blocks. To find a clause among a million, the processor reads two or three addresses that
//! were not read for long. With small pages it must look up the page as well, each time.
#![cfg_attr(
    all(target_os = "linux", target_pointer_width = "64"),
    expect(unsafe_code, reason = "the system is given advice")
)]

/// Size in bytes from which a block is large.
const LARGE: usize = 4 << 20;

/// Notes a block from the allocator: requests large pages for it if it is large.
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
    // No page is larger than this.
    const PAGE: usize = 1 << 16;
    let (from, to) = (block.next_multiple_of(PAGE), (block + bytes) & !(PAGE - 1));
    // SAFETY: this is advice; the contents stay.
    unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn prefer(_: usize, _: usize) {}
