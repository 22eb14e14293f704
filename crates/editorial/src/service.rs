//! Saves editorial content, with its rules.

use kernel::{DAY, InsightId, PodcastId, PostId, SaveOutcome, Slug, StoreError, Timestamp, one_line};

use crate::{
    Banner, EditorialError, EditorialStore, Field, InsightDraft, PageTexts, Podcast, PodcastDraft, Post, PostCategory,
    PostDraft, Recording, SitePageDraft, html::clean, script_hash,
};

/// The rules of editorial content, over any store.
pub trait Editorial: EditorialStore {
    /// Adds or replaces a post.
    ///
    /// # Errors
    /// [`EditorialError::Blank`] and [`EditorialError::BadCategory`].
    fn save_post(&mut self, post: &PostDraft, now: Timestamp) -> Result<SaveOutcome<PostId>, EditorialError> {
        let categories = categories_of(post)?;
        let post = PostDraft { text: clean(&post.text), ..post.clone() };
        not_blank(&[(Field::Title, &post.title), (Field::Description, &post.description), (Field::Text, &post.text)])?;
        let known = self.post(&post.slug)?;
        if let Some(known) = &known
            && is_same(known, &post, &categories)
        {
            return Ok(SaveOutcome::Unchanged(known.card.id));
        }
        let id = self.put_post(&post, &categories, now)?;
        Ok(if known.is_some() { SaveOutcome::Changed(id) } else { SaveOutcome::Created(id) })
    }

    /// Adds or replaces an episode. A recording that was generated from another script is removed; an uploaded one
    /// stays.
    ///
    /// # Errors
    /// [`EditorialError::Blank`].
    fn save_podcast(
        &mut self,
        podcast: &PodcastDraft,
        now: Timestamp,
    ) -> Result<SaveOutcome<PodcastId>, EditorialError> {
        let podcast = PodcastDraft { script: clean(&podcast.script), ..podcast.clone() };
        not_blank(&[(Field::Title, &podcast.title), (Field::Description, &podcast.description)])?;
        let known = self.podcast(&podcast.slug)?;
        if let Some(known) = &known
            && is_same_episode(known, &podcast)
        {
            return Ok(SaveOutcome::Unchanged(known.card.id));
        }
        let id = self.put_podcast(&podcast, now)?;
        Ok(if known.is_some() { SaveOutcome::Changed(id) } else { SaveOutcome::Created(id) })
    }

    /// Stores a recording. Returns `false`, and stores nothing, when the episode does not exist, or when a generated
    /// recording comes too late: the script has changed since, or there is an uploaded recording.
    fn keep_recording(&mut self, slug: &Slug, recording: &Recording) -> Result<bool, StoreError> {
        let Some(podcast) = self.lock_podcast(slug)? else { return Ok(false) };
        let is_persons = podcast.card.recording.is_some_and(|there| there.text_hash.is_none());
        if recording.text_hash.as_ref().is_some_and(|hash| is_persons || *hash != script_hash(&podcast.script)) {
            return Ok(false);
        }
        self.set_podcast_recording(slug, recording)
    }

    /// Adds or replaces an insight.
    ///
    /// # Errors
    /// [`EditorialError::Blank`].
    fn save_insight(
        &mut self,
        insight: &InsightDraft,
        now: Timestamp,
    ) -> Result<SaveOutcome<InsightId>, EditorialError> {
        not_blank(&[(Field::Title, &insight.title), (Field::Insight, &insight.insight)])?;
        let known = self.find_insight(&insight.title)?;
        if let Some(known) = &known
            && known.draft == *insight
        {
            return Ok(SaveOutcome::Unchanged(known.id));
        }
        let id = self.put_insight(insight, now)?;
        Ok(if known.is_some() { SaveOutcome::Changed(id) } else { SaveOutcome::Created(id) })
    }

    /// Changes the insight with this id; its title may change too.
    ///
    /// # Errors
    /// [`EditorialError::Blank`], and [`EditorialError::TitleTaken`] when another insight has the title.
    fn edit_insight(&mut self, id: InsightId, insight: &InsightDraft) -> Result<(), EditorialError> {
        not_blank(&[(Field::Title, &insight.title), (Field::Insight, &insight.insight)])?;
        if self.update_insight(id, insight)? { Ok(()) } else { Err(EditorialError::TitleTaken) }
    }

    /// Adds or replaces a page of the site.
    ///
    /// # Errors
    /// [`EditorialError::Blank`].
    fn save_site_page(&mut self, page: &SitePageDraft) -> Result<SaveOutcome<()>, EditorialError> {
        let page = SitePageDraft { text: clean(&page.text), ..page.clone() };
        not_blank(&[(Field::Title, &page.title), (Field::Description, &page.description), (Field::Text, &page.text)])?;
        let known = self.site_page(&page.slug)?;
        if known.as_ref() == Some(&page) {
            return Ok(SaveOutcome::Unchanged(()));
        }
        self.put_site_page(&page)?;
        Ok(if known.is_some() { SaveOutcome::Changed(()) } else { SaveOutcome::Created(()) })
    }

    /// Validates and stores the banner above every page, and returns it as stored.
    ///
    /// # Errors
    /// [`EditorialError::Blank`], [`EditorialError::TooLong`], [`EditorialError::BadLink`] and
    /// [`EditorialError::EndsFirst`].
    fn save_banner(&mut self, banner: &Banner) -> Result<Banner, EditorialError> {
        let banner = banner.checked()?;
        if self.banner()?.as_ref() != Some(&banner) {
            self.put_banner(&banner)?;
        }
        Ok(banner)
    }

    /// Changes some texts of a product page, in plain text; the others stay as they are.
    ///
    /// # Errors
    /// [`EditorialError::Blank`].
    fn save_page_texts(&mut self, page: &Slug, texts: &PageTexts) -> Result<(), EditorialError> {
        let before = self.page_texts(page)?;
        let mut all = before.clone();
        for (name, text) in texts {
            let text = one_line(text);
            not_blank(&[(Field::Text, &text)])?;
            all.insert(name.clone(), text);
        }
        if all != before {
            self.put_page_texts(page, &all)?;
        }
        Ok(())
    }

    /// The object-store key of an episode's recording; `None` when there is none. Locks the episode until the
    /// transaction ends.
    fn episode_file(&mut self, slug: &Slug) -> Result<Option<String>, StoreError> {
        Ok(self.lock_podcast(slug)?.and_then(|podcast| podcast.card.recording).map(|recording| recording.key))
    }
}

impl<S: EditorialStore + ?Sized> Editorial for S {}

/// The start of the next day (UTC), when the insight of the day changes.
pub const fn next_day(now: Timestamp) -> Timestamp {
    Timestamp::from_millis((now.millis().div_euclid(DAY) + 1) * DAY)
}

fn not_blank(fields: &[(Field, &str)]) -> Result<(), EditorialError> {
    match fields.iter().find(|(_, text)| text.trim().is_empty()) {
        Some((field, _)) => Err(EditorialError::Blank(*field)),
        None => Ok(()),
    }
}

fn categories_of(post: &PostDraft) -> Result<Vec<PostCategory>, EditorialError> {
    if post.categories.is_empty() {
        return Err(EditorialError::Blank(Field::Categories));
    }
    let named = |name: &String| PostCategory::named(name).ok_or_else(|| EditorialError::BadCategory(name.clone()));
    post.categories.iter().map(named).collect()
}

fn is_same(known: &Post, draft: &PostDraft, categories: &[PostCategory]) -> bool {
    let card = &known.card;
    card.title == draft.title
        && card.description == draft.description
        && card.categories == categories
        && card.author == draft.author
        && card.photo == draft.photo
        && card.published_at == draft.published_at
        && card.publication == draft.publication
        && known.text == draft.text
        && known.book == draft.book
}

fn is_same_episode(known: &Podcast, draft: &PodcastDraft) -> bool {
    let card = &known.card;
    card.title == draft.title
        && card.author == draft.author
        && card.author_desc == draft.author_desc
        && card.description == draft.description
        && card.stated_minutes == draft.stated_minutes
        && card.image == draft.image
        && card.published_at == draft.published_at
        && card.publication == draft.publication
        && known.script == draft.script
}
