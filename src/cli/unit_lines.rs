//! Units of a count and their results, each as a line of JSON. A unit contains everything needed to count it: the
//! images of the programs, the goal, and its parts of the search.

use super::args::Reading;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::error::Category;
use wamlet::Term;
use xxhash_rust::xxh3::xxh3_64;

/// The number of the format.
const FORMAT: u32 = 1;

/// The way in which the goal and the programs are read.
#[derive(Serialize, Deserialize, Copy, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Form {
    Plain,
    Iso,
    Traditional,
}

impl Form {
    fn of(reading: Reading) -> Form {
        match reading {
            Reading { iso: true, .. } => Form::Iso,
            Reading {
                traditional: true, ..
            } => Form::Traditional,
            Reading { .. } => Form::Plain,
        }
    }
}

/// A step of a path: the number of a choice point, its kind, the first branch to take, and the first branch not to
/// take, if it is known.
type Step = (u64, u64, u32, Option<u32>);

/// An image of a program, with a name.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) image: Vec<u8>,
}

/// A count.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    /// The number of units.
    pub(crate) of: u32,
    pub(crate) goal: String,
    pub(crate) reading: Reading,
    pub(crate) programs: Vec<Program>,
}

/// A part of a count that can be counted by itself.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The number of the unit, from 1.
    pub(crate) number: u32,
    pub(crate) fingerprint: String,
    parts: Vec<Vec<Step>>,
}

/// The line of a unit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitLine {
    format: u32,
    unit: u32,
    of: u32,
    fingerprint: String,
    goal: String,
    reading: Form,
    parts: Vec<Vec<Step>>,
    sum: String,
    programs: Vec<ProgramMember>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramMember {
    name: String,
    image: String,
}

/// The common beginning of all lines of units.
#[derive(Deserialize)]
struct Begin {
    format: Option<Number>,
    count: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// The line of a result.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct ResultLine {
    pub(crate) unit: u32,
    pub(crate) of: u32,
    pub(crate) fingerprint: String,
    /// The number of solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Number>,
    /// The reason why there is no number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The time of the count, in seconds.
    #[serde(default)]
    pub(crate) seconds: f64,
}

/// Returns the fingerprint of several texts. The same characters divided at other places have another fingerprint.
fn fingerprint_of<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(&(text.len() as u64).to_le_bytes());
        all.extend_from_slice(text);
    }
    format!("{:016x}", xxh3_64(&all))
}

impl Count {
    /// Returns the count of a goal without a program.
    pub(crate) fn of_goal(goal: &str, reading: Reading) -> Count {
        Count {
            of: 0,
            goal: goal.to_owned(),
            reading,
            programs: Vec::new(),
        }
    }

    /// Returns the fingerprint of the count. It includes the version, because another version of Wamlet may divide a
    /// search differently.
    pub(crate) fn fingerprint(&self) -> String {
        let head = format!(
            "{FORMAT} {} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            self.of,
            Form::of(self.reading)
        );
        let programs = self.programs.iter();
        let programs = programs.flat_map(|program| [program.name.as_bytes(), &program.image]);
        fingerprint_of(
            [head.as_bytes(), self.goal.as_bytes()]
                .into_iter()
                .chain(programs),
        )
    }
}

impl Unit {
    /// Returns the unit of these parts, which are lists of `step(Number, Meta, Branch, End)`.
    pub(crate) fn of_parts(number: u32, fingerprint: String, parts: &Term) -> Option<Unit> {
        let part = |part: &Term| part.as_list()?.into_iter().map(step_of).collect();
        let parts: Option<_> = parts.as_list()?.into_iter().map(part).collect();
        Some(Unit {
            number,
            fingerprint,
            parts: parts?,
        })
    }

    /// Returns the parts of the unit as a term.
    pub(crate) fn parts(&self) -> Term {
        let part = |part: &Vec<Step>| part.iter().map(term_of).collect();
        Term::list(self.parts.iter().map(part).collect())
    }

    /// Returns the checksum of the unit's own data.
    fn sum(&self) -> Result<String, String> {
        let parts = text(&self.parts)?;
        let number = self.number.to_le_bytes();
        let all = [self.fingerprint.as_bytes(), &number, parts.as_bytes()];
        Ok(fingerprint_of(all))
    }

    /// Returns the line of the unit.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub(crate) fn line(&self, count: &Count) -> Result<String, String> {
        let member = |program: &Program| ProgramMember {
            name: program.name.clone(),
            image: BASE64_STANDARD.encode(&program.image),
        };
        text(&UnitLine {
            format: FORMAT,
            unit: self.number,
            of: count.of,
            fingerprint: self.fingerprint.clone(),
            goal: count.goal.clone(),
            reading: Form::of(count.reading),
            parts: self.parts.clone(),
            sum: self.sum()?,
            programs: count.programs.iter().map(member).collect(),
        })
    }

    /// Reads the line of a unit.
    ///
    /// # Errors
    /// Returns the fault in the line.
    pub(crate) fn read(line: &[u8]) -> Result<(Unit, Count), String> {
        let Begin {
            format,
            count,
            error,
        } = read(line, "unit")?;
        let known = Number::from(FORMAT);
        match format {
            Some(format) if format == known => {}
            Some(format) => {
                return Err(format!(
                    "this unit has format {format}; this version of wamlet reads format {FORMAT}"
                ));
            }
            None if count.is_some() || error.is_some() => {
                return Err(
                    "this is a result, not a unit; add results up with wamlet merge".to_owned(),
                );
            }
            None => return Err("this is not a unit: it has no member `format`".to_owned()),
        }
        let line: UnitLine = read(line, "unit")?;
        check_number(line.unit, line.of)?;
        let steps = line.parts.iter().flatten();
        let empty = |&(_, _, branch, end): &Step| end.is_some_and(|end| end <= branch);
        if line.parts.is_empty() || steps.clone().any(empty) {
            return Err("this unit is damaged: a part of it has no branches".to_owned());
        }
        let program = |program: ProgramMember| match BASE64_STANDARD.decode(program.image) {
            Ok(image) => Ok(Program {
                name: program.name,
                image,
            }),
            Err(_) => Err(format!(
                "this unit is damaged: the image of {} is not in base64",
                program.name
            )),
        };
        let programs = line.programs.into_iter().map(program);
        let count = Count {
            of: line.of,
            goal: line.goal,
            reading: Reading {
                iso: line.reading == Form::Iso,
                traditional: line.reading == Form::Traditional,
            },
            programs: programs.collect::<Result<_, _>>()?,
        };
        let unit = Unit {
            number: line.unit,
            fingerprint: line.fingerprint,
            parts: line.parts,
        };
        if unit.fingerprint != count.fingerprint() {
            return Err(
                "the fingerprint does not fit the program and the goal; the unit is damaged, or \
                 another version of wamlet made it"
                    .to_owned(),
            );
        }
        if line.sum != unit.sum()? {
            return Err("this unit is damaged: the checksum of its parts is wrong".to_owned());
        }
        Ok((unit, count))
    }

    /// Reads only the number and the fingerprint from a line, without checking its contents.
    ///
    /// # Errors
    /// Returns the fault in the line.
    pub(crate) fn read_name(line: &[u8]) -> Result<(u32, String), String> {
        #[derive(Deserialize)]
        struct Name {
            #[serde(rename = "format")]
            _format: Number,
            unit: u32,
            of: u32,
            fingerprint: String,
        }
        let name: Name = read(line, "unit")?;
        check_number(name.unit, name.of)?;
        Ok((name.unit, name.fingerprint))
    }
}

impl ResultLine {
    /// Returns the line of the result.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub(crate) fn line(&self) -> Result<String, String> {
        text(self)
    }

    /// Reads the line of a result.
    ///
    /// # Errors
    /// Returns the fault in the line.
    pub(crate) fn read(line: &[u8]) -> Result<ResultLine, String> {
        let result: ResultLine = read(line, "result")?;
        check_number(result.unit, result.of)?;
        let is_count = |count: &Number| count.to_string().bytes().all(|byte| byte.is_ascii_digit());
        match (&result.count, &result.error) {
            (Some(count), None) if is_count(count) => Ok(result),
            (Some(count), None) => Err(format!("{count} is not a number of solutions")),
            (None, Some(_)) => Ok(result),
            (None, None)
                if read::<Begin>(line, "unit").is_ok_and(|begin| begin.format.is_some()) =>
            {
                Err(
                    "this is a unit, not a result; count units with wamlet count --unit-stdin"
                        .to_owned(),
                )
            }
            _ => Err("a result needs either a count or an error".to_owned()),
        }
    }
}

/// Converts a count to a number in JSON.
pub(crate) fn number_of(count: &Term) -> Option<Number> {
    serde_json::from_str(&count.to_string()).ok()
}

/// Converts a number in JSON to a term.
pub(crate) fn term_of_number(count: &Number) -> Option<Term> {
    let text = count.to_string();
    let small = text.parse().ok().map(Term::Integer);
    small.or_else(|| Some(Term::BigInteger(text.parse().ok()?)))
}

fn check_number(unit: u32, of: u32) -> Result<(), String> {
    match (1..=of).contains(&unit) {
        true => Ok(()),
        false => Err(format!("there is no unit {unit} of {of}")),
    }
}

fn text(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

fn read<T: DeserializeOwned>(line: &[u8], what: &str) -> Result<T, String> {
    serde_json::from_slice(line)
        .map_err(|error| format!("this is not a {what}: {}", wrong_json(line, &error)))
}

/// Returns what is wrong with the JSON of a line.
fn wrong_json(line: &[u8], error: &serde_json::Error) -> String {
    if !line.starts_with(b"{") {
        return "it is not a JSON object".to_owned();
    }
    let byte = error.column();
    let text = error.to_string();
    let member = |begin: &str| text.strip_prefix(begin)?.split('`').next();
    match error.classify() {
        Category::Eof => format!("the line is incomplete: it ends at byte {byte}"),
        Category::Syntax | Category::Io => format!("byte {byte} is not valid JSON"),
        Category::Data => {
            if let Some(name) = member("missing field `") {
                format!("it has no member `{name}`")
            } else if let Some(name) = member("unknown field `") {
                format!("it has an unknown member `{name}`")
            } else if let Some(name) = member("duplicate field `") {
                format!("it has the member `{name}` twice")
            } else {
                format!("the value that ends at byte {byte} is wrong")
            }
        }
    }
}

fn step_of(term: &Term) -> Option<Step> {
    let args = term.as_compound()?.args();
    let number = |index: usize| args.get(index)?.as_integer();
    let end = u32::try_from(number(3)?).ok()?;
    Some((
        u64::try_from(number(0)?).ok()?,
        u64::try_from(number(1)?).ok()?,
        u32::try_from(number(2)?).ok()?,
        Some(end).filter(|&end| end != u32::MAX),
    ))
}

fn term_of(&(number, meta, branch, end): &Step) -> Term {
    let integer = |number: u64| Term::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let end = end.unwrap_or(u32::MAX);
    Term::compound(
        "step",
        vec![
            integer(number),
            integer(meta),
            integer(branch.into()),
            integer(end.into()),
        ],
    )
}
