//! Names of files that are legal in Obsidian, on Windows, macOS and Linux (`study.markdown-files`).

use std::collections::{HashMap, HashSet};

use kernel::one_line;
use unicode_segmentation::UnicodeSegmentation;

/// The longest name with its extension, in characters.
const MAX_CHARS: usize = 120;
/// The longest name with its extension, in bytes: file systems allow 255.
const MAX_BYTES: usize = 240;

const EXTENSION: &str = ".md";
/// The name of a file whose source has neither a title nor an author.
const NAMELESS: &str = "Highlights";

/// Illegal on Windows or in Obsidian's links.
const ILLEGAL: [char; 13] = ['*', '"', '\\', '/', '<', '>', ':', '|', '?', '#', '^', '[', ']'];

/// Device names of Windows, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Device names of Windows that a digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Gives names to files of one folder, each unique without regard to case.
#[derive(Default)]
pub(super) struct FileNames {
    taken: HashSet<String>,
    /// The number to try next, by the name without a number.
    next_numbers: HashMap<String, usize>,
}

impl FileNames {
    /// A new name for the file of a source: its title and its author, then a number if that is taken.
    pub(super) fn name(&mut self, title: &str, author: &str) -> String {
        let stem = stem(title, author);
        let number = self.next_numbers.entry(case_key(&numbered(&stem, 1))).or_insert(1);
        loop {
            let name = numbered(&stem, *number);
            *number += 1;
            if self.taken.insert(case_key(&name)) {
                return name;
            }
        }
    }
}

/// Equal for two names that differ only in case.
fn case_key(name: &str) -> String {
    // Some letters differ in one case and not in the other: 'ſ' and 's', 'ẞ' and 'ß'.
    name.to_lowercase().to_uppercase()
}

/// The name with a number, from 2 on.
fn numbered(stem: &str, number: usize) -> String {
    let ending = if number == 1 { EXTENSION.to_owned() } else { format!(" {number}{EXTENSION}") };
    let (mut chars, mut bytes) = (ending.chars().count(), ending.len());
    let fitting: String = stem
        .graphemes(true)
        .take_while(|grapheme| {
            chars += grapheme.chars().count();
            bytes += grapheme.len();
            chars <= MAX_CHARS && bytes <= MAX_BYTES
        })
        .collect();
    let fitting = trimmed(&fitting);
    format!("{}{ending}", if fitting.is_empty() { NAMELESS } else { fitting })
}

/// The title and the author without illegal characters.
fn stem(title: &str, author: &str) -> String {
    let stem = [title, author].map(legal).into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ");
    if is_device(&stem) { format!("_{stem}") } else { stem }
}

fn legal(text: &str) -> String {
    trimmed(&one_line(&text.replace(ILLEGAL, " "))).to_owned()
}

/// Without dots and spaces at its ends: Windows drops them from the end, and a dot at the beginning hides a file.
fn trimmed(name: &str) -> &str {
    name.trim_matches(['.', ' '])
}

/// Whether Windows takes the name for that of a device, whatever comes after a dot.
fn is_device(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_digit = |rest: &str| matches!(rest.chars().collect::<Vec<_>>()[..], ['0'..='9' | '¹' | '²' | '³']);
    DEVICES.contains(&base.as_str())
        || NUMBERED_DEVICES.iter().filter_map(|device| base.strip_prefix(device)).any(is_digit)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::FileNames;

    fn names(sources: &[(&str, &str)]) -> Vec<String> {
        let mut names = FileNames::default();
        sources.iter().map(|(title, author)| names.name(title, author)).collect()
    }

    fn name(title: &str, author: &str) -> String {
        names(&[(title, author)]).remove(0)
    }

    /// Written apart from the code: the rules of Windows and Obsidian.
    fn is_legal(name: &str) -> bool {
        let base = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
        let devices = "CON PRN AUX NUL CONIN$ CONOUT$ COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 COM¹ COM² COM³ \
                       LPT0 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9 LPT¹ LPT² LPT³";
        let stem = name.strip_suffix(".md").unwrap_or_default();
        !stem.is_empty()
            && !stem.starts_with(['.', ' '])
            && !stem.ends_with(['.', ' '])
            && !name.chars().any(|c| c.is_control() || "*\"\\/<>:|?#^[]".contains(c))
            && !devices.split(' ').any(|device| device == base)
            && name.chars().count() <= 120
            && name.len() <= 255
    }

    #[test]
    fn a_file_is_named_by_title_and_author() {
        assert_eq!(name("Walden", "Henry David Thoreau"), "Walden - Henry David Thoreau.md");
        assert_eq!(name("Walden", " "), "Walden.md");
        assert_eq!(name("", "Thoreau"), "Thoreau.md");
        assert_eq!(name("?", "..."), "Highlights.md");
    }

    #[test]
    fn illegal_characters_are_left_out() {
        assert_eq!(name("What? Why: a/b \\ <c> | \"d\"", "* [e] #f ^g"), "What Why a b c d - e f g.md");
        assert_eq!(name(".hidden. ", "Jr. "), "hidden - Jr.md");
        assert_eq!(name("Two\nlines\u{0}", ""), "Two lines.md");
    }

    #[test]
    fn a_device_of_windows_names_no_file() {
        for (title, expected) in [
            ("con", "_con.md"),
            ("NUL", "_NUL.md"),
            ("lpt1.txt", "_lpt1.txt.md"),
            ("Com³ .a", "_Com³ .a.md"),
            ("Console", "Console.md"),
            ("COM10", "COM10.md"),
        ] {
            assert_eq!(name(title, ""), expected);
        }
        assert_eq!(name("Aux. ", "Prn"), "Aux - Prn.md");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number_without_regard_to_case() {
        let sources =
            [("Walden", ""), ("WALDEN", ""), ("Walden 2", ""), ("walden", ""), ("Straße", ""), ("STRASSE", "")];
        assert_eq!(
            names(&sources),
            ["Walden.md", "WALDEN 2.md", "Walden 2 2.md", "walden 3.md", "Straße.md", "STRASSE 2.md"]
        );
    }

    #[test]
    fn a_long_name_is_cut_between_characters_and_keeps_its_number() {
        let long = "é".repeat(200);
        let [first, second] = names(&[(&long, ""), (&long, "")]).try_into().expect("two names");
        assert_eq!(first, format!("{}.md", "é".repeat(117)));
        assert_eq!(second, format!("{} 2.md", "é".repeat(115)));
        let wide = name(&"🐳".repeat(200), "");
        assert_eq!(wide, format!("{}.md", "🐳".repeat(59)));
        let family = name(&format!("{}👨‍👩‍👧", "a".repeat(115)), "");
        assert_eq!(family, format!("{}.md", "a".repeat(115)));
    }

    proptest! {
        #[test]
        fn names_are_legal_and_unique_without_regard_to_case(
            sources in prop::collection::vec(
                (
                    prop_oneof![
                        any::<String>(),
                        "(?i)(con|aux|nul|com[1¹]|lpt9|[-*\"\\\\/<>:|?#^\\[\\]. \n]|a|ſ|ß|ẞ|ss| 2){0,4}",
                        "[a. 🐳]{100,130}",
                    ],
                    prop_oneof![Just(String::new()), any::<String>()],
                ),
                1..8,
            ),
        ) {
            let mut names = FileNames::default();
            let names: Vec<String> = sources.iter().map(|(title, author)| names.name(title, author)).collect();
            for name in &names {
                prop_assert!(is_legal(name), "{:?}", name);
            }
            let lower: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
            let upper: HashSet<String> = names.iter().map(|name| name.to_uppercase()).collect();
            prop_assert_eq!((lower.len(), upper.len()), (names.len(), names.len()));
        }
    }
}
