//! The values of the audit log.

use std::{fmt, net::IpAddr, str::FromStr};

use kernel::{InvalidCursor, Timestamp, UserId};

/// The default page size of the audit log, in entries.
pub const AUDIT_PAGE: usize = 50;
/// The most characters of a value that an entry shows. Whole texts are in the revisions.
pub const SHOWN_CHARS: usize = 300;

/// The number of an entry; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AuditEntryId(i64);

impl AuditEntryId {
    /// Takes a number that a store has given out itself.
    pub const fn from_store(value: i64) -> Self {
        Self(value)
    }

    /// The number.
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
        // `parse` would also take a sign.
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(InvalidCursor);
        }
        text.parse().ok().filter(|id| *id > 0).map(Self).ok_or(InvalidCursor)
    }
}

/// Who makes a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person in the back office.
    Person {
        /// Who.
        user: UserId,
        /// The IP address of the request.
        address: IpAddr,
        /// The device as its owner recognises it.
        device: String,
    },
    /// An operator, by a command of this name.
    Operator(&'static str),
    /// A scheduled job of this name.
    System(&'static str),
}

impl Actor {
    /// The person, when the actor is one.
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::Person { user, .. } => Some(*user),
            Self::Operator(_) | Self::System(_) => None,
        }
    }
}

/// The actor of an entry as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActorName {
    /// A person; the name is none once the account is deleted.
    Person(UserId, Option<String>),
    /// An operator, by a command of this name.
    Operator(String),
    /// A scheduled job of this name.
    System(String),
}

macro_rules! subject_kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal),+ $(,)?) => {
        /// What kind of thing was changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SubjectKind {
            $($(#[doc = $doc])+ $name),+
        }

        impl SubjectKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The kind's name.
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
    /// An illustrated key idea.
    Visual = "visual",
    /// An episode of the podcast.
    Podcast = "podcast",
    /// A post of the blog.
    Post = "post",
    /// A thought for a day.
    Insight = "insight",
    /// The questions of a quiz.
    Quiz = "quiz",
    /// A page of the site, with its texts.
    Page = "page",
    /// The offer above every page.
    Banner = "banner",
    /// A charge of the ledger.
    Charge = "charge",
    /// A coupon.
    Coupon = "coupon",
    /// A code, or several that were made at once.
    Code = "code",
    /// A plan that is sold.
    Plan = "plan",
    /// A message of the inbox.
    Message = "message",
    /// A mail of the queue.
    Mail = "mail",
    /// A job of the queue.
    Job = "job",
    /// The keys that sign access tokens.
    Keys = "keys",
    /// The whole catalogue.
    Catalogue = "catalogue",
    /// The whole site.
    Site = "site",
}

/// The text names no kind of subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no kind of subject of the audit log")]
pub struct InvalidSubjectKind;

impl FromStr for SubjectKind {
    type Err = InvalidSubjectKind;

    fn from_str(text: &str) -> Result<Self, InvalidSubjectKind> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text).ok_or(InvalidSubjectKind)
    }
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What kind of thing it is.
    pub kind: SubjectKind,
    /// Its number, where it has one.
    pub id: Option<i64>,
    /// Its name at that time. None for people, whose names are read from their accounts.
    pub name: Option<String>,
}

impl Subject {
    /// A person.
    pub const fn user(user: UserId) -> Self {
        Self { kind: SubjectKind::User, id: Some(user.get()), name: None }
    }

    /// A thing with a number and a name.
    pub fn named(kind: SubjectKind, id: i64, name: impl Into<String>) -> Self {
        Self { kind, id: Some(id), name: Some(name.into()) }
    }

    /// A thing of which there is one, or with a name alone.
    pub const fn whole(kind: SubjectKind) -> Self {
        Self { kind, id: None, name: None }
    }
}

/// A field before and after a change, as texts for people. None is an empty or missing value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field, by its name on the wire.
    pub field: String,
    /// The value before.
    pub from: Option<String>,
    /// The value after.
    pub to: Option<String>,
    /// Whether the values name a person, and go with the account.
    pub personal: bool,
}

impl FieldChange {
    /// A change of a field; none when both values are the same. Values are shortened to [`SHOWN_CHARS`].
    pub fn between(field: &str, from: Option<&str>, to: Option<&str>) -> Option<Self> {
        let [from, to] = [from, to].map(|text| text.filter(|text| !text.is_empty()));
        (from != to).then(|| Self {
            field: field.to_owned(),
            from: from.map(shortened),
            to: to.map(shortened),
            personal: false,
        })
    }

    /// [`FieldChange::between`], of values that name a person.
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

/// A change that is to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// What was done: the kind of the subject and a verb, such as `book.update`.
    pub action: &'static str,
    /// What was changed.
    pub subject: Subject,
    /// The fields that changed.
    pub changes: Vec<FieldChange>,
}

impl AuditEvent {
    /// An event without fields.
    pub const fn new(action: &'static str, subject: Subject) -> Self {
        Self { action, subject, changes: Vec::new() }
    }

    /// The event with these fields; those that did not change are left out.
    #[must_use]
    pub fn with(mut self, changes: impl IntoIterator<Item = Option<FieldChange>>) -> Self {
        self.changes.extend(changes.into_iter().flatten());
        self
    }
}

/// An entry that is to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewAuditEntry<'a> {
    /// Who made the change.
    pub actor: &'a Actor,
    /// The change.
    pub event: &'a AuditEvent,
    /// When it was made.
    pub at: Timestamp,
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number.
    pub id: AuditEntryId,
    /// When the change was made.
    pub at: Timestamp,
    /// Who made it.
    pub actor: ActorName,
    /// What was done.
    pub action: String,
    /// What was changed; a person's name is that of the account today.
    pub subject: Subject,
    /// The fields that changed. Values that name a person are gone once the account is deleted.
    pub changes: Vec<FieldChange>,
    /// The IP address of the request.
    pub address: Option<String>,
    /// The device of the request.
    pub device: Option<String>,
}

/// Which entries a page of the audit log shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// A part of the actor's or the subject's name, of the action, or of the IP address, whatever its case.
    pub text: Option<String>,
    /// Only changes by this person.
    pub actor: Option<UserId>,
    /// Only this action; or, without a dot, all actions on one kind of subject.
    pub action: Option<String>,
    /// Only changes of this kind of subject.
    pub subject: Option<SubjectKind>,
    /// Only changes of the subject with this number.
    pub subject_id: Option<i64>,
    /// Only changes from this moment on.
    pub from: Option<Timestamp>,
    /// Only changes before this moment.
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
