//! The input of a PDF or EPUB: the content of a summary.

use sha2::{Digest, Sha256};

use crate::{Block, Picture, text::pictures};

/// Version of the layout, part of [`Summary::print`]. Increment it when the same content should give another file, as after a
/// change of layout or fonts.
const EDITION: u32 = 5;

/// A book's complete summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The absolute URL of the book's page.
    pub url: String,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// About the author, in plain text; may be empty.
    pub author_description: String,
    /// What the reader learns from the book, in plain text.
    pub description: String,
    /// The reading time, in minutes.
    pub minutes: u32,
    /// The names of the book's categories and tags.
    pub subjects: Vec<String>,
    /// The sections that have text, in order: one per key idea.
    pub sections: Vec<Section>,
    /// The list of the key ideas after the last section; `None`: there is none.
    pub recap: Option<Recap>,
    pub quotes: Vec<Quotation>,
    /// The cover for the PDF, preferably an SVG. `None`: the title page takes its place.
    pub cover: Option<Picture>,
    /// The cover for the EPUB, as a raster image: many e-readers don't support SVG.
    pub cover_pixels: Option<Picture>,
    /// The language code of the text, such as `en`.
    pub language: String,
    /// The site's name.
    pub site: String,
    /// The date of the last change to the summary.
    pub edited: Date,
}

/// A section of a summary: one key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading; may be empty.
    pub title: String,
    /// The text below the heading.
    pub blocks: Vec<Block>,
}

/// The key ideas of a summary as a list on a page of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recap {
    /// The heading of the page.
    pub title: String,
    /// The key ideas, each in a line of plain text.
    pub ideas: Vec<String>,
}

/// A quotation from the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// The quoted text, without markup.
    pub text: String,
    /// Its location in the book, such as a chapter; may be empty.
    pub place: String,
}

impl Summary {
    /// The pictures within the text, in its order.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.sections.iter().flat_map(|section| pictures(&section.blocks))
    }
}

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    pub year: i32,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

/// Why a document could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The summary or report has no text.
    #[error("there is no text to be set")]
    Empty,
    /// Typesetting failed.
    #[error("the PDF could not be set: {0}")]
    Pdf(String),
    /// Packing the ZIP archive failed.
    #[error("the EPUB could not be packed: {0}")]
    Epub(String),
}

impl Summary {
    /// A hash of the text, all pictures and the layout version, for caching: 24 hexadecimal digits.
    pub fn print(&self) -> String {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            // Each part is prefixed with its length, so that different summaries never hash the same bytes.
            hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(bytes);
        };
        part(&EDITION.to_le_bytes());
        let texts = [&self.url, &self.title, &self.author, &self.author_description, &self.description, &self.language];
        for text in texts {
            part(text.as_bytes());
        }
        part(self.site.as_bytes());
        part(&self.minutes.to_le_bytes());
        part(format!("{:?}", self.edited).as_bytes());
        for subject in &self.subjects {
            part(subject.as_bytes());
        }
        for section in &self.sections {
            part(section.title.as_bytes());
            part(format!("{:?}", section.blocks).as_bytes());
        }
        if let Some(recap) = &self.recap {
            part(recap.title.as_bytes());
            for idea in &recap.ideas {
                part(idea.as_bytes());
            }
        }
        part(b"quotes");
        for quote in &self.quotes {
            part(quote.text.as_bytes());
            part(quote.place.as_bytes());
        }
        for picture in [&self.cover, &self.cover_pixels] {
            part(picture.as_ref().map_or(&[], |picture| picture.bytes.as_slice()));
        }
        for picture in self.pictures() {
            part(&picture.bytes);
        }
        hex::encode(&hash.finalize()[..12])
    }
}

#[cfg(test)]
pub(crate) fn example() -> Summary {
    use crate::Inline;

    let words = |text: &str| Inline::Text(text.to_owned());
    Summary {
        url: "https://pith.example/book/walden".to_owned(),
        title: "Walden".to_owned(),
        author: "Henry David Thoreau".to_owned(),
        author_description: "Thoreau was a surveyor & writer.".to_owned(),
        description: "What a life needs.".to_owned(),
        minutes: 12,
        subjects: vec!["Philosophy".to_owned()],
        sections: vec![
            Section {
                title: "A hut".to_owned(),
                blocks: vec![Block::Paragraph(vec![
                    words("He "),
                    Inline::Emphasis(vec![words("built")]),
                    words(" it."),
                ])],
            },
            Section {
                title: "What it cost".to_owned(),
                blocks: vec![
                    Block::List {
                        ordered: false,
                        items: vec![
                            vec![Block::Paragraph(vec![words("Boards"), Inline::Break, words("and nails")])],
                            vec![Block::Paragraph(vec![words("Lime")]), Block::Paragraph(vec![words("Hair")])],
                        ],
                    },
                    Block::Rule,
                    Block::Quote(vec![Block::Paragraph(vec![words("“Simplify”")])]),
                    Block::Heading(vec![words("More")]),
                    Block::Paragraph(vec![
                        Inline::Link("https://a.example/?a=1&b=2".to_owned(), vec![words("A list")]),
                        words(" #emph[no code] $x$ "),
                        Inline::Strong(vec![words("<b>")]),
                    ]),
                ],
            },
        ],
        recap: Some(Recap {
            title: "The key ideas in short".to_owned(),
            ideas: vec!["A hut".to_owned(), "What it cost".to_owned()],
        }),
        quotes: vec![Quotation { text: "Simplify, simplify.".to_owned(), place: "Chapter 2".to_owned() }],
        cover: None,
        cover_pixels: None,
        language: "en".to_owned(),
        site: "Pith".to_owned(),
        edited: Date { year: 2026, month: 9, day: 2 },
    }
}

/// A picture of one pixel with this brightness.
#[cfg(test)]
pub(crate) fn dot(brightness: u8) -> Block {
    use crate::PictureKind;

    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixel = image::DynamicImage::ImageLuma8(image::GrayImage::from_pixel(1, 1, image::Luma([brightness])));
    pixel.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    let picture = Picture { bytes: bytes.into_inner(), kind: PictureKind::Png };
    Block::Picture { picture, alt: "A dot & <nothing> else".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PictureKind;

    #[test]
    fn another_content_has_another_print() {
        let first = example();
        let mut prints = vec![first.print()];
        let mut changed = |change: fn(&mut Summary)| {
            let mut other = example();
            change(&mut other);
            prints.push(other.print());
        };
        changed(|s| s.title.push('s'));
        changed(|s| s.sections[0].blocks.push(Block::Rule));
        changed(|s| s.site = "Peel".to_owned());
        changed(|s| s.edited.day = 3);
        changed(|s| s.quotes.clear());
        changed(|s| s.sections[0].blocks.push(dot(1)));
        changed(|s| s.sections[0].blocks.push(Block::Quote(vec![dot(2)])));
        changed(|s| s.recap = None);
        changed(|s| s.cover = Some(Picture { bytes: vec![1], kind: PictureKind::Png }));
        // The same letters, split differently between the fields.
        changed(|s| {
            s.title = "Walde".to_owned();
            s.author = "nHenry David Thoreau".to_owned();
        });
        let all = prints.len();
        assert!(prints.iter().all(|print| print.len() == 24));
        prints.sort();
        prints.dedup();
        assert_eq!(prints.len(), all);
        assert_eq!(first.print(), example().print());
    }
}
