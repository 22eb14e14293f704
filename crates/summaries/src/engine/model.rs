//! The port to a language model, and the validation of its answer.
//!
//! A model gets the source as numbered passages and answers with ideas that cite them by number. Nothing in the answer
//! is trusted: numbers of missing passages and quotations that the source does not contain are dropped, and an idea
//! that cites nothing, or shares no term with the passages that it cites, is marked as unsupported.

use std::ops::Range;
use std::pin::Pin;

use crate::engine::language::{Vocabulary, detect_language, guess_language};
use crate::engine::ranking::choose;
use crate::engine::sentences::outline;
use crate::engine::source::Source;
use crate::engine::summary::{Summary, normalise_whitespace};
use crate::engine::terms::{Terms, terms_in};
use crate::{KeyIdea, Passage};

/// The most ideas of a summary; a model's further ideas are dropped.
pub const MAX_IDEAS: usize = 12;
/// The default limit of a prompt's passages, in bytes: about 12,000 tokens of English.
pub const MAX_PROMPT_BYTES: usize = 48_000;
/// The longest title, in characters.
const MAX_TITLE: usize = 120;
/// The longest text of one idea, in characters.
const MAX_TEXT: usize = 4_000;

/// The result of calling a model: a boxed standard-library future, so that this crate depends on no async runtime.
pub type ModelFuture<'a> = Pin<Box<dyn Future<Output = Result<Draft, ModelError>> + Send + 'a>>;

/// A language model that writes summaries.
pub trait SummaryModel: Send + Sync {
    /// The greatest length of a prompt for this model, in bytes.
    fn max_input(&self) -> usize {
        MAX_PROMPT_BYTES
    }

    /// Writes a draft of the summary. `progress` is called with the number of characters received so far.
    fn write<'a>(&'a self, prompt: &'a Prompt, progress: &'a (dyn Fn(usize) + Sync)) -> ModelFuture<'a>;
}

/// Why a model gave no usable answer. The caller uses the built-in engine instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The model can't be reached or did not answer in time.
    #[error("the model can't be reached: {0}")]
    Unavailable(String),
    /// The model refused the request.
    #[error("the model refused the request: {0}")]
    Refused(String),
    /// The model's answer does not have the requested format.
    #[error("the model's answer can't be read: {0}")]
    BadAnswer(String),
}

/// A source as a model gets it: passages, numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    passages: Vec<Passage>,
    text: String,
}

impl Prompt {
    /// Numbers the sentences of a source. When they exceed `limit` bytes, the built-in engine's ranking selects the
    /// sentences to include.
    pub fn new(source: &Source<'_>, limit: usize) -> Self {
        let text = source.text();
        let outline = outline(source);
        let all = || outline.sentences.iter().map(|sentence| sentence.range.clone());
        let fits = all().map(|range| range.len() + NUMBER).sum::<usize>() <= limit;
        let passages: Vec<Passage> = if fits { all().collect() } else { best_within(text, source, limit) };
        let mut numbered = String::new();
        for (index, range) in passages.iter().enumerate() {
            let said = normalise_whitespace(&text[range.clone()]);
            let number = (index + 1).to_string();
            numbered.extend(["[", &number, "] ", &said, "\n"]);
        }
        Self { passages, text: numbered }
    }

    /// The passages, one per line, each after its number in brackets.
    pub fn numbered_text(&self) -> &str {
        &self.text
    }

    /// The number of passages.
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there is no passage, because the source has no words.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    fn passage(&self, number: usize) -> Option<Passage> {
        self.passages.get(number.checked_sub(1)?).cloned()
    }
}

/// The space for a passage's number and line break, in bytes.
const NUMBER: usize = 12;

fn best_within(text: &str, source: &Source<'_>, limit: usize) -> Vec<Passage> {
    let vocabulary = Vocabulary::of(guess_language(text));
    let outline = outline(source);
    let terms = Terms::read(text, &outline.sentences, &vocabulary);
    // A word with the space after it has at least two bytes.
    let mut chosen = choose(text, &outline, &terms, limit / 2);
    let mut left = limit;
    chosen.retain(|sentence| {
        let size = outline.sentences[*sentence].range.len() + NUMBER;
        let fits = size <= left;
        if fits {
            left -= size;
        }
        fits
    });
    chosen.sort_unstable();
    chosen.into_iter().map(|sentence| outline.sentences[sentence].range.clone()).collect()
}

/// A summary as a model wrote it, not validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub ideas: Vec<DraftIdea>,
}

/// An idea as a model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftIdea {
    pub title: String,
    pub text: String,
    /// Numbers of the passages that it cites.
    pub passages: Vec<usize>,
    /// Texts that it claims to quote from the source.
    pub quotations: Vec<String>,
}

/// The number of corrections by [`validate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValidationReport {
    /// Dropped citations of passages that do not exist.
    pub dropped_citations: usize,
    /// Dropped quotations that the source does not contain.
    pub dropped_quotations: usize,
    /// Dropped ideas: those without a title or a text, repeated ones, and those over the limit.
    pub dropped_ideas: usize,
    /// Ideas marked as unsupported: they cite no passage with which they share a term.
    pub unsupported_ideas: usize,
}

/// Converts a draft into a summary in which every citation and every quotation is valid.
///
/// Ideas are ordered by their first passage; those without passages come last, in the model's order. A quotation may
/// differ from the source only in whitespace, and is replaced by the source's text. A citation or a quotation supports
/// an idea when both share a term: the stem of a word that is not a function word.
pub fn validate(source: &Source<'_>, prompt: &Prompt, draft: Draft) -> (Summary, ValidationReport) {
    let text = source.text();
    let mut report = ValidationReport::default();
    let mut ideas: Vec<KeyIdea> = Vec::new();
    let searched = SearchedText::new(text);
    let vocabulary = Vocabulary::of(guess_language(text));
    for written in draft.ideas {
        let title = shorten(&normalise_whitespace(&written.title), MAX_TITLE);
        let said = shorten(&normalise_whitespace(&written.text), MAX_TEXT);
        let repeated = ideas.iter().any(|idea| idea.text == said || idea.title == title);
        if title.is_empty() || said.is_empty() || repeated || ideas.len() == MAX_IDEAS {
            report.dropped_ideas += 1;
            continue;
        }
        let cited: Vec<Passage> = written.passages.iter().filter_map(|number| prompt.passage(*number)).collect();
        report.dropped_citations += written.passages.len() - cited.len();
        let quotations: Vec<Passage> = written.quotations.iter().filter_map(|said| searched.find(said)).collect();
        report.dropped_quotations += written.quotations.len() - quotations.len();
        let passages = merged(cited.into_iter().chain(quotations.iter().cloned()).collect());
        let own =
            [&*title, &*said].map(|part| terms_in(part, Passage { start: 0, end: part.len() }, &vocabulary)).concat();
        let is_shared = passages
            .iter()
            .any(|cited| terms_in(text, cited.clone(), &vocabulary).iter().any(|term| own.contains(term)));
        report.unsupported_ideas += usize::from(!is_shared);
        let quotations = sorted(quotations);
        ideas.push(KeyIdea { title, text: said, passages, quotations, is_supported: is_shared });
    }
    // Stable: ideas that begin at the same place, or nowhere, stay in the model's order.
    ideas.sort_by_key(|idea| idea.passages.first().map_or(usize::MAX, |passage| passage.start));
    (Summary { language: detect_language(text), ideas }, report)
}

/// Merges overlapping ranges.
fn merged(ranges: Vec<Passage>) -> Vec<Passage> {
    let mut merged: Vec<Passage> = Vec::new();
    for range in sorted(ranges) {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn sorted(mut ranges: Vec<Passage>) -> Vec<Passage> {
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges
}

fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => {
            let head = &text[..end];
            let cut = head.rfind(' ').unwrap_or(end);
            format!("{} …", head[..cut].trim_end())
        }
        None => text.to_owned(),
    }
}

/// A text with each run of whitespace as one space, and the mapping back to positions in the original.
struct SearchedText {
    normalised: String,
    /// For the start of each word: its offset in `normalised`, and in the original text.
    anchors: Vec<(usize, usize)>,
}

impl SearchedText {
    fn new(text: &str) -> Self {
        let mut searched = Self { normalised: String::with_capacity(text.len()), anchors: Vec::new() };
        let mut at = 0;
        for word in text.split_whitespace() {
            // Words come in order, so the next occurrence from here on is this word.
            let start = at + text[at..].find(word).unwrap_or_default();
            if !searched.normalised.is_empty() {
                searched.normalised.push(' ');
            }
            searched.anchors.push((searched.normalised.len(), start));
            searched.normalised.push_str(word);
            at = start + word.len();
        }
        searched
    }

    fn find(&self, quotation: &str) -> Option<Range<usize>> {
        let quotation = normalise_whitespace(quotation);
        if !quotation.chars().any(char::is_alphanumeric) {
            return None;
        }
        let start = self.normalised.find(&quotation)?;
        let place = |at: usize| {
            let (normalised, original) = self.anchors[self.anchors.partition_point(|(place, _)| *place <= at) - 1];
            original + (at - normalised)
        };
        // The last byte of a quotation is in a word, never in a space.
        Some(place(start)..place(start + quotation.len() - 1) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "Reason is common to all.\nHabit, they say,\nmakes character. «Été» is a season. Nobody is born idle.";

    fn validated(ideas: Vec<DraftIdea>) -> (Summary, ValidationReport) {
        let source = Source::plain(TEXT);
        validate(&source, &Prompt::new(&source, MAX_PROMPT_BYTES), Draft { ideas })
    }

    fn idea(title: &str, passages: &[usize], quotations: &[&str]) -> DraftIdea {
        DraftIdea {
            title: title.to_owned(),
            text: format!("The text on {title}."),
            passages: passages.to_vec(),
            quotations: quotations.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn a_prompt_numbers_its_passages() {
        let prompt = Prompt::new(&Source::plain(TEXT), MAX_PROMPT_BYTES);
        assert_eq!(
            prompt.numbered_text(),
            "[1] Reason is common to all.\n[2] Habit, they say, makes character.\n[3] «Été» is a season.\n[4] Nobody is born idle.\n"
        );
        assert!(Prompt::new(&Source::plain(" \n"), MAX_PROMPT_BYTES).is_empty());
    }

    #[test]
    fn a_prompt_of_a_long_text_keeps_its_limit_and_the_order() {
        let text = (0..3_000)
            .map(|number| format!("Sentence number {number} speaks of liberty."))
            .collect::<Vec<_>>()
            .join(" ");
        let prompt = Prompt::new(&Source::plain(&text), 5_000);
        assert!(prompt.numbered_text().len() <= 5_000 && prompt.len() > 50, "{}", prompt.numbered_text().len());
        assert!(prompt.passages.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn citations_that_do_not_exist_are_dropped() {
        let (summary, report) = validated(vec![idea("Reason", &[0, 1, 99, 1], &[])]);
        assert_eq!(summary.ideas[0].passages, vec![Passage { start: 0, end: 24 }]);
        assert_eq!(report.dropped_citations, 2);
    }

    #[test]
    fn a_quotation_must_stand_in_the_source() {
        let (summary, report) =
            validated(vec![idea("Habit", &[2], &["they say, makes", "habit makes people", "«Été»", " ", "…"])]);
        let quoted: Vec<&str> = summary.ideas[0].quotations.iter().map(|range| &TEXT[range.clone()]).collect();
        assert_eq!(quoted, ["they say,\nmakes", "«Été»"]);
        assert_eq!(report.dropped_quotations, 3);
    }

    #[test]
    fn an_idea_without_support_is_marked_and_comes_last() {
        let (summary, report) = validated(vec![idea("Invented", &[42], &["nowhere"]), idea("Reason", &[1], &[])]);
        let supports: Vec<(&str, bool)> =
            summary.ideas.iter().map(|idea| (idea.title.as_str(), idea.is_supported)).collect();
        assert_eq!(supports, [("Reason", true), ("Invented", false)]);
        assert_eq!(report.unsupported_ideas, 1);
    }

    #[test]
    fn an_idea_that_shares_no_term_with_what_it_cites_is_marked() {
        let invented = DraftIdea {
            title: "Compound interest".to_owned(),
            text: "It is all in the habit of the bank.".to_owned(),
            passages: vec![1],
            quotations: vec!["«Été» is a season.".to_owned()],
        };
        let told = DraftIdea { title: "Habits".to_owned(), passages: vec![2], ..invented.clone() };
        let (summary, report) =
            validated(vec![invented, DraftIdea { quotations: Vec::new(), text: "Yes.".to_owned(), ..told }]);
        let supports: Vec<bool> = summary.ideas.iter().map(|idea| idea.is_supported).collect();
        assert_eq!(supports, [false, true]);
        assert_eq!(report.unsupported_ideas, 1);
        assert!(!summary.ideas[0].passages.is_empty(), "the reader sees what it cites");
    }

    #[test]
    fn a_true_quotation_supports_an_idea() {
        let (summary, _) = validated(vec![idea("Idle", &[], &["Nobody is born idle."])]);
        assert!(summary.ideas[0].is_supported);
        assert_eq!(&TEXT[summary.ideas[0].passages[0].clone()], "Nobody is born idle.");
    }

    #[test]
    fn ideas_come_in_the_order_of_the_source() {
        let (summary, _) = validated(vec![idea("Last", &[4], &[]), idea("First", &[2, 1], &[])]);
        assert_eq!(summary.ideas.iter().map(|idea| idea.title.as_str()).collect::<Vec<_>>(), ["First", "Last"]);
        assert_eq!(summary.ideas[0].passages, [0..24, 25..58]);
    }

    #[test]
    fn empty_repeated_and_surplus_ideas_are_dropped() {
        let mut ideas = vec![idea("", &[1], &[]), idea("Twice", &[1], &[]), idea("Twice", &[2], &[])];
        ideas.extend((0..20).map(|number| idea(&format!("Idea {number}"), &[1], &[])));
        let (summary, report) = validated(ideas);
        assert_eq!(summary.ideas.len(), MAX_IDEAS);
        assert_eq!(report.dropped_ideas, 23 - MAX_IDEAS);
    }

    #[test]
    fn overlong_texts_are_cut_between_words() {
        let mut long = idea(&"word ".repeat(100), &[1], &[]);
        long.text = "é".repeat(9_000);
        let (summary, _) = validated(vec![long]);
        assert!(summary.ideas[0].title.ends_with("word …") && summary.ideas[0].title.chars().count() <= MAX_TITLE + 2);
        assert!(summary.ideas[0].text.chars().count() <= MAX_TEXT + 2);
    }
}
