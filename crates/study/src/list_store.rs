//! What lists need from storage.

use std::{collections::BTreeSet, fmt, str::FromStr};

use kernel::{
    BookId, DateCursor, InvalidId, Limit, ListId, ListTotal, Slug, StoreError, TeamListId, Timestamp, UserId,
};

use crate::{ListSlug, OwnedList, Sharing, StoredList};

/// By what an operator names a list: its owner and its id, such as `12-7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey {
    pub owner: UserId,
    pub id: ListId,
}

impl fmt::Display for ListKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.owner, self.id)
    }
}

impl FromStr for ListKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (owner, id) = text.split_once('-').ok_or(InvalidId)?;
        Ok(Self { owner: owner.parse()?, id: id.parse()? })
    }
}

/// A list for its operator: public, or taken down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedList {
    pub owned: OwnedList,
    /// How many members follow it.
    pub followers: u32,
}

impl ListedList {
    /// The pagination cursor after this one.
    pub fn cursor(&self) -> DateCursor<ListKey> {
        let OwnedList { owner, stored } = &self.owned;
        let at = stored.list.shared_at.unwrap_or(Timestamp::from_millis(0));
        DateCursor { at, id: ListKey { owner: *owner, id: stored.list.id } }
    }
}

/// What an operator looks for among lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListSearch {
    /// A part of the name, or a whole slug, also one by link; empty: all that are public or taken down.
    pub text: String,
    /// After which to go on; the one that was shared last comes first.
    pub after: Option<DateCursor<ListKey>>,
}

/// Reads of lists, callable with any connection.
pub trait ListQueries {
    /// One of the member's lists, deleted ones included.
    fn find_list(&mut self, member: UserId, id: ListId) -> Result<Option<StoredList>, StoreError>;

    /// The member's lists whose version is greater than `version`, deleted ones included, by version: one more than the limit when
    /// there are more.
    fn lists_after(&mut self, member: UserId, version: u64, limit: Limit) -> Result<Vec<StoredList>, StoreError>;

    /// How many lists the member has, without the deleted ones.
    fn count_lists(&mut self, member: UserId) -> Result<usize, StoreError>;

    /// The books that are on any of the member's lists, in any order.
    fn books_on_lists(&mut self, member: UserId) -> Result<Vec<BookId>, StoreError>;

    /// The list that is shared under this slug. As everywhere below, the lists of suspended accounts are not shared.
    fn shared_list(&mut self, slug: &ListSlug) -> Result<Option<OwnedList>, StoreError>;

    /// The lists of others that the member follows, the one followed first at the beginning.
    fn followed_lists(&mut self, member: UserId) -> Result<Vec<OwnedList>, StoreError>;

    /// Whether the member follows a list.
    fn is_following(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<bool, StoreError>;

    /// How many lists the member follows.
    fn count_followed(&mut self, member: UserId) -> Result<usize, StoreError>;

    /// How many members follow each of the member's lists, by id; those that nobody follows are left out.
    fn list_followers(&mut self, member: UserId) -> Result<Vec<(ListId, u32)>, StoreError>;

    /// A list that was given to a team.
    fn team_list(&mut self, id: TeamListId) -> Result<Option<OwnedList>, StoreError>;

    /// The lists that these members have given to their teams, in the order in which they were given.
    fn team_lists_of(&mut self, owners: &[UserId]) -> Result<Vec<OwnedList>, StoreError>;

    /// The members who have agreed that the team sees what they have finished of a list, and when, in any order.
    fn agreed_members(&mut self, id: TeamListId) -> Result<Vec<(UserId, Timestamp)>, StoreError>;

    /// The team lists for which the member has agreed to that, and when, by id.
    fn agreements_of(&mut self, member: UserId) -> Result<Vec<(TeamListId, Timestamp)>, StoreError>;

    /// Public lists that have at least `books` published books, with when they were changed last, by slug after `after`: up to
    /// the limit.
    fn public_lists(
        &mut self,
        books: usize,
        after: Option<&ListSlug>,
        limit: Limit,
    ) -> Result<Vec<(ListSlug, Timestamp)>, StoreError>;

    /// Lists for their operator: one more than the limit when there are more.
    fn search_lists(&mut self, search: &ListSearch, limit: Limit) -> Result<Vec<ListedList>, StoreError>;

    /// How many lists have this text, whatever the cursor.
    fn count_listed(&mut self, search: &ListSearch) -> Result<ListTotal, StoreError>;
}

/// Writes that need no rule, callable in any transaction.
pub trait ListCommands: ListQueries {
    /// The slugs of shared lists that are this one, or this one with a number. None is taken or freed by another transaction until this
    /// one ends.
    fn lock_slugs(&mut self, base: &Slug) -> Result<BTreeSet<ListSlug>, StoreError>;

    /// Adds a follower of a list. One who follows it already changes nothing.
    fn follow_list(&mut self, member: UserId, owner: UserId, id: ListId, at: Timestamp) -> Result<(), StoreError>;

    /// Removes a follower of a list.
    fn unfollow_list(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<(), StoreError>;

    /// Stores when a member has agreed that the team sees what they have finished of a list; `None`: they do not. `false` when there is no
    /// such list.
    fn put_agreement(
        &mut self,
        id: TeamListId,
        member: UserId,
        agreed_at: Option<Timestamp>,
    ) -> Result<bool, StoreError>;
}

/// Storage of lists, within one transaction. The rules are in [`crate::Study`].
pub trait ListStore: ListCommands {
    /// Stores a list, new or changed, with its version, which becomes the latest of the member's records. Their records are locked.
    /// Books that are not there are passed over.
    fn put_list(&mut self, member: UserId, list: &StoredList) -> Result<(), StoreError>;

    /// Gives a list to the owner's team, or returns as what it was given already.
    fn insert_team_list(&mut self, member: UserId, id: ListId) -> Result<TeamListId, StoreError>;

    /// Takes a list from the team, and with it all agreements.
    fn delete_team_list(&mut self, id: TeamListId) -> Result<(), StoreError>;

    /// Removes all followers of a list.
    fn remove_followers(&mut self, owner: UserId, id: ListId) -> Result<(), StoreError>;
}

/// What an owner changes about who sees a list; a part that is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharingChange {
    pub sharing: Option<Sharing>,
    /// Whether the team sees it.
    pub is_for_team: Option<bool>,
}
