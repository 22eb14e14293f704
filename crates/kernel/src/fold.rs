//! Text as it is compared and sorted: without case and accents, whatever the database's locale.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Folds case and accents away: `Être` and `etre` become the same text.
///
/// Search texts and queries both pass through here, so that they meet whatever locale the cluster was made with.
pub fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).flat_map(unjoined).collect()
}

/// Letters that Unicode does not take apart, and typographic marks, as plain ones.
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

/// The key by which titles and names are sorted from A to Z: folded, without a leading article.
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
