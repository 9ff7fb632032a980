//! Writing: modes, buffering, columns, broken pipes, truncation.

use super::{Broken, Shared, TestDirectory, stream, write_file};
use crate::base::needs::Permit;
use crate::io::allowance::UNLIMITED;
use crate::io::error::IoError;
use crate::io::options::Opening;
use crate::io::options::{Buffering, OpenMode, OpenOptions, StreamType};
use crate::io::position::Position;
use crate::io::stream::SeekOrigin;
use crate::io::stream_table::{StreamTable, USER_INPUT, USER_OUTPUT};

#[test]
fn modes_keep_or_replace_what_the_file_holds() {
    let directory = TestDirectory::new();
    let cases = [
        (OpenMode::Write, "new"),
        (OpenMode::Append, "old textnew"),
        (OpenMode::Update, "new text"),
    ];
    for (mode, expected) in cases {
        let path = directory.file("file", b"old text");
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        write_file(&mut table, &path, mode, "new");
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            expected,
            "{mode:?}"
        );
        let path = directory.path(mode.name());
        write_file(&mut table, &path, mode, "new");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new", "{mode:?}");
    }
}

#[test]
fn the_column_follows_the_text() {
    let cases = [
        ("", 0),
        ("abc", 3),
        ("abc\nde", 2),
        ("\u{4e00}\u{e9}", 2),
        ("a\tb", 9),
        ("abc\r", 0),
    ];
    for (text, column) in cases {
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        let id = table.open_capture(&OpenOptions::default()).unwrap();
        let s = stream(&mut table, id);
        s.put_str(text).unwrap();
        assert_eq!(s.line_position(), column, "{text:?}");
        assert_eq!(table.take_text(id).as_deref(), Some(text));
        assert_eq!(stream(&mut table, id).position(), Position::START);
    }
}

#[test]
fn buffering_decides_when_output_is_seen() {
    let cases = [
        (Buffering::Full, "", ""),
        (Buffering::Line, "", "ab\nc"),
        (Buffering::None, "a", "ab\nc"),
    ];
    for (buffering, after_char, after_line) in cases {
        let shared = Shared::default();
        let mut table = StreamTable::new(Permit::issue(), Permit::issue());
        let options = OpenOptions {
            buffering,
            ..OpenOptions::default()
        };
        let id = table
            .open_writer(Box::new(shared.clone()), &options)
            .unwrap();
        let s = stream(&mut table, id);
        s.put_char('a').unwrap();
        assert_eq!(shared.text(), after_char, "{buffering:?}");
        s.put_str("b\nc").unwrap();
        assert_eq!(shared.text(), after_line, "{buffering:?}");
        s.put_char('d').unwrap();
        s.set_buffering(Buffering::Full).unwrap();
        assert_eq!(shared.text(), "ab\ncd", "{buffering:?}");
        s.put_char('e').unwrap();
        drop(table);
        assert_eq!(
            shared.text(),
            "ab\ncde",
            "written when the table is dropped"
        );
    }
}

#[test]
fn a_broken_pipe_is_an_error_once_for_each_loss() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    table.set_user_output(Box::new(Broken));
    let s = stream(&mut table, USER_OUTPUT);
    s.put_str("lost").unwrap();
    assert_eq!(s.flush(), Err(IoError::BrokenPipe));
    assert_eq!(s.flush(), Ok(()));
    s.put_str("lost at exit").unwrap();
    drop(table);

    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    table.set_user_output(Box::new(Broken));
    table.set_user_input_text("ab".to_string());
    stream(&mut table, USER_INPUT).set_tty(true);
    stream(&mut table, USER_OUTPUT).put_char('a').unwrap();
    for _ in 0..2 {
        table.fill_more(USER_INPUT, UNLIMITED).unwrap();
    }
    let s = stream(&mut table, USER_OUTPUT);
    assert_eq!(
        s.put_char('a'),
        Err(IoError::BrokenPipe),
        "lost while input was waited for"
    );
    assert_eq!(s.put_char('a'), Ok(()));
    drop(table);

    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open_writer(Box::new(Broken), &OpenOptions::default())
        .unwrap();
    stream(&mut table, id).put_char('a').unwrap();
    assert_eq!(table.close(id, false), Err(IoError::BrokenPipe));
    assert!(table.get(id).is_some(), "stays open");
    stream(&mut table, id).put_char('a').unwrap();
    assert_eq!(table.close(id, true), Ok(()));
    assert!(table.get(id).is_none());
}

#[test]
fn large_output_does_not_wait_for_the_end() {
    let shared = Shared::default();
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open_writer(Box::new(shared.clone()), &OpenOptions::default())
        .unwrap();
    let line = "x".repeat(1000);
    for _ in 0..100 {
        stream(&mut table, id).put_str(&line).unwrap();
    }
    assert!(shared.text().len() > 60_000);
    table.close(id, false).unwrap();
    assert_eq!(shared.text().len(), 100_000);
}

#[test]
fn bytes_go_to_binary_streams_only() {
    let options = OpenOptions {
        stream_type: StreamType::Binary,
        ..OpenOptions::default()
    };
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table.open_capture(&options).unwrap();
    let s = stream(&mut table, id);
    s.put_byte(0xff).unwrap();
    s.put_byte(0).unwrap();
    assert_eq!(s.put_char('a'), Err(IoError::WrongType(StreamType::Binary)));
    assert_eq!(s.put_str("a"), Err(IoError::WrongType(StreamType::Binary)));
    assert_eq!(s.get_byte(), Err(IoError::NotInput));
    assert_eq!(table.take_bytes(id), Some(vec![0xff, 0]));
    let id = table.open_capture(&OpenOptions::default()).unwrap();
    assert_eq!(
        stream(&mut table, id).put_byte(1),
        Err(IoError::WrongType(StreamType::Text))
    );
}

#[test]
fn output_files_are_repositioned_and_cut() {
    let directory = TestDirectory::new();
    let path = directory.path("file");
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table
        .open(
            Opening::to_write(Permit::issue(), false),
            &path,
            &OpenOptions::default(),
        )
        .unwrap();
    let s = stream(&mut table, id);
    s.put_str("ab\ncd").unwrap();
    let middle = s.position();
    s.put_str("efgh").unwrap();
    s.set_position(middle).unwrap();
    s.put_char('E').unwrap();
    assert_eq!(s.line_position(), 3);
    assert_eq!(s.seek(-1, SeekOrigin::End), Ok(8));
    s.put_char('H').unwrap();
    s.seek(7, SeekOrigin::Start).unwrap();
    s.set_end_of_stream().unwrap();
    table.close(id, false).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "ab\ncdEf");
    let id = table
        .open(
            Opening::to_write(Permit::issue(), true),
            &path,
            &OpenOptions::default(),
        )
        .unwrap();
    let s = stream(&mut table, id);
    assert_eq!(s.position().byte_offset, 7);
    assert_eq!(
        s.set_position(Position::START),
        Err(IoError::NotRepositionable)
    );
    let id = table.open_capture(&OpenOptions::default()).unwrap();
    assert_eq!(
        stream(&mut table, id).set_end_of_stream(),
        Err(IoError::NotRepositionable)
    );
}
