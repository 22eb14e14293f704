//! Lists of books: what a device reports is merged, or checked and added; sharing, following, and a team's lists.

use std::collections::{BTreeMap, BTreeSet};

use admin::{AuditEvent, FieldChange, Subject};
use billing::{BillingQueries, TeamSeat};
use catalogue::{BookCard, BookName, CatalogueLists};
use identity::{IdentityError, IdentityQueries, RateLimitBucket};
use kernel::{BookId, DateCursor, Limit, ListId, ListTotal, Page, StoreError, TeamListId, Timestamp, UserId};
use reading_progress::ProgressQueries;
use study::{
    FOLLOWED_LISTS, ListCommands, ListKey, ListName, ListQueries, ListSearch, ListSlug, ListState, ListedList,
    LockedMember, OWN_LISTS, OwnedList, Sharing, SharingChange, StoredList, Study, StudyError, slug_of_list,
};

use crate::{audit::AuditTrail, rate_limits::count_attempt, tx::Tx};

/// Why a list is not stored, shared or shown.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The member's account was deleted meanwhile.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// There is no such list, or the viewer does not see it.
    #[error("there is no such list")]
    NotFound,
    /// A rule of lists refuses it.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// An admin has taken the list down.
    #[error("This list was taken down. Please contact us.")]
    TakenDown,
    /// The member has no team.
    #[error("A team has the members of seats that you have bought.")]
    NoTeam,
    /// The member saves too many.
    #[error(transparent)]
    Limit(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A book of an own list.
#[derive(Clone, Debug)]
pub struct ShownListBook {
    pub name: BookName,
    /// `None`: it is not published now.
    pub card: Option<BookCard>,
}

/// A list, as its owner sees it.
#[derive(Debug)]
pub struct ShownList {
    pub stored: StoredList,
    /// All books that it has or once had.
    pub books: BTreeMap<BookId, ShownListBook>,
}

/// Merges what a device reports of a list that the member has (`study.list-merge`), or adds it (`study.own-lists`). Books that are not
/// there are passed over, as are those that are new to the list and not published.
pub fn put_list(tx: &mut Tx<'_, '_>, member: UserId, id: ListId, report: ListState) -> Result<ShownList, ListError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ListError::SignedOut)?;
    let stored = merge_list(tx, &mut locked, (member, id), report)?;
    shown_list(tx, stored)
}

/// Stores what came of a report about a list.
pub(crate) fn merge_list(
    tx: &mut Tx<'_, '_>,
    locked: &mut LockedMember,
    (member, id): (UserId, ListId),
    mut report: ListState,
) -> Result<StoredList, ListError> {
    let known = tx.pg.locked_list(locked, id)?;
    let named: Vec<BookId> = report.books.keys().copied().collect();
    let published: BTreeSet<BookId> = tx.pg.book_cards(&named)?.into_iter().map(|card| card.id).collect();
    let has = |book: &BookId| known.as_ref().is_some_and(|known| known.list.state.books.contains_key(book));
    report.books.retain(|book, _| published.contains(book) || has(book));
    let before = known.as_ref().map(|known| &known.list.state);
    let was_shown = before.is_some_and(ListState::is_shown);
    let state = match before {
        Some(before) => before.clone().merged(report),
        None => report,
    };
    state.check()?;
    if state.is_shown() && !was_shown && tx.pg.count_lists(member)? >= OWN_LISTS {
        return Err(StudyError::TooManyLists.into());
    }
    match known {
        Some(known) => Ok(tx.pg.change_list(locked, known, state)?),
        None => Ok(tx.pg.add_list(locked, id, state)?),
    }
}

/// Changes who sees a list (`study.list-sharing`, `study.team-lists`).
pub fn change_sharing(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ListId,
    change: SharingChange,
) -> Result<ShownList, ListError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ListError::SignedOut)?;
    let found = tx.pg.locked_list(&locked, id)?.filter(|stored| stored.list.state.is_shown());
    let mut stored = found.ok_or(ListError::NotFound)?;
    if let Some(sharing) = change.sharing.filter(|sharing| *sharing != stored.list.sharing) {
        if sharing != Sharing::Private && stored.list.is_taken_down {
            return Err(ListError::TakenDown);
        }
        let shared = match sharing {
            Sharing::Private => None,
            Sharing::Link => Some((sharing, ListSlug::random(tx.env))),
            Sharing::Public => Some((sharing, free_slug(tx, &stored.list.state.name.value)?)),
        };
        let now = tx.now();
        stored = tx.pg.share_list(&mut locked, stored, shared, now)?;
    }
    if let Some(is_for_team) = change.is_for_team {
        if is_for_team && seats_bought(tx, member)? == 0 {
            return Err(ListError::NoTeam);
        }
        stored = tx.pg.give_list(&mut locked, stored, is_for_team)?;
    }
    shown_list(tx, stored)
}

/// A free slug for a public list with this name. It stays free until the transaction ends.
fn free_slug(tx: &mut Tx<'_, '_>, name: &ListName) -> Result<ListSlug, ListError> {
    let base = slug_of_list(name)?;
    let taken = tx.pg.lock_slugs(&base)?;
    let mut slugs = base.numbered().map(|slug| ListSlug::of_name(&slug));
    let free = slugs.find(|slug| !taken.contains(slug));
    free.ok_or_else(|| StoreError::new("each number of a list's name is taken").into())
}

/// How many seats a member has bought for a team, used or not; revoked ones are left out.
fn seats_bought<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<usize, StoreError> {
    let seats = crate::billing::membership::codes::seats_of(tx, member)?;
    Ok(seats.iter().filter(|seat| seat.revoked_at.is_none()).count())
}

/// Lists with their books, in the same order.
pub(super) fn shown_lists<A>(tx: &mut Tx<'_, '_, A>, stored: Vec<StoredList>) -> Result<Vec<ShownList>, StoreError> {
    let books: BTreeSet<BookId> = stored.iter().flat_map(|stored| stored.list.state.books.keys().copied()).collect();
    let books: Vec<BookId> = books.into_iter().collect();
    let names = tx.pg.book_names(&books)?;
    let cards = tx.pg.book_cards_by_id(&books)?;
    let shown = stored.into_iter().map(|stored| {
        let book = |id: &BookId| {
            let (name, card) = (names.get(id)?.clone(), cards.get(id).cloned());
            Some((*id, ShownListBook { name, card }))
        };
        let books = stored.list.state.books.keys().filter_map(book).collect();
        ShownList { stored, books }
    });
    Ok(shown.collect())
}

fn shown_list(tx: &mut Tx<'_, '_>, stored: StoredList) -> Result<ShownList, ListError> {
    let mut shown = shown_lists(tx, vec![stored])?;
    shown.pop().ok_or_else(|| StoreError::new("the list was stored").into())
}

/// The member's lists that changed after a version, deleted ones included, by version; and from where to go on, `None` when these were
/// all.
pub fn list_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<(Vec<ShownList>, Option<u64>), StoreError> {
    let stored = tx.pg.lists_after(member, after, limit)?;
    let page = Page::from_surplus(stored, limit, |last| last.version);
    Ok((shown_lists(tx, page.items)?, page.next))
}

/// A list as others see it: only the books that are published.
#[derive(Debug)]
pub struct SharedList {
    pub owned: OwnedList,
    /// In their order.
    pub books: Vec<BookCard>,
}

/// Lists as others see them, in the same order.
fn load_shared_lists<A>(tx: &mut Tx<'_, '_, A>, lists: Vec<OwnedList>) -> Result<Vec<SharedList>, StoreError> {
    let books: BTreeSet<BookId> = lists.iter().flat_map(|owned| owned.stored.list.state.shown_books()).collect();
    let cards = tx.pg.book_cards_by_id(&books.into_iter().collect::<Vec<_>>())?;
    let seen = lists.into_iter().map(|owned| {
        let books = owned.stored.list.state.shown_books();
        SharedList { books: books.iter().filter_map(|book| cards.get(book).cloned()).collect(), owned }
    });
    Ok(seen.collect())
}

fn load_shared_list<A>(tx: &mut Tx<'_, '_, A>, owned: OwnedList) -> Result<SharedList, ListError> {
    load_shared_lists(tx, vec![owned])?.pop().ok_or(ListError::NotFound)
}

/// The list with this slug, for everybody (`study.shared-list`).
pub fn shared_list<A>(tx: &mut Tx<'_, '_, A>, slug: &ListSlug) -> Result<SharedList, ListError> {
    let owned = tx.pg.shared_list(slug)?.ok_or(ListError::NotFound)?;
    load_shared_list(tx, owned)
}

/// What a shared list is to a member.
#[derive(Debug)]
pub struct ViewedList {
    pub shared: SharedList,
    pub is_own: bool,
    pub is_followed: bool,
    /// The books of it that they have finished, in its order.
    pub finished: Vec<BookId>,
}

/// The list with this slug, for a member.
pub fn viewed_list<A>(tx: &mut Tx<'_, '_, A>, viewer: UserId, slug: &ListSlug) -> Result<ViewedList, ListError> {
    let shared = shared_list(tx, slug)?;
    let (owner, id) = (shared.owned.owner, shared.owned.stored.list.id);
    let is_followed = tx.pg.is_following(viewer, owner, id)?;
    let mut finished = finished_by(tx, &[viewer], &shared.books)?;
    let finished = finished.remove(&viewer).unwrap_or_default();
    Ok(ViewedList { shared, is_own: owner == viewer, is_followed, finished })
}

/// The books that each of these members has finished, in the given order.
fn finished_by<A>(
    tx: &mut Tx<'_, '_, A>,
    members: &[UserId],
    books: &[BookCard],
) -> Result<BTreeMap<UserId, Vec<BookId>>, StoreError> {
    let books: Vec<BookId> = books.iter().map(|card| card.id).collect();
    let finished: BTreeSet<(UserId, BookId)> = tx.pg.completed_among(members, &books)?.into_iter().collect();
    let of = |member: UserId| books.iter().copied().filter(|book| finished.contains(&(member, *book))).collect();
    Ok(members.iter().map(|member| (*member, of(*member))).collect())
}

/// Follows the list with this slug, or ends it (`study.followed-lists`).
pub fn follow_list(tx: &mut Tx<'_, '_>, member: UserId, slug: &ListSlug, is_followed: bool) -> Result<(), ListError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let OwnedList { owner, stored } = tx.pg.shared_list(slug)?.ok_or(ListError::NotFound)?;
    let id = stored.list.id;
    if owner == member {
        return Err(StudyError::OwnList.into());
    }
    if !is_followed {
        return Ok(tx.pg.unfollow_list(member, owner, id)?);
    }
    // The owner may have made it private meanwhile, which ends what others follow, and another list may have the slug.
    tx.pg.lock_records(owner)?.ok_or(ListError::NotFound)?;
    let again = tx.pg.shared_list(slug)?.filter(|again| (again.owner, again.stored.list.id) == (owner, id));
    again.ok_or(ListError::NotFound)?;
    if tx.pg.is_following(member, owner, id)? {
        return Ok(());
    }
    if tx.pg.count_followed(member)? >= FOLLOWED_LISTS {
        return Err(StudyError::TooManyFollowed.into());
    }
    let now = tx.now();
    Ok(tx.pg.follow_list(member, owner, id, now)?)
}

/// A list of a team, with its owner's first name.
#[derive(Debug)]
pub struct TeamListOffer {
    pub id: TeamListId,
    pub owner_name: String,
    pub shared: SharedList,
}

/// What a member sees of lists besides the records of their devices.
#[derive(Debug)]
pub struct ListOverview {
    /// The list followed first at the beginning.
    pub followed: Vec<SharedList>,
    /// Of all teams in which they are, and what they have given to their own.
    pub team: Vec<TeamListOffer>,
    /// How many members follow each own list; those that nobody follows are left out.
    pub followers: Vec<(ListId, u32)>,
    /// The books on own lists that they have finished, in any order.
    pub finished: Vec<BookId>,
    /// How many seats they have bought.
    pub seats: usize,
}

/// Lists of others, and who follows the own ones (`study.list-pages`).
pub fn list_overview<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<ListOverview, StoreError> {
    let followed = tx.pg.followed_lists(member)?;
    let followed = load_shared_lists(tx, followed)?;
    let (held, now) = (tx.pg.team_seats_held_by(member)?, tx.now());
    let mut owners: BTreeSet<UserId> = active_seats(held, now).map(|seat| seat.buyer).collect();
    owners.insert(member);
    let given = tx.pg.team_lists_of(&owners.into_iter().collect::<Vec<_>>())?;
    let mut team = Vec::with_capacity(given.len());
    for shared in load_shared_lists(tx, given)? {
        let Some(id) = shared.owned.stored.list.team_list else { continue };
        let owner_name = first_name(tx, shared.owned.owner)?;
        team.push(TeamListOffer { id, owner_name, shared });
    }
    let followers = tx.pg.list_followers(member)?;
    let books = tx.pg.books_on_lists(member)?;
    let finished = tx.pg.completed_among(&[member], &books)?.into_iter().map(|(_, book)| book).collect();
    Ok(ListOverview { followed, team, followers, finished, seats: seats_bought(tx, member)? })
}

/// Those of these seats whose months are not over.
fn active_seats(seats: Vec<TeamSeat>, now: Timestamp) -> impl Iterator<Item = TeamSeat> {
    seats.into_iter().filter(move |seat| seat.lasts_at(now))
}

fn first_name<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<String, StoreError> {
    Ok(tx.pg.user(member)?.map(|user| user.first_name).unwrap_or_default())
}

/// A member of a team who has agreed to show what they have finished.
#[derive(Debug)]
pub struct AgreedMember {
    pub first_name: String,
    pub is_viewer: bool,
    /// In the order of the list.
    pub finished: Vec<BookId>,
}

/// A list of a team, as one of its members or its owner sees it.
#[derive(Debug)]
pub struct TeamList {
    pub owner_name: String,
    pub is_own: bool,
    pub shared: SharedList,
    /// Whether the viewer has agreed.
    pub is_agreed: bool,
    /// By first name.
    pub members: Vec<AgreedMember>,
    /// How many seats the team has, the owner's own not counted.
    pub seats: usize,
}

/// The team of a buyer: who has a seat that lasts, and since when. The buyer is in it, from the beginning.
fn team_of<A>(tx: &mut Tx<'_, '_, A>, owner: UserId) -> Result<BTreeMap<UserId, Timestamp>, StoreError> {
    let mut team = BTreeMap::from([(owner, Timestamp::from_millis(0))]);
    for seat in active_seats(tx.pg.team_seats_of(&[owner])?, tx.now()) {
        let since = team.entry(seat.member).or_insert(seat.redeemed_at);
        *since = seat.redeemed_at.min(*since);
    }
    Ok(team)
}

/// Whether what a member has agreed to at this moment holds: they have had a seat since (`study.team-progress`).
fn is_valid_agreement(team: &BTreeMap<UserId, Timestamp>, member: UserId, agreed_at: Timestamp) -> bool {
    team.get(&member).is_some_and(|since| *since <= agreed_at)
}

/// A list of a team, for those who are in it (`study.team-lists`, `study.team-progress`).
pub fn team_list<A>(tx: &mut Tx<'_, '_, A>, viewer: UserId, id: TeamListId) -> Result<TeamList, ListError> {
    let given = tx.pg.team_list(id)?.ok_or(ListError::NotFound)?;
    let owner = given.owner;
    let team = team_of(tx, owner)?;
    if !team.contains_key(&viewer) {
        return Err(ListError::NotFound);
    }
    let shared = load_shared_list(tx, given)?;
    let agreements = tx.pg.agreed_members(id)?.into_iter();
    let agreed: Vec<UserId> =
        agreements.filter(|(member, at)| is_valid_agreement(&team, *member, *at)).map(|(member, _)| member).collect();
    let mut members = Vec::with_capacity(agreed.len());
    for (member, finished) in finished_by(tx, &agreed, &shared.books)? {
        members.push(AgreedMember { first_name: first_name(tx, member)?, is_viewer: member == viewer, finished });
    }
    members.sort_by(|one, other| one.first_name.cmp(&other.first_name));
    Ok(TeamList {
        owner_name: first_name(tx, owner)?,
        is_own: owner == viewer,
        shared,
        is_agreed: agreed.contains(&viewer),
        members,
        seats: team.len() - 1,
    })
}

/// Agrees that the team sees what the member has finished of a list, or ends it (`study.team-progress`).
pub fn agree_to_team(tx: &mut Tx<'_, '_>, member: UserId, id: TeamListId, is_agreed: bool) -> Result<(), ListError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let owned = tx.pg.team_list(id)?.ok_or(ListError::NotFound)?;
    // A seat that is over is no reason to keep an agreement.
    if is_agreed && !team_of(tx, owned.owner)?.contains_key(&member) {
        return Err(ListError::NotFound);
    }
    let agreed_at = is_agreed.then(|| tx.now());
    if tx.pg.put_agreement(id, member, agreed_at)? { Ok(()) } else { Err(ListError::NotFound) }
}

/// A list of a team for which a member has agreed that the team sees what they have finished.
#[derive(Debug)]
pub struct AgreedList {
    pub id: TeamListId,
    pub name: String,
    pub agreed_at: Timestamp,
}

/// To what a member has agreed, as far as it holds.
pub fn agreements<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<AgreedList>, StoreError> {
    let mut agreed = Vec::new();
    for (id, agreed_at) in tx.pg.agreements_of(member)? {
        let Some(given) = tx.pg.team_list(id)? else { continue };
        let team = team_of(tx, given.owner)?;
        if is_valid_agreement(&team, member, agreed_at) {
            let name = given.stored.list.state.name.value.as_str().to_owned();
            agreed.push(AgreedList { id, name, agreed_at });
        }
    }
    Ok(agreed)
}

/// A list for its operator, with its owner's e-mail address.
#[derive(Debug)]
pub struct ModeratedList {
    pub listed: ListedList,
    /// Empty: the account was deleted meanwhile.
    pub owner_email: String,
}

fn with_owner_email<A>(tx: &mut Tx<'_, '_, A>, listed: ListedList) -> Result<ModeratedList, StoreError> {
    let owner = tx.pg.user(listed.owned.owner)?;
    let owner_email = owner.map(|user| user.email.as_str().to_owned()).unwrap_or_default();
    Ok(ModeratedList { listed, owner_email })
}

/// Public lists and those that were taken down, the one that was shared last first, and how many there are.
pub fn lists_to_moderate<A>(
    tx: &mut Tx<'_, '_, A>,
    search: &ListSearch,
    limit: Limit,
) -> Result<(Page<ModeratedList, DateCursor<ListKey>>, ListTotal), StoreError> {
    let page = Page::from_surplus(tx.pg.search_lists(search, limit)?, limit, ListedList::cursor);
    let mut items = Vec::with_capacity(page.items.len());
    for listed in page.items {
        items.push(with_owner_email(tx, listed)?);
    }
    Ok((Page { items, next: page.next }, tx.pg.count_listed(search)?))
}

/// Takes a list down, or allows again that it is shared (`study.taken-down-lists`).
pub fn take_down_list(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    key: ListKey,
    is_taken_down: bool,
) -> Result<ModeratedList, ListError> {
    let mut locked = tx.pg.lock_records(key.owner)?.ok_or(ListError::NotFound)?;
    let known = tx.pg.locked_list(&locked, key.id)?;
    // What is private is not the operator's to look at. A list by link is found by its slug, which a reader has reported.
    let is_shared_or_taken_down = |list: &study::ReadingList| list.sharing != Sharing::Private || list.is_taken_down;
    let known = known.filter(|stored| is_shared_or_taken_down(&stored.list)).ok_or(ListError::NotFound)?;
    let before = known.list.is_taken_down;
    let stored = tx.pg.take_down_list(&mut locked, known, is_taken_down)?;
    if before != is_taken_down {
        let action = if is_taken_down { "user.list_take_down" } else { "user.list_allow" };
        let name = FieldChange::personal("list", None, Some(stored.list.state.name.value.as_str()));
        trail.record(AuditEvent::new(action, Subject::user(key.owner)).with([name]));
    }
    let followers = tx.pg.list_followers(key.owner)?;
    let followers = followers.iter().find(|(id, _)| *id == key.id).map_or(0, |(_, members)| *members);
    Ok(with_owner_email(tx, ListedList { owned: OwnedList { owner: key.owner, stored }, followers })?)
}

/// The slugs of public lists for search engines, with when each was changed last: at most `most`.
pub fn indexed_lists<A>(tx: &mut Tx<'_, '_, A>, most: usize) -> Result<Vec<(ListSlug, Timestamp)>, StoreError> {
    let mut lists: Vec<(ListSlug, Timestamp)> = Vec::new();
    while lists.len() < most {
        let after = lists.last().map(|(slug, _)| slug.clone());
        let limit = Limit::clamped(most - lists.len());
        let page = tx.pg.public_lists(study::INDEXED_FROM, after.as_ref(), limit)?;
        if page.is_empty() {
            break;
        }
        lists.extend(page);
    }
    Ok(lists)
}
