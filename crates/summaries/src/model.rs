//! The values of the domain.

use std::{ops::Range, str::FromStr};

use kernel::{SummaryId, Timestamp};

/// How many summaries of one member are under way at a time.
pub const AT_A_TIME: u64 = 2;
/// How many summaries of all members are under way at a time.
pub const SITE_QUEUE: u64 = 100;
/// How many summaries a page of the list has, unless more or fewer are asked for.
pub const SUMMARIES_PAGE: usize = 20;
/// The longest title, in characters.
pub const TITLE_MAX: usize = 200;

/// A range of the source's text, in bytes; both ends lie between characters.
pub type Passage = Range<usize>;

/// The text is no word by which a value of the domain is stored.
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
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word by which it is stored and told.
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
    /// What is summarised.
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
    /// Where a summary stands.
    SummaryState {
        /// It waits.
        Queued = "queued",
        /// Its page is fetched.
        Fetching = "fetching",
        /// Its document is read.
        Reading = "reading",
        /// The key ideas are found.
        Summarising = "summarising",
        /// It is made.
        Done = "done",
        /// It could not be made.
        Failed = "failed",
    }
}

impl SummaryState {
    /// Whether work on it is under way or waits.
    pub const fn is_unfinished(self) -> bool {
        !matches!(self, Self::Done | Self::Failed)
    }
}

words! {
    /// What wrote a summary.
    Engine {
        /// The engine of the server itself: it chooses sentences.
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
        /// The page is not on the public web.
        ForbiddenAddress = "forbidden_address",
        /// It is neither text nor a document that can be read.
        NotText = "not_text",
        /// It is larger than is read.
        TooLarge = "too_large",
        /// It took too long.
        TooSlow = "too_slow",
        /// The file can't be read.
        Unreadable = "unreadable",
        /// The file is protected.
        Encrypted = "encrypted",
        /// A PDF of pictures of pages.
        Scanned = "scanned",
        /// There is too little text.
        NoText = "no_text",
        /// The server was interrupted.
        Interrupted = "interrupted",
    }
}

/// What a summary is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummarySource {
    /// Page, file or text.
    pub kind: SourceKind,
    /// The page's host, the file's name, or a name of the text.
    pub name: String,
    /// The page's address.
    pub url: Option<String>,
}

/// A language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryLanguage {
    /// Its code, as in `en`.
    pub code: String,
    /// Its English name.
    pub name: String,
}

/// Why a summary could not be made, for its member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryFailure {
    /// The kind of failure.
    pub code: FailureCode,
    /// What happened and what to do, in a sentence.
    pub text: String,
}

/// A member's summary, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSummary {
    /// Its id.
    pub id: SummaryId,
    /// Its name.
    pub title: String,
    /// What it is of.
    pub source: SummarySource,
    /// Where it stands.
    pub state: SummaryState,
    /// What wrote it, once it is made.
    pub engine: Option<Engine>,
    /// Whether the model could not be reached, and the built-in engine wrote it.
    pub fell_back: bool,
    /// The source's language, where it is certain.
    pub language: Option<SummaryLanguage>,
    /// The words of its key ideas.
    pub words: Option<u32>,
    /// How many key ideas it has.
    pub idea_count: Option<u32>,
    /// Why it failed.
    pub failure: Option<SummaryFailure>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was made or failed.
    pub done_at: Option<Timestamp>,
}

/// A key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyIdea {
    /// A title of a few words. The built-in engine takes it from the source.
    pub title: String,
    /// The text. The built-in engine's is its passages, with line breaks replaced by spaces.
    pub text: String,
    /// Whether it cites passages of the source; readers are told of one that does not.
    pub is_supported: bool,
    /// Where it comes from, in the order of the source; no two overlap.
    pub passages: Vec<Passage>,
    /// Quotations that stand in the source letter for letter. The built-in engine names none: all of its text is quoted.
    pub quotations: Vec<Passage>,
}

/// A summary's ideas and the text that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryText {
    /// The source's text: paragraphs with a blank line between them.
    pub text: String,
    /// Its headings, in order.
    pub headings: Vec<Passage>,
    /// The key ideas.
    pub ideas: Vec<KeyIdea>,
}

/// A summary that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSummary {
    /// The request's key: the same key is the same summary.
    pub key: Option<String>,
    /// Its name until the source states one.
    pub title: String,
    /// What it is of.
    pub source: SummarySource,
    /// The bytes of the file or of the text; `None`: they are fetched.
    pub document: Option<Vec<u8>>,
}

/// What is to be read for a summary under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingSource {
    /// What it is.
    pub source: SummarySource,
    /// Its bytes, unless they are fetched.
    pub document: Option<Vec<u8>>,
}

/// A summary that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSummary {
    /// The name that the source states.
    pub title: Option<String>,
    /// What wrote it.
    pub engine: Engine,
    /// Whether the model could not be reached.
    pub fell_back: bool,
    /// The source's language.
    pub language: Option<SummaryLanguage>,
    /// Ideas and source.
    pub text: SummaryText,
}

impl FinishedSummary {
    /// The words of the key ideas.
    pub fn words(&self) -> u32 {
        let words = self.text.ideas.iter().map(|idea| idea.text.split_whitespace().count()).sum::<usize>();
        u32::try_from(words).unwrap_or(u32::MAX)
    }
}

/// A title as it is kept: without blanks at its ends, at most [`TITLE_MAX`] characters; `None` when it is blank.
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
    fn titles_are_one_line_of_bounded_length() {
        assert_eq!(shortened(" On \n Walden ").as_deref(), Some("On Walden"));
        assert_eq!(shortened(" \t"), None);
        assert_eq!(shortened(&"é".repeat(300)).map(|title| title.chars().count()), Some(TITLE_MAX));
    }
}
