//! Layout of passages: paragraphs in even lines, in the largest font size that fits.

use std::ops::RangeInclusive;

use crate::face::{Face, Line};
use crate::setting;

/// A passage's layout.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// Font size, in units of the picture.
    pub(crate) size: f64,
    /// The lines, each with its baseline below the top of the area.
    pub(crate) lines: Vec<(Line, f64)>,
    /// The height of all lines, with the leading above the first and below the last.
    pub(crate) height: f64,
}

/// The space for a passage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space<'a> {
    /// Width and height, in units of the picture.
    pub(crate) extent: (f64, f64),
    /// The font sizes, in whole units of the picture.
    pub(crate) sizes: &'a RangeInclusive<u16>,
    pub(crate) wrapping: Wrapping,
}

/// Whether a paragraph may take several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    Paragraphs,
    /// Verse: each paragraph is one line.
    Verse,
}

/// Extra space between two paragraphs that wrap, in ems.
const PARAGRAPH_GAP: f64 = 0.45;
/// The weight of a bad line end against the unevenness of lines.
const LINE_END: f64 = 0.5;

/// A word and its width in ems, which includes the space around its ink.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    width: f64,
}

type Paragraph = Vec<Word>;

/// The text of a line, and whether it is the first of its paragraph.
type LineText = (String, bool);

/// Lays out paragraphs as large as the space allows; `None` when they don't fit in the smallest size.
pub(crate) fn fit(face: &Face, paragraphs: &[String], space: Space<'_>) -> Option<Passage> {
    let paragraphs: Vec<Paragraph> = paragraphs.iter().map(|text| words(face, text)).collect();
    let mut frames = space.sizes.clone().rev().map(|size| Frame::new(face, space, size.into()));
    frames.find_map(|frame| Some(frame.placed(&frame.lines(&paragraphs)?)))
}

/// Lays out paragraphs in the smallest size. What does not fit is cut after a word, with an ellipsis.
pub(crate) fn cut(face: &Face, paragraphs: &[String], space: Space<'_>) -> Passage {
    let frame = Frame::new(face, space, (*space.sizes.start()).into());
    let room = frame.width() - face.line("…", 0.0).advance;
    let pieces = |text: &String| words(face, text).into_iter().flat_map(|word| pieces(face, word, room)).collect();
    let paragraphs: Vec<Paragraph> = paragraphs.iter().map(pieces).collect();
    let kept = |count: usize| frame.lines(&beginning(face, &paragraphs, count));
    let counts: Vec<usize> = (1..=paragraphs.iter().map(Vec::len).sum()).collect();
    let fitting = counts.partition_point(|count| kept(*count).is_some());
    frame.placed(&kept(fitting).unwrap_or_default())
}

fn words(face: &Face, text: &str) -> Paragraph {
    setting::words_of(text).into_iter().map(|text| word(face, text)).collect()
}

fn word(face: &Face, text: String) -> Word {
    let width = face.line(&text, 0.0).advance;
    Word { text, width }
}

/// A word as pieces of at most `width` ems, or of one character.
fn pieces(face: &Face, whole: Word, width: f64) -> Vec<Word> {
    if whole.width <= width {
        return vec![whole];
    }
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for c in whole.text.chars() {
        if !piece.is_empty() && face.line(&format!("{piece}{c}"), 0.0).advance > width {
            pieces.push(word(face, std::mem::take(&mut piece)));
        }
        piece.push(c);
    }
    pieces.push(word(face, piece));
    pieces
}

/// The first `count` words, the last of them with an ellipsis when words are missing.
fn beginning(face: &Face, paragraphs: &[Paragraph], count: usize) -> Vec<Paragraph> {
    let mut left = count;
    let mut kept: Vec<Paragraph> = Vec::new();
    for words in paragraphs {
        let taken = left.min(words.len());
        kept.extend((taken > 0).then(|| words[..taken].to_vec()));
        left -= taken;
    }
    let is_cut = count < paragraphs.iter().map(Vec::len).sum();
    if let Some(last) = kept.last_mut().and_then(|words| words.last_mut()).filter(|_| is_cut) {
        let bare = last.text.trim_end_matches(|c: char| "….,:;-–—\u{a0}".contains(c));
        *last = word(face, format!("{bare}…"));
    }
    kept
}

/// A space in one font size.
#[derive(Clone, Copy)]
struct Frame<'a> {
    face: &'a Face,
    space: Space<'a>,
    size: f64,
    /// Line height, in ems.
    leading: f64,
}

impl<'a> Frame<'a> {
    fn new(face: &'a Face, space: Space<'a>, size: f64) -> Self {
        // The eye needs more space between longer lines.
        let leading = (1.15 + 0.0085 * space.extent.0 / size).clamp(1.2, 1.44);
        Self { face, space, size, leading }
    }

    /// The width of the space, in ems.
    fn width(self) -> f64 {
        self.space.extent.0 / self.size
    }

    /// The lines of these paragraphs; `None` when they don't fit.
    fn lines(self, paragraphs: &[Paragraph]) -> Option<Vec<LineText>> {
        let mut lines = Vec::new();
        for words in paragraphs {
            let mut from = 0;
            for to in breaks(words, self.width(), self.face.space())? {
                let line: Vec<&str> = words[from..to].iter().map(|word| word.text.as_str()).collect();
                lines.push((line.join(" "), from == 0));
                from = to;
            }
        }
        let is_wrapped = lines.len() > paragraphs.len();
        let fits = self.height(&lines) <= self.space.extent.1;
        (fits && !(is_wrapped && self.space.wrapping == Wrapping::Verse)).then_some(lines)
    }

    /// The distance of each line's baseline from that of the first line, in ems.
    fn offsets(self, lines: &[LineText]) -> Vec<f64> {
        let gap = if self.space.wrapping == Wrapping::Verse { 0.0 } else { PARAGRAPH_GAP };
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(lines.len());
        for (place, (_, is_first)) in lines.iter().enumerate() {
            if place > 0 {
                offset += self.leading + if *is_first { gap } else { 0.0 };
            }
            offsets.push(offset);
        }
        offsets
    }

    /// The height of the lines, in units of the picture.
    fn height(self, lines: &[LineText]) -> f64 {
        self.offsets(lines).last().map_or(0.0, |last| (last + self.leading) * self.size)
    }

    fn placed(self, lines: &[LineText]) -> Passage {
        let shaped: Vec<Line> = lines.iter().map(|(text, _)| self.face.line(text, 0.0)).collect();
        // Words of two scripts are kerned differently within one line, so that it may be a little wider than its words.
        let widest = shaped.iter().map(Line::width).fold(0.01, f64::max);
        let size = self.size.min(self.space.extent.0 / widest);
        // From the top of a line to its baseline: capitals stand in the middle of the line's height.
        let first = f64::midpoint(self.leading, self.face.cap_height);
        let baselines = self.offsets(lines).into_iter().map(|offset| (first + offset) * size);
        Passage { size, lines: shaped.into_iter().zip(baselines).collect(), height: self.height(lines) }
    }
}

/// The best breaks of a paragraph into lines of at most `width` ems: the index after each line's last word. `None` when a
/// word is wider.
///
/// Minimizes the squared space at the line ends, that of the last line included, plus the costs of bad line ends. So the
/// lines are about equally long.
fn breaks(words: &[Word], width: f64, space: f64) -> Option<Vec<usize>> {
    let n = words.len();
    // least[j]: the minimum cost of the first j words, and the index at which the last of their lines begins.
    let mut least = vec![(f64::INFINITY, 0_usize); n + 1];
    least[0].0 = 0.0;
    for j in 1..=n {
        let mut line = -space;
        for i in (0..j).rev() {
            line += words[i].width + space;
            if line > width {
                break;
            }
            let end = LINE_END * setting::flaw(&words[j - 1].text, j - i, j == n);
            let total = least[i].0 + ((width - line) / width).powi(2) + end;
            if total < least[j].0 {
                least[j] = (total, i);
            }
        }
    }
    let mut breaks = Vec::new();
    let mut end = n;
    while end > 0 {
        if least[end].0.is_infinite() {
            return None;
        }
        breaks.push(end);
        end = least[end].1;
    }
    breaks.reverse();
    Some(breaks)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::face::{BOOK, DISPLAY};

    const SIZES: RangeInclusive<u16> = 28..=90;
    const EXTENT: (f64, f64) = (900.0, 700.0);
    const SPACE: Space<'_> = Space { extent: EXTENT, sizes: &SIZES, wrapping: Wrapping::Paragraphs };

    fn texts(paragraphs: &[&str]) -> Vec<String> {
        paragraphs.iter().map(|text| (*text).to_owned()).collect()
    }

    fn lines(paragraphs: &[&str], width: f64) -> Vec<String> {
        let space = Space { extent: (width * 40.0, 4_000.0), sizes: &(40..=40), ..SPACE };
        let frame = Frame::new(&DISPLAY, space, 40.0);
        let paragraphs: Vec<Paragraph> = paragraphs.iter().map(|text| words(&DISPLAY, text)).collect();
        frame.lines(&paragraphs).expect("room for all").into_iter().map(|(text, _)| text).collect()
    }

    fn assert_inside(passage: &Passage) {
        assert!(passage.height <= EXTENT.1);
        for (line, baseline) in &passage.lines {
            assert!(line.width() * passage.size <= EXTENT.0 + 0.1);
            assert!(*baseline > 0.0 && *baseline < passage.height);
        }
    }

    #[test]
    fn lines_are_even_and_end_on_no_small_word() {
        assert_eq!(
            lines(&["I wished to live deliberately, to front only the facts"], 11.0),
            ["I wished to live", "deliberately, to front", "only the facts"]
        );
        assert_eq!(lines(&["The facts of life"], 6.0), ["The facts", "of life"]);
    }

    #[test]
    fn a_shorter_passage_is_larger() {
        let largest = fit(&DISPLAY, &texts(&["A few words"]), SPACE).expect("a fitting size").size;
        let size_of =
            |count: usize| fit(&DISPLAY, &["a few words ".repeat(count)], SPACE).expect("a fitting size").size;
        assert!((largest - 90.0).abs() < 0.1);
        assert!(size_of(3) > size_of(20) && size_of(20) > size_of(40));
    }

    #[test]
    fn paragraphs_have_a_gap_and_verses_have_none() {
        let two = texts(&["One", "Two"]);
        let height = |wrapping| {
            let space = Space { sizes: &(40..=40), wrapping, ..SPACE };
            fit(&DISPLAY, &two, space).expect("room for two lines").height
        };
        let gap = height(Wrapping::Paragraphs) - height(Wrapping::Verse);
        assert!((gap - PARAGRAPH_GAP * 40.0).abs() < 0.01, "{gap}");
    }

    #[test]
    fn a_verse_shrinks_in_place_of_wrapping() {
        let verses = texts(&["Tell me not, in mournful numbers,", "Life is but an empty dream!"]);
        let verse = fit(&DISPLAY, &verses, Space { wrapping: Wrapping::Verse, ..SPACE }).expect("a fitting size");
        let wrapped = fit(&DISPLAY, &verses, SPACE).expect("a fitting size");
        assert_eq!(verse.lines.len(), 2);
        assert!(wrapped.lines.len() > 2 && wrapped.size > verse.size);
    }

    #[test]
    fn a_passage_that_does_not_fit_is_cut_after_a_word_with_an_ellipsis() {
        let long = texts(&["Once, upon a time, ".repeat(200).trim_end(), "The end."]);
        assert!(fit(&BOOK, &long, SPACE).is_none());
        let frame = Frame::new(&BOOK, SPACE, 28.0);
        let paragraphs: Vec<Paragraph> = long.iter().map(|text| words(&BOOK, text)).collect();
        let kept: Vec<Paragraph> = beginning(&BOOK, &paragraphs, 6);
        let kept: Vec<String> = frame.lines(&kept).expect("a few words").into_iter().map(|(text, _)| text).collect();
        assert_eq!(kept, ["Once, upon a time, Once, upon…"]);
        let passage = cut(&BOOK, &long, SPACE);
        assert_inside(&passage);
        assert!(passage.height > EXTENT.1 - 2.0 * 28.0 * frame.leading, "the space is used");
    }

    #[test]
    fn a_word_longer_than_a_line_is_split() {
        let passage = cut(&BOOK, &["incomprehensibility".repeat(20)], SPACE);
        assert_inside(&passage);
        assert!(passage.lines.len() > 3);
    }

    #[test]
    fn no_words_are_no_lines() {
        let nothing = fit(&BOOK, &[], SPACE).expect("room for nothing");
        assert!(nothing.lines.is_empty() && nothing.height.abs() < 0.01);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_passage_never_leaves_its_space(
            paragraphs in prop::collection::vec("[A-Za-zα-ω ]{1,300}|[A-Za-z]{1,200}", 0..12)
        ) {
            let passage = fit(&BOOK, &paragraphs, SPACE).unwrap_or_else(|| cut(&BOOK, &paragraphs, SPACE));
            assert_inside(&passage);
        }
    }
}
