//! The archive's chapter about the key ideas that the member has completed in sessions (`study.study-archive`).

use catalogue::CatalogueLists;
use kernel::{BookId, Timestamp};
use serde_json::json;
use study::CompletedIdeaQueries;

use crate::identity::archive::{ArchiveError, Draft, utc};
use crate::tx::Tx;

/// The ideas, by book and heading.
pub(super) fn completed_ideas<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let ideas = tx.pg.completed_ideas(draft.owner.id, Timestamp::from_millis(0))?;
    let mut books: Vec<BookId> = ideas.iter().map(|idea| idea.book).collect();
    books.dedup();
    let names = tx.pg.book_names(&books)?;
    let mut list = draft.zip.begin_list("completed-ideas.json")?;
    draft.reading.heading("Key ideas completed in sessions");
    if ideas.is_empty() {
        draft.reading.nothing("None.");
    }
    for completed in ideas {
        let name = names.get(&completed.book);
        list.push(&json!({
            "bookId": completed.book.get(),
            "subid": name.map(|book| book.subid.as_str()),
            "title": name.map(|book| &book.title),
            "author": name.map(|book| &book.author),
            "idea": completed.idea,
            "at": utc(Some(completed.at)),
        }))?;
        draft.reading.item(name.map_or("", |book| &book.title), &completed.idea);
    }
    Ok(list.end()?)
}
