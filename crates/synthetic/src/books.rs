//! Deterministic synthetic books.

use std::{collections::BTreeSet, fmt::Write as _};

use catalogue::{AuthorDraft, BookDraft, slug_of};
use kernel::{DAY, Slug, Timestamp};

use crate::statements::ScaleBook;

/// How many books share an author.
pub(crate) const BOOKS_PER_AUTHOR: u32 = 25;
/// Approximate length of a body, in bytes.
const BODY: usize = 12_000;
/// The number of distinct words.
const VOCABULARY: u64 = 8_000;
/// The first publication date: 2020-01-01.
const FIRST_DAY: Timestamp = Timestamp::from_millis(18_262 * DAY);

/// A deterministic random number generator (`SplitMix64`).
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.throw() % bound.max(1)
    }

    /// A random word; as in a natural language, some are much more frequent than others.
    fn word(&mut self) -> String {
        let range = 1 + self.below(VOCABULARY);
        word(self.below(range))
    }

    fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// The word with this index, of two to four syllables.
fn word(number: u64) -> String {
    const ONSETS: [&str; 20] =
        ["b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "st", "tr", "ch", "pl"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    let mut rest = number + 100;
    let mut word = String::new();
    while rest > 0 {
        let syllable = usize::try_from(rest % 100).unwrap_or(0);
        word.push_str(ONSETS[syllable / 5]);
        word.push_str(VOWELS[syllable % 5]);
        rest /= 100;
    }
    word.push(if number.is_multiple_of(2) { 'n' } else { 'r' });
    word
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The author of the book with this number.
pub(crate) fn author(number: u32) -> anyhow::Result<AuthorDraft> {
    let author = number / BOOKS_PER_AUTHOR;
    let mut dice = Dice(u64::from(author) ^ 0xA0A0);
    let name = format!("{} {} {}", capitalised(&dice.word()), capitalised(&dice.word()), roman(author));
    Ok(AuthorDraft { slug: Slug::parse(&author_slug(number))?, name, sort_name: None, description: dice.words(60) })
}

/// A Roman numeral, so that no two authors have the same name.
fn roman(mut number: u32) -> String {
    let mut letters = String::new();
    loop {
        letters.insert(0, char::from(b'A' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
        if number == 0 {
            return letters;
        }
    }
}

/// The book with this number that reuses the text of the book `like`: only its own attributes.
pub(crate) fn outline(number: u32, like: u32) -> ScaleBook {
    let mut dice = Dice(u64::from(number) ^ 0xB00C_0000_0000);
    let count = 2 + dice.below(3);
    ScaleBook {
        number,
        like,
        title: capitalised(&dice.words(count)),
        author: author_slug(number),
        day: i32::try_from(FIRST_DAY.millis() / DAY).unwrap_or(0) + i32::try_from(dice.below(2_400)).unwrap_or(0),
        free: dice.below(20) == 0,
        is_popular: dice.below(50) == 0,
    }
}

/// All words that may occur in synthetic books.
pub(crate) fn vocabulary() -> BTreeSet<String> {
    (0..VOCABULARY).map(word).collect()
}

fn author_slug(number: u32) -> String {
    format!("scale-author-{}", number / BOOKS_PER_AUTHOR)
}

/// The book with this number.
pub(crate) fn book(number: u32, categories: &[Slug], covers: &[String]) -> anyhow::Result<BookDraft> {
    let mut dice = Dice(u64::from(number) ^ 0xB00C_0000_0000);
    let count = 2 + dice.below(3);
    let title = capitalised(&dice.words(count));
    let mut body = String::new();
    while body.len() < BODY {
        let heading = dice.words(5);
        let _ = write!(body, "<h3>{}</h3>", capitalised(&heading));
        for _ in 0..4 {
            let paragraph = dice.words(55);
            let _ = write!(body, "<p>{}.</p>", capitalised(&paragraph));
        }
    }
    let first = usize::try_from(dice.below(categories.len() as u64)).unwrap_or(0);
    let second = usize::try_from(dice.below(categories.len() as u64)).unwrap_or(0);
    let mut chosen: Vec<Slug> = [first, second].iter().filter_map(|at| categories.get(*at).cloned()).collect();
    chosen.dedup();
    let tags = (0..3).map(|_| word(dice.below(300))).filter(|tag| slug_of(tag).is_some()).collect();
    let day = i64::try_from(dice.below(2_400)).unwrap_or(0);
    Ok(BookDraft {
        title,
        description: capitalised(&dice.words(45)),
        body,
        image: covers.get(first % covers.len().max(1)).cloned(),
        categories: chosen,
        tags,
        free: dice.below(20) == 0,
        is_popular: dice.below(50) == 0,
        published: true,
        ..BookDraft::blank(Slug::parse(&format!("scale-{number}"))?, author(number)?.slug, FIRST_DAY.plus(day * DAY))
    })
}

#[cfg(test)]
mod tests {
    use super::{author, book};
    use kernel::Slug;

    #[test]
    fn every_run_makes_the_same_books_and_no_two_are_alike() {
        let categories = [Slug::parse("nature").expect("a slug")];
        let first = book(1, &categories, &[]).expect("a book");
        assert_eq!(first, book(1, &categories, &[]).expect("a book"));
        let second = book(2, &categories, &[]).expect("a book");
        assert!(first.subid != second.subid && first.body != second.body);
        assert!((12_000..16_000).contains(&first.body.len()), "{}", first.body.len());
        assert_eq!(first.author, author(1).expect("an author").slug);
        assert_eq!(author(0).expect("an author").slug, author(24).expect("an author").slug);
        assert_ne!(author(0).expect("an author").name, author(25).expect("an author").name);
    }
}
