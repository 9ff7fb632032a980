//! Time stamps, dates and their texts: `stamp_date_time/3`, `date_time_stamp/2` and the texts of `format_time/3`.

use super::calendar::{DAY, civil_from_days, days_from_civil, iso_week, week_day, year_day};
use crate::base::atom_table::{Functor, atoms};
use crate::base::growth::{Grow, GrowText};
use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::os;
use std::fmt::Write;

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Greatest distance in seconds from 1970 of times that have a date.
const FARTHEST: f64 = 1e17;

/// Time, with its time zone.
struct Moment {
    /// Days from 1970-01-01 in local time.
    days: i64,
    /// Seconds of the day.
    second: i64,
    /// Fraction of the second.
    fraction: f64,
    /// Seconds that the zone is behind UTC.
    west: i64,
    /// Name of the zone, if it has one.
    zone: Option<String>,
    /// True in summer time; `None` if unknown.
    summer: Option<bool>,
}

impl Moment {
    /// Returns the whole seconds since 1970.
    fn epoch(&self) -> i64 {
        self.days * DAY + self.second + self.west
    }

    fn at(seconds: i64, fraction: f64, west: i64) -> Moment {
        let here = seconds - west;
        Moment {
            days: here.div_euclid(DAY),
            second: here.rem_euclid(DAY),
            fraction,
            west,
            zone: None,
            summer: None,
        }
    }

    /// Returns a time in the zone of this machine.
    fn local(m: &Machine, seconds: i64, fraction: f64) -> Moment {
        let Some(zone) = local_zone(m, seconds) else {
            return Moment::utc(seconds, fraction);
        };
        Moment {
            zone: Some(zone.name),
            summer: Some(zone.summer),
            ..Moment::at(seconds, fraction, zone.west)
        }
    }

    fn utc(seconds: i64, fraction: f64) -> Moment {
        Moment {
            zone: Some("UTC".to_owned()),
            ..Moment::at(seconds, fraction, 0)
        }
    }

    /// Returns the time at which a local clock shows this number of seconds since 1970-01-01 00:00.
    fn from_local_clock(m: &Machine, seconds: i64, fraction: f64) -> Moment {
        let west = |at: i64| local_zone(m, at).map_or(0, |zone| zone.west);
        // The offset depends on the time itself. A second step corrects it near a change of the clocks.
        let first = seconds + west(seconds);
        Moment::local(m, seconds + west(first), fraction)
    }
}

/// Returns the zone of the system if the program may read its clock. Otherwise the zone is UTC.
pub(super) fn local_zone(m: &Machine, seconds: i64) -> Option<os::LocalZone> {
    let policy = &m.world.host.policy;
    let shown = policy.granted.any(Needs::CLOCK) && policy.now.is_none();
    os::local_zone(seconds).filter(|_| shown)
}

/// Splits a time stamp into whole seconds and the fraction.
fn split_stamp(m: &mut Machine, cell: Cell) -> Result<(i64, f64), Throw> {
    let stamp = match m.store.number(cell)? {
        Some(Number::Int(whole)) if (whole as f64).abs() < FARTHEST => return Ok((whole, 0.0)),
        Some(Number::Float(float)) if float.abs() < FARTHEST => float,
        Some(_) => return Err(m.representation_error(atoms::TIME)),
        None => return Err(m.type_or_instantiation_error(atoms::FLOAT, cell)),
    };
    let whole = stamp.floor();
    Ok((whole as i64, stamp - whole))
}

/// Returns a number of a date. Large numbers have no date.
fn part(m: &mut Machine, cell: Cell) -> Result<i64, Throw> {
    let value = m.i64_arg(cell)?;
    if value.unsigned_abs() < 1 << 50 {
        Ok(value)
    } else {
        Err(m.representation_error(atoms::TIME))
    }
}

fn date_functor(m: &mut Machine, arity: usize) -> Result<Functor, Stop> {
    let name = m.world.symbols.intern("date")?;
    m.world.symbols.functor(name, arity)
}

/// Returns the time of `date/9` or `date/3`. Fields of the zone that a `date/9` leaves unbound become those of this
/// machine.
fn moment_of(m: &mut Machine, date: Cell) -> Result<Moment, Throw> {
    let (long, short) = (date_functor(m, 9)?, date_functor(m, 3)?);
    let (args, arity) = match m.store.view(date) {
        View::Struct(functor, args) if functor == long => (args, 9),
        View::Struct(functor, args) if functor == short => (args, 3),
        _ => return Err(m.type_or_instantiation_error(atoms::TIME, date)),
    };
    let arg = |m: &Machine, index: usize| m.store.arg(args, index);
    let (year, month) = (arg(m, 0), arg(m, 1));
    let (year, month) = (part(m, year)?, part(m, month)?);
    let day = arg(m, 2);
    let days = part(m, day)?;
    let days = days_from_civil(year, month, 1) + days - 1;
    if arity == 3 {
        return Ok(Moment::from_local_clock(m, days * DAY, 0.0));
    }
    let (hour, minute) = (arg(m, 3), arg(m, 4));
    let (hour, minute) = (part(m, hour)?, part(m, minute)?);
    let second = arg(m, 5);
    let (second, fraction) = split_stamp(m, second)?;
    let here = days * DAY + hour * 3600 + minute * 60 + second;
    let [west, zone, summer] = [6, 7, 8].map(|index| arg(m, index));
    if west.is_var() {
        let moment = Moment::from_local_clock(m, here, fraction);
        let (name, dst) = zone_terms(m, &moment)?;
        m.unify_int(west, moment.west)?;
        m.unify(zone, name)?;
        m.unify(summer, dst)?;
        return Ok(moment);
    }
    let west = part(m, west)?;
    let zone = match m.store.view(zone) {
        View::Atom(name) if m.world.symbols.text(name) != "-" => {
            Some(m.world.symbols.text(name).to_owned())
        }
        _ => None,
    };
    Ok(Moment {
        zone,
        ..Moment::at(here + west, fraction, west)
    })
}

/// Returns the terms for zone and summer time in a date.
fn zone_terms(m: &mut Machine, moment: &Moment) -> Result<(Cell, Cell), Stop> {
    let none = m.world.symbols.intern("-")?;
    let zone = match &moment.zone {
        Some(zone) => m.world.symbols.intern_passing(zone)?,
        None => none,
    };
    let summer = match moment.summer {
        Some(true) => atoms::TRUE,
        Some(false) => atoms::FALSE,
        None => none,
    };
    Ok((Cell::atom(zone), Cell::atom(summer)))
}

fn stamp_date_time(m: &mut Machine, stamp: Cell, date: Cell, zone: Cell) -> Result<bool, Throw> {
    let (seconds, fraction) = split_stamp(m, stamp)?;
    let moment = match m.store.view(zone) {
        View::Int(_) => {
            let west = part(m, zone)?;
            Moment::at(seconds, fraction, west)
        }
        View::Atom(name) if m.world.symbols.text(name) == "local" => {
            Moment::local(m, seconds, fraction)
        }
        View::Atom(name) if m.world.symbols.text(name) == "UTC" => Moment::utc(seconds, fraction),
        View::Var(_) => return Err(m.instantiation_error()),
        _ => return Err(m.domain_error("timezone", zone)),
    };
    let (year, month, day) = civil_from_days(moment.days);
    let (name, summer) = zone_terms(m, &moment)?;
    let (hour, minute) = (moment.second / 3600, moment.second / 60 % 60);
    let second = m
        .store
        .new_float((moment.second % 60) as f64 + moment.fraction);
    let functor = date_functor(m, 9)?;
    let [year, month, day, hour, minute, west] =
        [year, month, day, hour, minute, moment.west].map(Cell::int);
    let args = [year, month, day, hour, minute, second, west, name, summer];
    let found = m.store.new_struct(functor, &args);
    Ok(m.unify(date, found)?)
}

// ---- texts ------------------------------------------------------------------------------------

/// Reason why there is no text.
enum NoText {
    /// Unknown directive.
    Unknown(String),
    Stopped,
}

impl From<Stop> for NoText {
    fn from(_: Stop) -> NoText {
        NoText::Stopped
    }
}

/// Returns the text that `format_time/3` writes.
fn time_text(format: &str, moment: &Moment) -> Result<String, NoText> {
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(char) = chars.next() {
        if char != '%' {
            text.put(char)?;
            continue;
        }
        let rest = chars.as_str();
        if let Some(after) = rest.strip_prefix(":z") {
            push_zone(&mut text, moment.west, ":");
            chars = after.chars();
            continue;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 && rest[digits..].starts_with('f') {
            let places = rest[..digits].parse().unwrap_or(usize::MAX);
            push_fraction(&mut text, moment.fraction, places)?;
            chars = rest[digits + 1..].chars();
            continue;
        }
        match chars.next() {
            Some(directive) if push_directive(&mut text, directive, moment)? => {}
            Some(directive) => return Err(NoText::Unknown(format!("%{directive}"))),
            None => return Err(NoText::Unknown("%".to_owned())),
        }
    }
    Ok(text)
}

/// Greatest number of digits of a fraction. More digits than those of a float are zeros, and many zeros have no
/// use.
const MAX_PLACES: usize = 100;

fn push_fraction(text: &mut String, fraction: f64, places: usize) -> Result<(), Stop> {
    let places = places.min(MAX_PLACES);
    let digits = format!("{fraction:.places$}");
    // If rounding gives a whole second, nines keep the fraction below it.
    match digits.strip_prefix("0.") {
        Some(digits) => text.put_str(digits),
        None => text.put_all(std::iter::repeat_n('9', places)),
    }
}

fn push_zone(text: &mut String, west: i64, between: &str) {
    let sign = if west > 0 { '-' } else { '+' };
    let minutes = west.abs() / 60;
    let _ = write!(
        text,
        "{sign}{:02}{between}{:02}",
        minutes / 60,
        minutes % 60
    );
}

/// Writes the value of a directive. Returns false for an unknown directive.
fn push_directive(text: &mut String, directive: char, moment: &Moment) -> Result<bool, Stop> {
    let days = moment.days;
    let (year, month, day) = civil_from_days(days);
    let (hour, minute, second) = (
        moment.second / 3600,
        moment.second / 60 % 60,
        moment.second % 60,
    );
    let twelve = (hour + 11) % 12 + 1;
    let day_name = DAYS[(week_day(days) - 1) as usize];
    let month_name = MONTHS[(month - 1) as usize];
    let (half, small_half) = if hour < 12 {
        ("AM", "am")
    } else {
        ("PM", "pm")
    };
    let (week_year, week) = iso_week(days);
    // Numbers of weeks that begin on Sunday, or on Monday.
    let sunday_week = (year_day(days) + 6 - week_day(days) % 7) / 7;
    let monday_week = (year_day(days) + 7 - week_day(days)) / 7;
    // Writing to a text does not fail.
    let _ = match directive {
        'a' => write!(text, "{}", &day_name[..3]),
        'A' => write!(text, "{day_name}"),
        'b' | 'h' => write!(text, "{}", &month_name[..3]),
        'B' => write!(text, "{month_name}"),
        'c' | '+' => write!(
            text,
            "{} {} {day:2} {hour:02}:{minute:02}:{second:02} {year}",
            &day_name[..3],
            &month_name[..3]
        ),
        'C' => write!(text, "{:02}", year.div_euclid(100)),
        'd' => write!(text, "{day:02}"),
        'D' | 'x' => write!(text, "{month:02}/{day:02}/{:02}", year.rem_euclid(100)),
        'e' => write!(text, "{day:2}"),
        'f' => {
            push_fraction(text, moment.fraction, 6)?;
            Ok(())
        }
        'F' => write!(text, "{year:04}-{month:02}-{day:02}"),
        'g' => write!(text, "{:02}", week_year.rem_euclid(100)),
        'G' => write!(text, "{week_year}"),
        'V' => write!(text, "{week:02}"),
        'H' => write!(text, "{hour:02}"),
        'I' => write!(text, "{twelve:02}"),
        'j' => write!(text, "{:03}", year_day(days)),
        'k' => write!(text, "{hour:2}"),
        'l' => write!(text, "{twelve:2}"),
        'm' => write!(text, "{month:02}"),
        'M' => write!(text, "{minute:02}"),
        'n' => writeln!(text),
        'p' => write!(text, "{half}"),
        'P' => write!(text, "{small_half}"),
        'r' => write!(text, "{twelve:02}:{minute:02}:{second:02} {half}"),
        'R' => write!(text, "{hour:02}:{minute:02}"),
        's' => write!(text, "{}", moment.epoch()),
        'S' => write!(text, "{second:02}"),
        't' => write!(text, "\t"),
        'T' | 'X' => write!(text, "{hour:02}:{minute:02}:{second:02}"),
        'u' => write!(text, "{}", week_day(days)),
        'U' => write!(text, "{sunday_week:02}"),
        'w' => write!(text, "{}", week_day(days) % 7),
        'W' => write!(text, "{monday_week:02}"),
        'y' => write!(text, "{:02}", year.rem_euclid(100)),
        'Y' => write!(text, "{year}"),
        'z' => {
            push_zone(text, moment.west, "");
            Ok(())
        }
        'Z' => write!(text, "{}", moment.zone.as_deref().unwrap_or("")),
        '%' => write!(text, "%"),
        _ => return Ok(false),
    };
    Ok(true)
}

builtins! { DATES =
    /// Unifies `date` with
    /// `date(Year,Month,Day,Hour,Minute,Second,Offset,Zone,Summer)` for `number` seconds since 1970. `zone` is `'UTC'`, `local`,
    /// or the number of seconds behind UTC.
    ///
    /// ?- stamp_date_time(0, Date, 'UTC').
    /// Date = date(1970, 1, 1, 0, 0, 0.0, 0, 'UTC', -).
    library "stamp_date_time"("+number", "-date", "+zone") = |m, [stamp, date, zone]| {
        stamp_date_time(m, stamp, date, zone)
    };
    /// Unifies `float` with the number of seconds since 1970 of `date`: a `date/9` term, or a `date/3` term
    /// at 0:00 local time. Numbers may exceed their range: day 32 of a month is a day of the next month. An
    /// unbound offset is the offset of this machine.
    ///
    /// ?- date_time_stamp(date(2024,2,29), Stamp).
    /// Stamp = 1709164800.0.
    library "date_time_stamp"("+date", "-float") = |m, [date, stamp]| {
        let moment = moment_of(m, date)?;
        let found = m.store.new_float(moment.epoch() as f64 + moment.fraction);
        Ok(m.unify(stamp, found)?)
    };
    /// Returns the text that `format_time/3` writes for a stamp or a date.
    library "$time_text"("+format", "+time", "-text") = |m, [format, time, text]| {
        let format = m.text_arg(format)?;
        let moment = if m.store.number(time)?.is_some() {
            let (seconds, fraction) = split_stamp(m, time)?;
            Moment::local(m, seconds, fraction)
        } else {
            moment_of(m, time)?
        };
        match time_text(&format, &moment) {
            Ok(made) => m.unify_string(text, &made),
            Err(NoText::Stopped) => Err(Stop.into()),
            Err(NoText::Unknown(directive)) => {
                let kind = m.world.symbols.intern("format")?;
                let directive = m.world.symbols.intern_passing(&directive)?;
                Err(m.existence_error(kind, Cell::atom(directive)))
            }
        }
    };
}
