//! Illustrated key ideas of a book (`catalogue.visual-rights`).

use kernel::{BookId, VisualId};

use crate::BookCard;

/// The most words of a key idea's text: what fits beside a picture without scrolling.
pub const VISUAL_WORDS: usize = 90;
/// The stated reading time of an illustrated summary, in minutes (`catalogue.visuals-list`).
pub const VISUALS_READ_MINUTES: u32 = 5;

/// One illustrated key idea, as readers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visual {
    pub id: VisualId,
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store.
    pub image: String,
}

/// A key idea as editors write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualDraft {
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store. Readers do not see an idea without one.
    pub image: Option<String>,
    /// What the infographic draws for the idea.
    pub drawing: Option<IdeaDrawing>,
}

/// The drawing of a key idea, in the format of the crate that draws it; this crate does not parse it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaDrawing {
    /// What it shows, as JSON.
    pub motif: String,
    /// The name of the ground that the motif stands on.
    pub ground: String,
}

/// A key idea as editors see it. Readers do not see it without a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedVisual {
    pub id: VisualId,
    pub book: BookId,
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// What the infographic draws for the idea.
    pub drawing: Option<IdeaDrawing>,
}

/// A book's key ideas in their order, and the pictures that are made from all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualsDraft {
    pub ideas: Vec<VisualDraft>,
    /// The key of the public picture that lists show; `None` while no key idea has a picture.
    pub image: Option<String>,
    /// The key of the drawn infographic; `None` when none was drawn.
    pub infographic: Option<String>,
    /// The key of the infographic's public thumbnail.
    pub infographic_thumb: Option<String>,
}

/// A book with illustrated key ideas, as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct VisualBook {
    /// The id of its first key idea.
    pub id: VisualId,
    pub card: BookCard,
    pub pictures: VisualSet,
}

/// The pictures that are made from all of a book's key ideas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualSet {
    pub book: BookId,
    /// The key of the public picture that lists show.
    pub image: String,
    /// The key of the infographic; `None` while none is drawn or uploaded.
    pub infographic: Option<String>,
    /// The key of the infographic's public thumbnail.
    pub infographic_thumb: Option<String>,
}

impl VisualSet {
    /// Replaces the drawn infographic with an uploaded one; `None` keeps the drawn one.
    #[must_use]
    pub fn with_uploaded(self, infographic: Option<String>) -> Self {
        match infographic {
            Some(key) => Self { infographic_thumb: Some(thumb_of_infographic(&key)), infographic: Some(key), ..self },
            None => self,
        }
    }
}

/// The key of an uploaded infographic's thumbnail. It is in a folder of its own, because thumbnails are public.
pub fn thumb_of_infographic(key: &str) -> String {
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    format!("thumbs/{name}")
}

/// The key of the infographic that a thumbnail's key belongs to; `None` when the key is not a thumbnail's.
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
