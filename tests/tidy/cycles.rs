//! Limits of import cycles among the files of a room; each `mod.rs` is one of these files. If a file re-exports a name,
//! the check follows the name to the file that defines it.

use super::{File, refuse, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of files in a cycle: files of a room (a folder of `src`) that import each other, directly or not.
const MAX_CYCLE: usize = 4;

/// The files that each file imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The names that the `use` declarations of each module import, with their paths.
type Names = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Returns the files within rooms, except tests.
fn inner_files(all: &[File]) -> Vec<&File> {
    let is_test = |name: &&str| *name == "tests" || name.ends_with("_tests");
    let inner = |file: &&File| {
        file.path.matches('/').count() > 1 && !file.module_path().iter().any(is_test)
    };
    all.iter().filter(inner).collect()
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|&name| name.to_owned()).collect()
}

/// Returns the offset where the tests of a file begin.
fn tests_of(file: &File) -> usize {
    let code = &file.source.code;
    let mut marks = code.match_indices("#[cfg(test)]\n");
    let tests = marks.find(|(at, mark)| {
        let item = code[at + mark.len()..].lines().next().unwrap_or_default();
        item.contains("mod tests {")
    });
    tests.map_or(usize::MAX, |(at, _)| at)
}

/// Returns the modules in a file, with their paths.
fn children(file: &File, modules: &BTreeSet<String>) -> Vec<(String, Vec<String>)> {
    let own = file.module_path();
    let within = format!("{}::", own.join("::"));
    let names = modules.iter().filter_map(|name| name.strip_prefix(&within));
    let names = names.filter(|name| !name.contains("::"));
    names
        .map(|name| {
            (
                name.to_owned(),
                [owned(&own), vec![name.to_owned()]].concat(),
            )
        })
        .collect()
}

/// Returns the file that defines the item of a path, if it is one of these files.
fn definer(mut path: Vec<String>, names: &Names) -> Option<String> {
    // Real chains of re-exports are shorter.
    for _ in 0..10 {
        let known = |length: &usize| names.contains_key(&path[..*length].join("::"));
        let length = (1..=path.len()).rev().find(known)?;
        let module = path[..length].join("::");
        match path.get(length).and_then(|name| names[&module].get(name)) {
            Some(origin) => path = [origin, &path[length + 1..]].concat(),
            None => return Some(module),
        }
    }
    None
}

/// Returns the files of each room, each with the files of the room that it imports.
fn imports_within_rooms() -> BTreeMap<String, Imports> {
    let all = rust_files(&["src"]);
    let files = inner_files(&all);
    let modules: BTreeSet<String> = files.iter().map(|f| f.module_path().join("::")).collect();
    let is_folder = |path: &[String]| {
        let within = format!("{}::", path.join("::"));
        modules.iter().any(|name| name.starts_with(&within))
    };
    let mut names = Names::new();
    for file in &files {
        let children = children(file, &modules);
        let own = file.module_path();
        let brought_in = file.source.brought_in(&own, &children, tests_of(file));
        names.insert(own.join("::"), brought_in);
    }
    let mut rooms: BTreeMap<String, Imports> = BTreeMap::new();
    for file in files {
        let (own, room) = (file.module_path().join("::"), file.module_path()[0]);
        let mut paths = file.source.paths(&file.module_path());
        let modules_in = names[&own].iter().filter(|(_, path)| is_folder(path));
        let modules_in = modules_in.map(|(name, path)| (name.clone(), path.clone()));
        for (name, path) in children(file, &modules).into_iter().chain(modules_in) {
            paths.extend(file.source.paths_of(&name, &path));
        }
        let tests = file
            .source
            .line_of(tests_of(file).min(file.source.code.len()));
        // Imports of a folder alone do not count, but imports of its items do.
        let paths = paths.into_iter().filter(|(line, path)| {
            let is_own = path.first().is_some_and(|first| first == room);
            is_own && *line <= tests && !is_folder(path)
        });
        let found = paths.filter_map(|(_, path)| definer(path, &names));
        let imports = found.filter(|imported| {
            *imported != own && imported.starts_with(&format!("{room}::")) || imported == room
        });
        let imports = imports.collect();
        rooms
            .entry(room.to_owned())
            .or_default()
            .insert(own, imports);
    }
    rooms
}

/// Returns the largest set of names that import each other, directly or not.
fn largest_cycle(imports: &Imports) -> Vec<&str> {
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            for (next, _) in imports[name]
                .iter()
                .filter_map(|next| imports.get_key_value(next))
            {
                if reached.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|name| (name.as_str(), reached(name)))
        .collect();
    let cycles = all.iter().map(|(name, reached)| {
        let both = reached.iter().filter(|other| all[*other].contains(name));
        both.copied().collect::<Vec<&str>>()
    });
    cycles.max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn files_that_import_each_other_are_few() {
    let mut offenders = Vec::new();
    for (room, imports) in imports_within_rooms() {
        let cycle = largest_cycle(&imports);
        if cycle.len() > MAX_CYCLE {
            offenders.push(format!("{room}: {}: {}", cycle.len(), cycle.join(", ")));
        }
    }
    refuse("files that import each other", &offenders);
}

#[test]
fn the_crate_has_one_name() {
    let mut offenders = Vec::new();
    for file in rust_files(&["src"]) {
        let lines = file.source.renamed_roots().into_iter();
        offenders.extend(lines.map(|line| format!("{}:{line}", file.path)));
    }
    refuse("other names for the crate or a module around", &offenders);
}

/// Checks that the `mod.rs` of a folder has only declarations of its files, the list of their tables, and re-exports.
#[test]
fn heads_of_folders_define_nothing() {
    let items = [
        "fn", "struct", "enum", "union", "trait", "impl", "type", "static", "const",
    ];
    let mut offenders = Vec::new();
    let files = rust_files(&["src"]).into_iter();
    for file in
        files.filter(|file| file.path.ends_with("/mod.rs") && !file.path.contains("/tests/"))
    {
        for item in items {
            let words = file.source.words(item).into_iter();
            let words = words.filter(|&at| !file.source.code[at..].starts_with("const TABLES:"));
            let lines = words.map(|at| file.source.line_of(at));
            offenders.extend(lines.map(|line| format!("{}:{line}: `{item}`", file.path)));
        }
    }
    refuse("items in `mod.rs`", &offenders);
}

#[test]
fn names_are_followed_to_their_files() {
    let path = |path: &str| -> Vec<String> { path.split("::").map(str::to_owned).collect() };
    let none = BTreeMap::new();
    let handed_on = BTreeMap::from([("A".to_owned(), path("room::inner::A"))]);
    let names = Names::from([
        ("room".to_owned(), handed_on),
        ("room::inner".to_owned(), none),
    ]);
    let of = |name: &str| definer(path(name), &names);
    assert_eq!(of("room::A::new"), Some("room::inner".to_owned()));
    assert_eq!(of("room::B"), Some("room".to_owned()));
    assert_eq!(of("std::fmt"), None);
}
