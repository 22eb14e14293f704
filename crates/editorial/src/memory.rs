//! The in-memory store, for tests of the rules and of the code above them.

use std::{cmp::Reverse, collections::BTreeMap};

use kernel::{DateCursor, InsightId, Limit, PodcastId, PostId, Slug, StoreError, Timestamp};

use crate::{
    Banner, EditorialCommands, EditorialQueries, EditorialStore, Insight, InsightDraft, PageTexts, Podcast,
    PodcastCard, PodcastDraft, Post, PostCard, PostCategory, PostDraft, Publication, Recording, SitePage, script_hash,
    words,
};

/// All editorial content.
#[derive(Debug, Default)]
pub struct Memory {
    posts: Vec<Post>,
    podcasts: Vec<Podcast>,
    insights: Vec<Insight>,
    pages: Vec<SitePage>,
    texts: BTreeMap<Slug, PageTexts>,
    banner: Option<Banner>,
    ids: i64,
}

impl Memory {
    fn new_id(&mut self) -> i64 {
        self.ids += 1;
        self.ids
    }
}

/// The items after a cursor, newest first: up to one more than the limit.
fn page_of<T, K: Ord>(mut items: Vec<T>, key: impl Fn(&T) -> K, after: Option<&K>, limit: Limit) -> Vec<T> {
    items.sort_by_key(|item| Reverse(key(item)));
    items.into_iter().filter(|item| after.is_none_or(|after| key(item) < *after)).take(limit.get() + 1).collect()
}

/// The ids of what is scheduled for a moment that has come, by that moment.
fn due<I: Ord>(all: impl Iterator<Item = (Publication, I)>, now: Timestamp) -> Vec<I> {
    let mut found: Vec<(Timestamp, I)> = all
        .filter_map(|(publication, id)| Some((publication.publish_at()?, id)))
        .filter(|(at, _)| *at <= now)
        .collect();
    found.sort();
    found.into_iter().map(|(_, id)| id).collect()
}

impl EditorialQueries for Memory {
    fn post(&mut self, slug: &Slug) -> Result<Option<Post>, StoreError> {
        Ok(self.posts.iter().find(|post| post.card.slug == *slug).cloned())
    }

    fn all_posts(&mut self) -> Result<Vec<Post>, StoreError> {
        let mut all = self.posts.clone();
        all.sort_by_key(|post| Reverse((post.card.published_at, post.card.id)));
        Ok(all)
    }

    fn posts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PostId>, StoreError> {
        Ok(due(self.posts.iter().map(|post| (post.card.publication, post.card.id)), now))
    }

    fn post_categories(&mut self) -> Result<Vec<PostCategory>, StoreError> {
        let public = self.posts.iter().filter(|post| post.card.publication.is_published());
        let mut all: Vec<PostCategory> = public.flat_map(|post| post.card.categories.clone()).collect();
        all.sort_by(|a, b| a.slug.cmp(&b.slug));
        all.dedup_by(|a, b| a.slug == b.slug);
        Ok(all)
    }

    fn podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError> {
        Ok(self.podcasts.iter().find(|podcast| podcast.card.slug == *slug).cloned())
    }

    fn all_podcasts(&mut self) -> Result<Vec<Podcast>, StoreError> {
        let mut all = self.podcasts.clone();
        all.sort_by_key(|podcast| Reverse((podcast.card.published_at, podcast.card.id)));
        Ok(all)
    }

    fn podcasts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PodcastId>, StoreError> {
        Ok(due(self.podcasts.iter().map(|podcast| (podcast.card.publication, podcast.card.id)), now))
    }

    fn unrecorded_episodes(&mut self) -> Result<Vec<Slug>, StoreError> {
        let cards = self.list_podcast_cards(None, Limit::clamped(Limit::MAX))?;
        Ok(cards.into_iter().filter(|card| card.recording.is_none()).map(|card| card.slug).collect())
    }

    fn post_slug(&mut self, id: PostId) -> Result<Option<Slug>, StoreError> {
        Ok(self.posts.iter().find(|post| post.card.id == id).map(|post| post.card.slug.clone()))
    }

    fn podcast_slug(&mut self, id: PodcastId) -> Result<Option<Slug>, StoreError> {
        Ok(self.podcasts.iter().find(|podcast| podcast.card.id == id).map(|podcast| podcast.card.slug.clone()))
    }

    fn insights(&mut self) -> Result<Vec<Insight>, StoreError> {
        let mut all = self.insights.clone();
        all.sort_by_key(|insight| Reverse((insight.created_at, insight.id)));
        Ok(all)
    }

    fn site_page(&mut self, slug: &Slug) -> Result<Option<SitePage>, StoreError> {
        Ok(self.pages.iter().find(|page| page.slug == *slug).cloned())
    }

    fn site_pages(&mut self) -> Result<Vec<SitePage>, StoreError> {
        let mut pages = self.pages.clone();
        pages.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(pages)
    }

    fn page_texts(&mut self, page: &Slug) -> Result<PageTexts, StoreError> {
        Ok(self.texts.get(page).cloned().unwrap_or_default())
    }

    fn banner(&mut self) -> Result<Option<Banner>, StoreError> {
        Ok(self.banner.clone())
    }

    fn list_post_cards(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Vec<PostCard>, StoreError> {
        let of_category = |card: &PostCard| category.is_none_or(|slug| card.categories.iter().any(|c| c.slug == *slug));
        let public = self.posts.iter().map(|post| post.card.clone()).filter(|card| card.publication.is_published());
        let cards = public.filter(of_category).collect();
        Ok(page_of(cards, |card| DateCursor { at: card.published_at, id: card.id }, after.as_ref(), limit))
    }

    fn list_podcast_cards(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Vec<PodcastCard>, StoreError> {
        let all = self.podcasts.iter().map(|podcast| podcast.card.clone());
        let cards = all.filter(|card| card.publication.is_published()).collect();
        Ok(page_of(cards, |card| DateCursor { at: card.published_at, id: card.id }, after.as_ref(), limit))
    }

    fn count_insights(&mut self, before: Option<Timestamp>) -> Result<u64, StoreError> {
        let counted = |insight: &&Insight| before.is_none_or(|before| insight.created_at < before);
        Ok(self.insights.iter().filter(counted).count() as u64)
    }

    fn insight_at(&mut self, place: u64) -> Result<Option<Insight>, StoreError> {
        let mut insights: Vec<&Insight> = self.insights.iter().collect();
        insights.sort_by_key(|insight| (insight.created_at, insight.id));
        Ok(usize::try_from(place).ok().and_then(|place| insights.get(place).copied()).cloned())
    }
}

/// Removes the matching item from a list; returns whether there was one.
fn take_out<T>(all: &mut Vec<T>, is_meant: impl Fn(&T) -> bool) -> bool {
    let before = all.len();
    all.retain(|one| !is_meant(one));
    all.len() < before
}

impl EditorialCommands for Memory {
    fn delete_post(&mut self, post: PostId) -> Result<bool, StoreError> {
        Ok(take_out(&mut self.posts, |one| one.card.id == post))
    }

    fn delete_podcast(&mut self, podcast: PodcastId) -> Result<bool, StoreError> {
        Ok(take_out(&mut self.podcasts, |one| one.card.id == podcast))
    }

    fn delete_insight(&mut self, insight: InsightId) -> Result<bool, StoreError> {
        Ok(take_out(&mut self.insights, |one| one.id == insight))
    }
}

impl EditorialStore for Memory {
    fn put_post(
        &mut self,
        post: &PostDraft,
        categories: &[PostCategory],
        now: Timestamp,
    ) -> Result<PostId, StoreError> {
        let known = self.posts.iter().position(|known| known.card.slug == post.slug);
        let id = match known {
            Some(at) => self.posts[at].card.id,
            None => PostId::from_store(self.new_id()),
        };
        let saved = Post {
            card: PostCard {
                id,
                slug: post.slug.clone(),
                title: post.title.clone(),
                description: post.description.clone(),
                categories: categories.to_vec(),
                author: post.author.clone(),
                photo: post.photo.clone(),
                published_at: post.published_at,
                publication: post.publication,
                words: post.words(),
            },
            text: post.text.clone(),
            book: post.book.clone(),
            updated_at: now,
        };
        match known {
            Some(at) => self.posts[at] = saved,
            None => self.posts.push(saved),
        }
        Ok(id)
    }

    fn put_podcast(&mut self, podcast: &PodcastDraft, now: Timestamp) -> Result<PodcastId, StoreError> {
        let known = self.podcasts.iter().position(|known| known.card.slug == podcast.slug);
        let id = match known {
            Some(at) => self.podcasts[at].card.id,
            None => PodcastId::from_store(self.new_id()),
        };
        let hash = script_hash(&podcast.script);
        let recording = known
            .and_then(|at| self.podcasts[at].card.recording.clone())
            .filter(|one| one.text_hash.as_ref().is_none_or(|of| *of == hash));
        let saved = Podcast {
            card: PodcastCard {
                id,
                slug: podcast.slug.clone(),
                title: podcast.title.clone(),
                author: podcast.author.clone(),
                author_desc: podcast.author_desc.clone(),
                description: podcast.description.clone(),
                image: podcast.image.clone(),
                published_at: podcast.published_at,
                publication: podcast.publication,
                words: words(&podcast.script),
                stated_minutes: podcast.stated_minutes,
                recording,
                updated_at: now,
            },
            script: podcast.script.clone(),
        };
        match known {
            Some(at) => self.podcasts[at] = saved,
            None => self.podcasts.push(saved),
        }
        Ok(id)
    }

    fn lock_podcast(&mut self, slug: &Slug) -> Result<Option<Podcast>, StoreError> {
        self.podcast(slug)
    }

    fn set_podcast_recording(&mut self, slug: &Slug, recording: &Recording) -> Result<bool, StoreError> {
        let podcast = self.podcasts.iter_mut().find(|podcast| podcast.card.slug == *slug);
        let is_there = podcast.is_some();
        if let Some(podcast) = podcast {
            podcast.card.recording = Some(recording.clone());
        }
        Ok(is_there)
    }

    fn find_insight(&mut self, title: &str) -> Result<Option<Insight>, StoreError> {
        Ok(self.insights.iter().find(|insight| insight.draft.title == title).cloned())
    }

    fn put_insight(&mut self, insight: &InsightDraft, now: Timestamp) -> Result<InsightId, StoreError> {
        if let Some(known) = self.insights.iter_mut().find(|known| known.draft.title == insight.title) {
            known.draft = insight.clone();
            return Ok(known.id);
        }
        let id = InsightId::from_store(self.new_id());
        self.insights.push(Insight { id, draft: insight.clone(), created_at: now });
        Ok(id)
    }

    fn update_insight(&mut self, id: InsightId, insight: &InsightDraft) -> Result<bool, StoreError> {
        if self.insights.iter().any(|one| one.id != id && one.draft.title == insight.title) {
            return Ok(false);
        }
        if let Some(there) = self.insights.iter_mut().find(|one| one.id == id) {
            there.draft = insight.clone();
        }
        Ok(true)
    }

    fn put_site_page(&mut self, page: &SitePage) -> Result<(), StoreError> {
        self.pages.retain(|known| known.slug != page.slug);
        self.pages.push(page.clone());
        Ok(())
    }

    fn put_page_texts(&mut self, page: &Slug, texts: &PageTexts) -> Result<(), StoreError> {
        self.texts.insert(page.clone(), texts.clone());
        Ok(())
    }

    fn put_banner(&mut self, banner: &Banner) -> Result<(), StoreError> {
        self.banner = Some(banner.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
