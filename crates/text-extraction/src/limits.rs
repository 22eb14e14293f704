//! Resource limits of the child process.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

/// How many arguments pass the limits to a child.
pub(crate) const ARGUMENTS: usize = 4;

/// Limits on the process that reads one document or renders one drawing (`../../docs/ARCHITECTURE.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Writable memory in bytes: heap and stacks, without the program itself.
    pub memory: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time, in whole seconds.
    pub processor: Duration,
    /// Open files, pipes and sockets.
    pub files: u64,
    /// Bytes of output.
    pub output: u64,
    /// Its `nice` value relative to the server's: how much lower its priority is.
    pub niceness: u8,
}

/// The limits on reading a document.
impl Default for ProcessLimits {
    fn default() -> Self {
        let time = Duration::from_secs(10);
        Self { memory: 256 * 1024 * 1024, time, processor: time, files: 16, output: 128 * 1024 * 1024, niceness: 10 }
    }
}

impl ProcessLimits {
    /// The limits on rendering a drawing: 2 s of processor time and 256 MB. The wall-clock limit is longer, in case the machine
    /// is busy; a request waits for the result.
    pub fn of_drawings() -> Self {
        Self { time: Duration::from_secs(30), processor: Duration::from_secs(2), niceness: 0, ..Self::default() }
    }

    /// Encodes the limits as arguments of the child.
    pub(crate) fn arguments(&self) -> [String; ARGUMENTS] {
        [
            self.memory.to_string(),
            self.processor.as_secs().max(1).to_string(),
            self.files.to_string(),
            self.niceness.to_string(),
        ]
    }

    /// Sets this process's limits from `arguments`. Forbids writing files and core dumps: a core would contain the document.
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
            // At the soft CPU limit the kernel sends SIGXCPU, which tells the reason; at the hard limit only SIGKILL.
            let last = if resource == Resource::Cpu { limit + 1 } else { limit };
            let limit = Rlimit { current: Some(limit), maximum: Some(last) };
            setrlimit(resource, limit).map_err(|error| format!("cannot set the limit of {resource:?}: {error}"))?;
        }
        // A lower priority is optional: it does not matter if the system refuses it.
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
