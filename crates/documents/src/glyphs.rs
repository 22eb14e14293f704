//! Rewrites text so that the PDF's fonts have a glyph for every character.
//!
//! An accessible PDF (PDF/UA-1) must not contain a character without a glyph, and a book may contain any character. So a
//! character that the fonts lack is replaced: by its Unicode composition or decomposition, by an equivalent sign, or, as the
//! last resort, by a box ([`MISSING`]).

use std::sync::LazyLock;

use typst::{
    foundations::Bytes,
    text::{Coverage, FontInfo},
};
use unicode_normalization::{
    UnicodeNormalization,
    char::{decompose_compatible, is_combining_mark},
};

static REGULAR: &[u8] = include_bytes!("../fonts/Literata-Regular.ttf");
static ITALIC: &[u8] = include_bytes!("../fonts/Literata-Italic.ttf");
static SEMIBOLD: &[u8] = include_bytes!("../fonts/Literata-SemiBold.ttf");
static DISPLAY: &[u8] = include_bytes!("../fonts/Literata-Display-SemiBold.ttf");
static SIGNS: &[u8] = include_bytes!("../fonts/Signs-Regular.ttf");
static HAN: &[u8] = include_bytes!("../fonts/Han-Regular.ttf");

/// The replacement for a character that no font has.
pub(crate) const MISSING: char = '□';

/// All fonts, for the typesetter.
pub(crate) fn faces() -> [Bytes; 6] {
    [REGULAR, ITALIC, SEMIBOLD, DISPLAY, SIGNS, HAN].map(Bytes::new)
}

/// The maximum number of passes in [`settable`]. Each pass leaves fewer marks than the one before; prose needs one.
const MOST_REPETITIONS: usize = 8;

/// The characters of each font family, in the order in which the template names the families. All styles of Literata have the
/// same characters.
static FAMILIES: LazyLock<[Coverage; 3]> = LazyLock::new(|| [REGULAR, SIGNS, HAN].map(coverage));

fn coverage(face: &[u8]) -> Coverage {
    FontInfo::new(face, 0).expect("the bundled font is an OpenType font").coverage
}

/// Replaces characters that the fonts lack. Latin, Greek and Cyrillic text stays unchanged except for composed accents. Line
/// breaks stay; other control characters become spaces or are dropped.
pub(crate) fn settable(text: &str) -> String {
    let mut set = written_once(text);
    // When a mark is dropped, the next one follows the letter directly, and Unicode may compose the two to another letter.
    for _ in 0..MOST_REPETITIONS {
        let again = written_once(&set);
        if again == set {
            break;
        }
        set = again;
    }
    set
}

fn written_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut cluster = String::new();
    // Hyphens of the text's own font; a word joiner (U+2060) keeps the non-breaking one unbroken.
    let text = text.replace('\u{2011}', "-\u{2060}").replace('\u{2010}', "-");
    for c in text.nfc().filter_map(shown) {
        if !is_combining_mark(c) && !is_joiner(c) {
            set(&cluster, &mut out);
            cluster.clear();
        }
        cluster.push(c);
    }
    set(&cluster, &mut out);
    out
}

/// Normalises a character; `None` drops an invisible one or one that only controls the layout of others.
fn shown(c: char) -> Option<char> {
    match c {
        '\n' | '\u{2028}' | '\u{2029}' => Some('\n'),
        c if c.is_whitespace() && c.is_control() => Some(' '),
        // Joiners and soft hyphens stay. Direction marks are dropped, because the typesetter detects the direction itself.
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' => Some(c),
        c if c.is_control() || is_invisible(c) => None,
        c => Some(c),
    }
}

/// Whether a character is always invisible: direction marks, variation selectors, fillers, noncharacters.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2061}'..='\u{206f}' | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{2060}')
}

/// Whether one font has the whole cluster (a letter with its marks): the typesetter can't combine a letter of one font with an
/// accent of another.
fn is_covered(cluster: &str) -> bool {
    let mut inked = cluster.chars().filter(|c| !is_joiner(*c) && !matches!(c, '\u{ad}' | '\n')).peekable();
    if inked.peek().is_none() {
        return true;
    }
    let first = FAMILIES.iter().find(|family| inked.clone().any(|c| family.contains(c.into())));
    first.is_some_and(|family| inked.all(|c| family.contains(c.into())))
}

/// Appends a cluster (a letter with its marks), replaced where no font has it.
fn set(cluster: &str, out: &mut String) {
    if is_covered(cluster) {
        out.push_str(cluster);
        return;
    }
    let mut chars = cluster.chars();
    let Some(letter) = chars.next() else { return };
    let start = out.len();
    set_letter(letter, out);
    // Keep as many marks as the font supports with this letter.
    for mark in chars {
        out.push(mark);
        if !is_covered(&out[start..]) {
            out.pop();
        }
    }
}

fn set_letter(letter: char, out: &mut String) {
    let covered = |text: &str| text.chars().all(|c| is_covered(c.encode_utf8(&mut [0; 4])));
    let mut apart = String::new();
    decompose_compatible(letter, |c| apart.push(c));
    let apart: String = apart.nfc().collect();
    if covered(letter.encode_utf8(&mut [0; 4])) {
        out.push(letter);
    } else if let Some(same) = equivalent(letter) {
        out.push_str(same);
    } else if (0x1_f1e6..=0x1_f1ff).contains(&u32::from(letter)) {
        // Flags become the letters of their country code.
        out.extend(char::from_u32(u32::from(letter) - 0x1_f1e6 + u32::from('A')));
    } else if covered(&apart) {
        out.push_str(&apart);
    } else if let Some(base) =
        apart.chars().next().filter(|c| apart.chars().count() > 1 && covered(c.encode_utf8(&mut [0; 4])))
    {
        // Keep at least the base letter without its marks.
        out.push(base);
    } else if !is_combining_mark(letter) {
        out.push(MISSING);
    }
}

/// An equivalent of a character that no font has; `None` when there is none.
fn equivalent(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2043}' => "-",
        '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => "\u{a0}",
        '\u{2015}' | '⸺' | '⸻' => "—",
        '\u{2e17}' | '\u{2e40}' => "=",
        '\u{1f5f8}' | '✅' => "✓",
        '❌' => "✗",
        '⭐' | '🌟' => "★",
        '👉' => "→",
        '🔴' | '🟠' | '🟡' | '🟢' | '🔵' | '🟣' => "●",
        '💖' | '💗' | '💙' | '💚' | '💛' | '💜' | '🧡' | '🖤' | '🤍' => "♥",
        '🏻'..='🏿' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_the_faces_hold_stays_as_it_is() {
        for text in [
            "Plain prose, “quoted” – and a naïve façade…",
            "α ≈ 1 → β ≠ γ ≤ δ",
            "Жизнь и судьба; Bài thơ",
            "孫子兵法, 侘寂, わび",
            "שָׁלוֹם and سلام",
            "10\u{202f}%, Hawaiʼi",
            "one\ntwo",
        ] {
            assert_eq!(settable(text), text.nfc().collect::<String>());
        }
    }

    #[test]
    fn what_they_lack_is_written_in_another_way() {
        for (text, set) in [
            ("e\u{301}", "é"),
            ("non\u{2011}breaking", "non-\u{2060}breaking"),
            ("𝐁𝐨𝐥𝐝 ﷺ", "Bold صلى الله عليه وسلم"),
            ("🇬🇷", "GR"),
            ("done ✅", "done ✓"),
            ("한 नम", "□ □□"),
            ("孫\u{301}", "孫"),
            ("a\u{feff}\u{202e}b\tc\u{0}", "ab c"),
            ("\u{fffe}\u{e000}", "□"),
            ("🇦\u{301}", "Á"),
        ] {
            assert_eq!(settable(text), set, "{text:?}");
        }
    }

    #[test]
    fn all_styles_of_a_family_hold_the_same() {
        let regular = coverage(REGULAR);
        for style in [ITALIC, SEMIBOLD, DISPLAY] {
            assert_eq!(coverage(style), regular);
        }
        assert!(is_covered(&MISSING.to_string()));
    }

    proptest! {
        #[test]
        fn whatever_is_written_the_faces_hold(
            text in prop_oneof![any::<String>(), "[\\PC\\p{M}]{0,40}", "[A-Za-z\\p{M}🇦-🇿𝐀-𝐳🏻-🏿ﷺ\u{ad}\u{200d}]{0,20}"],
        ) {
            let set = settable(&text);
            prop_assert!(set.chars().all(|c| is_covered(c.encode_utf8(&mut [0; 4]))), "{set:?}");
            prop_assert_eq!(settable(&set), set);
        }
    }
}
