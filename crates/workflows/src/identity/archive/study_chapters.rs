//! The archive's chapters about what the member keeps of their reading: highlights, review cards and settings
//! (`study.study-archive`).

use kernel::{BookId, HighlightId, Limit, ReviewCardId};
use serde_json::{Value, json};
use study::{CardAnswer, CardKind, HighlightPlace, HighlightSource, NoticeQueries, StudyQueries};

use crate::identity::archive::{ArchiveError, Draft, date_of, utc};
use crate::study::cards::{ShownCard, card_changes};
use crate::study::highlights::highlight_changes;
use crate::study::shown::ReadableSources;
use crate::study::shown::ShownHighlight;
use crate::tx::Tx;

/// The member's highlights, without the deleted ones. There may be many, so they are read in pages.
pub(super) fn highlights<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let mut list = draft.zip.begin_list("highlights.json")?;
    draft.reading.heading("Highlights");
    let (mut after, mut is_empty) = (Some(0), true);
    while let Some(version) = after {
        let page = highlight_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        let readable = ReadableSources::of(tx, member, &page.highlights)?;
        for shown in page.highlights.iter().filter(|shown| shown.stored.highlight.state.is_shown()) {
            is_empty = false;
            // Of a text that the member may no longer read, the highlight is there and nothing around it.
            list.push(&entry(shown, readable.has(shown)))?;
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

/// The member's review cards with their answers and schedules, without the deleted ones, read in pages.
pub(super) fn review_cards<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let mut list = draft.zip.begin_list("review-cards.json")?;
    draft.reading.heading("Review cards");
    let (mut after, mut is_empty) = (Some(0), true);
    while let Some(version) = after {
        let (cards, next) = card_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        let ids: Vec<ReviewCardId> = cards.iter().map(|shown| shown.stored.card.id).collect();
        let answers = tx.pg.card_answers(member, &ids)?;
        for shown in cards.iter().filter(|shown| shown.stored.card.state.is_shown()) {
            is_empty = false;
            list.push(&card_entry(shown, &answers))?;
            draft.reading.item(&shown.question, &shown.answer);
        }
        after = next;
    }
    if is_empty {
        draft.reading.nothing("None.");
    }
    Ok(list.end()?)
}

/// What the member has switched on or off.
pub(super) fn settings<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let settings = tx.pg.study_settings(draft.owner.id)?;
    let webhook = tx.pg.webhook_of(draft.owner.id)?;
    let browsers = tx.pg.push_subscriptions_of(draft.owner.id, draft.now)?;
    draft.zip.json(
        "study-settings.json",
        &json!({
            "hasHighlights": settings.has_highlights,
            "countsInPopular": settings.counts_in_popular,
            "showsPopular": settings.shows_popular,
            "dailyMax": settings.daily_max,
            "countsForStreak": settings.counts_for_streak,
            "reminder": settings.reminder.as_str(),
            "digest": settings.digest.as_str(),
            "noticeHour": settings.notice_hour,
            "webhook": webhook.map(|webhook| {
                json!({ "url": webhook.url.as_str(), "createdAt": utc(Some(webhook.created_at)), "isOn": webhook.is_on })
            }),
            "pushEndpoints": browsers.iter().map(|browser| &browser.target.endpoint).collect::<Vec<_>>(),
            "asksCommitments": settings.asks_commitments,
        }),
    )?;
    Ok(())
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
        "bookId": shown.book_id().map(BookId::get),
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

fn card_entry(shown: &ShownCard, answers: &[CardAnswer]) -> Value {
    let (stored, card) = (&shown.stored, &shown.stored.card);
    let (state, schedule) = (&card.state, &stored.schedule);
    let summary = match card.source {
        Some(HighlightSource::Summary(summary)) => Some(summary.get()),
        Some(HighlightSource::Book(_)) | None => None,
    };
    let (kind, idea) = match &state.kind {
        CardKind::Idea { section, title, opening } => {
            // Of a text that the member may no longer read, the idea is there and none of its text.
            let opening = if shown.is_locked { "" } else { opening.as_str() };
            ("idea", Some(json!({ "section": section, "title": title, "opening": opening })))
        }
        CardKind::Highlight { .. } => ("highlight", None),
        CardKind::Own => ("own", None),
    };
    let blanks = state.content.value.blanks.iter().map(|blank| json!({ "start": blank.start, "end": blank.end }));
    let answers = answers.iter().filter(|answer| answer.card == card.id).map(|answer| {
        json!({
            "id": answer.id.get(),
            "rating": answer.rating.number(),
            "at": utc(Some(answer.at)),
            "day": date_of(answer.day),
        })
    });
    json!({
        "id": card.id.get(),
        "kind": kind,
        "bookId": stored.book().map(BookId::get),
        "subid": shown.book.as_ref().map(|book| book.subid.as_str()),
        "summaryId": summary,
        "highlightId": stored.highlight().map(HighlightId::get),
        "title": shown.book.as_ref().map_or(&card.source_title, |book| &book.title),
        "author": shown.book.as_ref().map_or(&card.source_author, |book| &book.author),
        "idea": idea,
        "question": shown.question,
        "answer": shown.answer,
        "blanks": blanks.collect::<Vec<_>>(),
        "contentAt": utc(Some(state.content.at)),
        "paused": state.is_paused.value,
        "pausedAt": utc(Some(state.is_paused.at)),
        "createdAt": utc(Some(state.created_at)),
        "editedAt": utc(Some(state.edited_at())),
        "schedule": {
            "firstDay": date_of(stored.first_day),
            "due": date_of(schedule.due),
            "last": schedule.last.map(date_of),
            "stability": schedule.memory.map(|memory| memory.stability),
            "difficulty": schedule.memory.map(|memory| memory.difficulty),
            "answers": schedule.answers,
            "lapses": schedule.lapses,
        },
        "answers": answers.collect::<Vec<_>>(),
    })
}
