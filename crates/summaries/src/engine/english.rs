//! English word classes and finite verbs, as far as headings of short texts need them (`summaries.short-headings`).
//!
//! A word's class comes from lists of function words, a list of common verbs with their endings, and its neighbors. A
//! verb that is not listed is taken for a noun, which costs a candidate for a heading and cuts none.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;

const DETERMINERS: &str = "a an the my your his her its our their this these those each every some any no all both another few many \
    several most much such what whose one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty \
    hundred thousand million half first second third fourth fifth last next";
/// Determiners that others can follow.
const ARTICLES: &str = "a an the my your his her its our their this these those each every";
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve";
const PREPOSITIONS: &str = "of in on at by for with from to into onto about after before under over between during without within \
    through throughout across behind beside besides against than as upon toward towards near above below inside outside around off \
    out up down along beyond despite except like past per via until since";
const COORDINATORS: &str = "and or but nor yet so";
const SUBORDINATORS: &str = "because if when while although though unless until since whether that which who whom whose where why how \
    before after as than once whenever wherever whoever whatever";
const PRONOUNS: &str = "i we you he she it they me us him them who nobody everybody somebody everyone someone anyone nothing \
    everything something anything there none others people";
const AUXILIARIES: &str = "am is are was were has have had do does did will would can could shall should may might must cannot it's \
    that's there's he's she's what's i'm we're you're they're i've we've you've they've i'll we'll you'll they'll i'd";
const NON_FINITE: &str = "be been being";
const ADVERBS: &str = "not never also only even just then too very more most less least always often still already again ever once \
    here now soon almost quite rather perhaps maybe together well ago later earlier instead however therefore thus otherwise away \
    back today tomorrow yesterday tonight long far enough alone else twice moreover besides indeed though no either neither \
    finally anyway";
/// Pronouns that name nothing without the sentence before.
const UNNAMED: &str = "he she it they him them his her its their this that these those there here such none others both what \
    something anything everything";

struct Words {
    determiners: HashSet<&'static str>,
    articles: HashSet<&'static str>,
    numbers: HashSet<&'static str>,
    prepositions: HashSet<&'static str>,
    coordinators: HashSet<&'static str>,
    subordinators: HashSet<&'static str>,
    pronouns: HashSet<&'static str>,
    auxiliaries: HashSet<&'static str>,
    non_finite: HashSet<&'static str>,
    adverbs: HashSet<&'static str>,
    unnamed: HashSet<&'static str>,
    verbs: HashSet<&'static str>,
    irregular: HashSet<&'static str>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let set = |list: &'static str| list.split_whitespace().collect();
    Words {
        determiners: set(DETERMINERS),
        articles: set(ARTICLES),
        numbers: set(NUMBERS),
        prepositions: set(PREPOSITIONS),
        coordinators: set(COORDINATORS),
        subordinators: set(SUBORDINATORS),
        pronouns: set(PRONOUNS),
        auxiliaries: set(AUXILIARIES),
        non_finite: set(NON_FINITE),
        adverbs: set(ADVERBS),
        unnamed: set(UNNAMED),
        verbs: set(include_str!("english_verbs.txt")),
        irregular: set(include_str!("english_irregular.txt")),
    }
});

/// A form of a listed verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerbForm {
    /// The base form; also that of `I`, `we` and imperatives.
    Base,
    /// With the ending `s`.
    ThirdPerson,
    /// The past tense or the past participle.
    Past,
}

fn verb_form(word: &str) -> Option<VerbForm> {
    let words = &*WORDS;
    if words.irregular.contains(word) {
        return Some(VerbForm::Past);
    }
    if words.verbs.contains(word) {
        return Some(VerbForm::Base);
    }
    let is_verb = |stem: &str| {
        let doubled = || {
            let mut letters = stem.chars().rev();
            letters.next() == letters.next() && words.verbs.contains(&stem[..stem.len() - 1])
        };
        words.verbs.contains(stem)
            || words.verbs.contains(format!("{stem}e").as_str())
            || stem.strip_suffix('i').is_some_and(|stem| words.verbs.contains(format!("{stem}y").as_str()))
            || stem.len() > 2 && stem.is_ascii() && doubled()
    };
    if let Some(stem) = word.strip_suffix("ed") {
        return is_verb(stem).then_some(VerbForm::Past);
    }
    let third = word.strip_suffix('s').filter(|stem| !stem.ends_with('s'))?;
    let is_third = words.verbs.contains(third) || third.strip_suffix('e').is_some_and(is_verb);
    is_third.then_some(VerbForm::ThirdPerson)
}

/// A word of a sentence, with what lies before it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) range: Passage,
    pub(crate) word: String,
    /// The punctuation between the word before and this one.
    pub(crate) gap: Gap,
    pub(crate) is_finite: bool,
}

/// The punctuation before a word, or behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    Space,
    Comma,
    /// Anything that separates more than a comma, and both ends of the sentence.
    Stop,
}

impl Gap {
    fn of(between: &str) -> Self {
        let mut marks = between.chars().filter(|one| !one.is_whitespace());
        match (marks.next(), marks.next()) {
            (None, _) => Self::Space,
            // A plural's possessive.
            (Some('\'' | '\u{2019}'), None) if between.ends_with(' ') => Self::Space,
            (Some('-'), None) if !between.contains(' ') => Self::Space,
            (Some(','), None) => Self::Comma,
            _ => Self::Stop,
        }
    }
}

impl Token {
    pub(crate) fn is_determiner(&self) -> bool {
        WORDS.determiners.contains(self.word.as_str()) || self.word.starts_with(|one: char| one.is_ascii_digit())
    }

    /// Whether it is a number of two or more.
    pub(crate) fn is_number(&self) -> bool {
        WORDS.numbers.contains(self.word.as_str())
    }

    /// Whether it is a determiner that names nothing in particular.
    pub(crate) fn is_indefinite(&self) -> bool {
        matches!(
            self.word.as_str(),
            "any" | "some" | "no" | "one" | "another" | "such" | "what" | "whose" | "this" | "that" | "these" | "those"
        )
    }

    /// Whether this determiner can follow another one, as in `the second` and `all the`.
    pub(crate) fn can_follow(&self, before: &Self) -> bool {
        let is_article = WORDS.articles.contains(before.word.as_str());
        is_article && !WORDS.articles.contains(self.word.as_str())
            || matches!(before.word.as_str(), "all" | "both" | "half" | "such")
    }

    pub(crate) fn is_preposition(&self) -> bool {
        WORDS.prepositions.contains(self.word.as_str())
    }

    pub(crate) fn is_coordinator(&self) -> bool {
        WORDS.coordinators.contains(self.word.as_str())
    }

    pub(crate) fn is_subordinator(&self) -> bool {
        WORDS.subordinators.contains(self.word.as_str())
    }

    pub(crate) fn is_pronoun(&self) -> bool {
        WORDS.pronouns.contains(self.word.as_str())
    }

    pub(crate) fn is_auxiliary(&self) -> bool {
        WORDS.auxiliaries.contains(self.word.as_str()) || self.word.ends_with("n't")
    }

    pub(crate) fn is_adverb(&self) -> bool {
        WORDS.adverbs.contains(self.word.as_str()) || self.word.len() > 4 && self.word.ends_with("ly")
    }

    /// Whether it refers to a word outside its clause.
    pub(crate) fn is_unnamed(&self) -> bool {
        WORDS.unnamed.contains(self.word.as_str())
    }

    /// Whether it may be a noun, an adjective or an unlisted verb.
    pub(crate) fn is_content(&self) -> bool {
        !(self.is_determiner()
            || self.is_preposition()
            || self.is_coordinator()
            || self.is_subordinator()
            || self.is_pronoun()
            || self.is_auxiliary()
            || self.is_adverb()
            || WORDS.non_finite.contains(self.word.as_str()))
    }

    /// Whether it may be a form of a verb, finite or not.
    pub(crate) fn may_be_verb(&self) -> bool {
        self.is_auxiliary()
            || WORDS.non_finite.contains(self.word.as_str())
            || verb_form(&self.word).is_some()
            || self.word.len() > 5 && self.word.ends_with("ing")
    }
}

/// The words of a sentence, with its finite verbs and imperatives marked.
pub(crate) fn tokens(text: &str, sentence: Passage) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut end = sentence.start;
    for (at, word) in text[sentence.clone()].unicode_word_indices() {
        let start = sentence.start + at;
        let gap = if tokens.is_empty() { Gap::Stop } else { Gap::of(&text[end..start]) };
        end = start + word.len();
        let word = word.to_lowercase().replace('\u{2019}', "'");
        tokens.push(Token { range: start..end, word, gap, is_finite: false });
    }
    let mut has_verb = false;
    for index in 0..tokens.len() {
        if tokens[index].gap != Gap::Space || tokens[index].is_coordinator() || tokens[index].is_subordinator() {
            has_verb = false;
        }
        let is_finite = is_finite(&tokens, index, has_verb);
        has_verb |= is_finite;
        tokens[index].is_finite = is_finite;
    }
    tokens
}

/// Whether a word is a finite verb. `has_verb`: its clause already has one.
fn is_finite(tokens: &[Token], index: usize, has_verb: bool) -> bool {
    let token = &tokens[index];
    // The word before, but for adverbs.
    let before = tokens[..index].iter().rposition(|one| !one.is_adverb());
    let starts = before.is_none_or(|before| tokens[before + 1..=index].iter().any(|one| one.gap != Gap::Space));
    let before = before.map(|before| &tokens[before]);
    if token.is_auxiliary() {
        // "to have", "will have"
        return !before.is_some_and(|before| !starts && (before.word == "to" || before.is_auxiliary()));
    }
    let Some(form) = verb_form(&token.word) else { return false };
    let next = tokens.get(index + 1).filter(|next| next.gap == Gap::Space);
    // "plans are", "works has"
    if next.is_some_and(Token::is_auxiliary) {
        return false;
    }
    let verb_follows = || {
        let rest = tokens[index + 1..].iter().take_while(|one| one.gap == Gap::Space);
        rest.take_while(|one| !one.is_coordinator() && !one.is_subordinator()).any(|one| {
            one.is_auxiliary() || !one.is_preposition() && matches!(verb_form(&one.word), Some(VerbForm::ThirdPerson))
        })
    };
    if starts {
        // An imperative.
        let past_follows = || {
            let rest = tokens[index + 1..].iter().take_while(|one| one.gap == Gap::Space && !one.is_preposition());
            rest.into_iter().any(|one| one.word.ends_with("ed") || verb_form(&one.word) == Some(VerbForm::Past))
        };
        let has_object =
            |next: &Token| next.is_determiner() || next.is_pronoun() || next.is_preposition() || next.is_adverb();
        let is_followed =
            next.is_some_and(|next| has_object(next) || token.gap == Gap::Stop && next.is_content() && !past_follows());
        return form == VerbForm::Base && is_followed && !verb_follows() && !token.is_preposition();
    }
    let Some(before) = before else { return false };
    if before.is_auxiliary() || WORDS.non_finite.contains(before.word.as_str()) {
        return false;
    }
    let relative = matches!(before.word.as_str(), "that" | "which" | "who" | "what");
    if !relative && (before.is_determiner() || before.is_preposition()) {
        return false;
    }
    if before.is_coordinator() {
        // "Stir and wait for", but not "flour and water".
        let is_like_last = |last: &Token| (verb_form(&last.word) == Some(VerbForm::Base)) == (form == VerbForm::Base);
        let has_object = next.is_some_and(|next| next.is_determiner() || next.is_pronoun() || next.is_preposition());
        let follows_verb = tokens[..index].iter().rfind(|one| one.is_finite).is_some_and(is_like_last);
        return !verb_follows() && (form == VerbForm::Past || follows_verb && has_object);
    }
    match form {
        VerbForm::ThirdPerson => {
            !has_verb && (relative || before.is_content() || before.is_pronoun()) && !verb_follows()
        }
        VerbForm::Base => {
            let plural = before.is_pronoun() || relative || before.is_content() && before.word.ends_with('s');
            !has_verb && plural && !verb_follows()
        }
        VerbForm::Past => {
            !has_verb
                && (relative || before.is_content() || before.is_pronoun() || before.is_subordinator())
                && !verb_follows()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_verbs_are_told_from_nouns_and_participles() {
        for (sentence, verbs) in [
            ("The office plans are late because the builder plans badly.", vec!["are", "plans"]),
            ("Most wet phones survive if nobody touches the charger.", vec!["survive", "touches"]),
            ("A person called Baker is remembered.", vec!["is"]),
            ("Stir the flour into the water, and wait for two days.", vec!["stir", "wait"]),
            ("Water does its damage slowly.", vec!["does"]),
            ("The council bought the forests.", vec!["bought"]),
            ("She has never wanted to have a garden.", vec!["has"]),
            ("It was a walk in the park.", vec!["was"]),
        ] {
            let found: Vec<String> = tokens(sentence, 0..sentence.len())
                .into_iter()
                .filter(|one| one.is_finite)
                .map(|one| one.word)
                .collect();
            assert_eq!(found, verbs, "{sentence}");
        }
    }
}
