//! Files, directories and their names.

use super::{TestDirectory, write_file};
use crate::base::needs::Permit;
use crate::io::allowance::UNLIMITED;
use crate::io::encoding::Encoding;
use crate::io::error::IoError;
use crate::io::files::{self, Access, FileKind};
use crate::io::options::OpenMode;
use crate::io::paths;
use crate::io::source_file::read_source_file;
use crate::io::stream_table::StreamTable;

#[test]
fn files_and_directories_come_and_go() {
    let directory = TestDirectory::new();
    let file = directory.file("file", b"12345");
    let folder = directory.path("folder");
    let moved = directory.path("moved");
    assert!(
        files::exists_file(Permit::issue(), &file)
            && !files::exists_directory(Permit::issue(), &file)
    );
    assert_eq!(files::size_file(Permit::issue(), &file), Ok(5));
    assert!(files::time_file(Permit::issue(), &file).unwrap() > 1e9);
    assert_eq!(files::make_directory(Permit::issue(), &folder), Ok(()));
    assert_eq!(
        files::make_directory(Permit::issue(), &folder),
        Err(IoError::AlreadyExists)
    );
    assert!(
        files::exists_directory(Permit::issue(), &folder)
            && !files::exists_file(Permit::issue(), &folder)
    );
    assert_eq!(
        files::delete_file(Permit::issue(), &folder),
        Err(IoError::IsDirectory)
    );
    assert_eq!(files::rename_file(Permit::issue(), &file, &moved), Ok(()));
    assert_eq!(
        files::rename_file(Permit::issue(), &file, &moved),
        Err(IoError::NotFound)
    );
    let names = files::directory_files(Permit::issue(), &directory.path("")).unwrap();
    assert_eq!(names, [".", "..", "folder", "moved"]);
    assert_eq!(
        files::make_directory_path(Permit::issue(), &directory.path("folder/a/b")),
        Ok(())
    );
    assert_eq!(
        files::delete_directory(Permit::issue(), &folder),
        Err(IoError::DirectoryNotEmpty)
    );
    assert_eq!(
        files::delete_directory(Permit::issue(), &directory.path("folder/a/b")),
        Ok(())
    );
    assert_eq!(
        files::delete_directory(Permit::issue(), &moved),
        Err(IoError::NotDirectory)
    );
    assert_eq!(files::delete_file(Permit::issue(), &moved), Ok(()));
    assert_eq!(
        files::delete_file(Permit::issue(), &moved),
        Err(IoError::NotFound)
    );
    assert_eq!(
        files::size_file(Permit::issue(), &moved),
        Err(IoError::NotFound)
    );
    assert_eq!(
        files::directory_files(Permit::issue(), &moved),
        Err(IoError::NotFound)
    );
}

#[test]
fn names_are_taken_apart() {
    let cases = [
        ("/a/b.pl", "b.pl", "/a", ("/a/b", "pl")),
        ("b.pl", "b.pl", ".", ("b", "pl")),
        ("/b", "b", "/", ("/b", "")),
        ("/", "/", "/", ("/", "")),
        ("", "", ".", ("", "")),
        ("a.d/b", "b", "a.d", ("a.d/b", "")),
        ("a//b/", "b", "a", ("a//b/", "")),
        ("\u{e9}", "\u{e9}", ".", ("\u{e9}", "")),
    ];
    for (path, base, directory, extension) in cases {
        assert_eq!(paths::base_name(path), base, "{path}");
        assert_eq!(paths::directory_name(path), directory, "{path}");
        assert_eq!(paths::split_extension(path), extension, "{path}");
    }
    let cases = [
        ("a", "pl", "a.pl"),
        ("a", ".pl", "a.pl"),
        ("a.pl", "pl", "a.pl"),
        ("a", "", "a"),
    ];
    for (path, extension, expected) in cases {
        assert_eq!(paths::with_extension(path, extension), expected);
    }
}

#[test]
fn names_are_made_absolute() {
    let cases = [
        ("/a/./b/../c", "/a/c"),
        ("/../a", "/a"),
        ("a/..", "."),
        ("../a", "../a"),
        ("../../a/../b", "../../b"),
        ("a//b/", "a/b"),
    ];
    for (path, expected) in cases {
        assert_eq!(paths::normalize(path), expected, "{path}");
    }
    assert_eq!(
        files::absolute_file_name(Permit::issue(), "../x", Some("/a/b")).unwrap(),
        "/a/x"
    );
    assert_eq!(
        files::absolute_file_name(Permit::issue(), "/x", Some("/a/b")).unwrap(),
        "/x"
    );
    let here = files::working_directory(Permit::issue()).unwrap();
    assert!(here.ends_with('/'));
    assert_eq!(
        files::absolute_file_name(Permit::issue(), "x", None).unwrap(),
        format!("{here}x")
    );
}

#[test]
fn a_file_is_found_by_its_extensions() {
    let directory = TestDirectory::new();
    let root = directory.path("");
    let program = directory.file("a.pl", b"");
    let plain = directory.file("b", b"");
    std::fs::create_dir(directory.path("c")).unwrap();
    let find = |name: &str, extensions: &[&str], kind, access| {
        files::find_file(Permit::issue(), name, extensions, kind, access, Some(&root)).unwrap()
    };
    let pl = &["", "pl"];
    let cases = [
        ("a", FileKind::File, Access::Read, Some(program.clone())),
        ("a.pl", FileKind::File, Access::Exist, Some(program)),
        ("b", FileKind::File, Access::Write, Some(plain)),
        ("c", FileKind::File, Access::Exist, None),
        (
            "c",
            FileKind::Directory,
            Access::Exist,
            Some(directory.path("c")),
        ),
        ("d", FileKind::File, Access::Read, None),
        (
            "d",
            FileKind::File,
            Access::Write,
            Some(directory.path("d")),
        ),
        ("e/d", FileKind::File, Access::Write, None),
        (
            "e/d",
            FileKind::File,
            Access::None,
            Some(directory.path("e/d")),
        ),
    ];
    for (name, kind, access, expected) in cases {
        assert_eq!(find(name, pl, kind, access), expected, "{name} {access:?}");
    }
    assert_eq!(find("a", &[], FileKind::File, Access::Read), None);
}

#[test]
fn source_files_are_read_whole_or_refused() {
    let directory = TestDirectory::new();
    let good = directory.file("good", b"\xef\xbb\xbfa :- b.\n");
    assert_eq!(
        read_source_file(Permit::issue(), &good, None, UNLIMITED).unwrap(),
        "a :- b.\n"
    );
    let bad = directory.file("bad", b"a.\nb\xff.\n");
    assert_eq!(
        read_source_file(Permit::issue(), &bad, None, UNLIMITED),
        Err(IoError::InvalidEncoding {
            encoding: Encoding::Utf8,
            byte_offset: 4,
            line: 2,
            column: 2
        })
    );
    assert_eq!(
        read_source_file(Permit::issue(), &directory.path(""), None, UNLIMITED),
        Err(IoError::IsDirectory)
    );
    assert_eq!(
        read_source_file(Permit::issue(), &directory.path("none"), None, UNLIMITED),
        Err(IoError::NotFound)
    );
    if files::exists_file(Permit::issue(), "/dev/zero") {
        assert!(matches!(
            read_source_file(Permit::issue(), "/dev/zero", None, UNLIMITED),
            Err(IoError::Other(_))
        ));
        assert_eq!(
            read_source_file(Permit::issue(), "/dev/null", None, UNLIMITED).unwrap(),
            ""
        );
    }
}

#[test]
fn temporary_files_go_with_their_table() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let path = table.tmp_file(Permit::issue(), None, "a/b", "pl").unwrap();
    assert!(path.ends_with(".pl") && !files::exists_file(Permit::issue(), &path));
    write_file(&mut table, &path, OpenMode::Write, "x");
    let other = table.tmp_file(Permit::issue(), None, "a/b", "pl").unwrap();
    assert_ne!(path, other);
    assert!(files::exists_file(Permit::issue(), &path));
    drop(table);
    assert!(!files::exists_file(Permit::issue(), &path));
}

#[test]
fn temporary_files_that_were_deleted_are_forgotten() {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let path = table
        .tmp_file(Permit::issue(), None, "deleted", "")
        .unwrap();
    write_file(&mut table, &path, OpenMode::Write, "x");
    files::delete_file(Permit::issue(), &path).unwrap();
    table.forget_tmp_file(&path);
    // Who makes one of this name afterwards keeps it.
    write_file(&mut table, &path, OpenMode::Write, "x");
    drop(table);
    assert!(files::exists_file(Permit::issue(), &path));
    files::delete_file(Permit::issue(), &path).unwrap();
}
