//! Runs of child processes to their end or to a limit of time, with the resources that they used.

#![cfg(unix)]
#![expect(
    unsafe_code,
    reason = "only wait4 reports the CPU time and the peak memory of one child"
)]

use std::io;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// The resources that a child used.
pub(crate) struct Usage {
    /// User and system time in seconds.
    pub(crate) cpu: f64,
    /// Peak resident memory in KiB.
    pub(crate) peak: u64,
    /// Whether the child exited by itself with status 0.
    pub(crate) success: bool,
    /// Whether the child ended within the limit.
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

/// Reaps `child` and returns its usage if it has ended.
fn reaped(child: &Child) -> io::Result<Option<Usage>> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` consists of integers, so all zeros is a valid value.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live locals. No other code waits for this child.
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

/// Returns the peak memory in KiB. Linux counts in KiB, macOS in bytes.
fn peak_kib(used: &libc::rusage) -> u64 {
    let peak = u64::try_from(used.ru_maxrss).unwrap_or(0);
    if cfg!(target_os = "macos") {
        peak / 1024
    } else {
        peak
    }
}
