//! Editorial content, in Postgres.
#![allow(clippy::ref_option_ref, reason = "Diesel's derives write it")]

use chrono::{DateTime, Utc};
use diesel::{
    AsChangeset, BoolExpressionMethods, ExpressionMethods, Insertable, OptionalExtension, PgArrayExpressionMethods,
    QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper, delete, dsl::exists, insert_into, select, update,
};
use editorial::{
    Banner, EditorialCommands, EditorialQueries, EditorialStore, Insight, InsightDraft, PageTexts, Podcast,
    PodcastCard, PodcastDraft, Post, PostCard, PostCategory, PostDraft, Publication, Recording, SitePage, script_hash,
    words,
};
use kernel::{DateCursor, InsightId, Limit, PodcastId, PostId, Slug, StoreError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Change, Pg,
    schema::{insights, podcasts, posts, site_pages},
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = posts)]
struct PostCardRow {
    id: i64,
    slug: String,
    title: String,
    description: String,
    words: i32,
    categories: Vec<String>,
    category_slugs: Vec<String>,
    author: String,
    photo: Option<String>,
    published_at: DateTime<Utc>,
    published: bool,
    publish_at: Option<DateTime<Utc>>,
}

impl PostCardRow {
    fn into_card(self) -> Result<PostCard, StoreError> {
        Ok(PostCard {
            id: PostId::from_store(self.id),
            slug: slug(&self.slug)?,
            title: self.title,
            description: self.description,
            categories: categories(&self.category_slugs, self.categories)?,
            author: self.author,
            photo: self.photo,
            published_at: from_db(self.published_at),
            publication: Publication::from_parts(self.published, self.publish_at.map(from_db)),
            words: usize::try_from(self.words).map_err(StoreError::new)?,
        })
    }
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = posts, treat_none_as_null = true)]
struct NewPost<'a> {
    slug: &'a str,
    title: &'a str,
    description: &'a str,
    text: &'a str,
    words: i32,
    categories: Vec<&'a str>,
    category_slugs: Vec<&'a str>,
    author: &'a str,
    book: Option<&'a str>,
    photo: Option<&'a str>,
    published_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    published: bool,
    publish_at: Option<DateTime<Utc>>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = podcasts)]
struct PodcastCardRow {
    id: i64,
    slug: String,
    title: String,
    author: String,
    author_desc: String,
    description: String,
    words: i32,
    image: Option<String>,
    published_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    media: Option<String>,
    media_ms: Option<i64>,
    media_bytes: Option<i64>,
    media_text_hash: Option<String>,
    stated_minutes: Option<i32>,
    published: bool,
    publish_at: Option<DateTime<Utc>>,
}

impl PodcastCardRow {
    fn into_card(self) -> Result<PodcastCard, StoreError> {
        let recording = match (self.media, self.media_ms, self.media_bytes) {
            (Some(key), Some(duration), Some(bytes)) => Some(Recording {
                key,
                duration_ms: duration.try_into().map_err(StoreError::new)?,
                bytes: bytes.try_into().map_err(StoreError::new)?,
                text_hash: self.media_text_hash,
            }),
            _ => None,
        };
        Ok(PodcastCard {
            id: PodcastId::from_store(self.id),
            slug: slug(&self.slug)?,
            title: self.title,
            author: self.author,
            author_desc: self.author_desc,
            description: self.description,
            image: self.image,
            published_at: from_db(self.published_at),
            publication: Publication::from_parts(self.published, self.publish_at.map(from_db)),
            words: usize::try_from(self.words).map_err(StoreError::new)?,
            stated_minutes: self.stated_minutes.map(u16::try_from).transpose().map_err(StoreError::new)?,
            recording,
            updated_at: from_db(self.updated_at),
        })
    }
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = podcasts, treat_none_as_null = true)]
struct NewPodcast<'a> {
    slug: &'a str,
    title: &'a str,
    author: &'a str,
    author_desc: &'a str,
    description: &'a str,
    script: &'a str,
    words: i32,
    stated_minutes: Option<i32>,
    image: Option<&'a str>,
    published_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    published: bool,
    publish_at: Option<DateTime<Utc>>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = insights)]
struct InsightRow {
    id: i64,
    title: String,
    insight: String,
    book: Option<String>,
    quoted: bool,
    created_at: DateTime<Utc>,
}

impl InsightRow {
    fn into_insight(self) -> Result<Insight, StoreError> {
        Ok(Insight {
            id: InsightId::from_store(self.id),
            draft: InsightDraft {
                title: self.title,
                insight: self.insight,
                book: self.book.as_deref().map(slug).transpose()?,
                quoted: self.quoted,
            },
            created_at: from_db(self.created_at),
        })
    }
}

fn slug(text: &str) -> Result<Slug, StoreError> {
    Slug::parse(text).map_err(StoreError::new)
}

fn categories(slugs: &[String], names: Vec<String>) -> Result<Vec<PostCategory>, StoreError> {
    slugs.iter().zip(names).map(|(text, name)| Ok(PostCategory { slug: slug(text)?, name })).collect()
}

/// A post with its text, its book and when it was last saved.
type PostRow = (PostCardRow, String, Option<String>, DateTime<Utc>);

fn post_of((card, text, book, updated_at): PostRow) -> Result<Post, StoreError> {
    let (card, book) = (card.into_card()?, book.as_deref().map(slug).transpose()?);
    Ok(Post { card, text, book, updated_at: from_db(updated_at) })
}

fn podcast_of((card, script): (PodcastCardRow, String)) -> Result<Podcast, StoreError> {
    Ok(Podcast { card: card.into_card()?, script })
}

impl<A> EditorialQueries for Pg<'_, A> {
    fn post(&mut self, slug_: &Slug) -> Result<Option<Post>, StoreError> {
        let row: Option<PostRow> = self.run(|conn| {
            posts::table
                .filter(posts::slug.eq(slug_.as_str()))
                .select((PostCardRow::as_select(), posts::text, posts::book, posts::updated_at))
                .first(conn)
                .optional()
        })?;
        row.map(post_of).transpose()
    }

    fn all_posts(&mut self) -> Result<Vec<Post>, StoreError> {
        let rows: Vec<PostRow> = self.run(|conn| {
            posts::table
                .order((posts::published_at.desc(), posts::id.desc()))
                .select((PostCardRow::as_select(), posts::text, posts::book, posts::updated_at))
                .load(conn)
        })?;
        rows.into_iter().map(post_of).collect()
    }

    fn posts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PostId>, StoreError> {
        let due = posts::table.filter(posts::publish_at.le(to_db(now))).order((posts::publish_at, posts::id));
        let ids: Vec<i64> = self.run(|conn| due.select(posts::id).load(conn))?;
        Ok(ids.into_iter().map(PostId::from_store).collect())
    }

    fn post_categories(&mut self) -> Result<Vec<PostCategory>, StoreError> {
        let rows: Vec<(Vec<String>, Vec<String>)> = self.run(|conn| {
            posts::table
                .filter(posts::published)
                .select((posts::category_slugs, posts::categories))
                .distinct()
                .order((posts::category_slugs, posts::categories))
                .load(conn)
        })?;
        let mut all = Vec::new();
        for (slugs, names) in rows {
            all.extend(categories(&slugs, names)?);
        }
        all.sort_by(|a, b| a.slug.cmp(&b.slug));
        all.dedup_by(|a, b| a.slug == b.slug);
        Ok(all)
    }

    fn podcast(&mut self, slug_: &Slug) -> Result<Option<Podcast>, StoreError> {
        let found = podcasts::table
            .filter(podcasts::slug.eq(slug_.as_str()))
            .select((PodcastCardRow::as_select(), podcasts::script));
        let row: Option<(PodcastCardRow, String)> = self.run(|conn| found.first(conn).optional())?;
        row.map(podcast_of).transpose()
    }

    fn all_podcasts(&mut self) -> Result<Vec<Podcast>, StoreError> {
        let rows: Vec<(PodcastCardRow, String)> = self.run(|conn| {
            podcasts::table
                .order((podcasts::published_at.desc(), podcasts::id.desc()))
                .select((PodcastCardRow::as_select(), podcasts::script))
                .load(conn)
        })?;
        rows.into_iter().map(podcast_of).collect()
    }

    fn podcasts_to_publish(&mut self, now: Timestamp) -> Result<Vec<PodcastId>, StoreError> {
        let due =
            podcasts::table.filter(podcasts::publish_at.le(to_db(now))).order((podcasts::publish_at, podcasts::id));
        let ids: Vec<i64> = self.run(|conn| due.select(podcasts::id).load(conn))?;
        Ok(ids.into_iter().map(PodcastId::from_store).collect())
    }

    fn unrecorded_episodes(&mut self) -> Result<Vec<Slug>, StoreError> {
        let slugs: Vec<String> = self.run(|conn| {
            podcasts::table
                .filter(podcasts::published.and(podcasts::media.is_null()))
                .order((podcasts::published_at.desc(), podcasts::id.desc()))
                .select(podcasts::slug)
                .load(conn)
        })?;
        slugs.iter().map(|text| slug(text)).collect()
    }

    fn post_slug(&mut self, id: PostId) -> Result<Option<Slug>, StoreError> {
        let found: Option<String> =
            self.run(|conn| posts::table.find(id.get()).select(posts::slug).first(conn).optional())?;
        found.as_deref().map(slug).transpose()
    }

    fn podcast_slug(&mut self, id: PodcastId) -> Result<Option<Slug>, StoreError> {
        let found: Option<String> =
            self.run(|conn| podcasts::table.find(id.get()).select(podcasts::slug).first(conn).optional())?;
        found.as_deref().map(slug).transpose()
    }

    fn insights(&mut self) -> Result<Vec<Insight>, StoreError> {
        let rows: Vec<InsightRow> = self.run(|conn| {
            insights::table
                .order((insights::created_at.desc(), insights::id.desc()))
                .select(InsightRow::as_select())
                .load(conn)
        })?;
        rows.into_iter().map(InsightRow::into_insight).collect()
    }

    fn site_page(&mut self, slug_: &Slug) -> Result<Option<SitePage>, StoreError> {
        let row: Option<(String, String, String, DateTime<Utc>)> = self.run(|conn| {
            site_pages::table
                .find(slug_.as_str())
                .select((site_pages::title, site_pages::description, site_pages::text, site_pages::revised_at))
                .first(conn)
                .optional()
        })?;
        Ok(row.map(|(title, description, text, revised_at)| SitePage {
            slug: slug_.clone(),
            title,
            description,
            text,
            revised_at: from_db(revised_at),
        }))
    }

    fn site_pages(&mut self) -> Result<Vec<SitePage>, StoreError> {
        type Row = (String, String, String, String, DateTime<Utc>);
        let rows: Vec<Row> = self.run(|conn| {
            site_pages::table
                .select((
                    site_pages::slug,
                    site_pages::title,
                    site_pages::description,
                    site_pages::text,
                    site_pages::revised_at,
                ))
                .load(conn)
        })?;
        let mut pages = rows
            .into_iter()
            .map(|(name, title, description, text, revised_at)| {
                Ok(SitePage { slug: slug(&name)?, title, description, text, revised_at: from_db(revised_at) })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        pages.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(pages)
    }

    fn page_texts(&mut self, page: &Slug) -> Result<PageTexts, StoreError> {
        let stored = self.site_content(&texts_name(page))?;
        stored.map_or(Ok(PageTexts::new()), |value| serde_json::from_value(value).map_err(StoreError::new))
    }

    fn banner(&mut self) -> Result<Option<Banner>, StoreError> {
        let stored: Option<BannerRow> =
            self.site_content(BANNER)?.map(serde_json::from_value).transpose().map_err(StoreError::new)?;
        Ok(stored.map(|row| Banner {
            text: row.text,
            link_text: row.link_text,
            href: row.href,
            from: row.from.map(Timestamp::from_millis),
            until: row.until.map(Timestamp::from_millis),
            is_on: row.on,
        }))
    }

    fn list_post_cards(
        &mut self,
        category: Option<&Slug>,
        after: Option<DateCursor<PostId>>,
        limit: Limit,
    ) -> Result<Vec<PostCard>, StoreError> {
        let mut query = posts::table
            .filter(posts::published)
            .order((posts::published_at.desc(), posts::id.desc()))
            .limit(limit.with_surplus())
            .select(PostCardRow::as_select())
            .into_boxed();
        if let Some(category) = category {
            query = query.filter(posts::category_slugs.contains(vec![category.as_str()]));
        }
        if let Some(DateCursor { at, id }) = after {
            let at = to_db(at);
            query = query.filter(posts::published_at.lt(at).or(posts::published_at.eq(at).and(posts::id.lt(id.get()))));
        }
        let rows = self.run(|conn| query.load(conn))?;
        rows.into_iter().map(PostCardRow::into_card).collect()
    }

    fn list_podcast_cards(
        &mut self,
        after: Option<DateCursor<PodcastId>>,
        limit: Limit,
    ) -> Result<Vec<PodcastCard>, StoreError> {
        let mut query = podcasts::table
            .filter(podcasts::published)
            .order((podcasts::published_at.desc(), podcasts::id.desc()))
            .limit(limit.with_surplus())
            .select(PodcastCardRow::as_select())
            .into_boxed();
        if let Some(DateCursor { at, id }) = after {
            let at = to_db(at);
            query = query
                .filter(podcasts::published_at.lt(at).or(podcasts::published_at.eq(at).and(podcasts::id.lt(id.get()))));
        }
        let rows = self.run(|conn| query.load(conn))?;
        rows.into_iter().map(PodcastCardRow::into_card).collect()
    }

    fn count_insights(&mut self, before: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut query = insights::table.count().into_boxed();
        if let Some(before) = before {
            query = query.filter(insights::created_at.lt(to_db(before)));
        }
        let count: i64 = self.run(|conn| query.get_result(conn))?;
        u64::try_from(count).map_err(StoreError::new)
    }

    fn insight_at(&mut self, place: u64) -> Result<Option<Insight>, StoreError> {
        let place = i64::try_from(place).map_err(StoreError::new)?;
        let row: Option<InsightRow> = self.run(|conn| {
            insights::table
                .order((insights::created_at, insights::id))
                .offset(place)
                .select(InsightRow::as_select())
                .first(conn)
                .optional()
        })?;
        row.map(InsightRow::into_insight).transpose()
    }
}

/// The name of the banner among the parts of the site's frame.
const BANNER: &str = "banner";
fn texts_name(page: &Slug) -> String {
    format!("texts.{page}")
}

/// The banner as it is stored. A row from before banners had dates lacks the last fields, and counts as on.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BannerRow {
    text: String,
    link_text: String,
    href: String,
    /// Milliseconds since the Unix epoch.
    #[serde(default)]
    from: Option<i64>,
    #[serde(default)]
    until: Option<i64>,
    #[serde(default = "is_on")]
    on: bool,
}

const fn is_on() -> bool {
    true
}

impl EditorialCommands for Pg<'_> {
    fn delete_post(&mut self, post: PostId) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        self.run(|conn| delete(posts::table.find(post.get())).execute(conn)).map(|rows| rows > 0)
    }

    fn delete_podcast(&mut self, podcast: PodcastId) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        self.run(|conn| delete(podcasts::table.find(podcast.get())).execute(conn)).map(|rows| rows > 0)
    }

    fn delete_insight(&mut self, insight: InsightId) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        self.run(|conn| delete(insights::table.find(insight.get())).execute(conn)).map(|rows| rows > 0)
    }
}

impl EditorialStore for Pg<'_> {
    fn put_post(
        &mut self,
        post: &PostDraft,
        categories: &[PostCategory],
        now: Timestamp,
    ) -> Result<PostId, StoreError> {
        let row = NewPost {
            slug: post.slug.as_str(),
            title: &post.title,
            description: &post.description,
            text: &post.text,
            words: i32::try_from(post.words()).map_err(StoreError::new)?,
            categories: categories.iter().map(|category| category.name.as_str()).collect(),
            category_slugs: categories.iter().map(|category| category.slug.as_str()).collect(),
            author: &post.author,
            book: post.book.as_ref().map(Slug::as_str),
            photo: post.photo.as_deref(),
            published_at: to_db(post.published_at),
            updated_at: to_db(now),
            published: post.publication.is_published(),
            publish_at: post.publication.publish_at().map(to_db),
        };
        self.record_change(Change::Catalogue);
        self.run(|conn| {
            insert_into(posts::table)
                .values(&row)
                .on_conflict(posts::slug)
                .do_update()
                .set(&row)
                .returning(posts::id)
                .get_result(conn)
        })
        .map(PostId::from_store)
    }

    fn lock_podcast(&mut self, slug_: &Slug) -> Result<Option<Podcast>, StoreError> {
        let found = podcasts::table.filter(podcasts::slug.eq(slug_.as_str())).select(podcasts::id).for_no_key_update();
        let locked: Option<i64> = self.run(|conn| found.first(conn).optional())?;
        if locked.is_none() { Ok(None) } else { self.podcast(slug_) }
    }

    fn put_podcast(&mut self, podcast: &PodcastDraft, now: Timestamp) -> Result<PodcastId, StoreError> {
        let row = NewPodcast {
            slug: podcast.slug.as_str(),
            title: &podcast.title,
            author: &podcast.author,
            author_desc: &podcast.author_desc,
            description: &podcast.description,
            script: &podcast.script,
            words: i32::try_from(words(&podcast.script)).map_err(StoreError::new)?,
            stated_minutes: podcast.stated_minutes.map(i32::from),
            image: podcast.image.as_deref(),
            published_at: to_db(podcast.published_at),
            updated_at: to_db(now),
            published: podcast.publication.is_published(),
            publish_at: podcast.publication.publish_at().map(to_db),
        };
        self.record_change(Change::Catalogue);
        let id = self.run(|conn| {
            insert_into(podcasts::table)
                .values(&row)
                .on_conflict(podcasts::slug)
                .do_update()
                .set(&row)
                .returning(podcasts::id)
                .get_result(conn)
        })?;
        // Removes a recording that was made from another script.
        self.run(|conn| {
            update(podcasts::table.find(id).filter(podcasts::media_text_hash.ne(script_hash(&podcast.script))))
                .set((
                    podcasts::media.eq(None::<String>),
                    podcasts::media_ms.eq(None::<i64>),
                    podcasts::media_bytes.eq(None::<i64>),
                    podcasts::media_text_hash.eq(None::<String>),
                ))
                .execute(conn)
        })?;
        Ok(PodcastId::from_store(id))
    }

    fn set_podcast_recording(&mut self, slug_: &Slug, recording: &Recording) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        let values = (
            podcasts::media.eq(&recording.key),
            podcasts::media_ms.eq(i64::try_from(recording.duration_ms).map_err(StoreError::new)?),
            podcasts::media_bytes.eq(i64::try_from(recording.bytes).map_err(StoreError::new)?),
            podcasts::media_text_hash.eq(&recording.text_hash),
        );
        let rows = self
            .run(|conn| update(podcasts::table.filter(podcasts::slug.eq(slug_.as_str()))).set(values).execute(conn))?;
        Ok(rows > 0)
    }

    fn find_insight(&mut self, title: &str) -> Result<Option<Insight>, StoreError> {
        let row: Option<InsightRow> = self.run(|conn| {
            insights::table.filter(insights::title.eq(title)).select(InsightRow::as_select()).first(conn).optional()
        })?;
        row.map(InsightRow::into_insight).transpose()
    }

    fn put_insight(&mut self, insight: &InsightDraft, now: Timestamp) -> Result<InsightId, StoreError> {
        self.record_change(Change::Catalogue);
        let written = (
            insights::insight.eq(&insight.insight),
            insights::book.eq(insight.book.as_ref().map(Slug::as_str)),
            insights::quoted.eq(insight.quoted),
        );
        self.run(|conn| {
            insert_into(insights::table)
                .values((insights::title.eq(&insight.title), insights::created_at.eq(to_db(now)), written))
                .on_conflict(insights::title)
                .do_update()
                .set(written)
                .returning(insights::id)
                .get_result(conn)
        })
        .map(InsightId::from_store)
    }

    fn update_insight(&mut self, id: InsightId, insight: &InsightDraft) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        let others = insights::table.filter(insights::title.eq(&insight.title)).filter(insights::id.ne(id.get()));
        if self.run(|conn| select(exists(others)).get_result(conn))? {
            return Ok(false);
        }
        let written = (
            insights::title.eq(&insight.title),
            insights::insight.eq(&insight.insight),
            insights::book.eq(insight.book.as_ref().map(Slug::as_str)),
            insights::quoted.eq(insight.quoted),
        );
        self.run(|conn| update(insights::table.find(id.get())).set(written).execute(conn))?;
        Ok(true)
    }

    fn put_site_page(&mut self, page: &SitePage) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let written = (
            site_pages::title.eq(&page.title),
            site_pages::description.eq(&page.description),
            site_pages::text.eq(&page.text),
            site_pages::revised_at.eq(to_db(page.revised_at)),
        );
        self.run(|conn| {
            insert_into(site_pages::table)
                .values((site_pages::slug.eq(page.slug.as_str()), written))
                .on_conflict(site_pages::slug)
                .do_update()
                .set(written)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn put_page_texts(&mut self, page: &Slug, texts: &PageTexts) -> Result<(), StoreError> {
        let value = serde_json::to_value(texts).map_err(StoreError::new)?;
        self.save_site_content(&texts_name(page), &value)
    }

    fn put_banner(&mut self, banner: &Banner) -> Result<(), StoreError> {
        let row = BannerRow {
            text: banner.text.clone(),
            link_text: banner.link_text.clone(),
            href: banner.href.clone(),
            from: banner.from.map(Timestamp::millis),
            until: banner.until.map(Timestamp::millis),
            on: banner.is_on,
        };
        self.save_site_content(BANNER, &serde_json::to_value(row).map_err(StoreError::new)?)
    }
}
