#![expect(unsafe_code, reason = "an allocator")]
//! A reserve of memory for the moment when the system refuses some. Collections that grow with the data of a program
//! ask before they grow, and can be refused (`base::growth`). Small allocations do not ask, and where the system
//! refuses one the process would end. They get memory of the reserve instead. As long as some of it is used, every
//! request of a growing collection is refused.

use super::large_pages;
use crate::base::growth::HELD;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of the reserve: only addresses until they are used.
const SIZE: usize = 8 << 20;

/// A global allocator: the allocator of the system, with eight megabytes in reserve for the moment when the system
/// refuses memory. Then the work under way ends in a `resource_error`, where the process would end otherwise. The
/// command uses this allocator; a host that runs under a limit of its address space names it once:
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

// SAFETY: each byte belongs to the block that `take` has returned.
unsafe impl Sync for Room {}

static ROOM: Room = Room(UnsafeCell::new([0; SIZE]));
/// Number of bytes of the room that were given out. All of the room is free again when no block is held.
static GIVEN: AtomicUsize = AtomicUsize::new(0);
/// Whether a thread is changing `GIVEN` and `HELD`.
static LOCKED: AtomicBool = AtomicBool::new(false);

fn locked<T>(work: impl FnOnce() -> T) -> T {
    while LOCKED.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    let done = work();
    LOCKED.store(false, Ordering::Release);
    done
}

/// Returns a block of the reserve, or null if the reserve is used up.
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

/// Gives a block of the reserve back.
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

// SAFETY: blocks come from the system or from the reserve, and no two blocks of the reserve overlap.
unsafe impl GlobalAlloc for Reserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of the trait.
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
            // SAFETY: the block has that number of bytes.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_own(block) {
            return give_back();
        }
        // SAFETY: the block came from the system.
        unsafe { System.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_own(block) {
            // SAFETY: the block came from the system.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                large_pages::note(moved, size);
                return moved;
            }
        }
        // SAFETY: `realloc` takes only sizes that a layout may have. Both blocks have that number of bytes, and
        // nobody uses the old one afterwards.
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
