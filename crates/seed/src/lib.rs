//! Loads content into the database and the object store, either the demo content or an operator's own, and creates the demo's
//! accounts and its made-up year of business. If anything is wrong, the database stays as it was. Knows no HTTP.

mod accounts;
mod business;
mod content;
mod editorial;
mod export;
mod files;
mod idea_links;
mod reader;
mod recorded;
mod stored;
mod study;
mod visuals;
mod year;

pub use accounts::create_demo_accounts;
pub use business::{YearTarget, add_business_year};
pub use export::{Exported, export_content};

use std::{cmp::Reverse, path::Path};

use admin::{Actor, AuditCommands, AuditEvent, FieldChange, NewAuditEntry, Subject, SubjectKind};
use anyhow::{Context, anyhow};
use artwork::CoverSpec;
use catalogue::{
    BookDraft, BookExtras, BookRef, Catalogue, CatalogueError, CatalogueQueries, CategoryDraft, EditingCommands,
    EditingQueries, GoalPicture, GoalPictures, SaveOutcome,
};
use challenge::{ChallengeCommands, ChallengeQueries, QuestionDraft};
use kernel::{BookId, Env, GoalId, Timestamp};
use media::Media;
use postgres::{Db, Pg};
use workflows::{
    narration::{self, FilmRequest},
    recording_files,
};

use self::{
    content::{Content, SeedBook},
    files::Files,
};

/// Where content is loaded into.
pub struct Target<'a> {
    /// The database, with all migrations run.
    pub db: &'a Db,
    /// Clock and randomness.
    pub env: &'a dyn Env,
    pub media: &'a Media,
}

/// Loads the content of a folder, or the demo content. If anything is wrong, nothing is saved. Entries that have not changed
/// stay as they are. `site` is the site's name, as infographics show it; `read_aloud` queues recordings.
pub async fn load_content(
    target: &Target<'_>,
    folder: Option<&Path>,
    site: &str,
    read_aloud: bool,
) -> anyhow::Result<Tally> {
    let files = Files::new(folder)?;
    let mut content = Content::read(&files)?;
    stored::put_stored(target.media, &files, &content.keys).await?;
    put_pictures(target.media, &mut content).await?;
    visuals::put_pictures(target.media, site, &mut content).await?;
    let now = target.env.now();
    target.db.write(move |pg| save(pg, &content, read_aloud, now)).await
}

/// Draws missing pictures, and puts all pictures into the object store.
async fn put_pictures(media: &Media, content: &mut Content) -> anyhow::Result<()> {
    for category in content.categories.iter_mut().filter(|category| category.small_image.is_none()) {
        let subid = category.subid.as_str();
        let picture = artwork::category_image(f64::from(category.hue), artwork::seed_of(subid));
        category.small_image = Some(media.put(&format!("categories/{subid}.svg"), picture.into_bytes()).await?);
    }
    for collection in content.collections.iter_mut().filter(|collection| collection.image.is_none()) {
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
    for SeedBook { draft, cover, .. } in content.books.iter_mut().filter(|book| book.draft.image.is_none()) {
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
    let of_categories = content.categories.iter_mut().map(|category| &mut category.small_image);
    let of_collections = content.collections.iter_mut().map(|collection| &mut collection.image);
    let of_books = content.books.iter_mut().map(|book| &mut book.draft.image);
    stored::without_empty(of_categories.chain(of_collections).chain(of_books));
    content.editorial.put_pictures(media).await
}

/// The hue of a book's first category, in OKLCH degrees; 0 without one.
fn hue_of(categories: &[CategoryDraft], book: &BookDraft) -> f64 {
    let first = book.categories.first();
    let category = first.and_then(|first| categories.iter().find(|category| category.subid == *first));
    category.map_or(0.0, |category| f64::from(category.hue))
}

/// How many entries were added, changed and left unchanged.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    added: usize,
    changed: usize,
    unchanged: usize,
}

impl Tally {
    fn count<Id>(&mut self, saved: &SaveOutcome<Id>) {
        match saved {
            SaveOutcome::Created(_) => self.added += 1,
            SaveOutcome::Changed(_) => self.changed += 1,
            SaveOutcome::Unchanged(_) => self.unchanged += 1,
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
    for (goal, pictures) in &content.goals {
        let saved = pg.save_goal(goal, now).map_err(|error| at("goals.toml", &goal.slug, error))?;
        tally.count(&saved);
        save_goal_pictures(pg, saved.id(), pictures)?;
    }
    for author in &content.authors {
        let saved = pg.save_author(author, now);
        tally.count(&saved.map_err(|error| at(&format!("authors/{}.toml", author.slug), &author.slug, error))?);
    }
    for SeedBook { draft, visuals, extras, recorded, .. } in &content.books {
        let saved = recording_files::save_book(pg, draft, now);
        let saved = saved.map_err(|error| at(&format!("books/{}", draft.subid), &draft.subid, error))?;
        tally.count(&saved);
        if let Some(visuals) = visuals {
            let drawn = pg.save_visuals(saved.id(), visuals, now);
            let file = format!("books/{}/visuals.toml", draft.subid);
            tally.count(&drawn.map_err(|error| at(&file, &draft.subid, error))?);
        }
        save_extras(pg, saved.id(), extras)?;
        recorded::save(pg, (saved.id(), &draft.subid), recorded, now)?;
    }
    for collection in &content.collections {
        let title = &collection.title;
        let saved = pg.save_collection(collection);
        tally.count(&saved.map_err(|error| at("collections.toml", title, error))?);
    }
    idea_links::save(pg, &content.idea_links, &mut tally)?;
    content.editorial.save(pg, now, &mut tally)?;
    save_frame(pg, content)?;
    if read_aloud {
        queue_readings(pg, &content.books, now)?;
    }
    if tally.added + tally.changed > 0 {
        pg.tidy_catalogue()?;
        let [added, changed] = [tally.added, tally.changed].map(|count| count.to_string());
        let event = AuditEvent::new("catalogue.seed", Subject::whole(SubjectKind::Catalogue)).with([
            FieldChange::between("added", None, Some(&added)),
            FieldChange::between("changed", None, Some(&changed)),
        ]);
        pg.insert_audit_entry(NewAuditEntry { actor: &Actor::Operator("seed"), event: &event, at: now })?;
    }
    Ok(tally)
}

/// Sets a goal's pictures. A picture that the seed files do not name stays.
fn save_goal_pictures(pg: &mut Pg<'_>, goal: GoalId, wanted: &GoalPictures) -> anyhow::Result<()> {
    let there = pg.goals()?.into_iter().find(|one| one.id == goal).map(|one| one.pictures).unwrap_or_default();
    if let Some(key) = wanted.photo.as_deref().filter(|key| there.photo.as_deref() != Some(*key)) {
        pg.set_goal_picture(goal, GoalPicture::Photo, key)?;
    }
    if let Some(key) = wanted.feature_photo.as_deref().filter(|key| there.feature_photo.as_deref() != Some(*key)) {
        pg.set_goal_picture(goal, GoalPicture::FeaturePhoto, key)?;
    }
    Ok(())
}

/// Sets a book's extra files and its publication time. Values that the seed files do not name stay.
fn save_extras(pg: &mut Pg<'_>, book: BookId, extras: &BookExtras) -> anyhow::Result<()> {
    let Some(there) = pg.book_extras(book)? else { return Ok(()) };
    let wanted = extras.clone();
    let saved = BookExtras {
        vector: wanted.vector.or_else(|| there.vector.clone()),
        infographic: wanted.infographic.or_else(|| there.infographic.clone()),
        podcast: wanted.podcast.or_else(|| there.podcast.clone()),
        publish_at: wanted.publish_at.or(there.publish_at),
    };
    if saved != there {
        pg.update_book_extras(book, &saved)?;
    }
    Ok(())
}

/// Saves the quizzes' statements and the parts of the site's frame that have changed.
fn save_frame(pg: &mut Pg<'_>, content: &Content) -> anyhow::Result<()> {
    for (kind, questions) in &content.quizzes {
        let there = pg.questions(*kind)?.into_iter().map(|question| (question.dimension, question.statement));
        if !there.eq(questions.iter().cloned()) {
            let drafts = questions.iter().cloned();
            let drafts: Vec<QuestionDraft> =
                drafts.map(|(dimension, statement)| QuestionDraft { id: None, dimension, statement }).collect();
            pg.replace_questions(*kind, &drafts)?;
        }
    }
    for (name, value) in &content.frame {
        if pg.site_content(name)?.as_ref() != Some(value) {
            pg.save_site_content(name, value)?;
        }
    }
    Ok(())
}

/// Queues recordings for books and episodes without one: free books first, then popular ones, then the newest.
fn queue_readings(pg: &mut Pg<'_>, books: &[SeedBook], now: Timestamp) -> anyhow::Result<()> {
    let mut books: Vec<&SeedBook> = books.iter().collect();
    books.sort_by_key(|SeedBook { draft, .. }| Reverse((draft.free, draft.is_popular, draft.upload_date)));
    for SeedBook { draft, film, .. } in books {
        let book = BookRef::Subid(draft.subid.clone());
        narration::queue_audio(pg, &book, now)?;
        if *film {
            narration::queue_film(pg, &book, FilmRequest::First, now, now)?;
        }
    }
    Ok(narration::queue_podcasts(pg, now)?)
}

/// Adds the file and the field to an error.
fn at(file: &str, name: &impl std::fmt::Display, error: CatalogueError) -> anyhow::Error {
    match error {
        CatalogueError::Invalid { field, message } => anyhow!("{file}: {name}: {field}: {message}"),
        CatalogueError::Unknown { field, .. } => anyhow!("{file}: {name}: {field}: {error}"),
        CatalogueError::UnknownFilter(_) | CatalogueError::BadCursor | CatalogueError::Store(_) => {
            anyhow::Error::new(error).context(file.to_owned())
        }
    }
}
