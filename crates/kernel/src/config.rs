//! Configuration values: secrets, and the error for an invalid value.
//!
//! Each configurable crate reads its own variables through a function `&impl Fn(&'static str) -> Option<String>`, which
//! returns `None` for a variable that is not set.

use std::fmt;

/// A configuration variable has an invalid value. The process prints this message and does not start.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {problem}")]
pub struct ConfigError {
    variable: &'static str,
    problem: String,
}

impl ConfigError {
    /// `problem` follows the variable's name in the message, such as `is 'on' or 'off', not 'maybe'`.
    pub fn new(variable: &'static str, problem: impl Into<String>) -> Self {
        Self { variable, problem: problem.into() }
    }
}

/// Secret bytes. Their `Debug` output hides them from logs.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Reads a variable that is `on` or `off`; `default` if it is not set.
pub fn read_switch(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    default: bool,
) -> Result<bool, ConfigError> {
    match var(name).as_deref().map(str::trim) {
        None => Ok(default),
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(other) => Err(ConfigError::new(name, format!("is 'on' or 'off', not '{other}'"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        assert_eq!(format!("{:?}", Secret::new("hush")), "Secret(…)");
        assert_eq!(Secret::new("hush").bytes(), b"hush");
    }

    #[test]
    fn a_switch_is_on_or_off_and_anything_else_is_named() {
        let read = |value: Option<&str>, default| {
            read_switch(&|_| value.map(str::to_owned), "WORKER", default).map_err(|error| error.to_string())
        };
        assert_eq!((read(None, true), read(None, false)), (Ok(true), Ok(false)));
        assert_eq!((read(Some("on"), false), read(Some(" off "), true)), (Ok(true), Ok(false)));
        assert_eq!(read(Some("maybe"), true), Err("WORKER: is 'on' or 'off', not 'maybe'".to_owned()));
    }
}
