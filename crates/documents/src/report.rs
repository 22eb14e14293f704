//! The detailed report on a quiz result as a PDF, in the layout of a summary, typeset by Typst.

use std::sync::LazyLock;

use typst::foundations::{Array, Dict, IntoValue, Value, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};

use crate::{
    DocumentError, Picture,
    glyphs::faces,
    pdf::{picture, typeset, words},
};

/// The typesetter with its fonts. It has no access to files or the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> =
    LazyLock::new(|| TypstEngine::builder().main_file(include_str!("../templates/report.typ")).fonts(faces()).build());

/// A recommended book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportBook {
    pub title: String,
    pub author: String,
    /// The absolute URL of the book's page.
    pub url: String,
}

/// The part of a report about one type or colour of the quiz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportPart {
    /// The name of the type or colour.
    pub name: String,
    /// The share in whole percent, at most 100.
    pub percent: u16,
    /// Whether no other part has a greater share. Such a part gets its own page.
    pub leads: bool,
    pub title: String,
    pub meaning: String,
    /// What to watch out for.
    pub caution: String,
    /// An exercise for this week.
    pub practice: String,
    /// Recommended books; may be empty.
    pub books: Vec<ReportBook>,
}

/// The content of a quiz report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizReport {
    /// The absolute URL of the quiz.
    pub url: String,
    /// The name of the quiz, such as `Intelligence Quiz`.
    pub quiz: String,
    /// The result in a few words.
    pub headline: String,
    /// The reader's name; may be empty.
    pub reader: String,
    /// The date on which the quiz was taken, formatted.
    pub taken: String,
    /// The chart of the shares, a square drawing.
    pub slice: Option<Picture>,
    /// The parts, the leading ones first.
    pub parts: Vec<ReportPart>,
    /// The language code of the text, such as `en`.
    pub language: String,
    /// The site's name.
    pub site: String,
}

/// Makes the PDF of a report: cover, shares, one page per leading part, then the other parts. It is tagged for screen readers
/// (PDF/UA-1) and has an outline.
pub fn report_pdf(report: &QuizReport) -> Result<Vec<u8>, DocumentError> {
    if report.parts.is_empty() {
        return Err(DocumentError::Empty);
    }
    let inputs: Dict = dict! {
        "url" => report.url.as_str(),
        "address" => words(report.url.split_once("://").map_or(&report.url, |(_, rest)| rest)),
        "quiz" => words(&report.quiz),
        "headline" => words(&report.headline),
        "reader" => words(&report.reader),
        "taken" => words(&report.taken),
        "slice" => report.slice.as_ref().map_or(Value::None, picture),
        "parts" => report.parts.iter().map(part).collect::<Array>(),
        "language" => report.language.as_str(),
        "site" => words(&report.site),
    };
    typeset(&ENGINE, inputs, &format!("{} {} {}", report.url, report.taken, report.headline), &report.site)
}

fn part(part: &ReportPart) -> Value {
    let books = part.books.iter().map(|book| {
        dict! { "title" => words(&book.title), "author" => words(&book.author), "url" => book.url.as_str() }
            .into_value()
    });
    dict! {
        "name" => words(&part.name),
        "percent" => i64::from(part.percent.min(100)),
        "leads" => part.leads,
        "title" => words(&part.title),
        "meaning" => words(&part.meaning),
        "caution" => words(&part.caution),
        "practice" => words(&part.practice),
        "books" => books.collect::<Array>(),
    }
    .into_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PictureKind;

    fn one(name: &str, percent: u16, leads: bool) -> ReportPart {
        ReportPart {
            name: name.to_owned(),
            percent,
            leads,
            title: format!("You lead with {name}"),
            meaning: "Meaning #strong[x] $y$. ".repeat(if leads { 9 } else { 2 }),
            caution: "Caution of 李.".to_owned(),
            practice: "Practice.".to_owned(),
            books: vec![ReportBook {
                title: "Walden".to_owned(),
                author: "Henry David Thoreau".to_owned(),
                url: "https://pith.example/books/walden".to_owned(),
            }],
        }
    }

    fn example(leading: u16) -> QuizReport {
        let drawing =
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>"#;
        QuizReport {
            url: "https://pith.example/quiz".to_owned(),
            quiz: "Intelligence Quiz".to_owned(),
            headline: "You are strongest in Spatial".to_owned(),
            reader: "Ada <#emph[L]>".to_owned(),
            taken: "November 23, 2026".to_owned(),
            slice: Some(Picture { bytes: drawing.as_bytes().to_vec(), kind: PictureKind::Svg }),
            parts: (0..9).map(|n| one(&format!("Type-{n}"), if n < leading { 100 } else { 50 }, n < leading)).collect(),
            language: "en".to_owned(),
            site: "Pith".to_owned(),
        }
    }

    #[test]
    fn everything_that_a_report_says_stands_on_its_pages() {
        for leading in [0, 1, 2, 9] {
            let report = example(leading);
            let bytes = report_pdf(&report).expect("a PDF");
            let document = lopdf::Document::load_mem(&bytes).expect("a PDF to read");
            let pages: Vec<u32> = document.get_pages().keys().copied().collect();
            // The cover, the shares, one page per leading part, and some for the rest.
            assert!(pages.len() >= 2 + usize::from(leading).min(8), "{leading}: {} pages", pages.len());
            let text = document.extract_text(&pages).expect("text").replace('\n', " ");
            for part in &report.parts {
                assert!(text.contains(&part.name) && text.contains(&part.title), "{} in {text}", part.name);
            }
            for words in ["#strong[x] $y$", "Practice.", "Walden", "November 23, 2026", "100%", "Intelligence Quiz"] {
                assert!(text.contains(words) || (leading == 0 && words == "100%"), "{words} in {text}");
            }
            assert_eq!(report_pdf(&report).expect("a PDF"), bytes, "the same report is the same file");
        }
    }

    #[test]
    fn a_report_without_parts_is_none() {
        let empty = QuizReport { parts: Vec::new(), ..example(1) };
        assert!(matches!(report_pdf(&empty), Err(DocumentError::Empty)));
    }
}
