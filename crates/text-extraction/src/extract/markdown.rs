//! Extracts text from Markdown.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;

/// Reads Markdown; its first level-1 heading is the title. Code and raw HTML are left out.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Document, ExtractionError> {
    let mut builder = DocumentBuilder::new(DocumentKind::Markdown, limits);
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut block = String::new();
    let mut is_left_out = false;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_)) => is_left_out = true,
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => is_left_out = false,
            Event::End(TagEnd::Heading(level)) => {
                if level as u8 == 1 {
                    builder.title(&block);
                }
                builder.heading(&std::mem::take(&mut block), level as u8)?;
            }
            Event::Start(Tag::Item | Tag::Heading { .. } | Tag::Paragraph)
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead) => {
                builder.paragraph(&std::mem::take(&mut block))?;
            }
            Event::End(TagEnd::TableCell) | Event::SoftBreak | Event::HardBreak => block.push(' '),
            Event::Text(said) | Event::Code(said) if !is_left_out => block.push_str(&said),
            _ => {}
        }
    }
    builder.paragraph(&block)?;
    Ok(builder.finish())
}
