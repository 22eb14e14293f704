//! Values of the audit log.

use std::{fmt, net::IpAddr, str::FromStr};

use kernel::{InvalidCursor, Timestamp, UserId};

/// The default page size of the audit log, in entries.
pub const AUDIT_PAGE: usize = 50;
/// The maximum length of a value in an entry, in characters. Full texts are in the revisions.
pub const SHOWN_CHARS: usize = 300;

/// The id of an entry; later entries have greater ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AuditEntryId(i64);

impl AuditEntryId {
    /// Wraps an id from the store, unchecked.
    pub const fn from_store(value: i64) -> Self {
        Self(value)
    }

    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for AuditEntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AuditEntryId {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        // `parse` would also accept a sign.
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(InvalidCursor);
        }
        text.parse().ok().filter(|id| *id > 0).map(Self).ok_or(InvalidCursor)
    }
}

/// The author of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person in the back office.
    Person {
        user: UserId,
        /// The IP address of the request.
        address: IpAddr,
        /// The device's name as shown to its owner.
        device: String,
    },
    /// An operator, with the name of the command.
    Operator(&'static str),
    /// A scheduled job, with its name.
    System(&'static str),
}

impl Actor {
    /// The person; `None` for other actors.
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::Person { user, .. } => Some(*user),
            Self::Operator(_) | Self::System(_) => None,
        }
    }
}

/// The actor of a stored entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActorName {
    /// A person; the name is `None` after the account was deleted.
    Person(UserId, Option<String>),
    /// An operator, with the name of the command.
    Operator(String),
    /// A scheduled job, with its name.
    System(String),
}

macro_rules! subject_kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal),+ $(,)?) => {
        /// The kind of a changed subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SubjectKind {
            $($(#[doc = $doc])+ $name),+
        }

        impl SubjectKind {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The stored name of the kind.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text),+
                }
            }
        }
    };
}

subject_kinds! {
    /// A person with an account.
    User = "user",
    /// A book.
    Book = "book",
    /// An author.
    Author = "author",
    /// A category.
    Category = "category",
    /// A tag.
    Tag = "tag",
    /// A goal.
    Goal = "goal",
    /// A collection.
    Collection = "collection",
    /// An illustrated key idea of a book.
    Visual = "visual",
    /// A link between key ideas of two books.
    IdeaLink = "idea_link",
    /// A podcast episode.
    Podcast = "podcast",
    /// A blog post.
    Post = "post",
    /// The daily insight of one day.
    Insight = "insight",
    /// The questions of a quiz.
    Quiz = "quiz",
    /// A page of the site, with its texts.
    Page = "page",
    /// The promotional banner above every page.
    Banner = "banner",
    /// A charge in the ledger.
    Charge = "charge",
    /// A coupon.
    Coupon = "coupon",
    /// A redemption code, or several created at once.
    Code = "code",
    /// A plan for sale.
    Plan = "plan",
    /// A message in the inbox.
    Message = "message",
    /// An e-mail in the queue.
    Mail = "mail",
    /// A job in the queue.
    Job = "job",
    /// The keys that sign access tokens.
    Keys = "keys",
    /// The whole catalogue.
    Catalogue = "catalogue",
    /// The whole site.
    Site = "site",
}

/// The text is not a kind of subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no kind of subject of the audit log")]
pub struct InvalidSubjectKind;

impl FromStr for SubjectKind {
    type Err = InvalidSubjectKind;

    fn from_str(text: &str) -> Result<Self, InvalidSubjectKind> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text).ok_or(InvalidSubjectKind)
    }
}

/// The subject of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub kind: SubjectKind,
    /// `None` if the subject has no id.
    pub id: Option<i64>,
    /// Its name at the time of the change. `None` for people, whose current names are read from their accounts.
    pub name: Option<String>,
}

impl Subject {
    pub const fn user(user: UserId) -> Self {
        Self { kind: SubjectKind::User, id: Some(user.get()), name: None }
    }

    /// A subject with an id and a name.
    pub fn named(kind: SubjectKind, id: i64, name: impl Into<String>) -> Self {
        Self { kind, id: Some(id), name: Some(name.into()) }
    }

    /// A subject without an id: a singleton, or one that is identified by name alone.
    pub const fn whole(kind: SubjectKind) -> Self {
        Self { kind, id: None, name: None }
    }
}

/// A field's display values before and after a change. `None` is an empty or missing value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field's name on the wire.
    pub field: String,
    pub from: Option<String>,
    pub to: Option<String>,
    /// Whether the values are personal data, deleted with the account.
    pub personal: bool,
}

impl FieldChange {
    /// A change of a field; `None` if the values are equal. Values are truncated to [`SHOWN_CHARS`].
    pub fn between(field: &str, from: Option<&str>, to: Option<&str>) -> Option<Self> {
        let [from, to] = [from, to].map(|text| text.filter(|text| !text.is_empty()));
        (from != to).then(|| Self {
            field: field.to_owned(),
            from: from.map(shortened),
            to: to.map(shortened),
            personal: false,
        })
    }

    /// Like [`FieldChange::between`], for personal values.
    pub fn personal(field: &str, from: Option<&str>, to: Option<&str>) -> Option<Self> {
        Self::between(field, from, to).map(|change| Self { personal: true, ..change })
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

/// A change to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// The kind of the subject and a verb, such as `book.update`.
    pub action: &'static str,
    pub subject: Subject,
    pub changes: Vec<FieldChange>,
}

impl AuditEvent {
    /// An event without changed fields.
    pub const fn new(action: &'static str, subject: Subject) -> Self {
        Self { action, subject, changes: Vec::new() }
    }

    /// Adds changed fields. `None`s are skipped.
    #[must_use]
    pub fn with(mut self, changes: impl IntoIterator<Item = Option<FieldChange>>) -> Self {
        self.changes.extend(changes.into_iter().flatten());
        self
    }
}

/// An audit log entry to store.
#[derive(Clone, Copy, Debug)]
pub struct NewAuditEntry<'a> {
    pub actor: &'a Actor,
    pub event: &'a AuditEvent,
    /// When the change was made.
    pub at: Timestamp,
}

/// A stored audit log entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: AuditEntryId,
    /// When the change was made.
    pub at: Timestamp,
    pub actor: ActorName,
    /// The action, as in [`AuditEvent::action`].
    pub action: String,
    /// The subject. A person's name is the account's current one.
    pub subject: Subject,
    /// The changed fields. Personal values are `None` after the account was deleted.
    pub changes: Vec<FieldChange>,
    /// The IP address of the request; `None` for other actors than people.
    pub address: Option<String>,
    /// The device of the request; `None` for other actors than people.
    pub device: Option<String>,
}

/// The filter of the audit log. Conditions are combined with *and*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// A part of the actor's or subject's name, of the action, or of the IP address, ignoring case.
    pub text: Option<String>,
    /// Only changes by this person.
    pub actor: Option<UserId>,
    /// Only this action; without a dot, all actions on this kind of subject.
    pub action: Option<String>,
    /// Only changes of this kind of subject.
    pub subject: Option<SubjectKind>,
    /// Only changes of the subject with this id.
    pub subject_id: Option<i64>,
    /// Only changes at or after this time.
    pub from: Option<Timestamp>,
    /// Only changes before this time.
    pub to: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::{AuditEntryId, FieldChange, SHOWN_CHARS, SubjectKind};

    #[test]
    fn every_kind_of_subject_is_parsed_from_its_name() {
        for kind in SubjectKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
        }
        assert!("Book".parse::<SubjectKind>().is_err());
    }

    #[test]
    fn a_field_that_stays_is_no_change_and_an_empty_text_is_none() {
        assert_eq!(FieldChange::between("title", Some("Walden"), Some("Walden")), None);
        assert_eq!(FieldChange::between("title", None, Some("")), None);
        let change = FieldChange::between("title", Some(""), Some("Walden")).unwrap();
        assert_eq!((change.from, change.to, change.personal), (None, Some("Walden".to_owned()), false));
    }

    #[test]
    fn a_long_value_is_shortened_and_says_how_long_it_is() {
        let long = "é".repeat(SHOWN_CHARS + 1);
        let change = FieldChange::personal("body", None, Some(&long)).unwrap();
        assert_eq!(change.to, Some(format!("{}… (301 characters)", "é".repeat(SHOWN_CHARS))));
        assert!(change.personal);
    }

    #[test]
    fn an_entry_is_named_by_a_positive_number() {
        assert_eq!("7".parse::<AuditEntryId>().map(AuditEntryId::get), Ok(7));
        assert!(["", "0", "-1", "+1", "x"].iter().all(|text| text.parse::<AuditEntryId>().is_err()));
    }
}
