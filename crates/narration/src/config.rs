//! Configuration of narration: whether texts are read aloud, and by which program.

use std::path::PathBuf;

use kernel::config::Variables;

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
    pub fn read(vars: &Variables) -> Self {
        let auto_or_off = |name| vars.one_of(name, [("auto", true), ("off", false)]).unwrap_or(true);
        let program = vars.get("SPEECH_PROGRAM").map(PathBuf::from);
        if let Some(program) = program.as_ref().filter(|program| !program.is_file()) {
            vars.refuse("SPEECH_PROGRAM", format!("is the path of a program; '{}' is none", program.display()));
        }
        Self { enabled: auto_or_off("SPEECH"), program, encoder: auto_or_off("SPEECH_ENCODER") }
    }
}
