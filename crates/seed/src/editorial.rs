//! Editorial content, read from seed files: `insights.toml`, `pages.toml` with `pages/<slug>.html`,
//! `blog/<slug>/{post.toml, body.html}`, `podcasts.toml` and `podcasts/<slug>/{podcast.toml, script.html}`.

use anyhow::anyhow;
use editorial::{
    Editorial, EditorialError, InsightDraft, PodcastDraft, PostDraft, Publication, Recording, SitePageDraft,
};
use kernel::{Slug, Timestamp};
use media::Media;
use postgres::Pg;
use serde::{Deserialize, Serialize};
use workflows::{
    editorial::podcasts::{PodcastShow, SHOW},
    recording_files,
};

use super::{Tally, reader::Reader, recorded::EpisodeEntry, stored::without_empty};

/// The hues of drawn pictures for posts and episodes, in OKLCH degrees.
const HUES: [u16; 6] = [50, 90, 130, 210, 300, 15];

/// All editorial content.
#[derive(Debug, Default)]
pub(super) struct EditorialContent {
    posts: Vec<PostDraft>,
    show: Option<PodcastShow>,
    podcasts: Vec<(PodcastDraft, Option<Recording>)>,
    insights: Vec<InsightDraft>,
    pages: Vec<SitePageDraft>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PostFile {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) categories: Vec<String>,
    pub(super) author: String,
    pub(super) date: String,
    /// `true` for a draft.
    pub(super) draft: Option<bool>,
    /// When it is published: a date or a time, in UTC.
    pub(super) publish_at: Option<String>,
    pub(super) book: Option<String>,
    /// The object store key of its picture; `None` to draw one.
    pub(super) photo: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PodcastFile {
    pub(super) title: String,
    pub(super) author: String,
    pub(super) author_desc: String,
    pub(super) description: String,
    pub(super) date: String,
    /// `true` for a draft.
    pub(super) draft: Option<bool>,
    /// When it is published: a date or a time, in UTC.
    pub(super) publish_at: Option<String>,
    /// The length in minutes that editors stated.
    pub(super) minutes: Option<u16>,
    /// The object store key of its picture; `None` to draw one.
    pub(super) image: Option<String>,
    pub(super) recording: Option<EpisodeEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InsightsFile {
    pub(super) insight: Vec<InsightEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InsightEntry {
    pub(super) title: String,
    pub(super) insight: String,
    pub(super) book: Option<String>,
    pub(super) quoted: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PagesFile {
    pub(super) page: Vec<PageEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageEntry {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) updated: String,
}

impl EditorialContent {
    /// The books that entries reference, each with the file that does.
    pub(super) fn books_named(&self) -> impl Iterator<Item = (String, &Slug)> {
        let of_posts = self.posts.iter().map(|post| (format!("blog/{}/post.toml", post.slug), post.book.as_ref()));
        let of_insights = self.insights.iter().map(|one| (format!("insights.toml: {}", one.title), one.book.as_ref()));
        of_posts.chain(of_insights).filter_map(|(path, book)| Some((path, book?)))
    }

    /// Draws pictures for posts and episodes without one, and puts them into the object store.
    pub(super) async fn put_pictures(&mut self, media: &Media) -> anyhow::Result<()> {
        for post in self.posts.iter_mut().filter(|post| post.photo.is_none()) {
            post.photo = Some(put_picture(media, "blog", &post.slug).await?);
        }
        for (podcast, _) in self.podcasts.iter_mut().filter(|(podcast, _)| podcast.image.is_none()) {
            podcast.image = Some(put_picture(media, "podcasts", &podcast.slug).await?);
        }
        let of_podcasts = self.podcasts.iter_mut().map(|(podcast, _)| &mut podcast.image);
        without_empty(self.posts.iter_mut().map(|post| &mut post.photo).chain(of_podcasts));
        Ok(())
    }

    /// Saves what is new or has changed.
    pub(super) fn save(&self, pg: &mut Pg<'_>, now: Timestamp, tally: &mut Tally) -> anyhow::Result<()> {
        for post in &self.posts {
            tally.count(&pg.save_post(post, now).map_err(|error| at(&format!("blog/{}", post.slug), &error))?);
        }
        if let Some(show) = &self.show {
            let show = serde_json::to_value(show)?;
            if pg.site_content(SHOW)?.as_ref() != Some(&show) {
                pg.save_site_content(SHOW, &show)?;
            }
        }
        for (one, recording) in &self.podcasts {
            tally.count(
                &recording_files::save_podcast(pg, one, now)
                    .map_err(|error| at(&format!("podcasts/{}", one.slug), &error))?,
            );
            if let Some(recording) = recording {
                recording_files::replace_episode(pg, &one.slug, recording, now)?;
            }
        }
        for one in &self.insights {
            tally.count(
                &pg.save_insight(one, now).map_err(|error| at(&format!("insights.toml: {}", one.title), &error))?,
            );
        }
        for page in &self.pages {
            tally.count(&pg.save_site_page(page).map_err(|error| at(&format!("pages/{}", page.slug), &error))?);
        }
        Ok(())
    }
}

async fn put_picture(media: &Media, folder: &str, slug: &Slug) -> anyhow::Result<String> {
    let seed = artwork::seed_of(slug.as_str());
    let hue = HUES[usize::try_from(seed >> 8).unwrap_or_default() % HUES.len()];
    let picture = artwork::category_image(f64::from(hue), seed);
    Ok(media.put(&format!("{folder}/{slug}.svg"), picture.into_bytes()).await?)
}

/// Adds the file and the field to an error.
fn at(file: &str, error: &EditorialError) -> anyhow::Error {
    error.field().map_or_else(|| anyhow!("{file}: {error}"), |field| anyhow!("{file}: {field}: {error}"))
}

impl Reader<'_> {
    pub(super) fn editorial(&mut self) -> anyhow::Result<EditorialContent> {
        let mut content = EditorialContent::default();
        for name in self.files.names_in("blog")? {
            content.posts.extend(self.post(&name)?);
        }
        content.show = self.toml("podcasts.toml")?;
        for name in self.files.names_in("podcasts")? {
            content.podcasts.extend(self.podcast(&name)?);
        }
        if let Some(file) = self.toml::<InsightsFile>("insights.toml")? {
            for entry in file.insight {
                let InsightEntry { title, insight, book, quoted } = entry;
                let book = book.and_then(|book| self.slug("insights.toml", "book", &book));
                content.insights.push(InsightDraft { title, insight, book, quoted });
            }
        }
        if let Some(file) = self.toml::<PagesFile>("pages.toml")? {
            for entry in file.page {
                content.pages.extend(self.page(entry)?);
            }
        }
        Ok(content)
    }

    fn post(&mut self, name: &str) -> anyhow::Result<Option<PostDraft>> {
        let path = format!("blog/{name}/post.toml");
        let text = self.there(&format!("blog/{name}/body.html"))?;
        let Some(file) = self.toml::<PostFile>(&path)? else { return Ok(None) };
        let (slug, date) = (self.slug(&path, "name", name), self.date(&path, "date", &file.date));
        let book = file.book.and_then(|book| self.slug(&path, "book", &book));
        let (Some(slug), Some(published_at)) = (slug, date) else { return Ok(None) };
        let publication = self.publication(&path, file.draft, file.publish_at.as_deref());
        let photo = self.picture(&path, "photo", file.photo);
        let (title, description, categories, author) = (file.title, file.description, file.categories, file.author);
        Ok(Some(PostDraft {
            slug,
            title,
            description,
            text,
            categories,
            author,
            book,
            photo,
            published_at,
            publication,
        }))
    }

    fn podcast(&mut self, name: &str) -> anyhow::Result<Option<(PodcastDraft, Option<Recording>)>> {
        let path = format!("podcasts/{name}/podcast.toml");
        let script = self.there(&format!("podcasts/{name}/script.html"))?;
        let Some(file) = self.toml::<PodcastFile>(&path)? else { return Ok(None) };
        let (slug, date) = (self.slug(&path, "name", name), self.date(&path, "date", &file.date));
        let (Some(slug), Some(published_at)) = (slug, date) else { return Ok(None) };
        let publication = self.publication(&path, file.draft, file.publish_at.as_deref());
        let PodcastFile { title, author, author_desc, description, minutes, image, recording, .. } = file;
        let stated_minutes = minutes.filter(|minutes| *minutes > 0);
        let image = self.picture(&path, "image", image);
        let recording = self.episode(&path, recording);
        let draft = PodcastDraft {
            slug,
            title,
            author,
            author_desc,
            description,
            script,
            stated_minutes,
            image,
            published_at,
            publication,
        };
        Ok(Some((draft, recording)))
    }

    /// How a post or an episode is published; published when the file says nothing of it.
    fn publication(&mut self, path: &str, draft: Option<bool>, publish_at: Option<&str>) -> Publication {
        let moment = publish_at.and_then(|at| self.date(path, "publish_at", at));
        Publication::from_parts(draft != Some(true) && publish_at.is_none(), moment)
    }

    fn page(&mut self, entry: PageEntry) -> anyhow::Result<Option<SitePageDraft>> {
        let PageEntry { slug, title, description, updated } = entry;
        let text = self.there(&format!("pages/{slug}.html"))?;
        let (slug, date) = (self.slug("pages.toml", "slug", &slug), self.date("pages.toml", "updated", &updated));
        let (Some(slug), Some(revised_at)) = (slug, date) else { return Ok(None) };
        Ok(Some(SitePageDraft { slug, title, description, text, revised_at }))
    }

    /// The text of a file; its absence is a problem.
    fn there(&mut self, path: &str) -> anyhow::Result<String> {
        let text = self.files.text(path)?;
        match &text {
            Some(html) => self.text_pictures(path, html),
            None => self.problem(path, "file", "it is missing"),
        }
        Ok(text.unwrap_or_default())
    }
}
