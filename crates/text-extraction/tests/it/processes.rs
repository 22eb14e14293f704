//! Processes that read documents and render drawings, and misbehaving ones: none exceeds its limits.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use text_extraction::{DrawError, Drawer, ProcessLimits, ReadError, Reader};

fn reader(mode: &str, limits: ProcessLimits) -> Reader {
    Reader::new(PathBuf::from(env!("CARGO_BIN_EXE_read-document-in-tests")), vec![OsString::from(mode)], limits)
}

fn limits(seconds: u64) -> ProcessLimits {
    let time = Duration::from_secs(seconds);
    ProcessLimits { time, processor: time, ..ProcessLimits::default() }
}

/// The error when the child runs in this mode.
fn failure(mode: &str, limits: ProcessLimits) -> ReadError {
    reader(mode, limits).read(b"Words.".to_vec(), None).unwrap_err()
}

/// A PDF whose only page unpacks to `megabytes` of `filler`.
fn pdf_bomb(filler: &[u8], megabytes: usize) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let block = filler.repeat((1 << 20) / filler.len());
    for _ in 0..megabytes {
        packed.write_all(&block).unwrap();
    }
    let packed = packed.finish().unwrap();
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let mut places = Vec::new();
    let stream = [
        format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", packed.len()).into_bytes(),
        packed,
        b"\nendstream".to_vec(),
    ]
    .concat();
    let objects: [&[u8]; 5] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        &stream,
    ];
    for (index, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let table = bytes.len();
    bytes.extend_from_slice(b"xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        bytes.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes());
    }
    bytes.extend_from_slice(format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").as_bytes());
    bytes
}

fn is_running(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

#[test]
fn a_document_is_read_in_another_process() {
    let reader = reader("read", ProcessLimits::default());
    let document = reader.read("<html><h1>Title</h1><p>Wörter.".into(), None).unwrap();
    assert_eq!(document.text, "Title\n\nWörter.");
    let document = reader.read(b"\xc4\xe0, \xf1\xeb\xee\xe2\xe0.".to_vec(), Some("windows-1251")).unwrap();
    assert_eq!(document.text, "Да, слова.");
}

#[test]
fn a_document_that_cannot_be_read_says_why() {
    let reader = reader("read", ProcessLimits::default());
    let error = reader.read(b"%PDF-1.4\nnothing".to_vec(), None).unwrap_err();
    assert!(error.to_string().starts_with("This file looks like a PDF but is damaged"), "{error}");
}

#[test]
fn a_large_document_passes_the_pipes() {
    let text = "A sentence of some words. ".repeat(200_000);
    let document = reader("read", ProcessLimits::default()).read(text.clone().into_bytes(), None).unwrap();
    assert_eq!(document.text, text.trim_end());
}

#[test]
fn a_pdf_bomb_ends_at_the_memory_limit() {
    let small = ProcessLimits { memory: 24 << 20, ..ProcessLimits::default() };
    let bomb = pdf_bomb(b"  ", 40);
    let started = Instant::now();
    let error = reader("read", small).read(bomb, None).unwrap_err();
    assert!(matches!(error, ReadError::OutOfMemory), "{error:?}");
    assert!(started.elapsed() < small.time);
}

#[test]
fn a_pdf_of_endless_work_ends_at_the_deadline() {
    let error = reader("read", limits(1)).read(pdf_bomb(b"BT /F1 9 Tf (ab) Tj ET ", 8), None).unwrap_err();
    assert!(matches!(error, ReadError::TimedOut(_) | ReadError::OutOfMemory), "{error:?}");
}

#[test]
fn a_process_that_computes_forever_is_stopped() {
    let error = failure("compute", limits(1));
    assert!(matches!(error, ReadError::TimedOut(_)), "{error:?}");
    assert_eq!(
        error.to_string(),
        "Reading this file took longer than 1 seconds, so we stopped. Please choose a smaller or simpler one."
    );
}

#[test]
fn a_process_that_sleeps_forever_is_killed_and_reaped() {
    let reading = reader("sleep", limits(1)).start(Vec::new(), None).unwrap();
    let process = reading.process_id();
    assert!(is_running(process));
    assert!(matches!(reading.wait(), Err(ReadError::TimedOut(_))));
    assert!(!is_running(process));
}

#[test]
fn a_process_that_allocates_forever_ends_at_the_memory_limit() {
    let error = failure("allocate", ProcessLimits { memory: 48 << 20, ..ProcessLimits::default() });
    assert!(matches!(error, ReadError::OutOfMemory), "{error:?}");
}

#[test]
fn a_process_that_prints_forever_is_cut_off() {
    let error = failure("print", ProcessLimits { output: 1 << 20, ..ProcessLimits::default() });
    assert!(matches!(error, ReadError::Crashed { .. }), "{error:?}");
}

#[test]
fn a_process_opens_no_more_files_than_allowed() {
    let error = failure("open", ProcessLimits { files: 8, ..ProcessLimits::default() });
    // Three of them are its pipes.
    assert_eq!(
        error.to_string(),
        "This file has more than 5 parts, so we stopped reading it. Please choose a smaller one."
    );
}

#[test]
fn a_process_has_none_of_the_parents_environment() {
    let ReadError::Crashed { status } = failure("environment", ProcessLimits::default()) else { panic!("it fails") };
    assert!(status.ends_with("MIMALLOC_ARENA_EAGER_COMMIT in /"), "{status}");
}

#[test]
fn a_process_that_breaks_is_told_in_one_sentence() {
    for mode in ["recurse", "panic", "lie", "unknown"] {
        let error = failure(mode, ProcessLimits::default());
        assert!(matches!(error, ReadError::Crashed { .. }), "{mode}: {error:?}");
        assert!(error.to_string().starts_with("We could not read this file."), "{error}");
    }
}

#[test]
fn a_reading_can_be_cancelled() {
    let reading = reader("sleep", ProcessLimits::default()).start(Vec::new(), None).unwrap();
    let canceller = reading.canceller();
    let other = thread::spawn(move || canceller.cancel());
    assert!(matches!(reading.wait(), Err(ReadError::Cancelled)));
    other.join().unwrap();
}

#[test]
fn a_dropped_reading_leaves_no_process() {
    let reading = reader("sleep", ProcessLimits::default()).start(Vec::new(), None).unwrap();
    let process = reading.process_id();
    drop(reading);
    assert!(!is_running(process));
}

#[test]
fn a_program_that_is_not_there_is_the_servers_fault() {
    let reader = Reader::new(PathBuf::from("/nowhere/pith"), Vec::new(), ProcessLimits::default());
    assert!(matches!(reader.read(Vec::new(), None), Err(ReadError::Unavailable(_))));
}

fn drawer(mode: &str, limits: ProcessLimits) -> Drawer {
    Drawer::new(PathBuf::from(env!("CARGO_BIN_EXE_read-document-in-tests")), vec![OsString::from(mode)], limits)
}

fn drawing(inner: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10' width='20' height='10'>{inner}</svg>")
        .into_bytes()
}

#[test]
fn a_drawing_is_drawn_in_another_process_as_in_this_one() {
    let (drawer, svg) =
        (drawer("draw", ProcessLimits::of_drawings()), drawing("<rect width='10' height='10' fill='red'/>"));
    let text = String::from_utf8(svg.clone()).unwrap();
    assert_eq!(drawer.png(svg.clone(), 64).unwrap(), artwork::raster::png(&text, 64).unwrap());
    assert!(drawer.pixels(svg, 64).unwrap() == artwork::raster::pixels(&text, 64).unwrap());
}

#[test]
fn what_is_no_drawing_is_told_apart_from_what_takes_too_much() {
    let drawer_of =
        |mode| drawer(mode, ProcessLimits { processor: Duration::from_secs(1), ..ProcessLimits::of_drawings() });
    let error = |drawer: Drawer, svg: Vec<u8>| drawer.png(svg, 640).unwrap_err();
    assert!(matches!(error(drawer_of("draw"), b"<html/>".to_vec()), DrawError::Drawing(_)));
    for mode in ["compute", "allocate", "recurse", "panic", "lie"] {
        assert!(matches!(error(drawer_of(mode), drawing("")), DrawError::TooMuch(_)), "{mode}");
    }
    // Copies of copies reach the parser's limit on elements, on a fast machine before their time is over.
    let level = |n: usize| format!("<g id='a{n}'>{}</g>", format!("<use href='#a{}'/>", n - 1).repeat(10));
    let copies = (1..10).map(level).collect::<Vec<_>>().concat();
    let bomb = drawing(&format!("<defs><g id='a0'><rect width='1' height='1'/></g>{copies}</defs><use href='#a9'/>"));
    assert!(matches!(error(drawer_of("draw"), bomb), DrawError::TooMuch(_) | DrawError::Drawing(_)));
    // Little to parse, and much to render on any machine.
    let noise = "<filter id='n'><feTurbulence baseFrequency='0.9' numOctaves='1000000'/></filter>";
    let slow = drawing(&format!("<defs>{noise}</defs><rect width='20' height='10' filter='url(#n)'/>"));
    assert!(matches!(error(drawer_of("draw"), slow), DrawError::TooMuch(_)));
    // A process that gets no processor time on a busy machine says nothing about its drawing.
    let asleep = drawer("sleep", ProcessLimits { time: Duration::from_secs(1), ..ProcessLimits::of_drawings() });
    assert!(matches!(error(asleep, drawing("")), DrawError::Interrupted));
    let nowhere = Drawer::new(PathBuf::from("/nowhere/pith"), Vec::new(), ProcessLimits::of_drawings());
    assert!(matches!(error(nowhere, drawing("")), DrawError::Unavailable(_)));
}
