//! Texts of terms too deep for recursion, and of large ones.

use super::Reader;

fn reads(text: &str) -> usize {
    let mut reader = Reader::new();
    let mut pos = 0;
    assert_eq!(reader.read(text, &mut pos), Ok(true));
    assert_eq!(pos, text.len());
    reader.ast.nodes.len()
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}.", open.repeat(depth), close.repeat(depth))
}

#[test]
fn depth_is_not_limited() {
    let depth = 200_000;
    assert_eq!(reads(&nested("s(", "0", ")", depth)), depth + 1);
    assert_eq!(reads(&nested("(", "0", ")", depth)), 1);
    assert_eq!(reads(&nested("{", "0", "}", depth)), depth + 1);
    assert_eq!(reads(&nested("[", "0", "]", depth)), 2 * depth + 1);
    assert_eq!(reads(&nested("- ", "1", "", depth)), depth);
    assert_eq!(reads(&nested("\\+ ", "a", "", depth)), depth + 1);
    assert_eq!(reads(&nested("a,", "a", "", depth)), 2 * depth + 1);
    assert_eq!(reads(&nested("a-", "a", "", depth)), 2 * depth + 1);
    assert_eq!(reads(&nested("a:-(", "a", ")", depth)), 2 * depth + 1);
    assert_eq!(reads(&nested("[a|", "[]", "]", depth)), 2 * depth + 1);
}

#[test]
fn errors_at_depth() {
    for open in ["s(", "(", "[", "{", "- ", "a,", "a:-("] {
        let text = format!("{}}}]. b.", open.repeat(100_000));
        let mut reader = Reader::new();
        let mut pos = 0;
        assert!(reader.read(&text, &mut pos).is_err());
        assert_eq!(&text[pos..], " b.");
        assert_eq!(reader.read(&text, &mut pos), Ok(true));
    }
}

#[test]
fn a_long_list() {
    let mut text = String::from("x([");
    for n in 0..300_000 {
        text.push_str(&n.to_string());
        text.push(',');
    }
    text.push_str("end]).");
    assert_eq!(reads(&text), 300_001 * 2 + 2);
}

#[test]
fn many_variables() {
    let names: Vec<String> = (0..2000).map(|n| format!("V{n}")).collect();
    let once = names.join(",");
    let mut reader = Reader::new();
    assert_eq!(
        reader.read(&format!("f({once},{once},_,_)."), &mut 0),
        Ok(true)
    );
    assert_eq!(reader.ast.vars.len(), 2002);
    assert!(reader.ast.vars[..2000].iter().all(|var| var.count == 2));
    assert_eq!(reader.ast.var_name(1999), "V1999");
    assert_eq!(reader.read("f(V7).", &mut 0), Ok(true));
    assert_eq!(reader.written(), "f(V7)");
    assert_eq!(reader.ast.vars.len(), 1);
}
