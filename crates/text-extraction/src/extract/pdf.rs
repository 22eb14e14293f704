//! Extracts text from the text layer of PDF files.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Document as Pdf, PlainTextOutput, output_doc_page};

use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;
use crate::extract::plain;

const DAMAGED: ExtractionError = ExtractionError::Damaged(DocumentKind::Pdf);
/// With fewer letters per page, on average, the PDF is considered a scan.
const MIN_LETTERS: usize = 8;
/// A line at the head or foot of at least this many pages is a running header or footer, not text.
const MIN_REPEATED: usize = 4;

/// Reads a file. A page that can't be read is left out; if that is all pages, the file is damaged.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ExtractionError> {
    let mut pdf = shielded(|| Pdf::load_mem(bytes)).ok_or(DAMAGED)?.map_err(|error| error_of(&error))?;
    if pdf.is_encrypted() {
        // Many files are encrypted with an empty password, only to forbid printing.
        shielded(|| pdf.decrypt("")).and_then(Result::ok).ok_or(ExtractionError::Protected)?;
    }
    let numbers: Vec<u32> = shielded(|| pdf.get_pages().into_keys().collect()).ok_or(DAMAGED)?;
    if numbers.len() > limits.pages {
        return Err(ExtractionError::TooManyPages { pages: numbers.len(), limit: limits.pages });
    }
    let mut left = limits.text;
    let mut pages: Vec<String> = Vec::new();
    for number in &numbers {
        let Some(page) = read_page(&pdf, *number) else { continue };
        left = left.checked_sub(page.len()).ok_or(ExtractionError::TooMuchText { limit: limits.text })?;
        pages.push(page);
    }
    if pages.is_empty() {
        return Err(DAMAGED);
    }
    let letters: usize = pages.iter().flat_map(|page| page.chars()).filter(|one| one.is_alphanumeric()).count();
    if letters < MIN_LETTERS * pages.len() {
        return Err(ExtractionError::Scanned);
    }
    let mut builder = DocumentBuilder::new(DocumentKind::Pdf, limits);
    builder.title(&title_of(&pdf).unwrap_or_default());
    plain::append(&joined(&pages), &mut builder)?;
    Ok(builder.finish())
}

/// Catches panics of the library, which some malformed files cause. The child process prints no panic message.
fn shielded<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}

fn read_page(pdf: &Pdf, number: u32) -> Option<String> {
    let mut text = String::new();
    let read = shielded(|| output_doc_page(pdf, &mut PlainTextOutput::new(&mut text), number));
    matches!(read, Some(Ok(()))).then_some(text)
}

fn error_of(error: &pdf_extract::Error) -> ExtractionError {
    match error {
        pdf_extract::Error::Decryption(_) | pdf_extract::Error::InvalidPassword => ExtractionError::Protected,
        _ => DAMAGED,
    }
}

fn title_of(pdf: &Pdf) -> Option<String> {
    let info = pdf.trailer.get(b"Info").ok()?;
    let (_, info) = pdf.dereference(info).ok()?;
    let (_, title) = pdf.dereference(info.as_dict().ok()?.get(b"Title").ok()?).ok()?;
    let title = pdf_extract::decode_text_string(title).ok()?;
    // Some programs set the title to the name of the source file.
    let is_file_name = title.starts_with("Microsoft Word - ") || title.to_lowercase().ends_with(".indd");
    (!is_file_name).then_some(title)
}

/// Joins the pages to one text, without running headers and footers and without hyphenation.
fn joined(pages: &[String]) -> String {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let mut edges: Vec<String> = edge_lines(page).into_iter().map(without_digits).collect();
        edges.dedup();
        for line in edges {
            *counts.entry(line).or_default() += 1;
        }
    }
    let is_repeated = |line: &str| {
        let count = counts.get(&without_digits(line)).copied().unwrap_or_default();
        count >= MIN_REPEATED && count * 3 > pages.len()
    };
    let mut text = String::new();
    for page in pages {
        let edges = edge_lines(page);
        let mut lines: Vec<&str> = page.lines().map(str::trim_end).collect();
        lines.retain(|line| !(edges.contains(&line.trim()) && is_repeated(line.trim())));
        let page = lines.join("\n");
        let page = page.trim();
        // A sentence continues across the page break.
        let goes_on = page.starts_with(char::is_lowercase);
        text.push_str(if goes_on { "\n" } else { "\n\n" });
        text.push_str(page);
    }
    without_hyphenation(&text)
}

/// The first and the last non-blank line of a page.
fn edge_lines(page: &str) -> Vec<&str> {
    let mut lines = page.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().into_iter().chain(lines.next_back()).collect()
}

fn without_digits(line: &str) -> String {
    line.chars().filter(|one| !one.is_numeric()).collect::<String>().trim().to_owned()
}

/// Joins words hyphenated at line breaks: `exam-` and `ple` become one word.
fn without_hyphenation(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let hyphen = joined.strip_suffix("-\n").is_some_and(|before| before.ends_with(char::is_alphabetic));
        if hyphen && line.starts_with(char::is_lowercase) {
            joined.truncate(joined.len() - 2);
        }
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphenated_words_are_joined() {
        assert_eq!(without_hyphenation("an exam-\nple of 1-\n2 and A-\nB"), "an example of 1-\n2 and A-\nB");
    }

    #[test]
    fn heads_and_feet_are_left_out() {
        let pages: Vec<String> =
            (1..=5).map(|number| format!("The Book\n\nPage {number} says something.\n\n- {number} -\n")).collect();
        let text = joined(&pages);
        assert!(!text.contains("The Book") && !text.contains("- 3 -"), "{text}");
        assert!(text.contains("Page 1 says something.") && text.contains("Page 5"), "{text}");
    }
}
