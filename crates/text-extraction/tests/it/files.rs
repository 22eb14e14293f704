//! Builds test documents.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP archive with these parts.
pub fn archive<N: AsRef<str>, B: AsRef<[u8]>>(parts: impl IntoIterator<Item = (N, B)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let name = name.as_ref();
        let method = if name == "mimetype" { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A Word document with this XML as its body.
pub fn docx(body: &str) -> Vec<u8> {
    docx_of_xml(&format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>"))
}

/// A Word document with this XML as its main part.
pub fn docx_of_xml(document: &str) -> Vec<u8> {
    archive([
        ("[Content_Types].xml", "<Types/>".to_owned()),
        ("docProps/core.xml", "<cp:p xmlns:cp='c' xmlns:dc='d'><dc:title>A report</dc:title></cp:p>".to_owned()),
        (
            "word/styles.xml",
            "<w:styles xmlns:w='w'><w:style w:styleId='berschrift1'><w:name w:val='heading 1'/></w:style></w:styles>"
                .to_owned(),
        ),
        ("word/document.xml", document.to_owned()),
    ])
}

/// The part of an EPUB that points to the package document.
pub fn container(package: &str) -> (String, String) {
    let text = format!("<container><rootfiles><rootfile full-path='{package}'/></rootfiles></container>");
    ("META-INF/container.xml".to_owned(), text)
}

/// The package document of an EPUB: chapters with their paths, and the reading order.
pub fn package(chapters: &[(&str, &str)], spine: &[&str]) -> (String, String) {
    let item =
        |(id, path): &(&str, &str)| format!("<item id='{id}' href='{path}' media-type='application/xhtml+xml'/>");
    let items: Vec<String> = chapters.iter().map(item).collect();
    let order: Vec<String> = spine.iter().map(|id| format!("<itemref idref='{id}'/>")).collect();
    let (items, order) = (items.concat(), order.concat());
    let text = format!(
        "<package xmlns:dc='d'><metadata><dc:title>A &amp; B</dc:title></metadata><manifest>{items}</manifest><spine>{order}</spine></package>"
    );
    ("OEBPS/content.opf".to_owned(), text)
}

/// An EPUB with two chapters and additional parts.
pub fn epub(more: Vec<(String, String)>) -> Vec<u8> {
    let chapter = |title: &str, text: &str| {
        format!("<html><head><title>x</title></head><body><h1>{title}</h1><p>{text}</p></body></html>")
    };
    let mut parts = vec![
        ("mimetype".to_owned(), "application/epub+zip".to_owned()),
        container("OEBPS/content.opf"),
        package(&[("b", "text/b%20b.xhtml"), ("a", "text/a.xhtml")], &["a", "b"]),
        ("OEBPS/text/a.xhtml".to_owned(), chapter("One", "The first chapter.")),
        ("OEBPS/text/b b.xhtml".to_owned(), chapter("Two", "The second chapter.")),
    ];
    parts.extend(more);
    archive(parts)
}

/// A PDF with these objects; the first is the document catalog. `trailer` is added to the trailer.
pub fn pdf_of(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", index + 1).as_bytes());
    }
    let table = bytes.len();
    bytes.extend_from_slice(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes());
    for place in places {
        bytes.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes());
    }
    let size = objects.len() + 1;
    bytes.extend_from_slice(
        format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n").as_bytes(),
    );
    bytes
}

/// The objects of a PDF with these pages.
pub fn pdf_objects(pages: &[String]) -> Vec<String> {
    let kids: Vec<String> = (0..pages.len()).map(|index| format!("{} 0 R", 4 + 2 * index)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {} /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> >>",
            kids.join(" "),
            pages.len()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (index, content) in pages.iter().enumerate() {
        objects.push(format!("<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>", 5 + 2 * index));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    objects
}

/// A PDF with one page per text.
pub fn pdf(texts: &[&str]) -> Vec<u8> {
    let pages: Vec<String> = texts.iter().map(|text| format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET")).collect();
    pdf_of(&pdf_objects(&pages), "")
}
