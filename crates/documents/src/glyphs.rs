//! Text as the PDF's faces can set it.
//!
//! An accessible PDF (PDF/UA-1) must not show a character for which no face has a glyph, and a book may hold any
//! character at all. So what the faces lack is written as they can: composed or taken apart as Unicode says, by a sign
//! that means the same, and, when there is nothing else, as a box that shows that something stands there.

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

/// Shows that there is a character which no face has.
pub(crate) const MISSING: char = '□';

/// All faces, for the typesetter.
pub(crate) fn faces() -> [Bytes; 6] {
    [REGULAR, ITALIC, SEMIBOLD, DISPLAY, SIGNS, HAN].map(Bytes::new)
}

/// Each repetition has fewer marks than the one before; prose needs one.
const MOST_REPETITIONS: usize = 8;

/// What the families hold that the template names for all text, in the template's order. The styles of Literata hold
/// the same characters.
static FAMILIES: LazyLock<[Coverage; 3]> = LazyLock::new(|| [REGULAR, SIGNS, HAN].map(coverage));

fn coverage(face: &[u8]) -> Coverage {
    FontInfo::new(face, 0).expect("the bundled font is an OpenType font").coverage
}

/// The text with every character as the faces can set it; a text that is all Latin, Greek or Cyrillic stays as it is
/// but for composed accents. Line breaks stay, other control characters don't.
pub(crate) fn settable(text: &str) -> String {
    let mut set = written_once(text);
    // A mark that is left out lets the next one come to the letter, with which Unicode may compose it to another letter.
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
    // Hyphens of the letters' own face; the one that no line may be broken at keeps its two sides together.
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

/// What is to be seen of a character; `None`: nothing, or it would say how others are to be set.
fn shown(c: char) -> Option<char> {
    match c {
        '\n' | '\u{2028}' | '\u{2029}' => Some('\n'),
        c if c.is_whitespace() && c.is_control() => Some(' '),
        // What joins or parts the letters of Arabic and breaks words is obeyed; directions are found out without marks.
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' => Some(c),
        c if c.is_control() || is_invisible(c) => None,
        c => Some(c),
    }
}

/// What has no ink by its nature: marks of direction, of variants, fillers, what is no character.
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

/// Whether the face of a family that is asked first for a character of the cluster has all of it: a letter in one face
/// with its accent in another can't be set.
fn is_covered(cluster: &str) -> bool {
    let mut inked = cluster.chars().filter(|c| !is_joiner(*c) && !matches!(c, '\u{ad}' | '\n')).peekable();
    if inked.peek().is_none() {
        return true;
    }
    let first = FAMILIES.iter().find(|family| inked.clone().any(|c| family.contains(c.into())));
    first.is_some_and(|family| inked.all(|c| family.contains(c.into())))
}

/// Writes a letter with its marks.
fn set(cluster: &str, out: &mut String) {
    if is_covered(cluster) {
        out.push_str(cluster);
        return;
    }
    let mut chars = cluster.chars();
    let Some(letter) = chars.next() else { return };
    let start = out.len();
    set_letter(letter, out);
    // As many of its marks as can stand with it.
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
        // The letters that flags are written with.
        out.extend(char::from_u32(u32::from(letter) - 0x1_f1e6 + u32::from('A')));
    } else if covered(&apart) {
        out.push_str(&apart);
    } else if let Some(base) =
        apart.chars().next().filter(|c| apart.chars().count() > 1 && covered(c.encode_utf8(&mut [0; 4])))
    {
        // At least the letter, without what stands above or below it.
        out.push(base);
    } else if !is_combining_mark(letter) {
        out.push(MISSING);
    }
}

/// What reads the same as a character of prose that no face has.
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
