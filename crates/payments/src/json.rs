//! Fields of providers' answers.

use billing::gateway::GatewayError;
use serde_json::Value;

/// A text by its JSON pointer.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

/// A number by its JSON pointer.
pub(crate) fn number(value: &Value, pointer: &str) -> Option<i64> {
    value.pointer(pointer).and_then(Value::as_i64)
}

/// A field that an answer must have.
pub(crate) fn needed<T>(field: Option<T>, name: &str) -> Result<T, GatewayError> {
    field.ok_or_else(|| GatewayError::Malformed(format!("{name} is missing")))
}
