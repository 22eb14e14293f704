//! Editing links between key ideas, and proposing pairs of ideas to link (`catalogue.idea-links`, `catalogue.link-proposals`).

use std::collections::{HashMap, HashSet};

use admin::{EditQueries, RowRef, SubjectKind};
use catalogue::{
    BookName, BookRef, CatalogueError, CatalogueLists, CatalogueQueries, IdeaLink, IdeaLinkCommands, IdeaLinkDraft,
    IdeaLinkEdit, IdeaLinkQueries, IdeaLinksQuery, IdeaRef, IdeaText, LikeIdeas, LinkKind, LinkState, LinkedIdea,
    strongest_pairs,
};
use kernel::{BookId, IdeaLinkId, ListTotal, Page, StoreError};
use summaries::engine::TermVectors;

use crate::{audit::AuditTrail, tx::Tx};
use crate::{
    catalogue::editing::books::find_book,
    editing::{EditError, Versioned, begin, changed, created, deleted, row_ref, versioned},
};

/// How many books proposals are made for when no book is named: those with the fewest links.
const BOOKS_WITHOUT_CHOICE: usize = 4;
/// How many other books their ideas are compared with: those that share most categories, goals and tags.
const COMPARED_BOOKS: usize = 300;
/// How many common words a proposal shows.
const COMMON_WORDS: usize = 5;

/// A page of the links, with their versions.
#[derive(Clone, Debug)]
pub struct IdeaLinksPage {
    pub page: Page<Versioned<IdeaLink>, IdeaLinkId>,
    /// How many match the filter.
    pub total: ListTotal,
}

/// Two ideas that are alike and have no link.
#[derive(Clone, Debug)]
pub struct ProposedLink {
    /// The idea of the book that proposals were requested for.
    pub from: LinkedIdea,
    pub to: LinkedIdea,
    /// From 0, nothing in common, to 1, the same words.
    pub likeness: f64,
    /// Words that make them alike, the strongest first.
    pub words: Vec<String>,
}

const fn row_of(id: IdeaLinkId) -> RowRef {
    row_ref(SubjectKind::IdeaLink, id.get())
}

/// A page of all links, the newest first.
pub fn idea_links<A>(tx: &mut Tx<'_, '_, A>, query: &IdeaLinksQuery) -> Result<IdeaLinksPage, StoreError> {
    let found = tx.pg.listed_idea_links(query)?;
    let found = versioned(tx, SubjectKind::IdeaLink, found, |link| link.id.get())?;
    let page = Page::from_surplus(found, query.limit, |last| last.row.id);
    Ok(IdeaLinksPage { page, total: tx.pg.count_listed_idea_links(&query.filter)? })
}

/// Reads a link with its version. Fails with [`EditError::Unknown`] if there is no such link.
pub fn idea_link<A>(tx: &mut Tx<'_, '_, A>, id: IdeaLinkId) -> Result<Versioned<IdeaLink>, EditError> {
    let row = tx.pg.idea_link(id)?.ok_or(EditError::Unknown("idea link"))?;
    Ok(Versioned { row, version: tx.pg.row_version(row_of(id))? })
}

/// The headings of a book's key ideas, in order; `None` if there is no such book.
pub fn ideas_of_book<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<Option<Vec<String>>, StoreError> {
    let Some(book) = find_book(tx, book)? else { return Ok(None) };
    let titles = tx.pg.section_titles(&[book])?.remove(&book).unwrap_or_default();
    Ok(Some(titles.into_iter().filter(|title| !title.is_empty()).collect()))
}

fn book_in(tx: &mut Tx<'_, '_>, field: &'static str, book: &BookRef) -> Result<BookId, EditError> {
    find_book(tx, book)?.ok_or(EditError::UnknownIn { field, what: "book" })
}

/// Locks books until the transaction ends, the lower id first, so that no other editor links the same ideas and no heading
/// changes meanwhile.
fn lock_books(tx: &mut Tx<'_, '_>, mut books: Vec<BookId>) -> Result<(), EditError> {
    books.sort();
    books.dedup();
    books.into_iter().try_for_each(|book| begin(tx, row_ref(SubjectKind::Book, book.get()), None).map(|_| ()))
}

/// Checks that a link may be saved: its ideas exist, and no other link joins them. Its books are locked.
fn check(tx: &mut Tx<'_, '_>, draft: &IdeaLinkDraft, there: Option<&IdeaLink>) -> Result<(), EditError> {
    let titles = tx.pg.section_titles(&[draft.from.book, draft.to.book])?;
    let was = there.map(IdeaLinkDraft::from);
    let ends = [
        ("fromIdea", &draft.from, was.as_ref().map(|was| &was.from)),
        ("toIdea", &draft.to, was.as_ref().map(|was| &was.to)),
    ];
    for (field, end, was) in ends {
        let is_there = titles.get(&end.book).is_some_and(|titles| titles.contains(&end.idea));
        // A heading that is gone stays until the editor chooses another one.
        if !is_there && was != Some(end) {
            return Err(EditError::UnknownIn { field, what: "key idea" });
        }
    }
    let other = tx.pg.find_idea_link(&draft.from, &draft.to)?;
    if other.is_some_and(|other| there.is_none_or(|there| there.id != other)) {
        let message = "These two ideas have a link already.".to_owned();
        return Err(CatalogueError::Invalid { field: "toIdea", message }.into());
    }
    Ok(())
}

/// Adds a link.
pub fn add_idea_link(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: IdeaLinkEdit,
) -> Result<Versioned<IdeaLink>, EditError> {
    let missing = |field, label| EditError::Missing { field, label };
    let from = edit.from_book.ok_or(missing("fromBookId", "Book"))?;
    let to = edit.to_book.ok_or(missing("toBookId", "Book"))?;
    let draft = IdeaLinkDraft {
        from: IdeaRef { book: book_in(tx, "fromBookId", &from)?, idea: edit.from_idea.unwrap_or_default() },
        to: IdeaRef { book: book_in(tx, "toBookId", &to)?, idea: edit.to_idea.unwrap_or_default() },
        kind: edit.kind.unwrap_or(LinkKind::Agrees),
        note: edit.note.unwrap_or_default(),
        state: edit.state.unwrap_or(LinkState::Draft),
    };
    let draft = draft.normalised()?;
    lock_books(tx, vec![draft.from.book, draft.to.book])?;
    check(tx, &draft, None)?;
    let id = tx.pg.insert_idea_link(&draft)?;
    let added = idea_link(tx, id)?;
    created(trail, (row_of(id), &added.row.to_string()), "ideaLink.create");
    Ok(added)
}

/// Changes a link, based on the version that the editor has read.
pub fn edit_idea_link(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (IdeaLinkId, Option<i64>),
    edit: IdeaLinkEdit,
) -> Result<Versioned<IdeaLink>, EditError> {
    begin(tx, row_of(id), read)?;
    let there = IdeaLinkDraft::from(&idea_link(tx, id)?.row);
    let from = edit.from_book.map(|book| book_in(tx, "fromBookId", &book)).transpose()?;
    let to = edit.to_book.map(|book| book_in(tx, "toBookId", &book)).transpose()?;
    lock_books(tx, [from, to].into_iter().flatten().chain([there.from.book, there.to.book]).collect())?;
    // Read under the locks: an edit of a book may just have changed a heading, which the link has followed.
    let before = idea_link(tx, id)?.row;
    let was = IdeaLinkDraft::from(&before);
    let draft = IdeaLinkDraft {
        from: IdeaRef { book: from.unwrap_or(was.from.book), idea: edit.from_idea.unwrap_or(was.from.idea) },
        to: IdeaRef { book: to.unwrap_or(was.to.book), idea: edit.to_idea.unwrap_or(was.to.idea) },
        kind: edit.kind.unwrap_or(was.kind),
        note: edit.note.unwrap_or(was.note),
        state: edit.state.unwrap_or(was.state),
    };
    let draft = draft.normalised()?;
    check(tx, &draft, Some(&before))?;
    tx.pg.update_idea_link(id, &draft)?;
    let after = idea_link(tx, id)?.row;
    let [from, to, from_now, to_now] =
        [&before.from, &before.to, &after.from, &after.to].map(|end| end.book.title.as_str());
    let fields = [
        ("fromBook", Some(from), Some(from_now)),
        ("fromIdea", Some(before.from.idea.as_str()), Some(after.from.idea.as_str())),
        ("toBook", Some(to), Some(to_now)),
        ("toIdea", Some(before.to.idea.as_str()), Some(after.to.idea.as_str())),
        ("kind", Some(before.kind.as_str()), Some(after.kind.as_str())),
        ("note", Some(before.note.as_str()), Some(after.note.as_str())),
        ("state", Some(before.state.as_str()), Some(after.state.as_str())),
    ];
    changed(tx, trail, (row_of(id), &after.to_string()), "ideaLink.update", &fields)?;
    idea_link(tx, id)
}

/// Deletes a link. Its ideas may be proposed again.
pub fn delete_idea_link(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: IdeaLinkId) -> Result<(), EditError> {
    begin(tx, row_of(id), None)?;
    let gone = idea_link(tx, id)?.row;
    tx.pg.delete_idea_link(id)?;
    deleted(tx, trail, (row_of(id), &gone.to_string()), "ideaLink.delete")
}

/// The pairs of ideas that an editor may want to link: ideas of the book, or without one of the books with the fewest links, and
/// those of other books that are most like them, without pairs that have a link in any state.
///
/// # Errors
/// [`EditError::Unknown`] if there is no such book.
pub fn proposed_links<A>(tx: &mut Tx<'_, '_, A>, book: Option<&BookRef>) -> Result<Vec<ProposedLink>, EditError> {
    let books = match book {
        Some(book) => vec![find_book(tx, book)?.ok_or(EditError::Unknown("book"))?],
        None => tx.pg.least_linked_books(BOOKS_WITHOUT_CHOICE)?,
    };
    let mut compared = books.clone();
    compared.extend(tx.pg.related_books(&books, COMPARED_BOOKS)?);
    let ideas = tx.pg.idea_texts(&compared)?;
    let names = tx.pg.book_names(&compared)?;
    let linked = tx.pg.linked_ideas(&books)?;
    Ok(proposals(&books, &ideas, &names, &linked))
}

fn proposals(
    books: &[BookId],
    ideas: &[IdeaText],
    names: &HashMap<BookId, BookName>,
    linked: &[(IdeaRef, IdeaRef)],
) -> Vec<ProposedLink> {
    // The heading counts twice: it says what the idea is about.
    let texts: Vec<String> = ideas.iter().map(|idea| format!("{0}\n{0}\n{1}", idea.idea, idea.text)).collect();
    let vectors = TermVectors::of(texts.iter().map(String::as_str));
    let linked: HashSet<[(BookId, &str); 2]> =
        linked.iter().map(|(from, to)| unordered(ends(from), ends(to))).collect();
    let mut pairs = Vec::new();
    for (one, idea) in ideas.iter().enumerate().filter(|(_, idea)| books.contains(&idea.book)) {
        for (other, with) in ideas.iter().enumerate() {
            let is_seen = books.contains(&with.book) && other <= one;
            let is_linked =
                linked.contains(&unordered((idea.book, idea.idea.as_str()), (with.book, with.idea.as_str())));
            if with.book != idea.book && !is_seen && !is_linked {
                pairs.push(LikeIdeas { one, other, likeness: vectors.likeness(one, other) });
            }
        }
    }
    let linked_idea = |idea: &IdeaText| {
        let book = names.get(&idea.book)?.clone();
        Some(LinkedIdea { book, idea: idea.idea.clone(), section: Some(idea.section) })
    };
    let proposed = strongest_pairs(pairs).into_iter().filter_map(|LikeIdeas { one, other, likeness }| {
        let words = vectors.common_words(one, other, COMMON_WORDS).into_iter().map(str::to_owned).collect();
        Some(ProposedLink { from: linked_idea(&ideas[one])?, to: linked_idea(&ideas[other])?, likeness, words })
    });
    proposed.collect()
}

fn ends(idea: &IdeaRef) -> (BookId, &str) {
    (idea.book, &idea.idea)
}

/// A pair whatever its direction.
fn unordered<T: Ord>(one: T, other: T) -> [T; 2] {
    if one <= other { [one, other] } else { [other, one] }
}

#[cfg(test)]
mod tests {
    use kernel::Slug;

    use super::*;

    fn idea(book: i64, section: usize, idea: &str, text: &str) -> IdeaText {
        IdeaText { book: BookId::from_store(book), section, idea: idea.to_owned(), text: text.to_owned() }
    }

    const FEAR: &str = "A prince who is feared keeps his state, for fear is held up by the dread of punishment.";
    const DREAD: &str = "The ruler keeps his subjects by fear, and the dread of punishment holds up his state.";
    const WAX: &str = "The wax melts, rises in the wick and burns as vapor in the flame of the candle.";

    fn found(books: &[i64], linked: &[(IdeaRef, IdeaRef)]) -> Vec<(String, String)> {
        let ideas = [
            idea(1, 0, "Better feared", FEAR),
            idea(1, 1, "Wax and wick", WAX),
            idea(2, 0, "Dread", DREAD),
            idea(2, 1, "Wax in the flame", WAX),
        ];
        let name = |id| {
            let (subid, title, author) = (Slug::parse("a-book").unwrap(), String::new(), String::new());
            (BookId::from_store(id), BookName { id: BookId::from_store(id), subid, title, author })
        };
        let books: Vec<BookId> = books.iter().map(|id| BookId::from_store(*id)).collect();
        let proposed = proposals(&books, &ideas, &[name(1), name(2)].into(), linked);
        proposed.into_iter().map(|one| (one.from.idea, one.to.idea)).collect()
    }

    fn pair(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn ideas_on_one_subject_of_two_books_are_proposed_once() {
        let both = [pair("Wax and wick", "Wax in the flame"), pair("Better feared", "Dread")];
        assert_eq!(found(&[1], &[]), both);
        assert_eq!(found(&[1, 2], &[]), both, "in one direction");
        assert_eq!(found(&[2], &[])[1], pair("Dread", "Better feared"));
    }

    #[test]
    fn a_pair_with_a_link_is_not_proposed_whatever_its_direction() {
        let end = |book, idea: &str| IdeaRef { book: BookId::from_store(book), idea: idea.to_owned() };
        let linked = (end(2, "Dread"), end(1, "Better feared"));
        assert_eq!(found(&[1], &[linked]), [pair("Wax and wick", "Wax in the flame")]);
    }
}
