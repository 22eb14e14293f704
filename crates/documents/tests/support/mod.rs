//! The demo books as summaries, and checks of their files.

pub mod epub;
pub mod pdf;
mod text;

use std::{
    fs,
    path::{Path, PathBuf},
};

use documents::{Date, Picture, PictureKind, Quotation, Recap, Section, Summary};
use serde::Deserialize;

/// A cover with the usual aspect ratio.
const COVER: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900"><path d="M0 0h600v900H0z" fill="#452a05"/><circle cx="300" cy="300" r="180" fill="#f2a65a"/></svg>"##;

#[derive(Deserialize)]
struct BookFile {
    title: String,
    author: String,
    description: String,
    categories: Vec<String>,
    tags: Vec<String>,
    #[serde(default)]
    quotes: Vec<QuoteEntry>,
}

#[derive(Deserialize)]
struct QuoteEntry {
    text: String,
    #[serde(default)]
    chapter: String,
}

#[derive(Deserialize)]
struct AuthorFile {
    name: String,
    description: String,
}

fn seed() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../apps/server/seed")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A demo book with a text.
pub struct Demo {
    pub name: String,
    /// The input of its files.
    pub summary: Summary,
    /// The original HTML of its sections, headings included.
    pub html: Vec<String>,
}

/// Every demo book with a text.
pub fn demo_books() -> Vec<Demo> {
    let mut names: Vec<String> = fs::read_dir(seed().join("books"))
        .expect("the demo books")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .filter(|name| seed().join("books").join(name).join("body.html").exists())
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{} books", names.len());
    names.into_iter().map(demo).collect()
}

fn demo(name: String) -> Demo {
    let folder = seed().join("books").join(&name);
    let book: BookFile = toml::from_str(&text(&folder.join("book.toml"))).expect("a book");
    let author: AuthorFile =
        toml::from_str(&text(&seed().join("authors").join(format!("{}.toml", book.author)))).expect("an author");
    let body = text(&folder.join("body.html"));
    let html: Vec<String> = body.split("<h3>").skip(1).map(|rest| format!("<h3>{rest}")).collect();
    let sections: Vec<Section> = html.iter().map(|html| section(html)).collect();
    let ideas = sections.iter().map(|section| section.title.clone()).collect();
    let summary = Summary {
        url: format!("https://pith.example/book/{name}"),
        title: book.title.clone(),
        author: author.name.clone(),
        author_description: author.description,
        description: book.description,
        minutes: u32::try_from(body.split_whitespace().count() / 150).expect("a short text"),
        subjects: book.categories.into_iter().chain(book.tags).collect(),
        sections,
        recap: Some(Recap { title: "The key ideas in short".to_owned(), ideas }),
        quotes: book.quotes.into_iter().map(|q| Quotation { text: q.text, place: q.chapter }).collect(),
        cover: Some(Picture { bytes: COVER.to_vec(), kind: PictureKind::Svg }),
        cover_pixels: None,
        language: "en".to_owned(),
        site: "Pith".to_owned(),
        edited: Date { year: 2026, month: 9, day: 2 },
    };
    Demo { name, summary, html }
}

/// Parses a section of a demo book: the heading and the text below it.
fn section(html: &str) -> Section {
    let (title, _) = html.trim_start_matches("<h3>").split_once("</h3>").expect("a heading's end");
    let title: String = title.split(['<', '>']).step_by(2).collect();
    Section { title, blocks: text::read(html) }
}

/// Letters and digits only: for comparisons that ignore line breaks and hyphenation.
pub fn ink(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Writes a file for manual inspection to the folder `DOCUMENTS_OUT`, if that is set.
pub fn keep(file: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("DOCUMENTS_OUT") {
        fs::write(PathBuf::from(folder).join(file), bytes).expect("a place for the files");
    }
}
