//! Smoke test.
use crate::machine::state::{Hooks, Limits, Machine};

pub(crate) fn engine() -> Box<Machine> {
    let builtins = crate::builtins::TABLES.iter().flat_map(|t| t.iter()).chain(crate::load::consult::CONSULT).collect();
    let hooks = Hooks { link: crate::builtins::clauses::link, autoload: super::prelude::autoload };
    let mut m = Machine::new(builtins, hooks, Limits { memory: 1 << 30 }).ok().unwrap();
    if let Err(t) = super::prelude::boot(&mut m) { let c = m.ball_term(&t).unwrap(); panic!("{}", show(&m, c)); }
    m
}

#[test]
fn smoke() {
    let mut m = engine();
    m.collect_always = std::env::var("GCALL").is_ok(); m.set_collect_at(); m.reset_heap_limit();
    let src = std::env::var("SMOKE").unwrap_or_else(|_| "app([],L,L). app([H|T],L,[H|R]) :- app(T,L,R). main :- app(X,Y,[1,2,3]), write(X-Y), nl, fail. main.".into());
    let src = if src.ends_with(".pl") { std::fs::read_to_string(src).unwrap() } else { src };
    super::prelude::load_user(&mut m, &src);
    let main = m.symbols.intern("main");
    let start = std::time::Instant::now();
    let mut q = m.open_query(crate::store::cell::Cell::atom(main), crate::base::symbol::atoms::USER).ok().unwrap();
    let r = m.next_solution(&mut q);
    let shown = match &r { Err(t) => { let c = m.ball_term(t).unwrap(); show(&m, c) } , _ => String::new() };
    eprintln!("{r:?} {shown} {:?} {} inferences", start.elapsed(), m.inferences);
}

pub(crate) fn show(m: &Machine, c: crate::store::cell::Cell) -> String {
    let mut s = String::new();
    let env = crate::text::write_options::WriteEnv { store: &m.store, symbols: &m.symbols, ops: &m.ops, flags: &m.flags };
    let o = crate::text::write_options::WriteOptions { quoted: true, ..Default::default() };
    let _ = crate::text::writer::write_term(&mut s, &env, c, &o);
    s
}
