#![expect(unsafe_code, reason = "asks about the heap of the allocator")]
//! Large pages for large amounts of small blocks, and for large blocks. To find a clause among a million is
//! to read two or three places that nothing else has read for long; in small pages the processor has to look
//! for the page as well, each time. Memory that is used from end to end takes next to no more of it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A block of so many bytes is large.
const LARGE_BLOCK: usize = 4 << 20;
/// Blocks of so many bytes get pages of their own, as far as the allocator can be told: what is left of a table that
/// has grown then goes back at once.
const MAPPED_BLOCK: usize = 1 << 20;
/// Blocks of so many bytes are rare.
const RARE_BLOCK: usize = 1 << 16;
/// The heap of the allocator is large when it has grown by so many bytes.
const LARGE_HEAP: usize = 16 << 20;
/// From then on it grows by so many bytes, addresses at first: a large page is whole when it is first used.
const GROWTH: usize = 16 << 20;
/// A block that begins less than so many bytes after the former end of the heap lies in the heap.
const NEAR: usize = 64 << 20;

/// From here on the heap is to have large pages and was not given them yet; 0 before it is known where it is.
static END: AtomicUsize = AtomicUsize::new(0);

/// The allocator has given a block.
#[inline(always)]
pub(super) fn note(block: *mut u8, bytes: usize) {
    let beyond = (block as usize).wrapping_sub(END.load(Ordering::Relaxed));
    if beyond < NEAR || bytes >= RARE_BLOCK {
        prefer(block as usize, bytes, beyond < NEAR);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#[cold]
#[inline(never)]
fn prefer(block: usize, bytes: usize, in_heap: bool) {
    let heap_end = || {
        // SAFETY: it moves nothing.
        unsafe { libc::sbrk(0) as usize }
    };
    if END.load(Ordering::Relaxed) == 0 {
        END.store(heap_end() + LARGE_HEAP, Ordering::Relaxed);
    } else if in_heap {
        let (from, to) = (END.load(Ordering::Relaxed), heap_end());
        if from < to {
            // SAFETY: these are settings. The second one is otherwise found out by the allocator, which the first one stops.
            unsafe {
                libc::mallopt(libc::M_TOP_PAD, GROWTH as i32);
                libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BLOCK as i32);
            }
            advise(from, to);
            END.store(to, Ordering::Relaxed);
        }
    }
    if bytes >= LARGE_BLOCK {
        advise(block, block + bytes);
    }
}

/// Asks for large pages between these addresses.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
fn advise(from: usize, to: usize) {
    const PAGE: usize = 1 << 16;
    let (from, to) = (from.next_multiple_of(PAGE), to & !(PAGE - 1));
    if from < to {
        // SAFETY: it is advice; what lies there stays.
        unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
fn prefer(_: usize, _: usize, _: bool) {}
