//! Sessions of `tests/streams`: a table of streams, a folder of files, and the steps of a session.
#![expect(
    clippy::unit_arg,
    reason = "steps without a value show that they succeeded"
)]

use super::{Broken, Shared, TestDirectory, Trickle, read_all};
use crate::base::atom_table::Symbols;
use crate::base::needs::{Permit, Read};
use crate::data_tests::check;
use crate::io::allowance::UNLIMITED;
use crate::io::encoding::Encoding;
use crate::io::error::IoError;
use crate::io::files::absolute_file_name;
use crate::io::fingerprint::fingerprint;
use crate::io::options::{Buffering, EofAction, OpenMode, OpenOptions, Opening, StreamType};
use crate::io::output::Output;
use crate::io::paths;
use crate::io::position::Position;
use crate::io::source_file::{decode_source, read_source_file};
use crate::io::stream::{SeekOrigin, StreamId};
use crate::io::stream_table::{Capture, StreamTable, USER_ERROR, USER_INPUT, USER_OUTPUT};
use std::collections::HashMap;

/// The result of a step; an error has its name.
pub(super) type Result<T = String> = std::result::Result<T, IoError>;

pub(super) struct Session {
    pub(super) directory: TestDirectory,
    symbols: Symbols,
    /// `None` after `drop`.
    table: Option<StreamTable>,
    options: OpenOptions,
    streams: HashMap<String, StreamId>,
    captures: HashMap<String, Capture>,
    positions: HashMap<String, Position>,
    /// The output to writers, by the name of the stream.
    written: HashMap<String, Shared>,
}

/// The written form of the result of a step.
pub(super) trait Shown {
    fn to_result(self) -> Result;
}

impl<T: Shown> Shown for Result<T> {
    fn to_result(self) -> Result {
        self.and_then(T::to_result)
    }
}

macro_rules! shown {
    ($($of:ty: $value:ident => $text:expr;)*) => {$(
        impl Shown for $of {
            fn to_result(self) -> Result {
                let $value = self;
                Ok($text)
            }
        }
    )*};
}

shown! {
    (): _done => "ok".to_owned();
    bool: yes => if yes { "yes" } else { "no" }.to_owned();
    u64: number => number.to_string();
    &str: text => shortened(text);
    String: text => shortened(&text);
    Vec<u8>: bytes => shortened(&bytes.into_iter().map(char::from).collect::<String>());
    Option<char>: char => char.map_or("end_of_file".to_owned(), String::from);
    Option<u8>: byte => byte.map_or("end_of_file".to_owned(), |byte| byte.to_string());
    Option<String>: text => text.unwrap_or("none".to_owned());
    Position: at => format!("{} {} {} {}", at.char_count, at.line, at.line_position, at.byte_offset);
}

/// Shortens long texts to their ends, their length and their fingerprint.
fn shortened(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= 100 {
        return text.to_owned();
    }
    let ends = [&chars[..10], &chars[chars.len() - 10..]];
    let [start, end] = ends.map(|end| end.iter().collect::<String>());
    let (length, mark) = (chars.len(), fingerprint(text.as_bytes()));
    format!("{start} ... {end} ({length} characters, {mark:x})")
}

pub(super) fn encoding(spelling: &str) -> Encoding {
    Encoding::of_spelling(spelling).unwrap_or_else(|| panic!("no encoding {spelling}"))
}

/// Returns bytes of these codes.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    let codes = text.chars().map(|c| u8::try_from(u32::from(c)));
    codes.map(std::result::Result::unwrap).collect()
}

/// Returns `abcabcabc` for `3*abc`; other texts unchanged.
fn repeated(text: &str) -> String {
    let times = text.split_once('*');
    let times = times.and_then(|(times, text)| Some((times.parse().ok()?, text)));
    times.map_or_else(|| text.to_owned(), |(times, text)| text.repeat(times))
}

impl Session {
    fn new() -> Session {
        let standard = [
            ("user_input", USER_INPUT),
            ("user_output", USER_OUTPUT),
            ("user_error", USER_ERROR),
        ];
        let streams = standard.map(|(name, id)| (name.to_owned(), id));
        Session {
            directory: TestDirectory::new(),
            symbols: Symbols::new().unwrap(),
            table: Some(StreamTable::new(
                Some(Permit::issue()),
                Some(Permit::issue()),
                &std::sync::Arc::default(),
            )),
            options: OpenOptions::default(),
            streams: HashMap::from(streams),
            captures: HashMap::new(),
            positions: HashMap::new(),
            written: HashMap::new(),
        }
    }

    pub(super) fn table(&mut self) -> &mut StreamTable {
        self.table.as_mut().unwrap()
    }

    fn id(&self, name: &str) -> StreamId {
        let found = self.streams.get(name).copied();
        found.unwrap_or_else(|| panic!("no stream {name}"))
    }

    fn name(&self, id: StreamId) -> String {
        let found = self.streams.iter().find(|(_, known)| **known == id);
        found.map_or("none".to_owned(), |(name, _)| name.clone())
    }

    /// Returns the path of a file of the session. Paths that begin with `/` or `.` stay as they are.
    fn path(&self, name: &str) -> String {
        match name.strip_prefix("$DIR") {
            Some(rest) => self.directory.path(rest.trim_start_matches('/')),
            None => name.to_owned(),
        }
    }

    fn set_option(&mut self, option: &str) {
        let (name, value) = option.split_once('=').unwrap_or((option, "true"));
        let on = Some(value == "true");
        let options = &mut self.options;
        match name {
            "type" => options.stream_type = StreamType::from_name(value).unwrap(),
            "encoding" => options.encoding = encoding(value),
            "eof_action" => options.eof_action = EofAction::from_name(value).unwrap(),
            "reposition" => options.reposition = on,
            "buffer" => options.buffering = Buffering::from_name(value).unwrap(),
            "bom" => options.bom = on,
            "alias" => {
                let alias = self.symbols.intern(value).unwrap();
                options.aliases.push(alias);
            }
            _ => panic!("no option {name}"),
        }
    }

    /// Runs a step, as in `get_char s`.
    fn step(&mut self, step: &str) -> Result {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let verbs = [
            Session::opening,
            Session::reading,
            Session::writing,
            Session::placing,
            Session::properties,
            Session::standard,
            Session::table_of_streams,
            Session::files,
            Session::at_once,
        ];
        let done = verbs.iter().find_map(|step| step(self, verb, name, rest));
        let done = done.unwrap_or_else(|| panic!("no step {verb}"));
        done.map(|shown| shown.replace(&self.directory.path(""), "$DIR/"))
    }

    fn opening(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let options = self.options.clone();
        let (mode, file) = rest.split_once(' ').unwrap_or((rest, ""));
        let path = self.path(file);
        let table = self.table.as_mut()?;
        let opened = match verb {
            "open" => {
                let mode = OpenMode::from_name(mode).unwrap();
                let opening = Opening::in_mode(mode, Permit::issue(), Permit::issue());
                table.open(opening, &path, &options)
            }
            "open_text" => table.open_text(repeated(rest), &options),
            "open_bytes" => table.open_memory(bytes(rest), &options),
            "open_trickle" => table.open_reader(Box::new(Trickle(bytes(rest))), &options),
            "open_capture" => table.open_capture(&options),
            "open_writer" => {
                let shared = self.written.entry(name.to_owned()).or_default();
                table.open_writer(Box::new(shared.clone()), &options)
            }
            "open_broken" => table.open_writer(Box::new(Broken), &options),
            "options" => {
                self.options = OpenOptions::default();
                for option in name.split_whitespace().chain(rest.split_whitespace()) {
                    self.set_option(option);
                }
                return Some(().to_result());
            }
            "drop" => {
                self.table = None;
                return Some(().to_result());
            }
            _ => return None,
        };
        let opened = opened.map(|id| {
            self.streams.insert(name.to_owned(), id);
        });
        Some(opened.to_result())
    }

    fn reading(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let verbs = "get_char peek_char get_byte peek_byte get_all read_all read_line buffered consume fill_more \
                     fill_all at_end_of_stream end_of_stream";
        if !verbs.split_whitespace().any(|known| known == verb) {
            return None;
        }
        let id = self.id(name);
        let table = self.table();
        let input = match table.input(id) {
            Ok(input) => input,
            Err(error) => return Some(Err(error)),
        };
        Some(match verb {
            "get_char" => input.get_char().to_result(),
            "peek_char" => input.peek_char().to_result(),
            "get_byte" => input.get_byte().to_result(),
            "peek_byte" => input.peek_byte().to_result(),
            "get_all" => read_all(input).to_result(),
            "read_all" => input.read_all_to_string(UNLIMITED).to_result(),
            "read_line" => {
                let mut line = String::new();
                let more = input.read_line_into(&mut line, UNLIMITED);
                more.map(|more| more.then_some(line)).to_result()
            }
            "buffered" => input.buffered_text().to_result(),
            "consume" => {
                let most = input.buffered_text().unwrap().len();
                input.consume(rest.parse().unwrap_or(most)).to_result()
            }
            "fill_more" => table.fill_more(id, UNLIMITED).to_result(),
            "fill_all" => {
                let rounds = (0..).find(|_| !table.fill_more(id, UNLIMITED).unwrap());
                rounds.unwrap_or(0u64).to_result()
            }
            "at_end_of_stream" => input.at_end_of_stream().to_result(),
            _ => input.end_of_stream().name().to_result(),
        })
    }

    fn writing(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        if verb == "written" {
            return Some(self.written[name].bytes().to_result());
        }
        let id = *self.streams.get(name)?;
        let table = self.table();
        match verb {
            "take_text" => return Some(table.take_text(id).to_result()),
            "take_bytes" => return Some(table.take_bytes(id)?.to_result()),
            _ => {}
        }
        let output = table.get_mut(id)?.output();
        let done = |write: &dyn Fn(&mut Output) -> Result<()>| output.and_then(write).to_result();
        Some(match verb {
            "put_chars" => done(&|output| rest.chars().try_for_each(|c| output.put_char(c))),
            "put" => done(&|output| output.put_str(&repeated(rest))),
            "put_byte" => done(&|output| output.put_byte(rest.parse().unwrap())),
            "flush" => done(&|output| output.flush()),
            _ => return None,
        })
    }

    fn placing(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let id = *self.streams.get(name)?;
        let saved = self.positions.get(rest).copied();
        let stream = self.table().get_mut(id)?;
        Some(match verb {
            "position" => stream.position().to_result(),
            "column" => stream.line_position().to_result(),
            "save_position" => {
                let position = stream.position();
                self.positions.insert(rest.to_owned(), position);
                position.to_result()
            }
            "set_position" => stream
                .set_position(saved.unwrap_or(Position::START))
                .to_result(),
            "set_byte" => {
                let position = Position {
                    byte_offset: rest.parse().unwrap(),
                    ..Position::START
                };
                stream.set_position(position).to_result()
            }
            "set_huge_line" => {
                stream.set_line(u64::MAX, u64::MAX);
                let position = Position {
                    char_count: u64::MAX,
                    line: u64::MAX,
                    ..Position::START
                };
                stream.set_position(position).to_result()
            }
            "seek" => {
                let (offset, from) = rest.split_once(' ').unwrap();
                let origin = match from {
                    "start" => SeekOrigin::Start,
                    "current" => SeekOrigin::Current,
                    _ => SeekOrigin::End,
                };
                stream.seek(offset.parse().unwrap(), origin).to_result()
            }
            "set_end_of_stream" => stream.set_end_of_stream().to_result(),
            _ => return None,
        })
    }

    fn properties(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let id = *self.streams.get(name)?;
        let stream = self.table().get_mut(id);
        if verb == "is_open" {
            return Some(stream.is_some().to_result());
        }
        let stream = stream?;
        Some(match verb {
            "encoding" => stream.encoding().name().to_result(),
            "set_encoding" => stream.set_encoding(encoding(rest)).unwrap().to_result(),
            "type" => stream.stream_type().name().to_result(),
            "set_type" => stream
                .set_type(StreamType::from_name(rest).unwrap())
                .unwrap()
                .to_result(),
            "bom" => stream.has_bom().to_result(),
            "mode" => stream.mode.name().to_result(),
            "eof_action" => stream.eof_action().name().to_result(),
            "buffer" => stream.buffering().name().to_result(),
            "set_buffer" => {
                let buffering = Buffering::from_name(rest).unwrap();
                stream.set_buffering(buffering).to_result()
            }
            "set_tty" => stream.set_tty(true).to_result(),
            "is_tty" => stream.is_tty().to_result(),
            "is_input" => stream.is_input().to_result(),
            "is_output" => stream.is_output().to_result(),
            "reposition" => stream.reposition.to_result(),
            "file_name" => stream.file_name.clone().to_result(),
            "aliases" => {
                let aliases = stream.aliases().to_vec();
                let aliases = aliases.iter().map(|alias| self.symbols.text(*alias));
                aliases.collect::<Vec<_>>().join(" ").to_result()
            }
            _ => return None,
        })
    }

    /// Runs steps on standard and current streams.
    fn standard(&mut self, verb: &str, name: &str, _: &str) -> Option<Result> {
        let id = self.streams.get(name).copied();
        let table = self.table.as_mut()?;
        Some(match verb {
            "input_text" => table.set_user_input_text(name.to_owned()).to_result(),
            "input_bytes" => {
                let reader = std::io::Cursor::new(bytes(name));
                table.set_user_input(Box::new(reader)).to_result()
            }
            "connect" => {
                let shared = self.written.entry(name.to_owned()).or_default();
                let writer = Box::new(shared.clone());
                match name {
                    "user_output" => table.set_user_output(writer).to_result(),
                    _ => table.set_user_error(writer).to_result(),
                }
            }
            "break_output" => table.set_user_output(Box::new(Broken)).to_result(),
            "collect" => table.collect_standard(id?).to_result(),
            "prompt" => table.prompt().map(str::to_owned).to_result(),
            "no_prompt" => table.set_prompt(None).to_result(),
            "current_input" => self.name(self.table.as_ref()?.current_input()).to_result(),
            "current_output" => self.name(self.table.as_ref()?.current_output()).to_result(),
            "set_current_input" => table.set_current_input(id?).to_result(),
            "set_current_output" => table.set_current_output(id?).to_result(),
            _ => return None,
        })
    }

    /// Runs steps on the table: handles, aliases, captures.
    fn table_of_streams(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let id = self.streams.get(name).copied();
        let table = self.table.as_mut()?;
        let alias = |symbols: &mut Symbols, name| symbols.intern(name).unwrap();
        Some(match verb {
            "close" => table.close(id?, false).to_result(),
            "close_force" => table.close(id?, true).to_result(),
            "input" => table.input(id?).map(|_| ()).to_result(),
            "output" => table.output(id?).map(|_| ()).to_result(),
            "set_alias" => table
                .set_alias(id?, alias(&mut self.symbols, rest))
                .to_result(),
            "by_alias" => {
                let found = table.by_alias(alias(&mut self.symbols, name));
                found.map(|id| self.name(id)).to_result()
            }
            "streams" => {
                let ids: Vec<StreamId> = table.iter().map(|(id, _)| id).collect();
                let names: Vec<String> = ids.into_iter().map(|id| self.name(id)).collect();
                names.join(" ").to_result()
            }
            "begin_capture" => {
                let capture = table.begin_capture().unwrap();
                self.streams.insert(name.to_owned(), capture.stream);
                self.captures.insert(name.to_owned(), capture);
                ().to_result()
            }
            "end_capture" => {
                let capture = self.captures[name];
                table.end_capture(capture).unwrap().to_result()
            }
            "put_current" => {
                let id = table.current_output();
                table.output(id).unwrap().put_str(name).to_result()
            }
            _ => return None,
        })
    }

    fn files(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        let path = self.path(name);
        Some(match verb {
            "file" => std::fs::write(&path, repeated(rest)).unwrap().to_result(),
            "file_bytes" => std::fs::write(&path, bytes(rest)).unwrap().to_result(),
            "contents" => std::fs::read(&path).unwrap().to_result(),
            "source" => {
                read_source_file(Permit::<Read>::issue(), &path, None, UNLIMITED).to_result()
            }
            "decode" => decode_source(bytes(rest), Encoding::of_spelling(name)).to_result(),
            "normalize" => paths::normalize(name).to_result(),
            "absolute" => absolute_file_name(Permit::issue(), name, Some(rest)).to_result(),
            "encoding_named" => {
                let found = Encoding::of_spelling(name);
                found.map(|found| format!("{found:?}")).to_result()
            }
            _ => return None,
        })
    }
}

#[test]
fn rows() {
    let mut session = Session::new();
    check("tests/streams", &[], |settings, step| {
        if settings.first {
            session = Session::new();
        }
        match session.step(step) {
            Ok(shown) => shown,
            Err(IoError::AliasInUse(alias)) => {
                format!("error AliasInUse({})", session.symbols.text(alias))
            }
            Err(IoError::Other(_)) => "error Other".to_owned(),
            Err(error) => format!("error {error:?}"),
        }
    });
}
