//! Lists of books on the wire.

use kernel::{BookId, TeamListId, Timestamp};
use serde::{Deserialize, Serialize};
use study::{OwnedList, StoredList};
use utoipa::ToSchema;
use workflows::study::lists::{
    AgreedMember, ListOverview, SharedList as Shared, ShownList, ShownListBook, TeamList as Team, TeamListOffer,
    ViewedList,
};

use crate::{catalogue::types::book::BookCard, study::timed_text::TimedText};

/// How many books of a list stand for it among others.
const FIRST_BOOKS: usize = 4;

/// To whom a list is shown besides its owner.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListSharing {
    /// To nobody.
    Private,
    /// To everybody who has its link.
    Link,
    /// To everybody, on a public page.
    Public,
}

impl From<study::Sharing> for ListSharing {
    fn from(sharing: study::Sharing) -> Self {
        match sharing {
            study::Sharing::Private => Self::Private,
            study::Sharing::Link => Self::Link,
            study::Sharing::Public => Self::Public,
        }
    }
}

impl From<ListSharing> for study::Sharing {
    fn from(sharing: ListSharing) -> Self {
        match sharing {
            ListSharing::Private => Self::Private,
            ListSharing::Link => Self::Link,
            ListSharing::Public => Self::Public,
        }
    }
}

/// A book that a list has or once had.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListBook {
    book_id: i64,
    /// The book's `subid`; null: it is not published now.
    #[schema(required)]
    subid: Option<String>,
    title: String,
    author: String,
    /// The address of the cover; null: it has none, or is not published now.
    #[schema(required)]
    image: Option<String>,
    /// The OKLCH hue of its first category, in degrees.
    #[schema(required)]
    hue: Option<u16>,
    /// Where it stands: books are in the order of their ranks, as texts of bytes, then of their ids; null: it was taken off the list.
    #[schema(required)]
    rank: Option<String>,
    /// When it was put there or taken off, in ms since the epoch.
    at: i64,
}

/// A member's list of books.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingList {
    id: i64,
    /// One line of up to 100 characters.
    name: TimedText,
    /// Several lines of up to 2,000 characters; empty: none.
    note: TimedText,
    /// By id.
    books: Vec<ListBook>,
    /// When it was made, in ms since the epoch.
    created_at: i64,
    /// When a part of it was changed last.
    edited_at: i64,
    /// When it was deleted; it is shown again if it was changed later.
    #[schema(required)]
    deleted_at: Option<i64>,
    sharing: ListSharing,
    /// The last part of its URL, after `/list/`; null: it is private.
    #[schema(required)]
    slug: Option<String>,
    /// Its id as a list of the owner's team; null: the team does not see it.
    #[schema(required)]
    team_list_id: Option<i64>,
    /// Whether an admin has taken it down: it can't be shared.
    is_taken_down: bool,
    /// Greater than that of all records of the member that were saved before.
    version: u64,
}

impl From<ShownList> for ReadingList {
    fn from(ShownList { stored, books }: ShownList) -> Self {
        let StoredList { list, version } = stored;
        let state = list.state;
        let book = |(id, rank): (&BookId, &study::Register<Option<study::Rank>>)| {
            let ShownListBook { name, card } = books.get(id)?;
            let card = card.as_ref().map(BookCard::from);
            Some(ListBook {
                book_id: id.get(),
                subid: card.as_ref().map(|card| card.subid.clone()),
                title: name.title.clone(),
                author: name.author.clone(),
                image: card.as_ref().and_then(|card| card.image.clone()),
                hue: card.as_ref().and_then(|card| card.categories.first()).map(|category| category.hue),
                rank: rank.value.as_ref().map(|rank| rank.as_str().to_owned()),
                at: rank.at.millis(),
            })
        };
        Self {
            id: list.id.get(),
            name: TimedText { value: state.name.value.as_str().to_owned(), at: state.name.at.millis() },
            note: TimedText { value: state.note.value.as_str().to_owned(), at: state.note.at.millis() },
            books: state.books.iter().filter_map(book).collect(),
            created_at: state.created_at.millis(),
            edited_at: state.edited_at().millis(),
            deleted_at: state.deleted_at.map(Timestamp::millis),
            sharing: list.sharing.into(),
            slug: list.slug.map(|slug| slug.as_str().to_owned()),
            team_list_id: list.team_list.map(TeamListId::get),
            is_taken_down: list.is_taken_down,
            version,
        }
    }
}

/// A list that was saved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListResult {
    /// As it is now.
    pub list: ReadingList,
}

/// A list of another member that is followed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FollowedList {
    /// The last part of its URL, after `/list/`.
    slug: String,
    name: String,
    /// How many published books it has.
    count: usize,
    /// The first four of them.
    books: Vec<BookCard>,
}

/// A list of a team.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedTeamList {
    id: i64,
    name: String,
    /// The first name of its owner.
    owner: String,
    /// Whether it is the viewer's own.
    is_own: bool,
    /// How many published books it has.
    count: usize,
    /// The first four of them.
    books: Vec<BookCard>,
}

/// How many members follow a list.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ListFollowers {
    /// The id of an own list.
    id: i64,
    members: u32,
}

/// Lists of others, and who follows the own ones.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListOverviewResult {
    /// The list followed first at the beginning.
    followed: Vec<FollowedList>,
    /// Of all teams in which the member is, and what they have given to their own.
    team: Vec<OfferedTeamList>,
    /// Own lists that others follow.
    followers: Vec<ListFollowers>,
    /// The ids of the books on own lists that the member has finished, in any order.
    finished: Vec<i64>,
    /// How many seats the member has bought; 0: they have no team of their own.
    seats: usize,
}

fn first_books(books: &[catalogue::BookCard]) -> Vec<BookCard> {
    books.iter().take(FIRST_BOOKS).map(BookCard::from).collect()
}

impl ListOverviewResult {
    /// The overview for this member.
    pub(super) fn new(overview: ListOverview, viewer: kernel::UserId) -> Self {
        let followed = overview.followed.into_iter().filter_map(|Shared { owned, books }| {
            Some(FollowedList {
                slug: owned.stored.list.slug?.as_str().to_owned(),
                name: owned.stored.list.state.name.value.as_str().to_owned(),
                count: books.len(),
                books: first_books(&books),
            })
        });
        let team = overview.team.into_iter().map(|TeamListOffer { id, owner_name, shared }| OfferedTeamList {
            id: id.get(),
            name: shared.owned.stored.list.state.name.value.as_str().to_owned(),
            owner: owner_name,
            is_own: shared.owned.owner == viewer,
            count: shared.books.len(),
            books: first_books(&shared.books),
        });
        let followers = overview.followers.into_iter().map(|(id, members)| ListFollowers { id: id.get(), members });
        Self {
            followed: followed.collect(),
            team: team.collect(),
            followers: followers.collect(),
            finished: ids(overview.finished),
            seats: overview.seats,
        }
    }
}

/// A shared list, as everybody sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedList {
    /// The last part of its URL, after `/list/`.
    pub(super) slug: String,
    pub(super) name: String,
    /// Several lines; empty: none.
    pub(super) note: String,
    /// Whether it is a public page; else it is shared by its link.
    pub(super) is_public: bool,
    /// The published ones, in their order.
    pub(super) books: Vec<BookCard>,
    /// Its id, if it is the viewer's own; null for all others.
    #[schema(required)]
    own_id: Option<i64>,
    /// Whether the viewer follows it.
    is_followed: bool,
    /// The ids of the books that the viewer has finished.
    completed: Vec<i64>,
}

fn ids(books: Vec<BookId>) -> Vec<i64> {
    books.into_iter().map(BookId::get).collect()
}

impl From<Shared> for SharedList {
    /// As a visitor sees it.
    fn from(Shared { owned: OwnedList { stored, .. }, books }: Shared) -> Self {
        let list = stored.list;
        Self {
            slug: list.slug.map(|slug| slug.as_str().to_owned()).unwrap_or_default(),
            name: list.state.name.value.as_str().to_owned(),
            note: list.state.note.value.as_str().to_owned(),
            is_public: list.sharing == study::Sharing::Public,
            books: books.iter().map(BookCard::from).collect(),
            own_id: None,
            is_followed: false,
            completed: Vec::new(),
        }
    }
}

impl From<ViewedList> for SharedList {
    fn from(ViewedList { shared, is_own, is_followed, finished }: ViewedList) -> Self {
        let own_id = is_own.then(|| shared.owned.stored.list.id.get());
        Self { own_id, is_followed, completed: ids(finished), ..shared.into() }
    }
}

/// A shared list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SharedListResult {
    pub list: SharedList,
}

/// Whether the member follows the list now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowedResult {
    pub(super) is_followed: bool,
}

/// A member of a team who has agreed to show what they have finished.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// The first name.
    name: String,
    /// Whether it is the viewer.
    is_you: bool,
    /// The ids of the books of the list that they have finished.
    completed: Vec<i64>,
}

/// A list of a team.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamList {
    id: i64,
    name: String,
    /// Several lines; empty: none.
    note: String,
    /// The first name of its owner.
    owner: String,
    /// Its id, if it is the viewer's own; null for all others.
    #[schema(required)]
    own_id: Option<i64>,
    /// Whether the viewer has agreed that the team sees what they have finished.
    is_agreed: bool,
    /// How many seats of the team are used, the owner's own not counted.
    seats: usize,
    /// The published ones, in their order.
    books: Vec<BookCard>,
    /// Those who have agreed, by name.
    members: Vec<TeamMember>,
}

impl TeamList {
    pub(super) fn new(id: TeamListId, team: Team) -> Self {
        let list = team.shared.owned.stored.list;
        let member = |AgreedMember { first_name, is_viewer, finished }: AgreedMember| TeamMember {
            name: first_name,
            is_you: is_viewer,
            completed: ids(finished),
        };
        Self {
            id: id.get(),
            name: list.state.name.value.as_str().to_owned(),
            note: list.state.note.value.as_str().to_owned(),
            owner: team.owner_name,
            own_id: team.is_own.then(|| list.id.get()),
            is_agreed: team.is_agreed,
            seats: team.seats,
            books: team.shared.books.iter().map(BookCard::from).collect(),
            members: team.members.into_iter().map(member).collect(),
        }
    }
}

/// A list of a team.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TeamListResult {
    pub list: TeamList,
}

/// Whether the member agrees now that the team sees what they have finished.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgreedResult {
    pub(super) is_agreed: bool,
}
