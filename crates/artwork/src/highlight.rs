//! A highlight as a picture to share: the highlighted words, marked by a highlighter, and the book that they are from.

use std::ops::RangeInclusive;

use crate::card;
use crate::characters::{self, OMISSION};
use crate::colour::{Palette, Rgb, oklch};
use crate::face::{BOOK, DISPLAY, Face, Lettering, TEXT};
use crate::fruit::{self, Tones};
use crate::passage::{self, Passage, Space, Wrapping};
use crate::setting;
use crate::svg::{Canvas, Path};

/// Width of a highlight's card, in pixels: the portrait format of social networks.
pub const HIGHLIGHT_CARD_WIDTH: u32 = 1080;
/// Height of a highlight's card, in pixels.
pub const HIGHLIGHT_CARD_HEIGHT: u32 = 1350;

/// The left and right margin of all text.
const MARGIN: f64 = 92.0;
/// The width of the words.
const WORDS_WIDTH: f64 = 896.0;
/// The highest top of the words: below the quotation mark.
const WORDS_TOP: f64 = 216.0;
/// The lowest lower edge of the words: above the fruit.
const WORDS_BOTTOM: f64 = 1010.0;
/// The minimum space between the words and the first baseline of the title.
const WORDS_GAP: f64 = 74.0;
/// The share of the free height that is above short words.
const FREE_ABOVE: f64 = 0.36;
/// Font sizes of words in the display font.
const DISPLAY_SIZES: RangeInclusive<u16> = 46..=118;
/// Font sizes of longer passages, in the book font. On a phone, 27 of 1080 pixels are about 7 points.
const BOOK_SIZES: RangeInclusive<u16> = 27..=44;
/// Font sizes, in the book font, of words with letters that the display font lacks.
const OTHER_SIZES: RangeInclusive<u16> = 27..=104;
/// The maximum length of a verse, in characters. Several lines that are all as short keep their line breaks.
const VERSE_LENGTH: usize = 56;
/// Font size of the quotation mark.
const MARK_SIZE: f64 = 280.0;
/// From the top of the quotation mark to the top of the words.
const MARK_HEIGHT: f64 = 112.0;
/// The width of title and author: they are beside the fruit.
const SOURCE_WIDTH: f64 = 610.0;
/// The baseline of the author's name, or of the title when nobody is named.
const SOURCE_BOTTOM: f64 = 1162.0;
/// Font sizes of the title, which has one or two lines.
const TITLE_SIZES: RangeInclusive<u16> = 30..=42;
/// The height of the title's lines.
const TITLE_HEIGHT: f64 = 100.0;
/// The baseline of the logo and the site's name.
const FOOT: f64 = 1272.0;
/// Radius of the fruit.
const FRUIT: f64 = 312.0;
/// The hue of a card without one: the site's orange.
const SITE_HUE: f64 = 55.0;

/// The color of a highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighlightColor {
    Honey,
    Leaf,
    Sky,
    Rose,
}

impl HighlightColor {
    /// Every color.
    pub const ALL: [Self; 4] = [Self::Honey, Self::Leaf, Self::Sky, Self::Rose];

    /// The tone behind the words.
    fn ground(self) -> Rgb {
        match self {
            Self::Honey => oklch(0.905, 0.125, 90.0),
            Self::Leaf => oklch(0.905, 0.095, 145.0),
            Self::Sky => oklch(0.90, 0.07, 235.0),
            Self::Rose => oklch(0.895, 0.075, 8.0),
        }
    }

    /// The tone of the quotation mark.
    fn accent(self) -> Rgb {
        match self {
            Self::Honey => oklch(0.72, 0.14, 80.0),
            Self::Leaf => oklch(0.66, 0.13, 148.0),
            Self::Sky => oklch(0.66, 0.12, 245.0),
            Self::Rose => oklch(0.66, 0.14, 8.0),
        }
    }
}

/// The content of a highlight's card.
#[derive(Clone, Copy, Debug)]
pub struct HighlightCardSpec<'a> {
    /// The highlighted words. Each line is a paragraph. Prose of up to 1,300 characters is shown in full; what does not
    /// fit is cut after a word, with an ellipsis.
    pub words: &'a str,
    /// The title of the book or own summary.
    pub title: &'a str,
    /// Its author; empty: nobody is named.
    pub author: &'a str,
    /// The hue of the book's first category, in OKLCH degrees; `None`: the site's own.
    pub hue: Option<f64>,
    pub color: HighlightColor,
    /// The site's name.
    pub site: &'a str,
}

impl HighlightCardSpec<'_> {
    /// Whether the card shows an omission (`[…]`) in place of some of the words: the bundled fonts have the letters of
    /// Latin, Greek and Cyrillic.
    pub fn omits_letters(&self) -> bool {
        drawable_lines(self.words).iter().any(|line| line.contains(OMISSION)) && !self.words.contains(OMISSION)
    }
}

/// Draws a highlight's card: an SVG document of 1080 by 1350, with all text as outlines. Characters that the bundled
/// fonts lack are replaced (see [`HighlightCardSpec::omits_letters`]).
pub fn highlight_card(spec: &HighlightCardSpec<'_>) -> String {
    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(HIGHLIGHT_CARD_WIDTH), f64::from(HIGHLIGHT_CARD_HEIGHT));
    canvas.rect((0.0, 0.0), width, height, paper());
    fruit::wheel(&mut canvas, (width, height), FRUIT, 12, 15.0, false, &fruit_tones(spec.hue));
    let mut lettering = Lettering::default();
    let title_baseline = source(&mut lettering, spec);
    words(&mut canvas, &mut lettering, spec, WORDS_BOTTOM.min(title_baseline - WORDS_GAP));
    card::foot(&mut canvas, &mut lettering, spec.site, (MARGIN, FOOT), paper());
    canvas.raw(&lettering.markup());
    canvas.document(HIGHLIGHT_CARD_WIDTH, HIGHLIGHT_CARD_HEIGHT, spec.title)
}

/// Draws title and author. Returns the title's first baseline.
fn source(lettering: &mut Lettering, spec: &HighlightCardSpec<'_>) -> f64 {
    let mut bottom = SOURCE_BOTTOM;
    let author = drawable(spec.author);
    let face = face_of(&TEXT, &author);
    if let Some((line, size)) = setting::set_line(face, &author, SOURCE_WIDTH, 30.0, 22.0) {
        lettering.set(face, &line, (MARGIN, bottom), size, card::quiet());
        bottom -= 46.0;
    }
    let title = [drawable(spec.title)];
    let face = face_of(&DISPLAY, &title[0]);
    let space = Space { extent: (SOURCE_WIDTH, TITLE_HEIGHT), sizes: &TITLE_SIZES, wrapping: Wrapping::Paragraphs };
    let title = passage::fit(face, &title, space).unwrap_or_else(|| passage::cut(face, &title, space));
    let rise = |baseline: f64| title.lines.last().map_or(0.0, |(_, last)| last - baseline);
    for (line, baseline) in &title.lines {
        lettering.set(face, line, (MARGIN, bottom - rise(*baseline)), title.size, ink());
    }
    bottom - title.lines.first().map_or(0.0, |(_, first)| rise(*first))
}

/// Draws the words, as large as fit above `bottom`, on strokes of a highlighter and below a quotation mark.
fn words(canvas: &mut Canvas, lettering: &mut Lettering, spec: &HighlightCardSpec<'_>, bottom: f64) {
    let (face, passage) = passage_of(&drawable_lines(spec.words), bottom - WORDS_TOP);
    let top = WORDS_TOP + FREE_ABOVE * (bottom - WORDS_TOP - passage.height);
    let mark = DISPLAY.line("“", 0.0);
    let baseline = top - MARK_HEIGHT + mark.top * MARK_SIZE;
    lettering.set(&DISPLAY, &mark, (MARGIN, baseline), MARK_SIZE, spec.color.accent());
    for (line, baseline) in &passage.lines {
        let at = (MARGIN, top + baseline);
        canvas.soft(&stroke(at, line.width(), passage.size), 0.03 * passage.size, spec.color.ground());
        lettering.set(face, line, at, passage.size, ink());
    }
}

/// The stroke of a highlighter behind a line of the given width (in ems) and font size, with slanted ends.
fn stroke((left, baseline): (f64, f64), width: f64, size: f64) -> Path {
    let at = |x: f64, y: f64| (left + x * size, baseline + y * size);
    let (top, bottom) = (-0.82, 0.26);
    Path::new()
        .to(at(-0.11, top))
        .line(at(width + 0.21, top))
        .line(at(width + 0.11, bottom))
        .line(at(-0.21, bottom))
        .close()
}

/// The layout of the words and its font: the display font in large sizes, the book font for long passages.
fn passage_of(lines: &[String], height: f64) -> (&'static Face, Passage) {
    let fonts: &[(&'static Face, RangeInclusive<u16>)] = if lines.iter().all(|line| DISPLAY.covers(line)) {
        &[(&DISPLAY, DISPLAY_SIZES), (&BOOK, BOOK_SIZES)]
    } else {
        &[(&BOOK, OTHER_SIZES)]
    };
    let is_verse = lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= VERSE_LENGTH);
    let wrappings = [is_verse.then_some(Wrapping::Verse), Some(Wrapping::Paragraphs)];
    let space = |sizes, wrapping| Space { extent: (WORDS_WIDTH, height), sizes, wrapping };
    let mut tries = wrappings.iter().flatten().flat_map(|wrapping| fonts.iter().map(move |font| (font, *wrapping)));
    tries
        .find_map(|((face, sizes), wrapping)| Some((*face, passage::fit(face, lines, space(sizes, wrapping))?)))
        .unwrap_or_else(|| (&BOOK, passage::cut(&BOOK, lines, space(&BOOK_SIZES, Wrapping::Paragraphs))))
}

/// A text in characters of the book font; empty when nothing of it can be drawn.
fn drawable(text: &str) -> String {
    let text = characters::drawable(&BOOK, &setting::typographic(text));
    if text == OMISSION { String::new() } else { text }
}

/// The lines of the words in characters of the book font, without empty ones.
fn drawable_lines(words: &str) -> Vec<String> {
    let lines = words.lines().map(|line| characters::drawable(&BOOK, &setting::typographic(line)));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The preferred font, or the book font when that lacks a character.
fn face_of(preferred: &'static Face, text: &str) -> &'static Face {
    if preferred.covers(text) { preferred } else { &BOOK }
}

fn paper() -> Rgb {
    oklch(0.983, 0.008, 84.0)
}

fn ink() -> Rgb {
    oklch(0.22, 0.018, 60.0)
}

fn fruit_tones(hue: Option<f64>) -> Tones {
    let palette = Palette::of(hue.unwrap_or(SITE_HUE), 0);
    let skin = hue.map_or(oklch(0.66, 0.19, 50.0), |_| palette.deep);
    let flesh = hue.map_or(oklch(0.72, 0.18, SITE_HUE), |_| palette.flesh);
    Tones { panel: paper(), skin, pith: palette.paper, flesh, accent: palette.zest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::contrast;

    const SPEC: HighlightCardSpec<'_> = HighlightCardSpec {
        words: "Simplify, simplify.",
        title: "Walden",
        author: "Henry David Thoreau",
        hue: Some(125.0),
        color: HighlightColor::Honey,
        site: "Pith",
    };

    #[test]
    fn text_stands_out_from_its_ground_in_every_color() {
        assert!(contrast(ink(), paper()) >= 4.5 && contrast(card::quiet(), paper()) >= 4.5);
        for color in HighlightColor::ALL {
            assert!(contrast(ink(), color.ground()) >= 4.5, "{color:?}");
        }
    }

    #[test]
    fn a_passage_is_in_the_display_font_while_that_is_large_enough() {
        let font_of = |words: &str| {
            let (face, passage) = passage_of(&drawable_lines(words), 700.0);
            (std::ptr::eq(face, &raw const *DISPLAY), passage.size)
        };
        let (is_display, size) = font_of("Simplify, simplify.");
        assert!(is_display && size > 117.0);
        let (is_display, size) = font_of(&"Simplify, simplify. ".repeat(40));
        assert!(!is_display && (27.0..=44.0).contains(&size));
        let (is_display, size) = font_of("ἀρετή");
        assert!(!is_display && size > 103.0);
    }

    #[test]
    fn short_lines_keep_their_breaks() {
        let verses = "Tell me not, in mournful numbers,\nLife is but an empty dream!\n\nFor the soul is dead";
        assert_eq!(passage_of(&drawable_lines(verses), 700.0).1.lines.len(), 3);
    }

    #[test]
    fn letters_of_other_scripts_are_omitted_and_the_caller_can_tell() {
        for (words, omits) in [
            ("Simplify, simplify. 🙂", false),
            ("ἀρετή → Добро", false),
            ("He left out much […] of it.", false),
            ("孫子 said so", true),
            ("שלום", true),
        ] {
            assert_eq!(HighlightCardSpec { words, ..SPEC }.omits_letters(), omits, "{words}");
        }
    }

    #[test]
    fn thirteen_hundred_characters_are_shown_in_full() {
        let words = "It is life near the bone where it is sweetest, he said. ".repeat(24);
        let lines = drawable_lines(&words[..1_300]);
        let title = "Narrative of the Life of Frederick Douglass, an American Slave, Written by Himself";
        let title_baseline = source(&mut Lettering::default(), &HighlightCardSpec { title, ..SPEC });
        let height = title_baseline - WORDS_GAP - WORDS_TOP;
        let space = Space { extent: (WORDS_WIDTH, height), sizes: &BOOK_SIZES, wrapping: Wrapping::Paragraphs };
        assert!(passage::fit(&BOOK, &lines, space).is_some());
    }
}
