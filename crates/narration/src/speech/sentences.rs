//! Splits text into sentences that a speech program reads well.
//!
//! Speech programs misread years, Roman numerals, quotation marks, dashes and accented letters. This module replaces them by
//! their spoken form.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::speech::numbers::{LARGEST, cardinal, decade, ordinal, roman, year};

/// The maximum length of a sentence, in bytes. A longer one is split at a pause, because programs read very long ones badly.
const LONGEST: usize = 320;
/// Words after which a Roman numeral is read as a cardinal number.
const COUNTED: [&str; 10] = ["book", "books", "chapter", "chapters", "part", "parts", "volume", "act", "scene", "war"];
/// Abbreviations that end in a period without ending a sentence, and their spoken form.
const SHORTENED: [(&str, &str); 9] = [
    ("Mr.", "Mister"),
    ("Mrs.", "Missus"),
    ("Ms.", "Miz"),
    ("Dr.", "Doctor"),
    ("St.", "Saint"),
    ("Prof.", "Professor"),
    ("vs.", "versus"),
    ("etc.", "et cetera"),
    ("No.", "number"),
];

/// The sentences of a paragraph in their spoken form: unaccented letters, numbers spelled out. Empty for a text without a
/// letter or digit.
pub fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.split('\n') {
        let words = words(&plain(line));
        let mut sentence = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).map(String::as_str);
            let before = at.checked_sub(1).map(|at| words[at].as_str());
            sentence.push(said(word, before, next));
            if ends_sentence(word, next) {
                put(&mut found, &std::mem::take(&mut sentence));
            }
        }
        put(&mut found, &sentence);
    }
    found
}

/// Adds a sentence, split into parts when it is too long.
fn put(found: &mut Vec<String>, words: &[String]) {
    let sentence = words.join(" ");
    if !sentence.contains(|c: char| c.is_ascii_alphanumeric()) {
        return;
    }
    if sentence.len() <= LONGEST {
        found.push(sentence);
        return;
    }
    let middle = sentence.len() / 2;
    let pauses = ["; ", ": ", ", "].into_iter().flat_map(|mark| sentence.match_indices(mark)).map(|(at, _)| at + 1);
    let best = pauses.min_by_key(|at| {
        // Splitting at a comma is worse than at a semicolon.
        let penalty = if sentence.as_bytes()[at - 1] == b',' { LONGEST / 4 } else { 0 };
        at.abs_diff(middle) + penalty
    });
    let Some(at) = best else {
        found.push(sentence);
        return;
    };
    let (first, second) = sentence.split_at(at);
    for part in [first, second.trim_start()] {
        put(found, &[part.to_owned()]);
    }
}

/// Replaces typographic marks and accented letters by plain ones that every program knows.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            '’' | '‘' | 'ʼ' => out.push('\''),
            // Dropped: some programs read them out as words.
            '“' | '”' | '„' | '"' | '«' | '»' | '*' | '_' => {}
            '…' => out.push_str("..."),
            '–' | '‐' | '‑' | '−' => out.push('-'),
            '&' => out.push_str(" and "),
            '%' => out.push_str(" percent"),
            '—' | '―' | '(' | '[' | ')' | ']' => out.push_str(", "),
            'æ' => out.push_str("ae"),
            'Æ' => out.push_str("Ae"),
            'œ' => out.push_str("oe"),
            'Œ' => out.push_str("Oe"),
            'ß' => out.push_str("ss"),
            'ø' => out.push('o'),
            'Ø' => out.push('O'),
            'ł' => out.push('l'),
            'Ł' => out.push('L'),
            'đ' | 'ð' => out.push('d'),
            'þ' => out.push_str("th"),
            c if c.is_ascii_graphic() || matches!(c, '£' | '€') => out.push(c),
            _ => out.push(' '),
        }
    }
    out
}

/// Splits the text into words. A separate punctuation mark joins the word before it; of several marks in a row one stays.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let lonely = word.chars().all(|c| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '-'));
        match words.last_mut() {
            Some(last) if lonely => {
                if word != "-" && !last.ends_with([',', '.', ';', ':', '!', '?']) {
                    last.push_str(&word[..1]);
                } else if word.starts_with(['.', '!', '?', ';', ':']) && last.ends_with(',') {
                    last.pop();
                    last.push_str(&word[..1]);
                }
            }
            _ if lonely => {}
            _ => words.push(word.trim_start_matches([',', ';', ':', '!', '?']).to_owned()),
        }
    }
    words
}

/// A word without surrounding punctuation, and the punctuation after it.
fn bare(word: &str) -> (&str, &str) {
    let end = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    (end, &word[end.len()..])
}

fn ends_sentence(word: &str, next: Option<&str>) -> bool {
    let Some(next) = next else { return false };
    let (bare, marks) = bare(word);
    let Some(mark) = marks.trim_end_matches('\'').chars().last() else { return false };
    let begins = next.trim_start_matches('\'').starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    match mark {
        '.' => begins && !is_initial(bare) && SHORTENED.iter().all(|(short, _)| *short != format!("{bare}.")),
        '!' | '?' => begins,
        _ => false,
    }
}

/// Whether the word is an initial, as in `W. E. B. Du Bois`.
fn is_initial(bare: &str) -> bool {
    bare.len() == 1 && bare != "I" && bare.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The spoken form of a word, given the words before and after it.
fn said(word: &str, before: Option<&str>, next: Option<&str>) -> String {
    if let Some((_, whole)) = SHORTENED.iter().find(|(short, _)| *short == word)
        && (word != "No." || next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit())))
    {
        return (*whole).to_owned();
    }
    let (core, marks) = bare(word);
    let (lead, core) = core.split_at(core.len() - core.trim_start_matches(['\'', '-']).len());
    let with_marks = |text: String| format!("{lead}{text}{marks}");
    if is_initial(core) && marks.starts_with('.') && next.is_some() {
        return core.to_owned();
    }
    if core.contains(|c: char| c.is_ascii_digit()) {
        return with_marks(numbers_of(core));
    }
    if let Some(number) = roman(core) {
        let name = before.map(|before| bare(before).0).unwrap_or_default();
        if COUNTED.contains(&name.to_ascii_lowercase().as_str()) {
            return with_marks(cardinal(number));
        }
        if core.len() > 1 && is_name(name) {
            return with_marks(format!("the {}", ordinal(number)));
        }
    }
    // An acronym: read letter by letter.
    let letters = core.len() > 1 && core.len() <= 4 && core.bytes().all(|b| b.is_ascii_uppercase());
    if letters && core.bytes().any(|b| !matches!(b, b'I' | b'V' | b'X' | b'L' | b'C' | b'D' | b'M')) && !is_shout(core)
    {
        let apart: Vec<String> = core.chars().map(String::from).collect();
        return with_marks(apart.join(" "));
    }
    with_marks(core.to_owned())
}

/// Whether a word in capitals is an ordinary word instead of an acronym.
fn is_shout(core: &str) -> bool {
    matches!(
        core,
        "NOT"
            | "AND"
            | "THE"
            | "ALL"
            | "NO"
            | "YES"
            | "IS"
            | "OF"
            | "TO"
            | "IN"
            | "ON"
            | "A"
            | "AN"
            | "IT"
            | "WE"
            | "YOU"
    )
}

fn is_name(word: &str) -> bool {
    word.len() > 2
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().skip(1).all(|b| b.is_ascii_lowercase())
}

/// The spoken form of a word that contains digits: each run of digits is spelled out, other characters stay.
fn numbers_of(core: &str) -> String {
    let core = core.strip_suffix("'s").map_or_else(|| core.to_owned(), |stem| format!("{stem}s"));
    let (money, core) = match core.chars().next() {
        Some('$') => (" dollars", &core[1..]),
        Some('£') => (" pounds", &core['£'.len_utf8()..]),
        Some('€') => (" euros", &core['€'.len_utf8()..]),
        _ => ("", core.as_str()),
    };
    let mut said: Vec<String> = core.split('-').filter(|part| !part.is_empty()).map(number_of).collect();
    let is_range = said.len() == 2 && core.split('-').all(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b','));
    if is_range {
        said.insert(1, "to".to_owned());
    }
    format!("{}{money}", said.join(" "))
}

fn number_of(part: &str) -> String {
    let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.').len();
    let (number, rest) = part.split_at(digits);
    let grouped = number.contains(',');
    let Ok(value) = number.replace(',', "").parse::<u64>() else { return fraction(part, number, rest) };
    if value > LARGEST {
        return part.to_owned();
    }
    match rest {
        "" if !grouped && (1100..2100).contains(&value) => year(value),
        "" => cardinal(value),
        "s" if value.is_multiple_of(10) && value < 3_000 => decade(value),
        "st" | "nd" | "rd" | "th" => ordinal(value),
        _ => format!("{} {rest}", cardinal(value)),
    }
}

/// The spoken form of a decimal number; anything else stays unchanged.
fn fraction(part: &str, number: &str, rest: &str) -> String {
    let read = |whole: &str, digits: &str| -> Option<String> {
        let whole = whole.replace(',', "").parse::<u64>().ok().filter(|whole| *whole <= LARGEST)?;
        let digits: Option<Vec<String>> =
            digits.chars().map(|digit| digit.to_digit(10).map(|digit| cardinal(u64::from(digit)))).collect();
        Some(format!("{} point {}", cardinal(whole), digits?.join(" ")))
    };
    let said =
        number.split_once('.').filter(|(_, digits)| !digits.is_empty()).and_then(|(whole, digits)| read(whole, digits));
    match said {
        Some(said) if rest.is_empty() => said,
        Some(said) => format!("{said} {rest}"),
        None => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::sentences;

    fn one(text: &str) -> String {
        sentences(text).join(" | ")
    }

    #[test]
    fn a_paragraph_is_parted_into_its_sentences() {
        assert_eq!(
            one("“Is it so?” he asked. It was. “Yes!” And 3 more."),
            "Is it so? he asked. | It was. | Yes! | And three more."
        );
        assert_eq!(one("A line\nand another"), "A line | and another");
        assert_eq!(one("  \n — "), "");
    }

    #[test]
    fn names_and_short_forms_end_no_sentence() {
        assert_eq!(one("W. E. B. Du Bois met Mr. Auld."), "W E B Du Bois met Mister Auld.");
        assert_eq!(one("So did I. You too."), "So did I. | You too.");
        assert_eq!(one("Mrs Auld stayed."), "Mrs Auld stayed.");
    }

    #[test]
    fn marks_are_plain() {
        assert_eq!(one("It’s Seneca’s—or Lucilius’—idea…"), "It's Seneca's, or Lucilius', idea...");
        assert_eq!(one("Être, Łódź (in Poland) & Plato"), "Etre, Lodz, in Poland, and Plato");
        assert_eq!(one("50% of £500"), "fifty percent of five hundred pounds");
    }

    #[test]
    fn years_and_numbers_are_words() {
        assert_eq!(
            one("In 1859, some 2,700 copies."),
            "In eighteen fifty-nine, some two thousand seven hundred copies."
        );
        assert_eq!(one("the 170s, the 1870s."), "the one seventies, the eighteen seventies.");
        assert_eq!(
            one("1788–1790, the 19th, 3.14."),
            "seventeen eighty-eight to seventeen ninety, the nineteenth, three point one four."
        );
        assert_eq!(one("a 5-year plan"), "a five year plan");
        assert_eq!(one("110 people; 375 BC"), "one hundred and ten people; three hundred and seventy-five B C");
    }

    #[test]
    fn roman_numerals_count_books_and_number_rulers() {
        assert_eq!(one("Book IV, Book V and Part II"), "Book four, Book five and Part two");
        assert_eq!(one("Alexander VI’s son, Julius II."), "Alexander VI's son, Julius the second.");
        assert_eq!(one("World War II"), "World War two");
        assert_eq!(one("What am I? What I did."), "What am I? | What I did.");
        assert_eq!(one("the DNA"), "the D N A");
    }

    #[test]
    fn what_is_too_long_is_parted_where_it_pauses() {
        let long = format!("{}; {}, {}.", "word ".repeat(40).trim(), "and ".repeat(30).trim(), "so ".repeat(40).trim());
        let parts = sentences(&long);
        assert_eq!(parts.len(), 2);
        assert!(parts[0].ends_with("word;"), "{parts:?}");
        assert_eq!(parts.join(" "), long);
    }

    proptest! {
        #[test]
        fn any_text_is_made_plain(text in "\\PC{0,300}") {
            for sentence in sentences(&text) {
                prop_assert!(sentence.bytes().all(|b| b.is_ascii_graphic() || b == b' ') || sentence.contains(['£', '€']));
                prop_assert!(sentence.contains(|c: char| c.is_ascii_alphanumeric()));
                prop_assert!(sentence.trim() == sentence && !sentence.contains("  "));
            }
        }

        #[test]
        fn no_plain_word_is_lost(words in proptest::collection::vec("[a-z]{2,9}[,;]?", 0..150)) {
            let ink = |text: &str| -> String { text.chars().filter(char::is_ascii_alphabetic).collect() };
            let text = words.join(" ");
            prop_assert_eq!(ink(&sentences(&text).join(" ")), ink(&text));
        }
    }
}
