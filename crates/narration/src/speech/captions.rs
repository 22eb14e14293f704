//! Captions: spoken text with times, as `WebVTT`.

use std::fmt::Write;

/// A spoken text with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    pub from_ms: u64,
    pub to_ms: u64,
    /// The written text, not its spoken form.
    pub text: String,
}

/// The maximum length of a line, in characters.
const LINE: usize = 42;
/// The maximum number of lines shown together.
const LINES: usize = 2;

/// Writes captions of at most two lines. A longer text is shown in parts, each for its share of the time.
pub fn captions(cues: &[Cue]) -> String {
    let mut out = "WEBVTT\n".to_owned();
    for cue in cues {
        let lines = lines(&cue.text);
        let parts: Vec<&[String]> = lines.chunks(LINES).collect();
        let length = |lines: &[String]| lines.iter().map(|line| line.chars().count() as u64).sum::<u64>().max(1);
        let (total, mut shown) = (length(&lines), 0);
        let time = cue.to_ms.saturating_sub(cue.from_ms);
        for part in parts {
            let from = cue.from_ms + time * shown / total;
            shown += length(part);
            let to = cue.from_ms + time * shown / total;
            // Writing to a text can't fail.
            let _ = write!(out, "\n{} --> {}\n{}\n", clock(from), clock(to), part.join("\n"));
        }
    }
    out
}

/// Breaks the text into lines and escapes it.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")).collect()
}

/// Formats a time for `WebVTT`.
fn clock(millis: u64) -> String {
    let (seconds, millis) = (millis / 1_000, millis % 1_000);
    format!("{:02}:{:02}:{:02}.{millis:03}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::{Cue, captions};

    #[test]
    fn each_cue_has_its_time_and_its_words() {
        let cue = |from_ms, to_ms, text: &str| Cue { from_ms, to_ms, text: text.to_owned() };
        assert_eq!(
            captions(&[cue(0, 1_250, "Walden"), cue(61_005, 3_600_000, "A <b> & c")]),
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nWalden\n\n00:01:01.005 --> 01:00:00.000\nA &lt;b&gt; &amp; c\n"
        );
    }

    #[test]
    fn long_words_are_shown_in_parts_without_a_gap() {
        let text = "One two three four five six seven eight nine ten. ".repeat(4);
        let written = captions(&[Cue { from_ms: 1_000, to_ms: 21_000, text: text.clone() }]);
        let cues: Vec<&str> = written.split("\n\n").skip(1).collect();
        assert_eq!(cues.len(), 3, "{written}");
        let mut end = "00:00:01.000".to_owned();
        let mut said = Vec::new();
        for cue in cues {
            let mut lines = cue.lines();
            let (from, to) = lines.next().and_then(|times| times.split_once(" --> ")).expect("times");
            assert_eq!(from, end);
            to.clone_into(&mut end);
            let words: Vec<&str> = lines.collect();
            assert!(words.len() <= 2 && words.iter().all(|line| line.len() <= 42), "{words:?}");
            said.extend(words);
        }
        assert_eq!((end.as_str(), said.join(" ")), ("00:00:21.000", text.trim().to_owned()));
    }
}
