//! Steps of sessions that do the same in several ways. Their results must agree.

use super::session::{Result, Session, Shown, bytes, encoding};
use super::{Trickle, read_all};
use crate::base::needs::Permit;
use crate::io::allowance::UNLIMITED;
use crate::io::encoding::Encoding;
use crate::io::options::{OpenOptions, Opening};
use crate::io::position::Position;

impl Session {
    pub(super) fn at_once(&mut self, verb: &str, name: &str, rest: &str) -> Option<Result> {
        Some(match verb {
            "read_as" => self.read_as(encoding(name), &bytes(rest)),
            "write_as" => self.write_as(encoding(name), rest),
            "read_marked" => self.read_marked(&bytes(name)),
            "position_after" => self.position_after(name),
            "column_after" => self.column_after(name),
            _ => return None,
        })
    }

    fn options_for(&self, encoding: Encoding) -> OpenOptions {
        OpenOptions {
            encoding,
            ..OpenOptions::default()
        }
    }

    /// Reads the text of bytes: by character, byte by byte from a pipe, and all at once.
    fn read_as(&mut self, encoding: Encoding, bytes: &[u8]) -> Result {
        let options = self.options_for(encoding);
        let table = self.table();
        let memory = table.open_memory(bytes.to_vec(), &options)?;
        let trickle = table.open_reader(Box::new(Trickle(bytes.to_vec())), &options)?;
        let again = table.open_memory(bytes.to_vec(), &options)?;
        let text = read_all(table.input(memory)?)?;
        assert_eq!(read_all(table.input(trickle)?)?, text);
        let whole = table.input(again)?.read_all_to_string(UNLIMITED)?;
        assert_eq!(whole, text);
        for id in [memory, trickle, again] {
            let position = table.get(id).unwrap().position();
            assert_eq!(position.byte_offset, bytes.len() as u64);
        }
        text.to_result()
    }

    /// Writes a text whole and by character, and reads it back. Returns the bytes.
    fn write_as(&mut self, encoding: Encoding, text: &str) -> Result {
        let options = self.options_for(encoding);
        let table = self.table();
        let ids = [table.open_capture(&options)?, table.open_capture(&options)?];
        table.output(ids[0])?.put_str(text)?;
        for c in text.chars() {
            table.output(ids[1])?.put_char(c)?;
        }
        let written = ids.map(|id| {
            let position = table.get(id).unwrap().position();
            (position, table.take_bytes(id).unwrap())
        });
        assert_eq!(written[0], written[1]);
        let (position, bytes) = written[0].clone();
        assert_eq!(position.byte_offset, bytes.len() as u64);
        assert_eq!(position.char_count, text.chars().count() as u64);
        let id = table.open_memory(bytes.clone(), &options)?;
        let input = table.input(id)?;
        assert_eq!(read_all(input)?, text);
        assert_eq!(input.position(), position);
        bytes.to_result()
    }

    /// Returns the encoding and the text of a file that may begin with a byte order mark, opened as ISO Latin 1.
    /// Positions before and after the mark lead to the same text.
    fn read_marked(&mut self, bytes: &[u8]) -> Result {
        let path = self.directory.path("marked");
        std::fs::write(&path, bytes).unwrap();
        let options = self.options_for(Encoding::Latin1);
        let table = self.table();
        let id = table.open(Opening::to_read(Permit::issue()), &path, &options)?;
        let stream = table.get_mut(id).unwrap();
        let start = stream.position();
        let first = stream.input()?.peek_char()?;
        let after_mark = stream.position();
        let text = read_all(stream.input()?)?;
        assert_eq!(text.chars().next(), first);
        for position in [start, after_mark] {
            assert_eq!(stream.position().byte_offset, bytes.len() as u64);
            stream.set_position(position)?;
            assert_eq!(read_all(stream.input()?)?, text);
        }
        assert_eq!(stream.position().byte_offset, bytes.len() as u64);
        let mark = if stream.has_bom() { ", marked" } else { "" };
        format!("{text} in {}{mark}", stream.encoding().name()).to_result()
    }

    /// Returns the position after a text that is read by character, and at once.
    fn position_after(&mut self, text: &str) -> Result {
        let options = OpenOptions::default();
        let table = self.table();
        let id = table.open_text(text.to_owned(), &options)?;
        assert_eq!(read_all(table.input(id)?)?, text);
        let position = table.get(id).unwrap().position();
        let id = table.open_text(text.to_owned(), &options)?;
        let input = table.input(id)?;
        let length = input.buffered_text()?.len();
        input.consume(length);
        assert_eq!(input.position(), position);
        position.to_result()
    }

    /// Returns the column after a text that is written. When the text is taken, the position is the start again.
    fn column_after(&mut self, text: &str) -> Result {
        let table = self.table();
        let id = table.open_capture(&OpenOptions::default())?;
        table.output(id)?.put_str(text)?;
        let column = table.get(id).unwrap().line_position();
        assert_eq!(table.take_text(id).as_deref(), Some(text));
        assert_eq!(table.get(id).unwrap().position(), Position::START);
        column.to_result()
    }
}
