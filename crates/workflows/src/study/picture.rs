//! A highlight as a picture to share (`study.highlight-picture`).

use artwork::{HighlightCardSpec, highlight_card};
use catalogue::CatalogueLists;
use kernel::{HighlightId, StoreError, UserId};
use study::{HighlightColor, StudyQueries};

use crate::{
    study::{exports::source_of, highlights::shown_to},
    tx::Tx,
};

/// What the picture of a highlight shows. Nothing in it says whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightPicture {
    pub words: String,
    pub title: String,
    /// Empty for an own summary.
    pub author: String,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: Option<u16>,
    pub color: HighlightColor,
}

/// The picture of one of the member's highlights; `None`: there is none, or it was deleted.
pub fn highlight_picture<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    id: HighlightId,
) -> Result<Option<HighlightPicture>, StoreError> {
    let stored = tx.pg.find_highlight(member, id)?.filter(|stored| stored.highlight.state.is_shown());
    let Some(stored) = stored else { return Ok(None) };
    let Some(shown) = shown_to(tx, member, vec![stored])?.pop() else { return Ok(None) };
    let books: Vec<_> = shown.book_id().into_iter().collect();
    let card = if books.is_empty() { None } else { tx.pg.book_cards(&books)?.pop() };
    let hue = card.and_then(|card| card.categories.first().map(|category| category.hue));
    let (source, state) = (source_of(tx, &shown), &shown.stored.highlight.state);
    Ok(Some(HighlightPicture {
        words: state.anchor.exact.clone(),
        title: source.title,
        author: source.author,
        hue,
        color: state.color.value,
    }))
}

impl HighlightPicture {
    /// Whether the fonts have all letters of the words.
    pub fn has_all_letters(&self) -> bool {
        !self.spec("").omits_letters()
    }

    /// Draws it, as an SVG document of 1080 by 1350.
    pub fn svg(&self, site: &str) -> String {
        highlight_card(&self.spec(site))
    }

    fn spec<'a>(&'a self, site: &'a str) -> HighlightCardSpec<'a> {
        HighlightCardSpec {
            words: &self.words,
            title: &self.title,
            author: &self.author,
            hue: self.hue.map(f64::from),
            color: match self.color {
                HighlightColor::Honey => artwork::HighlightColor::Honey,
                HighlightColor::Leaf => artwork::HighlightColor::Leaf,
                HighlightColor::Sky => artwork::HighlightColor::Sky,
                HighlightColor::Rose => artwork::HighlightColor::Rose,
            },
            site,
        }
    }
}
