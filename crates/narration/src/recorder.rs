//! Records texts one after the other and returns when each begins.

use std::path::{Path, PathBuf};

use crate::speech::{Track, sentences, write_wav};

use crate::{
    error::NarrationError,
    program::blocking,
    synthesizer::{RecordingFile, Synthesizer},
    tags::Tags,
};

/// Silence between two sentences, in milliseconds.
const AFTER_SENTENCE: u64 = 280;
/// Silence between two paragraphs, in milliseconds.
pub(crate) const AFTER_PARAGRAPH: u64 = 650;
/// Silence before the heading of the next section, in milliseconds.
pub(crate) const BEFORE_HEADING: u64 = 1_300;
/// Silence between a heading and its text, in milliseconds.
pub(crate) const AFTER_HEADING: u64 = 800;
/// Silence before the first word and after the last one, in milliseconds.
pub(crate) const AT_THE_ENDS: u64 = 400;
/// Sample rate of a recording, in Hz. A voice with less than 16,000 Hz keeps its own.
const RATE: u32 = 32_000;

/// A recording in progress.
pub(crate) struct Recorder<'a> {
    synthesizer: &'a Synthesizer,
    folder: &'a Path,
    /// The track; `None` before the first sound, which decides its sample rate.
    track: Option<Track>,
    /// The silence before the next word, in milliseconds.
    pause: u64,
}

impl<'a> Recorder<'a> {
    /// An empty recording. Its temporary files are written to `folder`.
    pub(crate) const fn new(synthesizer: &'a Synthesizer, folder: &'a Path) -> Self {
        Self { synthesizer, folder, track: None, pause: AT_THE_ENDS }
    }

    /// Speaks texts, each followed by a silence in milliseconds. Returns when each text begins, in milliseconds.
    pub(crate) async fn speak(&mut self, texts: &[(String, u64)]) -> Result<Vec<u64>, NarrationError> {
        let spoken: Vec<Vec<String>> = texts.iter().map(|(text, _)| sentences(text)).collect();
        let mut sounds =
            self.synthesizer.speak(spoken.iter().flatten().cloned().collect(), self.folder).await?.into_iter();
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

    /// Makes the pause before the next word at least `millis` milliseconds long.
    pub(crate) fn pause(&mut self, millis: u64) {
        self.pause = self.pause.max(millis);
    }

    /// The length so far, in milliseconds.
    pub(crate) fn millis(&self) -> u64 {
        self.track.as_ref().map_or(0, Track::millis)
    }

    /// The finished recording as a compressed file, and its length in milliseconds.
    pub(crate) async fn finish(self, tags: Tags<'_>) -> Result<(RecordingFile, u64), NarrationError> {
        let synthesizer = self.synthesizer;
        let (wav, millis) = self.finish_wav().await?;
        Ok((synthesizer.encode(wav, tags).await?, millis))
    }

    /// The finished recording as a WAV file, and its length in milliseconds.
    pub(crate) async fn finish_wav(self) -> Result<(PathBuf, u64), NarrationError> {
        let mut track = self.track.unwrap_or_else(|| Track::new(RATE));
        track.pause(AT_THE_ENDS);
        let (millis, wav) = (track.millis(), self.folder.join("recording.wav"));
        let path = wav.clone();
        blocking(move || Ok(std::fs::write(path, write_wav(&track.finish()))?)).await?;
        Ok((wav, millis))
    }
}
