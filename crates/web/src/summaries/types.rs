//! Members' own summaries on the wire. Offsets are in UTF-16 code units of the source's text, as in JavaScript.

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};
use kernel::{Limit, SummaryId};
use serde::{Deserialize, Serialize};
use summaries::{KeyIdea, MemberSummary, Passage, SUMMARIES_PAGE, SummaryText};
use utoipa::{IntoParams, ToSchema};

/// The body of a request to summarize a web page.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UrlBody {
    /// The URL of the page. Without a scheme, `https://` is assumed.
    #[serde(default)]
    pub url: String,
}

/// The body of a request to summarize a text.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TextBody {
    /// The text, at most 1,000,000 characters.
    pub text: String,
    /// The title. Default: the first line, or its first words if it is long.
    pub title: Option<String>,
}

/// The body of a request to summarize a file.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes a multipart body")]
pub struct FileForm {
    /// The file: PDF, EPUB, Word (DOCX), HTML, Markdown or text, at most 25 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// The body of a title change.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TitleBody {
    /// The new title, 1 to 200 characters.
    pub title: String,
}

/// Query parameters of the list of the member's summaries: search text and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SummariesParams {
    /// Words that must all occur in the title, the source's name or the key ideas.
    q: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = "^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl SummariesParams {
    /// Parses and validates the parameters: search text, cursor and limit.
    pub(super) fn read(&self) -> Result<(String, Option<SummaryId>, Limit), ApiError> {
        let search = given(self.q.as_deref()).unwrap_or_default().to_owned();
        Ok((search, after(self.after.as_deref())?, limit(self.limit, SUMMARIES_PAGE, Limit::MAX)?))
    }
}

/// The source of a summary.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummarySourceItem {
    /// The kind of source: `link`, `file` or `text`.
    kind: &'static str,
    /// The host of the page, the name of the file, or a name for the text.
    name: String,
    /// The URL of the page; null for a file or a text.
    url: Option<String>,
}

/// A language.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryLanguageItem {
    /// The ISO 639-3 code, such as `eng`.
    code: String,
    /// The English name.
    name: String,
}

/// The reason why a summary failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryFailureItem {
    /// The kind of failure.
    code: &'static str,
    /// A message for the member: what happened and what to do.
    text: String,
}

/// A member's summary, without its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSummaryItem {
    /// The id of the summary.
    id: i64,
    /// The title.
    title: String,
    /// The source.
    source: SummarySourceItem,
    /// The state: `queued`, `fetching`, `reading`, `summarising`, `done` or `failed`.
    state: &'static str,
    /// The engine that wrote it: `built-in` or `model`; null until it is finished.
    engine: Option<&'static str>,
    /// Whether the built-in engine wrote it because the model failed or gave no supported idea.
    fell_back: bool,
    /// The language of the source; null if uncertain.
    language: Option<SummaryLanguageItem>,
    /// The number of words of the key ideas; null until it is finished.
    words: Option<u32>,
    /// The reading time, in minutes; null until it is finished.
    minutes: Option<u32>,
    /// The number of key ideas; null until it is finished.
    idea_count: Option<u32>,
    /// The reason why it failed; null if it has not.
    error: Option<SummaryFailureItem>,
    /// When it was requested, in milliseconds since the Unix epoch.
    created_at: i64,
    /// When it finished or failed, in milliseconds since the Unix epoch; null until then.
    done_at: Option<i64>,
}

impl From<&MemberSummary> for MemberSummaryItem {
    fn from(summary: &MemberSummary) -> Self {
        let source = &summary.source;
        Self {
            id: summary.id.get(),
            title: summary.title.clone(),
            source: SummarySourceItem {
                kind: source.kind.as_str(),
                name: source.name.clone(),
                url: source.url.clone(),
            },
            state: summary.state.as_str(),
            engine: summary.engine.map(summaries::Engine::as_str),
            fell_back: summary.fell_back,
            language: summary
                .language
                .clone()
                .map(|language| SummaryLanguageItem { code: language.code, name: language.name }),
            words: summary.words,
            minutes: summary.minutes(),
            idea_count: summary.idea_count,
            error: summary
                .failure
                .as_ref()
                .map(|failure| SummaryFailureItem { code: failure.code.as_str(), text: failure.text.clone() }),
            created_at: summary.created_at.millis(),
            done_at: summary.done_at.map(kernel::Timestamp::millis),
        }
    }
}

/// The result of requests for a summary.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryResult {
    /// The summary.
    pub summary: MemberSummaryItem,
}

/// A page of summaries.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummariesResult {
    /// The summaries, newest first.
    pub summaries: Vec<MemberSummaryItem>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
    /// The number of summaries on all pages.
    pub total: u64,
}

/// A passage of the source's text. Offsets are in UTF-16 code units, as in JavaScript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PassageItem {
    /// The offset of its start.
    start: u32,
    /// The offset of its end, exclusive.
    end: u32,
    /// The text of the passage.
    text: String,
}

/// A key idea.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyIdeaItem {
    /// The index of the key idea, from 0.
    id: usize,
    /// The title.
    title: String,
    /// The text.
    text: String,
    /// Whether the cited passages support it.
    supported: bool,
    /// The passages that it comes from, in the order of the source.
    passages: Vec<PassageItem>,
    /// Verbatim quotations from the source.
    quotations: Vec<PassageItem>,
}

/// A paragraph of the source.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceParagraph {
    /// The offset of its start in the source's text, in UTF-16 code units.
    start: u32,
    /// The text of the paragraph.
    text: String,
    /// Whether it is a heading.
    heading: bool,
}

/// A summary with its key ideas.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryWithIdeas {
    /// The summary.
    #[serde(flatten)]
    summary: MemberSummaryItem,
    /// The key ideas; null until it is finished.
    ideas: Option<Vec<KeyIdeaItem>>,
}

/// The requested summary.
#[derive(Debug, Serialize, ToSchema)]
pub struct AskedSummary {
    /// The summary, finished or in progress.
    summary: SummaryWithIdeas,
}

impl AskedSummary {
    /// A summary for the member who asked for it, with its ideas if `text` is given.
    pub(super) fn new(summary: &MemberSummary, text: Option<&SummaryText>) -> Self {
        let ShownSummary { summary, ideas, .. } = ShownSummary::new(summary, text);
        Self { summary: SummaryWithIdeas { summary, ideas } }
    }
}

/// A summary with its key ideas and the text of its source.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownSummary {
    /// The summary.
    summary: MemberSummaryItem,
    /// The key ideas; null until it is finished.
    ideas: Option<Vec<KeyIdeaItem>>,
    /// The paragraphs of the source's text; null until it is finished.
    text: Option<Vec<SourceParagraph>>,
}

impl ShownSummary {
    /// A summary for its member, with its ideas and source text if `text` is given.
    pub(super) fn new(summary: &MemberSummary, text: Option<&SummaryText>) -> Self {
        let offsets = text.map(|text| Utf16Offsets::new(&text.text));
        let shown = text.zip(offsets.as_ref());
        Self {
            summary: summary.into(),
            ideas: shown.map(|(SummaryText { ideas, text, .. }, offsets)| {
                ideas.iter().enumerate().map(|(id, idea)| key_idea(id, idea, text, offsets)).collect()
            }),
            text: shown.map(|(text, offsets)| paragraphs(text, offsets)),
        }
    }
}

/// Converts byte offsets in a text to UTF-16 offsets.
struct Utf16Offsets(Vec<(usize, u32)>);

impl Utf16Offsets {
    /// Builds the table. Byte and UTF-16 offsets diverge only at non-ASCII characters, so it has one row per such character.
    fn new(text: &str) -> Self {
        let mut table = vec![(0, 0)];
        let mut units = 0;
        for (start, c) in text.char_indices() {
            units += u32::try_from(c.len_utf16()).unwrap_or(1);
            if !c.is_ascii() {
                table.push((start + c.len_utf8(), units));
            }
        }
        Self(table)
    }

    fn of(&self, byte: usize) -> u32 {
        let row = self.0.partition_point(|(start, _)| *start <= byte).saturating_sub(1);
        let (start, units) = self.0[row];
        units + u32::try_from(byte - start).unwrap_or(u32::MAX)
    }
}

/// A key idea with its passages of the source.
fn key_idea(id: usize, idea: &KeyIdea, source: &str, offsets: &Utf16Offsets) -> KeyIdeaItem {
    let passage = |passage: &Passage| PassageItem {
        start: offsets.of(passage.start),
        end: offsets.of(passage.end),
        text: source.get(passage.clone()).unwrap_or_default().to_owned(),
    };
    KeyIdeaItem {
        id,
        title: idea.title.clone(),
        text: idea.text.clone(),
        supported: idea.is_supported,
        passages: idea.passages.iter().map(passage).collect(),
        quotations: idea.quotations.iter().map(passage).collect(),
    }
}

/// Splits a text into paragraphs at blank lines.
fn paragraphs(text: &SummaryText, offsets: &Utf16Offsets) -> Vec<SourceParagraph> {
    let mut start = 0;
    let mut found = Vec::new();
    for part in text.text.split("\n\n") {
        let heading = text.headings.iter().any(|heading| heading.start == start && heading.end == start + part.len());
        if !part.trim().is_empty() {
            found.push(SourceParagraph { start: offsets.of(start), text: part.to_owned(), heading });
        }
        start += part.len() + 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use summaries::SummaryText;

    use super::{Utf16Offsets, paragraphs};

    proptest! {
        #[test]
        fn offsets_are_those_of_javascript(text in any::<String>()) {
            let offsets = Utf16Offsets::new(&text);
            for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let units = text[..byte].encode_utf16().count();
                prop_assert_eq!(offsets.of(byte) as usize, units);
            }
        }
    }

    #[test]
    fn paragraphs_know_where_they_begin() {
        let text = SummaryText {
            text: "Été 🌲\n\nOne.\nTwo.\n\n\n\nEnd".to_owned(),
            headings: std::iter::once(0..10).collect(),
            ideas: Vec::new(),
        };
        let found = paragraphs(&text, &Utf16Offsets::new(&text.text));
        let found: Vec<_> = found.iter().map(|one| (one.start, one.text.as_str(), one.heading)).collect();
        assert_eq!(found, [(0, "Été 🌲", true), (8, "One.\nTwo.", false), (21, "End", false)]);
    }
}
