//! Tests that no step of a session can express: large output, separate tables, temporary files, devices.

use super::Shared;
use crate::base::needs::{Permit, Read};
use crate::io::allowance::UNLIMITED;
use crate::io::error::IoError;
use crate::io::files;
use crate::io::options::OpenOptions;
use crate::io::source_file::read_source_file;
use crate::io::stream_table::{StreamTable, USER_INPUT};

fn table() -> StreamTable {
    StreamTable::new(
        Some(Permit::issue()),
        Some(Permit::issue()),
        &std::sync::Arc::default(),
    )
}

#[test]
fn tables_share_nothing_and_may_change_threads() {
    fn is_send<T: Send>(_: &T) {}
    let (mut first, second) = (table(), table());
    is_send(&first);
    let id = first
        .open_text(String::new(), &OpenOptions::default())
        .unwrap();
    first.set_current_input(id).unwrap();
    assert!(second.get(id).is_none());
    assert_eq!(second.current_input(), USER_INPUT);
}

#[test]
fn large_output_does_not_wait_for_the_end() {
    let shared = Shared::default();
    let mut table = table();
    let id = table
        .open_writer(Box::new(shared.clone()), &OpenOptions::default())
        .unwrap();
    let line = "x".repeat(1000);
    for _ in 0..100 {
        table.output(id).unwrap().put_str(&line).unwrap();
    }
    assert!(shared.bytes().len() > 60_000);
    table.close(id, false).unwrap();
    assert_eq!(shared.bytes().len(), 100_000);
}

fn exists(path: &str) -> bool {
    files::exists_file(Permit::<Read>::issue(), path).unwrap()
}

#[test]
fn names_begin_in_the_working_directory() {
    let here = files::working_directory(Permit::issue()).unwrap();
    assert!(here.ends_with('/'));
    let path = files::absolute_file_name(Permit::issue(), "x", None).unwrap();
    assert_eq!(path, format!("{here}x"));
}

#[test]
fn devices_without_end_are_no_source_files() {
    if exists("/dev/zero") {
        let read = |path| read_source_file(Permit::<Read>::issue(), path, None, UNLIMITED);
        assert!(matches!(read("/dev/zero"), Err(IoError::Other(_))));
        assert_eq!(read("/dev/null").unwrap(), "");
    }
}

#[test]
fn temporary_files_go_with_their_table() {
    let mut table = table();
    let path = table.tmp_file(Permit::issue(), None, "a/b", "pl").unwrap();
    assert!(path.ends_with(".pl") && !exists(&path));
    std::fs::write(&path, "x").unwrap();
    let other = table.tmp_file(Permit::issue(), None, "a/b", "pl").unwrap();
    assert_ne!(path, other);
    assert!(exists(&path));
    drop(table);
    assert!(!exists(&path));
}

#[test]
fn temporary_files_that_were_deleted_are_forgotten() {
    let mut table = table();
    let path = table
        .tmp_file(Permit::issue(), None, "deleted", "")
        .unwrap();
    std::fs::write(&path, "x").unwrap();
    files::delete_file(Permit::issue(), &path).unwrap();
    table.forget_tmp_file(&path);
    // A file of this name that is made afterwards stays.
    std::fs::write(&path, "x").unwrap();
    drop(table);
    assert!(exists(&path));
    files::delete_file(Permit::issue(), &path).unwrap();
}
