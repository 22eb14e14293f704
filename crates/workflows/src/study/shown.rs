//! Highlights as members see them, and whose text they may read (`study.export-texts`).

use std::collections::HashSet;

use catalogue::{BookName, CatalogueLists};
use kernel::{Access, BookId, StoreError, UserId};
use study::{HighlightSource, StoredHighlight};

use crate::{catalogue::book_lists::readable_texts, rights::facts_of_card, tx::Tx};

/// A highlight, with the present name of its book.
#[derive(Debug)]
pub struct ShownHighlight {
    pub stored: StoredHighlight,
    /// `None`: it is not from a book, or the book was deleted.
    pub book: Option<BookName>,
}

impl ShownHighlight {
    /// The book that it is from.
    pub const fn book_id(&self) -> Option<BookId> {
        match self.stored.highlight.source {
            Some(HighlightSource::Book(book)) => Some(book),
            Some(HighlightSource::Summary(_)) | None => None,
        }
    }
}

/// The books that the highlights are from, each once.
pub(super) fn books_of(highlights: &[ShownHighlight]) -> Vec<BookId> {
    let books: HashSet<BookId> = highlights.iter().filter_map(ShownHighlight::book_id).collect();
    books.into_iter().collect()
}

/// The sources whose text the member may read in full now (`study.export-texts`).
#[derive(Debug)]
pub(crate) struct ReadableSources(HashSet<BookId>);

impl ReadableSources {
    /// Those of these highlights.
    pub(crate) fn of<A>(
        tx: &mut Tx<'_, '_, A>,
        member: UserId,
        highlights: &[ShownHighlight],
    ) -> Result<Self, StoreError> {
        let (readable, _) = readable_texts(tx, Some(member))?;
        let cards = tx.pg.book_cards(&books_of(highlights))?.into_iter();
        let shown = cards.filter(|card| readable.shown(&facts_of_card(card)) == Some(Access::Full));
        Ok(Self(shown.map(|card| card.id).collect()))
    }

    /// Whether the text around a highlight may be shown. An own summary is the member's; of a source that was deleted nothing is.
    pub(crate) fn has(&self, shown: &ShownHighlight) -> bool {
        match shown.stored.highlight.source {
            Some(HighlightSource::Book(book)) => self.0.contains(&book),
            Some(HighlightSource::Summary(_)) => true,
            None => false,
        }
    }
}
