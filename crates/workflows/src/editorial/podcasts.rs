//! The podcast: its episodes with what the operators say of the podcast as a whole (`editorial.podcast-feed`).

use editorial::{EditorialQueries, Podcast, PodcastCard};
use kernel::{DateCursor, Limit, Page, PodcastId, Slug, StoreError};
use serde::{Deserialize, Serialize};

use crate::tx::Tx;

/// The name of the podcast as a whole in the site's content.
pub const SHOW: &str = "podcast";
/// How many other episodes are offered below one.
const MORE: usize = 3;

/// The podcast as a whole, as it is stored in the site's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PodcastShow {
    pub title: String,
    /// What it is about.
    pub description: String,
}

/// A page of episodes.
#[derive(Clone, Debug)]
pub struct Episodes {
    /// The podcast as a whole.
    pub show: PodcastShow,
    /// The episodes, the newest first.
    pub page: Page<PodcastCard, DateCursor<PodcastId>>,
}

/// Reads a page of episodes.
pub fn episodes<A>(
    tx: &mut Tx<'_, '_, A>,
    after: Option<DateCursor<PodcastId>>,
    limit: Limit,
) -> Result<Episodes, StoreError> {
    Ok(Episodes { page: tx.pg.podcasts(after, limit)?, show: show(tx)? })
}

/// One episode, and the newest of the others.
#[derive(Clone, Debug)]
pub struct Episode {
    /// The podcast as a whole.
    pub show: PodcastShow,
    /// The episode.
    pub podcast: Podcast,
    /// The newest of the others.
    pub more: Vec<PodcastCard>,
}

/// Reads an episode; `None` when there is no such episode.
pub fn episode<A>(tx: &mut Tx<'_, '_, A>, slug: &Slug) -> Result<Option<Episode>, StoreError> {
    let Some(podcast) = tx.pg.podcast(slug)? else { return Ok(None) };
    Ok(Some(Episode { show: show(tx)?, more: tx.pg.podcasts_besides(slug, MORE)?, podcast }))
}

/// The podcast as a whole. A site whose operators have not described it has a plain one.
fn show<A>(tx: &mut Tx<'_, '_, A>) -> Result<PodcastShow, StoreError> {
    let plain =
        || PodcastShow { title: "Podcast".to_owned(), description: "Ideas from books, to be heard.".to_owned() };
    tx.pg
        .site_content(SHOW)?
        .map_or_else(|| Ok(plain()), |value| serde_json::from_value(value).map_err(StoreError::new))
}
