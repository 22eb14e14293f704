//! A book's key ideas on one printable sheet of paper (its infographic) as a PDF, typeset by Typst.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};
use typst::foundations::{Array, Dict, IntoValue, Value, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};

use crate::{
    DocumentError, Picture,
    glyphs::{MISSING, faces},
    pdf::{picture, typeset, words},
};

/// Version of the layout, part of [`Sheet::print`]. Increment it when the same content should give another file.
const EDITION: u32 = 1;

/// The typesetter with its fonts. It has no access to files or the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> =
    LazyLock::new(|| TypstEngine::builder().main_file(include_str!("../templates/sheet.typ")).fonts(faces()).build());

/// A paper size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// The name used in file names.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::Letter => "letter",
        }
    }

    /// The name used by Typst.
    const fn typst_name(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::Letter => "us-letter",
        }
    }
}

/// One key idea of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetIdea {
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// Its square picture.
    pub picture: Option<Picture>,
}

/// The content of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The absolute URL of the book's page.
    pub url: String,
    pub title: String,
    /// The author's name.
    pub author: String,
    pub cover: Option<Picture>,
    /// The key ideas, in order.
    pub ideas: Vec<SheetIdea>,
    /// The language code of the text, such as `en`.
    pub language: String,
    /// The site's name.
    pub site: String,
}

impl Sheet {
    /// A hash of the content and the layout version, for caching: 24 hexadecimal digits. The paper size is not part of it.
    pub fn print(&self) -> String {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(bytes);
        };
        part(&EDITION.to_le_bytes());
        for text in [&self.url, &self.title, &self.author, &self.language, &self.site] {
            part(text.as_bytes());
        }
        part(self.cover.as_ref().map_or(&[], |cover| &cover.bytes));
        for idea in &self.ideas {
            part(idea.title.as_bytes());
            part(idea.body.as_bytes());
            part(idea.picture.as_ref().map_or(&[], |picture| &picture.bytes));
        }
        let mut print = hex::encode(hash.finalize());
        print.truncate(24);
        print
    }
}

/// Makes the PDF of a sheet, tagged for screen readers (PDF/UA-1). The font size is the largest that fits on one page; text
/// that doesn't fit at the smallest size continues on a second page. When one picture can't be typeset, all are left out.
pub fn sheet_pdf(sheet: &Sheet, paper: Paper) -> Result<Vec<u8>, DocumentError> {
    match set(sheet, paper, true) {
        Err(DocumentError::Pdf(_)) => set(sheet, paper, false),
        done => done,
    }
}

fn set(sheet: &Sheet, paper: Paper, illustrated: bool) -> Result<Vec<u8>, DocumentError> {
    if sheet.ideas.is_empty() {
        return Err(DocumentError::Empty);
    }
    let shown = |one: Option<&Picture>| one.filter(|_| illustrated).map_or(Value::None, picture);
    let ideas: Array = sheet
        .ideas
        .iter()
        .map(|idea| {
            dict! {
                "title" => words(&idea.title),
                "body" => words(&idea.body),
                "picture" => shown(idea.picture.as_ref()),
            }
            .into_value()
        })
        .collect();
    let title = words(&sheet.title);
    let inputs: Dict = dict! {
        "paper" => paper.typst_name(),
        "url" => sheet.url.as_str(),
        "address" => words(sheet.url.split_once("://").map_or(&sheet.url, |(_, rest)| rest)),
        "title" => if title.is_empty() { MISSING.to_string() } else { title },
        "author" => words(&sheet.author),
        "cover" => shown(sheet.cover.as_ref()),
        "ideas" => ideas,
        "language" => sheet.language.as_str(),
        "site" => words(&sheet.site),
    };
    typeset(&ENGINE, inputs, &format!("{} {}", sheet.url, paper.as_str()), &sheet.site)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PictureKind;

    fn drawing() -> Picture {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#123456"/></svg>"##;
        Picture { bytes: svg.as_bytes().to_vec(), kind: PictureKind::Svg }
    }

    /// A sheet with nine ideas of about `length` characters each.
    fn sheet(length: usize) -> Sheet {
        let body = "A sentence of some words. ".repeat(length / 26);
        let idea = |n| SheetIdea { title: format!("Idea {n}"), body: body.clone(), picture: Some(drawing()) };
        Sheet {
            url: "https://pith.example/books/walden".to_owned(),
            title: "Walden".to_owned(),
            author: "Henry David Thoreau".to_owned(),
            cover: Some(drawing()),
            ideas: (1..=9).map(idea).collect(),
            language: "en".to_owned(),
            site: "Pith".to_owned(),
        }
    }

    fn read(bytes: &[u8]) -> lopdf::Document {
        lopdf::Document::load_mem(bytes).expect("a PDF to read")
    }

    /// The width and height of the first page, in points.
    fn size(document: &lopdf::Document) -> (f32, f32) {
        let page = document.page_iter().next().expect("a page");
        let page = document.get_dictionary(page).expect("a page");
        let sides = page.get(b"MediaBox").and_then(lopdf::Object::as_array).expect("a size");
        let side = |i: usize| sides[i].as_float().expect("a number");
        (side(2).round(), side(3).round())
    }

    #[test]
    fn all_ideas_of_a_book_stand_on_one_page_of_the_chosen_paper() {
        for (paper, wanted) in [(Paper::A4, (595.0, 842.0)), (Paper::Letter, (612.0, 792.0))] {
            for length in [60, 320, 420] {
                let document = read(&sheet_pdf(&sheet(length), paper).expect("a PDF"));
                assert_eq!((size(&document), document.get_pages().len()), (wanted, 1), "{paper:?}, {length}");
                let words = document.extract_text(&[1]).expect("text");
                assert!((1..=9).all(|n| words.contains(&format!("Idea {n}"))), "{words}");
            }
        }
    }

    #[test]
    fn what_is_too_long_for_a_page_goes_on_on_the_next() {
        let document = read(&sheet_pdf(&sheet(2600), Paper::A4).expect("a PDF"));
        assert!(document.get_pages().len() > 1);
        let pages: Vec<u32> = document.get_pages().keys().copied().collect();
        assert!(document.extract_text(&pages).expect("text").contains("Idea 9"));
    }

    #[test]
    fn a_picture_that_can_not_be_set_is_left_out() {
        let mut sheet = sheet(60);
        sheet.ideas[0].picture = Some(Picture { bytes: b"no picture".to_vec(), kind: PictureKind::Png });
        assert!(sheet_pdf(&sheet, Paper::A4).is_ok());
        sheet.ideas.clear();
        assert!(matches!(sheet_pdf(&sheet, Paper::A4), Err(DocumentError::Empty)));
    }

    #[test]
    fn another_text_or_picture_is_another_file() {
        let one = sheet(60);
        let mut other = one.clone();
        assert_eq!(one.print(), other.print());
        other.ideas[3].picture = None;
        assert_ne!(one.print(), other.print());
        assert_eq!(sheet_pdf(&one, Paper::A4).expect("a PDF"), sheet_pdf(&one, Paper::A4).expect("a PDF"));
    }
}
