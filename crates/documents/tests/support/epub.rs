//! Checks of an EPUB.

use std::{
    collections::{HashMap, HashSet},
    io::{Cursor, Read},
};

use documents::epub;
use roxmltree::{Document, Node, ParsingOptions};
use zip::{CompressionMethod, ZipArchive};

use super::{Demo, ink, keep};

/// Makes the EPUB, unpacks it and checks it. Conformance to the standard is checked by a browser test, on the files that the
/// server sends (`frontend/e2e/files.spec.ts`).
pub fn checked_epub(book: &Demo) {
    let Demo { name, summary, .. } = book;
    let bytes = epub(summary).unwrap_or_else(|error| panic!("{name}: {error}"));
    keep(&format!("{name}.epub"), &bytes);
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip", "{name} does not begin as an EPUB");
    let mut zip = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
    let first = zip.by_index(0).expect("a file");
    assert_eq!(
        (first.name(), first.compression(), first.extra_data()),
        ("mimetype", CompressionMethod::Stored, Some(&[][..]))
    );
    drop(first);
    let mut files = HashMap::new();
    for place in 0..zip.len() {
        let mut file = zip.by_index(place).expect("a file");
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("its content");
        files.insert(file.name().to_owned(), content);
    }
    checked_package(book, &files);
    let title = ink(&summary.title);
    assert!(ink(&text_of(&files, "EPUB/title.xhtml")).contains(&title), "{name}");
}

fn xml<'a>(files: &'a HashMap<String, Vec<u8>>, name: &str) -> Document<'a> {
    let text = std::str::from_utf8(files.get(name).unwrap_or_else(|| panic!("{name} is not there"))).expect("UTF-8");
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text_of(files: &HashMap<String, Vec<u8>>, name: &str) -> String {
    let page = xml(files, name);
    page.root().descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Checks that the package lists every file once, and that all link targets exist.
fn checked_package(book: &Demo, files: &HashMap<String, Vec<u8>>) {
    let Demo { name, summary, html } = book;
    let container = xml(files, "META-INF/container.xml");
    let root = container
        .descendants()
        .find(|node| node.has_tag_name(("urn:oasis:names:tc:opendocument:xmlns:container", "rootfile")));
    assert_eq!(root.and_then(|node| node.attribute("full-path")), Some("EPUB/package.opf"));
    let package = xml(files, "EPUB/package.opf");
    let named = |tag: &str| package.descendants().filter(|node| node.tag_name().name() == tag).collect::<Vec<_>>();
    for tag in ["identifier", "title", "language", "creator", "publisher", "date"] {
        assert!(named(tag).iter().any(|node| node.text().is_some_and(|text| !text.is_empty())), "{name}: {tag}");
    }
    let told: HashSet<&str> = named("meta").iter().filter_map(|node| node.attribute("property")).collect();
    for property in
        ["dcterms:modified", "schema:accessMode", "schema:accessibilityFeature", "schema:accessibilityHazard"]
    {
        assert!(told.contains(property), "{name}: {property}");
    }
    let items: HashMap<&str, &str> = named("item")
        .iter()
        .map(|node| (node.attribute("id").expect("an id"), node.attribute("href").expect("a file")))
        .collect();
    assert_eq!(items.len(), named("item").len(), "{name}: an id twice");
    let listed: HashSet<String> = items.values().map(|file| format!("EPUB/{file}")).collect();
    let there: HashSet<String> =
        files.keys().filter(|file| file.starts_with("EPUB/") && *file != "EPUB/package.opf").cloned().collect();
    assert_eq!(listed, there, "{name}");
    let spine: Vec<&str> = named("itemref").iter().map(|node| items[node.attribute("idref").expect("an id")]).collect();
    let pages =
        named("item").iter().filter(|node| node.attribute("media-type") == Some("application/xhtml+xml")).count();
    assert_eq!((spine.first(), spine.len()), (Some(&"cover.xhtml"), pages), "{name}");
    for page in &spine {
        checked_page(name, files, page);
    }
    let nav = named("item").into_iter().find(|node| node.attribute("properties") == Some("nav")).expect("contents");
    let contents = text_of(files, &format!("EPUB/{}", nav.attribute("href").expect("a file")));
    let old = text_of(files, "EPUB/toc.ncx");
    let all: String = spine.iter().map(|page| ink(&text_of(files, &format!("EPUB/{page}")))).collect();
    let recap = text_of(files, "EPUB/recap.xhtml");
    for (section, html) in summary.sections.iter().zip(html) {
        assert!(contents.contains(&section.title) && old.contains(&section.title), "{name}: {}", section.title);
        assert!(ink(&recap).contains(&ink(&section.title)), "{name}: {} is not in the recap", section.title);
        let words: String = html.split('<').filter_map(|rest| rest.split_once('>')).map(|(_, words)| words).collect();
        let words = ink(&words.replace("&amp;", "&").replace("&quot;", "\""));
        assert!(all.contains(&words), "{name}: words of {} are missing", section.title);
    }
}

/// Checks that a page's links, pictures and stylesheet refer to existing files, and that its ids are unique.
fn checked_page(name: &str, files: &HashMap<String, Vec<u8>>, file: &str) {
    let page = xml(files, &format!("EPUB/{file}"));
    let mut ids = HashSet::new();
    for node in page.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "{name}/{file}: {id} twice");
        }
        for target in ["href", "src"].into_iter().filter_map(|attribute| node.attribute(attribute)) {
            let target = target.split('#').next().unwrap_or_default();
            assert!(
                target.starts_with("https://") || files.contains_key(&format!("EPUB/{target}")),
                "{name}/{file}: {target}"
            );
        }
    }
    assert!(page.descendants().any(|node| node.tag_name().name() == "title" && node.text().is_some()), "{name}/{file}");
}
