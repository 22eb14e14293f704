//! Extracts text from EPUB books: the chapters in the order of the spine.

use std::collections::{HashMap, HashSet};

use crate::extract::archive::Archive;
use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::encoding::decode;
use crate::extract::error::ExtractionError;
use crate::extract::html;
use crate::extract::limits::Limits;
use crate::extract::xml::{self, Node};

const DAMAGED: ExtractionError = ExtractionError::Damaged(DocumentKind::Epub);
/// Encryption methods that only obfuscate embedded fonts; the text is readable.
const FONT_OBFUSCATION: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

pub(crate) fn read(mut archive: Archive<'_>, limits: &Limits) -> Result<Document, ExtractionError> {
    if archive.has("META-INF/rights.xml") || has_encrypted_text(&mut archive, limits)? {
        return Err(ExtractionError::Protected);
    }
    let package_path = path_of_package(&mut archive, limits)?;
    let package = archive.read(&package_path)?;
    let mut builder = DocumentBuilder::new(DocumentKind::Epub, limits);
    let chapters = chapters(&decode(&package, None), &package_path, limits, &mut builder)?;
    for path in chapters {
        // A chapter that is missing from the archive is skipped.
        if archive.has(&path) {
            let chapter = archive.read(&path)?;
            html::append_chapter(&decode(&chapter, None), &mut builder)?;
        }
    }
    Ok(builder.finish())
}

fn has_encrypted_text(archive: &mut Archive<'_>, limits: &Limits) -> Result<bool, ExtractionError> {
    if !archive.has("META-INF/encryption.xml") {
        return Ok(false);
    }
    let list = archive.read("META-INF/encryption.xml")?;
    let mut is_encrypted = false;
    xml::read(&decode(&list, None), limits.depth, DAMAGED, &mut |node| {
        if let Node::Open { name: "EncryptionMethod", attributes } = node {
            let method = attributes.get("Algorithm").unwrap_or_default();
            is_encrypted |= !FONT_OBFUSCATION.contains(&method.as_str());
        }
        Ok(())
    })?;
    Ok(is_encrypted)
}

fn path_of_package(archive: &mut Archive<'_>, limits: &Limits) -> Result<String, ExtractionError> {
    let container = archive.read("META-INF/container.xml")?;
    let mut path = None;
    xml::read(&decode(&container, None), limits.depth, DAMAGED, &mut |node| {
        if let Node::Open { name: "rootfile", attributes } = node {
            path = path.take().or_else(|| attributes.get("full-path"));
        }
        Ok(())
    })?;
    path.filter(|path| archive.has(path)).ok_or(DAMAGED)
}

/// The paths of the chapters in reading order, without duplicates.
fn chapters(
    package: &str,
    package_path: &str,
    limits: &Limits,
    builder: &mut DocumentBuilder,
) -> Result<Vec<String>, ExtractionError> {
    let folder = package_path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut items: HashMap<String, String> = HashMap::new();
    let mut spine: Vec<String> = Vec::new();
    let mut title: Option<String> = None;
    xml::read(package, limits.depth, DAMAGED, &mut |node| {
        match node {
            Node::Open { name: "item", attributes } => {
                let kind = attributes.get("media-type").unwrap_or_default();
                if (kind.contains("html") || kind == "text/x-oeb1-document")
                    && let (Some(id), Some(path)) = (attributes.get("id"), attributes.get("href"))
                {
                    items.insert(id, join(folder, &path));
                }
            }
            Node::Open { name: "itemref", attributes } => spine.extend(attributes.get("idref")),
            Node::Open { name: "title", .. } if title.is_none() => title = Some(String::new()),
            Node::Text { within: "title", text } => title.get_or_insert_default().push_str(text),
            Node::Open { .. } | Node::Close { .. } | Node::Text { .. } => {}
        }
        Ok(())
    })?;
    builder.title(&title.unwrap_or_default());
    let mut seen = HashSet::new();
    let chapters: Vec<String> =
        spine.iter().filter_map(|id| items.get(id)).filter(|path| seen.insert(path.as_str())).cloned().collect();
    if chapters.is_empty() { Err(DAMAGED) } else { Ok(chapters) }
}

/// Resolves a path relative to the package's folder: `..` is resolved and percent-encoding decoded.
fn join(folder: &str, path: &str) -> String {
    let path = path.split(['#', '?']).next().unwrap_or_default();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let decoded = percent_decoded(path);
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn percent_decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| path.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_package() {
        for (folder, path, expected) in [
            ("OEBPS", "one.xhtml", "OEBPS/one.xhtml"),
            ("OEBPS/text", "../a%20b.xhtml#top", "OEBPS/a b.xhtml"),
            ("", "../../etc/passwd", "etc/passwd"),
            ("", "a%zz%c3%a9%", "a%zzé%"),
        ] {
            assert_eq!(join(folder, path), expected);
        }
    }
}
