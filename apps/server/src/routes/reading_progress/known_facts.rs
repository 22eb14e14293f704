//! What a book is to the rules of reading, out of memory where it is known.

use catalogue::BookRef;
use reading_progress::BookFacts;
use workflows::reading;

use crate::{app::App, error::ApiError};

/// A published book's facts.
pub(super) async fn known_facts(app: &App, book: BookRef) -> Result<BookFacts, ApiError> {
    if let Some(facts) = app.facts.get(&book) {
        return Ok(facts);
    }
    let before = app.facts.snapshot();
    let name = book.clone();
    let facts = app.read_tx(move |tx| reading::book_facts(tx, &name)).await?;
    app.facts.put(book, facts, before);
    Ok(facts)
}
