//! Typical documents.

use text_extraction::{Document, DocumentKind, Limits, extract};

use crate::files::{docx, epub, pdf};

fn read(bytes: &[u8]) -> Document {
    extract(bytes, None, &Limits::default()).unwrap()
}

fn headings(document: &Document) -> Vec<(&str, u8)> {
    document.headings.iter().map(|heading| (&document.text[heading.range.clone()], heading.level)).collect()
}

#[test]
fn a_page_is_read_without_what_stands_around_it() {
    let paragraph =
        "Liberty of the press is the best guard against a corrupt government, as everyone agrees. ".repeat(6);
    let page = format!(
        "<!doctype html><html><head><title>On liberty - The Site</title><style>p {{}}</style></head><body>\
         <nav><a href=/>Home</a> <a href=/b>Menu entry</a></nav><article><h1>On liberty</h1><p>{paragraph}</p>\
         <h2>A second part</h2><p>{paragraph}</p><script>var secret = 1;</script><p>The &eacute;nd<br>is here.</p></article>\
         <footer>Imprint</footer></body></html>"
    );
    let document = read(page.as_bytes());
    assert_eq!(document.kind, DocumentKind::Html);
    assert!(document.title.as_deref().unwrap().starts_with("On liberty"), "{document:?}");
    assert!(document.text.ends_with("The énd is here."), "{}", document.text);
    for absent in ["Menu entry", "secret", "Imprint"] {
        assert!(!document.text.contains(absent), "{absent}");
    }
    assert!(headings(&document).contains(&("A second part", 2)), "{document:?}");
}

#[test]
fn a_short_page_is_read_whole() {
    let document = read(b"<title>T</title><p>One <b>bold</b> word.<p>Two.<script>no</script><div hidden>no</div>");
    assert_eq!((document.title.as_deref(), document.text.as_str()), (Some("T"), "One bold word.\n\nTwo."));
}

#[test]
fn a_book_is_read_in_the_order_of_its_spine() {
    let document = read(&epub(Vec::new()));
    assert_eq!(document.kind, DocumentKind::Epub);
    assert_eq!(document.title.as_deref(), Some("A & B"));
    assert_eq!(document.text, "One\n\nThe first chapter.\n\nTwo\n\nThe second chapter.");
    assert_eq!(headings(&document), [("One", 1), ("Two", 1)]);
}

#[test]
fn a_word_document_is_read_with_its_headings() {
    let document = read(&docx(
        "<w:p><w:pPr><w:pStyle w:val='berschrift1'/></w:pPr><w:r><w:t>Kapitel</w:t></w:r></w:p>\
         <w:p><w:r><w:t xml:space='preserve'>Ein </w:t></w:r><w:r><w:t>Satz &amp; mehr.</w:t></w:r>\
         <w:del><w:r><w:delText>weg</w:delText></w:r></w:del></w:p>\
         <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Zelle</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
    ));
    assert_eq!(document.kind, DocumentKind::Docx);
    assert_eq!(document.title.as_deref(), Some("A report"));
    assert_eq!(document.text, "Kapitel\n\nEin Satz & mehr.\n\nZelle");
    assert_eq!(headings(&document), [("Kapitel", 1)]);
}

#[test]
fn a_pdf_is_read_page_by_page() {
    let document = read(&pdf(&["The first page says this.", "The second page says that."]));
    assert_eq!(document.kind, DocumentKind::Pdf);
    assert_eq!(document.text, "The first page says this.\n\nThe second page says that.");
}

#[test]
fn markdown_is_read_without_its_marks() {
    let document = read(
        b"---\nauthor: x\n---\n# A title\n\nSome **bold** [link](http://x) text.\n\n## Part\n\n- one\n- two\n\n```\ncode\n```\n",
    );
    assert_eq!(document.kind, DocumentKind::Markdown);
    assert_eq!(document.title.as_deref(), Some("A title"));
    assert_eq!(document.text, "A title\n\nSome bold link text.\n\nPart\n\none\n\ntwo");
    assert_eq!(headings(&document), [("A title", 1), ("Part", 2)]);
}

#[test]
fn a_text_keeps_its_lines() {
    let document = read(b"A line\r\nand another.\r\n\r\n\r\nA paragraph.\x0cA page.");
    assert_eq!(document.kind, DocumentKind::Text);
    assert_eq!(document.text, "A line\nand another.\n\nA paragraph.\n\nA page.");
}
