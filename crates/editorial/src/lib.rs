//! Editorial content: the blog, the podcast, the insight of the day, and the pages about the site.
//!
//! # What it owns
//!
//! Posts with their categories, episodes with their scripts and recordings, insights, the pages 'about', 'terms' and
//! 'privacy' (`editorial.site-pages`), the texts of the product pages that editors have changed, and the banner above
//! every page.
//!
//! # What always holds
//!
//! - Stored HTML is sanitized: text elements only, with links to paths of this site, to the web and to email addresses.
//! - Lists use keyset pagination, newest first, and have only what is published.
//! - Everybody sees the same insight on a day (UTC), and all of them are shown before one is repeated, unless one is
//!   added.
//! - A generated recording is used only while it matches the present script.
//!
//! # Words
//!
//! A *card* is what lists show; a *draft* is what editors write; a *script* is what is spoken in an episode; an
//! *insight* is a short thought, one of which is shown each day. A book is referred to by its slug; this crate does not
//! know whether it exists.

mod banner;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod edits;
mod error;
mod html;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod publication;
mod service;
mod store;

pub use banner::{BANNER_MAX_CHARS, Banner};
pub use edits::{InsightEdit, PodcastEdit, PostEdit};
pub use error::{EditorialError, Field};
pub use html::{clean, words};
pub use model::{
    Insight, InsightDraft, Podcast, PodcastCard, PodcastDraft, Post, PostCard, PostCategory, PostDraft, Recording,
    SitePage, SitePageDraft, WHATS_NEW, script_hash,
};
pub use publication::{Publication, PublicationEdit};
pub use service::{Editorial, next_day};
pub use store::{EditorialCommands, EditorialQueries, EditorialStore, PageTexts};
