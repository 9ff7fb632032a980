#![expect(unsafe_code, reason = "an allocator")]
//! Memory for the moment when the system refuses some. Collections that grow with what a program gives ask, and are told
//! (`base::growth`); but small things are made that nothing asks for, and where the system refuses those the
//! process ends. They get memory of the reserve then; as long as some of it is used, everything that asks is refused.

use super::large_pages;
use crate::base::growth::HELD;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of the reserve: nothing but addresses until they are used.
const SIZE: usize = 8 << 20;

/// A global allocator: that of the system, with eight megabytes in reserve for the moment when the system refuses
/// memory. The work under way ends in a `resource_error` then, where the process would end otherwise. The command
/// has it; a host that runs under a limit of its address space names it once:
///
/// ```
/// #[global_allocator]
/// static MEMORY: wamlet::Reserve = wamlet::Reserve;
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Reserve;

#[repr(align(4096))]
struct Room(UnsafeCell<[u8; SIZE]>);

// SAFETY: each byte belongs to whom `take` has given it.
unsafe impl Sync for Room {}

static ROOM: Room = Room(UnsafeCell::new([0; SIZE]));
/// How much of the room was given: all of it is free again when nothing is held.
static GIVEN: AtomicUsize = AtomicUsize::new(0);
/// Somebody changes these two.
static LOCKED: AtomicBool = AtomicBool::new(false);

fn locked<T>(work: impl FnOnce() -> T) -> T {
    while LOCKED.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    let done = work();
    LOCKED.store(false, Ordering::Release);
    done
}

/// A block of the reserve; null if it is used up.
#[cold]
fn take(layout: Layout) -> *mut u8 {
    locked(|| {
        let from = GIVEN
            .load(Ordering::Relaxed)
            .next_multiple_of(layout.align().min(4096));
        let end = from.checked_add(layout.size()).filter(|&end| end <= SIZE);
        let Some(end) = end.filter(|_| layout.align() <= 4096) else {
            return std::ptr::null_mut();
        };
        GIVEN.store(end, Ordering::Relaxed);
        HELD.fetch_add(1, Ordering::Relaxed);
        // SAFETY: `from` lies within the room.
        unsafe { ROOM.0.get().cast::<u8>().add(from) }
    })
}

/// Gives such a block back.
#[cold]
fn give_back() {
    locked(|| {
        if HELD.fetch_sub(1, Ordering::Relaxed) == 1 {
            GIVEN.store(0, Ordering::Relaxed);
        }
    });
}

#[inline]
fn is_own(block: *mut u8) -> bool {
    (block as usize).wrapping_sub(ROOM.0.get() as usize) < SIZE
}

// SAFETY: blocks are those of the system, or of the reserve, which no two of its blocks share.
unsafe impl GlobalAlloc for Reserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to what the trait asks.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            return take(layout);
        }
        large_pages::note(block, layout.size());
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            large_pages::note(block, layout.size());
            return block;
        }
        let block = take(layout);
        if !block.is_null() {
            // SAFETY: the block has so many bytes.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_own(block) {
            return give_back();
        }
        // SAFETY: the block is one of the system's.
        unsafe { System.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_own(block) {
            // SAFETY: the block is one of the system's.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                large_pages::note(moved, size);
                return moved;
            }
        }
        // SAFETY: a size that `realloc` may be given is one of a layout; both blocks have that many bytes, and the old one
        // is given up.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}
