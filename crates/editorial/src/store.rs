//! What editorial content needs from storage.

use std::collections::BTreeMap;

use kernel::{DAY, DateCursor, InsightId, Limit, Page, PodcastId, PostId, Slug, StoreError, Timestamp};

use crate::{
    Banner, Insight, InsightDraft, Podcast, PodcastCard, PodcastDraft, Post, PostCard, PostCategory, PostDraft,
    Recording, SitePage,
};

/// The texts of a product page by their names, such as `block.0.title`.
pub type PageTexts = BTreeMap<String, String>;

/// Reads, callable with any connection.
pub trait EditorialQueries {
    /// The post with this slug, published or not; `None` when there is none.
    fn post(&mut self, slug: &Slug) -> Result<Option<Post>, StoreError>;

    /// All posts, published or not, newest first.
    fn all_posts(&mut self) -> Result<Vec<Post>, StoreError>;

    /// The ids of the posts whose publication moment has come, by that moment.
    fn posts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PostId>, StoreError>;

    /// The categories of all published posts, ordered by name.
    fn post_categories(&mut self) -> Result<Vec<PostCategory>, StoreError>;

    /// The episode with this slug, published or not; `None` when there is none.
    fn podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError>;

    /// All episodes, published or not, newest first.
    fn all_podcasts(&mut self) -> Result<Vec<Podcast>, StoreError>;

    /// The ids of the episodes whose publication moment has come, by that moment.
    fn podcasts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PodcastId>, StoreError>;

    /// The slugs of the published episodes without a recording, newest first.
    fn unrecorded_episodes(&mut self) -> Result<Vec<Slug>, StoreError>;

    /// The slug of the post with this id; `None` when there is none.
    fn post_slug(&mut self, id: PostId) -> Result<Option<Slug>, StoreError>;

    /// The slug of the episode with this id; `None` when there is none.
    fn podcast_slug(&mut self, id: PodcastId) -> Result<Option<Slug>, StoreError>;

    /// All insights, newest first.
    fn insights(&mut self) -> Result<Vec<Insight>, StoreError>;

    /// The page of the site with this slug; `None` when there is none.
    fn site_page(&mut self, slug: &Slug) -> Result<Option<SitePage>, StoreError>;

    /// All pages of the site, ordered by slug.
    fn site_pages(&mut self) -> Result<Vec<SitePage>, StoreError>;

    /// The texts of a product page that editors have changed, by their names. All other texts are the built-in ones.
    fn page_texts(&mut self, page: &Slug) -> Result<PageTexts, StoreError>;

    /// The banner above every page; `None` while none was saved.
    fn banner(&mut self) -> Result<Option<Banner>, StoreError>;

    /// Published posts, all or those of a category, newest first, after `after`: one more than the limit when there are more.
    fn list_post_cards(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Vec<PostCard>, StoreError>;

    /// Published episodes, newest first, after `after`: one more than the limit when there are more.
    fn list_podcast_cards(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Vec<PodcastCard>, StoreError>;

    /// The number of insights: all, or those added before a moment.
    fn count_insights(&mut self, before: Option<Timestamp>) -> Result<u64, StoreError>;

    /// The insight at this index, from 0, oldest first.
    fn insight_at(&mut self, place: u64) -> Result<Option<Insight>, StoreError>;

    /// The post with this slug as the public sees it; `None` when there is none, or it is not published.
    fn published_post(&mut self, slug: &Slug) -> Result<Option<Post>, StoreError> {
        Ok(self.post(slug)?.filter(|post| post.card.publication.is_published()))
    }

    /// The episode with this slug as the public sees it; `None` when there is none, or it is not published.
    fn published_podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError> {
        Ok(self.podcast(slug)?.filter(|podcast| podcast.card.publication.is_published()))
    }

    /// A page of published posts, all or those of a category, newest first.
    fn posts(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Page<PostCard, DateCursor<PostId>>, StoreError> {
        let found = self.list_post_cards(category, after, limit)?;
        Ok(Page::from_surplus(found, limit, |post| DateCursor { at: post.published_at, id: post.id }))
    }

    /// The newest published posts except this one: what its reader may want next.
    fn posts_besides(&mut self, slug: &Slug, most: usize) -> Result<Vec<PostCard>, StoreError> {
        // The store returns one more than the limit, in case the post itself is among them.
        let newest = self.list_post_cards(None, None, Limit::clamped(most))?;
        Ok(newest.into_iter().filter(|post| post.slug != *slug).take(most).collect())
    }

    /// A page of published episodes, newest first.
    fn podcasts(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Page<PodcastCard, DateCursor<PodcastId>>, StoreError> {
        let found = self.list_podcast_cards(after, limit)?;
        Ok(Page::from_surplus(found, limit, |one| DateCursor { at: one.published_at, id: one.id }))
    }

    /// The newest published episodes except this one: what its listener may want next.
    fn podcasts_besides(&mut self, slug: &Slug, most: usize) -> Result<Vec<PodcastCard>, StoreError> {
        // One more than the limit, as with posts.
        let newest = self.list_podcast_cards(None, Limit::clamped(most))?;
        Ok(newest.into_iter().filter(|one| one.slug != *slug).take(most).collect())
    }

    /// The insight of the day (`editorial.insight-day`): the same for everybody on a day (UTC), in rotation from the
    /// oldest to the newest. An insight joins the rotation on the day after it was added, unless it is the first one.
    /// `None` without any insight.
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

/// Writes that need no rule, callable in any transaction. Each one notifies all nodes of the change.
pub trait EditorialCommands: EditorialQueries {
    /// Deletes a post; `false` when there is none with this id.
    fn delete_post(&mut self, post: PostId) -> Result<bool, StoreError>;

    /// Deletes an episode; `false` when there is none with this id.
    fn delete_podcast(&mut self, podcast: PodcastId) -> Result<bool, StoreError>;

    /// Deletes an insight; `false` when there is none with this id.
    fn delete_insight(&mut self, insight: InsightId) -> Result<bool, StoreError>;
}

/// Storage of editorial content. The rules are in [`crate::Editorial`]. Each write notifies all nodes of the change.
pub trait EditorialStore: EditorialCommands {
    /// Adds a post, or replaces the one with the same slug.
    fn put_post(&mut self, post: &PostDraft, categories: &[PostCategory], now: Timestamp)
    -> Result<PostId, StoreError>;

    /// Adds an episode, or replaces the one with the same slug. Its recording stays if it was uploaded, or generated
    /// from this script.
    fn put_podcast(&mut self, podcast: &PodcastDraft, now: Timestamp) -> Result<PodcastId, StoreError>;

    /// The episode with this slug, locked until the transaction ends.
    fn lock_podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError>;

    /// Stores an episode's recording; `false` when there is no such episode.
    fn set_podcast_recording(&mut self, slug: &Slug, recording: &Recording) -> Result<bool, StoreError>;

    /// The insight with this title; `None` when there is none.
    fn find_insight(&mut self, title: &str) -> Result<Option<Insight>, StoreError>;

    /// Adds an insight, or replaces the one with the same title.
    fn put_insight(&mut self, insight: &InsightDraft, now: Timestamp) -> Result<InsightId, StoreError>;

    /// Replaces the insight with this id. Returns `false`, and changes nothing, when another insight has the title.
    fn update_insight(&mut self, id: InsightId, insight: &InsightDraft) -> Result<bool, StoreError>;

    /// Adds a page, or replaces the one with the same slug.
    fn put_site_page(&mut self, page: &SitePage) -> Result<(), StoreError>;

    /// Replaces the changed texts of a product page.
    fn put_page_texts(&mut self, page: &Slug, texts: &PageTexts) -> Result<(), StoreError>;

    /// Stores the banner above every page.
    fn put_banner(&mut self, banner: &Banner) -> Result<(), StoreError>;
}
