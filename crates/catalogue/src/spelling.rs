//! Misspelled searches: which words a typed one may stand for, and the search that is offered instead
//! (`catalogue.did-you-mean`).

use rphonetic::{Encoder, Metaphone};

use crate::{
    model::BookCard,
    words::{distance, forgiven, stem, words_of},
};

/// The fewest letters of a correct word for which a similar name is offered: short words are near to too many.
const LONG_ENOUGH: usize = 5;
/// How many letters two words that sound alike may differ in length.
const LENGTHS_APART: usize = 2;

/// A word of a search, and the words that it may stand for, the most likely first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misspelling {
    pub(crate) typed: String,
    pub(crate) meant: Vec<String>,
}

/// Whether a search for this word may be offered words of titles and authors' names.
pub(crate) fn is_long_enough(word: &str) -> bool {
    word.chars().count() >= LONG_ENOUGH && word.chars().all(char::is_alphabetic)
}

/// The one of these words of titles and authors' names that a correct word is most likely typed for: within the tolerated
/// typos, or one that sounds the same and begins alike. `None` when the word is itself among them, in any of its forms.
pub(crate) fn similar_name(word: &str, names: &[String]) -> Option<String> {
    let stem_of_word = stem(word);
    if names.iter().any(|name| stem(name) == stem_of_word) {
        return None;
    }
    let begin_alike = |name: &str, letters: usize| name.chars().take(letters).eq(word.chars().take(letters));
    let length = |word: &str| word.chars().count();
    // The code of a sound has no vowels behind its first letter, so the beginning has to include one.
    let may_be_heard_as = |name: &str| {
        length(word).abs_diff(length(name)) <= LENGTHS_APART && begin_alike(name, 3) && sound_alike(word, name)
    };
    names
        .iter()
        .filter(|name| is_long_enough(name) && begin_alike(name, 2))
        .map(|name| (distance(word, name), name))
        .filter(|(apart, name)| *apart <= forgiven(word) || may_be_heard_as(name))
        .min()
        .map(|(_, name)| name.clone())
}

/// Whether two folded words are pronounced alike in English.
fn sound_alike(one: &str, other: &str) -> bool {
    let metaphone = Metaphone::new(None);
    one.is_ascii() && other.is_ascii() && metaphone.encode(one) == metaphone.encode(other)
}

/// The search to offer: the typed one, with each misspelled word replaced by the word that the best book has in its title or its author's
/// name, otherwise by the most likely one. A name is spelled as the author's.
pub(crate) fn offer(text: &str, misspellings: &[Misspelling], best: &BookCard) -> Option<String> {
    let in_name: Vec<String> =
        words_of(&best.title).iter().chain(&words_of(&best.author.name)).map(|word| stem(word)).collect();
    let replaced = |word: String| {
        let Some(misspelling) = misspellings.iter().find(|one| one.typed == word) else { return word };
        let meant = misspelling.meant.iter().find(|meant| in_name.contains(&stem(meant)));
        meant.or(misspelling.meant.first()).cloned().unwrap_or(word)
    };
    let typed = words_of(text);
    let offered: Vec<String> = typed.iter().cloned().map(replaced).collect();
    (offered != typed).then(|| spelled_as(&best.author.name, &offered))
}

/// The words as one text, spelled as in an author's name if the name has all of them.
pub(crate) fn spelled_as(name: &str, words: &[String]) -> String {
    let parts: Vec<&str> = name.split_whitespace().collect();
    let spelled: Option<Vec<&str>> =
        words.iter().map(|word| parts.iter().copied().find(|part| words_of(part).iter().eq([word]))).collect();
    spelled.map_or_else(|| words.join(" "), |spelled| spelled.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{similar_name, sound_alike, spelled_as};

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_correct_word_is_near_to_a_name_that_is_spelled_or_sounds_alike() {
        let names = owned(&["thoreau", "meditations", "principles", "prince", "walden", "theory", "liberty"]);
        for (typed, name) in
            [("thorough", "thoreau"), ("medication", "meditations"), ("principals", "principles"), ("warden", "walden")]
        {
            assert_eq!(similar_name(typed, &names).as_deref(), Some(name), "{typed}");
        }
        for other in ["meditation", "death", "through", "three", "être"] {
            assert_eq!(similar_name(other, &names), None, "{other}");
        }
    }

    #[test]
    fn a_name_is_spelled_as_the_author_does() {
        assert_eq!(spelled_as("Henry David Thoreau", &owned(&["thoreau"])), "Thoreau");
        assert_eq!(spelled_as("W. E. B. Du Bois", &owned(&["du", "bois"])), "Du Bois");
        assert_eq!(spelled_as("Charles Darwin", &owned(&["origin", "darwin"])), "origin darwin");
    }

    proptest! {
        #[test]
        fn any_two_words_are_compared_without_a_panic(one in "\\PC{0,40}", other in "[a-z]{0,40}") {
            let _ = sound_alike(&one, &other);
            prop_assert!(sound_alike(&other, &other));
            let _ = similar_name(&one, &[other]);
        }
    }
}
