//! What a process may use.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

/// Limits on the process that reads one document (`../../docs/ARCHITECTURE.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Bytes of memory that it may write to: heap and stacks, without the program itself.
    pub memory: u64,
    /// Time on the clock, and as much on the processor.
    pub time: Duration,
    /// Open files, pipes and sockets.
    pub files: u64,
    /// Bytes of output.
    pub output: u64,
}

impl Default for ProcessLimits {
    fn default() -> Self {
        Self { memory: 256 * 1024 * 1024, time: Duration::from_secs(10), files: 16, output: 128 * 1024 * 1024 }
    }
}

impl ProcessLimits {
    /// The arguments by which a child learns its limits.
    pub(crate) fn arguments(&self) -> [String; 3] {
        [self.memory.to_string(), self.time.as_secs().max(1).to_string(), self.files.to_string()]
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
            let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
            setrlimit(resource, limit).map_err(|error| format!("cannot set the limit of {resource:?}: {error}"))?;
        }
        Ok(())
    }
}
