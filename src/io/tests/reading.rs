//! Reading: ends of streams, peeking, positions, bulk access.

use super::{TestDirectory, open_bytes, open_text, read_all, stream, with_eof, write_file};
use crate::base::needs::Permit;
use crate::io::allowance::UNLIMITED;
use crate::io::error::IoError;
use crate::io::options::Opening;
use crate::io::options::{EndOfStream, EofAction, OpenMode, OpenOptions, StreamType};
use crate::io::position::Position;
use crate::io::stream::SeekOrigin;
use crate::io::stream_table::StreamTable;

#[test]
fn eof_action_decides_what_follows_the_end() {
    let cases = [
        (
            EofAction::Error,
            Err(IoError::PastEndOfStream),
            EndOfStream::Past,
        ),
        (EofAction::EofCode, Ok(None), EndOfStream::Past),
        (EofAction::Reset, Ok(None), EndOfStream::Not),
    ];
    for (action, again, state) in cases {
        let (mut table, id) = open_text("a", &with_eof(action));
        let s = stream(&mut table, id);
        assert_eq!(s.end_of_stream(), Some(EndOfStream::Not), "{action:?}");
        assert_eq!(s.get_char(), Ok(Some('a')));
        assert_eq!(s.end_of_stream(), Some(EndOfStream::At));
        assert_eq!(s.get_char(), Ok(None));
        assert_eq!(s.end_of_stream(), Some(state), "{action:?}");
        assert_eq!(s.peek_char(), again, "{action:?}");
        assert_eq!(s.get_char(), again, "{action:?}");
        assert_eq!(s.get_char(), again, "{action:?}");
    }
}

#[test]
fn peeking_changes_nothing() {
    let (mut table, id) = open_text("\u{4e00}b", &with_eof(EofAction::Error));
    let s = stream(&mut table, id);
    for _ in 0..2 {
        assert_eq!(s.peek_char(), Ok(Some('\u{4e00}')));
        assert_eq!(s.position(), Position::START);
    }
    assert_eq!(read_all(s).unwrap(), "\u{4e00}b");
    let (mut table, id) = open_text("", &with_eof(EofAction::Error));
    let s = stream(&mut table, id);
    for _ in 0..2 {
        assert_eq!(s.peek_char(), Ok(None));
        assert_eq!(s.end_of_stream(), Some(EndOfStream::At));
    }
    assert_eq!(s.get_char(), Ok(None));
    assert_eq!(s.peek_char(), Err(IoError::PastEndOfStream));
}

#[test]
fn reset_finds_what_was_added_to_the_file() {
    let directory = TestDirectory::new();
    let path = directory.file("growing", b"a");
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open(
            Opening::to_read(Permit::issue()),
            &path,
            &with_eof(EofAction::Reset),
        )
        .unwrap();
    assert_eq!(read_all(stream(&mut table, id)).unwrap(), "a");
    write_file(&mut table, &path, OpenMode::Append, "b");
    assert_eq!(read_all(stream(&mut table, id)).unwrap(), "b");
}

#[test]
fn binary_streams_give_bytes_only() {
    let options = OpenOptions {
        stream_type: StreamType::Binary,
        eof_action: EofAction::Error,
        ..OpenOptions::default()
    };
    let (mut table, id) = open_bytes(&[0, 255, 10], &options);
    let s = stream(&mut table, id);
    assert_eq!(s.get_char(), Err(IoError::WrongType(StreamType::Binary)));
    assert_eq!(s.peek_char(), Err(IoError::WrongType(StreamType::Binary)));
    assert_eq!(s.peek_byte(), Ok(Some(0)));
    assert_eq!(s.get_byte(), Ok(Some(0)));
    assert_eq!(s.get_byte(), Ok(Some(255)));
    assert_eq!(s.get_byte(), Ok(Some(10)));
    assert_eq!(s.position().byte_offset, 3);
    assert_eq!(s.peek_byte(), Ok(None));
    assert_eq!(s.get_byte(), Ok(None));
    assert_eq!(s.get_byte(), Err(IoError::PastEndOfStream));

    let (mut table, id) = open_text("a", &OpenOptions::default());
    let s = stream(&mut table, id);
    assert_eq!(s.get_byte(), Err(IoError::WrongType(StreamType::Text)));
    assert_eq!(s.peek_byte(), Err(IoError::WrongType(StreamType::Text)));
    assert_eq!(s.put_char('a'), Err(IoError::NotOutput));
    assert_eq!(s.flush(), Err(IoError::NotOutput));
}

#[test]
fn positions_count_characters_lines_columns_and_bytes() {
    let cases = [
        ("", (0, 1, 0, 0)),
        ("ab", (2, 1, 2, 2)),
        ("ab\n", (3, 2, 0, 3)),
        ("a\r\nb", (4, 2, 1, 4)),
        ("a\tb", (3, 1, 9, 3)),
        ("\u{e9}\u{4e00}\u{1f600}", (3, 1, 3, 9)),
        ("ab\u{8}c", (4, 1, 2, 4)),
    ];
    for (text, (char_count, line, line_position, byte_offset)) in cases {
        let expected = Position {
            char_count,
            line,
            line_position,
            byte_offset,
        };
        let (mut table, id) = open_text(text, &OpenOptions::default());
        assert_eq!(read_all(stream(&mut table, id)).unwrap(), text);
        assert_eq!(
            stream(&mut table, id).position(),
            expected,
            "{text:?} by character"
        );
        let (mut table, id) = open_text(text, &OpenOptions::default());
        let len = table.input(id).unwrap().buffered_text().unwrap().len();
        table.input(id).unwrap().consume(len);
        assert_eq!(
            stream(&mut table, id).position(),
            expected,
            "{text:?} at once"
        );
    }
}

#[test]
fn a_saved_position_is_returned_to() {
    let directory = TestDirectory::new();
    let text = "line 1\n\u{e9}\u{e8}\nline 3\n".repeat(5000);
    let path = directory.file("text", text.as_bytes());
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let file = table
        .open(
            Opening::to_read(Permit::issue()),
            &path,
            &with_eof(EofAction::Error),
        )
        .unwrap();
    let memory = table
        .open_text(text.clone(), &with_eof(EofAction::Error))
        .unwrap();
    for id in [file, memory] {
        let s = stream(&mut table, id);
        for _ in 0..8 {
            s.get_char().unwrap();
        }
        let position = s.position();
        assert_eq!(position.line, 2);
        assert_eq!(position.byte_offset, 9);
        let rest = read_all(s).unwrap();
        assert_eq!(s.get_char(), Err(IoError::PastEndOfStream));
        s.set_position(position).unwrap();
        assert_eq!(s.position(), position);
        assert_eq!(read_all(s).unwrap(), rest);
        s.set_position(Position::START).unwrap();
        assert_eq!(read_all(s).unwrap(), text);
        let beyond = Position {
            byte_offset: text.len() as u64 + 1,
            ..Position::START
        };
        assert_eq!(s.set_position(beyond), Err(IoError::InvalidPosition));
        s.set_line(u64::MAX, u64::MAX);
        let made_up = Position {
            char_count: u64::MAX,
            line: u64::MAX,
            ..Position::START
        };
        s.set_position(made_up).unwrap();
        assert_eq!(read_all(s).unwrap(), text);
        assert_eq!(s.seek(-7, SeekOrigin::End), Ok(text.len() as u64 - 7));
        assert_eq!(read_all(s).unwrap(), "line 3\n");
        assert_eq!(s.seek(3, SeekOrigin::Start), Ok(3));
        assert_eq!(s.get_char(), Ok(Some('e')));
        assert_eq!(s.seek(1, SeekOrigin::Current), Ok(5));
        assert_eq!(s.get_char(), Ok(Some('1')));
        assert_eq!(
            s.seek(-100, SeekOrigin::Current),
            Err(IoError::InvalidPosition)
        );
    }
}

#[test]
fn only_repositionable_streams_are_repositioned() {
    let options = OpenOptions {
        reposition: Some(false),
        ..OpenOptions::default()
    };
    let (mut table, id) = open_text("a", &options);
    let s = stream(&mut table, id);
    assert_eq!(
        s.set_position(Position::START),
        Err(IoError::NotRepositionable)
    );
    assert_eq!(
        s.seek(0, SeekOrigin::Start),
        Err(IoError::NotRepositionable)
    );
    let options = OpenOptions {
        reposition: Some(true),
        ..OpenOptions::default()
    };
    let opened = table.open_reader(Box::new(std::io::empty()), &options);
    assert_eq!(opened, Err(IoError::NotRepositionable));
}

#[test]
fn the_text_at_hand_grows_on_demand() {
    let directory = TestDirectory::new();
    let text = "0123456789".repeat(20_000);
    let path = directory.file("long", text.as_bytes());
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open(
            Opening::to_read(Permit::issue()),
            &path,
            &OpenOptions::default(),
        )
        .unwrap();
    let input = table.input(id).unwrap();
    let first = input.buffered_text().unwrap().len();
    assert!(first > 0 && first < text.len());
    input.consume(5);
    let mut rounds = 0;
    while table.fill_more(id, UNLIMITED).unwrap() {
        rounds += 1;
    }
    assert!(rounds < 6, "grows by doubling, not in {rounds} rounds");
    let input = table.input(id).unwrap();
    assert_eq!(input.buffered_text().unwrap(), &text[5..]);
    input.consume(text.len() - 5);
    assert_eq!(input.position().char_count, text.len() as u64);
    assert_eq!(input.buffered_text(), Ok(""));
    assert_eq!(input.get_char(), Ok(None));
}

#[test]
fn lines_keep_their_newlines() {
    let (mut table, id) = open_text("a\r\n\nlast", &OpenOptions::default());
    let input = table.input(id).unwrap();
    let mut lines = Vec::new();
    let mut line = String::new();
    while input.read_line_into(&mut line, UNLIMITED).unwrap() {
        lines.push(std::mem::take(&mut line));
    }
    assert_eq!(lines, ["a\r\n", "\n", "last"]);
    assert_eq!(input.end_of_stream(), EndOfStream::Past);
}

#[test]
fn at_end_of_stream_looks_ahead() {
    for (action, past) in [(EofAction::Error, true), (EofAction::Reset, true)] {
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        let reader = Box::new(&b"a"[..]);
        let id = table.open_reader(reader, &with_eof(action)).unwrap();
        let input = table.input(id).unwrap();
        assert_eq!(input.end_of_stream(), EndOfStream::Not);
        assert_eq!(input.at_end_of_stream(), Ok(false));
        assert_eq!(input.get_char(), Ok(Some('a')));
        assert_eq!(input.at_end_of_stream(), Ok(true));
        assert_eq!(input.get_char(), Ok(None));
        assert_eq!(input.at_end_of_stream(), Ok(past));
    }
}

#[test]
fn the_rest_of_a_stream_is_read_at_once() {
    let (mut table, id) = open_text("abc\u{e9}", &OpenOptions::default());
    let input = table.input(id).unwrap();
    input.get_char().unwrap();
    assert_eq!(input.read_all_to_string(UNLIMITED).unwrap(), "bc\u{e9}");
    assert_eq!(input.position().byte_offset, 5);
    assert_eq!(input.end_of_stream(), EndOfStream::At);
}
