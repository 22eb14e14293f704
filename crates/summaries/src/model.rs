//! The values of members' summaries.

use std::{ops::Range, str::FromStr};

use kernel::{SummaryId, Timestamp, one_line};
use serde::{Deserialize, Serialize};

/// The most unfinished summaries of one member.
pub const AT_A_TIME: u64 = 2;
/// The most unfinished summaries of all members.
pub const SITE_QUEUE: u64 = 100;
/// The default page size of the list, in summaries.
pub const SUMMARIES_PAGE: usize = 20;
/// Words per minute of silent reading.
const WORDS_PER_MINUTE: u32 = 200;
/// The longest title, in characters.
pub const TITLE_MAX: usize = 200;

/// A range of the source's text, in bytes; both ends lie between characters.
pub type Passage = Range<usize>;

/// The error for a text that names no value of an enum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no word of a summary")]
pub struct UnknownWord(String);

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in storage and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or_else(|| UnknownWord(text.to_owned()))
            }
        }
    };
}

words! {
    /// The kind of source.
    SourceKind {
        /// A page of the web.
        Link = "link",
        /// A file that was uploaded.
        File = "file",
        /// Text that was pasted.
        Text = "text",
    }
}

words! {
    /// The state of a summary.
    SummaryState {
        /// It waits for a worker.
        Queued = "queued",
        /// Its page is fetched.
        Fetching = "fetching",
        /// Its document is read.
        Reading = "reading",
        /// The key ideas are found.
        Summarising = "summarising",
        /// It is finished.
        Done = "done",
        /// It failed.
        Failed = "failed",
    }
}

impl SummaryState {
    /// Whether the work on it is waiting or running.
    pub const fn is_unfinished(self) -> bool {
        !matches!(self, Self::Done | Self::Failed)
    }
}

words! {
    /// What wrote a summary.
    Engine {
        /// The built-in engine, which selects sentences of the source.
        BuiltIn = "built-in",
        /// A language model.
        Model = "model",
    }
}

words! {
    /// Why a summary could not be made.
    FailureCode {
        /// The page can't be reached.
        Unreachable = "unreachable",
        /// The page's URL does not lead to a public IP address.
        ForbiddenAddress = "forbidden_address",
        /// The source is neither text nor a supported document format.
        NotText = "not_text",
        /// The source exceeds the size limit.
        TooLarge = "too_large",
        /// Fetching or reading the source exceeded the time limit.
        TooSlow = "too_slow",
        /// The file is damaged, or the reader process failed on it.
        Unreadable = "unreadable",
        /// The file is encrypted.
        Encrypted = "encrypted",
        /// The PDF contains images of pages instead of text.
        Scanned = "scanned",
        /// The source has too little text.
        NoText = "no_text",
        /// The job failed on every attempt and became a dead letter.
        Interrupted = "interrupted",
    }
}

/// The source of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummarySource {
    pub kind: SourceKind,
    /// The page's host, the file's name, or a name for the text.
    pub name: String,
    /// The page's URL; `None` for a file or a text.
    pub url: Option<String>,
}

/// The language of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryLanguage {
    /// The language code, such as `en`.
    pub code: String,
    /// The English name.
    pub name: String,
}

/// Why a summary could not be made, for the member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryFailure {
    pub code: FailureCode,
    /// A message for the member: what happened and what to do.
    pub text: String,
}

/// A member's summary, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSummary {
    pub id: SummaryId,
    pub title: String,
    pub source: SummarySource,
    pub state: SummaryState,
    /// What wrote it; `None` until it is finished.
    pub engine: Option<Engine>,
    /// Whether the built-in engine wrote it because the model failed, or gave no supported idea.
    pub fell_back: bool,
    /// The source's language; `None` when it is uncertain.
    pub language: Option<SummaryLanguage>,
    /// The number of words of its key ideas; `None` until it is finished.
    pub words: Option<u32>,
    /// The number of key ideas; `None` until it is finished.
    pub idea_count: Option<u32>,
    /// `None` unless it failed.
    pub failure: Option<SummaryFailure>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it was finished or failed.
    pub done_at: Option<Timestamp>,
}

impl MemberSummary {
    /// The reading time in minutes; `None` until it is finished.
    pub fn minutes(&self) -> Option<u32> {
        self.words.map(|words| words.div_ceil(WORDS_PER_MINUTE))
    }
}

/// A key idea of a summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyIdea {
    /// A title of a few words. The built-in engine takes it from the source.
    pub title: String,
    /// The text. The built-in engine's is its passages, with line breaks replaced by spaces.
    pub text: String,
    /// Whether the passages that it cites support it; readers see a warning if not.
    #[serde(rename = "supported")]
    pub is_supported: bool,
    /// The passages that it comes from, in the order of the source; no two overlap.
    pub passages: Vec<Passage>,
    /// Verbatim quotations from the source. Empty for the built-in engine, whose whole text is quoted.
    pub quotations: Vec<Passage>,
}

/// A summary's key ideas and the text that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryText {
    /// The source's text: paragraphs with a blank line between them.
    pub text: String,
    /// The headings of the text, in order.
    pub headings: Vec<Passage>,
    pub ideas: Vec<KeyIdea>,
}

/// A request for a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSummary {
    /// The idempotency key of the request.
    pub key: Option<String>,
    /// The title until one is found in the source.
    pub title: String,
    pub source: SummarySource,
    /// The bytes of the file or of the text; `None`: they must be fetched.
    pub document: Option<Vec<u8>>,
}

/// The source of an unfinished summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingSource {
    pub source: SummarySource,
    /// Its bytes; `None`: they must be fetched.
    pub document: Option<Vec<u8>>,
}

/// A finished summary, to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSummary {
    /// The title that was found in the source; `None`: the earlier title stays.
    pub title: Option<String>,
    pub engine: Engine,
    /// Whether the built-in engine wrote it because the model failed, or gave no supported idea.
    pub fell_back: bool,
    /// The source's language; `None` when it is uncertain.
    pub language: Option<SummaryLanguage>,
    pub text: SummaryText,
}

impl SummaryText {
    /// Whether headings, passages and quotations lie in the text, between characters, and neither headings nor the passages of an
    /// idea overlap.
    pub fn is_consistent(&self) -> bool {
        let are_within = |passages: &[Passage]| {
            passages.iter().all(|passage| passage.start < passage.end && self.text.get(passage.clone()).is_some())
        };
        let are_in_order = |passages: &[Passage]| passages.windows(2).all(|pair| pair[0].end <= pair[1].start);
        let is_cited =
            |idea: &KeyIdea| are_within(&idea.passages) && are_in_order(&idea.passages) && are_within(&idea.quotations);
        are_within(&self.headings) && are_in_order(&self.headings) && self.ideas.iter().all(is_cited)
    }
}

impl FinishedSummary {
    /// The number of words of the key ideas.
    pub fn words(&self) -> u32 {
        let words = self.text.ideas.iter().map(|idea| idea.text.split_whitespace().count()).sum::<usize>();
        u32::try_from(words).unwrap_or(u32::MAX)
    }
}

/// A finished summary of an imported archive (`identity.account-import`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedSummary {
    pub title: String,
    pub source: SummarySource,
    pub engine: Engine,
    pub fell_back: bool,
    pub language: Option<SummaryLanguage>,
    pub text: SummaryText,
    /// When it was requested. With the source it says which summary it is.
    pub created_at: Timestamp,
    pub done_at: Timestamp,
}

/// By what a summary of an archive is known to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSummary {
    pub id: SummaryId,
    kind: SourceKind,
    /// On one line, as archives have it.
    name: String,
    url: Option<String>,
    created_at: Timestamp,
}

impl KnownSummary {
    pub(crate) fn new(id: SummaryId, source: &SummarySource, created_at: Timestamp) -> Self {
        let SummarySource { kind, name, url } = source;
        Self { id, kind: *kind, name: one_line(name), url: url.clone(), created_at }
    }

    /// Whether it is the one of this source that was requested at this moment.
    pub(crate) fn is_of(&self, source: &SummarySource, created_at: Timestamp) -> bool {
        let SummarySource { kind, name, url } = source;
        (self.kind, &self.url, self.created_at) == (*kind, url, created_at) && self.name == one_line(name)
    }
}

/// A title on one line, cut to [`TITLE_MAX`] characters; `None` when it is blank.
pub(crate) fn shortened(title: &str) -> Option<String> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(TITLE_MAX).collect();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for state in SummaryState::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
        assert!("lost".parse::<SummaryState>().is_err());
        let unfinished: Vec<_> = SummaryState::ALL.iter().filter(|state| state.is_unfinished()).collect();
        assert_eq!(unfinished.len(), 4);
    }

    #[test]
    fn a_text_is_consistent_while_its_passages_are_in_it() {
        let ranges = |ranges: &[(usize, usize)]| ranges.iter().map(|(start, end)| *start..*end).collect::<Vec<_>>();
        let text =
            |headings: &[(usize, usize)], passages: &[(usize, usize)], quotations: &[(usize, usize)]| SummaryText {
                text: "Wände. A small house.".to_owned(),
                headings: ranges(headings),
                ideas: vec![KeyIdea {
                    title: "Walls".to_owned(),
                    text: "A small house.".to_owned(),
                    is_supported: true,
                    passages: ranges(passages),
                    quotations: ranges(quotations),
                }],
            };
        assert!(text(&[(0, 7)], &[(8, 22)], &[(10, 15), (8, 9)]).is_consistent());
        assert!(SummaryText::default().is_consistent());
        for wrong in [
            text(&[(0, 2)], &[], &[]),
            text(&[(8, 9), (0, 1)], &[], &[]),
            text(&[(3, 3)], &[], &[]),
            text(&[], &[(8, 23)], &[]),
            text(&[], &[(8, 12), (11, 15)], &[]),
            text(&[], &[], &[(2, 5)]),
        ] {
            assert!(!wrong.is_consistent(), "{wrong:?}");
        }
    }

    #[test]
    fn titles_are_one_line_of_bounded_length() {
        assert_eq!(shortened(" On \n Walden ").as_deref(), Some("On Walden"));
        assert_eq!(shortened(" \t"), None);
        assert_eq!(shortened(&"é".repeat(300)).map(|title| title.chars().count()), Some(TITLE_MAX));
    }
}
