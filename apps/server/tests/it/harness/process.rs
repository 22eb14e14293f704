//! `pith serve` as a process of its own, whose memory and log are watched.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

use testing::TestDatabase;

use super::{PAYMENT_KEYS, SECRET};

/// The process, until it is dropped.
pub struct Process {
    child: Child,
    pub port: u16,
    lines: Arc<Mutex<Vec<String>>>,
    reading: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts it, with variables besides the tests' own (an empty one is unset), and waits until it serves.
    pub fn start(database: &TestDatabase, home: &Path, vars: &[(&str, &str)]) -> Self {
        Self::start_and(database, home, vars, |_| ())
    }

    /// [`Process::start`], with something to do when it logs a line before it serves.
    pub fn start_and(
        database: &TestDatabase,
        home: &Path,
        vars: &[(&str, &str)],
        mut on_line: impl FnMut(&str),
    ) -> Self {
        loop {
            let mut process = Self::spawn(database, home, vars);
            let (lines_read, logged) = std::sync::mpsc::channel();
            let stderr = process.child.stderr.take().expect("its log");
            let lines = Arc::clone(&process.lines);
            // Its log is read to the end, so that it never waits for a reader.
            process.reading = Some(std::thread::spawn(move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    let _ = lines_read.send(line.clone());
                    lines.lock().expect("no panic").push(line);
                }
            }));
            for line in &logged {
                if line.contains("serving") {
                    return process;
                }
                on_line(&line);
            }
            // Another test took the port between the look for a free one and the start: another one is free.
            let log = process.log();
            assert!(log.iter().any(|line| line.contains("pith: PORT:")), "it ends without serving: {log:?}");
        }
    }

    /// Starts it where it is to refuse; gives how it ended and what it said.
    pub fn refuse(database: &TestDatabase, home: &Path, vars: &[(&str, &str)]) -> (ExitStatus, String) {
        let mut process = Self::spawn(database, home, vars);
        let stderr = process.child.stderr.take().expect("its log");
        let said = BufReader::new(stderr).lines().map_while(Result::ok).collect::<Vec<_>>().join("\n");
        (process.child.wait().expect("it ends"), said)
    }

    fn spawn(database: &TestDatabase, home: &Path, vars: &[(&str, &str)]) -> Self {
        // For the test's own client: the server is another process.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pith"));
        command
            .arg("serve")
            .env_clear()
            .env("DATABASE_URL", database.application_url())
            .env("PITH_SECRET", SECRET)
            .env("PUBLIC_URL", format!("http://127.0.0.1:{port}"))
            .env("PORT", port.to_string())
            .env("PITH_HOME", home)
            .env("WORKERS", "1")
            .env("WORKER", "off")
            .env("SPEECH", "off")
            .env("LOG_FORMAT", "text")
            .envs(PAYMENT_KEYS)
            .envs(vars.iter().copied())
            .stderr(Stdio::piped());
        Self { child: command.spawn().expect("it starts"), port, lines: Arc::default(), reading: None }
    }

    /// What kills it, as a power failure does: it has no time to do anything.
    pub fn killer(&self) -> impl FnMut() + Send + 'static {
        let pid = self.child.id().to_string();
        move || {
            let status = Command::new("kill").args(["-KILL", &pid]).status().expect("a program of every system");
            assert!(status.success(), "the process is there");
        }
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a process").is_some()
    }

    /// The lines of its log so far.
    pub fn log(&self) -> Vec<String> {
        self.lines.lock().expect("no panic").clone()
    }

    /// Tells it to stop and waits until it has; gives how it ended and all of its log.
    pub fn stop(mut self) -> (ExitStatus, Vec<String>) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a program of every system").success());
        let status = self.child.wait().expect("it ends");
        self.reading.take().expect("its log is read").join().expect("no panic");
        (status, self.log())
    }

    /// Sends a request and reads the head of the response.
    pub fn request(&self, address: &str, headers: &str) -> (String, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        write!(stream, "GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Connection: close\r\n\r\n")
            .expect("sent");
        let mut response = BufReader::with_capacity(1 << 20, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(response.read_line(&mut head).expect("a line of the head"), 0, "{head}");
        }
        (head, response)
    }

    /// The most memory that it ever had, in kB.
    pub fn most_memory(&self) -> u64 {
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
