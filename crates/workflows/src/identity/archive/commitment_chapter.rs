//! The archive's chapter about what the member wanted to do after a book (`study.study-archive`).

use kernel::{BookId, Limit};
use serde_json::{Value, json};
use study::Asking;

use crate::identity::archive::{ArchiveError, Draft, date_of, utc};
use crate::study::commitments::{ShownCommitment, commitment_changes};
use crate::tx::Tx;

/// The member's commitments, without the deleted ones, read in pages.
pub(super) fn commitments<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let mut list = draft.zip.begin_list("commitments.json")?;
    draft.reading.heading("Commitments");
    let (mut after, mut is_empty) = (Some(0), true);
    while let Some(version) = after {
        let (commitments, next) = commitment_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        for shown in commitments.iter().filter(|shown| shown.stored.commitment.state.is_shown()) {
            is_empty = false;
            list.push(&entry(shown))?;
            let state = &shown.stored.commitment.state;
            draft
                .reading
                .item(title(shown), &format!("{} ({})", state.text.value.as_str(), state.outcome.value.as_str()));
        }
        after = next;
    }
    if is_empty {
        draft.reading.nothing("None.");
    }
    Ok(list.end()?)
}

fn title(shown: &ShownCommitment) -> &str {
    shown.book.as_ref().map_or(&shown.stored.commitment.book_title, |book| &book.title)
}

fn entry(shown: &ShownCommitment) -> Value {
    let (stored, commitment) = (&shown.stored, &shown.stored.commitment);
    let state = &commitment.state;
    json!({
        "id": commitment.id.get(),
        "bookId": commitment.book.map(BookId::get),
        "subid": shown.book.as_ref().map(|book| book.subid.as_str()),
        "title": title(shown),
        "author": shown.book.as_ref().map_or(&commitment.book_author, |book| &book.author),
        "text": state.text.value.as_str(),
        "textAt": utc(Some(state.text.at)),
        "outcome": state.outcome.value.as_str(),
        "outcomeAt": utc(Some(state.outcome.at)),
        "answeredDay": state.answered.map(Asking::day),
        "firstDay": date_of(stored.first_day),
        "createdAt": utc(Some(state.created_at)),
        "editedAt": utc(Some(state.edited_at())),
    })
}
