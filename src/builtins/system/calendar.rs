//! Calendar: conversion of dates to days from 1970-01-01. The Gregorian calendar is used for all times.

/// Seconds of a day.
pub(in crate::builtins) const DAY: i64 = 86_400;

/// Returns the number of days from 1970-01-01 to a day of a month. The day may lie outside the month. `month` may
/// be any number, too: 13 is January of the next year.
pub(in crate::builtins) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let months = year * 12 + (month - 1);
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    // Years begin in March here, so the leap day is the last day of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5;
    let first = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    first + day - 1
}

/// Returns year, month and day of a day number.
pub(in crate::builtins) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// Returns the day of the week, 1 for Monday.
pub(in crate::builtins) fn week_day(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// Returns the day of the year, from 1.
pub(in crate::builtins) fn year_day(days: i64) -> i64 {
    let (year, _, _) = civil_from_days(days);
    days - days_from_civil(year, 1, 1) + 1
}

/// Returns the year and the number of the week of ISO 8601. Weeks begin on Monday and belong to the year of their
/// Thursday.
pub(in crate::builtins) fn iso_week(days: i64) -> (i64, i64) {
    let thursday = days - week_day(days) + 4;
    let (year, _, _) = civil_from_days(thursday);
    (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
}

#[cfg(test)]
mod tests {
    use super::{civil_from_days, days_from_civil, iso_week, week_day, year_day};

    #[test]
    fn days_and_dates_agree() {
        for days in (-1_000_000..1_000_000).step_by(37) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        assert_eq!(civil_from_days(-1), (1969, 12, 31));
        assert_eq!(days_from_civil(2000, 2, 30), days_from_civil(2000, 3, 1));
        assert_eq!(days_from_civil(2000, 14, 1), days_from_civil(2001, 2, 1));
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        let day = days_from_civil(2021, 1, 3);
        assert_eq!((week_day(day), year_day(day)), (7, 3));
        assert_eq!(iso_week(day), (2020, 53));
        assert_eq!(iso_week(day + 1), (2021, 1));
    }
}
