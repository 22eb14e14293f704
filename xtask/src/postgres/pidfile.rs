//! `postmaster.pid`, in which a running Postgres says what it is.
//!
//! `pg_ctl status` asks only whether the number is alive: after a restart of a container it is soon another program's.

use std::fs;
use std::path::Path;

use crate::process;

/// The lines of the file that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PidFile {
    /// The process.
    pub(super) pid: u32,
    /// The TCP port, which also names the socket.
    pub(super) port: Option<u16>,
    /// The folder of the socket; `None` when it listens on TCP only.
    pub(super) socket: Option<String>,
    /// Whether it takes connections.
    pub(super) ready: bool,
}

impl PidFile {
    /// Of the cluster in `data`, when there is one.
    pub(super) fn read(data: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(data.join("postmaster.pid")).ok()?)
    }

    /// process, data folder, start time, port, socket's folder, address, shared memory, status: one a line.
    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Some(Self {
            pid: lines.first()?.parse().ok()?,
            port: lines.get(3).and_then(|line| line.parse().ok()),
            socket: lines.get(4).filter(|line| !line.is_empty()).map(|line| (*line).to_owned()),
            ready: lines.get(7) == Some(&"ready"),
        })
    }

    /// Whether the process is alive and really the Postgres of `data`: after a crash its number may be anybody's.
    pub(super) fn is_alive(&self, data: &Path) -> bool {
        if cfg!(target_os = "linux") {
            // A Postgres stays in its data folder all its life.
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
