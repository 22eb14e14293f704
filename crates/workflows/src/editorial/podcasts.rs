//! The podcast: its episodes, and the show's title and description as operators wrote them (`editorial.podcast-feed`).

use editorial::{EditorialQueries, Podcast, PodcastCard};
use kernel::{DateCursor, Limit, Page, PodcastId, Slug, StoreError};
use serde::{Deserialize, Serialize};

use crate::tx::Tx;

/// The show's name among the parts of the site's frame.
pub const SHOW: &str = "podcast";
/// How many other episodes a page of an episode offers.
const MORE: usize = 3;

/// The podcast as a whole, as it is stored among the parts of the site's frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PodcastShow {
    pub title: String,
    pub description: String,
}

/// A page of episodes.
#[derive(Clone, Debug)]
pub struct Episodes {
    pub show: PodcastShow,
    /// Newest first.
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

/// An episode, with the newest other episodes.
#[derive(Clone, Debug)]
pub struct Episode {
    pub show: PodcastShow,
    pub podcast: Podcast,
    /// The newest other episodes.
    pub more: Vec<PodcastCard>,
}

/// Reads an episode; `None` if there is no such episode, or it is not published.
pub fn episode<A>(tx: &mut Tx<'_, '_, A>, slug: &Slug) -> Result<Option<Episode>, StoreError> {
    let Some(podcast) = tx.pg.published_podcast(slug)? else { return Ok(None) };
    Ok(Some(Episode { show: show(tx)?, more: tx.pg.podcasts_besides(slug, MORE)?, podcast }))
}

/// The podcast as a whole; a default if its operators have not described it.
fn show<A>(tx: &mut Tx<'_, '_, A>) -> Result<PodcastShow, StoreError> {
    let plain =
        || PodcastShow { title: "Podcast".to_owned(), description: "Ideas from books, made for listening.".to_owned() };
    tx.pg
        .site_content(SHOW)?
        .map_or_else(|| Ok(plain()), |value| serde_json::from_value(value).map_err(StoreError::new))
}
