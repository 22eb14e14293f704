//! Rejects U+0000 in the texts of a request: Postgres can't store it in a text. Every extractor calls this.

use actix_web::dev::{Path, ResourcePath};
use serde_json::Value;

use crate::http::error::ApiError;

/// The character that no text may contain.
pub(super) const NUL: char = '\0';

/// The error for a value with U+0000, with its field if it has one.
pub(super) fn refusal(field: Option<&str>) -> ApiError {
    let error = ApiError::unstorable_text();
    match field {
        Some(name) => error.on_field(name.replace(NUL, "")),
        None => error,
    }
}

/// Rejects a JSON body that contains U+0000 in a text at any depth. The error names the top-level field, as forms do.
pub(super) fn check_json(bytes: &[u8]) -> Result<(), ApiError> {
    // JSON allows the character only as an escape. The search has false positives only for escaped backslashes.
    if !bytes.windows(6).any(|window| window == br"\u0000") {
        return Ok(());
    }
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(fields)) => match fields.iter().find(|(name, value)| name.contains(NUL) || has_nul(value)) {
            Some((name, _)) => Err(refusal(Some(name))),
            None => Ok(()),
        },
        Ok(value) if has_nul(&value) => Err(refusal(None)),
        // The extractor itself rejects an invalid body.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(NUL),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains(NUL) || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Rejects a query or a form with U+0000 in a value.
pub(super) fn check_pairs(text: &str) -> Result<(), ApiError> {
    // The character is percent-encoded, or literal in a form.
    if !text.contains("%00") && !text.contains(NUL) {
        return Ok(());
    }
    let mut pairs = url::form_urlencoded::parse(text.as_bytes());
    match pairs.find(|(name, value)| name.contains(NUL) || value.contains(NUL)) {
        Some((name, _)) => Err(refusal(Some(&name))),
        None => Ok(()),
    }
}

/// Rejects a path with U+0000 in a named segment.
pub(super) fn check_path<T: ResourcePath>(path: &Path<T>) -> Result<(), ApiError> {
    match path.iter().find(|(_, value)| value.contains(NUL)) {
        Some((name, _)) => Err(refusal(Some(name))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{check_json, check_pairs};
    use crate::http::error::ApiError;

    fn field(checked: Result<(), ApiError>) -> Option<String> {
        checked.expect_err("it is refused").field().map(str::to_owned)
    }

    #[test]
    fn a_json_text_with_u0000_is_refused_at_any_depth_with_the_bodys_field() {
        assert_eq!(field(check_json(br#"{"a": 1, "name": "x\u0000y"}"#)).as_deref(), Some("name"));
        assert_eq!(field(check_json(br#"{"books": [{"title": {"en": "\u0000"}}]}"#)).as_deref(), Some("books"));
        assert_eq!(field(check_json(br#"{"answers": {"\u0000": 1}}"#)).as_deref(), Some("answers"));
        assert_eq!(field(check_json(br#"{"na\u0000me": 1}"#)).as_deref(), Some("name"));
        assert_eq!(field(check_json(br#"["\u0000"]"#)), None);
    }

    #[test]
    fn a_json_body_without_it_passes() {
        for body in [r#"{"name": "x"}"#, r#"{"name": "\\u0000"}"#, r#"{"name": "\u0001"}"#, r#"{"broken \u0000"#] {
            assert!(check_json(body.as_bytes()).is_ok(), "{body}");
        }
    }

    #[test]
    fn a_parameter_with_u0000_is_refused_with_its_name() {
        assert_eq!(field(check_pairs("a=1&q=x%00")).as_deref(), Some("q"));
        assert_eq!(field(check_pairs("a%00=1")).as_deref(), Some("a"));
        assert_eq!(field(check_pairs("a=\0")).as_deref(), Some("a"));
        for passing in ["", "q=%2500", "q=100%00".trim_end_matches("%00")] {
            assert!(check_pairs(passing).is_ok(), "{passing}");
        }
    }
}
