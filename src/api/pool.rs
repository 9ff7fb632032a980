//! Pools of engines, which are used again and again.

use super::engine::Engine;
use super::error::Error;
use super::program::Program;
use crate::base::growth::Within;
use crate::base::locks::lock;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// A pool of engines of one program, for many short pieces of work. Each piece of work gets an engine in the state of
/// the program, and returns it afterwards. Clones denote the same pool.
///
/// ```
/// use wamlet::{Pool, Program};
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let (program, _) = Program::builder().text("count.pl", ":- dynamic seen/1.").build()?;
/// let pool = Pool::new(program, 8);
/// pool.engine()?.query_once("assertz(seen(1))")?;
/// // The next one does not see it.
/// assert!(pool.engine()?.query_once("seen(_)")?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Pool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    program: Program,
    /// Maximum number of idle engines that the pool keeps.
    most: usize,
    idle: Mutex<Vec<Engine>>,
}

impl Pool {
    /// Returns a pool that keeps at most `most` idle engines. It makes more engines on request.
    pub fn new(program: Program, most: usize) -> Pool {
        let idle = Mutex::new(Vec::new());
        Pool(Arc::new(Shared {
            program,
            most,
            idle,
        }))
    }

    /// Returns an engine in the state of the program.
    ///
    /// # Errors
    /// Returns the errors of [`Program::engine`].
    pub fn engine(&self) -> Result<Pooled, Error> {
        let idle = self.idle().pop();
        let engine = idle.map_or_else(|| self.0.program.engine(), Ok)?;
        Ok(Pooled {
            pool: self.clone(),
            engine: Some(engine),
        })
    }

    /// Returns the program of the engines.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine>> {
        lock(&self.0.idle)
    }

    /// Takes an engine back, unless the pool has enough of them.
    fn take_back(&self, mut engine: Engine) {
        // The user may have put another engine in place of this one.
        let own = engine.program.as_ref();
        let own = own.is_some_and(|program| Arc::ptr_eq(&program.0, &self.0.program.0));
        if !own || self.idle().len() >= self.0.most || engine.reset().is_err() {
            return;
        }
        let mut idle = self.idle();
        if idle.len() < self.0.most && idle.try_reserve(1).is_ok() {
            idle.put_within(engine);
        }
    }
}

/// An engine of a pool. When it is dropped, it is reset and returns to the pool.
#[derive(Debug)]
pub struct Pooled {
    pool: Pool,
    /// `None` while the value is dropped.
    engine: Option<Engine>,
}

impl Deref for Pooled {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        match &self.engine {
            Some(engine) => engine,
            None => unreachable!("it is there until it is dropped"),
        }
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut Engine {
        match &mut self.engine {
            Some(engine) => engine,
            None => unreachable!("it is there until it is dropped"),
        }
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.pool.take_back(engine);
        }
    }
}
