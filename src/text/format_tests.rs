//! Tests of `format/2`: each row is `t(Format, Arguments, Text)`, as SWI-Prolog 9 has it.

use super::format_directives::{FormatError, FormatRun, FormatStep, text_of};
use super::write_tests::Fixture;
use crate::base::number::Number;
use crate::store::cell::Cell;
use crate::store::heap::View;

const ROWS: &[&str] = &[
    r#"t("~w",[a+'B'],"a+B")"#,
    r#"t("~p ~q ~a",['A b','A b','A b'],"'A b' 'A b' A b")"#,
    r#"t("~a",[12],"12")"#,
    r#"t("~a",["str"],"str")"#,
    r#"t("~d",[123],"123")"#,
    r#"t("~2d",[12345],"123.45")"#,
    r#"t("~2d",[5],"0.05")"#,
    r#"t("~2d",[-5],"-0.05")"#,
    r#"t("~D",[1234567],"1,234,567")"#,
    r#"t("~2D",[1234567],"12,345.67")"#,
    r#"t("~0D",[1234567],"1,234,567")"#,
    r#"t("~D",[-1234567],"-1,234,567")"#,
    r#"t("~s",[[104,105]],"hi")"#,
    r#"t("~s",["hi"],"hi")"#,
    r#"t("~s",[[h,i]],"hi")"#,
    r#"t("~s",[hi],"hi")"#,
    r#"t("~s",[[]],"")"#,
    r#"t("~5s|",["hi"],"hi|")"#,
    r#"t("~e",[1.5],"1.500000e+00")"#,
    r#"t("~3e",[1.5],"1.500e+00")"#,
    r#"t("~f",[1.5],"1.500000")"#,
    r#"t("~2f",[1],"1.00")"#,
    r#"t("~0f",[2.5],"2")"#,
    r#"t("~g",[1.5],"1.5")"#,
    r#"t("~g",[100000000.0],"1e+08")"#,
    r#"t("~3g",[1.23456],"1.23")"#,
    r#"t("~4f",[123456789012345678901234567890],"123456789012345678901234567890.0000")"#,
    r#"t("~20f",[0.1],"0.10000000000000000555")"#,
    r#"t("~n",[],"\n")"#,
    r#"t("~3n|",[],"\n\n\n|")"#,
    r#"t("~c",[65],"A")"#,
    r#"t("~3c",[65],"AAA")"#,
    r#"t("~r",[10],"12")"#,
    r#"t("~8r",[100],"144")"#,
    r#"t("~16r ~16R",[255,255],"ff FF")"#,
    r#"t("~8R",[-100],"-144")"#,
    r#"t("~i~w",[a,b],"b")"#,
    r#"t("~*c",[3,120],"xxx")"#,
    r#"t("~*d",[2,314],"3.14")"#,
    r#"t("~`xt~30|",[],"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")"#,
    r#"t("~~",[],"~")"#,
    r#"t("~t~w~10|~w",[abc,def],"       abcdef")"#,
    r#"t("~w~t~10|~w",[abc,def],"abc       def")"#,
    r#"t("~t~w~t~10|~w",[abc,def],"   abc    def")"#,
    r#"t("~t~w~t~11|~w",[abc,def],"    abc    def")"#,
    r#"t("~t~d~6|~t~d~12|",[123,4567],"   123  4567")"#,
    r#"t("~w~30|~w",[a,b],"a                             b")"#,
    r#"t("~w~t~w~30|~w",[a,b,c],"a                            bc")"#,
    r#"t("~`-t~30|~n",[],"------------------------------\n")"#,
    r#"t("~`-t~40|~w",[x],"----------------------------------------x")"#,
    r#"t("~t~w~10+~t~w~10+",[abc,def],"       abc       def")"#,
    r#"t("~w~t~10+~w~t~10+|",[abc,def],"abc       def       |")"#,
    r#"t("~w~10+~w~10+|",[abc,def],"abc       def       |")"#,
    r#"t("~+~w",[abc],"        abc")"#,
    r#"t("ab~+~w~+|",[abc],"ab      abc     |")"#,
    r#"t("abcdefghijklmnop~10|xyz",[],"abcdefghijklmnopxyz")"#,
    r#"t("abcdefghijklmnop~10+xyz",[],"abcdefghijklmnopxyz")"#,
    r#"t("abcdefghijklmnop~t~10|xyz",[],"abcdefghijklmnopxyz")"#,
    r#"t("abcdefghijklmnop~t~10+xyz~10+|",[],"abcdefghijklmnopxyz       |")"#,
    r#"t("~ta~t~tb~20|",[],"      a            b")"#,
    r#"t("~`*t~t~20|",[],"**********          ")"#,
    r#"t("~`*t~`#t~20|",[],"**********##########")"#,
    r#"t("~t~s~10|",[[97,98]],"        ab")"#,
    r#"t("~*t~20|",[120],"xxxxxxxxxxxxxxxxxxxx")"#,
    r#"t("~45t~20|",[],"--------------------")"#,
    r#"t("~t~20|abc~t~30|",[],"                    abc       ")"#,
    r#"t("a~n~tb~10|",[],"a\n         b")"#,
    r#"t("a~nbc~t~10|d",[],"a\nbc        d")"#,
    r#"t("ab\ncd~t~10|e",[],"ab\ncd        e")"#,
    r#"t("~|~w~t~10+|",[abc],"abc       |")"#,
    r#"t("abc~|~t~w~10+|",[x],"abc         x|")"#,
    r#"t("~ic",[a],"c")"#,
    r#"t("~q",[[a,'B c',"str"]],"[a,'B c',\"str\"]")"#,
    r#"t("~w",["str"],"str")"#,
    r#"t("~p",["str"],"\"str\"")"#,
    r#"t("~q",['$VAR'(1)],"B")"#,
    r#"t("~w",['$VAR'(1)],"B")"#,
    r#"t("~a~n",[abc],"abc\n")"#,
    r#"t("~3d",[12345],"12.345")"#,
    r#"t("~3d",[0],"0.000")"#,
    r#"t("~3d",[12],"0.012")"#,
    r#"t("~10d",[12],"0.0000000012")"#,
    r#"t("~D",[12],"12")"#,
    r#"t("~D",[1234],"1,234")"#,
    r#"t("~3D",[12345678],"12,345.678")"#,
    r#"t("~:d",[1234567],"1234567")"#,
    r#"t("~:D",[1234567],"1,234,567")"#,
    r#"t("~0e",[1.5],"2e+00")"#,
    r#"t("~e",[12],"1.200000e+01")"#,
    r#"t("~e",[123456789012345678901234567890],"1.234568e+29")"#,
    r#"t("~10|abc",[],"          abc")"#,
    r#"t("~`at",[],"")"#,
    r#"t("~a",[''],"")"#,
    r#"t("no args",[],"no args")"#,
    r#"t("~s and ~s",["abc",[100]],"abc and d")"#,
    r#"t("~ignore~w",[a,b],"gnoreb")"#,
    r#"t("~c~c",[104,105],"hi")"#,
    r#"t("~t~2f~10|",[3.14159],"      3.14")"#,
    r#"t("~t~a~8|~t~a~16|~n",[ab,cd],"      ab      cd\n")"#,
    r#"t("~a~t~a~30|~a",[left,right,end],"left                     rightend")"#,
    r#"t("~a~t~15|~a~t~10+~a~n",[name,value,x],"name           value     x\n")"#,
    r#"t("日~t~5|x",[],"日    x")"#,
    r#"t("~w",[[]],"[]")"#,
    r#"t("~w",[[a]],"[a]")"#,
    r#"t("x",[],"x")"#,
    r#"t("~1e",[2.25],"2.2e+00")"#,
    r#"t("~2g",[0.0001],"0.0001")"#,
    r#"t("~15|abc~t~20|def~30|",[],"               abc  def       ")"#,
    r#"t("~t~t~w~10|",[abc],"       abc")"#,
    r#"t("~t~w~t~t~13|",[abc],"   abc       ")"#,
    r#"t("~w~t~t~w~11|",[a,b],"a         b")"#,
    r#"t("~w~t~w~t~w~14|",[a,b,c],"a     b      c")"#,
    r#"t("~t~w~t~w~t~14|",[a,b],"    a    b    ")"#,
    r#"t("abc~5|def~5|ghi",[],"abc  defghi")"#,
    r#"t("abc~5+def~2+ghi",[],"abc  defghi")"#,
    r#"t("~5|a~3+b~3+c",[],"     a  b  c")"#,
    r#"t("abc~tdef~4|g",[],"abcdefg")"#,
    r#"t("abc~tdef~4+g",[],"abcdefg")"#,
    r#"t("abc~tdef~0|g",[],"abcdefg")"#,
    r#"t("abc~0+g",[],"abcg")"#,
    r#"t("~ta~tb~tc~14|",[],"   a    b    c")"#,
    r#"t("~ta~tb~tc~13|",[],"   a    b   c")"#,
    r#"t("~w~10+~n~w~10+|",[a,b],"a         \nb                   |")"#,
    r#"t("abc~n~`-t~20|~n~w~t~10+~w~n",[x,y],"abc\n--------------------\nx                             y\n")"#,
    r#"t("~e ~4e ~g ~10g",[10000000000.0,10000000000.0,10000000000.0,10000000000.0],"1.000000e+10 1.0000e+10 1e+10 1e+10")"#,
    r#"t("~1f ~1f ~0f ~0f",[0.25,0.35,0.5,1.5],"0.2 0.3 0 2")"#,
    r#"t("~2f",[1.0Inf],"inf")"#,
    r#"t("~3i~w",[a,b],"b")"#,
    r#"t("~3w~w",[abc,d],"abcd")"#,
    r#"t("~``t~5|",[],"`````")"#,
    r#"t("~t~5|~`xt~2+~w",[a],"     xxa")"#,
    r#"t("~ac~w~30|~a~n~+~w~+~w~n",[a,b,c,d,e],"acb                           c\n                                      d       e\n")"#,
    r#"t("~2d ~2d ~2D ~1d",[-123,-12,-123456,0],"-1.23 -0.12 -1,234.56 0.0")"#,
    r#"t("~3d",[123456789012345678901234567890],"123456789012345678901234567.890")"#,
    r#"t("~D",[123456789012345678901234567890],"123,456,789,012,345,678,901,234,567,890")"#,
    r#"t("~t~w~5|~w",[abcdefg,x],"abcdefgx")"#,
    r#"t("~w~3+~w~3+~w~9+|",[abc,defgh,i],"abcdefghi        |")"#,
];

fn list_items(fixture: &Fixture, mut cell: Cell) -> Vec<Cell> {
    let mut items = Vec::new();
    while let View::List(addr) = fixture.store.view(cell) {
        items.push(fixture.store.arg(addr, 0));
        cell = fixture.store.arg(addr, 1);
    }
    items
}

/// Formats; expressions have the value 42.
fn run(fixture: &Fixture, format: &str, arguments: &[Cell]) -> Result<String, FormatError> {
    let mut run = FormatRun::new(format.to_owned(), 0, false, String::new());
    loop {
        match run.run(&fixture.env(), arguments)? {
            FormatStep::Done => return Ok(run.take_text().unwrap()),
            FormatStep::Goal(_) => run.insert("<goal>").unwrap(),
            FormatStep::Print(_) => run.insert("<print>").unwrap(),
            FormatStep::WriteTerm(..) => run.insert("<write_term>").unwrap(),
            FormatStep::Own(directive, ..) => run.insert(&format!("<{directive}>")).unwrap(),
            FormatStep::Evaluate(_) => run.supply(Number::Int(42)),
        }
    }
}

#[test]
fn rows() {
    let mut fixture = Fixture::new();
    for row in ROWS {
        let term = fixture.read(row);
        let View::Struct(_, addr) = fixture.store.view(term) else {
            panic!("{row}")
        };
        let part = |index| fixture.store.arg(addr, index);
        let format = text_of(&fixture.env(), part(0)).unwrap().unwrap();
        let expected = text_of(&fixture.env(), part(2)).unwrap().unwrap();
        let arguments = list_items(&fixture, part(1));
        assert_eq!(run(&fixture, &format, &arguments), Ok(expected), "{row}");
    }
}

#[test]
fn errors() {
    let mut fixture = Fixture::new();
    let term = fixture.read("[f(x), 1.0, [a|b], -1, 1114112]");
    let [compound, float, partial, negative, large] = list_items(&fixture, term)[..] else {
        panic!()
    };
    let bad = |directive, culprit| FormatError::BadArgument { directive, culprit };
    let rows: &[(&str, &[Cell], FormatError)] = &[
        ("~w~w", &[float], FormatError::NotEnoughArguments),
        ("~w", &[float, float], FormatError::TooManyArguments),
        ("abc~", &[], FormatError::UnknownDirective('\0')),
        ("~y", &[float], FormatError::UnknownDirective('y')),
        ("~a", &[compound], bad('a', compound)),
        ("~d", &[float], bad('d', float)),
        ("~16r", &[float], bad('r', float)),
        ("~s", &[partial], bad('s', partial)),
        ("~c", &[negative], bad('c', negative)),
        ("~c", &[large], FormatError::NoCharacter),
        ("~*c", &[negative, float], FormatError::BadStar),
        ("~*c", &[float, float], FormatError::BadStar),
        ("~37r", &[negative], FormatError::BadRadix(37)),
        ("~99999999999999999999d", &[negative], FormatError::TooLarge),
        ("~99999999999t", &[], FormatError::TooLarge),
    ];
    for (format, arguments, error) in rows {
        assert_eq!(
            run(&fixture, format, arguments).as_ref(),
            Err(error),
            "{format}"
        );
    }
}

#[test]
fn requests() {
    let mut fixture = Fixture::new();
    let term = fixture.read("[a, 1+2, 'B']");
    let [goal, sum, name] = list_items(&fixture, term)[..] else {
        panic!()
    };
    assert_eq!(
        run(&fixture, "~t~@~10||~2d", &[goal, sum]),
        Ok("    <goal>|0.42".to_string())
    );
    let mut asking = FormatRun::new("[~p]".to_owned(), 3, true, String::new());
    assert_eq!(
        asking.run(&fixture.env(), &[name]),
        Ok(FormatStep::Print(name))
    );
    assert_eq!(asking.column(), 4);
    asking.insert("x").unwrap();
    assert_eq!(asking.run(&fixture.env(), &[name]), Ok(FormatStep::Done));
    assert_eq!(asking.take_text().unwrap(), "[x]");
}

#[test]
fn columns_from_a_start() {
    let fixture = Fixture::new();
    let mut run = FormatRun::new("~`-t~10|x~t~5+|".to_owned(), 3, false, String::new());
    assert_eq!(run.run(&fixture.env(), &[]), Ok(FormatStep::Done));
    assert_eq!(run.take_text().unwrap(), "-------x    |");
}

#[test]
fn cyclic_text_is_no_text() {
    let mut fixture = Fixture::new();
    let tail = fixture.store.new_var();
    let mut list = tail;
    for _ in 0..5 {
        list = fixture.store.new_list(Cell::int(97), list);
    }
    fixture.store.bind_plain(tail, list);
    assert_eq!(text_of(&fixture.env(), list).unwrap(), None);
}
