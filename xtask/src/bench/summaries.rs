//! `cargo xtask bench --summaries`: the built-in summaries beside those of sumy's algorithms, by ROUGE, over the demo's books.
//!
//! All engines choose from the same sentences and write equally many words. The reference of a book is its description with the titles of
//! its key ideas, which are not in the text that is summarised. The engine was tuned on the books at odd places of the list in alphabetical order; those at
//! even places are held out.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::checkout::Checkout;
use crate::home::Home;
use crate::{process, pypi};

/// From Python's registry.
const PACKAGES: [&str; 3] = ["sumy==0.13.0", "rouge-score==0.1.2", "numpy>=2,<3"];
/// Words of the summaries that are compared.
const LENGTHS: [usize; 2] = [100, 200];
/// Sizes of the texts whose time and memory are measured, in bytes.
const SIZES: [usize; 2] = [100_000, 20_000_000];
const SCRIPT: &str = include_str!("summaries/compare.py");

/// A book of the demo.
struct Book {
    name: String,
    /// What a summary should say.
    reference: String,
    /// The text, without its headings.
    text: String,
}

/// Compares and prints.
pub(super) fn measure(checkout: &Checkout) -> Result<ExitCode> {
    let folder = Home::open(checkout)?.dir().join("tools/summaries");
    let python = pypi::python(&PACKAGES, &folder)?;
    println!("Building the engine as it is shipped …");
    let mut build = checkout.cargo();
    process::run_well(build.args(["build", "--quiet", "--release", "-p", "summaries", "--example", "summaries"]))?;
    let engine = checkout.target()?.join("release/examples/summaries");
    let books = books(&checkout.root().join("apps/server/seed/books"))?;
    println!("{} books; those at even places of the alphabetical list are held out.", books.len());

    let mut rows = Vec::new();
    for (index, book) in books.iter().enumerate() {
        let answer = summarise(&engine, &book.text)?;
        let summaries: serde_json::Map<String, Value> = answer["summaries"]
            .as_array()
            .context("the engine prints summaries")?
            .iter()
            .map(|summary| (summary["words"].to_string(), summary["text"].clone()))
            .collect();
        rows.push(json!({
            "name": book.name, "held_out": index % 2 == 1, "reference": book.reference,
            "sentences": answer["sentences"], "summaries": summaries,
        }));
    }
    let input = json!({ "lengths": LENGTHS, "books": rows }).to_string();
    let compared = process::output_with_input(Command::new(python).args(["-c", SCRIPT]), as_file(&input)?)?;
    let compared: Vec<Value> = serde_json::from_str(&compared).context("the comparison prints JSON")?;
    print_comparison(&compared)?;

    let all: Vec<&str> = books.iter().map(|book| book.text.as_str()).collect();
    for size in SIZES {
        let answer = summarise(&engine, &text_of(&all, size))?;
        let peak = answer["peak"].as_u64().map_or_else(|| "?".to_owned(), |bytes| (bytes / 1_000_000).to_string());
        println!(
            "{:>8} kB of text: {:.3} s, {peak} MB at most",
            size / 1_000,
            answer["seconds"].as_f64().unwrap_or(f64::NAN)
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn summarise(engine: &Path, text: &str) -> Result<Value> {
    let lengths: Vec<String> = LENGTHS.iter().map(ToString::to_string).collect();
    let input = as_file(&format!("{}\n{text}", lengths.join(" ")))?;
    serde_json::from_str(&process::output_with_input(&mut Command::new(engine), input)?)
        .context("the engine prints JSON")
}

/// A text that another program reads from its beginning.
fn as_file(text: &str) -> Result<File> {
    let mut file = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
    file.write_all(text.as_bytes())?;
    // The file goes when the last handle is closed.
    Ok(File::open(file.path())?)
}

fn books(folder: &Path) -> Result<Vec<Book>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    folders.sort();
    // A book that is announced has no body yet.
    folders.into_iter().filter(|folder| folder.join("body.html").is_file()).map(|folder| book(&folder)).collect()
}

fn book(folder: &Path) -> Result<Book> {
    let body = fs::read_to_string(folder.join("body.html"))?;
    let facts: toml::Table = fs::read_to_string(folder.join("book.toml"))?.parse()?;
    let description = facts.get("description").and_then(toml::Value::as_str).context("a book without a description")?;
    let (titles, paragraphs) = parts(&body);
    Ok(Book {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        reference: format!("{description} {}.", titles.join(". ")),
        text: paragraphs.join("\n\n"),
    })
}

/// Headings, and paragraphs, of the HTML in which the demo's books are written.
fn parts(html: &str) -> (Vec<String>, Vec<String>) {
    let (mut titles, mut paragraphs) = (Vec::new(), Vec::new());
    let mut text = String::new();
    for piece in html.split('<') {
        let (tag, said) = piece.split_once('>').unwrap_or(("", piece));
        match tag.split_whitespace().next().unwrap_or_default() {
            "/h1" | "/h2" | "/h3" | "/h4" => titles.push(as_line(&std::mem::take(&mut text))),
            "p" | "/p" | "li" | "/li" | "h1" | "h2" | "h3" | "h4" => {
                paragraphs.push(as_line(&std::mem::take(&mut text)));
            }
            _ => {}
        }
        text.push_str(said);
    }
    paragraphs.push(as_line(&text));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    (titles, paragraphs)
}

fn as_line(html: &str) -> String {
    let text = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// So many bytes of the books, over and over; each time with a number, so that no two passages are alike.
fn text_of(books: &[&str], size: usize) -> String {
    let mut text = String::with_capacity(size + 1_000);
    for number in 1.. {
        for paragraph in books.iter().flat_map(|book| book.split("\n\n")) {
            text.push_str(&paragraph.replacen('.', &format!(" in edition {number}."), usize::from(number > 1)));
            text.push_str("\n\n");
            if text.len() >= size {
                return text;
            }
        }
    }
    text
}

fn print_comparison(rows: &[Value]) -> Result<()> {
    const METRICS: [&str; 3] = ["rouge1", "rouge2", "rougeL"];
    for half in ["tuned on", "held out"] {
        for words in LENGTHS {
            println!("\n{half}, {words} words      ROUGE-1  ROUGE-2  ROUGE-L   (F-measure, percent)");
            let here = rows.iter().filter(|row| row["half"] == half && row["words"] == words);
            for row in here {
                let name = row["engine"].as_str().context("a row has a name")?;
                let figures: Vec<String> = METRICS
                    .iter()
                    .map(|metric| format!("{:>8.2}", row[*metric].as_f64().unwrap_or(f64::NAN)))
                    .collect();
                println!("  {name:<20} {}", figures.join(" "));
            }
        }
    }
    println!();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_from_paragraphs() {
        let (titles, paragraphs) = parts(
            "<h3>A &amp; B</h3>\n<p>One <em>bold</em>\nword.</p><blockquote><p>Two.</p></blockquote><ul><li>Three</li></ul>",
        );
        assert_eq!(titles, ["A & B"]);
        assert_eq!(paragraphs, ["One bold word.", "Two.", "Three"]);
    }

    #[test]
    fn a_long_text_has_the_size_asked_for_and_no_passage_twice() {
        let text = text_of(&["One is here.\n\nTwo is there."], 200);
        assert!((200..250).contains(&text.len()), "{}", text.len());
        let mut passages: Vec<&str> = text.trim().split("\n\n").collect();
        let count = passages.len();
        passages.sort_unstable();
        passages.dedup();
        assert_eq!(passages.len(), count);
    }
}
