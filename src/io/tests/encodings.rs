//! Encodings: decoding, encoding, wrong input, byte order marks, changes on the way.

use super::{TestDirectory, open_bytes, read_all, stream};
use crate::base::needs::Permit;
use crate::io::allowance::UNLIMITED;
use crate::io::encoding::Encoding;
use crate::io::error::IoError;
use crate::io::options::Opening;
use crate::io::options::{OpenOptions, StreamType};
use crate::io::source_file::{decode_source, read_source_file};
use crate::io::stream_table::StreamTable;
use std::io::Read;

const ALL: [Encoding; 6] = [
    Encoding::Utf8,
    Encoding::Latin1,
    Encoding::Ascii,
    Encoding::Octet,
    Encoding::Utf16Le,
    Encoding::Utf16Be,
];

/// A reader that gives its bytes one at a time.
struct Trickle(Vec<u8>);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() || buffer.is_empty() {
            return Ok(0);
        }
        buffer[0] = self.0.remove(0);
        Ok(1)
    }
}

fn in_encoding(encoding: Encoding) -> OpenOptions {
    OpenOptions {
        encoding,
        ..OpenOptions::default()
    }
}

#[test]
fn text_comes_out_as_bytes_are_meant() {
    let cases: [(Encoding, &[u8], &str); 15] = [
        (
            Encoding::Utf8,
            b"a\xc3\xa9\xf0\x9f\x98\x80",
            "a\u{e9}\u{1f600}",
        ),
        (Encoding::Utf8, b"a\xffb", "a\u{fffd}b"),
        (Encoding::Utf8, b"\xe4\xb8", "\u{fffd}"),
        (Encoding::Utf8, b"\xe4\xb8a", "\u{fffd}a"),
        (Encoding::Utf8, b"\xc0\x80", "\u{fffd}\u{fffd}"),
        (Encoding::Utf8, b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (Encoding::Latin1, b"a\xe9\xff", "a\u{e9}\u{ff}"),
        (Encoding::Octet, b"\x00\x80", "\0\u{80}"),
        (Encoding::Ascii, b"a\xe9", "a\u{e9}"),
        (Encoding::Utf16Le, b"a\0\x3d\xd8\x00\xde", "a\u{1f600}"),
        (Encoding::Utf16Be, b"\0a\xd8\x3d\xde\x00", "a\u{1f600}"),
        (Encoding::Utf16Le, b"\x3d\xd8a\0", "\u{fffd}a"),
        (Encoding::Utf16Le, b"\x00\xdea\0", "\u{fffd}a"),
        (Encoding::Utf16Be, b"\0a\xd8\x3d", "a\u{fffd}"),
        (Encoding::Utf16Be, b"\0a\x01", "a\u{fffd}"),
    ];
    for (encoding, bytes, text) in cases {
        let (mut table, id) = open_bytes(bytes, &in_encoding(encoding));
        let s = stream(&mut table, id);
        assert_eq!(read_all(s).unwrap(), text, "{encoding:?} {bytes:?}");
        assert_eq!(
            s.position().byte_offset,
            bytes.len() as u64,
            "{encoding:?} {bytes:?}"
        );
        let reader = Box::new(Trickle(bytes.to_vec()));
        let id = table.open_reader(reader, &in_encoding(encoding)).unwrap();
        let s = stream(&mut table, id);
        assert_eq!(
            read_all(s).unwrap(),
            text,
            "{encoding:?} {bytes:?}, byte by byte"
        );
        assert_eq!(
            s.position().byte_offset,
            bytes.len() as u64,
            "{encoding:?} {bytes:?}"
        );
        let (mut table, id) = open_bytes(bytes, &in_encoding(encoding));
        let input = table.input(id).unwrap();
        assert_eq!(input.read_all_to_string(UNLIMITED).unwrap(), text);
        assert_eq!(
            input.position().byte_offset,
            bytes.len() as u64,
            "{encoding:?} {bytes:?}"
        );
    }
}

#[test]
fn what_is_written_is_read_back() {
    for encoding in ALL {
        let text = match encoding {
            Encoding::Ascii => "plain\n~\0",
            Encoding::Latin1 | Encoding::Octet => "\u{e9}\u{ff}\n",
            _ => "\u{e9}\u{4e00}\u{1f600}\u{feff}\n",
        };
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        for whole in [true, false] {
            let id = table.open_capture(&in_encoding(encoding)).unwrap();
            let s = stream(&mut table, id);
            if whole {
                s.put_str(text).unwrap();
            } else {
                text.chars().for_each(|char| s.put_char(char).unwrap());
            }
            let position = s.position();
            let bytes = table.take_bytes(id).unwrap();
            assert_eq!(position.byte_offset, bytes.len() as u64, "{encoding:?}");
            assert_eq!(position.char_count, text.chars().count() as u64);
            let id = table.open_memory(bytes, &in_encoding(encoding)).unwrap();
            assert_eq!(
                read_all(stream(&mut table, id)).unwrap(),
                text,
                "{encoding:?}"
            );
            assert_eq!(stream(&mut table, id).position(), position, "{encoding:?}");
        }
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_an_error() {
    for (encoding, char) in [(Encoding::Latin1, '\u{100}'), (Encoding::Ascii, '\u{80}')] {
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        let id = table.open_capture(&in_encoding(encoding)).unwrap();
        let s = stream(&mut table, id);
        assert_eq!(s.put_char(char), Err(IoError::Unrepresentable(char)));
        assert_eq!(
            s.put_str("a\u{2000}"),
            Err(IoError::Unrepresentable('\u{2000}'))
        );
        assert_eq!(s.position().byte_offset, 1);
    }
}

#[test]
fn a_byte_order_mark_tells_the_encoding() {
    let directory = TestDirectory::new();
    let cases: [(&[u8], &str, Encoding); 5] = [
        (b"\xef\xbb\xbfab", "ab", Encoding::Utf8),
        (b"\xff\xfea\0b\0", "ab", Encoding::Utf16Le),
        (b"\xfe\xff\0a\0b", "ab", Encoding::Utf16Be),
        (b"\xef\xbb", "\u{ef}\u{bb}", Encoding::Latin1),
        (b"ab", "ab", Encoding::Latin1),
    ];
    for (bytes, text, encoding) in cases {
        let path = directory.file("marked", bytes);
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        let id = table
            .open(
                Opening::to_read(Permit::issue()),
                &path,
                &in_encoding(Encoding::Latin1),
            )
            .unwrap();
        let s = stream(&mut table, id);
        let start = s.position();
        assert_eq!(s.peek_char(), Ok(text.chars().next()));
        let after_mark = s.position();
        assert_eq!(read_all(s).unwrap(), text);
        assert_eq!(s.encoding(), encoding);
        assert_eq!(s.has_bom(), encoding != Encoding::Latin1);
        assert_eq!(s.position().byte_offset, bytes.len() as u64);
        for position in [start, after_mark] {
            s.set_position(position).unwrap();
            assert_eq!(read_all(s).unwrap(), text);
            assert_eq!(s.position().byte_offset, bytes.len() as u64);
        }
    }
    let path = directory.path("written");
    let options = OpenOptions {
        bom: Some(true),
        ..in_encoding(Encoding::Utf16Be)
    };
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open(Opening::to_write(Permit::issue(), false), &path, &options)
        .unwrap();
    stream(&mut table, id).put_char('a').unwrap();
    table.close(id, false).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"\xfe\xff\0a");
    assert_eq!(
        read_source_file(Permit::issue(), &path, None, UNLIMITED).unwrap(),
        "a"
    );
}

#[test]
fn the_encoding_and_the_type_change_on_the_way() {
    let (mut table, id) = open_bytes(b"a\xc3\xa9\xe9\xffz\xc3\xa9", &OpenOptions::default());
    let s = stream(&mut table, id);
    assert_eq!(s.get_char(), Ok(Some('a')));
    assert_eq!(s.get_char(), Ok(Some('\u{e9}')));
    s.set_encoding(Encoding::Latin1).unwrap();
    assert_eq!(s.get_char(), Ok(Some('\u{e9}')));
    s.set_type(StreamType::Binary).unwrap();
    assert_eq!(s.get_byte(), Ok(Some(0xff)));
    s.set_type(StreamType::Text).unwrap();
    s.set_encoding(Encoding::Utf8).unwrap();
    assert_eq!(read_all(s).unwrap(), "z\u{e9}");
    assert_eq!(s.position().byte_offset, 8);
}

#[test]
fn source_text_must_be_in_its_encoding() {
    let wrong = |encoding, byte_offset, line, column| {
        Err(IoError::InvalidEncoding {
            encoding,
            byte_offset,
            line,
            column,
        })
    };
    type Case<'a> = (&'a [u8], Option<Encoding>, Result<&'a str, IoError>);
    let cases: [Case<'_>; 7] = [
        (b"a\xc3\xa9", None, Ok("a\u{e9}")),
        (b"a\n\xc3\xa9\xff", None, wrong(Encoding::Utf8, 4, 2, 2)),
        (b"\xef\xbb\xbfa\xff", None, wrong(Encoding::Utf8, 4, 1, 2)),
        (b"a\xe9", Some(Encoding::Latin1), Ok("a\u{e9}")),
        (b"\xff\xfea\0", None, Ok("a")),
        (
            b"\xff\xfea\0\x00\xdc",
            None,
            wrong(Encoding::Utf16Le, 4, 1, 2),
        ),
        (b"", None, Ok("")),
    ];
    for (bytes, encoding, expected) in cases {
        let text = decode_source(bytes.to_vec(), encoding);
        assert_eq!(text, expected.map(str::to_string), "{bytes:?}");
    }
}

#[test]
fn encodings_are_known_by_their_names() {
    for encoding in ALL {
        assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
    }
    assert_eq!(Encoding::from_name("UTF-8"), Some(Encoding::Utf8));
    assert_eq!(Encoding::from_name("klingon"), None);
}
