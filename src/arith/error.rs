//! Errors of an evaluation (ISO 13211-1, 7.9.2 and 7.12.2). The machine turns these into error terms.

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
    /// `permission_error(use, capability, C)`: the policy of the engine does not grant the capability.
    Refused(Needs),
    /// There is no room for the work, or it must stop.
    Stopped,
}

impl From<Stop> for ArithError {
    fn from(_: Stop) -> ArithError {
        ArithError::Stopped
    }
}

/// The result of an evaluation.
pub(crate) type Result<T> = std::result::Result<T, ArithError>;

/// The error of a function that has no value for its arguments.
pub(crate) const UNDEFINED: ArithError = ArithError::Evaluation("undefined");
/// The error of a division by zero.
pub(crate) const ZERO_DIVISOR: ArithError = ArithError::Evaluation("zero_divisor");
/// The error of a result that is too large for a float.
pub(crate) const FLOAT_OVERFLOW: ArithError = ArithError::Evaluation("float_overflow");
/// The error of a result that is an integer beyond the limit of its size.
pub(crate) const TOO_LARGE: ArithError = ArithError::Resource("memory");

/// Returns the error for a float where an integer is needed.
#[cold]
pub(crate) fn not_integer(culprit: &Number) -> ArithError {
    ArithError::Type("integer", culprit.clone())
}
