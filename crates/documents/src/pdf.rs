//! A summary as a PDF, set by Typst.

use std::sync::LazyLock;

use typst::foundations::{Array, Bytes, Datetime, Dict, IntoValue, Smart, Value, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::{
    DocumentError, Picture, PictureKind, Summary,
    text::{Block, Inline, read},
};

static REGULAR: &[u8] = include_bytes!("../fonts/Literata-Regular.ttf");
static ITALIC: &[u8] = include_bytes!("../fonts/Literata-Italic.ttf");
static SEMIBOLD: &[u8] = include_bytes!("../fonts/Literata-SemiBold.ttf");
static DISPLAY: &[u8] = include_bytes!("../fonts/Literata-Display-SemiBold.ttf");

/// The typesetter with its faces. It has no way to a file or to the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> = LazyLock::new(|| {
    TypstEngine::builder()
        .main_file(include_str!("../templates/summary.typ"))
        .fonts([REGULAR, ITALIC, SEMIBOLD, DISPLAY].map(Bytes::new))
        .build()
});

/// The PDF of a summary: cover, title, contents, key ideas, quotes, the author. It is tagged for screen readers
/// (PDF/UA-1) and has an outline.
pub fn pdf(summary: &Summary) -> Result<Vec<u8>, DocumentError> {
    let document: PagedDocument =
        ENGINE.compile_with_input(inputs(summary)?).output.map_err(|error| DocumentError::Pdf(error.to_string()))?;
    let options = PdfOptions {
        ident: Smart::Custom(summary.url.clone()),
        creator: Smart::Custom(Some(summary.site.clone())),
        standards: PdfStandards::new(&[PdfStandard::Ua_1])
            .map_err(|error| DocumentError::Pdf(error.message().to_string()))?,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|errors| {
        let messages: Vec<String> = errors.iter().map(|error| error.message.to_string()).collect();
        DocumentError::Pdf(messages.join("; "))
    })
}

/// The summary as values. Words go in as words: nothing of them is read as markup.
fn inputs(summary: &Summary) -> Result<Dict, DocumentError> {
    if summary.sections.is_empty() {
        return Err(DocumentError::Empty);
    }
    let mut sections = Array::new();
    for section in &summary.sections {
        sections.push(dict! { "title" => section.title.as_str(), "blocks" => blocks(&read(section)?) }.into_value());
    }
    let quotes: Array = summary
        .quotes
        .iter()
        .map(|quote| dict! { "text" => quote.text.as_str(), "place" => quote.place.as_str() }.into_value())
        .collect();
    let edited = Datetime::from_ymd(summary.edited.year, summary.edited.month, summary.edited.day);
    Ok(dict! {
        "url" => summary.url.as_str(),
        "title" => summary.title.as_str(),
        "author" => summary.author.as_str(),
        "author_description" => summary.author_description.as_str(),
        "description" => summary.description.as_str(),
        "minutes" => i64::from(summary.minutes),
        "subjects" => summary.subjects.iter().map(|subject| subject.as_str().into_value()).collect::<Array>(),
        "sections" => sections,
        "quotes" => quotes,
        "cover" => summary.cover.as_ref().map_or(Value::None, picture),
        "language" => summary.language.as_str(),
        "site" => summary.site.as_str(),
        "edited" => edited.map_or(Value::None, IntoValue::into_value),
    })
}

fn picture(picture: &Picture) -> Value {
    let format = match picture.kind {
        PictureKind::Svg => "svg",
        PictureKind::Png => "png",
        PictureKind::Jpeg => "jpg",
    };
    dict! { "bytes" => Bytes::new(picture.bytes.clone()), "format" => format }.into_value()
}

fn blocks(all: &[Block]) -> Array {
    all.iter().map(|block| block_value(block).into_value()).collect()
}

fn block_value(block: &Block) -> Dict {
    match block {
        Block::Heading(words) => dict! { "kind" => "heading", "line" => line(words) },
        Block::Paragraph(words) => dict! { "kind" => "paragraph", "line" => line(words) },
        Block::List { ordered, items } => {
            let items: Array = items.iter().map(|item| blocks(item).into_value()).collect();
            dict! { "kind" => "list", "ordered" => *ordered, "items" => items }
        }
        Block::Quote(inner) => dict! { "kind" => "quote", "blocks" => blocks(inner) },
        Block::Rule => dict! { "kind" => "rule" },
    }
}

fn line(words: &[Inline]) -> Array {
    words.iter().map(|inline| inline_value(inline).into_value()).collect()
}

fn inline_value(inline: &Inline) -> Dict {
    match inline {
        Inline::Text(text) => dict! { "kind" => "text", "text" => text.as_str() },
        Inline::Break => dict! { "kind" => "break" },
        Inline::Emphasis(inner) => dict! { "kind" => "emphasis", "line" => line(inner) },
        Inline::Strong(inner) => dict! { "kind" => "strong", "line" => line(inner) },
        Inline::Link(href, inner) => dict! { "kind" => "link", "href" => href.as_str(), "line" => line(inner) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::example;

    #[test]
    fn what_looks_like_code_is_set_as_words() {
        let bytes = pdf(&example()).expect("a PDF");
        let document = lopdf::Document::load_mem(&bytes).expect("a PDF to read");
        let pages: Vec<u32> = document.get_pages().keys().copied().collect();
        let text = document.extract_text(&pages).expect("text");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("#emph[no code] $x$ <b>"), "{words}");
    }

    #[test]
    fn the_same_summary_gives_the_same_bytes() {
        assert_eq!(pdf(&example()).expect("a PDF"), pdf(&example()).expect("a PDF"));
    }

    #[test]
    fn a_summary_without_text_is_refused() {
        let empty = Summary { sections: Vec::new(), ..example() };
        assert!(matches!(pdf(&empty), Err(DocumentError::Empty)));
    }
}
