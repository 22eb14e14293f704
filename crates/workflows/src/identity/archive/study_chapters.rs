//! The archive's chapters about what the member keeps of their reading: highlights and settings (`study.study-archive`).

use std::collections::HashMap;

use billing::BillingQueries;
use catalogue::{BookCard, CatalogueLists};
use kernel::{Access, BookId, Limit};
use reading_progress::{FullTexts, OpeningRight, ProgressQueries};
use serde_json::{Value, json};
use study::{HighlightPlace, HighlightSource, StudyQueries};

use crate::catalogue::book_lists::READABLE;
use crate::identity::archive::{ArchiveError, Draft, utc};
use crate::rights::{facts_of_card, grants_of};
use crate::study::highlights::{ShownHighlight, highlight_changes};
use crate::tx::Tx;

/// The member's highlights, without the deleted ones. There may be many, so they are read in pages.
pub(super) fn highlights<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let grants = grants_of(&tx.pg.entitlements_of(member, draft.now)?);
    let opened = tx.pg.books_opened_by(member, &OpeningRight::PERMANENT, Limit::clamped(READABLE))?;
    let readable = FullTexts::of_member(&grants, opened, draft.now);
    let mut list = draft.zip.begin_list("highlights.json")?;
    draft.reading.heading("Highlights");
    let (mut after, mut is_empty) = (Some(0), true);
    while let Some(version) = after {
        let page = highlight_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        let books: Vec<BookId> = page.highlights.iter().filter_map(book_of).collect();
        let cards: HashMap<BookId, BookCard> =
            tx.pg.book_cards(&books)?.into_iter().map(|card| (card.id, card)).collect();
        for shown in page.highlights.iter().filter(|shown| shown.stored.highlight.state.is_shown()) {
            is_empty = false;
            // Of a text that the member may no longer read, the highlight is there and nothing around it.
            let has_context = book_of(shown).is_none_or(|book| {
                let card = cards.get(&book);
                card.is_some_and(|card| readable.shown(&facts_of_card(card)) == Some(Access::Full))
            });
            list.push(&entry(shown, has_context))?;
            let state = &shown.stored.highlight.state;
            draft.reading.item(title(shown), &state.anchor.exact);
            if !state.note.value.as_str().is_empty() {
                draft.reading.quote(state.note.value.as_str());
            }
        }
        after = page.next;
    }
    if is_empty {
        draft.reading.nothing("None.");
    }
    Ok(list.end()?)
}

/// What the member has switched on or off.
pub(super) fn settings<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let settings = tx.pg.study_settings(draft.owner.id)?;
    draft.zip.json(
        "study-settings.json",
        &json!({
            "hasHighlights": settings.has_highlights,
            "countsInPopular": settings.counts_in_popular,
            "showsPopular": settings.shows_popular,
        }),
    )?;
    Ok(())
}

const fn book_of(shown: &ShownHighlight) -> Option<BookId> {
    match shown.stored.highlight.source {
        Some(HighlightSource::Book(book)) => Some(book),
        Some(HighlightSource::Summary(_)) | None => None,
    }
}

fn title(shown: &ShownHighlight) -> &str {
    shown.book.as_ref().map_or(&shown.stored.highlight.source_title, |book| &book.title)
}

fn entry(shown: &ShownHighlight, has_context: bool) -> Value {
    let (highlight, place) = (&shown.stored.highlight, &shown.stored.place);
    let (state, range) = (&highlight.state, place.range());
    let summary = match highlight.source {
        Some(HighlightSource::Summary(summary)) => Some(summary.get()),
        Some(HighlightSource::Book(_)) | None => None,
    };
    let around = |text: &str| if has_context { text.to_owned() } else { String::new() };
    let tags = state
        .tags
        .values()
        .map(|tag| json!({ "tag": tag.value.tag.as_str(), "on": tag.value.is_on, "at": utc(Some(tag.at)) }));
    json!({
        "id": highlight.id.get(),
        "bookId": book_of(shown).map(BookId::get),
        "subid": shown.book.as_ref().map(|book| book.subid.as_str()),
        "summaryId": summary,
        "title": title(shown),
        "author": shown.book.as_ref().map_or(&highlight.source_author, |book| &book.author),
        "part": state.part.as_str(),
        "anchor": {
            "section": state.anchor.section,
            "start": state.anchor.start,
            "end": state.anchor.end,
            "exact": state.anchor.exact,
            "prefix": around(&state.anchor.prefix),
            "suffix": around(&state.anchor.suffix),
        },
        "place": {
            "state": match place {
                HighlightPlace::Same(_) => "same",
                HighlightPlace::Changed { .. } => "changed",
                HighlightPlace::Gone => "gone",
            },
            "section": range.map(|range| range.section),
            "start": range.map(|range| range.start),
            "end": range.map(|range| range.end),
        },
        "color": state.color.value.as_str(),
        "colorAt": utc(Some(state.color.at)),
        "note": state.note.value.as_str(),
        "noteAt": utc(Some(state.note.at)),
        "tags": tags.collect::<Vec<_>>(),
        "createdAt": utc(Some(state.created_at)),
        "editedAt": utc(Some(state.edited_at())),
    })
}
