//! Detects the format of a file from its content.

use std::io::Cursor;

use crate::extract::archive::{Archive, ReadSeek};
use crate::extract::document::DocumentKind;
use crate::extract::error::{ExtractionError, ForeignKind};
use crate::extract::limits::Limits;

/// `%PDF-` may be at this offset (Adobe's readers allow it).
const PDF_MARK_WITHIN: usize = 1_024;
/// How many bytes of a text are examined to decide whether it is Markdown or binary.
const SAMPLE: usize = 64 * 1_024;
/// Magic numbers of formats that are not supported.
const FOREIGN: [(&[u8], ForeignKind); 22] = [
    (b"\x89PNG", ForeignKind::Picture),
    (b"\xff\xd8\xff", ForeignKind::Picture),
    (b"GIF8", ForeignKind::Picture),
    (b"BM6", ForeignKind::Picture),
    (b"II*\0", ForeignKind::Picture),
    (b"MM\0*", ForeignKind::Picture),
    (b"8BPS", ForeignKind::Picture),
    (b"ID3", ForeignKind::Recording),
    (b"OggS", ForeignKind::Recording),
    (b"fLaC", ForeignKind::Recording),
    (b"\x1aE\xdf\xa3", ForeignKind::Recording),
    (b"\0\0\0 ftyp", ForeignKind::Recording),
    (b"{\\rtf", ForeignKind::OtherWordProcessor),
    (b"BOOKMOBI", ForeignKind::OtherWordProcessor),
    (b"AT&TFORM", ForeignKind::Unknown),
    (b"\x1f\x8b", ForeignKind::Archive),
    (b"BZh", ForeignKind::Archive),
    (b"\xfd7zXZ\0", ForeignKind::Archive),
    (b"7z\xbc\xaf", ForeignKind::Archive),
    (b"Rar!", ForeignKind::Archive),
    (b"\x7fELF", ForeignKind::Program),
    (b"MZ\x90", ForeignKind::Program),
];
/// The magic number of Word files before 2007; also of a DOCX that is protected by a password.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// How web pages begin, in lower case, as in the MIME Sniffing standard.
const HTML: [&str; 18] = [
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a ",
    "<style",
    "<title",
    "<b>",
    "<body",
    "<br",
    "<p>",
    "<article",
    "<meta",
];

/// The format according to a file's first bytes.
pub(crate) enum Recognised<'a> {
    Pdf,
    Epub(Archive<'a>),
    Docx(Archive<'a>),
    /// HTML, Markdown or plain text.
    Text,
}

/// Detects the format of a file.
pub(crate) fn recognise<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Recognised<'a>, ExtractionError> {
    let foreign = |kind| Err(ExtractionError::Foreign(kind));
    if bytes.is_empty() {
        return Err(ExtractionError::Empty);
    }
    let head = &bytes[..bytes.len().min(PDF_MARK_WITHIN)];
    // A text may mention `%PDF-`; only a PDF file also has `startxref`.
    if bytes.starts_with(b"%PDF-") || contains(head, b"%PDF-") && contains(bytes, b"startxref") {
        return Ok(Recognised::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return recognise_archive(bytes, limits);
    }
    if bytes.starts_with(COMPOUND_FILE) {
        // Names within such a file are UTF-16.
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        return if contains(bytes, &name) {
            Err(ExtractionError::Protected)
        } else {
            foreign(ForeignKind::OtherWordProcessor)
        };
    }
    if let Some((_, kind)) = FOREIGN.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return foreign(*kind);
    }
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => return foreign(ForeignKind::Picture),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] | [_, _, _, _, b'f', b't', b'y', b'p', ..] => {
            return foreign(ForeignKind::Recording);
        }
        _ => {}
    }
    if is_binary(&bytes[..bytes.len().min(SAMPLE)]) { foreign(ForeignKind::Unknown) } else { Ok(Recognised::Text) }
}

fn recognise_archive<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Recognised<'a>, ExtractionError> {
    let reader: Box<dyn ReadSeek + 'a> = Box::new(Cursor::new(bytes));
    // The first entry identifies an EPUB, even if the central directory at the end is cut off.
    let first = &bytes[..bytes.len().min(256)];
    let damaged = if contains(first, b"application/epub+zip") { DocumentKind::Epub } else { DocumentKind::Docx };
    let mut archive = Archive::open(reader, damaged, limits)?;
    if archive.has("META-INF/container.xml") {
        return Ok(Recognised::Epub(archive.of_kind(DocumentKind::Epub)));
    }
    if archive.has("word/document.xml") {
        return Ok(Recognised::Docx(archive.of_kind(DocumentKind::Docx)));
    }
    let kind = if archive.has("xl/workbook.xml") || archive.has("ppt/presentation.xml") {
        ForeignKind::Sheet
    } else if archive.has("content.xml") && archive.has("mimetype") {
        let mimetype = archive.read("mimetype").unwrap_or_default();
        if mimetype.ends_with(b"opendocument.text") { ForeignKind::OtherWordProcessor } else { ForeignKind::Sheet }
    } else {
        ForeignKind::Archive
    };
    Err(ExtractionError::Foreign(kind))
}

/// Whether bytes are not text in any encoding: they contain control characters and are not UTF-16.
fn is_binary(bytes: &[u8]) -> bool {
    if super::encoding::is_utf16(bytes) {
        return false;
    }
    let control = bytes.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    bytes.contains(&0) || control * 50 > bytes.len()
}

/// The format of a text.
pub(crate) fn recognise_text(text: &str) -> DocumentKind {
    if is_html(text) {
        return DocumentKind::Html;
    }
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    if is_markdown(sample) { DocumentKind::Markdown } else { DocumentKind::Text }
}

fn is_html(text: &str) -> bool {
    let mut rest = text.trim_start();
    // Comments and declarations may precede the page.
    while let Some((before, end)) = [("<!--", "-->"), ("<?", "?>")].into_iter().find(|(mark, _)| rest.starts_with(mark))
    {
        let Some(at) = rest[before.len()..].find(end) else { return false };
        rest = rest[before.len() + at + end.len()..].trim_start();
    }
    let head = rest[..rest.floor_char_boundary(32)].to_lowercase();
    HTML.iter().any(|mark| head.starts_with(mark)) || head.starts_with("<!doctype") && text.contains("<html")
}

fn is_markdown(text: &str) -> bool {
    let mut marks = 0;
    for line in text.lines() {
        let line = line.trim_end();
        let hashes = line.len() - line.trim_start_matches('#').len();
        let heading = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
        let fence = line.starts_with("```");
        let has_link = line.find("](").is_some_and(|at| line[..at].contains('[') && line[at..].contains(')'));
        let emphasis = line.matches("**").count() >= 2;
        let quote = line.starts_with("> ");
        if heading || fence {
            return true;
        }
        marks += usize::from(has_link) + usize::from(emphasis) + usize::from(quote);
    }
    marks >= 2
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        for (text, kind) in [
            ("<!DOCTYPE html><p>x", DocumentKind::Html),
            ("\n <!-- a --> <?xml version='1.0'?>\n<HTML lang=en>", DocumentKind::Html),
            ("<p>A fragment.</p>", DocumentKind::Html),
            ("<!-- never ends", DocumentKind::Text),
            ("# Title\n\nText", DocumentKind::Markdown),
            ("See [a](b).\n\n> quoted", DocumentKind::Markdown),
            ("#hashtag and C# are no headings", DocumentKind::Text),
            ("5 < 6 and a > b", DocumentKind::Text),
        ] {
            assert_eq!(recognise_text(text), kind, "{text}");
        }
    }
}
