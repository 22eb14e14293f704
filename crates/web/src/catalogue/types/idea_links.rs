//! Links between key ideas on the wire.

use catalogue::{LinkKind, LinkState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalogue::types::book::CategoryRef;

/// How two key ideas are related: both say the same (`agrees`), one denies what the other claims (`contradicts`), or the first takes
/// the second further (`builds-on`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IdeaLinkKind {
    Agrees,
    Contradicts,
    BuildsOn,
}

impl From<LinkKind> for IdeaLinkKind {
    fn from(kind: LinkKind) -> Self {
        match kind {
            LinkKind::Agrees => Self::Agrees,
            LinkKind::Contradicts => Self::Contradicts,
            LinkKind::BuildsOn => Self::BuildsOn,
        }
    }
}

impl From<IdeaLinkKind> for LinkKind {
    fn from(kind: IdeaLinkKind) -> Self {
        match kind {
            IdeaLinkKind::Agrees => Self::Agrees,
            IdeaLinkKind::Contradicts => Self::Contradicts,
            IdeaLinkKind::BuildsOn => Self::BuildsOn,
        }
    }
}

/// Who sees a link: editors (`draft`), everyone (`published`), or editors as a pair that has nothing in common (`dismissed`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IdeaLinkState {
    Draft,
    Published,
    Dismissed,
}

impl From<LinkState> for IdeaLinkState {
    fn from(state: LinkState) -> Self {
        match state {
            LinkState::Draft => Self::Draft,
            LinkState::Published => Self::Published,
            LinkState::Dismissed => Self::Dismissed,
        }
    }
}

impl From<IdeaLinkState> for LinkState {
    fn from(state: IdeaLinkState) -> Self {
        match state {
            IdeaLinkState::Draft => Self::Draft,
            IdeaLinkState::Published => Self::Published,
            IdeaLinkState::Dismissed => Self::Dismissed,
        }
    }
}

/// A key idea that is linked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkedIdea {
    /// The id of its book.
    pub book_id: i64,
    /// The slug of its book.
    pub subid: String,
    /// The title of its book.
    pub book_title: String,
    /// The name of the book's author.
    pub author: String,
    /// The heading of the idea.
    pub idea: String,
    /// The index of its section, from 0; null when the book has no such heading any more.
    #[schema(required)]
    pub section: Option<usize>,
}

impl From<catalogue::LinkedIdea> for LinkedIdea {
    fn from(linked: catalogue::LinkedIdea) -> Self {
        Self {
            book_id: linked.book.id.get(),
            subid: linked.book.subid.to_string(),
            book_title: linked.book.title,
            author: linked.book.author,
            idea: linked.idea,
            section: linked.section,
        }
    }
}

impl LinkedIdea {
    /// The address of the idea in its book's page.
    pub fn path(&self) -> String {
        let section = self.section.map(|section| format!("?section={}", section + 1));
        format!("/books/{}{}", self.subid, section.unwrap_or_default())
    }
}

/// A published link between key ideas of two books.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IdeaLink {
    /// The id.
    pub id: i64,
    /// How the two are related.
    pub kind: IdeaLinkKind,
    /// Of `builds-on` the idea that builds on the other; of the other kinds either.
    pub from: LinkedIdea,
    /// The other idea.
    pub to: LinkedIdea,
    /// What the relation is.
    pub note: String,
}

impl From<catalogue::IdeaLink> for IdeaLink {
    fn from(link: catalogue::IdeaLink) -> Self {
        let catalogue::IdeaLink { id, from, to, kind, note, state: _ } = link;
        Self { id: id.get(), kind: kind.into(), from: from.into(), to: to.into(), note }
    }
}

impl IdeaLink {
    /// The kind in words between the two ideas.
    pub const fn words(&self) -> &'static str {
        match self.kind {
            IdeaLinkKind::Agrees => "agrees with",
            IdeaLinkKind::Contradicts => "contradicts",
            IdeaLinkKind::BuildsOn => "builds on",
        }
    }

    /// The kind as a CSS class names it.
    pub fn kind_name(&self) -> &'static str {
        LinkKind::from(self.kind).as_str()
    }
}

/// The links of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookIdeaLinksResult {
    /// In the order of the book's sections.
    pub links: Vec<IdeaLink>,
}

/// A topic of the idea map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IdeaMapTopic {
    /// The category.
    pub category: CategoryRef,
    /// How many links its books have.
    pub links: u64,
}

/// The topics of the idea map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IdeaMapResult {
    /// In the order of the categories; those without a link are left out.
    pub topics: Vec<IdeaMapTopic>,
}

/// The idea map of one topic.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IdeaMapTopicResult {
    /// The category.
    pub category: CategoryRef,
    /// The links of its books with each other and with other books, the newest first, up to 300.
    pub links: Vec<IdeaLink>,
    /// All topics.
    pub topics: Vec<IdeaMapTopic>,
}
