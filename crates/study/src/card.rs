//! Review cards: questions about key ideas, about hidden words of highlights, and of the member's own
//! (`study.review-cards`, `study.card-questions`), merged from the reports of several devices.

use kernel::{BookId, HighlightId, ReviewCardId, Timestamp, many_lines};

use crate::{HighlightSource, Register, StudyError, anchor::fold, text::sentences};

/// The longest question of an own card, in characters.
pub const QUESTION_MAX_CHARS: usize = 500;
/// The longest answer of an own card, in characters.
pub const ANSWER_MAX_CHARS: usize = 2_000;
/// How many characters of an idea's text are the answer of its card.
pub const ANSWER_EXCERPT_CHARS: usize = 280;
/// By how many characters of its beginning an idea's text is found again after its title has changed.
pub const OPENING_CHARS: usize = 64;
/// What a question shows in the place of hidden words, whatever their length.
pub const HIDDEN: &str = "_____";

/// What a review card asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CardKind {
    /// A key idea of a book.
    Idea {
        /// The index of its section when the card was made, from 0.
        section: u32,
        title: String,
        /// The first [`OPENING_CHARS`] characters of its text.
        opening: String,
    },
    /// The hidden words of a highlight.
    Highlight { highlight: HighlightId },
    /// What the member wrote.
    Own,
}

/// A range of hidden characters in a highlight's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blank {
    pub start: u32,
    pub end: u32,
}

/// What a member decides about a card: the texts of an own one, the hidden words of a highlight. Empty for an idea.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardContent {
    pub question: String,
    pub answer: String,
    /// In order, without overlap.
    pub blanks: Vec<Blank>,
}

/// What devices report of a review card, in part or as a whole. Two states of one card merge to the same state in any
/// order, any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardState {
    pub kind: CardKind,
    pub created_at: Timestamp,
    pub content: Register<CardContent>,
    /// A paused card is not asked.
    pub is_paused: Register<bool>,
    /// When it was deleted; a later change brings it back.
    pub deleted_at: Option<Timestamp>,
}

/// A review card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewCard {
    pub id: ReviewCardId,
    /// `None`: an own card about nothing in particular, or the source was deleted.
    pub source: Option<HighlightSource>,
    /// The title of the source when the card was stored first.
    pub source_title: String,
    pub source_author: String,
    /// What the devices have reported.
    pub state: CardState,
}

impl CardContent {
    /// The sanitized texts of an own card.
    pub fn own(question: &str, answer: &str) -> Self {
        Self { question: many_lines(question), answer: many_lines(answer), blanks: Vec::new() }
    }

    /// The hidden words of a highlight.
    pub const fn hiding(blanks: Vec<Blank>) -> Self {
        Self { question: String::new(), answer: String::new(), blanks }
    }

    /// The words of a highlight with [`HIDDEN`] in the place of those to hide (`study.card-questions`).
    pub fn question_of_highlight(&self, words: &str) -> String {
        let words: Vec<char> = words.chars().collect();
        let part = |from: usize, to: usize| words.get(from..to.min(words.len())).unwrap_or_default();
        let (mut question, mut end) = (String::new(), 0);
        for blank in &self.blanks {
            let [from, to] = [blank.start, blank.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            question.extend(part(end, from));
            if !part(from, to).is_empty() {
                question.push_str(HIDDEN);
            }
            end = to;
        }
        question.extend(part(end, usize::MAX));
        question
    }

    /// Checks the texts of an own card.
    fn check_texts(&self) -> Result<(), StudyError> {
        if self.question.trim().is_empty() {
            return Err(StudyError::NoQuestion);
        }
        if self.answer.trim().is_empty() {
            return Err(StudyError::NoAnswer);
        }
        if self.question.chars().count() > QUESTION_MAX_CHARS {
            return Err(StudyError::QuestionTooLong);
        }
        if self.answer.chars().count() > ANSWER_MAX_CHARS { Err(StudyError::AnswerTooLong) } else { Ok(()) }
    }

    /// Checks the hidden words of a highlight: something is hidden, and something is left to go by.
    fn check_blanks(&self, words: &str) -> Result<(), StudyError> {
        let words: Vec<char> = words.chars().collect();
        let mut left: Vec<char> = Vec::new();
        let mut end = 0;
        for blank in &self.blanks {
            let [from, to] = [blank.start, blank.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            let hidden = words.get(from..to).ok_or(StudyError::NothingHidden)?;
            if from < end || !has_word(hidden) {
                return Err(StudyError::NothingHidden);
            }
            left.extend(&words[end..from]);
            end = to;
        }
        left.extend(&words[end..]);
        if self.blanks.is_empty() || !has_word(&left) { Err(StudyError::NothingHidden) } else { Ok(()) }
    }
}

fn has_word(chars: &[char]) -> bool {
    chars.iter().any(|c| c.is_alphanumeric())
}

impl CardState {
    /// A state of which only the kind is known: the other parts lose against any that was set.
    pub fn new(kind: CardKind, created_at: Timestamp) -> Self {
        let (content, is_paused) = (Register::unset(CardContent::default()), Register::unset(false));
        Self { kind, created_at, content, is_paused, deleted_at: None }
    }

    /// Checks a card as it is after a report was merged; `words` are those of its highlight.
    pub fn check(&self, words: Option<&str>) -> Result<(), StudyError> {
        match &self.kind {
            CardKind::Idea { title, .. } if title.trim().is_empty() => Err(StudyError::NoQuestion),
            CardKind::Idea { title, .. } if title.chars().count() > QUESTION_MAX_CHARS => {
                Err(StudyError::QuestionTooLong)
            }
            CardKind::Idea { .. } => Ok(()),
            CardKind::Highlight { .. } => self.content.value.check_blanks(words.unwrap_or_default()),
            CardKind::Own => self.content.value.check_texts(),
        }
    }

    /// The state with its moments corrected: that of the creation by one function, all others by the other, as those of a
    /// highlight are ([`crate::HighlightState::with_moments`]).
    #[must_use]
    pub fn with_moments(
        self,
        created_at: impl FnOnce(Timestamp) -> Timestamp,
        correct: impl Fn(Timestamp) -> Timestamp,
    ) -> Self {
        Self {
            created_at: created_at(self.created_at),
            content: self.content.with_moment(&correct),
            is_paused: self.is_paused.with_moment(&correct),
            deleted_at: self.deleted_at.map(&correct),
            ..self
        }
    }

    /// What two states of one card say together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            // Honest devices say the same.
            kind: self.kind.min(other.kind),
            created_at: self.created_at.min(other.created_at),
            content: self.content.merged(other.content),
            is_paused: self.is_paused.merged(other.is_paused),
            deleted_at: self.deleted_at.max(other.deleted_at),
        }
    }

    /// The latest moment of any part, the deletion excepted.
    pub fn edited_at(&self) -> Timestamp {
        self.created_at.max(self.content.at).max(self.is_paused.at)
    }

    /// Whether it was not deleted, or changed since.
    pub fn is_shown(&self) -> bool {
        self.deleted_at.is_none_or(|deleted| deleted < self.edited_at())
    }
}

/// The id of the card of a key idea. It follows from the idea, so that two devices that add it offline make one card.
pub fn id_of_idea(book: BookId, title: &str) -> ReviewCardId {
    derived_id(&format!("idea\n{book}\n{title}"))
}

/// The id of the card of a highlight.
pub fn id_of_highlight(highlight: HighlightId) -> ReviewCardId {
    derived_id(&format!("highlight\n{highlight}"))
}

/// The upper 53 bits of the hash FNV-1a of a name, and never 0.
fn derived_id(name: &str) -> ReviewCardId {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let id = i64::try_from(hash >> 11).unwrap_or_default().max(1);
    ReviewCardId::from_store(id)
}

/// The question of an idea (`study.card-questions`).
pub fn question_of_idea(title: &str) -> String {
    let title = title.trim();
    let is_question = title.trim_end_matches(['”', '’', '"', '\'', ')', ' ']).ends_with('?');
    if is_question {
        return title.to_owned();
    }
    let is_sentence = title.ends_with('.') && !title.ends_with("..");
    let bare = if is_sentence { &title[..title.len() - 1] } else { title };
    format!("What does “{}” mean?", bare.replace('“', "‘").replace('”', "’"))
}

/// The answer of an idea: the sentences with which its text begins, up to [`ANSWER_EXCERPT_CHARS`] characters; of a longer
/// first sentence whole words and an ellipsis (`study.card-questions`).
pub fn answer_of_idea(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let sentences = sentences(text);
    let Some(first) = sentences.first() else { return String::new() };
    let fits = |end: usize| end - first.start <= ANSWER_EXCERPT_CHARS;
    if let Some(last) = sentences.iter().take_while(|sentence| fits(sentence.end)).last() {
        return chars[first.start..last.end].iter().collect();
    }
    let most = &chars[first.start..first.start + ANSWER_EXCERPT_CHARS];
    // One character is the ellipsis; a word that ends just before it is whole.
    let end = most.iter().rposition(|c| c.is_whitespace()).unwrap_or(most.len() - 1);
    let words: String = most[..end].iter().collect();
    format!("{}…", words.trim_end_matches(|c: char| c.is_whitespace() || ",;:–—-".contains(c)))
}

/// By what an idea's text is found again: its first [`OPENING_CHARS`] characters.
pub fn opening_of_idea(text: &str) -> String {
    text.chars().take(OPENING_CHARS).collect()
}

/// The index of the section that a card of an idea asks for, in the present text: the one with its title, else the one
/// whose text begins as the idea's did; of several the nearest to its old index. `None`: the idea is gone, or the card is
/// of another kind (`study.review-cards`).
pub fn idea_place<T: AsRef<str>>(kind: &CardKind, titles: &[T], texts: &[T]) -> Option<u32> {
    let CardKind::Idea { section, title, opening } = kind else { return None };
    let folded = |text: &str| text.chars().map(fold).collect::<String>();
    let nearest = |places: Vec<u32>| places.into_iter().min_by_key(|place| (place.abs_diff(*section), *place));
    let places_of = |texts: &[T], is_it: &dyn Fn(&str) -> bool| {
        let sections = (0_u32..).zip(texts);
        sections.filter(|(_, text)| is_it(&folded(text.as_ref()))).map(|(place, _)| place).collect::<Vec<u32>>()
    };
    let (title, opening) = (folded(title), folded(opening));
    nearest(places_of(titles, &|text| text == title)).or_else(|| {
        let begins = |text: &str| !opening.trim().is_empty() && text.starts_with(&opening);
        nearest(places_of(texts, &begins))
    })
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, HighlightId, MAX_CLIENT_ID, Timestamp};
    use proptest::prelude::*;

    use super::{
        ANSWER_EXCERPT_CHARS, ANSWER_MAX_CHARS, Blank, CardContent, CardKind, CardState, OPENING_CHARS,
        QUESTION_MAX_CHARS, answer_of_idea, id_of_highlight, id_of_idea, idea_place, opening_of_idea, question_of_idea,
    };
    use crate::{Register, StudyError, merge_properties::merge_properties};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        book_id: Option<i64>,
        title: Option<String>,
        highlight_id: Option<i64>,
        id: i64,
    }

    #[test]
    fn the_cases_that_the_web_app_shares_have_their_ids() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("card_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 10);
        for Case { book_id, title, highlight_id, id } in cases {
            let derived = match (book_id, &title, highlight_id) {
                (Some(book), Some(title), None) => id_of_idea(BookId::new(book).expect("an id"), title),
                (None, None, Some(highlight)) => id_of_highlight(HighlightId::new(highlight).expect("an id")),
                _ => panic!("an idea or a highlight"),
            };
            assert_eq!(derived.get(), id, "{book_id:?} {title:?} {highlight_id:?}");
        }
    }

    fn own(question: &str, answer: &str) -> CardState {
        let content = Register::new(CardContent::own(question, answer), NOW);
        CardState { content, ..CardState::new(CardKind::Own, NOW) }
    }

    #[test]
    fn an_own_card_has_a_question_and_an_answer_within_their_limits() {
        assert_eq!((QUESTION_MAX_CHARS, ANSWER_MAX_CHARS), (500, 2_000));
        let (question, answer) = ("é".repeat(QUESTION_MAX_CHARS), "é".repeat(ANSWER_MAX_CHARS));
        assert_eq!(own(&question, &answer).check(None), Ok(()));
        assert_eq!(own(&format!("{question}é"), &answer).check(None), Err(StudyError::QuestionTooLong));
        assert_eq!(own(&question, &format!("{answer}é")).check(None), Err(StudyError::AnswerTooLong));
        assert_eq!(own(" \n", "a").check(None), Err(StudyError::NoQuestion));
        assert_eq!(own("a", "\0").check(None), Err(StudyError::NoAnswer));
        assert_eq!(own("a\r\nb", "c\0").content.value, CardContent::own("a\nb", "c"));
    }

    #[test]
    fn a_card_of_a_highlight_hides_some_words_and_not_all() {
        let highlight = HighlightId::from_store(7);
        let check = |blanks: &[(u32, u32)]| {
            let blanks = blanks.iter().map(|(start, end)| Blank { start: *start, end: *end }).collect();
            let content = Register::new(CardContent::hiding(blanks), NOW);
            CardState { content, ..CardState::new(CardKind::Highlight { highlight }, NOW) }.check(Some("A wise mán."))
        };
        for right in [&[(2, 6)][..], &[(0, 1), (7, 10)], &[(0, 6)], &[(2, 4), (4, 6)]] {
            assert_eq!(check(right), Ok(()), "{right:?}");
        }
        // None, all, white space or a mark alone, overlapping, in another order, and outside.
        for wrong in [
            &[][..],
            &[(0, 11)],
            &[(0, 10)],
            &[(0, 6), (7, 10)],
            &[(1, 2)],
            &[(10, 11)],
            &[(2, 2)],
            &[(2, 6), (5, 8)],
            &[(7, 10), (0, 1)],
            &[(6, 2)],
            &[(7, 12)],
            &[(0, u32::MAX)],
        ] {
            assert_eq!(check(wrong), Err(StudyError::NothingHidden), "{wrong:?}");
        }
    }

    fn idea(section: u32, title: &str, opening: &str) -> CardKind {
        CardKind::Idea { section, title: title.to_owned(), opening: opening.to_owned() }
    }

    #[test]
    fn an_idea_has_a_title_to_ask_for() {
        assert_eq!(CardState::new(idea(1, "A hut", ""), NOW).check(None), Ok(()));
        assert_eq!(CardState::new(idea(1, " ", "x"), NOW).check(None), Err(StudyError::NoQuestion));
        let title = "é".repeat(QUESTION_MAX_CHARS);
        assert_eq!(CardState::new(idea(1, &title, ""), NOW).check(None), Ok(()));
        assert_eq!(CardState::new(idea(1, &(title + "é"), ""), NOW).check(None), Err(StudyError::QuestionTooLong));
    }

    #[test]
    fn a_title_becomes_a_question_unless_it_is_one() {
        for (title, question) in [
            ("Why does a hut cost so little?", "Why does a hut cost so little?"),
            ("What is “enough?” ", "What is “enough?”"),
            ("Simplify", "What does “Simplify” mean?"),
            ("Live simply.", "What does “Live simply” mean?"),
            ("And so on...", "What does “And so on...” mean?"),
            ("The “cost” of a thing", "What does “The ‘cost’ of a thing” mean?"),
        ] {
            assert_eq!(question_of_idea(title), question);
        }
    }

    #[test]
    fn the_answer_of_an_idea_is_its_first_sentences() {
        assert_eq!(ANSWER_EXCERPT_CHARS, 280);
        assert_eq!(answer_of_idea("  One.\nTwo is here. "), "One.\nTwo is here.");
        let sentence = |chars: usize| format!("É{}.", "é".repeat(chars - 2));
        let two = format!("{} {}", sentence(139), sentence(140));
        assert_eq!(answer_of_idea(&two), two);
        assert_eq!(answer_of_idea(&format!("{} {}", sentence(140), sentence(140))), sentence(140));
        assert_eq!(answer_of_idea(" \n"), "");
    }

    #[test]
    fn a_long_first_sentence_ends_with_a_whole_word() {
        let long = format!("One, {} end", "word ".repeat(60));
        let answer = answer_of_idea(&long);
        assert!(answer.starts_with("One, word word") && answer.ends_with("word…"), "{answer}");
        assert!(answer.chars().count() <= ANSWER_EXCERPT_CHARS);
        assert_eq!(answer_of_idea(&"é".repeat(300)), format!("{}…", "é".repeat(279)));
    }

    #[test]
    fn an_idea_is_found_by_its_title_and_else_by_its_opening() {
        let titles = ["A hut", "It's enough", "A hut", ""];
        let texts = ["He built it.", "Little is.", "He left it.", "At last."];
        assert_eq!(idea_place(&idea(0, "A hut", ""), &titles, &texts), Some(0));
        assert_eq!(idea_place(&idea(3, "A hut", "He built"), &titles, &texts), Some(2));
        assert_eq!(idea_place(&idea(1, "A hut", ""), &titles, &texts), Some(0), "the earlier of two as near");
        assert_eq!(idea_place(&idea(9, "It’s enough", ""), &titles, &texts), Some(1));
        assert_eq!(idea_place(&idea(0, "A cabin", "He left"), &titles, &texts), Some(2));
        assert_eq!(idea_place(&idea(0, "A cabin", "Nothing"), &titles, &texts), None);
        assert_eq!(idea_place(&idea(0, "A cabin", ""), &titles, &texts), None);
        assert_eq!(idea_place(&CardKind::Own, &titles, &texts), None);
        assert_eq!(opening_of_idea(&"é".repeat(70)).chars().count(), OPENING_CHARS);
    }

    fn some_reports() -> impl Strategy<Value = Vec<CardState>> {
        let kind = prop_oneof![
            4 => Just(idea(1, "A hut", "He")),
            1 => Just(idea(0, "A hut", "He")),
            1 => Just(CardKind::Own),
        ];
        let content = ("[ab]{0,2}", "[ab]{0,2}", proptest::collection::vec((0..3_u32, 0..3_u32), 0..3));
        let content = content.prop_map(|(question, answer, blanks)| {
            let blanks = blanks.into_iter().map(|(start, end)| Blank { start, end }).collect();
            CardContent { question, answer, blanks }
        });
        let report = (kind, 0..3_i64, (content, 0..9_i64), (any::<bool>(), 0..9_i64), proptest::option::of(0..9_i64));
        let report = report.prop_map(|(kind, created, content, paused, deleted)| CardState {
            kind,
            created_at: NOW.plus(created),
            content: Register::new(content.0, NOW.plus(content.1)),
            is_paused: Register::new(paused.0, NOW.plus(paused.1)),
            deleted_at: deleted.map(|at| NOW.plus(at)),
        });
        proptest::collection::vec(report, 1..=16)
    }

    merge_properties!(CardState);

    proptest! {
        #[test]
        fn a_later_change_brings_a_deleted_card_back(said in some_reports(), later in 9..20_i64) {
            let card = merged(&said);
            let resumed = CardState { is_paused: Register::new(false, NOW.plus(later)), ..card.clone() };
            prop_assert!(card.merged(resumed).is_shown());
        }

        /// Two devices add the same idea while both are offline.
        #[test]
        fn an_idea_has_one_id_and_other_ideas_have_others(book in 1..1000_i64, title in "\\PC{0,40}", other in "\\PC{0,40}") {
            let id = |title| id_of_idea(BookId::from_store(book), title);
            prop_assert_eq!(id(&title), id(&title));
            prop_assert!((1..=MAX_CLIENT_ID).contains(&id(&title).get()));
            prop_assert_eq!(id(&title) == id(&other), title == other);
        }

        #[test]
        fn an_answer_is_the_beginning_of_its_text(text in "[a-zé .!?\n“”,]{0,700}") {
            let answer = answer_of_idea(&text);
            let whole = answer.strip_suffix('…').unwrap_or(&answer);
            prop_assert!(text.trim_start().starts_with(whole), "{:?}", answer);
            prop_assert!(answer.chars().count() <= ANSWER_EXCERPT_CHARS);
            prop_assert_eq!(answer.is_empty(), text.trim().is_empty());
        }
    }
}
