//! What lists of books say of themselves: the orders to choose from, and how many summaries there are.

/// An order's name in addresses, and its label.
pub type Segment = (&'static str, &'static str);

/// The orders of `/books`, and of lists of something.
pub const SEGMENTS: [Segment; 5] =
    [("new", "New"), ("trending", "Trending"), ("ab", "A–Z"), ("audio", "Audio"), ("video", "Video")];
/// The orders as the book lists call them (`member.md §2`).
pub const BOOKLIST_SEGMENTS: [Segment; 5] =
    [("new", "Latest"), ("trending", "Popular"), ("ab", "A–Z"), ("audio", "Audio"), ("video", "Video")];

/// So many summaries.
pub fn summaries(number: u64) -> String {
    format!("{number} {}", if number == 1 { "summary" } else { "summaries" })
}

/// How many books a list or a search for `q` has, in words; `number` where that is known.
pub fn count_in_words(number: Option<u64>, q: &str) -> String {
    match (number, q) {
        (None, "") => String::new(),
        (None, q) => format!("Summaries for “{q}”"),
        (Some(number), "") => summaries(number),
        (Some(number), q) => format!("{} for “{q}”", summaries(number)),
    }
}

/// A link of the directory of authors: the letter as it is shown, where it leads, and whether it is the chosen one. Where
/// all authors stand on one page, a letter is a place on it.
pub fn letter_links(letters: &[String], chosen: Option<&str>, is_whole: bool) -> Vec<(String, String, bool)> {
    let link = |letter: &String| {
        let address = if is_whole { format!("#letter-{letter}") } else { format!("/authors?letter={letter}") };
        (shown_letter(letter), address, chosen == Some(letter))
    };
    letters.iter().map(link).collect()
}

/// A letter of the directory of authors as people read it.
pub fn shown_letter(letter: &str) -> String {
    if letter == "other" { "#".to_owned() } else { letter.to_uppercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_counted_in_words() {
        assert_eq!((summaries(1), summaries(2)), ("1 summary".to_owned(), "2 summaries".to_owned()));
        assert_eq!(count_in_words(None, ""), "");
        assert_eq!(count_in_words(None, "sea"), "Summaries for “sea”");
        assert_eq!(count_in_words(Some(1), "sea"), "1 summary for “sea”");
        assert_eq!(count_in_words(Some(0), ""), "0 summaries");
    }

    #[test]
    fn letters_lead_to_their_authors() {
        let letters = ["a".to_owned(), "other".to_owned()];
        let on_page =
            [("A".to_owned(), "#letter-a".to_owned(), false), ("#".to_owned(), "#letter-other".to_owned(), false)];
        assert_eq!(letter_links(&letters, None, true), on_page);
        let links = letter_links(&letters, Some("a"), false);
        assert_eq!(links[0], ("A".to_owned(), "/authors?letter=a".to_owned(), true));
        assert_eq!(links[1], ("#".to_owned(), "/authors?letter=other".to_owned(), false));
    }
}
