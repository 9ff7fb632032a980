//! Operators: priorities, associativity, operators as atoms, several kinds under one name.

use super::{Reader, check, check_plain};

#[test]
fn priorities() {
    check_plain(&[
        ("1+2*3.", "+(1,*(2,3))"),
        ("1*2+3.", "+(*(1,2),3)"),
        ("1-2-3.", "-(-(1,2),3)"),
        ("a,b,c.", "','(a,','(b,c))"),
        ("2^3^4.", "^(2,^(3,4))"),
        ("(a,b),c.", "','(','(a,b),c)"),
        ("a=b.", "=(a,b)"),
        ("a=b=c.", "error operator_clash"),
        ("a:-b:-c.", "error operator_clash"),
        (":- :- a.", "error operator_clash"),
        ("1**2**3.", "error operator_clash"),
        ("- - 1.", "-(-1)"),
        ("- - a.", "-(-(a))"),
        ("\\+ \\+ a.", "\\+(\\+(a))"),
        ("\\+ (a,b).", "\\+(','(a,b))"),
        ("\\+(a,b).", "\\+(a,b)"),
        ("\\+a,b.", "','(\\+(a),b)"),
        ("-a*b.", "*(-(a),b)"),
        ("-a^2.", "-(^(a,2))"),
        ("-(a)^2.", "^(-(a),2)"),
        ("- (a)^2.", "-(^(a,2))"),
        ("-1^2.", "^(-1,2)"),
        ("- 1^2.", "^(-1,2)"),
        ("-(1)^2.", "^(-(1),2)"),
        ("a-1.", "-(a,1)"),
        ("a -1.", "-(a,1)"),
        ("a - -1.", "-(a,-1)"),
        ("a- - -b.", "-(a,-(-(b)))"),
        ("[a,-1].", "'.'(a,'.'(-1,[]))"),
        ("1 - (2).", "-(1,2)"),
        ("1 -(2).", "-(1,2)"),
        ("X is 3 mod 2.", "is(X,mod(3,2))"),
        ("a=(b,c).", "=(a,','(b,c))"),
        ("a =(b).", "=(a,b)"),
        ("=(a,b)=c.", "=(=(a,b),c)"),
        ("X = \\+ a.", "error operator_clash"),
        ("f(x) = \\a.", "=(f(x),\\(a))"),
        ("'-'1.", "-1"),
        ("'-' 1.", "-1"),
        ("1'+'2.", "+(1,2)"),
        ("+1.", "+(1)"),
        ("a -> b ; c.", ";(->(a,b),c)"),
        ("a *-> b ; c.", ";(*->(a,b),c)"),
        ("(a | b).", "'|'(a,b)"),
        ("f(a | b).", "f('|'(a,b))"),
        ("((((a)))).", "a"),
        ("a @ b.", "error operator_expected"),
    ]);
}

#[test]
fn operators_as_atoms() {
    check_plain(&[
        ("- .\n", "-"),
        ("\\ .", "\\"),
        ("(-).", "-"),
        ("((-)).", "-"),
        ("(:-).", ":-"),
        ("(*)=(*).", "=(*,*)"),
        ("(-)-(-).", "-(-,-)"),
        ("((:-):-(:-)).", ":-(:-,:-)"),
        ("-(-).", "-(-)"),
        ("-[-].", "-('.'(-,[]))"),
        ("f(-,-).", "f(-,-)"),
        ("f(- ,a).", "f(-,a)"),
        ("[=|=].", "'.'(=,=)"),
        ("maplist(=, [-]).", "maplist(=,'.'(-,[]))"),
        ("- = x.", "=(-,x)"),
        ("x = - .", "=(x,-)"),
        ("* = * .", "=(*,*)"),
        (":- = :- .", "error operator_clash"),
        ("(- -) = x.", "=(-(-),x)"),
        ("(-;-).", ";(-,-)"),
        ("f(- = -1).", "f(=(-,-1))"),
        ("[:- -c].", "'.'(:-(-(c)),[])"),
        ("X = (:- a).", "=(X,:-(a))"),
        ("(,).", "error cannot_start_term"),
        ("','(a,b).", "','(a,b)"),
        ("f(',').", "f(',')"),
        ("a> .", "error end_of_clause"),
        ("a> =b.", "error operator_as_operand"),
        ("X = dynamic.", "=(X,dynamic)"),
        ("X = table, Y.", "','(=(X,table),Y)"),
        ("dynamic = X.", "=(dynamic,X)"),
        (
            "f(dynamic, [table|public]).",
            "f(dynamic,'.'(table,public))",
        ),
        ("- dynamic.", "-(dynamic)"),
        ("a :- dynamic.", ":-(a,dynamic)"),
        ("mod(a).", "mod(a)"),
        ("X = mod.", "=(X,mod)"),
        ("X = 'mod'.", "=(X,mod)"),
        ("X = '+', Y.", "','(=(X,+),Y)"),
        ("'-' = X.", "=(-,X)"),
        ("1 - '-' .", "-(1,-)"),
        ("'-' a.", "-(a)"),
    ]);
}

#[test]
fn removed_operators() {
    check(
        || Reader::with_ops("0 fy -;0 fy +;0 xfy |"),
        &[
            ("integer(- 1).", "integer(-1)"),
            ("-(1).", "-(1)"),
            ("f(+1).", "error operator_as_operand"),
            ("-a.", "error operator_as_operand"),
            ("(a|b).", "error operator_expected"),
            ("[a|b].", "'.'(a,b)"),
            ("[(a|b)].", "error operator_expected"),
        ],
    );
}

#[test]
fn user_operators() {
    check(
        || Reader::with_ops("1 xf xf1;1 yf yf1;400 fx f;900 fy $;300 fy ~;700 xfx is_bigger"),
        &[
            ("1xf1.", "xf1(1)"),
            ("{-1 yf1}.", "{}(yf1(-1))"),
            ("f({- =xf1}).", "f({}(=(-,xf1)))"),
            ("f/*.*/(1,2).", "f(','(1,2))"),
            ("g(1 = f).", "g(=(1,f))"),
            ("$a+b.", "$(+(a,b))"),
            ("~ (a=b).", "~(=(a,b))"),
            ("~a=b.", "=(~(a),b)"),
            ("X is_bigger Y.", "is_bigger(X,Y)"),
            ("1 xf1 xf1.", "error operator_clash"),
            ("1 yf1 yf1.", "yf1(yf1(1))"),
        ],
    );
    check(
        || Reader::with_ops("100 xfx ;100 xfx 1"),
        &[
            ("0 ''1.", "''(0,1)"),
            ("0''1.", "''(0,1)"),
            ("0'''.", "39"),
            ("2'1'y.", "'1'(2,y)"),
            ("2 '1'y.", "'1'(2,y)"),
            ("2'1.", "1"),
        ],
    );
    check(
        || Reader::with_ops("100 fx  op"),
        &[("' op' '1'.", "' op'('1')"), ("' op'[].", "' op'([])")],
    );
    check(
        || Reader::with_ops("100 xfy ."),
        &[
            ("1 .2.", "'.'(1,2)"),
            ("3 .2.", "'.'(3,2)"),
            ("X = 1.e.", "=(X,'.'(1,e))"),
            ("ok.%\n1 = X.", "ok / =(1,X)"),
        ],
    );
}

#[test]
fn several_kinds_under_one_name() {
    check(
        || Reader::with_ops("9 fy fy;9 yf yf;9 yfx yfx;9 xfy xfy"),
        &[
            ("fy 1 yf.", "fy(yf(1))"),
            ("fy yf.", "fy(yf)"),
            ("fy 1 yfx 2.", "fy(yfx(1,2))"),
            ("1 xfy 2 yf.", "xfy(1,yf(2))"),
            ("1 xfy 2 yfx 3.", "xfy(1,yfx(2,3))"),
            ("1 xfy 2 xfy 3.", "xfy(1,xfy(2,3))"),
        ],
    );
    check(
        || Reader::with_ops("9 fy f;9 yf f"),
        &[
            ("f f 0.", "f(f(0))"),
            ("0 f f.", "f(f(0))"),
            ("f 0 f.", "f(f(0))"),
            ("f f.", "f(f)"),
        ],
    );
    check(
        || Reader::with_ops("9 fy p;9 yfx p"),
        &[
            ("1 p p p 2.", "error operator_clash"),
            ("1 p 2 p 3.", "p(p(1,2),3)"),
        ],
    );
    check(
        || Reader::with_ops("9 fy p;9 xfy p"),
        &[("1 p p p 2.", "p(1,p(p(2)))")],
    );
    check(
        || Reader::with_ops("7 fy p;9 yfx p"),
        &[("1 p p p 2.", "p(1,p(p(2)))")],
    );
    check(
        || Reader::with_ops("200 yfx q;200 xf q"),
        &[
            ("a q b.", "q(a,b)"),
            ("a q.", "q(a)"),
            ("f(a q, b).", "f(q(a),b)"),
        ],
    );
}
