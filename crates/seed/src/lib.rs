//! Loads content into the database and the object store: the demo's, or an operator's own; and the demo's accounts.
//! All of it or, when anything is wrong, nothing. Knows no HTTP.

mod accounts;
mod content;
mod editorial;
mod files;
mod reader;
mod visuals;
mod year;

pub use accounts::create_demo_accounts;

use std::{cmp::Reverse, path::Path};

use anyhow::{Context, anyhow};
use artwork::CoverSpec;
use catalogue::{BookDraft, BookRef, Catalogue, CatalogueError, CategoryDraft, Saved};
use kernel::{Env, Timestamp};
use media::Media;
use postgres::{Db, Pg};
use workflows::{narration, recording_files};

use self::{
    content::{Content, SeedBook},
    files::Files,
};

/// Where content is loaded to.
pub struct Target<'a> {
    /// The database, migrated.
    pub db: &'a Db,
    /// Time and randomness.
    pub env: &'a dyn Env,
    /// The object store.
    pub media: &'a Media,
}

/// Loads the content of a folder, or the demo's: all of it or, when anything is wrong, nothing. What is there already
/// stays as it is. `site` is the site's name, as infographics show it; `read_aloud` queues recordings.
pub async fn load_content(
    target: &Target<'_>,
    folder: Option<&Path>,
    site: &str,
    read_aloud: bool,
) -> anyhow::Result<Tally> {
    let mut content = Content::read(&Files::new(folder)?)?;
    put_pictures(target.media, &mut content).await?;
    visuals::put_pictures(target.media, site, &mut content).await?;
    let now = target.env.now();
    target.db.write(move |pg| save(pg, &content, read_aloud, now)).await
}

/// Draws what has no picture of its own, and puts all pictures into the object store.
async fn put_pictures(media: &Media, content: &mut Content) -> anyhow::Result<()> {
    for category in &mut content.categories {
        let subid = category.subid.as_str();
        let picture = artwork::category_image(f64::from(category.hue), artwork::seed_of(subid));
        category.small_image = Some(media.put(&format!("categories/{subid}.svg"), picture.into_bytes()).await?);
    }
    for collection in &mut content.collections {
        let hues: Vec<f64> = collection
            .categories
            .iter()
            .filter_map(|subid| content.categories.iter().find(|category| category.subid == *subid))
            .map(|category| f64::from(category.hue))
            .collect();
        let Some(name) = catalogue::slug_of(&collection.title) else { continue };
        let picture = artwork::collection_image(&hues, artwork::seed_of(name.as_str()));
        collection.image = Some(media.put(&format!("collections/{name}.svg"), picture.into_bytes()).await?);
    }
    for SeedBook { draft, cover, .. } in &mut content.books {
        let subid = draft.subid.as_str();
        let key = if let Some((ending, picture)) = cover.take() {
            let stored = match ending {
                "svg" => media.put(&format!("covers/{subid}.svg"), picture.into_owned()).await,
                _ => media.put_picture(&format!("covers/{subid}"), picture.into_owned()).await,
            };
            stored.with_context(|| format!("books/{subid}/cover.{ending}"))?
        } else {
            let hue = hue_of(&content.categories, draft);
            let author = content.authors.iter().find(|author| author.slug == draft.author);
            let picture = artwork::cover(&CoverSpec {
                title: &draft.title,
                author: author.map_or("", |author| &author.name),
                hue,
                seed: artwork::seed_of(subid),
            });
            media.put(&format!("covers/{subid}.svg"), picture.into_bytes()).await?
        };
        draft.image = Some(key);
    }
    content.editorial.put_pictures(media).await
}

/// The hue of a book's first category.
fn hue_of(categories: &[CategoryDraft], book: &BookDraft) -> f64 {
    let first = book.categories.first();
    let category = first.and_then(|first| categories.iter().find(|category| category.subid == *first));
    category.map_or(0.0, |category| f64::from(category.hue))
}

/// What loading did, in entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    added: usize,
    changed: usize,
    unchanged: usize,
}

impl Tally {
    fn count<Id>(&mut self, saved: &Saved<Id>) {
        match saved {
            Saved::Created(_) => self.added += 1,
            Saved::Changed(_) => self.changed += 1,
            Saved::Unchanged(_) => self.unchanged += 1,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { added, changed, unchanged } = self;
        if *added == 0 && *changed == 0 {
            write!(f, "The content is there already: {unchanged} entries, nothing changed.")
        } else {
            write!(f, "Content loaded: {added} entries added, {changed} changed, {unchanged} unchanged.")
        }
    }
}

fn save(pg: &mut Pg<'_>, content: &Content, read_aloud: bool, now: Timestamp) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for category in &content.categories {
        tally.count(&pg.save_category(category, now).map_err(|error| at("categories.toml", &category.subid, error))?);
    }
    for goal in &content.goals {
        tally.count(&pg.save_goal(goal, now).map_err(|error| at("goals.toml", &goal.slug, error))?);
    }
    for author in &content.authors {
        let saved = pg.save_author(author, now);
        tally.count(&saved.map_err(|error| at(&format!("authors/{}.toml", author.slug), &author.slug, error))?);
    }
    for SeedBook { draft, visuals, .. } in &content.books {
        let saved = recording_files::save_book(pg, draft, now);
        let saved = saved.map_err(|error| at(&format!("books/{}", draft.subid), &draft.subid, error))?;
        tally.count(&saved);
        if let Some(visuals) = visuals {
            let drawn = pg.save_visuals(saved.id(), visuals, now);
            let file = format!("books/{}/visuals.toml", draft.subid);
            tally.count(&drawn.map_err(|error| at(&file, &draft.subid, error))?);
        }
    }
    for collection in &content.collections {
        let title = &collection.title;
        let saved = pg.save_collection(collection);
        tally.count(&saved.map_err(|error| at("collections.toml", title, error))?);
    }
    content.editorial.save(pg, now, &mut tally)?;
    if read_aloud {
        queue_readings(pg, &content.books, now)?;
    }
    if tally.added + tally.changed > 0 {
        pg.tidy_catalogue()?;
    }
    Ok(tally)
}

/// Has read aloud what has no recording: first what anybody may hear, then what is put forward, then what is new.
fn queue_readings(pg: &mut Pg<'_>, books: &[SeedBook], now: Timestamp) -> anyhow::Result<()> {
    let mut books: Vec<&SeedBook> = books.iter().collect();
    books.sort_by_key(|SeedBook { draft, .. }| Reverse((draft.free, draft.is_popular, draft.upload_date)));
    for SeedBook { draft, film, .. } in books {
        let book = BookRef::Subid(draft.subid.clone());
        narration::queue_audio(pg, &book, now)?;
        if *film {
            narration::queue_film(pg, &book, now)?;
        }
    }
    Ok(narration::queue_podcasts(pg, now)?)
}

/// Says which file and field an error is about.
fn at(file: &str, name: &impl std::fmt::Display, error: CatalogueError) -> anyhow::Error {
    match error {
        CatalogueError::Invalid { field, message } => anyhow!("{file}: {name}: {field}: {message}"),
        CatalogueError::Unknown { field, .. } => anyhow!("{file}: {name}: {field}: {error}"),
        CatalogueError::UnknownFilter(_) | CatalogueError::BadCursor | CatalogueError::Store(_) => {
            anyhow::Error::new(error).context(file.to_owned())
        }
    }
}
