//! Configuration values: the environment variables, what is wrong with them, and secrets.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

/// A configuration variable has an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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

/// Everything that is wrong with the configuration, one line each. The process prints it and does not start.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigErrors {
    pub errors: Vec<ConfigError>,
    /// What may explain the errors, such as a slip in a variable's name, one sentence each.
    pub warnings: Vec<String>,
}

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.errors.iter().map(ToString::to_string).chain(self.warnings.iter().cloned());
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// The variables that a process is configured by. Each configurable crate has a function that reads its own ones. A reader
/// records what is wrong and reads on, so that an operator learns of all errors at once.
#[derive(Debug)]
pub struct Variables {
    values: BTreeMap<String, String>,
    known: RefCell<BTreeSet<&'static str>>,
    errors: RefCell<Vec<ConfigError>>,
}

impl Variables {
    /// Takes names and values; of one name, the last value counts. A blank value counts as not set.
    pub fn new<N: Into<String>, V: Into<String>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut values: BTreeMap<String, String> =
            variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        values.retain(|_, value| !value.trim().is_empty());
        Self { values, known: RefCell::default(), errors: RefCell::default() }
    }

    /// The process's environment variables. Those that are not Unicode are left out.
    pub fn from_env() -> Self {
        Self::new(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// The variables with another one, in place of its present value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.values.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The value as it was set.
    pub fn get(&self, name: &'static str) -> Option<String> {
        self.known.borrow_mut().insert(name);
        self.values.get(name).cloned()
    }

    /// The value without white space around it.
    pub fn trimmed(&self, name: &'static str) -> Option<String> {
        self.get(name).map(|value| value.trim().to_owned())
    }

    /// Records that a variable is wrong. `problem` is as in [`ConfigError::new`].
    pub fn refuse(&self, name: &'static str, problem: impl Into<String>) {
        self.errors.borrow_mut().push(ConfigError::new(name, problem));
    }

    /// The value of a success; records a failure.
    pub fn accept<T>(&self, read: Result<T, ConfigError>) -> Option<T> {
        read.map_err(|error| self.errors.borrow_mut().push(error)).ok()
    }

    /// The value of a variable that must be set; `problem` says why.
    pub fn needed(&self, name: &'static str, problem: &str) -> Option<String> {
        let value = self.trimmed(name);
        if value.is_none() {
            self.refuse(name, problem);
        }
        value
    }

    /// The values of variables that are set together or not at all. `None` if none is set, or if one is missing.
    pub fn all_or_none<const N: usize>(&self, names: [&'static str; N]) -> Option<[String; N]> {
        let values = names.map(|name| self.trimmed(name));
        let set = names.iter().zip(&values).find(|(_, value)| value.is_some())?.0;
        for (name, _) in names.iter().zip(&values).filter(|(_, value)| value.is_none()) {
            self.refuse(name, format!("is missing, though {set} is set"));
        }
        values.iter().all(Option::is_some).then(|| values.map(Option::unwrap_or_default))
    }

    /// A value that is parsed; `default` if it is not set or wrong. `what` it is completes 'is …, not 'x''.
    pub fn parsed<T: FromStr>(&self, name: &'static str, default: T, what: &str) -> T {
        let Some(text) = self.trimmed(name) else { return default };
        text.parse().unwrap_or_else(|_| {
            self.refuse(name, format!("is {what}, not '{text}'"));
            default
        })
    }

    /// A number within a range; `default` if it is not set or wrong.
    pub fn number<T: FromStr + PartialOrd + fmt::Display>(
        &self,
        name: &'static str,
        default: T,
        range: std::ops::RangeInclusive<T>,
    ) -> T {
        let Some(text) = self.trimmed(name) else { return default };
        text.parse().ok().filter(|number| range.contains(number)).unwrap_or_else(|| {
            self.refuse(name, format!("is a number from {} to {}, not '{text}'", range.start(), range.end()));
            default
        })
    }

    /// A variable that is `on` or `off`; `default` if it is not set or wrong.
    pub fn switch(&self, name: &'static str, default: bool) -> bool {
        self.one_of(name, [("on", true), ("off", false)]).unwrap_or(default)
    }

    /// The meaning of one of two words; `None` if the variable is not set or wrong.
    pub fn one_of<T>(&self, name: &'static str, [first, second]: [(&str, T); 2]) -> Option<T> {
        let text = self.trimmed(name)?;
        match text.as_str() {
            word if word == first.0 => Some(first.1),
            word if word == second.0 => Some(second.1),
            _ => {
                self.refuse(name, format!("is '{}' or '{}', not '{text}'", first.0, second.0));
                None
            }
        }
    }

    /// Refuses variables that mean something only when another one is set.
    pub fn refuse_without(&self, other: &str, names: &[&'static str]) {
        for name in names {
            if self.get(name).is_some() {
                self.refuse(name, format!("is set without {other}, and would have no effect"));
            }
        }
    }

    /// What was read, unless something was wrong.
    ///
    /// # Errors
    /// All errors that were recorded.
    ///
    /// # Panics
    /// If nothing was read and no error was recorded: a fault of the reader.
    pub fn finish<T>(&self, read: Option<T>) -> Result<T, ConfigErrors> {
        let errors = self.errors.take();
        if errors.is_empty() {
            return Ok(read.expect("a reader records why it read nothing"));
        }
        Err(ConfigErrors { errors, warnings: Vec::new() })
    }

    /// The names that readers have asked for.
    pub fn known(&self) -> BTreeSet<&'static str> {
        self.known.borrow().clone()
    }

    /// The names that are set.
    pub fn set(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
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
        let read = |value: &str, default| {
            let vars = Variables::new([("WORKER", value)]);
            let switch = vars.switch("WORKER", default);
            vars.finish(Some(switch)).map_err(|error| error.to_string())
        };
        assert_eq!((read("", true), read(" ", false)), (Ok(true), Ok(false)));
        assert_eq!((read("on", false), read(" off ", true)), (Ok(true), Ok(false)));
        assert_eq!(read("maybe", true), Err("WORKER: is 'on' or 'off', not 'maybe'".to_owned()));
    }

    #[test]
    fn all_errors_are_reported_together() {
        let vars = Variables::new([("A", "x"), ("B", "9"), ("C", "set"), ("G", "1")]);
        let _: u16 = vars.parsed("A", 1, "a number");
        let _ = vars.number("B", 2, 1..=4);
        assert_eq!(vars.all_or_none(["C", "D", "E"]), None);
        assert_eq!(vars.needed("F", "is missing"), None);
        vars.refuse_without("H", &["G", "I"]);
        let errors = vars.finish(Some(())).unwrap_err().to_string();
        assert_eq!(
            errors.lines().collect::<Vec<_>>(),
            [
                "A: is a number, not 'x'",
                "B: is a number from 1 to 4, not '9'",
                "D: is missing, though C is set",
                "E: is missing, though C is set",
                "F: is missing",
                "G: is set without H, and would have no effect",
            ]
        );
        assert_eq!(vars.known().into_iter().collect::<String>(), "ABCDEFGI");
    }

    #[test]
    fn variables_that_belong_together_are_read_together() {
        assert_eq!(Variables::new([("A", "1")]).all_or_none(["B", "C"]), None);
        let vars = Variables::new([("A", " 1 "), ("B", "2")]);
        assert_eq!(vars.all_or_none(["A", "B"]), Some(["1".to_owned(), "2".to_owned()]));
        assert!(vars.finish(Some(())).is_ok());
    }
}
