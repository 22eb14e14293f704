//! A summary as a PDF, typeset by Typst.

use std::sync::LazyLock;

use typst::foundations::{Array, Bytes, Datetime, Dict, IntoValue, Smart, Value, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::{
    DocumentError, Picture, PictureKind, Summary,
    glyphs::{MISSING, faces, settable},
    text::{Block, Inline},
};

/// The maximum length of a link's URL that the typesetter accepts, in characters.
const LONGEST_LINK: usize = 2000;

/// The typesetter with its fonts. It has no access to files or the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> =
    LazyLock::new(|| TypstEngine::builder().main_file(include_str!("../templates/summary.typ")).fonts(faces()).build());

/// Makes the PDF of a summary: cover, title, contents, key ideas, recap, quotes, author. It is tagged for screen readers (PDF/UA-1)
/// and has an outline. A cover that can't be typeset, for instance because the fonts lack its letters, is replaced by the
/// title.
pub fn pdf(summary: &Summary) -> Result<Vec<u8>, DocumentError> {
    match (set(summary, summary.cover.as_ref()), &summary.cover) {
        (Err(DocumentError::Pdf(_)), Some(_)) => set(summary, None),
        (done, _) => done,
    }
}

fn set(summary: &Summary, cover: Option<&Picture>) -> Result<Vec<u8>, DocumentError> {
    typeset(&ENGINE, inputs(summary, cover)?, &summary.url, &summary.site)
}

/// Typesets a template and writes a tagged PDF (PDF/UA-1). `ident` identifies the document, `site` is the name of its creator.
pub(crate) fn typeset(
    engine: &TypstEngine<TypstTemplateMainFile>,
    inputs: Dict,
    ident: &str,
    site: &str,
) -> Result<Vec<u8>, DocumentError> {
    let document: PagedDocument =
        engine.compile_with_input(inputs).output.map_err(|error| DocumentError::Pdf(error.to_string()))?;
    let options = PdfOptions {
        ident: Smart::Custom(ident.to_owned()),
        creator: Smart::Custom(Some(site.to_owned())),
        standards: PdfStandards::new(&[PdfStandard::Ua_1])
            .map_err(|error| DocumentError::Pdf(error.message().to_string()))?,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|errors| {
        let messages: Vec<String> = errors.iter().map(|error| error.message.to_string()).collect();
        DocumentError::Pdf(messages.join("; "))
    })
}

/// The summary as template values. Text is passed as strings, so it is never interpreted as markup.
fn inputs(summary: &Summary, cover: Option<&Picture>) -> Result<Dict, DocumentError> {
    if summary.sections.is_empty() {
        return Err(DocumentError::Empty);
    }
    let mut sections = Array::new();
    for section in &summary.sections {
        sections.push(dict! { "title" => words(&section.title), "blocks" => blocks(&section.blocks) }.into_value());
    }
    let quotes: Array = summary
        .quotes
        .iter()
        .map(|quote| dict! { "text" => words(&quote.text), "place" => words(&quote.place) }.into_value())
        .collect();
    let recap = summary.recap.as_ref().map(|recap| {
        let ideas: Array = recap.ideas.iter().map(|idea| words(idea).into_value()).collect();
        dict! { "title" => words(&recap.title), "ideas" => ideas }.into_value()
    });
    let title = words(&summary.title);
    let edited = Datetime::from_ymd(summary.edited.year, summary.edited.month, summary.edited.day);
    Ok(dict! {
        "about" => about(summary),
        "url" => summary.url.as_str(),
        "address" => words(summary.url.split_once("://").map_or(&summary.url, |(_, rest)| rest)),
        "title" => if title.is_empty() { MISSING.to_string() } else { title },
        "author" => words(&summary.author),
        "author_description" => words(&summary.author_description),
        "description" => words(&summary.description),
        "minutes" => i64::from(summary.minutes),
        "subjects" => summary.subjects.iter().map(|subject| words(subject).into_value()).collect::<Array>(),
        "sections" => sections,
        "recap" => recap.unwrap_or(Value::None),
        "quotes" => quotes,
        "cover" => cover.map_or(Value::None, picture),
        "language" => summary.language.as_str(),
        "site" => words(&summary.site),
        "edited" => edited.map_or(Value::None, IntoValue::into_value),
    })
}

/// Trimmed text with only characters that the fonts have. Empty for text without visible characters.
pub(crate) fn words(text: &str) -> String {
    settable(text).trim().to_owned()
}

/// Text that is not typeset, so that characters which the fonts lack stay.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// The PDF's metadata.
fn about(summary: &Summary) -> Dict {
    dict! {
        "title" => plain(&summary.title),
        "author" => plain(&summary.author),
        "description" => plain(&summary.description),
        "subjects" => summary.subjects.iter().map(|subject| plain(subject).into_value()).collect::<Array>(),
    }
}

pub(crate) fn picture(picture: &Picture) -> Value {
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
        // A heading without visible characters would be an unnamed entry of the outline.
        Block::Heading(words) if is_blank(words) => dict! { "kind" => "paragraph", "line" => Array::new() },
        Block::Heading(words) => dict! { "kind" => "heading", "line" => line(words) },
        Block::Paragraph(words) => dict! { "kind" => "paragraph", "line" => line(words) },
        Block::List { ordered, items } => {
            let items: Array = items.iter().map(|item| blocks(item).into_value()).collect();
            dict! { "kind" => "list", "ordered" => *ordered, "items" => items }
        }
        Block::Quote(inner) => dict! { "kind" => "quote", "blocks" => blocks(inner) },
        Block::Rule => dict! { "kind" => "rule" },
        Block::Picture { picture: shown, alt } => {
            dict! { "kind" => "picture", "picture" => picture(shown), "alt" => plain(alt) }
        }
    }
}

fn is_blank(line: &[Inline]) -> bool {
    line.iter().all(|inline| match inline {
        Inline::Text(text) => words(text).is_empty(),
        Inline::Break => true,
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Link(_, inner) => is_blank(inner),
    })
}

fn line(words: &[Inline]) -> Array {
    words.iter().map(|inline| inline_value(inline).into_value()).collect()
}

fn inline_value(inline: &Inline) -> Dict {
    match inline {
        Inline::Text(text) => dict! { "kind" => "text", "text" => settable(text) },
        Inline::Break => dict! { "kind" => "break" },
        Inline::Emphasis(inner) => dict! { "kind" => "emphasis", "line" => line(inner) },
        Inline::Strong(inner) => dict! { "kind" => "strong", "line" => line(inner) },
        // The typesetter rejects longer URLs: keep only the text.
        Inline::Link(href, inner) if href.is_empty() || href.chars().count() > LONGEST_LINK => {
            dict! { "kind" => "words", "line" => line(inner) }
        }
        Inline::Link(href, inner) => dict! { "kind" => "link", "href" => href.as_str(), "line" => line(inner) },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        PictureKind, Quotation, Section,
        summary::{dot, example},
    };

    fn words_of(bytes: &[u8]) -> String {
        let document = lopdf::Document::load_mem(bytes).expect("a PDF to read");
        let pages: Vec<u32> = document.get_pages().keys().copied().collect();
        document.extract_text(&pages).expect("text").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The example summary with this text in every field.
    fn all_over(text: &str) -> Summary {
        let words = || vec![Inline::Text(text.to_owned())];
        let blocks = vec![
            Block::Paragraph([words(), vec![Inline::Emphasis(words())]].concat()),
            Block::Heading(words()),
            Block::List {
                ordered: false,
                items: vec![vec![Block::Paragraph([words(), vec![Inline::Strong(words())]].concat())]],
            },
            Block::Quote(vec![Block::Paragraph(vec![Inline::Link(text.to_owned(), words())])]),
        ];
        Summary {
            title: text.to_owned(),
            author: text.to_owned(),
            author_description: text.to_owned(),
            description: text.to_owned(),
            subjects: vec![text.to_owned()],
            sections: vec![Section { title: text.to_owned(), blocks }, example().sections[0].clone()],
            quotes: vec![Quotation { text: text.to_owned(), place: text.to_owned() }],
            site: text.to_owned(),
            ..example()
        }
    }

    #[test]
    fn what_looks_like_code_is_set_as_words() {
        let words = words_of(&pdf(&example()).expect("a PDF"));
        assert!(words.contains("#emph[no code] $x$ <b>"), "{words}");
    }

    #[test]
    fn signs_and_other_scripts_are_set_and_can_be_searched_for() {
        let text = "α ≈ β → Ж, 孫子, self\u{2011}made, 10\u{202f}%, שלום, 한";
        let bytes = pdf(&all_over(text)).expect("a PDF");
        let words = words_of(&bytes).replace('\u{2060}', "");
        for part in ["α ≈ β → Ж, 孫子", "self-made, 10 %", "□"] {
            assert!(words.matches(part).count() >= 10, "{part} in {words}");
        }
        let document = lopdf::Document::load_mem(&bytes).expect("a PDF to read");
        let info = document.trailer.get(b"Info").and_then(lopdf::Object::as_reference).expect("information");
        let title = document.get_dictionary(info).and_then(|info| info.get(b"Title")).expect("a title");
        assert_eq!(lopdf::decode_text_string(title).expect("text"), format!("{text}, a summary"));
    }

    #[test]
    fn a_cover_with_letters_that_no_face_has_is_no_hindrance() {
        for letters in ["孫子", "한글"] {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900"><text x="9" y="99" font-family="Literata,serif">{letters}</text></svg>"#
            );
            let cover = Some(Picture { bytes: svg.into_bytes(), kind: PictureKind::Svg });
            assert!(pdf(&Summary { cover, ..example() }).is_ok(), "{letters}");
        }
        let broken = Some(Picture { bytes: b"no picture".to_vec(), kind: PictureKind::Png });
        assert!(pdf(&Summary { cover: broken, ..example() }).is_ok());
    }

    proptest! {
        // Each case is a document of six pages.
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn a_pdf_is_made_of_any_text(text in prop_oneof![any::<String>(), "[\\PC\\p{M}]{0,40}", "[α-ωА-я一-龥א-ת\\p{M} -]{0,40}"]) {
            let made = pdf(&all_over(&text));
            prop_assert!(made.is_ok(), "{:?}", made.err());
        }
    }

    #[test]
    fn a_picture_of_the_text_is_described_or_decoration() {
        let mut summary = example();
        let Block::Picture { picture, .. } = dot(2) else { panic!("a picture") };
        let decoration = Block::Picture { picture, alt: String::new() };
        summary.sections[0].blocks.push(Block::List { ordered: false, items: vec![vec![dot(1)], vec![decoration]] });
        let bytes = pdf(&summary).expect("a PDF that is tagged as PDF/UA-1 asks");
        let document = lopdf::Document::load_mem(&bytes).expect("a PDF to read");
        let dictionaries = || document.objects.values().filter_map(|object| object.as_dict().ok());
        let described = dictionaries().filter_map(|one| lopdf::decode_text_string(one.get(b"Alt").ok()?).ok());
        assert_eq!(described.collect::<Vec<_>>(), ["A dot & <nothing> else"]);
        let streams = document.objects.values().filter_map(|object| object.as_stream().ok());
        let pictures = streams
            .filter(|one| one.dict.get(b"Subtype").and_then(lopdf::Object::as_name).is_ok_and(|name| name == b"Image"));
        assert_eq!(pictures.count(), 2);
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
