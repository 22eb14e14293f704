//! The archive's chapters about lists of books: the member's own, those they follow, and what their team may see (`study.study-archive`).

use kernel::{BookId, Limit, Timestamp};
use serde_json::{Value, json};
use study::{ListQueries, ListSlug, Rank};

use crate::identity::archive::{ArchiveError, Draft, utc};
use crate::study::lists::{AgreedList, ShownList, ShownListBook, agreements, list_changes};
use crate::tx::Tx;

/// The member's lists with their books in order, without the deleted ones, read in pages; then the lists of others that they follow,
/// and the lists for which they have agreed that their team sees what they have finished.
pub(super) fn lists<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let mut list = draft.zip.begin_list("lists.json")?;
    draft.reading.heading("Lists");
    let (mut after, mut is_empty) = (Some(0), true);
    while let Some(version) = after {
        let (lists, next) = list_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        for shown in lists.iter().filter(|shown| shown.stored.list.state.is_shown()) {
            is_empty = false;
            list.push(&entry(shown))?;
            let titles: Vec<&str> = books(shown).map(|(_, book)| book.name.title.as_str()).collect();
            draft.reading.item(shown.stored.list.state.name.value.as_str(), &titles.join(", "));
        }
        after = next;
    }
    if is_empty {
        draft.reading.nothing("None.");
    }
    list.end()?;

    let mut followed = draft.zip.begin_list("followed-lists.json")?;
    for owned in tx.pg.followed_lists(member)? {
        let list = owned.stored.list;
        followed.push(&json!({
            "name": list.state.name.value.as_str(),
            "slug": list.slug.as_ref().map(ListSlug::as_str),
        }))?;
    }
    followed.end()?;

    let mut list = draft.zip.begin_list("team-list-agreements.json")?;
    for AgreedList { id, name, agreed_at } in agreements(tx, member)? {
        list.push(&json!({ "id": id.get(), "name": name, "agreedAt": utc(Some(agreed_at)) }))?;
    }
    Ok(list.end()?)
}

/// The books that a list has, in their order.
fn books(shown: &ShownList) -> impl Iterator<Item = (BookId, &ShownListBook)> {
    shown.stored.list.state.shown_books().into_iter().filter_map(|id| Some((id, shown.books.get(&id)?)))
}

fn entry(shown: &ShownList) -> Value {
    let list = &shown.stored.list;
    let state = &list.state;
    let book = |(id, ShownListBook { name, .. }): (BookId, &ShownListBook)| {
        let rank = state.books.get(&id);
        json!({
            "bookId": id.get(),
            "subid": name.subid.as_str(),
            "title": name.title,
            "author": name.author,
            "rank": rank.and_then(|rank| rank.value.as_ref()).map(Rank::as_str),
            "at": utc(rank.map(|rank| rank.at)),
        })
    };
    json!({
        "id": list.id.get(),
        "name": state.name.value.as_str(),
        "nameAt": utc(Some(state.name.at)),
        "note": state.note.value.as_str(),
        "noteAt": utc(Some(state.note.at).filter(|at| *at > Timestamp::from_millis(0))),
        "books": books(shown).map(book).collect::<Vec<_>>(),
        "createdAt": utc(Some(state.created_at)),
        "editedAt": utc(Some(state.edited_at())),
        "sharing": list.sharing.as_str(),
        "slug": list.slug.as_ref().map(ListSlug::as_str),
        "teamListId": list.team_list.map(kernel::TeamListId::get),
        "isTakenDown": list.is_taken_down,
    })
}
