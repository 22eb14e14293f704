//! The programs of this machine that speak, and those that make a recording small.

mod encoder;
mod program;
mod voice;

use std::path::{Path, PathBuf};

use ::speech::{Sound, read_wav};

pub use self::{encoder::Encoder, program::ProgramError, voice::Voice};
use crate::config::SpeechConfig;

/// The longest recording that is kept as it is where nothing makes it small, in bytes.
const MOST_UNCOMPRESSED: u64 = 8 * 1024 * 1024;

/// What reads texts aloud on this machine.
#[derive(Clone, Debug)]
pub struct Speech {
    voice: Voice,
    encoder: Option<Encoder>,
}

/// A recording as a file.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Where it lies.
    pub path: PathBuf,
    /// The ending of its name, without the dot.
    pub ending: &'static str,
}

/// What stands in a recording's file besides its sound.
#[derive(Clone, Copy, Debug)]
pub struct Title<'a> {
    /// What it is.
    pub title: &'a str,
    /// Whose it is.
    pub artist: &'a str,
}

impl Speech {
    /// The best that this machine has. `None` when nothing speaks, or when it would speak for long and nothing makes
    /// that small.
    pub fn find(config: &SpeechConfig) -> Option<Self> {
        if !config.wanted {
            return None;
        }
        let encoder = Encoder::find().filter(|_| config.encoder);
        let voice = config.program.clone().map_or_else(Voice::find, |program| Some(Voice::Own(program)))?;
        (encoder.is_some() || matches!(voice, Voice::Own(_))).then_some(Self { voice, encoder })
    }

    /// Who reads.
    pub const fn voice(&self) -> &'static str {
        self.voice.name()
    }

    /// Makes films, where the machine can.
    pub fn films(&self) -> Option<&Encoder> {
        self.encoder.as_ref().filter(|encoder| encoder.films())
    }

    /// Says sentences, one sound for each, without the silence around them. `folder` takes files for a while.
    pub async fn say(&self, sentences: Vec<String>, folder: &Path) -> Result<Vec<Sound>, ProgramError> {
        let files = self.voice.say(sentences, folder).await?;
        blocking(move || {
            files
                .iter()
                .map(|file| {
                    let bytes = std::fs::read(file)?;
                    std::fs::remove_file(file)?;
                    let sound = read_wav(&bytes).map_err(|error| ProgramError::Useless(error.to_string()))?;
                    Ok(sound.trimmed())
                })
                .collect()
        })
        .await
    }

    /// Makes a WAV file small; where nothing does that, a short one stays as it is.
    pub async fn encode(&self, wav: PathBuf, title: Title<'_>) -> Result<Recorded, ProgramError> {
        if let Some(encoder) = &self.encoder {
            let path = wav.with_extension("mp3");
            encoder.mp3(&wav, &path, title).await?;
            return Ok(Recorded { path, ending: "mp3" });
        }
        let size = std::fs::metadata(&wav)?.len();
        if size > MOST_UNCOMPRESSED {
            return Err(ProgramError::Useless("the recording is long, and no program makes it small".to_owned()));
        }
        Ok(Recorded { path: wav, ending: "wav" })
    }
}

/// Work with files, off the threads that answer.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProgramError> + Send + 'static,
) -> Result<T, ProgramError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| ProgramError::Useless(error.to_string()))?
}

/// Where a program is on the `PATH`.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}
