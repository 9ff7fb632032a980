//! The command: its subcommands, their arguments, the line editor, its output and its exit status. Programs, queries,
//! tests and messages are in the library, which is a crate of its own. Nothing here depends on terms on the heap or on
//! clauses. Code that another host would also need belongs to `api` or `testing`.
//! Sees no other room: it is written against the public interface, `wamlet`.
#![forbid(unsafe_code)]

mod args;
mod command;
mod compile;
mod count;
mod editor;
mod forecast;
mod keys;
mod limits;
mod manual;
mod merge;
mod one_goal;
mod output;
mod pasting;
mod progress;
mod prompt;
mod report;
mod sandbox;
mod setup;
mod slow_tests;
mod split;
mod status;
mod style;
mod subcommands;
mod test;
mod tree;
mod unit_lines;
mod units;

pub(crate) use command::run;
use status::{BROKEN, Outcome};
