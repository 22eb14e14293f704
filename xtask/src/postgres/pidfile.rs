//! `postmaster.pid`, in which a running Postgres describes itself.
//!
//! `pg_ctl status` only checks whether the process id is alive, but after a container restart that is soon another program's.

use std::fs;
use std::path::Path;

use crate::process;

/// The relevant lines of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PidFile {
    /// The process id.
    pub(super) pid: u32,
    /// The TCP port, which is also part of the socket's name.
    pub(super) port: Option<u16>,
    /// The socket's folder; `None` when Postgres listens on TCP only.
    pub(super) socket: Option<String>,
    /// Whether it accepts connections.
    pub(super) ready: bool,
}

impl PidFile {
    /// Reads the file of the cluster in `data`; `None` when there is none.
    pub(super) fn read(data: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(data.join("postmaster.pid")).ok()?)
    }

    /// Parses the lines: process, data folder, start time, port, socket folder, listen address, shared memory, status.
    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Some(Self {
            pid: lines.first()?.parse().ok()?,
            port: lines.get(3).and_then(|line| line.parse().ok()),
            socket: lines.get(4).filter(|line| !line.is_empty()).map(|line| (*line).to_owned()),
            ready: lines.get(7) == Some(&"ready"),
        })
    }

    /// Whether the process is alive and is the Postgres of `data`: after a crash its id may belong to any process.
    pub(super) fn is_alive(&self, data: &Path) -> bool {
        if cfg!(target_os = "linux") {
            // Postgres's working directory is always its data folder.
            fs::read_link(format!("/proc/{}/cwd", self.pid)).is_ok_and(|cwd| cwd == data)
        } else {
            let mut ps = std::process::Command::new("ps");
            ps.args(["-o", "command=", "-p", &self.pid.to_string()]);
            process::output(&mut ps)
                .is_ok_and(|line| line.contains("postgres") && line.contains(&*data.to_string_lossy()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_and_one_in_the_making() {
        let text = "4711\n/home/p/data\n1700000000\n5432\n/home/p/run\n\n  12345 9\nready   \n";
        let file = PidFile::parse(text).unwrap();
        assert_eq!(file, PidFile { pid: 4711, port: Some(5432), socket: Some("/home/p/run".into()), ready: true });

        let file = PidFile::parse("4711\n/home/p/data\n1700000000\n21000\n\n127.0.0.1\n  12345 9\nstarting\n").unwrap();
        assert_eq!(file, PidFile { pid: 4711, port: Some(21000), socket: None, ready: false });

        assert_eq!(PidFile::parse(""), None);
    }

    #[test]
    fn another_process_with_the_same_number_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let file = PidFile { pid: std::process::id(), port: None, socket: None, ready: true };
        assert!(!file.is_alive(dir.path()));
    }
}
