//! The list of people in the back office: a read model over several domains, read in one query.

use kernel::{DateCursor, Timestamp, UserId};

/// The page size of the list of people, in rows (`admin.people-pages`).
pub const PEOPLE_PAGE: usize = 100;

/// States to filter people by. [`Self::Active`] includes [`Self::Unconfirmed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonState {
    /// Not suspended, whether or not the e-mail address is confirmed.
    Active,
    /// Suspended by an admin.
    Suspended,
    /// Not suspended, and the e-mail address is not confirmed.
    Unconfirmed,
}

/// The filter of the list of people. Conditions are combined with *and*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeopleFilter {
    /// A part of the e-mail address or name, ignoring case, or a whole id.
    pub text: Option<String>,
    /// Only people with the role of this name.
    pub role: Option<String>,
    /// `true`: only people with a running plan; `false`: only those without.
    pub paid: Option<bool>,
    pub state: Option<PersonState>,
}

/// Where a page of people starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeopleStart {
    /// After this number of rows (`admin.people-pages`).
    Offset(u32),
    /// After this row (keyset pagination).
    After(DateCursor<UserId>),
}

/// A row of the list of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    pub id: UserId,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    /// The name of the role.
    pub role: String,
    pub created_at: Timestamp,
    /// Whether the e-mail address is confirmed.
    pub confirmed: bool,
    /// When an admin suspended the person; `None` if not suspended.
    pub suspended_at: Option<Timestamp>,
    /// The latest activity on any of the person's devices.
    pub last_seen_at: Option<Timestamp>,
    /// The id and name of the running plan with the latest end.
    pub plan: Option<(String, String)>,
    /// The start of that plan.
    pub paid_at: Option<Timestamp>,
    /// The end of that plan; `None` without a plan and for life.
    pub paid_until: Option<Timestamp>,
    /// The payment provider of the person's latest checkout.
    pub payment_method: Option<String>,
}

impl PersonRow {
    /// The pagination cursor of this row.
    pub const fn cursor(&self) -> DateCursor<UserId> {
        DateCursor { at: self.created_at, id: self.id }
    }
}

/// What a person has read: counts only, never which books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingCounts {
    /// The number of full texts opened.
    pub opened: u64,
    /// The number of summaries completed.
    pub completed: u64,
    /// The number of books in the library.
    pub library: u64,
    /// The number of books rated.
    pub ratings: u64,
}
