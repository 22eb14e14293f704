//! Texts of book lists: the sort orders to choose from, and the number of summaries.

/// A sort order: its name in URLs, and its label.
pub type Segment = (&'static str, &'static str);

/// The sort orders of `/books`, and of lists by category, author, tag or collection.
pub const SEGMENTS: [Segment; 5] =
    [("new", "New"), ("trending", "Trending"), ("ab", "A–Z"), ("audio", "Audio"), ("video", "Video")];
/// The sort orders of a collection whose books were chosen one by one.
pub const CHOSEN_SEGMENTS: [Segment; 6] = [
    ("chosen", "Editors’ order"),
    ("new", "New"),
    ("trending", "Trending"),
    ("ab", "A–Z"),
    ("audio", "Audio"),
    ("video", "Video"),
];
/// The sort orders with the labels of the pages `/booklist/…` (`catalogue.list-texts`).
pub const BOOKLIST_SEGMENTS: [Segment; 5] =
    [("new", "Latest"), ("trending", "Popular"), ("ab", "A–Z"), ("audio", "Audio"), ("video", "Video")];

/// A number of summaries as text: `1 summary`, `2 summaries`.
pub fn summaries(number: u64) -> String {
    format!("{number} {}", if number == 1 { "summary" } else { "summaries" })
}

/// The parameters of a list's description: its filters and sort order, or its search.
#[derive(Clone, Copy, Debug)]
pub struct ListWords<'a> {
    /// The number of summaries; `None` when it is unknown.
    pub number: Option<u64>,
    /// How many of them are coming soon.
    pub coming: u64,
    /// The search text; empty for a sorted list.
    pub q: &'a str,
    /// The sort order's name in URLs.
    pub sort: &'a str,
    /// Whether only summaries with audio are shown.
    pub audio: bool,
    /// Whether only summaries with a video are shown.
    pub video: bool,
}

impl ListWords<'_> {
    /// The description in one line: '25 summaries, newest first', 'Summaries with audio, newest first', '3 summaries for
    /// “sea”'. The web app must write the same (`BookList.tsx`).
    pub fn text(&self) -> String {
        let (audio, video) = (self.audio || self.sort == "audio", self.video || self.sort == "video");
        let with = match (audio, video) {
            (false, false) => "",
            (true, false) => " with audio",
            (false, true) => " with video",
            (true, true) => " with audio and video",
        };
        let number = self.number.map_or_else(|| "Summaries".to_owned(), summaries);
        let coming = if self.coming == 0 { String::new() } else { format!(", {} coming soon", self.coming) };
        if !self.q.is_empty() {
            return format!("{number}{with} for “{}”{coming}", self.q);
        }
        let order = match self.sort {
            "trending" => "most read recently first",
            "ab" => "from A to Z",
            "chosen" => "in our editors’ order",
            _ => "newest first",
        };
        format!("{number}{with}, {order}{coming}")
    }
}

/// The letter links of the author directory: label, URL, and whether the letter is selected. With `is_whole`, all authors are
/// on one page and the links are its anchors.
pub fn letter_links(letters: &[String], chosen: Option<&str>, is_whole: bool) -> Vec<(String, String, bool)> {
    let link = |letter: &String| {
        let address = if is_whole { format!("#letter-{letter}") } else { format!("/authors?letter={letter}") };
        (shown_letter(letter), address, chosen == Some(letter))
    };
    letters.iter().map(link).collect()
}

/// The label of a letter in the author directory; `#` for `other`.
pub fn shown_letter(letter: &str) -> String {
    if letter == "other" { "#".to_owned() } else { letter.to_uppercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_counted_in_words() {
        assert_eq!((summaries(1), summaries(2)), ("1 summary".to_owned(), "2 summaries".to_owned()));
    }

    #[test]
    fn a_list_says_what_it_shows_and_in_which_order() {
        let new = ListWords { number: Some(25), coming: 0, q: "", sort: "new", audio: false, video: false };
        assert_eq!(new.text(), "25 summaries, newest first");
        assert_eq!(ListWords { number: None, sort: "audio", ..new }.text(), "Summaries with audio, newest first");
        let both = ListWords { number: Some(1), sort: "video", audio: true, ..new };
        assert_eq!(both.text(), "1 summary with audio and video, newest first");
        assert_eq!(ListWords { sort: "trending", ..new }.text(), "25 summaries, most read recently first");
        assert_eq!(ListWords { sort: "ab", video: true, ..new }.text(), "25 summaries with video, from A to Z");
        assert_eq!(ListWords { number: None, q: "sea", ..new }.text(), "Summaries for “sea”");
        assert_eq!(ListWords { number: Some(1), q: "sea", ..new }.text(), "1 summary for “sea”");
        let coming = ListWords { number: Some(2), coming: 1, ..new };
        assert_eq!(ListWords { q: "sea", ..coming }.text(), "2 summaries for “sea”, 1 coming soon");
        assert_eq!(coming.text(), "2 summaries, newest first, 1 coming soon");
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
