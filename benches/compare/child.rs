//! A child process run to its end or to a time limit, with what it used.

#![cfg(unix)]
#![expect(
    unsafe_code,
    reason = "wait4 alone tells the CPU time and the peak memory of one child"
)]

use std::io;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// What a child used.
pub(crate) struct Usage {
    /// User and system time in seconds.
    pub(crate) cpu: f64,
    /// Peak resident memory in KiB.
    pub(crate) peak: u64,
    /// Whether it left by itself with status 0.
    pub(crate) success: bool,
    /// Whether it ended within the limit.
    pub(crate) in_time: bool,
}

/// Runs `command` for at most `limit` of real time.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Usage> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    let mut in_time = true;
    loop {
        if let Some(mut usage) = reaped(&child)? {
            usage.in_time = in_time;
            usage.success &= in_time;
            return Ok(usage);
        }
        if in_time && start.elapsed() > limit {
            in_time = false;
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The usage of `child` if it has ended; it is reaped then.
fn reaped(child: &Child) -> io::Result<Option<Usage>> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` is made of integers, for which all zeros is a value.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live locals; the child is ours and not waited for elsewhere.
    let ended = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut used) };
    match ended {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Some(Usage {
            cpu: seconds(used.ru_utime) + seconds(used.ru_stime),
            peak: peak_kib(&used),
            success: libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
            in_time: true,
        })),
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 * 1e-6
}

/// Linux counts in KiB, macOS in bytes.
fn peak_kib(used: &libc::rusage) -> u64 {
    let peak = u64::try_from(used.ru_maxrss).unwrap_or(0);
    if cfg!(target_os = "macos") {
        peak / 1024
    } else {
        peak
    }
}
