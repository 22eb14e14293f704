//! Illustrated key ideas of a book (`catalogue.visual-rights`).

use kernel::{BookId, VisualId};

use crate::BookCard;

/// The most words that a key idea's text has: what stands beside a picture without scrolling.
pub const VISUAL_WORDS: usize = 90;
/// How long an illustrated summary is said to take, in minutes (`catalogue.visuals-list`).
pub const VISUALS_READ_MINUTES: u32 = 5;

/// One illustrated key idea, as readers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visual {
    /// Its number.
    pub id: VisualId,
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store.
    pub image: String,
}

/// What is written of a key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualDraft {
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store. Without one readers do not see the idea.
    pub image: Option<String>,
    /// What the infographic shows of it.
    pub drawing: Option<IdeaDrawing>,
}

/// What is drawn of a key idea, in the words of the crate that draws: this one does not read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaDrawing {
    /// What it shows, as JSON.
    pub motif: String,
    /// What that stands on.
    pub ground: String,
}

/// A key idea as editors see it. Without a picture readers do not see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedVisual {
    /// Its number.
    pub id: VisualId,
    /// The book's number.
    pub book: BookId,
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// What the infographic shows of it.
    pub drawing: Option<IdeaDrawing>,
}

/// A book's key ideas in their order, and the pictures that are made of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualsDraft {
    /// The key ideas.
    pub ideas: Vec<VisualDraft>,
    /// The key of the picture that lists show, which anybody may see; `None` while no key idea has a picture.
    pub image: Option<String>,
    /// The key of the drawn infographic; `None` when none was drawn.
    pub infographic: Option<String>,
    /// The key of the infographic's thumbnail, which anybody may see.
    pub infographic_thumb: Option<String>,
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
    /// The key of the infographic; none while nobody has drawn or uploaded one.
    pub infographic: Option<String>,
    /// The key of the infographic's thumbnail, which anybody may see.
    pub infographic_thumb: Option<String>,
}

impl VisualSet {
    /// With an uploaded infographic, by its key, in the place of the drawn one.
    #[must_use]
    pub fn with_uploaded(self, infographic: Option<String>) -> Self {
        match infographic {
            Some(key) => Self { infographic_thumb: Some(thumb_of_infographic(&key)), infographic: Some(key), ..self },
            None => self,
        }
    }
}

/// The key of the thumbnail of an uploaded infographic: in another folder, because anybody may see it.
pub fn thumb_of_infographic(key: &str) -> String {
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    format!("thumbs/{name}")
}

/// The key of the infographic of which this would be the thumbnail; `None` when the key is none of a thumbnail.
pub fn infographic_of_thumb(key: &str) -> Option<String> {
    key.strip_prefix("thumbs/").map(|name| format!("infographics/{name}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_illustrated_summary_takes_five_minutes() {
        assert_eq!(super::VISUALS_READ_MINUTES, 5);
    }

    #[test]
    fn the_thumbnail_of_an_infographic_is_in_a_folder_of_its_own() {
        assert_eq!(super::thumb_of_infographic("infographics/a-1b.jpg"), "thumbs/a-1b.jpg");
        assert_eq!(super::infographic_of_thumb("thumbs/a-1b.jpg").as_deref(), Some("infographics/a-1b.jpg"));
        assert_eq!(super::infographic_of_thumb("covers/a-1b.jpg"), None);
    }

    #[test]
    fn a_key_idea_has_ninety_words_at_most() {
        assert_eq!(super::VISUAL_WORDS, 90);
    }
}
