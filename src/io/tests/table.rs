//! The table: standard streams, handles, aliases, current streams, captures, opening errors.

use super::{Shared, TestDirectory, read_all, stream};
use crate::base::needs::Permit;
use crate::base::symbol::{Symbols, atoms};
use crate::io::allowance::UNLIMITED;
use crate::io::error::IoError;
use crate::io::options::Opening;
use crate::io::options::{Buffering, EofAction, OpenMode, OpenOptions, StreamType};
use crate::io::stream_table::{StreamTable, USER_ERROR, USER_INPUT, USER_OUTPUT};

#[test]
fn a_table_is_send_and_has_the_standard_streams() {
    fn is_send<T: Send>(_: &T) {}
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    is_send(&table);
    let cases = [
        (USER_INPUT, atoms::USER_INPUT, OpenMode::Read),
        (USER_OUTPUT, atoms::USER_OUTPUT, OpenMode::Append),
        (USER_ERROR, atoms::USER_ERROR, OpenMode::Append),
    ];
    for (id, alias, mode) in cases {
        assert_eq!(table.by_alias(alias), Some(id));
        let s = table.get(id).unwrap();
        assert_eq!(s.aliases(), [alias]);
        assert_eq!(s.mode, mode);
        assert_eq!(s.stream_type(), StreamType::Text);
        assert_eq!(s.is_input(), id == USER_INPUT);
        assert_eq!(s.is_output(), id != USER_INPUT);
        assert_eq!(table.close(id, false), Ok(()));
        assert!(
            table.get(id).is_some(),
            "closing a standard stream leaves it open"
        );
    }
    assert_eq!(
        table.get(USER_INPUT).unwrap().eof_action(),
        EofAction::Reset
    );
    assert_eq!(table.get(USER_ERROR).unwrap().buffering(), Buffering::None);
    assert_eq!(table.current_input(), USER_INPUT);
    assert_eq!(table.current_output(), USER_OUTPUT);
}

#[test]
fn the_host_connects_the_standard_streams() {
    let (out, err) = (Shared::default(), Shared::default());
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    table.set_user_output(Box::new(out.clone()));
    table.set_user_error(Box::new(err.clone()));
    table.set_user_input(Box::new(&b"in"[..]));
    stream(&mut table, USER_OUTPUT).put_str("out").unwrap();
    stream(&mut table, USER_ERROR).put_str("err").unwrap();
    assert_eq!(err.text(), "err");
    assert_eq!(out.text(), "");
    assert_eq!(table.input(USER_INPUT).unwrap().get_char(), Ok(Some('i')));
    assert_eq!(out.text(), "out", "written before input is waited for");
    table.set_user_input_text("text".to_string());
    assert_eq!(read_all(stream(&mut table, USER_INPUT)).unwrap(), "text");
    table.collect_standard(USER_OUTPUT);
    stream(&mut table, USER_OUTPUT).put_str("kept").unwrap();
    assert_eq!(table.take_text(USER_OUTPUT).as_deref(), Some("kept"));
    assert_eq!(out.text(), "out");
    assert_eq!(table.by_alias(atoms::USER_OUTPUT), Some(USER_OUTPUT));
}

#[test]
fn a_terminal_is_shown_the_prompt() {
    let out = Shared::default();
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    table.set_user_output(Box::new(out.clone()));
    table.set_user_input(Box::new(&b"a\nb"[..]));
    stream(&mut table, USER_INPUT).set_tty(true);
    stream(&mut table, USER_OUTPUT).put_str("name? ").unwrap();
    table.input(USER_INPUT).unwrap().get_char().unwrap();
    assert_eq!(out.text(), "name? |: ");
    assert_eq!(table.get(USER_OUTPUT).unwrap().line_position(), 0);
    table.input(USER_INPUT).unwrap().get_char().unwrap();
    assert_eq!(out.text(), "name? |: ", "what is at hand needs no prompt");
    table.set_prompt(None);
    assert_eq!(table.prompt(), None);
    table.fill_more(USER_INPUT, UNLIMITED).unwrap();
    assert_eq!(out.text(), "name? |: ");
}

#[test]
fn a_handle_is_never_used_again() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let first = table
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    table.close(first, false).unwrap();
    let second = table
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    assert_ne!(first, second);
    assert!(table.get(first).is_none());
    assert_eq!(table.close(first, true), Err(IoError::NoStream));
    assert_eq!(table.input(first).err(), Some(IoError::NoStream));
    assert_eq!(table.output(first).err(), Some(IoError::NoStream));
    assert_eq!(table.set_current_input(first), Err(IoError::NoStream));
    assert_eq!(table.set_alias(first, atoms::END), Err(IoError::NoStream));
    let ids: Vec<_> = table.iter().map(|(id, _)| id).collect();
    assert_eq!(ids, [USER_INPUT, USER_OUTPUT, USER_ERROR, second]);
}

#[test]
fn aliases_are_several_unique_and_movable() {
    let mut symbols = Symbols::new().unwrap();
    let (a, b) = (
        symbols.intern("st_a").unwrap(),
        symbols.intern("st_b").unwrap(),
    );
    let options = OpenOptions {
        aliases: vec![a, b],
        ..OpenOptions::default()
    };
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let first = table.open_text(String::new(), &options).unwrap();
    assert_eq!(table.get(first).unwrap().aliases(), [a, b]);
    assert_eq!(
        table.open_text(String::new(), &options),
        Err(IoError::AliasInUse(a))
    );
    let taken = OpenOptions {
        aliases: vec![atoms::USER_INPUT],
        ..OpenOptions::default()
    };
    assert_eq!(
        table.open_capture(&taken),
        Err(IoError::AliasInUse(atoms::USER_INPUT))
    );
    let second = table
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    table.set_alias(second, b).unwrap();
    table.set_alias(second, b).unwrap();
    assert_eq!(table.get(first).unwrap().aliases(), [a]);
    assert_eq!(table.get(second).unwrap().aliases(), [b]);
    table.close(first, false).unwrap();
    assert_eq!(table.by_alias(a), None);
    assert_eq!(table.by_alias(b), Some(second));
}

#[test]
fn closing_a_stream_gives_back_the_standard_ones() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let out = table.open_capture(&OpenOptions::default()).unwrap();
    let input = table
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    table.set_alias(out, atoms::USER_OUTPUT).unwrap();
    table.set_current_output(out).unwrap();
    table.set_current_input(input).unwrap();
    assert_eq!(table.set_current_output(input), Err(IoError::NotOutput));
    assert_eq!(table.set_current_input(out), Err(IoError::NotInput));
    assert_eq!(table.by_alias(atoms::USER_OUTPUT), Some(out));
    table.close(out, false).unwrap();
    table.close(input, false).unwrap();
    assert_eq!(table.by_alias(atoms::USER_OUTPUT), Some(USER_OUTPUT));
    assert_eq!(
        table.get(USER_OUTPUT).unwrap().aliases(),
        [atoms::USER_OUTPUT]
    );
    assert_eq!(table.current_input(), USER_INPUT);
    assert_eq!(table.current_output(), USER_OUTPUT);
}

#[test]
fn captures_nest_and_survive_closed_streams() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let outer = table.begin_capture().unwrap();
    let put = |table: &mut StreamTable, text| {
        let id = table.current_output();
        table.output(id).unwrap().put_str(text).unwrap();
    };
    put(&mut table, "a");
    let inner = table.begin_capture().unwrap();
    put(&mut table, "b\u{e9}");
    assert_eq!(table.end_capture(inner).unwrap(), "b\u{e9}");
    put(&mut table, "c");
    assert_eq!(table.end_capture(outer).unwrap(), "ac");
    assert_eq!(table.current_output(), USER_OUTPUT);
    let outer = table.begin_capture().unwrap();
    let inner = table.begin_capture().unwrap();
    table.close(outer.stream, false).unwrap();
    table.close(inner.stream, false).unwrap();
    assert_eq!(table.end_capture(inner).unwrap(), "");
    assert_eq!(table.current_output(), USER_OUTPUT);
    assert_eq!(table.end_capture(outer).unwrap(), "");
    assert_eq!(table.take_text(USER_INPUT), None);
}

#[test]
fn opening_tells_what_is_wrong() {
    let directory = TestDirectory::new();
    let file = directory.file("file", b"");
    let missing = directory.path("missing");
    let in_missing = directory.path("missing/file");
    let folder = directory.path("");
    let below_file = format!("{file}/x");
    let cases = [
        (missing.as_str(), OpenMode::Read, IoError::NotFound),
        (&in_missing, OpenMode::Write, IoError::NotFound),
        (&folder, OpenMode::Read, IoError::IsDirectory),
        (&folder, OpenMode::Write, IoError::IsDirectory),
        (&folder, OpenMode::Append, IoError::IsDirectory),
        (&folder, OpenMode::Update, IoError::IsDirectory),
        (&below_file, OpenMode::Read, IoError::NotDirectory),
    ];
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    for (path, mode, error) in cases {
        let opened = table.open(
            Opening::in_mode(mode, Permit::issue(), Permit::issue()),
            path,
            &OpenOptions::default(),
        );
        assert_eq!(opened, Err(error), "{path} {mode:?}");
    }
    assert!(
        table
            .open(
                Opening::to_read(Permit::issue()),
                "a\0b",
                &OpenOptions::default()
            )
            .is_err()
    );
    let id = table
        .open(
            Opening::to_read(Permit::issue()),
            &file,
            &OpenOptions::default(),
        )
        .unwrap();
    let s = table.get(id).unwrap();
    assert_eq!(s.file_name.as_deref(), Some(file.as_str()));
    assert!(s.reposition);
    assert!(!s.is_tty());
}

#[test]
fn two_tables_share_nothing() {
    let mut first = StreamTable::new(Permit::issue(), Permit::issue());
    let second = StreamTable::new(Permit::issue(), Permit::issue());
    let id = first
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    first.set_current_input(id).unwrap();
    assert!(second.get(id).is_none());
    assert_eq!(second.current_input(), USER_INPUT);
}
