//! Words in search: extracted from texts, stemmed, corrected, and marked in passages.

use std::{collections::BTreeSet, ops::Range};

use rust_stemmers::{Algorithm, Stemmer};

use crate::{
    numbers,
    query::{MARK_END, MARK_START},
};

/// The most words of a query; further ones are ignored.
const MAX_TERMS: usize = 12;
/// The longest word, in bytes; longer ones are cut.
const MAX_WORD: usize = 40;
/// The approximate length of a passage, in bytes.
const PASSAGE: usize = 220;
/// How many bytes of a passage precede the first match, at most.
const LEAD: usize = 70;

/// Stop words: they say nothing about a text.
const EMPTY_WORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "he", "her", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "my", "no", "not", "of", "on", "or", "our", "s", "she", "so", "t", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "which", "who", "will",
    "with", "you", "your",
];

/// Words whose stem is that of a word with another meaning, each with the word that is searched for instead.
const MISLEADING_STEMS: &[(&str, &str)] = &[("mindful", "attention"), ("mindfulness", "attention")];

/// Inflected forms whose stem is not that of their word.
const IRREGULAR: &[&[&str]] = &[
    &["woman", "women"],
    &["man", "men"],
    &["child", "children"],
    &["wife", "wives"],
    &["thief", "thieves"],
    &["wolf", "wolves"],
    &["foot", "feet"],
    &["tooth", "teeth"],
    &["mouse", "mice"],
    &["crisis", "crises"],
    &["think", "thought"],
    &["teach", "taught"],
    &["fight", "fought"],
    &["buy", "bought"],
    &["win", "won"],
    &["lose", "lost"],
    &["speak", "spoke", "spoken"],
    &["write", "wrote", "written"],
    &["choose", "chose", "chosen"],
    &["sleep", "slept"],
];

/// A word that some text contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownWord {
    pub word: String,
    /// Whether it stands in a title or an author's name.
    pub in_name: bool,
}

/// The words of a text, folded: without case, accents and punctuation.
pub fn words_of(text: &str) -> Vec<String> {
    kernel::fold(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| clip(word).to_owned())
        .collect()
}

fn clip(word: &str) -> &str {
    if word.len() <= MAX_WORD {
        return word;
    }
    let end = (0..=MAX_WORD).rev().find(|at| word.is_char_boundary(*at)).unwrap_or(0);
    &word[..end]
}

/// The stem of a folded word: `philosophers` and `philosopher` have the same.
pub fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// The distinct words of texts that serve to complete and correct queries: those of three characters or more that begin
/// with a letter, without stop words. A query word that begins with a digit therefore needs no look-up.
pub(crate) fn vocabulary<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    texts
        .into_iter()
        .flat_map(words_of)
        .filter(|word| word.chars().count() >= 3 && word.starts_with(char::is_alphabetic))
        .filter(|word| !EMPTY_WORDS.contains(&word.as_str()))
        .collect()
}

/// A parsed query. A text matches when it has, for each term, one of the term's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The terms, in the order in which they were typed.
    pub terms: Vec<Term>,
    /// The whole query as the sort key of a title, cut to 100 bytes: a book whose title begins with it matches too.
    pub title_start: String,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The typed word, folded, followed by other words that it may stand for.
    pub words: Vec<String>,
    /// Groups of words that stand for the word when a text has the whole group: `twenty` and `four` for `24`.
    pub compounds: Vec<Vec<String>>,
    /// Whether the word is still being typed: titles and headings with a word that begins with it match too.
    pub unfinished: bool,
}

impl Term {
    /// A term for a finished word.
    pub(crate) fn of(word: String) -> Self {
        Self { words: vec![word], compounds: Vec::new(), unfinished: false }
    }

    /// A term for a typed word; a number is also matched in its other form, digits or words.
    fn typed(word: String, unfinished: bool) -> Self {
        let mut term = Self { unfinished, ..Self::of(word) };
        let forms = IRREGULAR.iter().find(|forms| forms.contains(&term.words[0].as_str())).copied().unwrap_or_default();
        for form in forms {
            if *form != term.words[0] {
                term.words.push((*form).to_owned());
            }
        }
        let typed = &term.words[0];
        if let Some(digits) = numbers::digits(typed) {
            term.words.push(digits);
        } else if let Some(mut spelt) = numbers::words(typed) {
            if spelt.len() == 1 {
                term.words.append(&mut spelt);
            } else {
                term.compounds.push(spelt);
            }
        }
        term
    }

    /// All words that may stand for the term, alone or in a group.
    pub(crate) fn all_words(&self) -> impl Iterator<Item = &String> {
        self.words.iter().chain(self.compounds.iter().flatten())
    }
}

impl Terms {
    /// Parses a query. Stop words and repeated words are left out.
    pub fn parse(text: &str) -> Self {
        let all = words_of(text);
        let ends_within_word = text.chars().last().is_some_and(char::is_alphanumeric);
        let count = all.len();
        let mut terms: Vec<Term> = Vec::new();
        for (at, word) in all.into_iter().enumerate() {
            let unfinished = ends_within_word && at + 1 == count && word.chars().count() >= 2;
            let instead =
                MISLEADING_STEMS.iter().find(|(misleading, _)| *misleading == word).map(|(_, instead)| *instead);
            let (word, unfinished) = instead.map_or((word, unfinished), |instead| (instead.to_owned(), false));
            if EMPTY_WORDS.contains(&word.as_str())
                || terms.iter().any(|term| term.words[0] == word)
                || terms.len() == MAX_TERMS
            {
                continue;
            }
            terms.push(Term::typed(word, unfinished));
        }
        let mut title_start = kernel::sort_key(&text.replace(char::is_control, " "));
        title_start.truncate(clip_at(&title_start, 100));
        Self { terms, title_start }
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.title_start.is_empty()
    }

    /// A matcher for the words of a text.
    fn matcher(&self) -> Matcher {
        Matcher {
            stems: self.terms.iter().map(|term| term.all_words().map(|word| stem(word)).collect()).collect(),
            beginnings: self
                .terms
                .iter()
                .map(|term| if term.unfinished { term.words.first().cloned() } else { None })
                .collect(),
        }
    }
}

fn clip_at(text: &str, bytes: usize) -> usize {
    (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

struct Matcher {
    stems: Vec<Vec<String>>,
    beginnings: Vec<Option<String>>,
}

impl Matcher {
    /// The index of the term that a folded word matches.
    fn term_of(&self, word: &str) -> Option<usize> {
        let stemmed = stem(word);
        (0..self.stems.len()).find(|at| {
            self.stems[*at].contains(&stemmed)
                || self.beginnings[*at].as_ref().is_some_and(|beginning| word.starts_with(beginning.as_str()))
        })
    }
}

/// The edit distance of two words: insertions, deletions, substitutions, and swaps of neighbors.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    distances(one, other).last().copied().unwrap_or(0)
}

/// The edit distance of a word to the nearest prefix of another: `thoro` is one edit from the beginning of `thoreau`.
pub(crate) fn distance_to_beginning(one: &str, other: &str) -> usize {
    distances(one, other).into_iter().min().unwrap_or(0)
}

/// How many typos are tolerated in a word (`catalogue.typo-threshold`).
pub(crate) fn forgiven(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    }
}

/// How many typos are tolerated in a name that is being typed. Names are misspelled more often than words.
pub(crate) fn forgiven_in_name(word: &str) -> usize {
    forgiven(word).max(if word.chars().count() >= 6 { 2 } else { 0 })
}

/// The longest word that is split, in letters: each of its parts costs a look-up.
const MAX_JOINED: usize = 24;
/// The most words that one is split into.
const MAX_PARTS: usize = 4;

/// The parts of an unknown word that may be words themselves; empty when the word is too short or too long to be split.
pub(crate) fn parts_of(word: &str) -> Vec<&str> {
    let count = word.len();
    if !word.is_ascii() || !(5..=MAX_JOINED).contains(&count) {
        return Vec::new();
    }
    let ends = |from: usize| (from + 3..=count).map(move |to| (from, to));
    (0..count).flat_map(ends).filter(|part| *part != (0, count)).map(|(from, to)| &word[from..to]).collect()
}

/// Splits an unknown word into the fewest known words: `art` and `war` for `artofwar`. Stop words are left out. If it
/// can't be split, one known word is found by dropping up to three letters at either end: `bois` for `dubois`.
pub(crate) fn split_joined(word: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    if !word.is_ascii() || word.len() > MAX_JOINED {
        return None;
    }
    // For each prefix: the fewest words, and where the last of them begins.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; word.len() + 1];
    best[0] = Some((0, 0));
    for to in 1..=word.len() {
        best[to] = (0..to)
            .filter(|from| to - from >= 2 && (*from, to) != (0, word.len()))
            .filter_map(|from| {
                let part = &word[from..to];
                let fits = EMPTY_WORDS.contains(&part) || (part.len() >= 3 && is_known(part));
                best[from].filter(|_| fits).map(|(count, _)| (count + 1, from))
            })
            .min();
    }
    if best[word.len()].is_some_and(|(count, _)| count <= MAX_PARTS) {
        let mut parts = Vec::new();
        let mut to = word.len();
        while let Some((_, from)) = best[to].filter(|_| to > 0) {
            parts.push(word[from..to].to_owned());
            to = from;
        }
        parts.reverse();
        parts.retain(|part| !EMPTY_WORDS.contains(&part.as_str()));
        if !parts.is_empty() {
            return Some(parts);
        }
    }
    let without = |letters: usize| [&word[letters..], &word[..word.len() - letters]];
    (1..=3_usize.min(word.len().saturating_sub(4)))
        .flat_map(without)
        .find(|part| is_known(part))
        .map(|part| vec![part.to_owned()])
}

/// The edit distance of a word to each prefix of another, from the empty one to the whole.
fn distances(one: &str, other: &str) -> Vec<usize> {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let changed = usize::from(one[i - 1] != other[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + changed);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last
}

/// The known words that a misspelled one most likely stands for: the nearest ones within the tolerated typos, three at
/// most; and up to three others within them that stand in a title or an author's name, which are what people search for. If
/// there are none, an unfinished word may stand for words that nearly begin with it.
pub(crate) fn corrections(word: &str, known: &[KnownWord], unfinished: bool) -> Vec<String> {
    let whole = nearest(word, known, distance);
    if whole.is_empty() && unfinished { nearest(word, known, distance_to_beginning) } else { whole }
}

/// The most corrections of a word: of the nearest ones, and of those in names.
const CORRECTIONS: usize = 3;

/// The known words that are nearest to a word by `measure`, and those in names that are nearly as near.
fn nearest(word: &str, known: &[KnownWord], measure: fn(&str, &str) -> usize) -> Vec<String> {
    let mut near: Vec<(usize, usize, &str, bool)> = known
        .iter()
        .map(|known| (measure(word, &known.word), known.word.len(), known.word.as_str(), known.in_name))
        .filter(|(apart, ..)| *apart <= forgiven(word) && *apart > 0)
        .collect();
    near.sort_unstable();
    near.dedup();
    let nearest = near.first().map_or(0, |(apart, ..)| *apart);
    let (first, further): (Vec<_>, Vec<_>) = near.into_iter().partition(|(apart, ..)| *apart == nearest);
    let in_names = further.into_iter().filter(|(.., in_name)| *in_name).take(CORRECTIONS);
    first.into_iter().take(CORRECTIONS).chain(in_names).map(|(_, _, word, _)| word.to_owned()).collect()
}

/// The matches in a text: the range of each matching word, and the index of its term.
fn matches(text: &str, terms: &Terms) -> Vec<(Range<usize>, usize)> {
    let matcher = terms.matcher();
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_word = c.is_alphanumeric() || (start.is_some() && kernel::fold(c.encode_utf8(&mut [0; 4])).is_empty());
        match (start, in_word) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                start = None;
                let range: Range<usize> = from..at;
                if let Some(term) = words_of(&text[range.clone()]).iter().find_map(|word| matcher.term_of(word)) {
                    found.push((range, term));
                }
            }
            _ => {}
        }
    }
    found
}

/// The part of a plain text with the most different terms, with the matches marked; `None` when nothing matches.
pub(crate) fn passage(text: &str, terms: &Terms) -> Option<String> {
    let found = matches(text, terms);
    let reach = PASSAGE - LEAD;
    let worth = |first: usize| {
        let start = found[first].0.start;
        let within = found[first..].iter().take_while(|(range, _)| range.end <= start + reach);
        within.map(|(_, term)| *term).collect::<BTreeSet<usize>>().len()
    };
    let first = (0..found.len()).rev().max_by_key(|first| worth(*first))?;
    let from = boundary_before(text, found[first].0.start.saturating_sub(LEAD), found[first].0.start);
    let to = boundary_after(text, (from + PASSAGE).max(found[first].0.end));
    let mut out = String::new();
    if from > 0 {
        out.push_str("… ");
    }
    let mut at = from;
    for (range, _) in found.iter().filter(|(range, _)| range.start >= from && range.end <= to) {
        push_plain(&text[at..range.start], &mut out);
        out.push(MARK_START);
        push_plain(&text[range.clone()], &mut out);
        out.push(MARK_END);
        at = range.end;
    }
    push_plain(&text[at..to], &mut out);
    out.truncate(out.trim_end().len());
    if to < text.len() {
        out.push_str(" …");
    }
    Some(out)
}

/// Appends text on one line, without the characters that mark matches.
fn push_plain(text: &str, out: &mut String) {
    out.extend(text.chars().filter(|c| *c != MARK_START && *c != MARK_END).map(|c| if c == '\n' { ' ' } else { c }));
}

/// Where a passage begins that should begin at `wanted`: at a line or between words, and at `latest` at the latest.
fn boundary_before(text: &str, wanted: usize, latest: usize) -> usize {
    if wanted == 0 {
        return 0;
    }
    let wanted = (wanted..=latest).find(|at| text.is_char_boundary(*at)).unwrap_or(latest);
    let lead = &text[wanted..latest];
    if let Some(at) = lead.rfind('\n') {
        return wanted + at + 1;
    }
    lead.find(' ').map_or(latest, |at| wanted + at + 1)
}

/// Where a passage ends that should end at `wanted`: between words.
fn boundary_after(text: &str, wanted: usize) -> usize {
    if wanted >= text.len() {
        return text.len();
    }
    let wanted = (wanted..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text[wanted..].find([' ', '\n']).map_or(text.len(), |at| wanted + at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        KnownWord, Terms, corrections, distance, distance_to_beginning, parts_of, passage, split_joined, stem,
        vocabulary, words_of,
    };

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_are_folded_and_free_of_marks() {
        assert_eq!(
            words_of("Être, self-mastery & Women’s “Œuvre”"),
            ["etre", "self", "mastery", "women", "s", "oeuvre"]
        );
        assert_eq!(vocabulary(["The Art of War3, 500 BC"]).into_iter().collect::<Vec<_>>(), ["art", "war3"]);
    }

    #[test]
    fn a_number_stands_for_its_words_and_a_word_for_its_number() {
        let terms = Terms::parse("24 hours, seven 7 ");
        assert_eq!(terms.terms[0].compounds, [["twenty", "four"]]);
        assert_eq!((&terms.terms[1].words, &terms.terms[1].compounds), (&owned(&["hours"]), &Vec::new()));
        assert_eq!(terms.terms[2].words, ["seven", "7"]);
        assert_eq!(terms.terms[3].words, ["7", "seven"]);
    }

    #[test]
    fn a_word_stands_for_its_irregular_forms() {
        assert_eq!(Terms::parse("women ").terms[0].words, ["women", "woman"]);
        assert_eq!(Terms::parse("mindfulness").terms[0].words, ["attention"], "its stem is that of `mind`");
        assert_eq!(Terms::parse("lost child").terms[1].words, ["child", "children"]);
    }

    #[test]
    fn words_written_together_are_taken_apart_at_known_words() {
        let split = |word: &str| {
            split_joined(word, |part| ["sun", "tzu", "art", "war", "wealth", "nations", "bois", "key"].contains(&part))
        };
        assert_eq!(split("suntzu"), Some(owned(&["sun", "tzu"])));
        assert_eq!(split("theartofwar"), Some(owned(&["art", "war"])));
        assert_eq!(split("wealthofnations"), Some(owned(&["wealth", "nations"])));
        assert_eq!(split("dubois"), Some(owned(&["bois"])));
        for word in ["keyns", "zebra", "suntz", "être", ""] {
            assert_eq!(split(word), None, "{word}");
        }
        assert!(parts_of("suntzu").contains(&"sun") && !parts_of("suntzu").contains(&"suntzu"));
        assert!(parts_of(&"x".repeat(25)).is_empty());
    }

    #[test]
    fn a_query_is_taken_apart() {
        let terms = Terms::parse("The Art of War");
        let words: Vec<_> = terms.terms.iter().map(|term| (term.words[0].as_str(), term.unfinished)).collect();
        assert_eq!(words, [("art", false), ("war", true)]);
        assert_eq!(terms.title_start, "art of war");
        assert!(!Terms::parse("war ").terms[0].unfinished);
        assert!(Terms::parse("  ").is_empty() && Terms::parse("").is_empty());
        assert!(Terms::parse(&"word ".repeat(500)).terms.len() == 1);
        assert!(Terms::parse(&(0..500).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ")).terms.len() <= 12);
    }

    #[test]
    fn misspelt_words_find_the_nearest_known_one() {
        let known =
            ["philosophy", "philosopher", "phone", "prince", "price", "stoicism", "pieces", "species", "spices"]
                .map(|word| KnownWord { word: word.to_owned(), in_name: word == "species" });
        assert_eq!(
            corrections("spieces", &known, false),
            ["pieces", "spices", "species"],
            "a title's word may be further off"
        );
        assert_eq!(corrections("philospohy", &known, false), ["philosophy"]);
        assert_eq!(corrections("stoisicm", &known, false), ["stoicism"]);
        assert_eq!(corrections("prinec", &known, false), ["prince"]);
        assert_eq!(corrections("pirce", &known, false), ["price"]);
        assert!(corrections("xyzzy", &known, false).is_empty());
        assert!(corrections("pho", &known, false).is_empty(), "a short word is near to everything");
        assert_eq!(corrections("philospo", &known, true), ["philosophy", "philosopher"]);
        assert!(corrections("philospo", &known, false).is_empty(), "a finished word is no beginning");
        assert_eq!((distance_to_beginning("thoro", "thoreau"), distance_to_beginning("thor", "thoreau")), (1, 0));
        assert_eq!(distance("ca", "abc"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn a_passage_shows_the_words_in_their_surroundings() {
        let text = format!(
            "{}\nThe Être of philosophers is a river, and rivers flow. {}",
            "Filler words here. ".repeat(20),
            "More filler. ".repeat(40)
        );
        let found = passage(&text, &Terms::parse("etre philosopher rivers")).unwrap();
        assert!(found.starts_with("… The \u{e000}Être\u{e001} of \u{e000}philosophers\u{e001} is a \u{e000}river\u{e001}, and \u{e000}rivers\u{e001} flow."), "{found}");
        assert!(found.ends_with(" …"));
        assert!(found.chars().count() < 260);
        assert_eq!(passage(&text, &Terms::parse("glacier")), None);
        assert_eq!(passage("A short text", &Terms::parse("short")).unwrap(), "A \u{e000}short\u{e001} text");
    }

    #[test]
    fn the_passage_is_taken_where_most_words_stand() {
        let text = format!("A river. {} The river of ice is a glacier.", "Filler words here. ".repeat(20));
        let found = passage(&text, &Terms::parse("river glacier ")).unwrap();
        assert!(found.contains("\u{e000}glacier\u{e001}") && found.contains("\u{e000}river\u{e001}"), "{found}");
    }

    #[test]
    fn stems_join_the_forms_of_a_word() {
        assert_eq!(stem("philosophers"), stem("philosopher"));
        assert_eq!(stem("running"), stem("runs"));
    }

    proptest! {
        #[test]
        fn passages_of_any_text_are_made_without_a_panic(text in "\\PC{0,400}", query in "\\PC{0,20}") {
            if let Some(found) = passage(&text, &Terms::parse(&query)) {
                let plain: String = found.chars().filter(|c| !matches!(c, '\u{e000}' | '\u{e001}')).collect();
                let inner = plain.trim_start_matches("… ").trim_end_matches(" …").trim_end();
                let is_special = |c| matches!(c, '\u{e000}' | '\u{e001}' | '…');
                let is_part = text.contains(is_special) || text.replace('\n', " ").contains(inner);
                prop_assert!(is_part, "{} is not in {}", inner, text);
            }
        }

        #[test]
        fn distance_is_the_same_both_ways(one in "[a-d]{0,8}", other in "[a-d]{0,8}") {
            prop_assert_eq!(distance(&one, &other), distance(&other, &one));
            prop_assert_eq!(distance(&one, &other) == 0, one == other);
        }
    }
}
