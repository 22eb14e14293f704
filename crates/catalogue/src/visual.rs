//! Illustrated key ideas of a book (`member.md` §3, Visual).

use kernel::{BookId, VisualId};

use crate::BookCard;

/// The most words that a key idea's text has: what stands beside a picture without scrolling.
pub const VISUAL_WORDS: usize = 90;
/// How long an illustrated summary is said to take, in minutes (`member.md §9`).
pub const VISUALS_READ_MINUTES: u32 = 5;

/// One illustrated key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visual {
    /// Its number.
    pub id: VisualId,
    /// What editors wrote.
    pub draft: VisualDraft,
}

/// What editors write of a key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualDraft {
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store.
    pub image: String,
}

/// A book's key ideas in their order, and the pictures that are made of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualsDraft {
    /// The key ideas.
    pub ideas: Vec<VisualDraft>,
    /// The key of the picture that lists show, which anybody may see.
    pub image: String,
    /// The key of the infographic.
    pub infographic: String,
    /// The key of the infographic's thumbnail, which anybody may see.
    pub infographic_thumb: String,
}

/// A book with illustrated key ideas, as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct VisualBook {
    /// The number of its first key idea.
    pub id: VisualId,
    /// The book.
    pub card: BookCard,
    /// The pictures of all of its ideas.
    pub pictures: VisualSet,
}

/// The pictures that are made of all of a book's key ideas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualSet {
    /// The book's number.
    pub book: BookId,
    /// The key of the picture that lists show, which anybody may see.
    pub image: String,
    /// The key of the infographic.
    pub infographic: String,
    /// The key of the infographic's thumbnail, which anybody may see.
    pub infographic_thumb: String,
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_illustrated_summary_takes_five_minutes() {
        assert_eq!(super::VISUALS_READ_MINUTES, 5);
    }

    #[test]
    fn a_key_idea_has_ninety_words_at_most() {
        assert_eq!(super::VISUAL_WORDS, 90);
    }
}
