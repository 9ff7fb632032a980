//! Times to make, query and change engines: Wamlet as in `cargo bench --bench embed`, then regorus, rhai and Lua. Run them with
//! `cargo run --release` in this folder. Each engine decides `allow(ann)` by the role of the user, in programs of 10 and 100,000
//! facts.

#[path = "../../embed.rs"]
mod embed;

use embed::{least, timed};
use mlua::{Function, Lua, Table};
use regorus::Value;
use rhai::{AST, Scope};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// Number of steps in a round.
const STEPS: u32 = 100;

/// Prints a line with the least time of one step.
fn show(what: &str, mut step: impl FnMut() -> Outcome) -> Outcome {
    let time = least(STEPS, || timed(|| (0..STEPS).try_for_each(|_| step())))?;
    println!("  {what}: {time}");
    Ok(())
}

fn regorus(facts: usize) -> Outcome {
    let policy = "package p\nimport rego.v1\ndefault allow := false\nallow if data.roles[input.user] == \"admin\"";
    let mut engine = regorus::Engine::new();
    engine.add_policy("p.rego".to_owned(), policy.to_owned())?;
    let roles: Vec<String> = (0..facts).map(|fact| format!("\"u{fact}\": \"r{}\"", fact % 100)).collect();
    engine.add_data_json(&format!("{{\"roles\": {{\"ann\": \"admin\", {}}}}}", roles.join(", ")))?;
    engine.set_input(Value::from_json_str("{\"user\": \"ann\"}")?);
    assert_eq!(engine.eval_rule("data.p.allow".to_owned())?, Value::from(true));
    println!("regorus, {facts} facts");
    let prepared = engine.clone();
    show("engine, cloned", || {
        std::hint::black_box(prepared.clone());
        Ok(())
    })?;
    show("clone with one decision", || {
        prepared.clone().eval_rule("data.p.allow".to_owned())?;
        Ok(())
    })?;
    show("decision", || {
        engine.eval_rule("data.p.allow".to_owned())?;
        Ok(())
    })?;
    show("clone with one added fact", || {
        prepared.clone().add_data_json("{\"more\": 1}")?;
        Ok(())
    })
}

fn rhai(facts: usize) -> Outcome {
    let engine = rhai::Engine::new();
    let script = "fn allow(roles, user) { roles[user] == \"admin\" }";
    let ast: AST = engine.compile(script)?;
    let mut roles = rhai::Map::new();
    roles.insert("ann".into(), "admin".into());
    for fact in 0..facts {
        roles.insert(format!("u{fact}").into(), format!("r{}", fact % 100).into());
    }
    let shared = rhai::Dynamic::from(roles).into_shared();
    println!("rhai, {facts} facts");
    show("engine and program", || {
        let engine = rhai::Engine::new();
        engine.compile(script)?;
        Ok(())
    })?;
    let decide = || -> Outcome {
        let mut scope = Scope::new();
        let allowed: bool = engine.call_fn(&mut scope, &ast, "allow", (shared.clone(), "ann".to_owned()))?;
        assert!(allowed);
        Ok(())
    };
    show("decision in a new scope", decide)
}

fn lua(facts: usize) -> Outcome {
    let script = "function allow(user) return roles[user] == 'admin' end";
    let fill = format!("roles = {{ann = 'admin'}} for i = 0, {facts} - 1 do roles['u' .. i] = 'r' .. i % 100 end");
    println!("Lua, {facts} facts");
    show("engine and program, without facts", || {
        let lua = Lua::new();
        lua.load(script).exec()?;
        Ok(())
    })?;
    let lua = Lua::new();
    lua.load(script).exec()?;
    lua.load(fill).exec()?;
    let allow: Function = lua.globals().get("allow")?;
    show("decision", || {
        assert!(allow.call::<bool>("ann")?);
        Ok(())
    })?;
    let roles: Table = lua.globals().get("roles")?;
    show("added fact", || Ok(roles.set("more", "r1")?))
}

fn main() -> Outcome {
    embed::main()?;
    for facts in [10, 100_000] {
        regorus(facts)?;
        rhai(facts)?;
        lua(facts)?;
    }
    Ok(())
}
