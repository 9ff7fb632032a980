//! The streams of one engine: standard streams, opening and closing, aliases, the current input and output (ISO
//! 13211-1, 7.10.2 and 8.11).
//!
//! Invariants: the three standard streams always exist. The current streams are open and have the right direction.
//! Every alias names an open stream, and the aliases of the standard streams name at least those.
//! Long because all of these keep the invariants.

use super::allowance::Allowance;
use super::encoding::Encoding;
use super::error::IoError;
use super::files;
use super::guest::host_files::{FileMode, HostFile, Opened};
use super::input::Input;
use super::options::{Buffering, EofAction, OpenMode, OpenOptions, Opening, StreamType};
use super::output::Output;
use super::position::Position;
use super::sink::ByteSink;
use super::source::{ByteSource, is_regular};
use super::stream::{Channel, Stream, StreamId};
use super::target::{Target, target, target_of};
use crate::base::atom_table::{Atom, FastMap, atoms};
use crate::base::growth::{Gather, GrowMap, GrowTable, Within, reserve, room_for_one};
use crate::base::needs::{Needs, Permit, Stdin, Stdout, Write};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

/// The standard input.
pub(crate) const USER_INPUT: StreamId = StreamId(0);
/// The standard output.
pub(crate) const USER_OUTPUT: StreamId = StreamId(1);
/// The standard error output.
pub(crate) const USER_ERROR: StreamId = StreamId(2);

const STANDARD: [(Atom, StreamId); 3] = [
    (atoms::USER_INPUT, USER_INPUT),
    (atoms::USER_OUTPUT, USER_OUTPUT),
    (atoms::USER_ERROR, USER_ERROR),
];

/// Maximum number of open streams, unless the host sets another.
pub(crate) const MOST_STREAMS: usize = 256;
/// Time of one wait for the other end of a pipe.
const NAP: Duration = Duration::from_millis(10);

/// All streams of an engine.
pub(crate) struct StreamTable {
    // In the order of opening, because handles only grow. Each is in a place of its own, so that opening and closing
    // moves no other.
    pub(super) streams: BTreeMap<StreamId, Box<Stream>>,
    pub(super) aliases: FastMap<Atom, StreamId>,
    pub(super) next_id: u32,
    pub(super) current_input: StreamId,
    pub(super) current_output: StreamId,
    pub(super) prompt: Option<String>,
    /// The prompt of the next read alone.
    pub(super) next_prompt: Option<String>,
    /// Names of temporary files that are not deleted yet, with the files.
    pub(super) tmp_files: BTreeMap<String, Target>,
    pub(super) watch: Arc<Watch>,
    /// Number of bytes that the open streams take.
    pub(super) held: usize,
    /// Number of open streams that count towards the limit.
    pub(super) counted: usize,
    /// Maximum number of such streams.
    pub(super) most: usize,
    /// Whether `user_input` is for the host alone.
    input_closed: bool,
}

/// Output that is being collected, see [`StreamTable::begin_capture`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    /// The stream that collects.
    pub(crate) stream: StreamId,
    previous: StreamId,
}

impl StreamTable {
    /// Makes the standard streams. They are connected to those of the process if that is permitted. Otherwise input
    /// is refused and output is kept. No input or output happens and no resource is taken until the streams are used.
    /// Waiting ends when the work must stop.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn new(
        stdin: Option<&Permit<Stdin>>,
        stdout: Option<&Permit<Stdout>>,
        watch: &Arc<Watch>,
    ) -> StreamTable {
        let mut table = StreamTable {
            streams: BTreeMap::new(),
            aliases: STANDARD.into_iter().collect_bounded(),
            next_id: 3,
            current_input: USER_INPUT,
            current_output: USER_OUTPUT,
            prompt: Some("|: ".to_string()),
            next_prompt: None,
            tmp_files: BTreeMap::new(),
            watch: Arc::clone(watch),
            held: 0,
            counted: 0,
            most: MOST_STREAMS,
            input_closed: false,
        };
        match stdin {
            Some(_) => {
                let stdin = text_input(ByteSource::Stdin);
                table.set_standard(USER_INPUT, stdin, io::stdin().is_terminal());
            }
            None => table.set_standard(USER_INPUT, text_input(ByteSource::Refused), false),
        }
        match stdout {
            Some(_) => {
                let stdout = text_output(ByteSink::Stdout, Buffering::Full);
                let stderr = text_output(ByteSink::Stderr, Buffering::None);
                table.set_standard(USER_OUTPUT, stdout, io::stdout().is_terminal());
                table.set_standard(USER_ERROR, stderr, io::stderr().is_terminal());
            }
            None => {
                table.collect_standard(USER_OUTPUT);
                table.collect_standard(USER_ERROR);
            }
        }
        table
    }

    /// Connects the standard input to a reader of the host.
    pub(crate) fn set_user_input(&mut self, reader: Box<dyn io::Read + Send>) {
        let stream = text_input(ByteSource::reader(reader));
        self.set_standard(USER_INPUT, stream, false);
        self.input_closed = false;
    }

    /// Lets goals read from `user_input`, or else the host alone. Returns the previous setting.
    pub(crate) fn close_input(&mut self, closed: bool) -> bool {
        std::mem::replace(&mut self.input_closed, closed)
    }

    /// Refuses goals an input that is for the host alone.
    fn check_open(&self, id: StreamId) -> Result<(), IoError> {
        match id == USER_INPUT && self.input_closed {
            true => Err(IoError::Refused(Needs::STDIN)),
            false => Ok(()),
        }
    }

    /// Connects the standard input to a text.
    pub(crate) fn set_user_input_text(&mut self, text: String) {
        let stream = text_input(ByteSource::memory(text.into_bytes()));
        self.set_standard(USER_INPUT, stream, false);
        self.input_closed = false;
    }

    /// Connects the standard output to a writer of the host.
    pub(crate) fn set_user_output(&mut self, writer: Box<dyn io::Write + Send>) {
        let stream = text_output(ByteSink::writer(writer), Buffering::Full);
        self.set_standard(USER_OUTPUT, stream, false);
    }

    /// Connects the standard error output to a writer of the host.
    pub(crate) fn set_user_error(&mut self, writer: Box<dyn io::Write + Send>) {
        let stream = text_output(ByteSink::writer(writer), Buffering::None);
        self.set_standard(USER_ERROR, stream, false);
    }

    /// Collects the standard output or the standard error output, for [`StreamTable::take_text`].
    pub(crate) fn collect_standard(&mut self, id: StreamId) {
        if id == USER_OUTPUT || id == USER_ERROR {
            let stream = text_output(ByteSink::Memory, Buffering::Full);
            self.set_standard(id, stream, false);
        }
    }

    /// Replaces a standard stream. Pending output of its predecessor is written first.
    fn set_standard(&mut self, id: StreamId, mut stream: Stream, tty: bool) {
        stream.set_tty(tty);
        stream.set_watch(&self.watch);
        if let Channel::Output(output) = &mut stream.channel
            && id == USER_OUTPUT
            && !output.is_in_memory()
        {
            match tty {
                true => output.set_buffering(Buffering::Line),
                false => output.write_lines(),
            }
        }
        stream.aliases = match self.streams.remove(&id) {
            Some(mut old) => std::mem::take(&mut old.aliases),
            None => STANDARD
                .iter()
                .filter(|row| row.1 == id)
                .map(|row| row.0)
                .collect_bounded(),
        };
        #[expect(clippy::disallowed_methods, reason = "the reserve has small blocks")]
        self.streams.insert(id, Box::new(stream));
    }

    /// Opens a file (`open/4`), to read or to write, as the mode says.
    pub(crate) fn open(
        &mut self,
        opening: Opening,
        path: &str,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        let mode = opening.0;
        self.check_aliases(options)?;
        self.check_number()?;
        let file = target_of(&opening, path)?;
        let data = file.found()?;
        if data.is_some_and(|data| data.is_dir) {
            return Err(IoError::IsDirectory);
        }
        if data.is_some_and(|data| !data.is_file) && matches!(file, Target::Guest(_)) {
            return Err(IoError::other("not a plain file"));
        }
        let len = data.map_or(0, |data| data.len);
        let (file, seekable, tty) = match self.open_file(file, mode)?.0 {
            Opened::File(file) => {
                // Appending writes go to the end, whatever the position of the stream is.
                let seekable = is_regular(&file) && mode != OpenMode::Append;
                let tty = file.is_terminal();
                (Opened::File(file), seekable, tty)
            }
            Opened::Bytes(bytes) => (Opened::Bytes(bytes), true, false),
            other => (other, false, false),
        };
        let start = match mode {
            OpenMode::Append => Position {
                byte_offset: len,
                ..Position::START
            },
            _ => Position::START,
        };
        let held = match &file {
            Opened::Bytes(bytes) => bytes.len(),
            _ => 0,
        };
        let input = |source| Channel::Input(new_input(source, options, true));
        let output = |sink| Channel::Output(new_output(sink, options, start));
        let channel = match (mode, file) {
            (OpenMode::Read, Opened::File(file)) => input(ByteSource::file(file)),
            (OpenMode::Read, Opened::Bytes(bytes)) => input(ByteSource::memory(bytes)),
            (OpenMode::Read, Opened::Reader(reader)) => input(ByteSource::reader(reader)),
            (OpenMode::Read, Opened::Writer(_)) => return Err(IoError::NotInput),
            (_, Opened::File(file)) => output(ByteSink::File(file)),
            (_, Opened::Writer(writer)) => output(ByteSink::writer(writer)),
            (_, Opened::Bytes(_) | Opened::Reader(_)) => return Err(IoError::NotOutput),
        };
        let mut stream = Stream::new(channel, mode);
        stream.held += held;
        stream.file_name = Some(path.to_string());
        stream.set_tty(tty);
        self.insert(stream, seekable, options)
    }

    /// Opens a file of the host. A pipe with a name may have no process at its other end for long.
    fn open_file(&mut self, file: Target, mode: OpenMode) -> Result<HostFile, IoError> {
        let mode = match mode {
            OpenMode::Read => FileMode::Read,
            OpenMode::Write => FileMode::Write,
            OpenMode::Append => FileMode::Append,
            OpenMode::Update => FileMode::Update,
        };
        if !file.is_named_pipe() {
            return file.open(mode);
        }
        self.pass_on_output();
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let open = move || {
            // The caller may no longer wait for it.
            let _ = sender.send(file.open(mode));
        };
        std::thread::Builder::new()
            .name("wamlet-open".to_owned())
            .spawn(open)?;
        loop {
            match receiver.recv_timeout(NAP) {
                Ok(opened) => return opened,
                Err(_) if self.watch.stop_wanted() => return Err(IoError::Interrupted),
                Err(_) => {}
            }
        }
    }

    /// Opens a text for input.
    pub(crate) fn open_text(
        &mut self,
        text: String,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        // The text is UTF-8 whatever the options say.
        let options = OpenOptions {
            encoding: Encoding::Utf8,
            ..options.clone()
        };
        self.open_memory(text.into_bytes(), &options)
    }

    /// Opens bytes for input.
    pub(crate) fn open_memory(
        &mut self,
        bytes: Vec<u8>,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        let length = bytes.len();
        let input = new_input(ByteSource::memory(bytes), options, false);
        let mut stream = Stream::new(Channel::Input(input), OpenMode::Read);
        stream.held += length;
        self.insert(stream, true, options)
    }

    /// Opens memory for output. [`StreamTable::take_text`] or [`StreamTable::take_bytes`] returns its content.
    pub(crate) fn open_capture(&mut self, options: &OpenOptions) -> Result<StreamId, IoError> {
        let output = new_output(ByteSink::Memory, options, Position::START);
        let mut stream = Stream::new(Channel::Output(output), OpenMode::Write);
        stream.counts = false;
        self.insert(stream, false, options)
    }

    /// Returns the number of bytes that the open streams take.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    /// Sets the maximum number of open streams besides the standard ones and those that capture output.
    pub(crate) fn set_most_streams(&mut self, most: usize) {
        self.most = most;
    }

    fn check_number(&self) -> Result<(), IoError> {
        match self.counted < self.most {
            true => Ok(()),
            false => Err(IoError::TooManyStreams),
        }
    }

    /// Opens a stream that drops its output.
    pub(crate) fn open_null(&mut self) -> Result<StreamId, IoError> {
        let sink = ByteSink::writer(Box::new(io::sink()));
        self.open_sink(sink, OpenMode::Write, &OpenOptions::default())
    }

    /// Opens a sink from its start.
    fn open_sink(
        &mut self,
        sink: ByteSink,
        mode: OpenMode,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        let output = new_output(sink, options, Position::START);
        let stream = Stream::new(Channel::Output(output), mode);
        self.insert(stream, false, options)
    }

    /// Opens a reader of the host.
    #[cfg(test)]
    pub(crate) fn open_reader(
        &mut self,
        reader: Box<dyn io::Read + Send>,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        let input = new_input(ByteSource::reader(reader), options, false);
        let stream = Stream::new(Channel::Input(input), OpenMode::Read);
        self.insert(stream, false, options)
    }

    /// Opens a writer of the host.
    #[cfg(test)]
    pub(crate) fn open_writer(
        &mut self,
        writer: Box<dyn io::Write + Send>,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        self.open_sink(ByteSink::writer(writer), OpenMode::Append, options)
    }

    /// Returns all aliases.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = Atom> {
        self.aliases.keys().copied()
    }

    fn check_aliases(&self, options: &OpenOptions) -> Result<(), IoError> {
        let mut aliases = options.aliases.iter();
        match aliases.find(|alias| self.aliases.contains_key(alias)) {
            Some(&alias) => Err(IoError::AliasInUse(alias)),
            None => Ok(()),
        }
    }

    fn insert(
        &mut self,
        mut stream: Stream,
        seekable: bool,
        options: &OpenOptions,
    ) -> Result<StreamId, IoError> {
        self.check_aliases(options)?;
        if stream.counts {
            self.check_number()?;
        }
        if options.reposition == Some(true) && !seekable {
            return Err(IoError::NotRepositionable);
        }
        stream.reposition = options.reposition.unwrap_or(seekable);
        stream.set_watch(&self.watch);
        if let Channel::Output(output) = &mut stream.channel
            && options.bom == Some(true)
            && output.stream_type() == StreamType::Text
            && output.position().byte_offset == 0
        {
            output.put_bom();
        }
        // The stream gets all its aliases, or it is not opened.
        let more = options.aliases.len();
        self.aliases.try_reserve(more).map_err(Stop::from)?;
        reserve(&mut stream.aliases, more)?;
        let id = StreamId(self.next_id);
        self.next_id = self
            .next_id
            .checked_add(1)
            .ok_or_else(|| IoError::other("too many streams"))?;
        self.held += stream.held;
        self.counted += usize::from(stream.counts);
        #[expect(clippy::disallowed_methods, reason = "the reserve has small blocks")]
        self.streams.insert(id, Box::new(stream));
        for &alias in &options.aliases {
            self.set_alias(id, alias)?;
        }
        Ok(id)
    }

    /// Closes a stream (`close/2`). The standard streams are only flushed. If output is lost and `force` is not set,
    /// returns the error and leaves the stream open.
    pub(crate) fn close(&mut self, id: StreamId, force: bool) -> Result<(), IoError> {
        let stream = self.opened(id)?;
        let flushed = match &mut stream.channel {
            Channel::Output(output) => output.flush(),
            Channel::Input(_) => Ok(()),
        };
        if !force {
            flushed?;
        }
        if STANDARD.iter().all(|row| row.1 != id) {
            self.remove(id)?;
        }
        Ok(())
    }

    fn remove(&mut self, id: StreamId) -> Result<(), Stop> {
        let Some(stream) = self.streams.remove(&id) else {
            return Ok(());
        };
        self.held = self.held.saturating_sub(stream.held);
        self.counted -= usize::from(stream.counts);
        for alias in stream.aliases() {
            self.aliases.remove(alias);
        }
        for (alias, standard) in STANDARD {
            if !stream.aliases().is_empty() && !self.aliases.contains_key(&alias) {
                self.link_alias(standard, alias)?;
            }
        }
        if self.current_input == id {
            self.current_input = self.alias_of_direction(atoms::USER_INPUT, USER_INPUT);
        }
        if self.current_output == id {
            self.current_output = self.alias_of_direction(atoms::USER_OUTPUT, USER_OUTPUT);
        }
        Ok(())
    }

    /// Returns the stream of this alias if it has the direction of the standard one, otherwise the standard one.
    fn alias_of_direction(&self, alias: Atom, standard: StreamId) -> StreamId {
        let is_input = |id| self.streams.get(&id).map(|stream| stream.is_input());
        match self.by_alias(alias) {
            Some(id) if is_input(id) == is_input(standard) => id,
            _ => standard,
        }
    }

    /// Gives a stream a further alias, and takes it from the stream that has it.
    pub(crate) fn set_alias(&mut self, id: StreamId, alias: Atom) -> Result<(), IoError> {
        if !self.streams.contains_key(&id) {
            return Err(IoError::NoStream);
        }
        self.link_alias(id, alias)?;
        Ok(())
    }

    fn link_alias(&mut self, id: StreamId, alias: Atom) -> Result<(), Stop> {
        self.aliases.make_room()?;
        if let Some(stream) = self.streams.get_mut(&id) {
            room_for_one(&mut stream.aliases)?;
        }
        if let Some(old) = self.aliases.put_entry(alias, id)?
            && let Some(stream) = self.streams.get_mut(&old)
        {
            stream.aliases.retain(|&other| other != alias);
        }
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.aliases.put_within(alias);
        }
        Ok(())
    }

    /// Returns the stream of this alias.
    pub(crate) fn by_alias(&self, alias: Atom) -> Option<StreamId> {
        let own = self.aliases.get(&alias).copied();
        own.or(match alias {
            atoms::CURRENT_OUTPUT => Some(self.current_output),
            atoms::CURRENT_INPUT => Some(self.current_input),
            _ => None,
        })
    }

    /// Returns an open stream.
    pub(crate) fn get(&self, id: StreamId) -> Option<&Stream> {
        self.streams.get(&id).map(Box::as_ref)
    }

    /// Returns whether `id` is an open stream of a terminal.
    pub(crate) fn is_tty(&self, id: StreamId) -> bool {
        self.get(id).is_some_and(Stream::is_tty)
    }

    /// Returns whether `id` is an open stream of the terminal of the process, whatever its property `tty` says.
    pub(crate) fn is_terminal(&self, id: StreamId) -> bool {
        self.get(id).is_some_and(Stream::is_terminal)
    }

    /// Returns an open stream for changes.
    pub(crate) fn get_mut(&mut self, id: StreamId) -> Option<&mut Stream> {
        self.streams.get_mut(&id).map(Box::as_mut)
    }

    fn opened(&mut self, id: StreamId) -> Result<&mut Stream, IoError> {
        self.get_mut(id).ok_or(IoError::NoStream)
    }

    /// Returns all open streams, in order of opening.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (StreamId, &Stream)> {
        self.streams
            .iter()
            .map(|(&id, stream)| (id, stream.as_ref()))
    }

    /// Returns the input stream `id`, ready to be read. If the read has to wait for someone, first writes the
    /// standard output, and on a terminal the prompt.
    pub(crate) fn input(&mut self, id: StreamId) -> Result<&mut Input, IoError> {
        self.check_open(id)?;
        let stream = self.opened(id)?;
        if stream.input()?.must_wait() && waits(id, stream)? {
            self.before_wait(id);
        }
        self.opened(id)?.input()
    }

    /// Calls [`Input::fill_more`] after the preparations of [`StreamTable::input`].
    pub(crate) fn fill_more(
        &mut self,
        id: StreamId,
        allowance: Allowance<'_>,
    ) -> Result<bool, IoError> {
        self.check_open(id)?;
        let stream = self.opened(id)?;
        if waits(id, stream)? {
            self.before_wait(id);
        }
        self.opened(id)?.input()?.fill_more(allowance)
    }

    /// Returns the output stream `id`, ready to be written to. Before standard error output, writes pending standard
    /// output.
    #[inline]
    pub(crate) fn output(&mut self, id: StreamId) -> Result<&mut Output, IoError> {
        if id == USER_ERROR {
            self.pass_on_output();
        }
        self.opened(id)?.output()
    }

    /// Returns the current input (`current_input/1`).
    pub(crate) fn current_input(&self) -> StreamId {
        self.current_input
    }

    /// Returns the current output (`current_output/1`).
    pub(crate) fn current_output(&self) -> StreamId {
        self.current_output
    }

    /// Changes the current input (`set_input/1`).
    pub(crate) fn set_current_input(&mut self, id: StreamId) -> Result<(), IoError> {
        self.opened(id)?.input()?;
        self.current_input = id;
        Ok(())
    }

    /// Changes the current output (`set_output/1`).
    pub(crate) fn set_current_output(&mut self, id: StreamId) -> Result<(), IoError> {
        self.output(id)?;
        self.current_output = id;
        Ok(())
    }

    /// Makes memory the current output (`with_output_to/2`). Captures nest.
    pub(crate) fn begin_capture(&mut self) -> Result<Capture, IoError> {
        let previous = self.current_output;
        let stream = self.open_capture(&OpenOptions::default())?;
        self.current_output = stream;
        Ok(Capture { stream, previous })
    }

    /// Ends a capture, however its goal ended, and returns the captured output.
    pub(crate) fn end_capture(&mut self, capture: Capture) -> Result<String, Stop> {
        let text = self.take_text(capture.stream).unwrap_or_default();
        // First, so that removing the stream need not find another current output.
        let restored = self.set_current_output(capture.previous);
        let removed = self.remove(capture.stream);
        if restored.is_err() {
            self.current_output = self.alias_of_direction(atoms::USER_OUTPUT, USER_OUTPUT);
        }
        removed.map(|()| text)
    }

    /// Takes the text that an output stream to memory holds. Returns `None` if `id` is no such stream.
    pub(crate) fn take_text(&mut self, id: StreamId) -> Option<String> {
        let bytes = self.take_bytes(id)?;
        Some(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    /// Returns whether the output of this stream stays in memory.
    pub(crate) fn is_collected(&mut self, id: StreamId) -> bool {
        self.output(id).is_ok_and(|output| output.is_in_memory())
    }

    /// Takes the bytes that an output stream to memory holds. Returns `None` if `id` is no such stream.
    pub(crate) fn take_bytes(&mut self, id: StreamId) -> Option<Vec<u8>> {
        self.output(id).ok()?.take_bytes()
    }

    /// Makes the name of a file that does not exist yet, in this directory or in the directory of temporary files.
    /// The file is deleted with the table (`tmp_file/2`).
    pub(crate) fn tmp_file(
        &mut self,
        write: &Permit<Write>,
        directory: Option<&str>,
        base: &str,
        extension: &str,
    ) -> Result<String, IoError> {
        let path = files::unused_tmp_path(write, directory, base, extension)?;
        let file = target(write, &path)?;
        #[expect(clippy::disallowed_methods, reason = "the reserve has small blocks")]
        self.tmp_files.insert(path.clone(), file);
        Ok(path)
    }

    /// Forgets the name of a temporary file that was deleted.
    pub(crate) fn forget_tmp_file(&mut self, path: &str) {
        self.tmp_files.remove(path);
    }

    /// Writes the pending output of all streams. Returns the first error but still writes the others.
    pub(crate) fn flush_all(&mut self) -> Result<(), IoError> {
        let mut result = Ok(());
        for stream in self.streams.values_mut() {
            if let Channel::Output(output) = &mut stream.channel {
                result = result.and(output.flush());
            }
        }
        result
    }

    /// Closes all streams except the standard ones, which are flushed, and deletes the temporary files. This is for
    /// the end of the process, when errors can no longer be reported.
    pub(crate) fn close_all(&mut self) {
        let _ = self.flush_all();
        let ids = self.streams.keys().copied().gather().unwrap_or_default();
        for id in ids {
            let _ = self.close(id, true);
        }
        for file in std::mem::take(&mut self.tmp_files).into_values() {
            let _ = file.remove();
        }
    }
}

/// Returns whether an input stream may take time to have more.
fn waits(id: StreamId, stream: &mut Stream) -> Result<bool, IoError> {
    Ok(id == USER_INPUT || stream.is_tty() || !stream.input()?.is_ready())
}

impl Drop for StreamTable {
    fn drop(&mut self) {
        self.close_all();
    }
}

/// Makes a stream of text that can be read past its end.
fn text_input(source: ByteSource) -> Stream {
    let options = OpenOptions {
        eof_action: EofAction::Reset,
        ..OpenOptions::default()
    };
    let input = new_input(source, &options, false);
    Stream::new(Channel::Input(input), OpenMode::Read)
}

/// Makes a stream that text is written to.
fn text_output(sink: ByteSink, buffering: Buffering) -> Stream {
    let options = OpenOptions {
        buffering,
        ..OpenOptions::default()
    };
    let output = new_output(sink, &options, Position::START);
    Stream::new(Channel::Output(output), OpenMode::Append)
}

fn new_input(source: ByteSource, options: &OpenOptions, bom: bool) -> Input {
    let detect_bom = options.bom.unwrap_or(bom);
    Input::new(
        source,
        options.stream_type,
        options.encoding,
        options.eof_action,
        detect_bom,
    )
}

fn new_output(sink: ByteSink, options: &OpenOptions, position: Position) -> Output {
    let mut output = Output::new(
        sink,
        options.stream_type,
        options.encoding,
        options.buffering,
        position,
    );
    output.newline = options.newline;
    output
}
