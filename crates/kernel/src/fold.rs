//! Case and accent folding, for comparing and sorting text independently of the database's locale.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Removes case and accents: `Être` and `etre` become the same text.
///
/// Indexed text and search queries are both folded here, so that they match in any locale of the database cluster.
pub fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).flat_map(unjoined).collect()
}

/// Replaces letters that NFKD does not decompose, and typographic quotes and dashes, with ASCII.
fn unjoined(c: char) -> impl Iterator<Item = char> {
    let plain: &'static str = match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        '’' | '‘' => "'",
        '“' | '”' => "\"",
        '–' | '—' => "-",
        _ => return either(Some(c), ""),
    };
    either(None, plain)
}

fn either(one: Option<char>, many: &'static str) -> impl Iterator<Item = char> {
    one.into_iter().chain(many.chars())
}

/// The sort key of a title or name: folded, without a leading English article.
pub fn sort_key(text: &str) -> String {
    let folded = fold(text.trim());
    let without = ["the ", "a ", "an "].iter().find_map(|article| folded.strip_prefix(article));
    match without {
        Some(rest) if !rest.trim().is_empty() => rest.trim_start().to_owned(),
        _ => folded,
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, sort_key};
    use proptest::prelude::*;

    #[test]
    fn case_accents_and_ligatures_fold_away() {
        assert_eq!(fold("Être ÉCOLE Œuvre Straße Łódź"), "etre ecole oeuvre strasse lodz");
        assert_eq!(fold("Niccolò"), fold("NICCOLO"));
    }

    #[test]
    fn titles_sort_without_their_article() {
        assert_eq!(sort_key("The Prince"), "prince");
        assert_eq!(sort_key("A Vindication"), "vindication");
        assert_eq!(sort_key("Theory"), "theory");
        assert_eq!(sort_key("The "), "the");
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in ".{0,60}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
