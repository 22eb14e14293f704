//! Exports the whole catalogue as files in the format that seeding reads: one snapshot, in a fixed order, and without a trace of
//! the export itself. Seeding an empty instance with it and exporting again yields the same bytes.
//!
//! Members' data, ratings and view counts are not content: backups hold them.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use catalogue::{
    BookDraft, BookRef, CatalogueLists, CatalogueQueries, CollectionDraft, EditingQueries, Film, ListedFilter,
    ListedQuery, ListedSort, Narration, RecordingQueries, VisualDraft, shown_hash, text_hash, thumb_of_infographic,
};
use challenge::{ChallengeQueries, QuizKind};
use editorial::{EditorialQueries, Publication, script_hash};
use futures_util::StreamExt;
use kernel::{BookId, CollectionId, Limit, Page, Slug, text_picture_keys};
use media::Media;
use postgres::{Pg, Snapshot};
use serde::Serialize;
use workflows::{catalogue::drawings::read_drawing, editorial::podcasts::SHOW};

use super::{
    content::{
        AuthorFile, BookFile, CategoriesFile, CategoryEntry, CollectionEntry, CollectionsFile, GoalEntry, GoalsFile,
        IdeaEntry, QUIZZES, QuestionEntry, QuizzesFile, QuoteEntry, VisualsFile,
    },
    editorial::{InsightEntry, InsightsFile, PageEntry, PagesFile, PodcastFile, PostFile},
    idea_links::{self, IDEA_LINKS},
    reader::date_text,
    recorded::{EpisodeEntry, RecordingsFile},
    stored::FOLDER,
};

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub books: usize,
    /// All files, including those of the object store.
    pub files: usize,
    /// The keys of pictures that texts show and the object store does not have.
    pub missing: Vec<String>,
}

/// Writes the content of the database at this URL, and the files that it names, into a new or empty folder. If anything
/// fails, no folder is left. The site may be running.
///
/// Blocks its thread while it reads the database, so call it from commands only.
pub async fn export_content(database_url: &str, media: &Media, folder: &Path) -> anyhow::Result<Exported> {
    if folder.exists() && fs::read_dir(folder).is_ok_and(|mut there| there.next().is_none()) {
        fs::remove_dir(folder)?;
    }
    if folder.exists() {
        bail!("{} is there already: nothing is overwritten", folder.display());
    }
    let mut writer = Writer::new(folder)?;
    writer.content(&mut Snapshot::begin(database_url)?.pg())?;
    // A file that the snapshot names is deleted a day after its row at the earliest, so it still exists.
    for key in std::mem::take(&mut writer.text_pictures) {
        if media.exists(&key).await? {
            writer.keys.insert(key);
        } else {
            writer.exported.missing.push(key);
        }
    }
    for key in std::mem::take(&mut writer.keys) {
        let forms = if media::is_drawing(&key) { Vec::new() } else { media::rendition_keys(&key) };
        for form in forms {
            writer.copy(media, &form).await?;
        }
        if !writer.copy(media, &key).await? {
            bail!("the object store has no {key}");
        }
    }
    writer.complete(folder)
}

/// A `.partial` folder that is renamed once it is complete, and removed otherwise.
struct Writer {
    home: PathBuf,
    /// The object store keys that entries name.
    keys: BTreeSet<String>,
    /// Those of the pictures that texts show.
    text_pictures: BTreeSet<String>,
    exported: Exported,
    is_complete: bool,
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.is_complete {
            // If this fails, the folder that stays has a name that says it is partial.
            let _ = fs::remove_dir_all(&self.home);
        }
    }
}

impl Writer {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let mut name = folder.as_os_str().to_owned();
        name.push(".partial");
        let home = PathBuf::from(name);
        if home.exists() {
            // A killed run has left it.
            fs::remove_dir_all(&home).with_context(|| home.display().to_string())?;
        }
        durable_fs::create_dir_all(&home, 0o777).with_context(|| home.display().to_string())?;
        Ok(Self {
            home,
            keys: BTreeSet::new(),
            text_pictures: BTreeSet::new(),
            exported: Exported::default(),
            is_complete: false,
        })
    }

    fn complete(mut self, folder: &Path) -> anyhow::Result<Exported> {
        durable_fs::rename(&self.home, folder)?;
        self.is_complete = true;
        Ok(std::mem::take(&mut self.exported))
    }

    fn create(&mut self, path: &str) -> anyhow::Result<File> {
        let place = self.home.join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        self.exported.files += 1;
        File::create(&place).with_context(|| place.display().to_string())
    }

    /// Writes a text, and marks the pictures that it shows for export.
    fn text(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        self.text_pictures.extend(text_picture_keys(text));
        Ok(self.create(path)?.write_all(text.as_bytes())?)
    }

    fn toml(&mut self, path: &str, value: &impl Serialize) -> anyhow::Result<()> {
        let text = toml::to_string_pretty(value).with_context(|| path.to_owned())?;
        self.text(path, &text)
    }

    /// Copies an object of the store; `false` if there is none.
    async fn copy(&mut self, media: &Media, key: &str) -> anyhow::Result<bool> {
        let Some(mut found) = media.get(key, None).await? else { return Ok(false) };
        let mut file = self.create(&format!("{FOLDER}/{key}"))?;
        while let Some(bytes) = found.stream.next().await {
            file.write_all(&bytes?)?;
        }
        Ok(true)
    }

    /// Marks a key's file for export, and returns the key. `None` if it is not a key of the object store, such as a foreign URL.
    fn key(&mut self, key: Option<&String>) -> Option<String> {
        let key = key.filter(|key| media::place_of(key).is_some())?;
        self.keys.insert(key.clone());
        Some(key.clone())
    }

    /// Like `key`, for an uploaded infographic: marks its thumbnail too.
    fn uploaded_infographic(&mut self, key: Option<&String>) -> Option<String> {
        let key = self.key(key)?;
        self.keys.insert(thumb_of_infographic(&key));
        Some(key)
    }

    /// Like `key`, for a picture that would be drawn if the entry named none: empty if there is no picture.
    fn picture(&mut self, key: Option<&String>) -> String {
        self.key(key).unwrap_or_default()
    }

    fn content(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        self.directory(pg)?;
        self.collections(pg)?;
        for (id, subid) in all_books(pg)? {
            self.book(pg, id, &subid)?;
        }
        if let Some(file) = idea_links::export(pg)? {
            self.toml(IDEA_LINKS, &file)?;
        }
        self.posts(pg)?;
        self.podcasts(pg)?;
        self.insights_and_pages(pg)?;
        self.frame(pg)
    }

    /// Categories, goals and authors.
    fn directory(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        let mut category = Vec::new();
        for found in pg.categories()? {
            let draft = found.draft;
            let image = Some(self.picture(draft.small_image.as_ref()));
            category.push(CategoryEntry { subid: draft.subid.to_string(), name: draft.name, hue: draft.hue, image });
        }
        self.toml("categories.toml", &CategoriesFile { category })?;
        let mut goal = Vec::new();
        for found in pg.goals()? {
            let draft = found.draft;
            goal.push(GoalEntry {
                slug: draft.slug.to_string(),
                title: draft.title,
                short_title: draft.short_title,
                mobile_title: draft.mobile_title,
                description: draft.description,
                photo: self.key(found.pictures.photo.as_ref()),
                feature_photo: self.key(found.pictures.feature_photo.as_ref()),
            });
        }
        self.toml("goals.toml", &GoalsFile { goal })?;
        for author in pg.author_drafts()? {
            let path = format!("authors/{}.toml", author.slug);
            let (name, sort_name, description) = (author.name, author.sort_name, author.description);
            self.toml(&path, &AuthorFile { name, sort_name, description })?;
        }
        Ok(())
    }

    fn collections(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        let found = Page::all(|after| pg.collections(after, Limit::clamped(Limit::MAX)))?;
        let mut all: Vec<_> = found.into_iter().map(|found| (found.id, found.draft)).collect();
        // In the order of creation, which orders collections of the same day in lists.
        all.sort_by_key(|(id, _): &(CollectionId, CollectionDraft)| *id);
        let mut collection = Vec::new();
        for (_, draft) in all {
            let image = Some(self.picture(draft.image.as_ref()));
            collection.push(CollectionEntry {
                title: draft.title,
                subtitle: draft.subtitle,
                upload_date: date_text(draft.upload_date),
                categories: texts(&draft.categories),
                books: texts(&draft.books),
                image,
            });
        }
        self.toml("collections.toml", &CollectionsFile { collection })
    }

    fn book(&mut self, pg: &mut Pg<'_>, id: BookId, subid: &Slug) -> anyhow::Result<()> {
        let (_, draft) = pg.find_book_draft(subid)?.context("a book of the snapshot")?;
        let extras = pg.book_extras(id)?.unwrap_or_default();
        let recorded = recordings(pg, id, &draft)?;
        let folder = format!("books/{subid}");
        if !draft.body.is_empty() || !draft.coming_soon {
            self.text(&format!("{folder}/body.html"), &draft.body)?;
        }
        let file = BookFile {
            author: draft.author.to_string(),
            year: draft.year,
            categories: texts(&draft.categories),
            goals: texts(&draft.goals),
            free: draft.free,
            popular: draft.is_popular,
            coming_soon: draft.coming_soon,
            published: draft.published,
            upload_date: date_text(draft.upload_date),
            video: recorded.has_film,
            image: Some(self.picture(draft.image.as_ref())),
            vector: self.key(extras.vector.as_ref()),
            infographic: self.uploaded_infographic(extras.infographic.as_ref()),
            audio: self.key(draft.media.as_ref().filter(|_| !recorded.has_audio)),
            film: self.key(draft.video.as_ref().filter(|_| !recorded.has_film)),
            podcast: self.key(extras.podcast.as_ref()),
            publish_at: extras.publish_at.map(date_text),
            quotes: draft.quotes.into_iter().map(|one| QuoteEntry { text: one.text, chapter: one.chapter }).collect(),
            title: draft.title,
            description: draft.description,
            tags: draft.tags,
        };
        self.toml(&format!("{folder}/book.toml"), &file)?;
        let recordings = RecordingsFile::of(recorded.audio.as_ref(), recorded.film.as_ref());
        if !recordings.is_empty() {
            self.keys.extend(recordings.keys().cloned());
            self.toml(&format!("{folder}/recordings.toml"), &recordings)?;
        }
        self.visuals(pg, id, &folder)?;
        self.exported.books += 1;
        Ok(())
    }

    fn visuals(&mut self, pg: &mut Pg<'_>, book: BookId, folder: &str) -> anyhow::Result<()> {
        let Some(draft) = pg.visuals_draft(book)? else { return Ok(()) };
        let mut idea = Vec::new();
        for VisualDraft { title, body, image, drawing } in draft.ideas {
            let image = Some(self.picture(image.as_ref()));
            let (picture, ground) = read_drawing(drawing.as_ref()).unzip();
            idea.push(IdeaEntry { title, body, image, ground, picture });
        }
        let file = VisualsFile {
            image: Some(self.picture(draft.image.as_ref())),
            infographic: self.key(draft.infographic.as_ref()),
            infographic_thumb: self.key(draft.infographic_thumb.as_ref()),
            idea,
        };
        self.toml(&format!("{folder}/visuals.toml"), &file)
    }

    fn posts(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        for post in pg.all_posts()? {
            let card = post.card;
            let folder = format!("blog/{}", card.slug);
            let file = PostFile {
                title: card.title,
                description: card.description,
                categories: card.categories.into_iter().map(|category| category.name).collect(),
                author: card.author,
                date: date_text(card.published_at),
                draft: is_draft(card.publication),
                publish_at: card.publication.publish_at().map(date_text),
                book: post.book.map(|book| book.to_string()),
                photo: Some(self.picture(card.photo.as_ref())),
            };
            self.toml(&format!("{folder}/post.toml"), &file)?;
            self.text(&format!("{folder}/body.html"), &post.text)?;
        }
        Ok(())
    }

    fn podcasts(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        for podcast in pg.all_podcasts()? {
            let card = podcast.card;
            let folder = format!("podcasts/{}", card.slug);
            let hash = script_hash(&podcast.script);
            let is_current = |made: &Option<String>| made.as_ref().is_none_or(|of| *of == hash);
            let recording = card.recording.as_ref().filter(|one| is_current(&one.text_hash)).map(EpisodeEntry::of);
            self.keys.extend(recording.iter().map(|one| one.key().clone()));
            let file = PodcastFile {
                title: card.title,
                author: card.author,
                author_desc: card.author_desc,
                description: card.description,
                date: date_text(card.published_at),
                draft: is_draft(card.publication),
                publish_at: card.publication.publish_at().map(date_text),
                minutes: card.stated_minutes,
                image: Some(self.picture(card.image.as_ref())),
                recording,
            };
            self.toml(&format!("{folder}/podcast.toml"), &file)?;
            self.text(&format!("{folder}/script.html"), &podcast.script)?;
        }
        Ok(())
    }

    fn insights_and_pages(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        // The oldest first: that is the order in which days get them.
        let entry = |one: editorial::InsightDraft| InsightEntry {
            title: one.title,
            insight: one.insight,
            book: one.book.map(|book| book.to_string()),
            quoted: one.quoted,
        };
        let insight = pg.insights()?.into_iter().rev().map(|one| entry(one.draft)).collect();
        self.toml("insights.toml", &InsightsFile { insight })?;
        let mut page = Vec::new();
        for found in pg.site_pages()? {
            self.text(&format!("pages/{}.html", found.slug), &found.text)?;
            page.push(PageEntry {
                slug: found.slug.to_string(),
                title: found.title,
                description: found.description,
                updated: date_text(found.revised_at),
            });
        }
        self.toml("pages.toml", &PagesFile { page })
    }

    /// The quizzes' statements, what is said of the podcast as a whole, and the other parts of the site's frame.
    fn frame(&mut self, pg: &mut Pg<'_>) -> anyhow::Result<()> {
        let mut question = Vec::new();
        for kind in [QuizKind::Intelligence, QuizKind::Personality] {
            question.extend(
                pg.questions(kind)?
                    .into_iter()
                    .map(|one| QuestionEntry { dimension: one.dimension.name().to_owned(), statement: one.statement }),
            );
        }
        self.toml(QUIZZES, &QuizzesFile { question })?;
        for (name, value) in pg.site_contents()? {
            if value.is_null() {
                // The draft of a page that is gone.
                continue;
            }
            if name == SHOW {
                self.toml("podcasts.toml", &value)?;
            } else {
                self.text(&format!("site/{name}.json"), &format!("{value:#}\n"))?;
            }
        }
        Ok(())
    }
}

fn texts(slugs: &[Slug]) -> Vec<String> {
    slugs.iter().map(Slug::to_string).collect()
}

/// `true` for what is a draft; nothing for anything else, so that files say only what is unusual.
fn is_draft(publication: Publication) -> Option<bool> {
    (publication == Publication::Draft).then_some(true)
}

/// The ids and slugs of all books, including unpublished ones.
fn all_books(pg: &mut Pg<'_>) -> anyhow::Result<Vec<(BookId, Slug)>> {
    let limit = Limit::clamped(Limit::MAX);
    let mut query =
        ListedQuery { filter: ListedFilter::default(), sort: ListedSort::Id, descending: false, after: None, limit };
    let mut all = Vec::new();
    loop {
        let found = pg.listed_books(&query)?;
        let is_last = found.len() <= limit.get();
        all.extend(found.into_iter().take(limit.get()).map(|book| (book.id, book.subid)));
        if is_last {
            return Ok(all);
        }
        query.after = all.last().map(|(id, _)| *id);
    }
}

/// The recordings of a book that the product has made.
struct OwnRecordings {
    /// Its audio was made by the product, possibly from an older text.
    has_audio: bool,
    /// Its video was made by the product, possibly from older content.
    has_film: bool,
    audio: Option<Narration>,
    film: Option<Film>,
}

/// The recordings of a book that the product has made. Outdated ones are left out: seeding records them again.
fn recordings(pg: &mut Pg<'_>, id: BookId, draft: &BookDraft) -> anyhow::Result<OwnRecordings> {
    let audio = draft.media.as_ref().map(|key| pg.made_audio(id, key)).transpose()?.flatten();
    let film = draft.video.as_ref().map(|key| pg.made_video(id, key)).transpose()?.flatten();
    let (has_audio, has_film) = (audio.is_some(), film.is_some());
    let Some(book) = pg.book(&BookRef::Id(id))? else {
        return Ok(OwnRecordings { has_audio, has_film, audio: None, film: None });
    };
    let ideas = pg.visuals(id)?;
    Ok(OwnRecordings {
        has_audio,
        has_film,
        audio: audio.filter(|made| made.text_hash == text_hash(&book.body)),
        film: film.filter(|made| made.shown_hash == shown_hash(&book, &ideas)),
    })
}
