//! Links between key ideas for editors on the wire.

use catalogue::{BookRef, IdeaLink, IdeaLinkEdit, IdeaLinkFilter, IdeaLinksQuery};
use kernel::Limit;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::{catalogue::editing::idea_links::ProposedLink, editing::Versioned};

use crate::{
    catalogue::types::{
        book_name::BookName,
        idea_links::{IdeaLinkKind, IdeaLinkState, LinkedIdea},
    },
    editing::Version,
    http::{
        error::ApiError,
        wire::page::{ListCount, after, given, limit},
    },
};

/// Query parameters of the list of links: filters and cursor.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IdeaLinksParams {
    /// Part of an idea, of a note or of a book's title, or a complete id.
    q: Option<String>,
    /// Only links in this state.
    #[param(inline)]
    state: Option<IdeaLinkState>,
    /// Only links of this kind.
    #[param(inline)]
    kind: Option<IdeaLinkKind>,
    /// The id or slug of a book: only its links.
    book_id: Option<String>,
    /// True: only those of which an idea's heading is no longer in its book. Default: false.
    lost: Option<bool>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl IdeaLinksParams {
    /// Parses and validates the parameters.
    pub(crate) fn read(&self) -> Result<IdeaLinksQuery, ApiError> {
        Ok(IdeaLinksQuery {
            filter: IdeaLinkFilter {
                text: given(self.q.as_deref()).map(str::to_owned),
                state: self.state.map(Into::into),
                kind: self.kind.map(Into::into),
                book: book_in_query(self.book_id.as_deref())?,
                lost: self.lost.unwrap_or(false),
            },
            after: after(self.after.as_deref())?,
            limit: limit(self.limit, Limit::MAX, Limit::MAX)?,
        })
    }
}

fn book_in_query(book: Option<&str>) -> Result<Option<BookRef>, ApiError> {
    let unknown = || ApiError::invalid("bookId", "There is no such book.");
    given(book).map(|book| BookRef::parse(book).ok_or_else(unknown)).transpose()
}

/// The query parameter of calls about the ideas of a book.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IdeasOfBookParams {
    /// The id or slug of a book.
    book_id: Option<String>,
}

impl IdeasOfBookParams {
    /// The book; `None` when none is named.
    pub(crate) fn read(&self) -> Result<Option<BookRef>, ApiError> {
        book_in_query(self.book_id.as_deref())
    }
}

/// A link between key ideas of two books.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorIdeaLink {
    /// The id of the link.
    id: i64,
    /// Of `builds-on` the idea that builds on the other; of the other kinds either.
    from: LinkedIdea,
    /// The other idea.
    to: LinkedIdea,
    /// How the two are related.
    kind: IdeaLinkKind,
    /// What the relation is, as readers see it.
    note: String,
    /// Who sees it.
    state: IdeaLinkState,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<IdeaLink>> for EditorIdeaLink {
    fn from(Versioned { row, version }: Versioned<IdeaLink>) -> Self {
        Self {
            id: row.id.get(),
            from: row.from.into(),
            to: row.to.into(),
            kind: row.kind.into(),
            note: row.note,
            state: row.state.into(),
            version: version.into(),
        }
    }
}

/// A page of links.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorIdeaLinksResult {
    /// The links, the newest first.
    pub(crate) links: Vec<EditorIdeaLink>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// The result of requests for a link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorIdeaLinkResult {
    /// The link.
    pub(crate) link: EditorIdeaLink,
}

/// The key ideas of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct IdeasOfBookResult {
    /// Their headings, in order.
    pub(crate) ideas: Vec<String>,
}

/// Two ideas that are alike and have no link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProposedIdeaLink {
    /// An idea of the book that proposals were requested for.
    from: LinkedIdea,
    /// The idea of another book.
    to: LinkedIdea,
    /// How alike they are: from 0, nothing in common, to 1, the same words.
    #[schema(minimum = 0, maximum = 1)]
    likeness: f64,
    /// Up to five words that make them alike, the strongest first.
    terms: Vec<String>,
}

impl From<ProposedLink> for ProposedIdeaLink {
    fn from(ProposedLink { from, to, likeness, words }: ProposedLink) -> Self {
        Self { from: from.into(), to: to.into(), likeness, terms: words }
    }
}

/// Pairs of ideas that an editor may want to link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProposedIdeaLinksResult {
    /// The most alike first.
    pub(crate) proposals: Vec<ProposedIdeaLink>,
}

/// The body of a request that creates or updates a link. An update leaves missing fields unchanged.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IdeaLinkForm {
    /// The version that the editor has read; if the link was saved since then, the response is `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The id or slug of the book of the first idea; required for a new link.
    from_book_id: Option<BookName>,
    /// The heading of the first idea; required for a new link.
    from_idea: Option<String>,
    /// The id or slug of the book of the second idea; required for a new link.
    to_book_id: Option<BookName>,
    /// The heading of the second idea; required for a new link.
    to_idea: Option<String>,
    /// How the two are related. A new link agrees unless it says otherwise.
    kind: Option<IdeaLinkKind>,
    /// What the relation is, in up to 300 characters; required unless the link is dismissed.
    note: Option<String>,
    /// Who sees it. A new link is a draft unless it says otherwise.
    state: Option<IdeaLinkState>,
}

impl IdeaLinkForm {
    /// Parses and validates the fields.
    pub(crate) fn read(self) -> Result<IdeaLinkEdit, ApiError> {
        let unnamed = |field, error: ApiError| match error.field() {
            Some("bookId") => ApiError::invalid(field, "There is no such book."),
            _ => error,
        };
        let book = |field, name: Option<&BookName>| BookName::in_form(name).map_err(|error| unnamed(field, error));
        Ok(IdeaLinkEdit {
            from_book: book("fromBookId", self.from_book_id.as_ref())?,
            from_idea: self.from_idea,
            to_book: book("toBookId", self.to_book_id.as_ref())?,
            to_idea: self.to_idea,
            kind: self.kind.map(Into::into),
            note: self.note,
            state: self.state.map(Into::into),
        })
    }
}
