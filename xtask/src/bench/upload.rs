//! `cargo xtask bench --upload`: uploads a large video to a book, and compares it with `cp` and `fsync` of the same file: speed,
//! the server's memory, and the response times of other requests meanwhile.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::clients::Clients;
use super::load::Sample;
use super::request::Request;
use super::site::{Cache, Programs, RunningServer};
use super::table::markdown;
use crate::arguments::numbers;
use crate::checkout::Checkout;
use crate::{process, tools};

/// Default size of the video, in megabytes.
const SIZE: u32 = 5_000;
/// The number of books of the site.
const BOOKS: u32 = 1_000;
/// The uploading account.
const EDITOR: &str = "editor@example.com";
/// The clients of the other requests: few enough to leave cores idle, so that their own queue is not measured.
const READERS: Clients = Clients { count: 4, pause: Duration::from_millis(10) };
/// How long the other requests are measured without the upload.
const ALONE: Duration = Duration::from_secs(10);
/// Sampling interval of the memory.
const TICK: Duration = Duration::from_millis(10);
/// Minimum speed relative to `cp` and `fsync`.
const SPEED_GOAL: f64 = 0.55;
/// Maximum additional memory, in megabytes.
const MEMORY_GOAL: f64 = 100.0;
/// Maximum p99 of other requests relative to that without the upload.
const P99_GOAL: f64 = 2.0;

/// Builds the programs, measures, and prints the result.
pub(super) fn measure(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let [megabytes] = numbers("bench --upload", rest, [("--size", SIZE)])?;
    tools::ensure_curl()?;
    let site = Programs::build(checkout)?.set_up(BOOKS)?;
    let ids = site.book_ids()?;
    let book = ids.first().context("there is no book")?;
    let reads: Vec<Request> = ids.iter().map(|id| Request::get(&format!("/api/books/{id}"))).collect();
    println!("Writing a video of {megabytes} MB …");
    let video = site.folder().join("video.mp4");
    write_video(&video, megabytes)?;

    let served = site.serve(Cache::On)?;
    let token = served.log_in(EDITOR)?;
    READERS.send_all(&served, &reads)?;
    let begin = Instant::now();
    let alone = READERS.send_while(&served, &reads, || begin.elapsed() < ALONE)?;
    let copied = copy(&video, &site.folder().join("copy.mp4"))?;
    let upload = Upload { url: format!("{}/api/admin/books/video/{book}", served.url()), token, video: video.clone() };
    let uploaded = upload.watch(&served, &reads)?;
    // The machine may have been busier the first time, so the faster time is the limit.
    let copied = copied.min(copy(&video, &site.folder().join("copy.mp4"))?);
    drop(served);

    print(&Figures { megabytes: f64::from(megabytes), copied, alone, uploaded });
    Ok(ExitCode::SUCCESS)
}

/// Writes a file that begins like an MP4; the rest is random, so that nothing can compress or deduplicate it.
fn write_video(path: &Path, megabytes: u32) -> Result<()> {
    let mut file = File::create(path)?;
    file.write_all(b"\0\0\0\x20ftypisom")?;
    std::io::copy(&mut File::open("/dev/urandom")?.take(u64::from(megabytes) * 1_000_000), &mut file)?;
    file.sync_all()?;
    Ok(())
}

/// The time that `cp` and `fsync` take; the copy is removed.
fn copy(from: &Path, to: &Path) -> Result<Duration> {
    let begin = Instant::now();
    process::output(Command::new("cp").arg(from).arg(to))?;
    File::open(to)?.sync_all()?;
    let taken = begin.elapsed();
    fs::remove_file(to)?;
    Ok(taken)
}

/// The parameters of an upload.
struct Upload {
    url: String,
    token: String,
    video: std::path::PathBuf,
}

/// Measurements taken during an upload.
struct UploadMeasurement {
    taken: Duration,
    memory_before: u64,
    memory_peak: u64,
    /// The sample of the other requests.
    others: Sample,
}

impl Upload {
    /// Uploads while other requests are sent and the server's memory is sampled.
    fn watch(&self, served: &RunningServer, reads: &[Request]) -> Result<UploadMeasurement> {
        let memory = || served.memory().context("this system does not tell the memory of a process");
        let memory_before = memory()?;
        let (is_running, begin) = (AtomicBool::new(true), Instant::now());
        let runs = || is_running.load(Ordering::Relaxed);
        let (uploaded, others, memory_peak) = thread::scope(|scope| {
            let others = scope.spawn(|| READERS.send_while(served, reads, runs));
            let peak = scope.spawn(|| {
                let mut peak = memory_before;
                while runs() {
                    peak = peak.max(served.memory().unwrap_or_default());
                    thread::sleep(TICK);
                }
                peak
            });
            let uploaded = self.send();
            let taken = begin.elapsed();
            is_running.store(false, Ordering::Relaxed);
            (uploaded.map(|()| taken), others.join(), peak.join())
        });
        let panicked = |_| anyhow::anyhow!("a thread panicked");
        let (others, memory_peak) = (others.map_err(panicked)??, memory_peak.map_err(panicked)?);
        Ok(UploadMeasurement { taken: uploaded?, memory_before, memory_peak, others })
    }

    /// Sends the file like the back office's form. curl reads it from the disk while sending.
    fn send(&self) -> Result<()> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--noproxy", "*", "--max-time", "1800"]);
        curl.args(["--header", &format!("Authorization: Bearer {}", self.token)]);
        curl.args(["--form", "fileName=video.mp4", "--form", &format!("file=@{}", self.video.display())]);
        let answer = process::output(curl.args(["--write-out", "\n%{http_code}"]).arg(&self.url))?;
        ensure!(answer.trim_end().ends_with("\n200"), "the upload was answered with: {answer}");
        Ok(())
    }
}

/// The figures of the report.
struct Figures {
    megabytes: f64,
    copied: Duration,
    alone: Sample,
    uploaded: UploadMeasurement,
}

fn print(figures: &Figures) {
    let Figures { megabytes, copied, alone, uploaded } = figures;
    let speed = |taken: Duration| megabytes / taken.as_secs_f64();
    let (limit, reached) = (speed(*copied), speed(uploaded.taken));
    let memory = |bytes: u64| super::as_float(bytes) / 1e6;
    let (before, peak) = (memory(uploaded.memory_before), memory(uploaded.memory_peak));
    let p99 = |sample: &Sample| sample.p99.as_secs_f64() * 1e3;
    let (without, with) = (p99(alone), p99(&uploaded.others));
    let rows = [
        [
            "speed; without: cp, fsync".to_owned(),
            format!("{limit:.0} MB/s"),
            format!("{reached:.0} MB/s"),
            format!("{:.2} of cp", reached / limit),
            format!("≥ {SPEED_GOAL:.2}"),
        ],
        [
            "memory of the server, peak".to_owned(),
            format!("{before:.0} MB"),
            format!("{peak:.0} MB"),
            format!("{:+.0} MB", peak - before),
            format!("≤ +{MEMORY_GOAL:.0} MB"),
        ],
        [
            "p99 of other requests".to_owned(),
            format!("{without:.2} ms"),
            format!("{with:.2} ms"),
            format!("{:.2} times", with / without),
            format!("≤ {P99_GOAL:.0} times"),
        ],
    ];
    println!("\n{}", markdown(["row", "without", "upload", "", "goal"], &rows));
    println!(
        "{megabytes:.0} MB in {:.1} s; {} other requests without it, {} with it",
        uploaded.taken.as_secs_f64(),
        alone.requests,
        uploaded.others.requests
    );
    let failed = alone.errors + uploaded.others.errors;
    if failed > 0 {
        println!("{failed} of the other requests failed");
    }
}
