//! Members' own summaries on the wire. Offsets are in UTF-16 code units of the source's text, as in JavaScript.

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};
use kernel::{Limit, SummaryId};
use serde::{Deserialize, Serialize};
use summaries::{KeyIdea, MemberSummary, Passage, SUMMARIES_PAGE, SummaryText};
use utoipa::{IntoParams, ToSchema};

/// A page to be summarised.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UrlBody {
    /// Its address.
    #[serde(default)]
    pub url: String,
}

/// A text to be summarised.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TextBody {
    /// The text, at most 1,000,000 characters.
    pub text: String,
    /// Its name; its first words otherwise.
    pub title: Option<String>,
}

/// A file to be summarised.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes a multipart body")]
pub struct FileForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Another title.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TitleBody {
    /// 1 to 200 characters.
    pub title: String,
}

/// A page of the member's summaries.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SummariesParams {
    /// Words of title, source or ideas; all of them must be there.
    q: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = "^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
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

/// What a summary is of.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummarySourceItem {
    /// `link`, `file` or `text`.
    kind: &'static str,
    /// The page's host, the file's name, or a name of the text.
    name: String,
    /// The page's address.
    url: Option<String>,
}

/// A language.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryLanguageItem {
    /// Its code by ISO 639-3, as in `eng`.
    code: String,
    /// Its English name.
    name: String,
}

/// Why a summary could not be made.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryFailureItem {
    /// The kind of failure.
    code: &'static str,
    /// What happened and what to do, in a sentence.
    text: String,
}

/// A member's summary, without its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSummaryItem {
    /// Its id.
    id: i64,
    /// Its name.
    title: String,
    /// What it is of.
    source: SummarySourceItem,
    /// `queued`, `fetching`, `reading`, `summarising`, `done` or `failed`.
    state: &'static str,
    /// What wrote it: `built-in` or `model`.
    engine: Option<&'static str>,
    /// Whether the model could not be reached, and the built-in engine wrote it.
    fell_back: bool,
    /// The source's language, where it is certain.
    language: Option<SummaryLanguageItem>,
    /// The words of its key ideas.
    words: Option<u32>,
    /// How long it takes to read, in minutes.
    minutes: Option<u32>,
    /// How many key ideas it has.
    idea_count: Option<u32>,
    /// Why it could not be made.
    error: Option<SummaryFailureItem>,
    /// When it was asked for, in milliseconds since 1970.
    created_at: i64,
    /// When it was made or failed, in milliseconds since 1970.
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

/// One summary.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryResult {
    /// The summary.
    pub summary: MemberSummaryItem,
}

/// A page of summaries.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummariesResult {
    /// The newest first.
    pub summaries: Vec<MemberSummaryItem>,
    /// Where the list goes on.
    pub next: Option<String>,
    /// How many there are in all pages.
    pub total: u64,
}

/// A range of the source's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PassageItem {
    /// Where it begins.
    start: u32,
    /// Where it ends, exclusive.
    end: u32,
    /// What stands there.
    text: String,
}

/// A key idea.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyIdeaItem {
    /// Its place, from 0.
    id: usize,
    /// Its title.
    title: String,
    /// Its text.
    text: String,
    /// Whether it names passages of the source.
    supported: bool,
    /// Where it comes from, in the order of the source.
    passages: Vec<PassageItem>,
    /// Quotations that stand in the source letter for letter.
    quotations: Vec<PassageItem>,
}

/// A paragraph of the source.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceParagraph {
    /// Where it begins.
    start: u32,
    /// Its text.
    text: String,
    /// Whether it is a heading.
    heading: bool,
}

/// A summary with its ideas, as the calls that ask for one answer it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryWithIdeas {
    /// The summary.
    #[serde(flatten)]
    summary: MemberSummaryItem,
    /// Its key ideas; null while it is being made.
    ideas: Option<Vec<KeyIdeaItem>>,
}

/// The summary that a call asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct AskedSummary {
    /// The summary, finished or under way.
    summary: SummaryWithIdeas,
}

impl AskedSummary {
    /// A summary for the member who asked for it, with its ideas if `text` is given.
    pub(super) fn new(summary: &MemberSummary, text: Option<&SummaryText>) -> Self {
        let ShownSummary { summary, ideas, .. } = ShownSummary::new(summary, text);
        Self { summary: SummaryWithIdeas { summary, ideas } }
    }
}

/// A summary with its ideas and its source's text.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownSummary {
    /// The summary.
    summary: MemberSummaryItem,
    /// Its key ideas, once it is made.
    ideas: Option<Vec<KeyIdeaItem>>,
    /// The source's text, once it is made.
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
