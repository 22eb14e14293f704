//! Layout of titles: typographic punctuation, balanced lines, the largest font size that fits.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::face::{Face, Line};

/// The area for a title, in units of the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A title's layout.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// Font size, in units of the picture.
    pub(crate) size: f64,
    /// The lines, each with the y coordinate of its baseline.
    pub(crate) lines: Vec<(Line, f64)>,
    /// The text of each line.
    pub(crate) words: Vec<String>,
}

/// Line height, in ems.
const LEADING: f64 = 1.04;
/// Space below the last baseline, in ems.
const DESCENT: f64 = 0.25;
/// Letter spacing, in ems. Large sizes look better slightly tightened.
const TRACKING: f64 = -0.012;
/// The maximum font size, in units of the picture.
const LARGEST: f64 = 150.0;
/// The minimum font size, in units of the picture. A title that does not fit even then is cut.
const SMALLEST: f64 = 30.0;
/// The maximum number of lines: more would look like a paragraph.
const MOST_LINES: usize = 6;

/// Lays out a title: as large as possible with balanced lines and good breaks.
pub(crate) fn set(face: &Face, title: &str, area: Area) -> Setting {
    let mut words = words_of(&typographic(title));
    if words.is_empty() {
        return Setting { size: SMALLEST, lines: Vec::new(), words: Vec::new() };
    }
    let mut best = fit(face, &words, area);
    if best.size < SMALLEST {
        words = words.iter().flat_map(|word| pieces(word)).collect();
        best = fit(face, &words, area);
    }
    while best.size < SMALLEST && words.len() > 1 {
        words.pop();
        if let Some(last) = words.last_mut() {
            *last = format!("{}…", last.trim_end_matches(['…', ',', ':', ';', '-', '–', '—']));
        }
        best = fit(face, &words, area);
    }
    best
}

/// Lays out one line: shrinks it down to `smallest`, then cuts it until it fits the width. Returns the line and its font size.
pub(crate) fn set_line(face: &Face, text: &str, width: f64, largest: f64, smallest: f64) -> Option<(Line, f64)> {
    let mut text = typographic(text);
    loop {
        let line = face.line(&text, 0.004);
        if line.width() <= 0.0 {
            return None;
        }
        let size = largest.min(width / line.width());
        if size >= smallest {
            return Some((line, size));
        }
        let mut kept: String = text.trim_end_matches('…').to_owned();
        kept.pop()?;
        text = format!("{}…", kept.trim_end());
    }
}

/// Replaces plain punctuation by typographic: composed accents, curly quotes, dashes, single spaces.
pub(crate) fn typographic(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.nfc() {
        // Combining marks without a composed letter could pile up beyond the line.
        if is_combining_mark(c)
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
        {
            continue;
        }
        let opens = before.is_whitespace() || matches!(before, '(' | '[' | '—' | '–' | '“' | '‘');
        let c = match c {
            c if c.is_whitespace() || c.is_control() => ' ',
            '\'' if opens && before != '“' && text.matches('\'').count() > 1 => '‘',
            '\'' => '’',
            '"' if opens => '“',
            '"' => '”',
            c => c,
        };
        if !(c == ' ' && before == ' ') {
            out.push(c);
        }
        before = c;
    }
    out.trim().replace(" - ", " – ").replace(" -- ", " – ").replace("...", "…")
}

/// Splits a text into words. A dash stays with the word before it.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if matches!(word, "–" | "—" | ":" | "-") => {
                last.push('\u{a0}');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Splits a very long word into pieces that fit on a line at the smallest size.
fn pieces(word: &str) -> Vec<String> {
    const LONGEST: usize = 14;
    let letters: Vec<char> = word.chars().collect();
    if letters.len() <= LONGEST {
        return vec![word.to_owned()];
    }
    let count = letters.len().div_ceil(LONGEST);
    let each = letters.len().div_ceil(count);
    let parts: Vec<String> = letters.chunks(each).map(|part| part.iter().collect()).collect();
    let last = parts.len() - 1;
    parts.into_iter().enumerate().map(|(i, part)| if i < last { format!("{part}-") } else { part }).collect()
}

/// The best layout of these words for the area.
fn fit(face: &Face, words: &[String], area: Area) -> Setting {
    let widths: Vec<f64> = words.iter().map(|word| face.line(word, TRACKING).width()).collect();
    let space = face.space() + TRACKING;
    let mut best: Option<(f64, Setting)> = None;
    for count in 1..=MOST_LINES.min(words.len()) {
        let (breaks, flaws) = balance(words, &widths, space, count);
        let setting = compose(face, words, &breaks, area);
        let score = setting.size * (1.0 - flaws).max(0.01);
        if best.as_ref().is_none_or(|(top, _)| score > *top) {
            best = Some((score, setting));
        }
    }
    best.map_or_else(|| Setting { size: SMALLEST, lines: Vec::new(), words: Vec::new() }, |(_, setting)| setting)
}

/// The best breaks of words into `count` lines: the index after each line's last word, and the cost (0 is perfect).
///
/// Minimizes the squared deviations from the mean line width plus the costs of bad line ends (a small version of Knuth and
/// Plass' algorithm).
fn balance(words: &[String], widths: &[f64], space: f64, count: usize) -> (Vec<usize>, f64) {
    let n = words.len();
    #[expect(clippy::cast_precision_loss, reason = "a title has few words")]
    let (gaps, lines) = ((n - 1) as f64, count as f64);
    let target = (widths.iter().sum::<f64>() + gaps * space) / lines;
    let cost = |from: usize, to: usize| {
        let width: f64 = widths[from..to].iter().map(|w| w + space).sum::<f64>() - space;
        let uneven = ((width - target) / target).powi(2);
        uneven + 3.0 * flaw(&words[to - 1], to - from, to == n)
    };
    // least[k][j]: the minimum cost of the first j words on k lines, and the index at which the last of these lines begins.
    let mut least = vec![vec![(f64::INFINITY, 0_usize); n + 1]; count + 1];
    least[0][0] = (0.0, 0);
    for k in 1..=count {
        for j in k..=n {
            for i in (k - 1)..j {
                let total = least[k - 1][i].0 + cost(i, j);
                if total < least[k][j].0 {
                    least[k][j] = (total, i);
                }
            }
        }
    }
    let mut breaks = vec![n];
    for k in (2..=count).rev() {
        let end = *breaks.last().unwrap_or(&n);
        breaks.push(least[k][end].1);
    }
    breaks.reverse();
    let mut from = 0;
    let mut flaws = 0.0;
    for to in &breaks {
        flaws += flaw(&words[to - 1], to - from, *to == n);
        from = *to;
    }
    (breaks, flaws)
}

/// The cost of a line of `count` words that ends with the word `end`: very high for a single letter, low for a small word at its
/// end.
pub(crate) fn flaw(end: &str, count: usize, last: bool) -> f64 {
    const SMALL: [&str; 22] = [
        "a", "an", "the", "of", "in", "on", "to", "and", "or", "for", "at", "by", "from", "with", "de", "la", "le",
        "du", "des", "und", "der", "&",
    ];
    if count == 1 && end.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return 0.95;
    }
    if last {
        return 0.0;
    }
    let end = end.to_lowercase();
    match count {
        // A line with only "The" is common on title pages.
        1 if SMALL.contains(&end.as_str()) => 0.04,
        _ if SMALL.contains(&end.as_str()) => 0.12,
        _ => 0.0,
    }
}

/// Lays out the lines between the given breaks as large as the area allows.
fn compose(face: &Face, words: &[String], breaks: &[usize], area: Area) -> Setting {
    let mut from = 0;
    let mut said = Vec::new();
    for to in breaks {
        said.push(words[from..*to].join(" "));
        from = *to;
    }
    let lines: Vec<Line> = said.iter().map(|text| face.line(text, TRACKING)).collect();
    let widest = lines.iter().map(Line::width).fold(0.01, f64::max);
    let first = lines.first().map_or(0.0, |line| line.top);
    // Ascenders may rise above the cap height into the margin; accents of capitals need extra space.
    let rise = if first > face.cap_height + 0.12 { first } else { face.cap_height };
    let drop = lines.last().map_or(0.0, |line| -line.bottom).clamp(0.0, DESCENT);
    #[expect(clippy::cast_precision_loss, reason = "a title has few lines")]
    let tall = rise + LEADING * (lines.len() - 1) as f64 + drop.max(0.04);
    let size = LARGEST.min(area.width / widest).min(area.height / tall);
    let size = (size * 10.0).floor() / 10.0;
    let mut baseline = area.y + rise * size;
    let lines = lines
        .into_iter()
        .map(|line| {
            let here = baseline;
            baseline += LEADING * size;
            (line, here)
        })
        .collect();
    Setting { size, lines, words: said }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::face::DISPLAY;

    const AREA: Area = Area { x: 48.0, y: 104.0, width: 504.0, height: 180.0 };

    fn lines(title: &str) -> Vec<String> {
        set(&DISPLAY, title, AREA).words
    }

    /// Whether every line lies in the area. Only ascenders may reach slightly above it.
    fn inside(setting: &Setting, area: Area) -> bool {
        setting.lines.iter().all(|(line, baseline)| {
            line.width() * setting.size <= area.width + 0.1
                && baseline - line.top * setting.size >= area.y - 0.12 * setting.size
                && baseline - line.bottom * setting.size <= area.y + area.height + 0.12 * setting.size
        })
    }

    #[test]
    fn lines_are_even_and_do_not_end_on_small_words() {
        assert_eq!(lines("A Vindication of the Rights of Woman"), ["A Vindication", "of the Rights", "of Woman"]);
        assert_eq!(lines("The Art of War"), ["The Art", "of War"]);
        assert_eq!(lines("Walden"), ["Walden"]);
        assert_eq!(lines("  "), Vec::<String>::new());
    }

    #[test]
    fn size_falls_with_length() {
        let size = |title| set(&DISPLAY, title, AREA).size;
        assert!(size("Walden") > size("Meditations"));
        assert!(size("Meditations") > size("Autobiography of Benjamin Franklin"));
        assert!(size("Autobiography of Benjamin Franklin") > size(&"Considerations on everything ".repeat(4)));
    }

    #[test]
    fn punctuation_is_a_typesetters() {
        assert_eq!(typographic("Don't  say \"so\" - 'ever'..."), "Don’t say “so” – ‘ever’…");
        assert_eq!(typographic("Rock 'n roll\u{7}"), "Rock ’n roll");
        assert_eq!(typographic("Machiavelli, Niccolo\u{300}"), "Machiavelli, Niccolò");
        assert_eq!(typographic("a\u{300}\u{301}\u{302}\u{303}\u{330}"), "à");
    }

    #[test]
    fn what_no_size_can_hold_is_cut_and_says_so() {
        let setting = set(&DISPLAY, &"Of everything that can be known ".repeat(20), AREA);
        assert!(setting.words.last().is_some_and(|line| line.ends_with('…')), "{:?}", setting.words);
        assert!(inside(&setting, AREA));
    }

    proptest! {
        #[test]
        fn a_title_never_leaves_its_area(title in "\\PC{0,300}") {
            let setting = set(&DISPLAY, &title, AREA);
            prop_assert!(inside(&setting, AREA), "{:?} at {}", setting.words, setting.size);
        }

        #[test]
        fn a_title_of_words_is_legible_and_leaves_no_letter_alone(
            words in prop::collection::vec("[A-Za-zÀ-ÿ]{1,12}", 2..7)
        ) {
            let title = words.join(" ");
            prop_assume!(title.chars().count() <= 60 && words.iter().any(|w| w.chars().count() > 1));
            let setting = set(&DISPLAY, &title, AREA);
            prop_assert!(inside(&setting, AREA));
            prop_assert!(setting.size >= SMALLEST);
            prop_assert!(setting.words.iter().all(|line| line.chars().count() > 1), "{:?}", setting.words);
            prop_assert_eq!(setting.words.join(" "), title);
        }
    }
}
