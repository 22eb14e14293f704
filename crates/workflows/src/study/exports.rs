//! Exports of a member's highlights (`study.free-exports`): in all formats from the same values.

use std::collections::{HashMap, hash_map::Entry};

use catalogue::CatalogueQueries;
use kernel::{Limit, StoreError, SummaryId, Timestamp, UserId};
use study::{ExportedHighlight, ExportedSource, HighlightSource, markdown_files};
use summaries::MemberSummaryQueries;
use zip::result::ZipError;

use crate::{
    study::{
        highlights::highlight_changes,
        shown::{ReadableSources, ShownHighlight, books_of},
    },
    tx::Tx,
    zip_file::ZipFile,
};

/// What highlights are grouped by in an export: their source, or its name if it was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Group {
    Source(HighlightSource),
    Deleted { title: String, author: String },
}

/// All of a member's highlights without the deleted ones, by source. The source whose highlight was changed first comes first.
pub fn exported_sources<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<ExportedSource>, StoreError> {
    let mut sources: Vec<ExportedSource> = Vec::new();
    let mut places: HashMap<Group, usize> = HashMap::new();
    let mut ideas: HashMap<SummaryId, Vec<String>> = HashMap::new();
    let mut after = Some(0);
    while let Some(version) = after {
        let page = highlight_changes(tx, member, version, Limit::clamped(Limit::MAX))?;
        let readable = ReadableSources::of(tx, member, &page.highlights)?;
        let titles = tx.pg.section_titles(&books_of(&page.highlights))?;
        for shown in page.highlights.into_iter().filter(|shown| shown.stored.highlight.state.is_shown()) {
            let titles = match shown.stored.highlight.source {
                Some(HighlightSource::Book(book)) => titles.get(&book).map_or(&[][..], Vec::as_slice),
                Some(HighlightSource::Summary(summary)) => match ideas.entry(summary) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(idea_titles(tx, member, summary)?),
                },
                None => &[],
            };
            let exported = ExportedHighlight::of_stored(&shown.stored, titles, readable.has(&shown));
            let source = source_of(tx, &shown);
            let index = *places.entry(group_of(&shown)).or_insert_with(|| {
                sources.push(source);
                sources.len() - 1
            });
            sources[index].highlights.push(exported);
        }
        after = page.next;
    }
    Ok(sources)
}

fn idea_titles<A>(tx: &mut Tx<'_, '_, A>, member: UserId, summary: SummaryId) -> Result<Vec<String>, StoreError> {
    let text = tx.pg.member_summary_text(member, summary)?;
    Ok(text.map_or_else(Vec::new, |text| text.ideas.into_iter().map(|idea| idea.title).collect()))
}

fn group_of(shown: &ShownHighlight) -> Group {
    let highlight = &shown.stored.highlight;
    highlight.source.map_or_else(
        || Group::Deleted { title: highlight.source_title.clone(), author: highlight.source_author.clone() },
        Group::Source,
    )
}

/// The source of a highlight, without highlights.
pub(super) fn source_of<A>(tx: &Tx<'_, '_, A>, shown: &ShownHighlight) -> ExportedSource {
    let highlight = &shown.stored.highlight;
    let (title, author, path) = match (&shown.book, highlight.source) {
        (Some(book), _) => (&book.title, &book.author, Some(format!("/books/{}", book.subid))),
        (None, Some(HighlightSource::Summary(summary))) => {
            (&highlight.source_title, &highlight.source_author, Some(format!("/ai/{summary}")))
        }
        (None, Some(HighlightSource::Book(_)) | None) => (&highlight.source_title, &highlight.source_author, None),
    };
    ExportedSource {
        title: title.clone(),
        author: author.clone(),
        url: path.map(|path| tx.settings.link(&path)),
        highlights: Vec::new(),
    }
}

/// The Markdown files of the sources as a zip (`study.markdown-files`).
///
/// # Errors
/// If the zip can't be written.
pub fn markdown_zip(sources: &[ExportedSource], now: Timestamp) -> Result<Vec<u8>, ZipError> {
    let mut zip = ZipFile::new(now);
    for (name, text) in markdown_files(sources, now) {
        zip.text(&name, &text)?;
    }
    zip.finish()
}
