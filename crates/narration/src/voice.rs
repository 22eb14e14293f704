//! Voices: installed speech programs, the best-sounding first.

use std::{
    ffi::OsStr,
    fmt::Write,
    path::{Path, PathBuf},
};

use crate::program::{ProgramError, blocking, find_on_path, run};

/// The folders in which Debian and others install Festival's voices.
const FESTIVAL_VOICES: [&str; 3] =
    ["/usr/share/festival/voices", "/usr/local/share/festival/voices", "/opt/homebrew/share/festival/voices"];
/// The Festival voice that is used.
const FESTIVAL_VOICE: &str = "cmu_us_slt_arctic_hts";

/// A speech program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Voice {
    /// The operator's own program: reads a text from standard input and writes a WAV file to the path in its argument.
    Own(PathBuf),
    /// Festival, with a statistical (HTS) voice.
    Festival(PathBuf),
    /// Flite, with a voice built from recordings.
    Flite(PathBuf),
    /// eSpeak NG: intelligible, but robotic.
    Espeak(PathBuf),
}

impl Voice {
    /// Finds the best installed voice.
    pub(crate) fn find() -> Option<Self> {
        let festival = find_on_path("festival").filter(|_| has_festival_voice()).map(Self::Festival);
        festival
            .or_else(|| find_on_path("flite").map(Self::Flite))
            .or_else(|| find_on_path("espeak-ng").map(Self::Espeak))
    }

    /// The name that is stored with a recording.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Own(_) => "own",
            Self::Festival(_) => "festival us-slt-hts",
            Self::Flite(_) => "flite slt",
            Self::Espeak(_) => "espeak-ng en-gb",
        }
    }

    /// Speaks each sentence into a WAV file in `folder`; returns the files in the order of the sentences.
    pub(crate) async fn speak(&self, sentences: Vec<String>, folder: &Path) -> Result<Vec<PathBuf>, ProgramError> {
        let files: Vec<PathBuf> = (0..sentences.len()).map(|at| folder.join(format!("{at}.wav"))).collect();
        if let Self::Festival(program) = self {
            if !sentences.is_empty() {
                // One process for all sentences, because Festival starts slowly.
                let (script, text) = (folder.join("say.scm"), script(&sentences, &files));
                let path = script.clone();
                blocking(move || Ok(std::fs::write(path, text)?)).await?;
                run(program, &[OsStr::new("-b"), script.as_os_str()], "").await?;
            }
        } else {
            for (sentence, file) in sentences.iter().zip(&files) {
                self.speak_one(sentence, file.as_os_str()).await?;
            }
        }
        Ok(files)
    }

    async fn speak_one(&self, sentence: &str, file: &OsStr) -> Result<(), ProgramError> {
        let words = |words: &'static [&'static str]| words.iter().map(OsStr::new);
        let (program, arguments): (_, Vec<&OsStr>) = match self {
            Self::Own(program) | Self::Festival(program) => (program, vec![file]),
            Self::Flite(program) => {
                (program, words(&["-voice", "slt", "-f", "/dev/stdin", "-o"]).chain([file]).collect())
            }
            Self::Espeak(program) => {
                (program, words(&["-v", "en-gb", "-s", "155", "--stdin", "-w"]).chain([file]).collect())
            }
        };
        run(program, &arguments, sentence).await
    }
}

fn has_festival_voice() -> bool {
    FESTIVAL_VOICES.iter().any(|folder| {
        // One subfolder per language: `us`, `english`.
        let languages = std::fs::read_dir(folder).into_iter().flatten().flatten();
        languages.into_iter().any(|language| language.path().join(FESTIVAL_VOICE).is_dir())
    })
}

/// The Scheme script for Festival.
fn script(sentences: &[String], files: &[PathBuf]) -> String {
    let mut script = format!(
        "(voice_{FESTIVAL_VOICE})\n\
         (define (pith_say text file)\n  \
           (utt.save.wave (utt.synth (eval (list 'Utterance 'Text text))) file 'riff))\n"
    );
    for (sentence, file) in sentences.iter().zip(files) {
        // Writing to a text can't fail.
        let _ = writeln!(script, "(pith_say {} {})", quoted(sentence), quoted(&file.to_string_lossy()));
    }
    script
}

/// A string literal of Scheme.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::script;

    #[test]
    fn a_text_stays_inside_its_string_literal() {
        let script = script(&["Say \"(exit)\" \\".to_owned()], &[PathBuf::from("/tmp/0.wav")]);
        assert!(script.ends_with("(pith_say \"Say \\\"(exit)\\\" \\\\\" \"/tmp/0.wav\")\n"), "{script}");
    }
}
