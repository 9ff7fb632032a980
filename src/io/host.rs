//! Readers and writers of the host, behind a barrier: their mistakes become errors and leave the stream unchanged.
//! They may panic, also when they are dropped, report more bytes than there were, or be interrupted for ever.

use crate::base::panics::{self, Entrusted};
use std::io::{Error, ErrorKind, Read, Result, Write};

/// Maximum number of successive interruptions of a reader or writer.
const INTERRUPTIONS: u32 = 10_000;

/// A reader or writer of the host.
pub(crate) struct OfHost<T> {
    inner: Entrusted<T>,
    /// Number of interruptions since it last did anything.
    interruptions: u32,
}

impl<T> OfHost<T> {
    /// Puts a reader or writer behind the barrier.
    pub(crate) fn new(inner: T) -> OfHost<T> {
        OfHost {
            inner: Entrusted::new(inner),
            interruptions: 0,
        }
    }

    /// Runs an operation of at most this number of bytes.
    fn transfer(
        &mut self,
        most: usize,
        work: impl FnOnce(&mut T) -> Result<usize>,
    ) -> Result<usize> {
        let result = self.call_host(work);
        match &result {
            Ok(bytes) if *bytes > most => {
                return Err(Error::other(
                    "a reader or writer of the host reports more bytes than its buffer has",
                ));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                self.interruptions += 1;
                if self.interruptions > INTERRUPTIONS {
                    self.interruptions = 0;
                    return Err(Error::other(
                        "a reader or writer of the host is always interrupted",
                    ));
                }
            }
            _ => self.interruptions = 0,
        }
        result
    }

    fn call_host<R>(&mut self, work: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        panics::in_host(|| work(self.inner.get()))
            .unwrap_or_else(|_| Err(Error::other("a reader or writer of the host panicked")))
    }
}

impl Read for OfHost<Box<dyn Read + Send>> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.transfer(buffer.len(), |reader| reader.read(buffer))
    }
}

impl Write for OfHost<Box<dyn Write + Send>> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.transfer(bytes.len(), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        loop {
            let flush = |writer: &mut Box<dyn Write + Send>| writer.flush().map(|()| 0);
            match self.transfer(0, flush) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return result.map(drop),
            }
        }
    }
}
