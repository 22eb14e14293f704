//! A file of more than two gigabytes, by a process of its own whose memory is watched.
#![cfg(target_os = "linux")]

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

use media::Media;
use testing::TestDatabase;

use crate::support::SECRET;

/// The file's size: what no 31 bits hold.
const SIZE: u64 = (2 << 30) + 11;
/// What the process may grow by while it serves, in kB: some buffers, nothing like the file.
const MAY_GROW: u64 = 48 * 1024;

/// `pith serve`, until the test ends.
struct Process {
    child: Child,
    port: u16,
}

impl Process {
    fn start(database: &TestDatabase, home: &Path) -> Self {
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_pith"))
            .arg("serve")
            .env_clear()
            .env("DATABASE_URL", database.url())
            .env("PITH_SECRET", SECRET)
            .env("PUBLIC_URL", format!("http://127.0.0.1:{port}"))
            .env("PORT", port.to_string())
            .env("PITH_HOME", home)
            .env("WORKERS", "1")
            .env("WORKER", "off")
            .env("LOG_FORMAT", "text")
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its log")).lines();
        let serving = lines.by_ref().map_while(Result::ok).any(|line| line.contains("serving"));
        assert!(serving, "the server says that it serves");
        // What it says from now on is read by nobody, but must not make it wait.
        std::thread::spawn(move || lines.map_while(Result::ok).count());
        Self { child, port }
    }

    /// Sends a request for the file and reads the head of the answer.
    fn ask(&self, address: &str, range: &str) -> (String, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        write!(stream, "GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{range}Connection: close\r\n\r\n").expect("sent");
        let mut answer = BufReader::with_capacity(1 << 20, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(answer.read_line(&mut head).expect("a line of the head"), 0, "{head}");
        }
        (head, answer)
    }

    /// The most memory that it ever had, in kB.
    fn most_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line of the system's");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_file_of_two_gigabytes_is_served_in_bounded_memory() {
    let (database, home) = (TestDatabase::new(), tempfile::tempdir().expect("a folder"));
    let key = "podcasts/long-1a2b3c4d5e6f.mp3";
    let path = home.path().join("media").join(key);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    // Holes take no room on the disk.
    let mut file = File::create(&path).expect("made");
    file.set_len(SIZE).expect("stretched");
    for (at, mark) in [(0, b"first"), ((1 << 31) - 2, b"edges"), (SIZE - 5, b"final")] {
        file.seek(SeekFrom::Start(at)).expect("there");
        file.write_all(mark).expect("written");
    }
    drop(file);
    let server = Process::start(&database, home.path());
    let address = Media::url(key);
    let part = |range: &str| {
        let (head, mut answer) = server.ask(&address, &format!("Range: bytes={range}\r\n"));
        let mut bytes = Vec::new();
        answer.read_to_end(&mut bytes).expect("read");
        (head, bytes)
    };
    let (head, bytes) = part("2147483646-2147483650");
    assert!(head.starts_with("HTTP/1.1 206") && head.contains("content-range: bytes 2147483646-2147483650/2147483659"));
    assert_eq!(bytes, b"edges");
    assert_eq!(part("-5").1, b"final");
    assert_eq!(part("2147483654-").1, b"final");
    assert!(part("2147483659-").0.starts_with("HTTP/1.1 416"));

    let before = server.most_memory();
    // Some that ask and take nothing, while one takes all.
    let idle: Vec<_> = (0..8).map(|_| server.ask(&address, "")).collect();
    let (head, mut answer) = server.ask(&address, "");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-length: 2147483659"), "{head}");
    let mut start = [0; 5];
    answer.read_exact(&mut start).expect("read");
    let rest = std::io::copy(&mut answer, &mut std::io::sink()).expect("read to the end");
    assert_eq!((&start, rest), (b"first", SIZE - 5));
    let grown = server.most_memory() - before;
    assert!(grown <= MAY_GROW, "the process grew by {grown} kB");
    drop(idle);
}
