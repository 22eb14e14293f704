//! Review cards as a package for Anki (`study.anki-package`).

use std::collections::HashMap;

use documents::{AnkiCard, AnkiDeck, AnkiError, AnkiSchedule, anki_package};
use kernel::{BookId, Limit, StoreError, Timestamp, UserId};
use study::{CardKind, Part, PlaceRange};

use crate::{
    study::{
        cards::{ShownCard, card_changes},
        highlights::highlight_changes,
        shown::ShownHighlight,
    },
    tx::Tx,
};

/// The highlights in each idea of a book, in the order of the text.
type IdeaHighlights = HashMap<(BookId, u32), Vec<(u32, String)>>;

/// A member's review cards, with what they show.
#[derive(Debug)]
pub struct ExportedCards(Vec<ExportedCard>);

#[derive(Debug)]
struct ExportedCard {
    shown: ShownCard,
    answer: String,
    /// The title and the author of the source; empty of an own card about nothing in particular.
    source: String,
    url: Option<String>,
}

/// All of a member's review cards whose idea or highlight is there, without the deleted ones.
pub fn exported_cards<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<ExportedCards, StoreError> {
    let highlights = highlights_of_ideas(tx, member)?;
    let (mut cards, mut after) = (Vec::new(), Some(0));
    while let Some(version) = after {
        let (page, next) = card_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        let there = page.into_iter().filter(|shown| shown.stored.card.state.is_shown() && !shown.is_gone);
        cards.extend(there.map(|shown| export_card(tx, shown, &highlights)));
        after = next;
    }
    Ok(ExportedCards(cards))
}

fn highlights_of_ideas<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<IdeaHighlights, StoreError> {
    let (mut highlights, mut after) = (IdeaHighlights::new(), Some(0));
    while let Some(version) = after {
        let page = highlight_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        for shown in page.highlights.iter().filter(|shown| shown.stored.highlight.state.is_shown()) {
            if let Some((book, range)) = place_in_book(shown) {
                let words = shown.stored.highlight.state.anchor.exact.clone();
                highlights.entry((book, range.section)).or_default().push((range.start, words));
            }
        }
        after = page.next;
    }
    for of_idea in highlights.values_mut() {
        of_idea.sort_unstable();
    }
    Ok(highlights)
}

/// Where a highlight is in the text of a book; `None` of a quote or an own summary.
fn place_in_book(shown: &ShownHighlight) -> Option<(BookId, PlaceRange)> {
    let is_text = shown.stored.highlight.state.part == Part::Text;
    shown.book_id().zip(shown.stored.place.range()).filter(|_| is_text)
}

fn export_card<A>(tx: &Tx<'_, '_, A>, shown: ShownCard, highlights: &IdeaHighlights) -> ExportedCard {
    let card = &shown.stored.card;
    let section = shown.stored.idea.as_ref().map(|idea| idea.section);
    let of_idea = shown.stored.book().zip(section).filter(|_| matches!(card.state.kind, CardKind::Idea { .. }));
    let mut answer = shown.answer.clone();
    // Of a text that the member may not read any more, their highlights are the answer (`study.card-questions`).
    for (_, words) in of_idea.and_then(|place| highlights.get(&place)).into_iter().flatten() {
        if !answer.is_empty() {
            answer.push_str("\n\n");
        }
        answer.push_str(words);
    }
    let (title, author) = match &shown.book {
        Some(book) => (book.title.as_str(), book.author.as_str()),
        None => (card.source_title.as_str(), card.source_author.as_str()),
    };
    let source = if author.is_empty() { title.to_owned() } else { format!("{title}, {author}") };
    let url = shown.book.as_ref().map(|book| tx.settings.link(&format!("/books/{}", book.subid)));
    ExportedCard { shown, answer, source, url }
}

impl ExportedCards {
    /// The package, with a deck of this name.
    pub fn package(&self, name: &str, now: Timestamp) -> Result<Vec<u8>, AnkiError> {
        let cards: Vec<AnkiCard<'_>> = self.0.iter().map(ExportedCard::for_anki).collect();
        anki_package(&AnkiDeck { name, cards: &cards, now: now.millis() })
    }
}

impl ExportedCard {
    fn for_anki(&self) -> AnkiCard<'_> {
        let (card, schedule) = (&self.shown.stored.card, self.shown.stored.schedule);
        let remembered = schedule.memory.zip(schedule.last);
        AnkiCard {
            id: card.id.get(),
            question: &self.shown.question,
            answer: &self.answer,
            source: &self.source,
            url: self.url.as_deref(),
            tags: &[],
            schedule: remembered.map(|(memory, last)| AnkiSchedule {
                stability: memory.stability,
                difficulty: memory.difficulty,
                last_review: last.since_epoch(),
                due: schedule.due.since_epoch(),
                reviews: schedule.answers,
                lapses: schedule.lapses,
            }),
            is_paused: card.state.is_paused.value,
        }
    }
}
