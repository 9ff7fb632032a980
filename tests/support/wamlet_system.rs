//! Wamlet as the cases see it: the public interface behind the trait of `case_file.rs`.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use wamlet::{Engine, Error, InterruptHandle};

use crate::case_file::{Event, Reply, System};

/// The longest that a query may take. Every case is done in a moment, unless it never ends.
const LONGEST: Duration = Duration::from_secs(400);

/// An engine of its own, whose output is kept.
pub(crate) struct WamletSystem {
    engine: Engine,
    /// The files of the Lolli modules in whose context queries are asked, if they are of Lolli.
    modules: Option<Vec<String>>,
    /// May a choice be left after the last answer?
    choices: bool,
}

/// Settings under which every case must give the same answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Configuration {
    /// What it is called in the report of a failure.
    pub(crate) name: &'static str,
    /// Bytes of memory for terms; nothing for the default.
    pub(crate) memory: Option<usize>,
    /// Collect garbage at every call.
    pub(crate) collect_always: bool,
    /// Select clauses by indexes. Without, a last choice may be left that only fails.
    pub(crate) indexing: bool,
}

impl WamletSystem {
    /// A fresh engine.
    pub(crate) fn new(configuration: Configuration) -> Result<WamletSystem, String> {
        let mut builder = Engine::builder();
        if let Some(bytes) = configuration.memory {
            builder = builder.memory_limit(bytes);
        }
        let builder = builder
            .collect_at_every_call(configuration.collect_always)
            .clause_indexing(configuration.indexing);
        let mut engine = builder.build().map_err(|error| error.to_string())?;
        engine.capture_output();
        engine.set_input_text("");
        Ok(WamletSystem {
            engine,
            modules: None,
            choices: !configuration.indexing,
        })
    }
}

impl WamletSystem {
    /// Asks queries of Lolli from now on, in the context of the modules of these files.
    pub(crate) fn enter(&mut self, paths: &[&Path]) {
        let text = |path: &&Path| path.to_string_lossy().into_owned();
        self.modules = Some(paths.iter().map(text).collect());
    }
}

impl System for WamletSystem {
    fn load(&mut self, path: &Path, text: &str) -> Result<(), String> {
        let loaded = self.engine.consult_text(&path.to_string_lossy(), text);
        let report = loaded.map_err(|error| error.to_string())?;
        match report.errors.first() {
            Some(error) => Err(error.to_string()),
            None => Ok(()),
        }
    }

    fn ask(&mut self, query: &str, limit: usize) -> Vec<Reply> {
        let _watch = Watch::over(self.engine.interrupt_handle());
        let mut replies = Vec::new();
        let asked = match &self.modules {
            None => self.engine.query(query),
            Some(modules) => {
                let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
                self.engine.lolli_query_in(&modules, query)
            }
        };
        let mut answers = match asked {
            Ok(answers) => answers,
            Err(error) => {
                return vec![Reply {
                    output: String::new(),
                    event: ball(&error),
                }];
            }
        };
        while replies.len() < limit {
            let event = match answers.next() {
                Some(Ok(answer)) => Event::Answer {
                    text: answer.to_string(),
                    more: !answer.is_last(),
                },
                Some(Err(error)) => ball(&error),
                None => Event::Failure,
            };
            let ended = !matches!(event, Event::Answer { more: true, .. });
            let output = answers.engine().take_output();
            let idle = event == Event::Failure && output.is_empty() && !replies.is_empty();
            if !(idle && self.choices) {
                replies.push(Reply { output, event });
            }
            if ended {
                break;
            }
        }
        replies
    }
}

/// The ball, or what happened in words where nothing was thrown.
fn ball(error: &Error) -> Event {
    let text = error.ball_text();
    Event::Ball(if text.is_empty() {
        error.to_string()
    } else {
        text
    })
}

/// Stops a query that takes too long. What holds this ends the watch.
struct Watch {
    /// Nothing is ever sent: the other end sees this one go away.
    _ended: Sender<()>,
}

impl Watch {
    fn over(handle: InterruptHandle) -> Watch {
        let (ended, watched) = mpsc::channel();
        thread::spawn(move || {
            if watched.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
                handle.interrupt();
            }
        });
        Watch { _ended: ended }
    }
}
