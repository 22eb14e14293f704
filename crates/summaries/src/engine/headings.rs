//! Headings of short texts: whole clauses and whole noun phrases (`summaries.short-headings`).
//!
//! In English, a clause begins and ends where a sentence, a main clause or a subordinate clause does, and a noun phrase
//! is a clause's subject, or goes from a determiner to the end of the phrase. In other languages a heading is a part of
//! a sentence between punctuation marks.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;
use crate::engine::english::{Gap, Token, tokens};
use crate::engine::language::Vocabulary;
use crate::engine::ranking::as_float;
use crate::engine::summary::normalise_whitespace;
use crate::engine::terms::{Terms, terms_in};
use crate::engine::titles::as_title;

/// The most words of a heading.
const MAX_WORDS: usize = 10;
/// The fewest words of a clause.
const MIN_CLAUSE: usize = 3;
/// The most words of a noun phrase.
const MAX_NOUN_PHRASE: usize = 7;

/// The worth of each kind of heading.
const CLAUSE: f64 = 2.0;
const WHOLE_SENTENCE: f64 = 1.7;
const TRIMMED_CLAUSE: f64 = 1.5;
const SUBJECT: f64 = 1.0;
const OBJECT: f64 = 0.9;
/// The factor for each sentence before: the first ones say what an idea is about.
const LATER: f64 = 0.85;
/// The same factor behind the introduction of a list or a sequence.
const ITEM: f64 = 0.3;
/// The factor for a noun phrase that hardly names a point: one word, or `any`, `no` and the like.
const WEAK: f64 = 0.01;

/// Adjuncts that a clause is complete without, by their prepositions.
const ADJUNCTS: [&str; 13] =
    ["for", "with", "without", "during", "within", "over", "since", "until", "by", "from", "on", "in", "at"];
/// A subordinate clause that another one can do without starts with these.
const CLAUSE_ENDS: [&str; 14] = [
    "because", "if", "when", "while", "although", "though", "unless", "until", "since", "before", "after", "so",
    "where", "which",
];
/// Subordinate clauses that are true without the main clause: behind these words a clause can stand alone.
const STATES: [&str; 3] = ["that", "because", "so"];

struct Candidate {
    worth: f64,
    range: Passage,
    /// Whether it hardly names a point.
    is_weak: bool,
}

/// Finds headings, and avoids those of earlier ideas.
pub(crate) struct Headings<'a> {
    pub(crate) text: &'a str,
    pub(crate) terms: &'a Terms,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) is_english: bool,
    pub(crate) used: HashSet<String>,
}

impl Headings<'_> {
    /// The heading of an idea: the source's own heading above it, if any, or the best part of its sentences.
    /// No heading repeats the first of them. `None` when that hardly names a point, unless `accepts_weak`.
    pub(crate) fn heading_of(
        &mut self,
        above: Option<Passage>,
        sentences: &[Passage],
        is_enumeration: bool,
        accepts_weak: bool,
    ) -> Option<String> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut share = 1.0;
        for sentence in sentences {
            let from = candidates.len();
            if self.is_english {
                self.add_english(sentence, &mut candidates);
            } else {
                self.add_parts(sentence, &mut candidates);
            }
            for candidate in &mut candidates[from..] {
                candidate.worth *= share * self.salience(&candidate.range);
            }
            share *= if is_enumeration && from == 0 { ITEM } else { LATER };
        }
        candidates.retain(|candidate| accepts_weak || !candidate.is_weak);
        // Of equals, the earlier one.
        candidates
            .sort_by(|one, other| other.worth.total_cmp(&one.worth).then(one.range.start.cmp(&other.range.start)));
        let opening = sentences.first().map_or("", |opening| &self.text[opening.clone()]);
        let whole = statements_of(opening);
        let ranges = above.into_iter().chain(candidates.into_iter().map(|candidate| candidate.range));
        for range in ranges {
            let heading = as_title(&self.text[range.clone()]);
            if !whole.contains(&words_of(&heading)) && self.used.insert(heading.to_lowercase()) {
                return Some(heading);
            }
        }
        None
    }

    /// How much a part of the text says what the text is about.
    fn salience(&self, range: &Passage) -> f64 {
        let mut stems = terms_in(self.text, range.clone(), self.vocabulary);
        let words = self.text[range.clone()].unicode_words().count();
        stems.sort_unstable();
        stems.dedup();
        let sum: f64 = stems.into_iter().map(|stem| f64::from(self.terms.sentences_with(stem)).sqrt()).sum();
        (1.0 + sum) / as_float(words + 2).powf(0.5)
    }

    /// Parts between punctuation marks that neither begin nor end with a function word.
    fn add_parts(&self, sentence: &Passage, candidates: &mut Vec<Candidate>) {
        let words: Vec<Token> = tokens(self.text, sentence.clone());
        let mut start = 0;
        for end in 1..=words.len() {
            if end < words.len() && words[end].gap == Gap::Space {
                continue;
            }
            let part = &words[start..end];
            start = end;
            let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
            let is_function_word = |token: &Token| self.vocabulary.is_function_word(&token.word);
            if (2..=MAX_WORDS).contains(&part.len()) && !is_function_word(last) {
                let worth = if is_function_word(first) { 0.7 } else { 1.0 };
                candidates.push(Candidate { worth, range: first.range.start..last.range.end, is_weak: false });
            }
        }
    }

    fn noun_phrase(&self, part: &[Token], worth: f64) -> Candidate {
        let range = part[0].range.start..part[part.len() - 1].range.end;
        let names: Vec<&Token> = part.iter().filter(|one| one.is_content() && one.word.len() > 3).collect();
        let repeats = |token: &Token| {
            terms_in(self.text, token.range.clone(), self.vocabulary)
                .iter()
                .any(|stem| self.terms.sentences_with(*stem) > 1)
        };
        // "three rules", and a word that the text comes back to
        let is_amount = part[0].word.starts_with(|one: char| one.is_ascii_digit());
        let is_counted = part[0].is_number() && part.get(1).is_some_and(Token::is_content);
        let is_topic = part.len() > 1 && !is_amount && names.iter().any(|one| repeats(one));
        let names_point = names.len() > 1 || is_counted || is_topic;
        let is_weak = !names_point || part[0].is_indefinite();
        let factor = if part[0].is_indefinite() {
            WEAK * WEAK
        } else if is_weak {
            WEAK
        } else {
            1.0
        };
        Candidate { worth: worth * factor, range, is_weak }
    }

    fn add_english(&self, sentence: &Passage, candidates: &mut Vec<Candidate>) {
        let tokens = tokens(self.text, sentence.clone());
        for start in 0..tokens.len() {
            let Some(kind) = clause_start(&tokens, start) else { continue };
            let Some(verb) = (start..tokens.len()).find(|index| tokens[*index].is_finite) else { continue };
            if !is_subject(&tokens, start, verb) {
                continue;
            }
            // "Those who ask", "What we call silence": their own verb is not the sentence's.
            let has_relative = tokens[start..verb].iter().any(Token::is_subordinator);
            let range = |end: usize| tokens[start].range.start..tokens[end - 1].range.end;
            for end in (start + MIN_CLAUSE).max(verb + 1)..=tokens.len().min(start + MAX_WORDS) {
                if tokens[start + 1..end].iter().any(|one| one.gap != Gap::Space) {
                    break;
                }
                if has_relative && !tokens[verb + 1..end].iter().any(|one| one.is_finite) {
                    continue;
                }
                // "What they share is that the evening"
                let is_open = tokens[verb + 1..end].iter().rposition(Token::is_subordinator).is_some_and(|at| {
                    let at = verb + 1 + at;
                    !matches!(tokens[at].word.as_str(), "than" | "as" | "before" | "after")
                        && !tokens[at + 1..end].iter().any(|one| one.is_finite)
                });
                if is_open {
                    continue;
                }
                if let Some(worth) = clause_end(&tokens, start, verb, end) {
                    candidates.push(Candidate { worth: worth * kind, range: range(end), is_weak: false });
                }
            }
            if verb > start && verb - start <= MAX_NOUN_PHRASE && is_noun_phrase(&tokens[start..verb]) {
                candidates.push(self.noun_phrase(&tokens[start..verb], SUBJECT));
            }
        }
        for start in 0..tokens.len() {
            for end in start + 1..=tokens.len().min(start + MAX_NOUN_PHRASE) {
                if is_whole_object(&tokens, start, end) {
                    candidates.push(self.noun_phrase(&tokens[start..end], OBJECT));
                }
            }
        }
    }
}

/// Whether the last word is a noun.
fn ends_in_noun(tokens: &[Token]) -> bool {
    let Some((last, before)) = tokens.split_last() else { return false };
    let follows =
        before.last().is_some_and(|before| before.is_determiner() || before.is_content() && !before.may_be_verb());
    last.is_content() && (!last.may_be_verb() || follows)
}

/// The words in lower case, without punctuation.
fn words_of(text: &str) -> String {
    normalise_whitespace(&text.unicode_words().collect::<Vec<_>>().join(" ").to_lowercase())
}

/// The words of a sentence or a quotation, and those before the first mark that ends a statement in it.
fn statements_of(sentence: &str) -> [String; 2] {
    [words_of(sentence), words_of(sentence.split(['.', '!', '?', ':']).next().unwrap_or_default())]
}

/// Whether a clause can begin here, and the factor for its worth.
fn clause_start(tokens: &[Token], start: usize) -> Option<f64> {
    let token = &tokens[start];
    if token.is_preposition() || token.is_coordinator() || token.is_subordinator() && !is_question_word(token) {
        return None;
    }
    if token.is_adverb() || token.is_auxiliary() {
        return None;
    }
    let Some(before) = start.checked_sub(1).map(|before| &tokens[before]) else { return Some(1.0) };
    match token.gap {
        Gap::Stop => Some(1.0),
        // Behind an introduction: the part before has no main clause.
        Gap::Comma => {
            let opens = tokens[..start].iter().rposition(|one| one.gap == Gap::Stop).unwrap_or(0);
            let introduction = &tokens[opens..start];
            let is_introduction = introduction.iter().all(|one| !one.is_finite)
                || introduction.first().is_some_and(|first| first.is_subordinator() || first.is_preposition());
            is_introduction.then_some(1.0)
        }
        // Not "divers and climbers".
        Gap::Space if before.is_coordinator() => {
            let clause = tokens[..start - 1].iter().enumerate().rev().take_while(|(index, one)| {
                !one.is_subordinator()
                    && !one.is_coordinator()
                    && (*index + 1 == start - 1 || tokens[*index + 1].gap == Gap::Space)
            });
            let is_clause = clause.into_iter().any(|(_, one)| one.is_finite);
            let follows_clause = before.gap == Gap::Comma && tokens[..start - 1].iter().any(|one| one.is_finite);
            (is_clause || follows_clause).then_some(0.95)
        }
        Gap::Space if STATES.contains(&before.word.as_str()) => Some(0.9),
        Gap::Space => None,
    }
}

fn is_question_word(token: &Token) -> bool {
    matches!(token.word.as_str(), "what" | "who" | "how" | "why" | "where" | "whoever" | "which" | "whom" | "whose")
}

/// Whether the words before a clause's finite verb are its subject; an imperative has none.
fn is_subject(tokens: &[Token], start: usize, verb: usize) -> bool {
    let subject = &tokens[start..verb];
    let Some(first) = subject.first() else {
        let token = &tokens[start];
        let before = start.checked_sub(1).map(|before| &tokens[before]);
        let is_imperative = tokens[0].is_finite && !tokens[0].is_auxiliary();
        return !token.is_auxiliary()
            && (token.gap == Gap::Stop || before.is_some_and(Token::is_coordinator) && is_imperative);
    };
    if subject.iter().skip(1).any(|one| one.gap != Gap::Space) {
        return false;
    }
    if subject.len() == 1 && first.is_unnamed() {
        return false;
    }
    // "It also", "This never"
    if first.is_unnamed() && subject[1..].iter().all(Token::is_adverb) {
        return false;
    }
    let relatives = subject.iter().skip(1).filter(|one| one.is_subordinator());
    if relatives
        .into_iter()
        .any(|one| !matches!(one.word.as_str(), "that" | "who" | "which" | "whom" | "whose" | "where"))
    {
        return false;
    }
    subject.iter().any(|one| one.is_content() || one.is_pronoun()) && !subject.iter().any(|one| one.word == "to")
}

/// Whether a clause is complete before `end`, and its worth.
fn clause_end(tokens: &[Token], start: usize, verb: usize, end: usize) -> Option<f64> {
    let last = &tokens[end - 1];
    let is_year = last.word.len() == 4 && last.word.bytes().all(|one| one.is_ascii_digit());
    let can_be_last = last.is_content() || is_year || last.is_adverb() && last.word.len() > 4 && end - verb > 1;
    if !can_be_last {
        return None;
    }
    let Some(next) = tokens.get(end) else { return Some(if start == 0 { WHOLE_SENTENCE } else { CLAUSE }) };
    let ends_with_verb = end - verb == 1;
    match next.gap {
        Gap::Stop => Some(CLAUSE),
        Gap::Comma => (!in_enumeration(tokens, end)).then_some(CLAUSE),
        Gap::Space if CLAUSE_ENDS.contains(&next.word.as_str()) => {
            // "know when", "the day before the"
            let is_complement = ends_with_verb || last.may_be_verb() && end - verb < 3;
            let has_verb = tokens[end + 1..].iter().take_while(|one| one.gap == Gap::Space).any(|one| one.is_finite);
            (!is_complement && has_verb).then_some(CLAUSE)
        }
        Gap::Space if next.is_coordinator() => {
            let rest =
                tokens[end + 1..].iter().take(4).take_while(|one| one.gap == Gap::Space && !one.is_preposition());
            let is_next_clause = rest.into_iter().any(|one| one.is_finite);
            (!ends_with_verb && is_next_clause).then_some(CLAUSE)
        }
        // A relative clause.
        Gap::Space if matches!(next.word.as_str(), "that" | "who") => {
            (end - verb > 2 && ends_in_noun(&tokens[start..end])).then_some(TRIMMED_CLAUSE)
        }
        Gap::Space if ADJUNCTS.contains(&next.word.as_str()) => {
            let is_passive = last.word.ends_with("ed") && tokens[verb].is_auxiliary();
            (end - verb > 2 && (is_passive || ends_in_noun(&tokens[start..end]))).then_some(TRIMMED_CLAUSE)
        }
        Gap::Space => None,
    }
}

/// Whether the comma before `end` separates parts of an enumeration: an `and` or `or` follows, and no verb before it.
fn in_enumeration(tokens: &[Token], end: usize) -> bool {
    let next = &tokens[end];
    if next.is_subordinator() || matches!(next.word.as_str(), "but" | "not" | "so" | "yet") || next.is_preposition() {
        return false;
    }
    let rest = tokens[end..].iter().take_while(|one| one.gap != Gap::Stop);
    if next.is_coordinator() {
        // The last part, unless it is a clause or a remark.
        let is_remark = tokens.get(end + 1).is_some_and(|one| one.is_adverb() || one.is_preposition());
        return !is_remark && !rest.take(6).any(|one| one.is_finite);
    }
    // "small cabins, good locks, and sockets"
    let more = tokens[end + 1..]
        .iter()
        .take_while(|one| one.gap != Gap::Stop)
        .any(|one| one.gap == Gap::Comma && one.is_coordinator());
    if more && (next.is_content() || next.is_determiner()) {
        return true;
    }
    for token in rest {
        if token.is_finite {
            return false;
        }
        if token.is_coordinator() {
            return true;
        }
    }
    false
}

/// Whether a subject is a whole noun phrase that names something.
fn is_noun_phrase(part: &[Token]) -> bool {
    let (Some(first), Some(last)) = (part.first(), part.last()) else { return false };
    let opens = first.is_determiner() || first.is_content();
    // "Those who", "the others"
    let names = part.iter().any(|one| one.is_content() && one.word.len() > 3);
    let is_plain = part.iter().all(|one| {
        (one.is_determiner() || one.is_content() || one.is_preposition())
            && one.word != "to"
            && one.word != "than"
            && one.word != "as"
    });
    // "By 1400 the hills"
    let is_one = part
        .windows(2)
        .all(|pair| !pair[1].is_determiner() || pair[0].is_preposition() || pair[1].can_follow(&pair[0]));
    opens && names && is_plain && is_one && last.is_content() && !(first.is_unnamed() && part.len() < 3)
}

/// Whether the words are the whole noun phrase behind a verb or a preposition.
fn is_whole_object(tokens: &[Token], start: usize, end: usize) -> bool {
    let part = &tokens[start..end];
    let (first, last) = (&part[0], &part[part.len() - 1]);
    let before = start.checked_sub(1).map(|before| &tokens[before]);
    let opens = first.gap == Gap::Stop
        || before.is_some_and(|before| {
            before.is_preposition() && before.word != "of" || before.is_finite || before.is_coordinator()
        });
    let closes = tokens.get(end).is_none_or(|next| match next.gap {
        Gap::Stop => true,
        Gap::Comma => !in_enumeration(tokens, end),
        Gap::Space => {
            next.is_finite
                || next.is_subordinator() && next.word != "than"
                || next.is_preposition() && !matches!(next.word.as_str(), "of" | "to" | "than" | "as")
        }
    });
    // Without an article only an item of a list is surely whole.
    let is_item = first.gap == Gap::Stop && tokens.get(end).is_none() && first.is_content();
    opens
        && closes
        && (first.is_determiner() || is_item)
        && is_noun_phrase(part)
        && !part.iter().any(|one| one.is_finite)
        && part[1..].iter().all(|one| one.gap == Gap::Space)
        && !(last.word.ends_with("ed") && last.may_be_verb())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::language::guess_language;
    use crate::engine::sentences::outline;
    use crate::engine::source::Source;

    fn heading(text: &str, is_english: bool) -> Option<String> {
        let vocabulary = Vocabulary::of(guess_language(text));
        let outline = outline(&Source::plain(text));
        let terms = Terms::read(text, &outline.sentences, &vocabulary);
        let sentences: Vec<Passage> = outline.sentences.into_iter().map(|sentence| sentence.range).collect();
        let mut headings = Headings { text, terms: &terms, vocabulary: &vocabulary, is_english, used: HashSet::new() };
        headings.heading_of(None, &sentences, false, true)
    }

    #[test]
    fn headings_are_whole_clauses_and_noun_phrases() {
        for (text, expected) in [
            ("It grows slowly, and a damaged patch takes a year to close.", "A damaged patch takes a year to close"),
            ("We found that moss roofs cool the house in summer.", "Moss roofs cool the house in summer"),
            ("The bank closed the branch because nobody came.", "The bank closed the branch"),
            ("Salt was the wealth of the old town.", "The wealth of the old town"),
            ("The rule of the house is simple.", "The rule of the house"),
        ] {
            assert_eq!(heading(text, true).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn no_heading_repeats_the_first_sentence_or_is_cut() {
        for text in
            ["Rice does not help.", "It is over.", "She wrote it, he said: nothing.", "Bring flour, water, and salt."]
        {
            let heading = heading(text, true).unwrap_or_default();
            assert!(!text.starts_with(&heading) || heading.is_empty() || heading == "Rice", "{heading}");
        }
    }

    #[test]
    fn headings_in_other_languages_lie_between_punctuation_marks() {
        let text = "Die Brücke bleibt gesperrt, weil zwei Seile gerissen sind.";
        assert_eq!(heading(text, false).as_deref(), Some("Die Brücke bleibt gesperrt"));
    }
}
