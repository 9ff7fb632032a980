//! How far the files of a room import each other.

use super::{File, refuse, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// Files of a room, a folder of `src`, that import each other, directly or not, are a cycle. So many may be in one.
const MAX_CYCLE: usize = 4;

/// For each room the files in it, with those of it that each of them imports.
fn imports_within_rooms() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let all = rust_files(&["src"]);
    let inner = |file: &&File| {
        !file.is_root() && file.module_path().len() > 1 && !file.module_path().contains(&"tests")
    };
    let files: Vec<&File> = all.iter().filter(inner).collect();
    let modules: BTreeSet<String> = files
        .iter()
        .map(|file| file.module_path().join("::"))
        .collect();
    let mut rooms: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for file in files {
        let own = file.module_path();
        let tests = file.source.code.find("#[cfg(test)]\nmod tests");
        let tests_line = tests.map_or(usize::MAX, |at| file.source.line_of(at));
        let name = own.join("::");
        let imports = rooms.entry(own[0].to_owned()).or_default();
        let imports = imports.entry(name.clone()).or_default();
        for (line, path) in file.source.paths(&own) {
            let of_module = |length: &usize| modules.contains(&path[..*length].join("::"));
            let length = (2..=path.len()).rev().find(of_module);
            let imported = length.map(|length| path[..length].join("::"));
            if let Some(imported) = imported
                && line < tests_line
                && path[0] == own[0]
                && imported != name
            {
                imports.insert(imported);
            }
        }
    }
    rooms
}

/// The largest set of names that import each other, directly or not.
fn largest_cycle(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<&str> {
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
