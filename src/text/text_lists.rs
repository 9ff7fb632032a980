//! Lists of character codes that are written as text, as the flag `portray_text` requests.

use super::write_options::WriteEnv;
use crate::base::atom_table::atoms;
use crate::base::growth::Bounded;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Minimum length of such a list; shorter ones are written as numbers.
const SHORTEST: usize = 3;
/// Maximum length; longer lists and cyclic ones are written as numbers.
const LONGEST: usize = 1 << 16;

/// Returns the text that a list of codes is written as while the flag is set; none for any other list.
pub(super) fn text_of_list(env: &WriteEnv<'_>, mut cell: Cell) -> Option<String> {
    if !env.flags.portray_text {
        return None;
    }
    let store = env.store;
    let (mut text, mut count) = (String::new(), 0);
    while let View::List(addr) = store.view(cell) {
        let View::Int(code) = store.view(store.arg(addr, 0)) else {
            return None;
        };
        let char = char::from_u32(u32::try_from(code).ok()?)?;
        if char.is_control() && !matches!(char, '\n' | '\t' | '\r') {
            return None;
        }
        text.put_bounded(char);
        count += 1;
        if count > LONGEST {
            return None;
        }
        cell = store.arg(addr, 1);
    }
    (cell == Cell::atom(atoms::NIL) && count >= SHORTEST).then_some(text)
}
