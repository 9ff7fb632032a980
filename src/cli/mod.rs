//! The command, written against the public interface alone: arguments, goals, the prompt.
#![forbid(unsafe_code)]

mod args;
mod command;
mod compile;
mod editor;
mod input;
mod keys;
mod limits;
mod manual;
mod output;
mod pasting;
mod prompt;
mod report;
mod status;
mod style;
mod subcommands;
mod test;
mod tree;
mod values;
mod waiting;

use args::ANSWER_DEPTH;
pub(crate) use command::run;
use status::{BROKEN, Outcome};
