//! Readers, writers and functions of the host that fail in different ways: each failure is an error, and the
//! engine works on.

#![cfg(panic = "unwind")]

use std::io::Write;
use wamlet::{Call, Engine};

fn engine() -> Engine {
    Engine::new().expect("an engine")
}

fn answer(engine: &mut Engine, goal: &str) -> String {
    let solution = engine.query_once(goal).expect(goal);
    solution.expect(goal).to_string()
}

/// A reader or writer with a fault.
#[derive(Clone, Copy, Debug)]
enum Bad {
    Panics,
    PanicsInFlush,
    ClaimsTooMuch,
    IsInterrupted,
}

impl Write for Bad {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Bad::Panics => panic!("on purpose"),
            Bad::PanicsInFlush => Ok(bytes.len()),
            Bad::ClaimsTooMuch => Ok(bytes.len() + 1),
            Bad::IsInterrupted => Err(std::io::ErrorKind::Interrupted.into()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Bad::PanicsInFlush => panic!("on purpose"),
            Bad::IsInterrupted => Err(std::io::ErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }
}

impl std::io::Read for Bad {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.write(bytes)
    }
}

/// Every failure of a reader or writer is an error: in goals, in calls of the host, and when the engine is
/// dropped.
#[test]
fn readers_and_writers_that_fail() {
    for bad in [
        Bad::Panics,
        Bad::PanicsInFlush,
        Bad::ClaimsTooMuch,
        Bad::IsInterrupted,
    ] {
        let mut engine = engine();
        engine.set_output(bad);
        engine.set_error_output(bad);
        let goal = "catch((write(a), flush_output), error(io_error(_, _), _), X = caught)";
        assert_eq!(answer(&mut engine, goal), "X = caught", "{bad:?}");
        engine.write_output("text").expect("it is buffered");
        assert!(engine.flush_output().is_err(), "{bad:?}");
        assert!(engine.write_error_output("text").is_err(), "{bad:?}");
        engine.write_output("text").expect("it is buffered");
        if !matches!(bad, Bad::PanicsInFlush) {
            engine.set_input(bad);
            let goal = "catch(get_char(_), error(io_error(_, _), _), X = caught)";
            assert_eq!(answer(&mut engine, goal), "X = caught", "{bad:?}");
        }
        assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    }
}

/// A reader or writer that panics on drop.
struct PanicsOnDrop;

impl Write for PanicsOnDrop {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl std::io::Read for PanicsOnDrop {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("on purpose");
    }
}

/// Readers, writers and functions of the host may panic on drop, even several of them when the engine is
/// dropped. The engine works on.
#[test]
fn values_that_panic_on_drop() {
    let holding = |value: PanicsOnDrop| {
        move |_: &mut Call<'_>| {
            let _held = &value;
            Ok(true)
        }
    };
    let mut engine = engine();
    for turn in 0..2 {
        engine.set_input(PanicsOnDrop);
        engine.set_output(PanicsOnDrop);
        engine.set_error_output(PanicsOnDrop);
        let again = engine.register("held", 0, holding(PanicsOnDrop));
        assert_eq!(again.is_err(), turn == 1);
        assert_eq!(answer(&mut engine, "held, X = 1"), "X = 1");
    }
    engine.register("more", 0, holding(PanicsOnDrop)).unwrap();
    drop(engine);
}
