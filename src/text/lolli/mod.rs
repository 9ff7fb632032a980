//! Reading and writing Lolli text: from characters to the flat syntax tree that Prolog text is also read into, and
//! from terms to Lolli text. The language is that of Hodas and Miller's interpreter, version 0.701. The meaning of
//! the texts is in `lolli`, the goals of clauses are in `front::lolli`, and Prolog text is in the files beside this
//! folder.
//!
//! The terms that Lolli text is read into:
//!
//! | written | term |
//! |---|---|
//! | `f a b`, `(f a) b` | `f(a,b)` |
//! | `X a b`, `(X a) b`, and any other head that is no name | `'$app'(X,a,b)` |
//! | `a , b`  `a ; b`  `a & b`  `a -o b`  `a => b`  `m --o g` | compounds of these names |
//! | `h :- b` | `'-o'(b,h)` |
//! | `h <= b` | `'=>'(b,h)` |
//! | `a --> b` | `-->(b,a)` |
//! | `{t}`, `bang t` | `{}(t)` |
//! | `[t]` | `dcgcodebracket(t)` |
//! | `a -> b \| c` | `guard(a,b,c)` |
//! | `!` | the atom `cut` |
//! | `forall x \ t` | `forall(\(x,t))`, in which `x` is `'$bound'(x)`; the same with `exists` |
//! | a free name that begins with a capital letter or `_`; a parameter or local name of a module | a variable |
//! | `"text"` | a string |
//! | `~5` | the integer -5 |

pub(crate) mod error;
pub(crate) mod lexer;
pub(crate) mod names;
mod op;
mod parse_error;
mod parser;
pub(crate) mod reader;
#[cfg(test)]
mod tests;
mod token;
pub(crate) mod writer;
