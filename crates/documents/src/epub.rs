//! A summary as an EPUB.

mod package;
mod pages;
mod pictures;

use std::io::{Cursor, Read, Write};

use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{DocumentError, Summary};

/// The content of the first file of every EPUB. It is stored uncompressed, so that programs detect the type by the first bytes.
const MIMETYPE: &str = "application/epub+zip";
const STYLE: &str = include_str!("../templates/epub/style.css");

/// A file of the EPUB, in the folder `EPUB/`.
struct Part {
    name: String,
    bytes: Vec<u8>,
}

/// Makes the EPUB 3.3 of a summary: cover, title, contents, key ideas, recap, quotes, author. It has accessibility metadata
/// (schema.org, EPUB Accessibility 1.1) and an EPUB 2 table of contents for old e-readers.
///
/// # Errors
/// [`DocumentError::Empty`] when the summary has no sections; [`DocumentError::Epub`] when packing fails.
pub fn epub(summary: &Summary) -> Result<Vec<u8>, DocumentError> {
    if summary.sections.is_empty() {
        return Err(DocumentError::Empty);
    }
    let pages = pages::pages(summary);
    let mut parts = vec![
        Part { name: "package.opf".to_owned(), bytes: package::package(summary, &pages).into_bytes() },
        Part { name: "toc.ncx".to_owned(), bytes: package::ncx(summary, &pages).into_bytes() },
        Part { name: "style.css".to_owned(), bytes: STYLE.as_bytes().to_vec() },
    ];
    let pictures = pictures::cover(summary).into_iter().chain(pictures::text_pictures(summary));
    parts.extend(pictures.map(|(name, picture)| Part { name, bytes: picture.bytes.clone() }));
    parts.extend(pages.into_iter().map(|page| Part { name: page.file, bytes: page.xhtml.into_bytes() }));
    pack(&parts).map_err(|error| DocumentError::Epub(error.to_string()))
}

/// The number of the page, from 1, that has the first section in an EPUB of [`epub`]; `None` for other files.
pub fn first_section_page(file: &[u8]) -> Option<u32> {
    let mut zip = ZipArchive::new(Cursor::new(file)).ok()?;
    let mut package = String::new();
    zip.by_name("EPUB/package.opf").ok()?.read_to_string(&mut package).ok()?;
    package::first_section_page(&package)
}

fn pack(parts: &[Part]) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // A constant time for all files, so that the same summary gives the same bytes.
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    zip.start_file("mimetype", options.compression_method(CompressionMethod::Stored))?;
    zip.write_all(MIMETYPE.as_bytes())?;
    let options = options.compression_method(CompressionMethod::Deflated);
    zip.start_file("META-INF/container.xml", options)?;
    zip.write_all(package::CONTAINER.as_bytes())?;
    for part in parts {
        zip.start_file(format!("EPUB/{}", part.name), options)?;
        zip.write_all(&part.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Whether XML 1.0 allows this character.
fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Escapes text for XML elements and attributes, and drops characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| allowed(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Block,
        summary::{dot, example},
    };

    #[test]
    fn the_same_summary_gives_the_same_bytes() {
        assert_eq!(epub(&example()).expect("an EPUB"), epub(&example()).expect("an EPUB"));
    }

    #[test]
    fn a_picture_of_the_text_is_a_file_once_and_described() {
        let mut summary = example();
        summary.sections[0].blocks.extend([dot(1), Block::Quote(vec![dot(1)]), dot(2)]);
        let Block::Picture { picture, .. } = dot(2) else { panic!("a picture") };
        summary.sections[1].blocks.push(Block::Picture { picture, alt: String::new() });
        let mut zip = ZipArchive::new(Cursor::new(epub(&summary).expect("an EPUB"))).expect("a ZIP");
        let pictures: Vec<String> =
            zip.file_names().filter_map(|name| Some(name.strip_prefix("EPUB/picture-")?.to_owned())).collect();
        assert_eq!(pictures.len(), 2);
        let mut read = |name: &str| {
            let mut text = String::new();
            zip.by_name(&format!("EPUB/{name}")).expect("a file").read_to_string(&mut text).expect("text");
            text
        };
        let package = read("package.opf");
        for name in &pictures {
            assert!(package.contains(&format!("href=\"picture-{name}\" media-type=\"image/png\"/>")), "{package}");
        }
        assert!(package.contains("<meta property=\"schema:accessibilityFeature\">alternativeText</meta>"));
        assert_eq!(read("idea-1.xhtml").matches(" alt=\"A dot &amp; &lt;nothing&gt; else\"/>").count(), 3);
        assert!(read("idea-2.xhtml").contains(" alt=\"\" role=\"presentation\"/>"));
    }

    #[test]
    fn the_page_of_the_first_section_is_known_from_the_file() {
        for has_cover in [true, false] {
            let mut summary = example();
            if !has_cover {
                summary.cover_pixels = None;
            }
            let file = epub(&summary).expect("an EPUB");
            let pages = pages::pages(&summary);
            let place = pages.iter().position(|page| page.file == "idea-1.xhtml").expect("a section");
            assert_eq!(first_section_page(&file).map(|page| page as usize), Some(place + 1));
        }
        assert_eq!(first_section_page(b"no ZIP"), None);
    }

    #[test]
    fn a_summary_without_text_is_refused() {
        let empty = Summary { sections: Vec::new(), ..example() };
        assert!(matches!(epub(&empty), Err(DocumentError::Empty)));
    }

    #[test]
    fn text_stays_text_in_xml() {
        assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }

    #[test]
    fn characters_that_xml_does_not_have_are_dropped() {
        assert_eq!(escaped("a\u{1}b\u{fffe}<"), "ab&lt;");
    }
}
