//! Highlights as the values of W3C's Web Annotation model (`study.annotation-json`).

use kernel::HighlightId;

use crate::{
    HighlightColor, Part,
    export::{ExportedHighlight, ExportedSource, PlaceState, utc_text},
    words::words,
};

/// A highlight as an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    pub id: HighlightId,
    /// In UTC, by ISO 8601.
    pub created: String,
    /// In UTC, by ISO 8601.
    pub modified: String,
    /// The note, if there is one, then the tags.
    pub bodies: Vec<AnnotationBody>,
    pub target: AnnotationTarget,
}

/// A textual body of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationBody {
    pub purpose: AnnotationPurpose,
    pub value: String,
}

words! {
    /// The purpose of a body, by its name in the model.
    AnnotationPurpose {
        /// The body is the note.
        Commenting = "commenting",
        /// The body is a tag.
        Tagging = "tagging",
    }
}

/// What an annotation is about: a passage of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationTarget {
    /// The page of the source; `None`: it was deleted.
    pub source: Option<String>,
    pub title: String,
    pub author: String,
    pub part: Part,
    /// The index of the section, from 0.
    pub section: u32,
    pub section_title: Option<String>,
    pub state: PlaceState,
    /// The class of the passage's style.
    pub style_class: HighlightColor,
    pub quote: TextQuoteSelector,
    /// `None`: the passage is not in the present text.
    pub position: Option<TextPositionSelector>,
}

/// The words of a passage and the text around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextQuoteSelector {
    pub exact: String,
    /// `None`: withheld (`study.export-texts`).
    pub prefix: Option<String>,
    /// `None`: withheld (`study.export-texts`).
    pub suffix: Option<String>,
}

/// Where a passage is in the text of its section, in Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPositionSelector {
    pub start: u32,
    pub end: u32,
}

/// An annotation for each highlight, by source, in the order of the text.
pub fn annotations(sources: &[ExportedSource]) -> Vec<Annotation> {
    let of_source = |source: &ExportedSource| {
        let ordered = source.in_text_order();
        ordered.into_iter().map(|highlight| annotation(source, highlight)).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
}

fn annotation(source: &ExportedSource, highlight: &ExportedHighlight) -> Annotation {
    let body = |purpose, value: &str| AnnotationBody { purpose, value: value.to_owned() };
    let note = Some(highlight.note.as_str()).filter(|note| !note.is_empty());
    let tags = highlight.tags.iter().map(|tag| body(AnnotationPurpose::Tagging, tag.as_str()));
    let context = highlight.context.as_ref();
    Annotation {
        id: highlight.id,
        created: utc_text(highlight.created_at),
        modified: utc_text(highlight.edited_at),
        bodies: note.map(|note| body(AnnotationPurpose::Commenting, note)).into_iter().chain(tags).collect(),
        target: AnnotationTarget {
            source: source.url.clone(),
            title: source.title.clone(),
            author: source.author.clone(),
            part: highlight.part,
            section: highlight.range.section,
            section_title: highlight.section_title.clone(),
            state: highlight.state,
            style_class: highlight.color,
            quote: TextQuoteSelector {
                exact: highlight.words.clone(),
                prefix: context.map(|context| context.prefix.clone()),
                suffix: context.map(|context| context.suffix.clone()),
            },
            position: (highlight.state != PlaceState::Gone)
                .then_some(TextPositionSelector { start: highlight.range.start, end: highlight.range.end }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Annotation, AnnotationBody, AnnotationPurpose, AnnotationTarget, TextPositionSelector, TextQuoteSelector,
        annotations,
    };
    use crate::{
        ExportedHighlight, HighlightColor, HighlightContext, Note, Part, PlaceRange, PlaceState,
        export::tests::{NOW, highlight, source, tag},
    };

    #[test]
    fn an_annotation_has_the_note_the_tags_and_both_selectors() {
        let noted = ExportedHighlight {
            note: Note::new("Why?").expect("a note"),
            tags: vec![tag("Deep Work"), tag("life")],
            context: Some(HighlightContext { prefix: "before ".to_owned(), suffix: String::new() }),
            section_title: Some("Economy".to_owned()),
            range: PlaceRange { section: 2, start: 7, end: 12 },
            color: HighlightColor::Sky,
            edited_at: NOW.plus(61_000),
            ..highlight(9, "words")
        };
        let body = |purpose, value: &str| AnnotationBody { purpose, value: value.to_owned() };
        let expected = Annotation {
            id: noted.id,
            created: "2026-03-10T12:00:00Z".to_owned(),
            modified: "2026-03-10T12:01:01Z".to_owned(),
            bodies: vec![
                body(AnnotationPurpose::Commenting, "Why?"),
                body(AnnotationPurpose::Tagging, "Deep Work"),
                body(AnnotationPurpose::Tagging, "life"),
            ],
            target: AnnotationTarget {
                source: Some("https://pith.example/books/walden".to_owned()),
                title: "Walden".to_owned(),
                author: "Henry David Thoreau".to_owned(),
                part: Part::Text,
                section: 2,
                section_title: Some("Economy".to_owned()),
                state: PlaceState::Same,
                style_class: HighlightColor::Sky,
                quote: TextQuoteSelector {
                    exact: "words".to_owned(),
                    prefix: Some("before ".to_owned()),
                    suffix: Some(String::new()),
                },
                position: Some(TextPositionSelector { start: 7, end: 12 }),
            },
        };
        assert_eq!(annotations(&[source(vec![noted])]), [expected]);
    }

    #[test]
    fn a_withheld_context_is_absent_and_not_empty() {
        let [annotation] = annotations(&[source(vec![highlight(9, "words")])]).try_into().expect("one annotation");
        assert_eq!((annotation.target.quote.prefix, annotation.target.quote.suffix), (None, None));
        assert_eq!(annotation.bodies, []);
    }

    #[test]
    fn a_passage_that_is_gone_has_no_position() {
        let gone = ExportedHighlight { state: PlaceState::Gone, ..highlight(9, "words") };
        let changed = ExportedHighlight { state: PlaceState::Changed, ..highlight(8, "words") };
        let [changed, gone] = annotations(&[source(vec![gone, changed])]).try_into().expect("two annotations");
        assert_eq!(changed.target.position, Some(TextPositionSelector { start: 10, end: 20 }));
        assert_eq!((gone.target.state, gone.target.position), (PlaceState::Gone, None));
    }

    #[test]
    fn the_words_of_purposes_are_read_back() {
        for purpose in AnnotationPurpose::ALL {
            assert_eq!(purpose.as_str().parse(), Ok(*purpose));
        }
    }
}
