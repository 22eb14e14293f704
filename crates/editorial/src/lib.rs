//! Editorial content: the blog, the podcast, a thought for each day, and the pages about it.
//!
//! # What it owns
//!
//! Posts with their categories, episodes with their scripts and recordings, insights, and the pages 'about', 'terms' and
//! 'privacy' (`editorial.site-pages`); the texts of the product pages that editors have changed, and the offer above every page.
//!
//! # What always holds
//!
//! - Stored HTML is clean: of the elements of a text only, with links to this site, to the web and to addresses.
//! - Lists are paged by key, the newest first.
//! - Everybody sees the same insight on a day (UTC), and as long as none is added all of them come round before one is
//!   seen again.
//! - A recording counts only while it is one of the present script.
//!
//! # Words
//!
//! A *card* is what lists show; a *draft* is what editors write; a *script* is what is spoken in an episode.
//! A book is named by its name in addresses: whether it is there is not known here.

mod banner;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod edits;
mod error;
mod html;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
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
pub use service::{Editorial, next_day};
pub use store::{EditorialCommands, EditorialQueries, EditorialStore, PageTexts};
