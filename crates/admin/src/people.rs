//! People as the back office lists them: what several domains know of each, read in one query.

use kernel::{DateCursor, Timestamp, UserId};

/// The page size of the list of people (`admin.people-pages`).
pub const PEOPLE_PAGE: usize = 100;

/// Whether a person may sign in, and has shown that the address is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonState {
    /// Not suspended.
    Active,
    /// Suspended by an admin.
    Suspended,
    /// Not suspended, and the address is not confirmed.
    Unconfirmed,
}

/// Which people a list shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeopleFilter {
    /// A part of the address or the name whatever its case, or a whole number.
    pub text: Option<String>,
    /// Only those with the role of this name.
    pub role: Option<String>,
    /// Only those with a plan that runs, or only those without.
    pub paid: Option<bool>,
    /// Only those in this state.
    pub state: Option<PersonState>,
}

/// Where a page of people begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeopleStart {
    /// Behind so many (`admin.people-pages`).
    Offset(u32),
    /// Behind this person.
    After(DateCursor<UserId>),
}

/// A person in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// The person.
    pub id: UserId,
    pub first_name: String,
    pub last_name: String,
    /// The address.
    pub email: String,
    /// The name of the role.
    pub role: String,
    /// When the person signed up.
    pub created_at: Timestamp,
    /// Whether the address is confirmed.
    pub confirmed: bool,
    /// When an admin suspended the person.
    pub suspended_at: Option<Timestamp>,
    /// When a device of theirs was last seen.
    pub last_seen_at: Option<Timestamp>,
    /// The plan that runs and reaches furthest: its id and name.
    pub plan: Option<(String, String)>,
    /// Since when it runs.
    pub paid_at: Option<Timestamp>,
    /// Until when; none without a plan, and for life.
    pub paid_until: Option<Timestamp>,
    /// The payment provider of the person's latest checkout.
    pub payment_method: Option<String>,
}

impl PersonRow {
    /// The person's place in the list.
    pub const fn cursor(&self) -> DateCursor<UserId> {
        DateCursor { at: self.created_at, id: self.id }
    }
}

/// What a person has read: counts only, never which books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingCounts {
    /// How many full texts were opened.
    pub opened: u64,
    /// How many summaries were completed.
    pub completed: u64,
    /// How many books are in the library.
    pub library: u64,
    /// How many books were rated.
    pub ratings: u64,
}
