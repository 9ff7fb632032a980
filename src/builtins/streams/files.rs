//! Files, directories and their names.

use super::errors_io::OptionTerm;
use crate::base::atom_table::{Atom, atoms};
use crate::base::growth::{Gather, Grow};
use crate::base::needs::{Permit, Place, Read};
use crate::builtins::system::known_flags::atom_of_flag;
use crate::io::access::{self, Access, FileKind};
use crate::io::error::IoError;
use crate::io::files;
use crate::io::paths;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;

builtins! { FILES =
    /// True if `file` names an existing file that is no directory.
    ///
    /// ?- exists_file('no_such_file.txt').
    /// false.
    library "exists_file"("+file") needs read = |m, [file]| {
        let path = m.file_arg(file)?;
        m.of_file(files::exists_file(read, &path), ("access", "file"), file)
    };
    /// True if `file` names an existing directory.
    ///
    /// ?- exists_directory('/').
    /// true.
    library "exists_directory"("+file") needs read = |m, [file]| {
        let path = m.file_arg(file)?;
        m.of_file(files::exists_directory(read, &path), ("access", "directory"), file)
    };
    /// Deletes `file`.
    ///
    /// ?- open('t.txt', write, _S), close(_S), delete_file('t.txt'), \+ exists_file('t.txt').
    /// true.
    ///
    /// ?- delete_file('no_such_file.txt').
    /// error: delete_file/1: file `no_such_file.txt' does not exist (no such file or directory) [existence_error(file, 'no_such_file.txt')]
    library "delete_file"("+file") needs write, effect = |m, [file]| {
        let deleted = file_operation(m, file, "delete", "file", |path| files::delete_file(write, path))?;
        let path = m.file_arg(file)?;
        m.world.host.streams.forget_tmp_file(&path);
        Ok(deleted)
    };
    /// Renames the file or the directory named by the first file to the second.
    ///
    /// ?- open('a.txt', write, _S), close(_S), rename_file('a.txt', 'b.txt'), exists_file('b.txt').
    /// true.
    library "rename_file"("+file", "+file") needs write, effect = |m, [from, to]| {
        let new = m.file_arg(to)?;
        file_operation(m, from, "rename", "file", |old| files::rename_file(write, old, &new))
    };
    /// Unifies `list` with the sorted names in the directory `file`, including `.` and `..`. A byte that is
    /// not valid UTF-8 appears as the character U+10FE00 + byte. A name with such characters refers to the
    /// same file again.
    library "directory_files"("+file", "-list") needs read = |m, [directory, names]| {
        let path = m.file_arg(directory)?;
        let found = m.of_file(files::directory_files(read, &path), ("access", "directory"), directory)?;
        let atoms = m.atoms_of(&found)?;
        m.unify_items(names, &atoms)
    };
    /// Creates the directory `file`.
    ///
    /// ?- make_directory(made), exists_directory(made), delete_directory(made).
    /// true.
    library "make_directory"("+file") needs write, effect = |m, [directory]| {
        file_operation(m, directory, "create", "directory", |path| files::make_directory(write, path))
    };
    /// Creates the directory `file` and its missing parent directories.
    library "make_directory_path"("+file") needs write, effect = |m, [directory]| {
        file_operation(m, directory, "create", "directory", |path| files::make_directory_path(write, path))
    };
    /// Deletes the empty directory `file`.
    library "delete_directory"("+file") needs write, effect = |m, [directory]| {
        file_operation(m, directory, "delete", "directory", |path| files::delete_directory(write, path))
    };
    /// Unifies the first file with the working directory, then changes the working directory to the second.
    /// The change affects only this engine, not the process or its other engines.
    library "working_directory"("-file", "+file") needs read, place, effect = |m, [old, new]| {
        working_directory(m, (read, place), old, new)
    };
    /// Changes the working directory to `file`.
    library "chdir"("+file") needs read, effect = |m, [directory]| change_directory(m, read, directory);
    /// Returns the absolute name of a file.
    library "$absolute_file_name"("+file", "-file") needs place = |m, [file, absolute]| {
        let path = m.file_arg(file)?;
        let found = files::absolute_file_name(place, &path, None);
        let name = m.of_file(found, ("access", "directory"), file)?;
        Ok(m.unify_text(absolute, &name)?)
    };
    /// Returns the absolute name of a file that fits the options: `extensions(Es)`, `access(A)`, `file_type(T)`,
    /// `file_errors(E)`, `relative_to(D)`.
    library "$absolute_file_name"("+file", "-file", "+list") needs read, place = |m, [file, absolute, options]| {
        find_file(m, (read, place), file, absolute, options)
    };
    /// True if `file` is a path that begins at the root.
    ///
    /// ?- is_absolute_file_name('notes.txt').
    /// false.
    library "is_absolute_file_name"("+file") = |m, [file]| {
        Ok(paths::is_absolute(&m.file_arg(file)?))
    };
    /// Unifies `atom` with the part of `file` after the last separator.
    ///
    /// ?- file_base_name('/home/ann/notes.txt', Name).
    /// Name = 'notes.txt'.
    library "file_base_name"("+file", "-atom") = |m, [file, base]| {
        let path = m.file_arg(file)?;
        Ok(m.unify_text(base, paths::base_name(&path))?)
    };
    /// Unifies `atom` with the part of `file` before the last separator.
    ///
    /// ?- file_directory_name('/home/ann/notes.txt', Directory).
    /// Directory = '/home/ann'.
    library "file_directory_name"("+file", "-atom") = |m, [file, directory]| {
        let path = m.file_arg(file)?;
        Ok(m.unify_text(directory, paths::directory_name(&path))?)
    };
    /// Joins the directory, the first `file`, and the second `file` to a path, the third.
    ///
    /// ?- directory_file_path('/home/ann', 'notes.txt', Path).
    /// Path = '/home/ann/notes.txt'.
    library "directory_file_path"("+file", "+file", "-file") = |m, [directory, file, path]| {
        let (directory, file) = (m.file_arg(directory)?, m.file_arg(file)?);
        let joined = match directory.as_str() {
            "." => file,
            _ => paths::join(&directory, &file),
        };
        Ok(m.unify_text(path, &joined)?)
    };
    /// Joins `base` and `extension` to `name`, or splits `name` into them. `extension` may begin with a dot.
    ///
    /// ?- file_name_extension(Base, Extension, 'notes.txt').
    /// Base = notes,
    /// Extension = txt.
    ///
    /// ?- file_name_extension(notes, txt, Name).
    /// Name = 'notes.txt'.
    library "file_name_extension"("?base", "?extension", "?name") = |m, [base, extension, name]| {
        file_name_extension(m, base, extension, name)
    };
    /// Unifies `integer` with the size of `file` in bytes.
    ///
    /// ?- open('s.txt', write, _S), write(_S, hello), close(_S), size_file('s.txt', Size).
    /// Size = 5.
    library "size_file"("+file", "-integer") needs read = |m, [file, size]| {
        let path = m.file_arg(file)?;
        let bytes = m.of_file(files::size_file(read, &path), ("access", "file"), file)?;
        Ok(m.unify_int(size, i64::try_from(bytes).unwrap_or(i64::MAX))?)
    };
    /// Unifies `float` with the time of the last change of `file`, in seconds since 1970.
    library "time_file"("+file", "-float") needs read = |m, [file, time]| {
        let path = m.file_arg(file)?;
        let seconds = m.of_file(files::time_file(read, &path), ("access", "file"), file)?;
        let seconds = m.store.new_float(seconds);
        Ok(m.unify(time, seconds)?)
    };
    /// Unifies `file` with the name of a temporary file, which is deleted when the program ends. The file is
    /// in the directory named by the flag `tmp_dir`.
    library "tmp_file"("+text", "-file") needs write, effect = |m, [base, name]| {
        let base = m.text_arg(base)?;
        let folder = atom_of_flag(m, "tmp_dir")?;
        match m.world.host.streams.tmp_file(write, folder.as_deref(), &base, "") {
            Ok(path) => Ok(m.unify_text(name, &path)?),
            Err(IoError::Refused(need)) => Err(m.refused(need)),
            Err(error) => Err(m.system_error(&error.to_string())),
        }
    };
    /// True if the program can access `file` in the mode `atom`: `read`, `write`, `append`, `execute`,
    /// `exist` or `none`.
    ///
    /// ?- access_file('no_such_file.txt', read).
    /// false.
    library "access_file"("+file", "+atom") needs read = |m, [file, mode]| {
        let path = m.file_arg(file)?;
        let name = m.atom_arg(mode)?;
        let Some(access) = Access::from_name(m.world.symbols.text(name)) else {
            return Err(m.domain_error(atoms::IO_MODE, mode));
        };
        let granted = kind_of(read, &path).and_then(|kind| access::grants(read, &path, kind, access));
        m.of_file(granted, ("access", "file"), file)
    };
    /// True if both names refer to the same file.
    ///
    /// ?- same_file('/', '/.').
    /// true.
    library "same_file"("+file", "+file") needs read = |m, [file, with]| {
        let (one, other) = (m.file_arg(file)?, m.file_arg(with)?);
        let real = |m: &mut Machine, path: &str, file| {
            m.of_file(files::real_path(read, path), ("access", "file"), file)
        };
        let (first, second) = (real(m, &one, file)?, real(m, &other, with)?);
        Ok(one == other || (first.is_some() && first == second))
    };
    /// Reads the symbolic link, the first file. Unifies the second file with the name in the link and the
    /// third with its final target. Fails if the first file is no symbolic link.
    library "read_link"("+file", "-file", "-file") needs read = |m, [file, link, target]| {
        let path = m.file_arg(file)?;
        match m.of_file(files::read_link(read, &path), ("access", "file"), file)? {
            Some((found, end)) => Ok(m.unify_text(link, &found)? && m.unify_text(target, &end)?),
            None => Ok(false),
        }
    };
    /// Creates a link to the first file under the name of the second: a symbolic link with the `type`
    /// `symbolic`, a hard link with `hard`.
    library "link_file"("+file", "+file", "+type") needs write, effect = |m, [file, link, kind]| {
        let target = m.file_arg(file)?;
        let name = m.atom_arg(kind)?;
        let symbolic = match m.world.symbols.text(name) {
            "symbolic" => true,
            "hard" => false,
            _ => return Err(m.domain_error("link_type", kind)),
        };
        file_operation(m, link, "create", "file", |link| files::link_file(write, &target, link, symbolic))
    };
}

fn file_operation(
    m: &mut Machine,
    file: Cell,
    action: &str,
    kind: &str,
    operation: impl FnOnce(&str) -> Result<(), IoError>,
) -> Result<bool, Throw> {
    let path = m.file_arg(file)?;
    m.of_file(operation(&path), (action, kind), file)?;
    Ok(true)
}

fn working_directory(
    m: &mut Machine,
    (read, place): (&Permit<Read>, &Permit<Place>),
    old: Cell,
    new: Cell,
) -> Result<bool, Throw> {
    let present = match files::working_directory(place) {
        Ok(present) => present,
        Err(error) => {
            let here = Cell::atom(m.world.symbols.intern(".")?);
            return Err(m.file_error(error, "access", "directory", here));
        }
    };
    if !m.unify_text(old, &present)? {
        return Ok(false);
    }
    let path = m.file_arg(new)?;
    if path == present {
        return Ok(true);
    }
    change_directory(m, read, new)
}

fn change_directory(m: &mut Machine, read: &Permit<Read>, new: Cell) -> Result<bool, Throw> {
    file_operation(m, new, "chdir", "directory", |path| {
        files::set_working_directory(read, path)
    })?;
    m.world.host.directory.follow_present();
    Ok(true)
}

fn kind_of(read: &Permit<Read>, path: &str) -> Result<FileKind, IoError> {
    files::exists_directory(read, path).map(kind_if)
}

fn kind_if(directory: bool) -> FileKind {
    if directory {
        FileKind::Directory
    } else {
        FileKind::File
    }
}

/// Returns the extensions to try for a type of file.
fn extensions_of(file_type: &str) -> Option<&'static [&'static str]> {
    Some(match file_type {
        "prolog" | "source" => &["pl", "prolog", ""],
        "txt" | "regular" | "directory" | "executable" | "binary" => &[""],
        _ => return None,
    })
}

/// Options of `absolute_file_name/3`.
struct Search {
    extensions: Vec<String>,
    access: Access,
    kind: Option<FileKind>,
    relative_to: Option<String>,
    fails: bool,
}

fn find_file(
    m: &mut Machine,
    (read, place): (&Permit<Read>, &Permit<Place>),
    file: Cell,
    absolute: Cell,
    options: Cell,
) -> Result<bool, Throw> {
    let path = m.file_arg(file)?;
    let mut search = Search {
        extensions: Vec::new(),
        access: Access::None,
        kind: None,
        relative_to: None,
        fails: false,
    };
    let domain = m.world.symbols.intern("absolute_file_name_option")?;
    let items = m.option_list(options)?;
    m.each_option(items, domain, |m, option| {
        search_option(m, read, option, domain, &mut search)
    })?;
    // Without `access`, the extensions are only tried; with it, one of them must fit. `file_type` decides whether
    // the name may be that of a directory. A directory must exist.
    let access = search.access;
    let extensions: Vec<&str> = search.extensions.iter().map(String::as_str).gather()?;
    let relative_to = search.relative_to.as_deref();
    let kind = search.kind.unwrap_or(FileKind::File);
    let other_kind = |path: &str| match search.kind {
        Some(FileKind::File) => files::exists_directory(read, path),
        Some(FileKind::Directory) => files::exists_file(read, path),
        None => Ok(false),
    };
    let find = |access| access::find_file(read, &path, &extensions, kind, access, relative_to);
    let found = match access {
        Access::None if extensions.iter().any(|extension| !extension.is_empty()) => {
            find(Access::Exist).and_then(|found| match found {
                Some(name) => Ok(Some(name)),
                None => files::absolute_file_name(place, &path, relative_to).map(Some),
            })
        }
        Access::None if kind == FileKind::Directory => find(Access::Exist),
        Access::None => find(Access::None).and_then(|found| match found {
            Some(name) if other_kind(&name)? => Ok(None),
            found => Ok(found),
        }),
        _ => find(access),
    };
    match found {
        Ok(Some(name)) => Ok(m.unify_text(absolute, &name)?),
        Ok(None) if search.fails => Ok(false),
        Ok(None)
            if files::absolute_file_name(place, &path, relative_to)
                .and_then(|name| other_kind(&name))
                .unwrap_or(false) =>
        {
            let wanted = match kind {
                FileKind::File => atoms::FILE,
                FileKind::Directory => m.world.symbols.intern("directory")?,
            };
            Err(m.existence_error(wanted, file))
        }
        Ok(None) if access == Access::Write && kind_of(read, &path) == Ok(FileKind::File) => {
            Err(m.permission_error(atoms::OPEN, atoms::SOURCE_SINK, file))
        }
        Ok(None) => Err(m.existence_error(atoms::SOURCE_SINK, file)),
        Err(error) => Err(m.file_error(error, "access", "directory", file)),
    }
}

fn search_option(
    m: &mut Machine,
    read: &Permit<Read>,
    option: OptionTerm,
    domain: Atom,
    search: &mut Search,
) -> Result<(), Throw> {
    let name = m.world.symbols.text(option.name).to_owned();
    match name.as_str() {
        "extensions" => {
            search.extensions.clear();
            for item in m.list_arg(option.value)? {
                search
                    .extensions
                    .put(m.atomic_text_arg(item, atoms::ATOM)?)?;
            }
        }
        "access" => {
            let mode = m.option_atom(option, domain)?;
            match Access::from_name(m.world.symbols.text(mode)) {
                Some(access) => search.access = access,
                None => return Err(m.domain_error(atoms::IO_MODE, option.value)),
            }
        }
        "file_type" => {
            let file_type = m.option_atom(option, domain)?;
            let Some(extensions) = extensions_of(m.world.symbols.text(file_type)) else {
                return Err(m.domain_error(domain, option.term));
            };
            if search.extensions.is_empty() {
                search.extensions = extensions.iter().map(|&text| text.to_owned()).gather()?;
            }
            let directory = m.world.symbols.text(file_type) == "directory";
            search.kind = Some(kind_if(directory));
        }
        "file_errors" => {
            let action = m.option_atom(option, domain)?;
            search.fails = action == atoms::FAIL;
        }
        "relative_to" => {
            // A path that is not a directory is a file in one.
            let from = m.file_arg(option.value)?;
            let is_folder = from.ends_with('/')
                || m.of_file(
                    files::exists_directory(read, &from),
                    ("access", "directory"),
                    option.value,
                )?;
            search.relative_to = Some(match is_folder {
                true => from,
                false => paths::directory_name(&from).to_owned(),
            });
        }
        _ => {}
    }
    Ok(())
}

fn file_name_extension(
    m: &mut Machine,
    base: Cell,
    extension: Cell,
    name: Cell,
) -> Result<bool, Throw> {
    if m.store.deref(name).is_var() {
        let base = m.file_arg(base)?;
        let extension = m.file_arg(extension)?;
        return Ok(m.unify_text(name, &paths::with_extension(&base, &extension))?);
    }
    let full = m.file_arg(name)?;
    if m.store.deref(extension).is_var() {
        let (stem, found) = paths::split_extension(&full);
        if !m.store.deref(base).is_var() && m.file_arg(base)? == full {
            return Ok(m.unify_text(extension, "")?);
        }
        return Ok(m.unify_text(base, stem)? && m.unify_text(extension, found)?);
    }
    let wanted = m.file_arg(extension)?;
    let wanted = wanted.strip_prefix('.').unwrap_or(&wanted);
    let stem = match wanted {
        "" => Some(full.as_str()),
        _ => full
            .strip_suffix(wanted)
            .and_then(|stem| stem.strip_suffix('.')),
    };
    match stem {
        Some(stem) => Ok(m.unify_text(base, stem)?),
        None => Ok(false),
    }
}
