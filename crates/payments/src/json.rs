//! Access to fields of providers' JSON responses.

use billing::gateway::GatewayError;
use serde_json::Value;

/// The string at a JSON pointer.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

/// The integer at a JSON pointer.
pub(crate) fn number(value: &Value, pointer: &str) -> Option<i64> {
    value.pointer(pointer).and_then(Value::as_i64)
}

/// Requires a field of a response.
///
/// # Errors
/// [`GatewayError::Malformed`] with the field's name if it is missing.
pub(crate) fn needed<T>(field: Option<T>, name: &str) -> Result<T, GatewayError> {
    field.ok_or_else(|| GatewayError::Malformed(format!("{name} is missing")))
}
