//! Encoders: external programs that compress recordings and make films.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use crate::{
    program::{ProgramError, find_on_path, run},
    tags::Tags,
};

/// The bit rate of recordings, in kbit/s. It is constant, so that a player can seek without reading the file up to that
/// moment.
const KBITS: &str = "48";

/// An installed program that compresses recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoder {
    /// Compresses audio and makes films.
    Ffmpeg(PathBuf),
    /// Compresses audio only.
    Lame(PathBuf),
}

impl Encoder {
    /// Finds the most capable installed encoder.
    pub(crate) fn find() -> Option<Self> {
        find_on_path("ffmpeg").map(Self::Ffmpeg).or_else(|| find_on_path("lame").map(Self::Lame))
    }

    pub(crate) const fn makes_films(&self) -> bool {
        matches!(self, Self::Ffmpeg(_))
    }

    /// Encodes a WAV file as MP3.
    pub(crate) async fn encode_mp3(&self, wav: &Path, mp3: &Path, tags: Tags<'_>) -> Result<(), ProgramError> {
        let Tags { title, artist } = tags;
        match self {
            Self::Ffmpeg(program) => {
                let (rate, title, artist) = (format!("{KBITS}k"), format!("title={title}"), format!("artist={artist}"));
                let mut arguments = words(&["-nostdin", "-v", "error", "-y", "-i"]);
                arguments.push(wav.into());
                arguments.extend(words(&["-map_metadata", "-1", "-metadata", &title, "-metadata", &artist]));
                arguments.extend(words(&["-ac", "1", "-c:a", "libmp3lame", "-b:a", &rate, "-id3v2_version", "3"]));
                arguments.push(mp3.into());
                run(program, &refs(&arguments), "").await
            }
            Self::Lame(program) => {
                let mut arguments = words(&["--quiet", "-m", "m", "--cbr", "-b", KBITS, "--tt", title, "--ta", artist]);
                arguments.extend([wav.into(), mp3.into()]);
                run(program, &refs(&arguments), "").await
            }
        }
    }

    /// Makes an MP4 film of slides and a sound, in a format that all browsers play and can start before the download is complete.
    /// `list` is an ffconcat file of the slides.
    pub async fn make_film(&self, list: &Path, sound: &Path, film: &Path) -> Result<(), ProgramError> {
        let Self::Ffmpeg(program) = self else {
            return Err(ProgramError::BadOutput("no program makes films".to_owned()));
        };
        let mut arguments = words(&["-nostdin", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i"]);
        arguments.push(list.into());
        arguments.push("-i".into());
        arguments.push(sound.into());
        arguments.extend(words(&["-threads", "1", "-vf", "fps=15,format=yuv420p", "-c:v", "libx264"]));
        arguments.extend(words(&["-preset", "veryfast", "-tune", "stillimage", "-crf", "24", "-g", "75"]));
        arguments.extend(words(&["-c:a", "aac", "-b:a", "64k", "-ac", "1", "-shortest", "-map_metadata", "-1"]));
        arguments.extend(words(&["-movflags", "+faststart"]));
        arguments.push(film.into());
        run(program, &refs(&arguments), "").await
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn refs(words: &[OsString]) -> Vec<&OsStr> {
    words.iter().map(OsString::as_os_str).collect()
}
