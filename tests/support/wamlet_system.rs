//! Wamlet as the cases see it: the public interface behind the trait of `case_file.rs`.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use wamlet::Engine;

use crate::case_file::{Event, Reply, System};

/// An engine of its own, whose output is kept.
pub(crate) struct WamletSystem {
    engine: Engine,
    output: Output,
}

/// A place for output that the engine and the test share.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// What was written since the last call.
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("a writer never panics"));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .map_err(|_| io::Error::other("poisoned"))?
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WamletSystem {
    /// A fresh engine.
    pub(crate) fn new() -> WamletSystem {
        let output = Output::default();
        let mut engine = Engine::new();
        engine.set_output(Box::new(output.clone()));
        WamletSystem { engine, output }
    }
}

impl System for WamletSystem {
    fn load(&mut self, path: &Path, text: &str) -> Result<(), String> {
        let loaded = self.engine.consult_text(&path.to_string_lossy(), text);
        loaded.map_err(|error| error.to_string())
    }

    fn ask(&mut self, query: &str, limit: usize) -> Vec<Reply> {
        let mut replies = Vec::new();
        let mut answers = match self.engine.query(query) {
            Ok(answers) => answers,
            Err(error) => {
                let event = Event::Ball(error.ball_text());
                return vec![Reply {
                    output: self.output.take(),
                    event,
                }];
            }
        };
        while replies.len() < limit {
            let event = match answers.next() {
                Some(Ok(answer)) => Event::Answer {
                    text: answer.to_string(),
                    more: !answer.is_last(),
                },
                Some(Err(error)) => Event::Ball(error.ball_text()),
                None => Event::Failure,
            };
            let ended = !matches!(event, Event::Answer { more: true, .. });
            replies.push(Reply {
                output: self.output.take(),
                event,
            });
            if ended {
                break;
            }
        }
        replies
    }
}
