//! Replaces characters that a face lacks, so that a text can be drawn as outlines in full.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::face::Face;

/// The replacement of characters that have no equivalent: the mark of an omission in a quotation.
pub(crate) const OMISSION: &str = "[…]";

/// Rewrites a text with the characters of a face. Others become equivalents; emoji are dropped; a sequence of
/// characters without an equivalent becomes [`OMISSION`].
pub(crate) fn drawable(face: &Face, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_after_emoji = false;
    for c in text.nfc() {
        if is_emoji(c) && !covers(face, c) {
            is_after_emoji = true;
            continue;
        }
        // The space before an emoji goes with it.
        if std::mem::take(&mut is_after_emoji) && (c.is_whitespace() || ".,:;!?".contains(c)) {
            out.truncate(out.trim_end().len());
        }
        push(face, c, &mut out);
    }
    out.trim().to_owned()
}

fn push(face: &Face, c: char, out: &mut String) {
    if covers(face, c) {
        out.push(c);
    } else if let Some(known) = equivalent(c).map(ToOwned::to_owned).or_else(|| without_marks(face, c)) {
        out.push_str(&known);
    } else if !out.ends_with(OMISSION) {
        out.push_str(OMISSION);
    }
}

fn covers(face: &Face, c: char) -> bool {
    face.covers(c.encode_utf8(&mut [0; 4]))
}

/// The equivalent of a sign in characters that every bundled face has.
fn equivalent(c: char) -> Option<&'static str> {
    Some(match c {
        '→' | '⇒' | '➔' => "–›",
        '←' | '⇐' => "‹–",
        '≤' => "<=",
        '≥' => ">=",
        '≈' => "~",
        '●' | '■' | '▪' | '◦' => "•",
        '‡' => "†",
        '\u{2010}' | '\u{2011}' => "-",
        _ => return None,
    })
}

/// The compatible letters of a character, without marks: a ligature as its letters, a letter without an accent.
fn without_marks(face: &Face, c: char) -> Option<String> {
    let mut letters = String::new();
    decompose_compatible(c, |part| letters.extend((!is_combining_mark(part)).then_some(part)));
    (!letters.is_empty() && face.covers(&letters)).then_some(letters)
}

/// Whether a character is an emoji, a dingbat, or an invisible part of one.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{20e3}' | '\u{2600}'..='\u{2793}' | '\u{2795}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::{BOOK, DISPLAY, TEXT};

    #[test]
    fn text_that_the_face_has_stays_as_it_is() {
        for text in ["", "L’œuvre “ß” – naïve… Zażółć", "ἀρετή", "Лев Толстой", "Điện Biên Phủ"]
        {
            assert_eq!(drawable(&BOOK, text), text);
        }
    }

    #[test]
    fn signs_and_letters_that_the_face_lacks_become_equivalents() {
        assert_eq!(drawable(&BOOK, "cause → effect, x ≤ y"), "cause –› effect, x <= y");
        assert_eq!(drawable(&BOOK, "ﬁne \u{1e01} ①"), "fine a 1");
    }

    #[test]
    fn emoji_are_dropped_with_the_space_before_them() {
        assert_eq!(drawable(&BOOK, "Yes 🙂, go 👍🏽 on ❤\u{fe0f}"), "Yes, go on");
        assert_eq!(drawable(&BOOK, "🙂 Yes"), "Yes");
        assert_eq!(drawable(&BOOK, "Yes🙂no"), "Yesno");
    }

    #[test]
    fn other_scripts_become_one_omission() {
        assert_eq!(drawable(&BOOK, "The Art of War (孫子兵法), 五"), "The Art of War ([…]), […]");
    }

    #[test]
    fn equivalents_are_characters_of_every_face() {
        for known in "→←≤≥≈●‡\u{2010}".chars().map(equivalent) {
            let known = known.expect("an equivalent");
            assert!([&*BOOK, &*DISPLAY, &*TEXT].into_iter().all(|face| face.covers(known)), "{known}");
        }
        assert!([&*BOOK, &*DISPLAY, &*TEXT].into_iter().all(|face| face.covers(OMISSION)));
    }
}
