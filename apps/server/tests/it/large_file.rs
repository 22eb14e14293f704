//! A file of more than two gigabytes, by a process of its own whose memory is watched.
#![cfg(target_os = "linux")]

use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
};

use media::Media;
use testing::TestDatabase;

use crate::harness::process::Process;

/// The file's size: what no 31 bits hold.
const SIZE: u64 = (2 << 30) + 11;
/// What the process may grow by while it serves, in kB: some buffers, nothing like the file.
const MAY_GROW: u64 = 48 * 1024;

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
    let server = Process::start(&database, home.path(), &[]);
    let address = Media::url(key);
    let part = |range: &str| {
        let (head, mut answer) = server.request(&address, &format!("Range: bytes={range}\r\n"));
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
    let idle: Vec<_> = (0..8).map(|_| server.request(&address, "")).collect();
    let (head, mut answer) = server.request(&address, "");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-length: 2147483659"), "{head}");
    let mut start = [0; 5];
    answer.read_exact(&mut start).expect("read");
    let rest = std::io::copy(&mut answer, &mut std::io::sink()).expect("read to the end");
    assert_eq!((&start, rest), (b"first", SIZE - 5));
    let grown = server.most_memory() - before;
    assert!(grown <= MAY_GROW, "the process grew by {grown} kB");
    drop(idle);
}
