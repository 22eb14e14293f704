//! The metadata files of an EPUB: container, package document, and the EPUB 2 table of contents (NCX).

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::{
    escaped,
    pages::{Page, Role},
    pictures::{cover, media_type, text_pictures},
};
use crate::Summary;

/// `META-INF/container.xml`, which points to the package document.
pub(super) const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n<rootfiles>\n\
    <rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/>\n</rootfiles>\n</container>\n";

/// The unique identifier of the book (a UUID). It never changes: e-readers store the reading position and notes under it.
fn identifier(summary: &Summary) -> String {
    let mut bytes: [u8; 16] = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(summary.url.as_bytes())[..16]);
    // UUID version 8 (custom data), variant of RFC 9562.
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hex::encode(bytes);
    format!("urn:uuid:{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The package document: metadata, manifest of all files, and reading order.
pub(super) fn package(summary: &Summary, pages: &[Page]) -> String {
    let date = format!("{:04}-{:02}-{:02}", summary.edited.year, summary.edited.month, summary.edited.day);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"book\" xml:lang=\"{language}\">\n\
         <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<dc:identifier id=\"book\">{identifier}</dc:identifier>\n\
         <dc:title>{title}</dc:title>\n<dc:language>{language}</dc:language>\n\
         <dc:creator id=\"author\">{author}</dc:creator>\n<meta refines=\"#author\" property=\"role\" scheme=\"marc:relators\">ant</meta>\n\
         <dc:publisher>{site}</dc:publisher>\n<dc:source>{url}</dc:source>\n<dc:date>{date}</dc:date>\n\
         <dc:description>{description}</dc:description>\n<meta property=\"dcterms:modified\">{date}T00:00:00Z</meta>\n",
        language = escaped(&summary.language),
        identifier = identifier(summary),
        title = escaped(&format!("{}: a summary", summary.title)),
        author = escaped(&summary.author),
        site = escaped(&summary.site),
        url = escaped(&summary.url),
        description = escaped(&summary.description),
    );
    for subject in &summary.subjects {
        let _ = writeln!(out, "<dc:subject>{}</dc:subject>", escaped(subject));
    }
    let has_cover = cover(summary).is_some();
    accessibility(has_cover || summary.pictures().next().is_some(), &mut out);
    if has_cover {
        // For EPUB 2 e-readers.
        out.push_str("<meta name=\"cover\" content=\"cover-picture\"/>\n");
    }
    out.push_str("</metadata>\n");
    manifest(summary, pages, &mut out);
    out.push_str("<spine toc=\"ncx\">\n");
    for place in 0..pages.len() {
        let _ = writeln!(out, "<itemref idref=\"page-{place}\"/>");
    }
    out.push_str("</spine>\n</package>\n");
    out
}

/// The number of the page, from 1, that has the first section, by a package document of [`package`].
pub(super) fn first_section_page(package: &str) -> Option<u32> {
    let (before, _) = package.split_once("\" href=\"idea-1.xhtml\"")?;
    let (_, place) = before.rsplit_once("<item id=\"page-")?;
    place.parse::<u32>().ok()?.checked_add(1)
}

/// Writes the accessibility metadata.
fn accessibility(has_pictures: bool, out: &mut String) {
    let mut say = |property: &str, value: &str| {
        let _ = writeln!(out, "<meta property=\"schema:{property}\">{value}</meta>");
    };
    say("accessMode", "textual");
    if has_pictures {
        say("accessMode", "visual");
        say("accessibilityFeature", "alternativeText");
    }
    say("accessModeSufficient", "textual");
    for feature in ["displayTransformability", "readingOrder", "structuralNavigation", "tableOfContents"] {
        say("accessibilityFeature", feature);
    }
    say("accessibilityHazard", "none");
    say("accessibilitySummary", "All of the text can be read aloud, enlarged and navigated; pictures are described.");
}

fn manifest(summary: &Summary, pages: &[Page], out: &mut String) {
    out.push_str(
        "<manifest>\n<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>\n\
         <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n",
    );
    if let Some((name, picture)) = cover(summary) {
        let kind = media_type(picture.kind);
        let _ = writeln!(
            out,
            "<item id=\"cover-picture\" href=\"{name}\" media-type=\"{kind}\" properties=\"cover-image\"/>"
        );
    }
    for (place, (name, picture)) in text_pictures(summary).into_iter().enumerate() {
        let kind = media_type(picture.kind);
        let _ = writeln!(out, "<item id=\"picture-{place}\" href=\"{name}\" media-type=\"{kind}\"/>");
    }
    for (place, page) in pages.iter().enumerate() {
        let nav = if page.role == Role::Contents { " properties=\"nav\"" } else { "" };
        let file = &page.file;
        let _ = writeln!(out, "<item id=\"page-{place}\" href=\"{file}\" media-type=\"application/xhtml+xml\"{nav}/>");
    }
    out.push_str("</manifest>\n");
}

/// The table of contents of EPUB 2 (NCX), for old e-readers.
pub(super) fn ncx(summary: &Summary, pages: &[Page]) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\" version=\"2005-1\">\n\
         <head>\n<meta name=\"dtb:uid\" content=\"{}\"/>\n</head>\n<docTitle><text>{}</text></docTitle>\n<navMap>\n",
        identifier(summary),
        escaped(&summary.title)
    );
    let listed = pages.iter().filter(|page| matches!(page.role, Role::KeyIdea | Role::Quotes | Role::Author));
    for (place, page) in listed.enumerate() {
        let _ = writeln!(
            out,
            "<navPoint id=\"point-{place}\"><navLabel><text>{}</text></navLabel><content src=\"{}\"/></navPoint>",
            escaped(&page.title),
            page.file
        );
    }
    out.push_str("</navMap>\n</ncx>\n");
    out
}
