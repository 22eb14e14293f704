//! Speech synthesis: a voice, and an encoder for its recordings.

use std::path::{Path, PathBuf};

use crate::speech::{Sound, read_wav};

use crate::{
    config::SpeechConfig,
    encoder::Encoder,
    program::{ProgramError, blocking},
    tags::Tags,
    voice::Voice,
};

/// The largest uncompressed recording that is accepted without an encoder, in bytes.
const MAX_UNCOMPRESSED: u64 = 8 * 1024 * 1024;

/// The speech programs installed on this machine.
#[derive(Clone, Debug)]
pub struct Synthesizer {
    voice: Voice,
    encoder: Option<Encoder>,
}

/// A recording in a local file.
#[derive(Clone, Debug)]
pub struct RecordingFile {
    pub path: PathBuf,
    /// The file extension, without the dot.
    pub ending: &'static str,
}

impl Synthesizer {
    /// Finds the best installed programs. `None` when narration is disabled, there is no voice, or a built-in voice has no
    /// encoder for its recordings.
    pub fn find(config: &SpeechConfig) -> Option<Self> {
        if !config.enabled {
            return None;
        }
        let encoder = Encoder::find().filter(|_| config.encoder);
        let voice = config.program.clone().map_or_else(Voice::find, |program| Some(Voice::Own(program)))?;
        (encoder.is_some() || matches!(voice, Voice::Own(_))).then_some(Self { voice, encoder })
    }

    pub const fn voice_name(&self) -> &'static str {
        self.voice.name()
    }

    /// The encoder that makes films (ffmpeg); `None` when it is not installed.
    pub fn film_encoder(&self) -> Option<&Encoder> {
        self.encoder.as_ref().filter(|encoder| encoder.makes_films())
    }

    /// Speaks sentences; returns one trimmed sound per sentence. Temporary files are written to `folder`.
    pub async fn speak(&self, sentences: Vec<String>, folder: &Path) -> Result<Vec<Sound>, ProgramError> {
        let files = self.voice.speak(sentences, folder).await?;
        blocking(move || {
            files
                .iter()
                .map(|file| {
                    let bytes = std::fs::read(file)?;
                    std::fs::remove_file(file)?;
                    let sound = read_wav(&bytes).map_err(|error| ProgramError::BadOutput(error.to_string()))?;
                    Ok(sound.trimmed())
                })
                .collect()
        })
        .await
    }

    /// Encodes a WAV file as MP3. Without an encoder, a short file stays WAV and a long one is an error.
    pub async fn encode(&self, wav: PathBuf, tags: Tags<'_>) -> Result<RecordingFile, ProgramError> {
        if let Some(encoder) = &self.encoder {
            let path = wav.with_extension("mp3");
            encoder.encode_mp3(&wav, &path, tags).await?;
            return Ok(RecordingFile { path, ending: "mp3" });
        }
        let size = std::fs::metadata(&wav)?.len();
        if size > MAX_UNCOMPRESSED {
            return Err(ProgramError::BadOutput("the recording is long, and no program makes it small".to_owned()));
        }
        Ok(RecordingFile { path: wav, ending: "wav" })
    }
}
