//! Extracts text from Word documents (Office Open XML): the paragraphs of the body.

use std::collections::HashMap;

use crate::extract::archive::Archive;
use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::encoding::decode;
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;
use crate::extract::xml::{self, Node};

const DAMAGED: ExtractionError = ExtractionError::Damaged(DocumentKind::Docx);

/// Reads a document. Tracked deletions, field codes and footnotes are left out.
pub(crate) fn read(mut archive: Archive<'_>, limits: &Limits) -> Result<Document, ExtractionError> {
    let mut builder = DocumentBuilder::new(DocumentKind::Docx, limits);
    if archive.has("docProps/core.xml") {
        let properties = archive.read("docProps/core.xml")?;
        let mut title = String::new();
        xml::read(&decode(&properties, None), limits.depth, DAMAGED, &mut |node| {
            if let Node::Text { within: "title", text } = node {
                title.push_str(text);
            }
            Ok(())
        })?;
        builder.title(&title);
    }
    let levels = if archive.has("word/styles.xml") {
        let styles = archive.read("word/styles.xml")?;
        heading_levels(&decode(&styles, None), limits)?
    } else {
        HashMap::new()
    };
    let body = archive.read("word/document.xml")?;
    append_body(&decode(&body, None), &levels, limits, &mut builder)?;
    Ok(builder.finish())
}

/// Maps style ids of headings to their levels, by the style's name: ids depend on the language of Word, names do not.
fn heading_levels(styles: &str, limits: &Limits) -> Result<HashMap<String, u8>, ExtractionError> {
    let mut levels = HashMap::new();
    let mut style: Option<String> = None;
    xml::read(styles, limits.depth, DAMAGED, &mut |node| {
        match node {
            Node::Open { name: "style", attributes } => style = attributes.get("styleId"),
            Node::Open { name: "name", attributes } => {
                let name = attributes.get("val").unwrap_or_default().to_lowercase();
                if let (Some(id), Some(level)) = (&style, level_of(&name)) {
                    levels.insert(id.clone(), level);
                }
            }
            Node::Open { .. } | Node::Close { .. } | Node::Text { .. } => {}
        }
        Ok(())
    })?;
    Ok(levels)
}

fn level_of(name: &str) -> Option<u8> {
    if name == "title" {
        return Some(1);
    }
    name.strip_prefix("heading")?.trim().parse().ok().filter(|level| (1..=6).contains(level))
}

fn append_body(
    body: &str,
    levels: &HashMap<String, u8>,
    limits: &Limits,
    builder: &mut DocumentBuilder,
) -> Result<(), ExtractionError> {
    let mut paragraph = String::new();
    let mut level = None;
    xml::read(body, limits.depth, DAMAGED, &mut |node| {
        match node {
            Node::Text { within: "t", text } => paragraph.push_str(text),
            Node::Open { name: "tab" | "br" | "cr", .. } => paragraph.push(' '),
            Node::Open { name: "noBreakHyphen", .. } => paragraph.push('-'),
            Node::Open { name: "pStyle", attributes } => {
                let style = attributes.get("val").unwrap_or_default();
                level = levels.get(&style).copied().or_else(|| level_of(&style.to_lowercase()));
            }
            Node::Close { name: "p" } => {
                let text = std::mem::take(&mut paragraph);
                match level.take() {
                    Some(level) => builder.heading(&text, level)?,
                    None => builder.paragraph(&text)?,
                }
            }
            Node::Open { .. } | Node::Close { .. } | Node::Text { .. } => {}
        }
        Ok(())
    })
}
