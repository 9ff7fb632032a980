//! What can go wrong in an evaluation (ISO 13211-1, 7.9.2 and 7.12.2). The machine turns these
//! into error terms.

use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::base::stop::Stop;

/// An error of evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArithError {
    /// `evaluation_error(What)`: one of the constants of this module.
    Evaluation(&'static str),
    /// `type_error(Expected, Culprit)`.
    Type(&'static str, Number),
    /// `domain_error(Expected, Culprit)`.
    Domain(&'static str, Number),
    /// `resource_error(What)`: the result would be too large.
    Resource(&'static str),
    /// `permission_error(use, capability, C)`: the policy of the engine does not grant it.
    Refused(Needs),
    /// There is no room for the work, or it is to be stopped.
    Stopped,
}

impl From<Stop> for ArithError {
    fn from(_: Stop) -> ArithError {
        ArithError::Stopped
    }
}

/// The result of an evaluation.
pub(crate) type Result<T> = std::result::Result<T, ArithError>;

/// The function has no value there.
pub(crate) const UNDEFINED: ArithError = ArithError::Evaluation("undefined");
/// Division by zero.
pub(crate) const ZERO_DIVISOR: ArithError = ArithError::Evaluation("zero_divisor");
/// The result is too large for a float.
pub(crate) const FLOAT_OVERFLOW: ArithError = ArithError::Evaluation("float_overflow");
/// The result is an integer that exceeds the budget of its size.
pub(crate) const TOO_LARGE: ArithError = ArithError::Resource("memory");

/// The error of a float where an integer is needed.
#[cold]
pub(crate) fn not_integer(culprit: &Number) -> ArithError {
    ArithError::Type("integer", culprit.clone())
}
