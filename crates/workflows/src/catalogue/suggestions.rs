//! Search suggestions while a viewer types (`catalogue.search-passages`): passages come only from texts that the viewer may read.

use catalogue::{CatalogueLists, CatalogueQueries, Category, Suggestions, SuggestionsQuery};
use kernel::{Timestamp, UserId};

use crate::{catalogue::book_lists::readable_texts, error::ViewError, rights::facts_of_card, tx::Tx};

/// Suggestions for a search text.
#[derive(Clone, Debug)]
pub struct SuggestionList {
    pub found: Suggestions,
    /// All categories if a collection was found, because collections show the names of theirs; otherwise empty.
    pub categories: Vec<Category>,
    /// When the plan ends that lets the viewer see the passages; `None` if no plan is needed, or it does not end.
    pub right_until: Option<Timestamp>,
}

/// Suggests matches for the text typed so far.
pub fn suggest<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    query: &SuggestionsQuery,
) -> Result<SuggestionList, ViewError> {
    let (readable, right_until) = readable_texts(tx, viewer)?;
    let found = tx.pg.suggestions(query, &|card| readable.shown(&facts_of_card(card)))?;
    let categories = if found.collections.is_empty() { Vec::new() } else { tx.pg.categories()? };
    Ok(SuggestionList { found, categories, right_until })
}
