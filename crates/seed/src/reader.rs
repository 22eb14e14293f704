//! Reads seed files: parses values and collects problems.

use std::{collections::BTreeSet, fmt::Display};

use anyhow::bail;
use jiff::{civil::Date, tz::TimeZone};
use kernel::{DAY, Slug, Timestamp};
use serde::de::DeserializeOwned;

use super::files::Files;

/// Reads a set of files and collects the problems in them.
pub(super) struct Reader<'a> {
    pub(super) files: &'a Files,
    /// The object store keys that the files name.
    pub(super) keys: BTreeSet<String>,
    problems: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(files: &'a Files) -> Self {
        Self { files, keys: BTreeSet::new(), problems: Vec::new() }
    }

    /// Fails if there was a problem.
    ///
    /// # Errors
    /// One text that lists all problems, one per line: file, field and problem.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.problems.is_empty() {
            return Ok(());
        }
        bail!("the content can't be loaded:\n  {}", self.problems.join("\n  "))
    }

    /// Records a problem.
    pub(super) fn problem(&mut self, path: &str, field: &str, what: impl Display) {
        self.problems.push(format!("{path}: {field}: {what}"));
    }

    /// Parses a TOML file. `None` if it is missing, or invalid, which is recorded as a problem.
    pub(super) fn toml<T: DeserializeOwned>(&mut self, path: &str) -> anyhow::Result<Option<T>> {
        let Some(text) = self.files.text(path)? else { return Ok(None) };
        match toml::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                // The message names the field. The error's excerpt of the line has several lines, which would break the list.
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                self.problems.push(format!("{path}: line {line}: {}", error.message()));
                Ok(None)
            }
        }
    }

    /// A slug. `None` if the text is not one, which is recorded as a problem.
    pub(super) fn slug(&mut self, path: &str, field: &str, text: &str) -> Option<Slug> {
        let slug = Slug::parse(text);
        if let Err(error) = &slug {
            self.problem(path, field, format!("'{text}': {error}"));
        }
        slug.ok()
    }

    /// The texts that are slugs; every other one is recorded as a problem.
    pub(super) fn slugs(&mut self, path: &str, field: &str, texts: &[String]) -> Vec<Slug> {
        texts.iter().filter_map(|text| self.slug(path, field, text)).collect()
    }

    /// A date (its first moment in UTC) or a time. `None` if the text is neither, which is recorded as a problem.
    pub(super) fn date(&mut self, path: &str, field: &str, text: &str) -> Option<Timestamp> {
        let at = if text.contains('T') {
            text.parse::<jiff::Timestamp>()
        } else {
            text.parse::<Date>().and_then(|date| date.to_zoned(TimeZone::UTC)).map(|day| day.timestamp())
        };
        if at.is_err() {
            self.problem(
                path,
                field,
                format!("'{text}' is not a date like 2026-03-14, nor a moment like 2026-03-14T09:26:53Z"),
            );
        }
        at.ok().map(|at| Timestamp::from_millis(at.as_millisecond()))
    }
}

/// Formats a time for [`Reader::date`]: as a date if it is midnight in UTC.
pub(super) fn date_text(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or_default();
    if at.millis() % DAY == 0 { moment.to_zoned(TimeZone::UTC).date().to_string() } else { moment.to_string() }
}
