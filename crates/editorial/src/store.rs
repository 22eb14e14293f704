//! What the editorial part needs from storage.

use std::collections::BTreeMap;

use kernel::{DAY, DateCursor, InsightId, Limit, Page, PodcastId, PostId, Slug, StoreError, Timestamp};

use crate::{
    Banner, Insight, InsightDraft, Podcast, PodcastCard, PodcastDraft, Post, PostCard, PostCategory, PostDraft,
    Recording, SitePage,
};

/// Texts by their names, such as `block.0.title`.
pub type PageTexts = BTreeMap<String, String>;

/// Reads, callable by everyone who holds a connection.
pub trait EditorialQueries {
    /// A post.
    fn post(&mut self, slug: &Slug) -> Result<Option<Post>, StoreError>;

    /// The categories that posts have, by their names.
    fn post_categories(&mut self) -> Result<Vec<PostCategory>, StoreError>;

    /// An episode.
    fn podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError>;

    /// Those of the episodes that have no recording, the newest first.
    fn unrecorded_episodes(&mut self) -> Result<Vec<Slug>, StoreError>;

    /// The name in addresses of the post with this number.
    fn post_slug(&mut self, id: PostId) -> Result<Option<Slug>, StoreError>;

    /// The name in addresses of the episode with this number.
    fn podcast_slug(&mut self, id: PodcastId) -> Result<Option<Slug>, StoreError>;

    /// All insights, the newest first.
    fn insights(&mut self) -> Result<Vec<Insight>, StoreError>;

    /// A page of the site.
    fn site_page(&mut self, slug: &Slug) -> Result<Option<SitePage>, StoreError>;

    /// All pages of the site, in the order of their slugs.
    fn site_pages(&mut self) -> Result<Vec<SitePage>, StoreError>;

    /// The texts of a product page that editors have written, by their names; others are those that it came with.
    fn page_texts(&mut self, page: &Slug) -> Result<PageTexts, StoreError>;

    /// The offer above every page; `None` while none was written.
    fn banner(&mut self) -> Result<Option<Banner>, StoreError>;

    /// Posts, all or those of a category, the newest first, behind `after`: one more than the limit when there are more.
    fn list_post_cards(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Vec<PostCard>, StoreError>;

    /// Episodes, the newest first, behind `after`: one more than the limit when there are more.
    fn list_podcast_cards(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Vec<PodcastCard>, StoreError>;

    /// How many insights there are, or were added before a moment.
    fn count_insights(&mut self, before: Option<Timestamp>) -> Result<u64, StoreError>;

    /// The insight at this place, from 0, the oldest first.
    fn insight_at(&mut self, place: u64) -> Result<Option<Insight>, StoreError>;

    /// A page of posts, all or those of a category, the newest first.
    fn posts(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Page<PostCard, DateCursor<PostId>>, StoreError> {
        let found = self.list_post_cards(category, after, limit)?;
        Ok(Page::from_surplus(found, limit, |post| DateCursor { at: post.published_at, id: post.id }))
    }

    /// The newest posts besides one: what a reader of it may want next.
    fn posts_besides(&mut self, slug: &Slug, most: usize) -> Result<Vec<PostCard>, StoreError> {
        // One more than asked for comes along, for the case that the post itself is among them.
        let newest = self.list_post_cards(None, None, Limit::clamped(most))?;
        Ok(newest.into_iter().filter(|post| post.slug != *slug).take(most).collect())
    }

    /// A page of episodes, the newest first.
    fn podcasts(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Page<PodcastCard, DateCursor<PodcastId>>, StoreError> {
        let found = self.list_podcast_cards(after, limit)?;
        Ok(Page::from_surplus(found, limit, |one| DateCursor { at: one.published_at, id: one.id }))
    }

    /// The newest episodes besides one: what a listener to it may want next.
    fn podcasts_besides(&mut self, slug: &Slug, most: usize) -> Result<Vec<PodcastCard>, StoreError> {
        // As with posts.
        let newest = self.list_podcast_cards(None, Limit::clamped(most))?;
        Ok(newest.into_iter().filter(|one| one.slug != *slug).take(most).collect())
    }

    /// The insight of the day (`editorial.insight-day`): the same for everybody on a day (UTC); each day the next one, and
    /// the first after the last. What is added on a day joins the round on the next one, unless it is the first there is.
    fn insight_of_the_day(&mut self, now: Timestamp) -> Result<Option<Insight>, StoreError> {
        let day = now.millis().div_euclid(DAY);
        let yesterdays = self.count_insights(Some(Timestamp::from_millis(day * DAY)))?;
        let count = if yesterdays == 0 { self.count_insights(None)? } else { yesterdays };
        if count == 0 {
            return Ok(None);
        }
        let place = day.rem_euclid(i64::try_from(count).map_err(StoreError::new)?);
        self.insight_at(place.unsigned_abs())
    }
}

/// Changes without a rule, callable by everyone who holds a transaction. They tell every node.
pub trait EditorialCommands: EditorialQueries {
    /// Removes a post; `false` when there is none of this number.
    fn delete_post(&mut self, post: PostId) -> Result<bool, StoreError>;

    /// Removes an episode; `false` when there is none of this number.
    fn delete_podcast(&mut self, podcast: PodcastId) -> Result<bool, StoreError>;

    /// Removes an insight; `false` when there is none of this number.
    fn delete_insight(&mut self, insight: InsightId) -> Result<bool, StoreError>;
}

/// Storage of editorial content. The rules are in [`crate::Editorial`]. What changes is told to every node.
pub trait EditorialStore: EditorialCommands {
    /// Adds a post, or replaces the one of the same slug.
    fn put_post(&mut self, post: &PostDraft, categories: &[PostCategory], now: Timestamp)
    -> Result<PostId, StoreError>;

    /// Adds an episode, or replaces the one of the same slug. A recording of it stays, if it is of this script or of
    /// none.
    fn put_podcast(&mut self, podcast: &PodcastDraft, now: Timestamp) -> Result<PodcastId, StoreError>;

    /// [`EditorialStore::podcast`], which nobody changes until the transaction ends.
    fn lock_podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError>;

    /// Writes an episode's recording; `false` when there is no such episode.
    fn set_podcast_recording(&mut self, slug: &Slug, recording: &Recording) -> Result<bool, StoreError>;

    /// The insight of this title.
    fn find_insight(&mut self, title: &str) -> Result<Option<Insight>, StoreError>;

    /// Adds an insight, or replaces the one of the same title.
    fn put_insight(&mut self, insight: &InsightDraft, now: Timestamp) -> Result<InsightId, StoreError>;

    /// Replaces the insight with this number; `false`, and nothing changed, when another one has the title.
    fn update_insight(&mut self, id: InsightId, insight: &InsightDraft) -> Result<bool, StoreError>;

    /// Adds a page, or replaces the one of the same slug.
    fn put_site_page(&mut self, page: &SitePage) -> Result<(), StoreError>;

    /// Writes the texts of a product page in the place of those before.
    fn put_page_texts(&mut self, page: &Slug, texts: &PageTexts) -> Result<(), StoreError>;

    /// Writes the offer above every page.
    fn put_banner(&mut self, banner: &Banner) -> Result<(), StoreError>;
}
