//! Types that all domains share: ids, e-mail addresses, time, money, pagination, access rights, and the error type of
//! stores.
//!
//! Contains no product rules, no storage, no wire format and no system clock: time and randomness come from [`Env`].

mod access;
mod calendar;
pub mod config;
mod device;
mod email;
mod env;
mod fold;
mod id;
mod money;
mod network;
mod page;
mod period;
mod random_text;
mod saved;
mod slug;
mod store_error;
mod text_picture;
mod time;
mod time_zone;
mod typed;

pub use access::Access;
pub use config::{ConfigError, Secret};
pub use device::{Device, LATEST_ARRIVAL, SLOWEST_REQUEST, correct_moment, moment};
pub use email::{Email, InvalidEmail};
pub use env::Env;
#[cfg(any(test, feature = "testing"))]
pub use env::FixedEnv;
pub use fold::{fold, sort_key};
pub use id::{
    AnswerId, ApiTokenId, AuthorId, BookId, CategoryId, CollectionId, CommitmentId, DeliveryId, GoalId, HighlightId,
    IdeaLinkId, InsightId, InvalidId, JobId, ListId, MAX_CLIENT_ID, MessageId, PasskeyId, PayerId, PodcastId, PostId,
    PushSubscriptionId, QuestionId, ReviewCardId, SessionId, SummaryId, TagId, TeamListId, UserId, VisualId,
};
pub use money::Money;
pub use network::network_of;
pub use page::{DateCursor, InvalidCursor, Limit, ListTotal, Page};
pub use period::Period;
pub use random_text::{READABLE_ALPHABET, random_text};
pub use saved::SaveOutcome;
pub use slug::{InvalidSlug, Slug};
pub use store_error::StoreError;
pub use text_picture::{TEXT_PICTURES, is_text_picture, text_picture_keys};
pub use time::{DAY, HOUR, MINUTE, SECOND, Timestamp};
pub use time_zone::{Day, InvalidDay, Month, TimeZone, Year};
pub use typed::{many_lines, one_line};
