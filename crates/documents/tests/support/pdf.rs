//! Checks of a PDF.

use documents::{Summary, pdf};
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{Demo, ink, keep};

/// The size of an A5 page, in points.
const PAGE: (f32, f32) = (419.528, 595.276);

/// Makes the PDF, parses it and checks it.
pub fn checked_pdf(book: &Demo) {
    let Demo { name, summary, html } = book;
    let bytes = pdf(summary).unwrap_or_else(|error| panic!("{name}: {error}"));
    keep(&format!("{name}.pdf"), &bytes);
    let document = Document::load_mem(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    // A cover, a title, contents, and about 300 words on each page of text.
    let words: usize = html.iter().map(|html| html.split_whitespace().count()).sum();
    assert!(
        (words / 400 + 4..words / 150 + 6).contains(&pages.len()),
        "{name}: {} pages for {words} words",
        pages.len()
    );
    for page in document.get_pages().values() {
        checked_page(name, &document, *page);
    }
    checked_catalog(name, &document, summary);
    checked_labels(name, &document);
    checked_faces(name, &document);
    checked_text(book, &document, &pages);
}

fn checked_page(name: &str, document: &Document, page: ObjectId) {
    let page = document.get_dictionary(page).expect("a page");
    let size = page.get(b"MediaBox").and_then(Object::as_array).expect("its size");
    let size: Vec<f32> = size.iter().map(|side| side.as_float().expect("a number")).collect();
    assert!((size[2] - PAGE.0).abs() < 0.1 && (size[3] - PAGE.1).abs() < 0.1, "{name}: {size:?}");
}

/// Checks title, author, language, tags, and that the outline has every key idea.
fn checked_catalog(name: &str, document: &Document, summary: &Summary) {
    let catalog = document.catalog().expect("a catalog");
    assert_eq!(catalog.get(b"Lang").and_then(Object::as_str).expect("a language"), b"en", "{name}");
    let tags = catalog.get(b"MarkInfo").and_then(Object::as_dict).expect("marks");
    assert!(tags.get(b"Marked").and_then(Object::as_bool).expect("a mark"), "{name} is not tagged");
    let info = document.trailer.get(b"Info").and_then(Object::as_reference).expect("information");
    let info = document.get_dictionary(info).expect("information");
    let told = |key: &[u8]| lopdf::decode_text_string(info.get(key).expect("told")).expect("text");
    assert_eq!(told(b"Title"), format!("{}, a summary", summary.title));
    assert_eq!(told(b"Author"), summary.author);
    let mut outline = Vec::new();
    let root = catalog.get(b"Outlines").and_then(Object::as_reference).expect("an outline");
    entries(document, document.get_dictionary(root).expect("an outline"), &mut outline);
    for section in summary.sections.iter().filter(|section| !section.title.is_empty()) {
        let title = ink(&section.title);
        assert!(outline.iter().any(|entry| ink(entry).contains(&title)), "{name}: {} in {outline:?}", section.title);
    }
}

/// Checks that page labels match the printed page numbers: the cover is 'i', the title page 1.
fn checked_labels(name: &str, document: &Document) {
    let labels = document.catalog().expect("a catalog").get(b"PageLabels").expect("labels");
    let labels = match labels {
        Object::Reference(id) => document.get_dictionary(*id).expect("labels"),
        other => other.as_dict().expect("labels"),
    };
    let ranges = labels.get(b"Nums").and_then(Object::as_array).expect("ranges");
    let told: Vec<(i64, String, i64)> = ranges
        .chunks(2)
        .map(|range| {
            let label = match &range[1] {
                Object::Reference(id) => document.get_dictionary(*id).expect("a label"),
                other => other.as_dict().expect("a label"),
            };
            let style = label.get(b"S").and_then(Object::as_name).expect("a style");
            let first = label.get(b"St").and_then(Object::as_i64).unwrap_or(1);
            (range[0].as_i64().expect("a page"), String::from_utf8_lossy(style).into_owned(), first)
        })
        .collect();
    assert_eq!(told[..2], [(0, "r".to_owned(), 1), (1, "D".to_owned(), 1)], "{name}");
    // The numbers continue from one label range to the next.
    assert!(told[1..].windows(2).all(|two| two[1].0 - two[0].0 == two[1].2 - two[0].2), "{name}: {told:?}");
}

/// Collects the titles of an outline, in order.
fn entries(document: &Document, parent: &Dictionary, titles: &mut Vec<String>) {
    let mut next = parent.get(b"First").and_then(Object::as_reference).ok();
    while let Some(entry) = next.and_then(|id| document.get_dictionary(id).ok()) {
        titles.push(lopdf::decode_text_string(entry.get(b"Title").expect("a title")).expect("text"));
        entries(document, entry, titles);
        next = entry.get(b"Next").and_then(Object::as_reference).ok();
    }
}

/// Checks that every font is embedded and is one of the bundled ones.
fn checked_faces(name: &str, document: &Document) {
    let mut faces = 0;
    for object in document.objects.values() {
        let Ok(face) = object.as_dict() else { continue };
        if !face.get(b"Type").is_ok_and(|kind| kind.as_name().is_ok_and(|kind| kind == b"FontDescriptor")) {
            continue;
        }
        faces += 1;
        let called =
            String::from_utf8_lossy(face.get(b"FontName").and_then(Object::as_name).expect("a name")).into_owned();
        assert!(called.contains("Literata"), "{name}: {called}");
        assert!(face.has(b"FontFile2") || face.has(b"FontFile3"), "{name}: {called} is not embedded");
    }
    assert!(faces >= 3, "{name}: {faces} faces");
}

/// Checks that all words can be extracted from the PDF, so that readers can search and copy them.
fn checked_text(book: &Demo, document: &Document, pages: &[u32]) {
    let Demo { name, summary, html } = book;
    let text = document.extract_text(pages).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!text.contains('\u{fffd}'), "{name}: a character has no glyph");
    let text = ink(&text);
    for part in [&summary.title, &summary.author, &summary.description, &summary.author_description, &summary.site] {
        assert!(text.contains(&ink(part)), "{name}: {part}");
    }
    let recap = summary.recap.as_ref().expect("a recap");
    let list = format!("{}1{}2", ink(&recap.title), ink(&recap.ideas[0]));
    assert!(text.contains(&list), "{name}: {list}");
    for quote in &summary.quotes {
        assert!(text.contains(&ink(&quote.text)), "{name}: {}", quote.text);
    }
    // Only the beginning of each paragraph is searched for: a running head interrupts a paragraph that continues on the
    // next page.
    for html in html {
        for paragraph in html.split("</p>").filter_map(|rest| rest.split_once("<p>")).map(|(_, words)| words) {
            let words: Vec<&str> = paragraph.split('<').next().unwrap_or_default().split_whitespace().take(6).collect();
            let words = ink(&words.join("").replace("&amp;", "&"));
            assert!(text.contains(&words), "{name}: {words}");
        }
    }
}
