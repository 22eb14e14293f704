//! Configuration of narration: whether texts are read aloud, and by which program.

use std::path::PathBuf;

use kernel::ConfigError;

/// The speech programs to use.
#[derive(Clone, Debug)]
pub struct SpeechConfig {
    /// Whether recordings are made at all.
    pub enabled: bool,
    /// The operator's own speech program; `None` selects the best one installed.
    pub program: Option<PathBuf>,
    /// Whether recordings are compressed when an encoder is installed.
    pub encoder: bool,
}

impl SpeechConfig {
    /// Reads `SPEECH`, `SPEECH_PROGRAM` and `SPEECH_ENCODER`.
    pub fn read(var: &impl Fn(&'static str) -> Option<String>) -> Result<Self, ConfigError> {
        let program = var("SPEECH_PROGRAM").map(PathBuf::from);
        if let Some(program) = program.as_ref().filter(|program| !program.is_file()) {
            return Err(ConfigError::new(
                "SPEECH_PROGRAM",
                format!("is the path of a program; '{}' is none", program.display()),
            ));
        }
        Ok(Self { enabled: auto_or_off(var, "SPEECH")?, program, encoder: auto_or_off(var, "SPEECH_ENCODER")? })
    }
}

fn auto_or_off(var: &impl Fn(&'static str) -> Option<String>, name: &'static str) -> Result<bool, ConfigError> {
    match var(name).as_deref() {
        None | Some("auto") => Ok(true),
        Some("off") => Ok(false),
        Some(other) => Err(ConfigError::new(name, format!("is 'auto' or 'off', not '{other}'"))),
    }
}
