//! A service over HTTP that decides by access policies. Strangers write and change the policies while it runs:
//! `cargo run --release --example access_policies -- 127.0.0.1:8080 10000`.
//!
//! | Request | Answer |
//! |---|---|
//! | `GET /allow/POLICY?user=U&action=A` | `yes` or `no`; 422 with the error if the policy failed, 503 if it reached a limit |
//! | `PUT /policies/POLICY`, with Prolog text | 204, and the text is the new policy; 422 with its errors, and the old policy stays |
//! | `GET /noop/POLICY?user=U&action=A` | `yes`, without a decision: to measure the cost of the rest of the service |
//!
//! Every policy is a program that shares the common rules and the host's predicates. Its text reaches no file, no clock and no
//! output. Each decision starts from the program as it was loaded. Limits bound its time and memory.
#![expect(clippy::print_stdout, reason = "results are shown to whoever runs it")]

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, put};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use wamlet::{Budget, Call, Error, ErrorKind, LoadReport, Pool, Program, Term};

/// The common rules, which all policies may use.
const COMMON: &str = "
:- module(rules, [decide/2, reads/1]).
decide(User, Action) :- policy:allow(User, Action), \\+ policy:deny(User, Action).
reads(list).  reads(get).
";

/// Declarations of the predicates that a policy may leave undefined. They precede the policy's text, on its first line.
const DECLARED: &str = ":- dynamic allow/2, deny/2. ";

/// The policy that the service starts with.
const FIRST: &str = "
allow(User, Action) :- role(User, staff), reads(Action).
allow(User, _) :- role(User, admin).
deny(eve, _).
";

/// Maximum number of idle engines of a policy.
const IDLE: usize = 2;

/// The policies by their names.
#[derive(Clone)]
struct Policies {
    /// The program with the common rules, from which policies are made.
    common: Program,
    table: Arc<RwLock<HashMap<String, Pool>>>,
}

/// The status and the text of a response.
type Decision = (StatusCode, String);

impl Policies {
    fn new() -> Result<Policies, Error> {
        let budget = Budget::new()
            .steps(100_000)
            .memory(8 << 20)
            .time(Duration::from_millis(100));
        let (common, report) = Program::builder()
            .budget(budget)
            .predicate("role", 2, role)
            .text("rules.pl", COMMON)
            .protect("rules")
            .build()?;
        assert!(report.is_clean(), "{report:?}");
        Ok(Policies {
            common,
            table: Arc::default(),
        })
    }

    /// Replaces a policy by a text. If the text has errors, the policy stays as it is.
    fn load(&self, name: &str, text: &str) -> Result<LoadReport, Error> {
        let mut engine = self.common.engine()?;
        // The text is a tenant with its own module, so it can neither change nor replace the rules.
        let text = format!("{DECLARED}{text}");
        let report = engine.consult_tenant("policy", &format!("{name}.pl"), &text)?;
        if report.errors.is_empty() {
            let pool = Pool::new(engine.snapshot()?, IDLE);
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            table.insert(name.to_owned(), pool);
        }
        Ok(report)
    }

    /// Returns whether the policy `name` allows the action to the user, or `None` if there is no such policy.
    fn decide(&self, name: &str, user: &str, action: &str) -> Option<Result<bool, Error>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let pool = table.get(name)?.clone();
        drop(table);
        let decide = || {
            let mut engine = pool.engine()?;
            // Values are terms and never program text.
            let values = [("U", Term::atom(user)), ("A", Term::atom(action))];
            let mut solutions = engine.query_with("decide(U, A)", &values)?;
            let allowed = solutions.advance()?;
            solutions.close()?;
            Ok(allowed)
        };
        Some(decide())
    }
}

/// Implements `role(+User, ?Role)` from the host's data about its users.
fn role(call: &mut Call<'_>) -> Result<bool, Term> {
    let user = call.arg(0);
    let role = match user.as_atom() {
        Some("ann") => "admin",
        Some("bob" | "eve") => "staff",
        Some(_) => "guest",
        None => return Err(Call::type_error("atom", user)),
    };
    call.unify(1, Term::atom(role))
}

/// The user and the action of a request.
#[derive(Deserialize)]
struct Question {
    user: String,
    action: String,
}

/// Answers a request for a decision. A decision takes some microseconds, and its limits bound it, so it may run in the
/// thread that serves requests.
async fn allow(
    State(policies): State<Policies>,
    Path(name): Path<String>,
    Query(question): Query<Question>,
) -> Decision {
    match policies.decide(&name, &question.user, &question.action) {
        None => (StatusCode::NOT_FOUND, format!("no policy `{name}`\n")),
        Some(Ok(allowed)) => (
            StatusCode::OK,
            if allowed { "yes\n" } else { "no\n" }.to_owned(),
        ),
        Some(Err(error)) => (status(&error), format!("{error}\n")),
    }
}

async fn noop(_: State<Policies>, _: Path<String>, _: Query<Question>) -> Decision {
    (StatusCode::OK, "yes\n".to_owned())
}

async fn change(
    State(policies): State<Policies>,
    Path(name): Path<String>,
    text: String,
) -> Decision {
    // Loading takes longer than a decision, so it runs in a thread for blocking work.
    let loaded = tokio::task::spawn_blocking(move || policies.load(&name, &text)).await;
    match loaded {
        Ok(Ok(report)) if report.errors.is_empty() => (StatusCode::NO_CONTENT, String::new()),
        Ok(Ok(report)) => {
            let errors: String = report
                .errors
                .iter()
                .map(|error| format!("{error}\n"))
                .collect();
            (StatusCode::UNPROCESSABLE_ENTITY, errors)
        }
        Ok(Err(error)) => (status(&error), format!("{error}\n")),
        Err(panicked) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{panicked}\n")),
    }
}

/// Returns 503 for an error of a limit, and 422 for a fault of the policy.
fn status(error: &Error) -> StatusCode {
    match error.kind() {
        ErrorKind::TimeLimit | ErrorKind::InferenceLimit | ErrorKind::Resource => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

fn service(policies: Policies) -> Router {
    Router::new()
        .route("/noop/{policy}", get(noop))
        .route("/allow/{policy}", get(allow))
        .route("/policies/{policy}", put(change))
        .with_state(policies)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments
        .next()
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let number: usize = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let policies = Policies::new()?;
    for policy in 0..number {
        let report = policies.load(&format!("p{policy}"), FIRST)?;
        assert!(report.errors.is_empty(), "{report:?}");
    }
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("{number} policies at http://{}", listener.local_addr()?);
    axum::serve(listener, service(policies)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FIRST, Policies, service};
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    /// Sends a request and returns the status and the text of the response.
    async fn ask(policies: &Policies, method: &str, path: &str, body: &str) -> (u16, String) {
        let request = Request::builder().method(method).uri(path);
        let request = request
            .body(Body::from(body.to_owned()))
            .expect("a request");
        let response = service(policies.clone())
            .oneshot(request)
            .await
            .expect("an answer");
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 20)
            .await
            .expect("a text");
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    async fn put(policies: &Policies, policy: &str, text: &str) -> (u16, String) {
        ask(policies, "PUT", &format!("/policies/{policy}"), text).await
    }

    async fn get(policies: &Policies, policy: &str, user: &str, action: &str) -> (u16, String) {
        let path = format!("/allow/{policy}?user={user}&action={action}");
        ask(policies, "GET", &path, "").await
    }

    fn is(status: u16, text: &str) -> (u16, String) {
        (status, text.to_owned())
    }

    #[tokio::test]
    async fn policies_decide() {
        let policies = Policies::new().expect("policies");
        assert_eq!(put(&policies, "shop", FIRST).await, is(204, ""));
        assert_eq!(
            get(&policies, "shop", "ann", "delete").await,
            is(200, "yes\n")
        );
        assert_eq!(
            get(&policies, "shop", "bob", "list").await,
            is(200, "yes\n")
        );
        assert_eq!(
            get(&policies, "shop", "bob", "delete").await,
            is(200, "no\n")
        );
        assert_eq!(get(&policies, "shop", "eve", "list").await, is(200, "no\n"));
        assert_eq!(
            get(&policies, "shop", "a),halt,b(", "list").await,
            is(200, "no\n")
        );
        assert_eq!(get(&policies, "bank", "ann", "list").await.0, 404);
    }

    #[tokio::test]
    async fn a_text_with_errors_changes_nothing() {
        let policies = Policies::new().expect("policies");
        assert_eq!(put(&policies, "shop", FIRST).await.0, 204);
        let (status, text) = put(&policies, "shop", "allow(_, list).\nallow(bob, .\n").await;
        assert_eq!(status, 422);
        assert!(text.starts_with("policy/shop.pl:2:12: error: "), "{text}");
        assert_eq!(
            get(&policies, "shop", "ann", "delete").await,
            is(200, "yes\n")
        );
    }

    #[tokio::test]
    async fn hostile_policies_are_stopped() {
        let policies = Policies::new().expect("policies");
        assert_eq!(put(&policies, "good", FIRST).await.0, 204);
        for (text, status) in [
            ("allow(_, _) :- repeat, fail.", 503),
            (
                "allow(U, A) :- catch(allow(U, A), _, true), allow(U, A).",
                503,
            ),
            ("allow(_, _) :- length(L, 10_000_000), sort(L, _).", 503),
            ("allow(_, _) :- atom_length(_, _).", 422),
            ("allow(_, _) :- open('/etc/passwd', read, _).", 422),
            ("allow(_, _) :- shell(ls).", 422),
            ("allow(_, _) :- halt.", 422),
        ] {
            assert_eq!(put(&policies, "bad", text).await.0, 204, "{text}");
            let (found, answer) = get(&policies, "bad", "ann", "list").await;
            assert_eq!(found, status, "{text}: {answer}");
            assert_eq!(
                get(&policies, "good", "ann", "list").await,
                is(200, "yes\n")
            );
        }
        for text in [
            ":- repeat, fail.",
            ":- initialization((repeat, fail)).",
            ":- include('/etc/passwd').",
            "decide(_, _).",
            "rules:reads(_).",
            ":- unload_file('rules.pl').",
        ] {
            assert!(put(&policies, "bad", text).await.0 >= 400, "{text}");
        }
        assert_eq!(
            get(&policies, "good", "ann", "list").await,
            is(200, "yes\n")
        );
    }

    #[tokio::test]
    async fn a_decision_leaves_nothing_behind() {
        let policies = Policies::new().expect("policies");
        let text = "allow(_, once) :- \\+ seen(_), assertz(seen(it)).\n:- dynamic seen/1.";
        assert_eq!(put(&policies, "shop", text).await.0, 204);
        for _ in 0..3 {
            assert_eq!(
                get(&policies, "shop", "ann", "once").await,
                is(200, "yes\n")
            );
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn policies_change_while_they_decide() {
        let policies = Policies::new().expect("policies");
        assert_eq!(put(&policies, "shop", "allow(_, 1).").await.0, 204);
        let asking = tokio::spawn({
            let policies = policies.clone();
            async move {
                for _ in 0..500 {
                    let answers = [
                        get(&policies, "shop", "ann", "1").await,
                        get(&policies, "shop", "ann", "2").await,
                    ];
                    assert!(
                        answers.iter().all(|(status, _)| *status == 200),
                        "{answers:?}"
                    );
                }
            }
        });
        for turn in 0..50 {
            let text = format!("allow(_, A) :- atom_number(A, {}).", turn % 2 + 1);
            assert_eq!(put(&policies, "shop", &text).await.0, 204);
        }
        asking.await.expect("no decision failed");
        assert_eq!(get(&policies, "shop", "ann", "2").await, is(200, "yes\n"));
    }
}
