//! What a process may use.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

/// How many arguments tell a child its limits.
pub(crate) const ARGUMENTS: usize = 4;

/// Limits on the process that reads one document or draws one drawing (`../../docs/ARCHITECTURE.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Bytes of memory that it may write to: heap and stacks, without the program itself.
    pub memory: u64,
    /// Time on the clock.
    pub time: Duration,
    /// Time on the processor, in whole seconds.
    pub processor: Duration,
    /// Open files, pipes and sockets.
    pub files: u64,
    /// Bytes of output.
    pub output: u64,
    /// How much less of the processor it gets than those who serve requests (`nice`).
    pub niceness: u8,
}

/// What reading a document may use.
impl Default for ProcessLimits {
    fn default() -> Self {
        let time = Duration::from_secs(10);
        Self { memory: 256 * 1024 * 1024, time, processor: time, files: 16, output: 128 * 1024 * 1024, niceness: 10 }
    }
}

impl ProcessLimits {
    /// What drawing a drawing may use: 2 s of the processor and 256 MB. On the clock it has longer, for a busy machine. A request waits
    /// for it.
    pub fn of_drawings() -> Self {
        Self { time: Duration::from_secs(30), processor: Duration::from_secs(2), niceness: 0, ..Self::default() }
    }

    /// The arguments by which a child learns its limits.
    pub(crate) fn arguments(&self) -> [String; ARGUMENTS] {
        [
            self.memory.to_string(),
            self.processor.as_secs().max(1).to_string(),
            self.files.to_string(),
            self.niceness.to_string(),
        ]
    }

    /// Limits this process as `arguments` say. Files can't be written, and no core is dumped: it would hold the document.
    pub(crate) fn apply(arguments: &[String]) -> Result<(), String> {
        let number = |index: usize| {
            let text = arguments.get(index).ok_or("the limits are missing")?;
            text.parse::<u64>().map_err(|_| format!("`{text}` is no limit"))
        };
        let limits = [
            (Resource::Data, number(0)?),
            (Resource::Cpu, number(1)?),
            (Resource::Nofile, number(2)?),
            (Resource::Fsize, 0),
            (Resource::Core, 0),
        ];
        for (resource, limit) in limits {
            // At the first limit of the processor the signal says why; at the last one it would only kill.
            let last = if resource == Resource::Cpu { limit + 1 } else { limit };
            let limit = Rlimit { current: Some(limit), maximum: Some(last) };
            setrlimit(resource, limit).map_err(|error| format!("cannot set the limit of {resource:?}: {error}"))?;
        }
        // Less priority is a courtesy; a system that refuses it is none the worse.
        let _ = rustix::process::nice(i32::try_from(number(3)?).unwrap_or_default());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ProcessLimits;

    #[test]
    fn the_limits_of_drawings_are_stated() {
        let limits = ProcessLimits::of_drawings();
        assert_eq!((limits.processor.as_secs(), limits.memory), (2, 268_435_456));
    }
}
