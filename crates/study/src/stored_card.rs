//! Review cards as they are stored: with their schedule, and with what the cards of ideas ask for in the present text.

use kernel::{BookId, Day, HighlightId, ReviewCardId, UserId};

use crate::{
    CardAnswer, CardKind, CardState, ReviewCard, Schedule, StudyError, answer_of_idea, idea_place, question_of_idea,
};

/// What the card of an idea asks for, as it was found when the text of its book was last looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIdea {
    /// The index of its section, from 0.
    pub section: u32,
    /// The title of the section.
    pub title: String,
    /// The beginning of its text.
    pub answer: String,
}

impl FoundIdea {
    /// Finds the idea of a card in the sections of a text. `None`: it is not there any more, or the card is of another kind.
    pub fn of<T: AsRef<str>>(kind: &CardKind, titles: &[T], texts: &[T]) -> Option<Self> {
        let section = idea_place(kind, titles, texts)?;
        let at = usize::try_from(section).ok()?;
        let (title, text) = (titles.get(at)?.as_ref(), texts.get(at)?.as_ref());
        Some(Self { section, title: title.to_owned(), answer: answer_of_idea(text) })
    }
}

/// A review card as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCard {
    pub card: ReviewCard,
    /// Of an idea: what it asks for; `None` when that is gone, and for other kinds.
    pub idea: Option<FoundIdea>,
    /// The day of the member's calendar on which it was added.
    pub first_day: Day,
    /// What follows from its answers.
    pub schedule: Schedule,
    /// Greater than that of all records of the member that were stored before.
    pub version: u64,
}

/// The highlight of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardHighlight {
    pub id: HighlightId,
    /// Empty once a deleted highlight was emptied.
    pub words: String,
    /// Whether it was not deleted, and neither was its source.
    pub is_there: bool,
}

/// The card of an idea of some member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedIdea {
    pub member: UserId,
    pub id: ReviewCardId,
    pub kind: CardKind,
    /// What it asked for so far.
    pub found: Option<FoundIdea>,
}

/// Answers that were stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedAnswers {
    /// The cards that they are of, with their schedules, by id.
    pub cards: Vec<StoredCard>,
    /// The ids of cards that the member does not have, ascending.
    pub unknown: Vec<ReviewCardId>,
}

impl StoredCard {
    /// The card as it is after a report; `words` are those of its highlight.
    ///
    /// # Errors
    /// [`StudyError::OtherCard`] if the report is of another idea, highlight or kind, and what [`CardState::check`] refuses in
    /// a new content.
    pub fn merged(&self, report: CardState, words: Option<&str>) -> Result<CardState, StudyError> {
        let known = &self.card.state;
        let is_same = match (&known.kind, &report.kind) {
            (CardKind::Idea { title, .. }, CardKind::Idea { title: reported, .. }) => title == reported,
            (known, reported) => known == reported,
        };
        if !is_same {
            return Err(StudyError::OtherCard);
        }
        let merged = known.clone().merged(report);
        if merged.content != known.content {
            merged.check(words)?;
        }
        Ok(merged)
    }

    /// Whether what it asks for is still there (`study.review-cards`). `highlight` is that of the card.
    pub fn is_askable(&self, highlight: Option<&CardHighlight>) -> bool {
        match self.card.state.kind {
            CardKind::Idea { .. } => self.card.source.is_some() && self.idea.is_some(),
            CardKind::Highlight { .. } => highlight.is_some_and(|highlight| highlight.is_there),
            CardKind::Own => true,
        }
    }

    /// The question (`study.card-questions`).
    pub fn question(&self, highlight: Option<&CardHighlight>) -> String {
        let CardState { kind, content, .. } = &self.card.state;
        match kind {
            CardKind::Idea { title, .. } => {
                question_of_idea(self.idea.as_ref().map_or(title.as_str(), |idea| idea.title.as_str()))
            }
            CardKind::Highlight { .. } => content.value.question_of_highlight(words_of(highlight)),
            CardKind::Own => content.value.question.clone(),
        }
    }

    /// The answer (`study.card-questions`).
    pub fn answer(&self, highlight: Option<&CardHighlight>) -> String {
        match self.card.state.kind {
            CardKind::Idea { .. } => self.idea.as_ref().map(|idea| idea.answer.clone()).unwrap_or_default(),
            CardKind::Highlight { .. } => words_of(highlight).to_owned(),
            CardKind::Own => self.card.state.content.value.answer.clone(),
        }
    }

    /// The highlight whose words it hides.
    pub const fn highlight(&self) -> Option<HighlightId> {
        match self.card.state.kind {
            CardKind::Highlight { highlight } => Some(highlight),
            CardKind::Idea { .. } | CardKind::Own => None,
        }
    }

    /// The book that it is from.
    pub const fn book(&self) -> Option<BookId> {
        match self.card.source {
            Some(crate::HighlightSource::Book(book)) => Some(book),
            Some(crate::HighlightSource::Summary(_)) | None => None,
        }
    }

    /// The schedule that follows from all of its answers (`study.answer-merge`).
    #[must_use]
    pub fn replayed(self, answers: &[CardAnswer]) -> Self {
        let id = self.card.id;
        let own: Vec<CardAnswer> = answers.iter().filter(|answer| answer.card == id).cloned().collect();
        Self { schedule: Schedule::replayed(self.first_day, &own), ..self }
    }
}

fn words_of(highlight: Option<&CardHighlight>) -> &str {
    highlight.map(|highlight| highlight.words.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Day, HighlightId, ReviewCardId, Timestamp};

    use super::{CardHighlight, FoundIdea, StoredCard};
    use crate::{Blank, CardContent, CardKind, CardState, HighlightSource, Register, ReviewCard, Schedule, StudyError};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn idea(title: &str) -> CardKind {
        CardKind::Idea { section: 1, title: title.to_owned(), opening: "He built".to_owned() }
    }

    fn stored(kind: CardKind, content: CardContent, idea: Option<FoundIdea>) -> StoredCard {
        let state = CardState { content: Register::new(content, NOW), ..CardState::new(kind, NOW) };
        let source = Some(HighlightSource::Book(BookId::from_store(1)));
        let card = ReviewCard {
            id: ReviewCardId::from_store(7),
            source,
            source_title: "Walden".to_owned(),
            source_author: String::new(),
            state,
        };
        let first_day = Day::from_epoch(0);
        StoredCard { card, idea, first_day, schedule: Schedule::new(first_day), version: 1 }
    }

    #[test]
    fn an_idea_asks_for_what_its_text_says_now_and_keeps_its_question_when_that_is_gone() {
        let (titles, texts) = (["", "A cabin"], ["", "He built it. It was small."]);
        let found = FoundIdea::of(&idea("A hut"), &titles, &texts);
        let card = stored(idea("A hut"), CardContent::default(), found);
        assert_eq!(card.question(None), "What does “A cabin” mean?");
        assert_eq!((card.answer(None).as_str(), card.is_askable(None)), ("He built it. It was small.", true));
        let gone = stored(idea("A hut"), CardContent::default(), FoundIdea::of(&idea("A hut"), &["", ""], &["", ""]));
        assert_eq!(gone.question(None), "What does “A hut” mean?");
        assert_eq!((gone.answer(None).as_str(), gone.is_askable(None)), ("", false));
        let without_book = StoredCard { card: ReviewCard { source: None, ..card.card.clone() }, ..card };
        assert!(!without_book.is_askable(None));
    }

    #[test]
    fn a_highlight_asks_for_its_hidden_words_while_it_is_there() {
        let highlight = HighlightId::from_store(9);
        let blanks = vec![Blank { start: 2, end: 6 }, Blank { start: 7, end: 10 }];
        let card = stored(CardKind::Highlight { highlight }, CardContent::hiding(blanks), None);
        let there = |is_there| CardHighlight { id: highlight, words: "A wise mán.".to_owned(), is_there };
        let highlight = there(true);
        assert_eq!(card.question(Some(&highlight)), "A _____ _____.");
        assert_eq!(card.answer(Some(&highlight)), "A wise mán.");
        assert!(card.is_askable(Some(&highlight)));
        assert!(!card.is_askable(Some(&there(false))) && !card.is_askable(None));
        assert_eq!((card.question(None), card.highlight()), (String::new(), Some(highlight.id)));
    }

    #[test]
    fn a_card_stays_what_it_is_and_checks_what_is_new() {
        let known = stored(CardKind::Own, CardContent::own("Why?", "So."), None);
        let report = |content: CardContent, later| CardState {
            content: Register::new(content, NOW.plus(later)),
            ..CardState::new(CardKind::Own, NOW)
        };
        assert_eq!(known.merged(report(CardContent::own("", ""), 1), None), Err(StudyError::NoQuestion));
        // It was set before what is known.
        assert_eq!(known.merged(report(CardContent::own("", ""), -1), None), Ok(known.card.state.clone()));
        assert_eq!(known.merged(CardState::new(idea("A hut"), NOW), None), Err(StudyError::OtherCard));
        let hut = stored(idea("A hut"), CardContent::default(), None);
        assert_eq!(hut.merged(CardState::new(idea("A cabin"), NOW), None), Err(StudyError::OtherCard));
        let elsewhere = CardKind::Idea { section: 0, title: "A hut".to_owned(), opening: String::new() };
        let merged = hut.merged(CardState::new(elsewhere.clone(), NOW), None);
        assert_eq!(merged.map(|state| state.kind), Ok(elsewhere));
    }
}
