//! Says texts, one after the other, and keeps when each begins.

use std::path::{Path, PathBuf};

use ::speech::{Track, sentences, write_wav};

use super::NarrationError;
use crate::gateways::speech::{Recorded, Speech, Title, blocking};

/// Between two sentences, in milliseconds.
const AFTER_SENTENCE: u64 = 280;
/// Between two paragraphs.
pub(super) const AFTER_PARAGRAPH: u64 = 650;
/// Before the heading of the next section.
pub(super) const BEFORE_HEADING: u64 = 1_300;
/// Between a heading and its text.
pub(super) const AFTER_HEADING: u64 = 800;
/// Before the first word and after the last one.
pub(super) const AT_THE_ENDS: u64 = 400;
/// How many samples a second the recordings have whose voice has fewer or more.
const RATE: u32 = 32_000;

/// A recording in the making.
pub(super) struct Reader<'a> {
    speech: &'a Speech,
    folder: &'a Path,
    /// Of the first voice that is heard.
    track: Option<Track>,
    /// Silence that is due before the next word.
    pause: u64,
}

impl<'a> Reader<'a> {
    /// One that has said nothing; `folder` takes its files.
    pub(super) const fn new(speech: &'a Speech, folder: &'a Path) -> Self {
        Self { speech, folder, track: None, pause: AT_THE_ENDS }
    }

    /// Says texts, with so much silence after each; gives when each began, in milliseconds.
    pub(super) async fn say(&mut self, texts: &[(String, u64)]) -> Result<Vec<u64>, NarrationError> {
        let spoken: Vec<Vec<String>> = texts.iter().map(|(text, _)| sentences(text)).collect();
        let mut sounds = self.speech.say(spoken.iter().flatten().cloned().collect(), self.folder).await?.into_iter();
        let mut begun = Vec::with_capacity(texts.len());
        for (sentences, (_, after)) in spoken.iter().zip(texts) {
            begun.push(self.millis() + self.pause);
            for sound in sounds.by_ref().take(sentences.len()) {
                let track =
                    self.track.get_or_insert_with(|| Track::new(if sound.rate < 16_000 { sound.rate } else { RATE }));
                track.pause(self.pause);
                track.add(&sound);
                self.pause = AFTER_SENTENCE;
            }
            if !sentences.is_empty() {
                self.pause = *after;
            }
        }
        Ok(begun)
    }

    /// At least so much silence comes next.
    pub(super) fn pause(&mut self, millis: u64) {
        self.pause = self.pause.max(millis);
    }

    /// How long it is by now, in milliseconds.
    pub(super) fn millis(&self) -> u64 {
        self.track.as_ref().map_or(0, Track::millis)
    }

    /// The finished recording as a small file, and how long it is in milliseconds.
    pub(super) async fn finish(self, title: Title<'_>) -> Result<(Recorded, u64), NarrationError> {
        let speech = self.speech;
        let (wav, millis) = self.finish_wav().await?;
        Ok((speech.encode(wav, title).await?, millis))
    }

    /// The finished recording as a WAV file, and how long it is in milliseconds.
    pub(super) async fn finish_wav(self) -> Result<(PathBuf, u64), NarrationError> {
        let mut track = self.track.unwrap_or_else(|| Track::new(RATE));
        track.pause(AT_THE_ENDS);
        let (millis, wav) = (track.millis(), self.folder.join("recording.wav"));
        let path = wav.clone();
        blocking(move || Ok(std::fs::write(path, write_wav(&track.finish()))?)).await?;
        Ok((wav, millis))
    }
}
