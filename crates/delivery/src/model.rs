//! The values of the domain: an e-reader's address, and a delivery.

use std::str::FromStr;

use kernel::{BookId, DeliveryId, Email, JobId, SummaryId, Timestamp};

use crate::EReaderError;

/// The default mail domains of e-readers; the operator can configure others (`delivery.e-reader-address`).
pub const KINDLE_DOMAINS: [&str; 5] = ["kindle.com", "free.kindle.com", "kindle.cn", "kindle.ca", "kindle.it"];
/// The default page size of the log, in deliveries.
pub const DELIVERIES_PAGE: usize = 20;

/// The mail address of a member's e-reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindleAddress(Email);

impl KindleAddress {
    /// Reads the form: a name, and one of the configured domains. A whole address instead of the name is accepted when
    /// its domain is one of them.
    pub fn read(name: &str, domain: &str, domains: &[String]) -> Result<Self, EReaderError> {
        let (name, domain) = (name.trim(), domain.trim().to_lowercase());
        let typed = name.rsplit_once('@').map(|(local, typed)| (local, typed.to_lowercase()));
        let (name, domain) = match typed {
            Some((local, typed)) if typed == domain || domains.contains(&typed) => (local, typed),
            Some((local, _)) if !local.is_empty() && Email::parse(name).is_ok() => {
                return Err(EReaderError::NotKindle(domain));
            }
            _ => (name, domain),
        };
        if name.is_empty() {
            return Err(EReaderError::Incomplete);
        }
        if !domains.contains(&domain) {
            return Err(EReaderError::UnknownDomain);
        }
        Ok(Self(Email::parse(&format!("{name}@{domain}"))?))
    }

    /// Wraps a stored address, without validation.
    pub const fn from_store(email: Email) -> Self {
        Self(email)
    }

    /// The whole address.
    pub const fn email(&self) -> &Email {
        &self.0
    }

    /// The part before the `@`, and the part after it (`delivery.e-reader-address`).
    pub fn parts(&self) -> (&str, &str) {
        self.0.as_str().rsplit_once('@').unwrap_or((self.0.as_str(), ""))
    }
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// It waits, or is being sent.
    Queued,
    /// The mail server has accepted it.
    Sent,
    /// It failed for good; only the member can retry it.
    Failed,
}

/// The error for a text that names no state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a delivery")]
pub struct UnknownState(String);

impl DeliveryState {
    /// Every state.
    pub const ALL: &[Self] = &[Self::Queued, Self::Sent, Self::Failed];

    /// The name in storage and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for DeliveryState {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.iter().copied().find(|state| state.as_str() == text).ok_or_else(|| UnknownState(text.to_owned()))
    }
}

/// What is sent to an e-reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryItem {
    /// A book of the catalogue.
    Book(BookId),
    /// A summary of the member's own.
    Summary(SummaryId),
}

impl DeliveryItem {
    /// The book; `None` for a summary.
    pub const fn book(self) -> Option<BookId> {
        match self {
            Self::Book(id) => Some(id),
            Self::Summary(_) => None,
        }
    }

    /// The summary; `None` for a book.
    pub const fn summary(self) -> Option<SummaryId> {
        match self {
            Self::Book(_) => None,
            Self::Summary(id) => Some(id),
        }
    }
}

/// A book or a summary that was requested for an e-reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    /// What is sent.
    pub item: DeliveryItem,
    /// The job that sends it, or did last; `None` before one is assigned.
    pub job: Option<JobId>,
    pub state: DeliveryState,
    /// The reason for the failure; `None` unless it failed.
    pub why: Option<String>,
    /// When it was last requested: first or as a retry.
    pub asked_at: Timestamp,
    /// When it was sent or failed; `None` while it is queued.
    pub ended_at: Option<Timestamp>,
}

/// The outcome of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The mail server has accepted it.
    Sent,
    /// It failed for good, for this reason.
    Failed(String),
}

impl Delivery {
    /// Marks the delivery as ended at this moment.
    pub fn end(&mut self, ended: DeliveryOutcome, now: Timestamp) {
        (self.state, self.why) = match ended {
            DeliveryOutcome::Sent => (DeliveryState::Sent, None),
            DeliveryOutcome::Failed(why) => (DeliveryState::Failed, Some(why)),
        };
        self.ended_at = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domains() -> Vec<String> {
        KINDLE_DOMAINS.map(str::to_owned).to_vec()
    }

    fn read(name: &str, domain: &str) -> Result<String, String> {
        let address = KindleAddress::read(name, domain, &domains()).map_err(|error| error.to_string())?;
        Ok(address.email().as_str().to_owned())
    }

    #[test]
    fn the_documented_domains() {
        assert_eq!(KINDLE_DOMAINS, ["kindle.com", "free.kindle.com", "kindle.cn", "kindle.ca", "kindle.it"]);
        assert_eq!(DELIVERIES_PAGE, 20);
    }

    #[test]
    fn a_name_and_a_domain_make_an_address() {
        for domain in KINDLE_DOMAINS {
            assert_eq!(read(" ada_7 ", domain).unwrap(), format!("ada_7@{domain}"));
        }
        assert_eq!(read("ada@kindle.com", "Kindle.com").unwrap(), "ada@kindle.com");
        assert_eq!(read("ada@Kindle.cn", "kindle.com").unwrap(), "ada@kindle.cn");
        let address = KindleAddress::read("ada", "free.kindle.com", &domains()).unwrap();
        assert_eq!(address.parts(), ("ada", "free.kindle.com"));
    }

    #[test]
    fn a_bad_form_is_told() {
        for name in ["", "  ", "@kindle.com"] {
            assert_eq!(read(name, "kindle.com").unwrap_err(), "Please complete the form.");
        }
        assert_eq!(read("ada", "example.com").unwrap_err(), "Please choose one of the domains.");
        for name in ["paul@gmail.com", "ada@example.com"] {
            assert_eq!(
                read(name, "kindle.com").unwrap_err(),
                "This is not a Kindle address. Your Kindle has its own address, which ends in @kindle.com."
            );
        }
        for name in ["ada lovelace", "a\r\nBcc: x", "ada..b", "ada,bob"] {
            assert_eq!(read(name, "kindle.com").unwrap_err(), "Please specify a valid email address.", "{name:?}");
        }
    }

    #[test]
    fn states_are_read_as_they_are_written() {
        for state in DeliveryState::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
        assert!("lost".parse::<DeliveryState>().is_err());
    }
}
