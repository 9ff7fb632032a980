//! The threads of the process that help with searches. After a search, they stay for the next one.

use crate::base::growth::Grow;
use crate::base::locks::{lock, wait};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

/// The work of a thread.
pub(super) type Job = Box<dyn FnOnce() + Send>;

struct Helpers {
    jobs: Mutex<Jobs>,
    news: Condvar,
}

struct Jobs {
    waiting: VecDeque<Job>,
    /// The number of threads without a job.
    idle: usize,
}

static HELPERS: Helpers = Helpers {
    jobs: Mutex::new(Jobs {
        waiting: VecDeque::new(),
        idle: 0,
    }),
    news: Condvar::new(),
};

/// Gives a job to a thread. Returns `false` if the system has no thread for it, or if memory runs out.
pub(super) fn have_done(job: Job) -> bool {
    let mut jobs = lock(&HELPERS.jobs);
    if jobs.waiting.put(job).is_err() {
        return false;
    }
    if jobs.idle < jobs.waiting.len() {
        let builder = std::thread::Builder::new().name("wamlet-search".to_owned());
        if builder.spawn(work).is_err() {
            jobs.waiting.pop_back();
            return false;
        }
        jobs.idle += 1;
    }
    drop(jobs);
    HELPERS.news.notify_one();
    true
}

/// Runs one job after the other. Each thread does this.
fn work() {
    let mut jobs = lock(&HELPERS.jobs);
    loop {
        if let Some(job) = jobs.waiting.pop_front() {
            jobs.idle -= 1;
            drop(jobs);
            job();
            jobs = lock(&HELPERS.jobs);
            jobs.idle += 1;
        } else {
            jobs = wait(&HELPERS.news, (&HELPERS.jobs, jobs), None);
        }
    }
}
