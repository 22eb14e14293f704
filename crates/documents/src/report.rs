//! The detailed report on the result of a quiz as a PDF, in the look of a summary, set by Typst.

use std::sync::LazyLock;

use typst::foundations::{Array, Dict, IntoValue, Value, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};

use crate::{
    DocumentError, Picture,
    glyphs::faces,
    pdf::{picture, typeset, words},
};

/// The typesetter with its faces. It has no access to a file or to the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> =
    LazyLock::new(|| TypstEngine::builder().main_file(include_str!("../templates/report.typ")).fonts(faces()).build());

/// A book that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportBook {
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// The absolute URL of its page.
    pub url: String,
}

/// What a report says of one type or colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportPart {
    /// The name of the type or color that is measured.
    pub name: String,
    /// The share in whole percent, at most 100.
    pub percent: u16,
    /// None is greater: the part has a page of its own.
    pub leads: bool,
    /// The heading.
    pub title: String,
    pub meaning: String,
    /// What to watch out for.
    pub caution: String,
    /// An exercise for this week.
    pub practice: String,
    /// Books that fit; may be none.
    pub books: Vec<ReportBook>,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizReport {
    /// The absolute URL of the quiz.
    pub url: String,
    /// What it is a report on, such as `Intelligence Quiz`.
    pub quiz: String,
    /// The result in a few words.
    pub headline: String,
    /// Whose report it is; may be empty.
    pub reader: String,
    /// The day on which the quiz was taken, as people read it.
    pub taken: String,
    /// The shares as a square drawing.
    pub slice: Option<Picture>,
    /// The parts, those that lead first.
    pub parts: Vec<ReportPart>,
    /// The language of the text, as in `en`.
    pub language: String,
    /// The site's name.
    pub site: String,
}

/// The report as a PDF: cover, shares, a page for each part that leads, the others after them. It is tagged for screen readers
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
            // The cover, the shares, a page for each that leads, and some for the rest.
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
