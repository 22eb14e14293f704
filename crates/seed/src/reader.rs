//! Reading seed files: values out of them, and the list of what is wrong.

use std::{collections::BTreeSet, fmt::Display};

use anyhow::bail;
use jiff::{civil::Date, tz::TimeZone};
use kernel::{DAY, Slug, Timestamp};
use serde::de::DeserializeOwned;

use super::files::Files;

/// Reads a set of files, and notes what is wrong in them.
pub(super) struct Reader<'a> {
    pub(super) files: &'a Files,
    /// The keys of the files that belong to the object store.
    pub(super) keys: BTreeSet<String>,
    problems: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Of these files.
    pub(super) const fn new(files: &'a Files) -> Self {
        Self { files, keys: BTreeSet::new(), problems: Vec::new() }
    }

    /// Fails when something was wrong.
    ///
    /// # Errors
    /// One text with all that is wrong, a line each: the file, the field, and what is the matter.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.problems.is_empty() {
            return Ok(());
        }
        bail!("the content can't be loaded:\n  {}", self.problems.join("\n  "))
    }

    /// Notes what is wrong: the file, the field, and what is the matter.
    pub(super) fn problem(&mut self, path: &str, field: &str, what: impl Display) {
        self.problems.push(format!("{path}: {field}: {what}"));
    }

    /// A TOML file; nothing when it is not there or not right.
    pub(super) fn toml<T: DeserializeOwned>(&mut self, path: &str) -> anyhow::Result<Option<T>> {
        let Some(text) = self.files.text(path)? else { return Ok(None) };
        match toml::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                // The message names the field; its picture of the line would break the list.
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                self.problems.push(format!("{path}: line {line}: {}", error.message()));
                Ok(None)
            }
        }
    }

    /// A slug; nothing when the text is none.
    pub(super) fn slug(&mut self, path: &str, field: &str, text: &str) -> Option<Slug> {
        let slug = Slug::parse(text);
        if let Err(error) = &slug {
            self.problem(path, field, format!("'{text}': {error}"));
        }
        slug.ok()
    }

    /// Those of the texts that are slugs.
    pub(super) fn slugs(&mut self, path: &str, field: &str, texts: &[String]) -> Vec<Slug> {
        texts.iter().filter_map(|text| self.slug(path, field, text)).collect()
    }

    /// The beginning of a day, in UTC, or a moment; nothing when the text is neither.
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

/// A moment as [`Reader::date`] reads it: a day where it is the beginning of one.
pub(super) fn date_text(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or_default();
    if at.millis() % DAY == 0 { moment.to_zoned(TimeZone::UTC).date().to_string() } else { moment.to_string() }
}
