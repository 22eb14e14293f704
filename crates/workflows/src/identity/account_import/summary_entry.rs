//! Own summaries.

use std::ops::Range;

use serde::Deserialize;
use summaries::{ImportedSummary, KeyIdea, SourceKind, SummaryLanguage, SummarySource, SummaryText};
use url::Url;

use super::entry::{EntryError, Moment, name_from};
use kernel::Timestamp;

/// The largest text of a summary, in bytes: as much as is read of a file.
const TEXT_BYTES: usize = 20 * 1024 * 1024;
/// The most key ideas of a summary, and the most headings of its text.
const MAX_IDEAS: usize = 500;
/// How many times as much as there is in the text its ideas cite and quote at most: a page shows all of it.
const MAX_CITED: usize = 4;

#[derive(Debug, Deserialize)]
struct SourceFields {
    kind: String,
    name: String,
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
struct LanguageFields {
    code: String,
    name: String,
}

/// An own summary.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SummaryEntry {
    /// Its id where the archive was made.
    pub(super) id: i64,
    title: String,
    source: SourceFields,
    engine: Option<String>,
    fell_back: bool,
    language: Option<LanguageFields>,
    #[serde(default)]
    ideas: Vec<KeyIdea>,
    #[serde(default)]
    headings: Vec<Range<usize>>,
    source_text: Option<String>,
    at: Moment,
    done_at: Option<Moment>,
}

impl SummaryEntry {
    /// The finished summary; `None`: it was not finished.
    pub(super) fn finished(self, now: Timestamp) -> Result<Option<ImportedSummary>, EntryError> {
        let (Some(text), Some(engine)) = (self.source_text, self.engine) else { return Ok(None) };
        let kind: SourceKind = self.source.kind.parse().map_err(|_| EntryError::Unreadable)?;
        let text = SummaryText { text, headings: self.headings, ideas: self.ideas };
        let cited = text.ideas.iter().flat_map(|idea| idea.passages.iter().chain(&idea.quotations));
        let cited = cited.fold(0_usize, |sum, passage| sum.saturating_add(passage.len()));
        let is_too_large = text.text.len() > TEXT_BYTES
            || text.ideas.len().max(text.headings.len()) > MAX_IDEAS
            || cited > text.text.len().saturating_mul(MAX_CITED);
        if is_too_large || text.ideas.is_empty() || !text.is_consistent() {
            return Err(EntryError::Unreadable);
        }
        let name = |text: &str| name_from(text).unwrap_or_default();
        let language =
            self.language.map(|language| SummaryLanguage { code: name(&language.code), name: name(&language.name) });
        // The page of a summary links to it.
        let is_page = |url: &Url| matches!(url.scheme(), "http" | "https");
        let url = self.source.url.and_then(|url| Url::parse(&url).ok()).filter(is_page);
        let created_at = self.at.until(now);
        Ok(Some(ImportedSummary {
            title: self.title,
            source: SummarySource { kind, name: name(&self.source.name), url: url.map(String::from) },
            engine: engine.parse().map_err(|_| EntryError::Unreadable)?,
            fell_back: self.fell_back,
            language,
            text,
            created_at,
            done_at: self.done_at.map_or(created_at, |at| at.until(now)),
        }))
    }
}
