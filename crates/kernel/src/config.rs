//! Configuration values: secrets, and the one sentence that stops a start over a bad value.
//!
//! Each crate that can be configured reads its own variables with a function `&impl Fn(&'static str) -> Option<String>`,
//! which returns `None` for a variable that is not set.

use std::fmt;

/// A configuration variable has a value that can't be used. The start stops with this one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {problem}")]
pub struct ConfigError {
    variable: &'static str,
    problem: String,
}

impl ConfigError {
    /// Names the variable and what is wrong with its value.
    pub fn new(variable: &'static str, problem: impl Into<String>) -> Self {
        Self { variable, problem: problem.into() }
    }
}

/// Bytes that no log may show.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Takes the bytes.
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

/// Reads a variable that is `on` or `off`.
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
