//! `idea_links.toml`: links between key ideas of different books, which are named by their headings.

use std::collections::HashMap;

use anyhow::anyhow;
use catalogue::{
    CatalogueQueries, IdeaLink, IdeaLinkCommands, IdeaLinkDraft, IdeaLinkFilter, IdeaLinkQueries, IdeaLinksQuery,
    IdeaRef, LinkKind, LinkState, LinkedIdea,
};
use kernel::{BookId, Limit, Page, SaveOutcome, Slug, StoreError};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use super::{Tally, at, reader::Reader};

pub(super) const IDEA_LINKS: &str = "idea_links.toml";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdeaLinksFile {
    pub(super) link: Vec<IdeaLinkEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdeaLinkEntry {
    /// `agrees`, `contradicts` or `builds-on`.
    kind: String,
    note: String,
    /// Whether readers see it.
    #[serde(default = "yes")]
    published: bool,
    from: IdeaEnd,
    to: IdeaEnd,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IdeaEnd {
    /// The slug of the book.
    book: String,
    /// The heading of the idea.
    idea: String,
}

const fn yes() -> bool {
    true
}

/// A link whose books are named by their slugs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeedIdeaLink {
    pub(super) ends: [(Slug, String); 2],
    kind: LinkKind,
    note: String,
    published: bool,
}

impl Reader<'_> {
    /// The links; none without an `idea_links.toml`.
    pub(super) fn idea_links(&mut self) -> anyhow::Result<Vec<SeedIdeaLink>> {
        let Some(file) = self.toml::<IdeaLinksFile>(IDEA_LINKS)? else { return Ok(Vec::new()) };
        let mut links = Vec::new();
        for IdeaLinkEntry { kind, note, published, from, to } in file.link {
            let books = (self.slug(IDEA_LINKS, "from", &from.book), self.slug(IDEA_LINKS, "to", &to.book));
            let Ok(kind) = kind.parse::<LinkKind>() else {
                self.problem(IDEA_LINKS, "kind", format!("'{kind}' is none"));
                continue;
            };
            if let (Some(from_book), Some(to_book)) = books {
                links.push(SeedIdeaLink { ends: [(from_book, from.idea), (to_book, to.idea)], kind, note, published });
            }
        }
        Ok(links)
    }
}

/// Saves the links that are new or have changed.
pub(super) fn save(pg: &mut Pg<'_>, links: &[SeedIdeaLink], tally: &mut Tally) -> anyhow::Result<()> {
    let wanted: Vec<Slug> = links.iter().flat_map(|link| link.ends.clone()).map(|(book, _)| book).collect();
    let books: HashMap<Slug, BookId> =
        pg.books_called(&wanted)?.into_iter().map(|book| (book.subid, book.id)).collect();
    for link in links {
        let end = |(book, idea): &(Slug, String)| {
            let missing = || anyhow!("{IDEA_LINKS}: there is no books/{book}");
            Ok::<_, anyhow::Error>(IdeaRef { book: *books.get(book).ok_or_else(missing)?, idea: idea.clone() })
        };
        let (from, to) = (end(&link.ends[0])?, end(&link.ends[1])?);
        let state = if link.published { LinkState::Published } else { LinkState::Draft };
        let draft = IdeaLinkDraft { from, to, kind: link.kind, note: link.note.clone(), state };
        let draft = draft.normalised().map_err(|error| at(IDEA_LINKS, &link.ends[0].1, error))?;
        tally.count(&save_link(pg, &draft)?);
    }
    Ok(())
}

fn save_link(pg: &mut Pg<'_>, draft: &IdeaLinkDraft) -> Result<SaveOutcome<()>, StoreError> {
    let Some(id) = pg.find_idea_link(&draft.from, &draft.to)? else {
        pg.insert_idea_link(draft)?;
        return Ok(SaveOutcome::Created(()));
    };
    if pg.idea_link(id)?.is_some_and(|there| IdeaLinkDraft::from(&there) == *draft) {
        return Ok(SaveOutcome::Unchanged(()));
    }
    pg.update_idea_link(id, draft)?;
    Ok(SaveOutcome::Changed(()))
}

/// All links but the dismissed ones, in the order in which they were added; `None` without any.
pub(super) fn export(pg: &mut Pg<'_>) -> Result<Option<IdeaLinksFile>, StoreError> {
    let limit = Limit::clamped(Limit::MAX);
    let all: Vec<IdeaLink> = Page::all(|after| {
        let query = IdeaLinksQuery { filter: IdeaLinkFilter::default(), after, limit };
        Ok::<_, StoreError>(Page::from_surplus(pg.listed_idea_links(&query)?, limit, |last| last.id))
    })?;
    let end = |LinkedIdea { book, idea, .. }: LinkedIdea| IdeaEnd { book: book.subid.to_string(), idea };
    let kept = all.into_iter().rev().filter(|link| link.state != LinkState::Dismissed);
    let link: Vec<IdeaLinkEntry> = kept
        .map(|IdeaLink { from, to, kind, note, state, .. }| IdeaLinkEntry {
            kind: kind.as_str().to_owned(),
            note,
            published: state == LinkState::Published,
            from: end(from),
            to: end(to),
        })
        .collect();
    Ok(if link.is_empty() { None } else { Some(IdeaLinksFile { link }) })
}
