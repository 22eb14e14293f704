//! The pictures that show all key ideas of a book: the infographic, its thumbnail, and the picture for lists. A job redraws them
//! after a change.

use std::sync::Arc;

use artwork::{CoverSpec, Ground, IdeaSpec, InfographicSpec, Motif, SceneSpec};
use catalogue::{CatalogueLists, CatalogueQueries, IdeaDrawing, VisualDraft, VisualSet, VisualsDraft};
use jobs::{JobDefinition, JobKind, JobRequest, Jobs, LongJob, Outcome, PayloadError};
use kernel::{BookId, Env, Slug, StoreError, Timestamp};
use media::{Media, MediaError, is_drawing};
use postgres::{Db, Pg};
use serde::{Serialize, de::DeserializeOwned};

use crate::recording_files;

/// The job that redraws a book's infographic. Its payload is the book's id.
pub const DRAW: JobKind = JobKind::long("infographic").deduplicated();

/// A key idea, as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnIdea {
    /// The title: a few words.
    pub title: String,
    /// The idea as plain text.
    pub body: String,
    pub motif: Motif,
    /// The background of the motif.
    pub ground: Ground,
}

impl DrawnIdea {
    /// A key idea at a place, counted from 0. Without a stored drawing, its motif is a cut fruit.
    fn new(place: usize, draft: VisualDraft) -> Self {
        let (motif, ground) = read_drawing(draft.drawing.as_ref()).unwrap_or_else(|| {
            (Motif::Wheel { segments: u8::try_from(6 + place % 4).unwrap_or(6) }, Ground::at(place))
        });
        Self { title: draft.title, body: draft.body, motif, ground }
    }
}

/// Serializes a motif and its ground for the database; `None` if that fails.
pub fn write_drawing(motif: &Motif, ground: Ground) -> Option<IdeaDrawing> {
    Some(IdeaDrawing { motif: serde_json::to_string(motif).ok()?, ground: name_of(&ground)? })
}

/// Parses a stored drawing; `None` if there is none, or this version can't draw it.
pub fn read_drawing(drawing: Option<&IdeaDrawing>) -> Option<(Motif, Ground)> {
    let drawing = drawing?;
    Some((serde_json::from_str(&drawing.motif).ok()?, named(&drawing.ground)?))
}

fn name_of(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(name.into()).ok()
}

/// The data that the pictures of a book's key ideas are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnBook {
    /// The book's slug.
    pub subid: Slug,
    pub title: String,
    pub author: String,
    /// The hue of the first category, in OKLCH degrees.
    pub hue: f64,
    /// The key ideas that readers see, in their order.
    pub ideas: Vec<DrawnIdea>,
}

/// The object store keys of the pictures that show all key ideas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSet {
    /// The picture that lists show.
    pub image: String,
    pub infographic: String,
    pub infographic_thumb: String,
}

impl DrawnBook {
    fn cover(&self) -> CoverSpec<'_> {
        let seed = artwork::seed_of(self.subid.as_str());
        CoverSpec { title: &self.title, author: &self.author, hue: self.hue, seed }
    }

    /// What to draw for each key idea.
    pub fn scenes(&self) -> Vec<SceneSpec<'_>> {
        let CoverSpec { hue, seed, .. } = self.cover();
        let ideas = self.ideas.iter();
        ideas
            .map(|DrawnIdea { title, motif, ground, .. }| SceneSpec { motif, ground: *ground, hue, seed, title })
            .collect()
    }

    /// Draws the pictures that show all key ideas, and puts them into the object store. `site` is the site's name. The same book
    /// yields the same keys.
    pub async fn put_set(&self, media: &Media, site: &str) -> Result<DrawnSet, MediaError> {
        let subid = &self.subid;
        let scenes = self.scenes();
        let ideas = scenes.iter().zip(&self.ideas).map(|(scene, idea)| IdeaSpec { scene: *scene, body: &idea.body });
        let ideas: Vec<IdeaSpec<'_>> = ideas.collect();
        let spec = InfographicSpec { cover: self.cover(), ideas: &ideas, site };
        let list = artwork::patchwork(&scenes).into_bytes();
        let poster = artwork::infographic(&spec).into_bytes();
        let thumb = artwork::infographic_thumb(&spec).into_bytes();
        Ok(DrawnSet {
            image: media.put(&format!("thumbs/{subid}-visuals.svg"), list).await?,
            infographic: media.put(&format!("infographics/{subid}.svg"), poster).await?,
            infographic_thumb: media.put(&format!("thumbs/{subid}-infographic.svg"), thumb).await?,
        })
    }
}

/// Whether these key ideas have, or get, a drawn infographic. Those with uploaded pictures only do not.
fn is_drawn(draft: &VisualsDraft) -> bool {
    let has_drawing = draft.ideas.iter().any(|idea| idea.image.is_some() && idea.drawing.is_some());
    has_drawing || draft.infographic.as_deref().is_some_and(is_drawing)
}

/// Queues the redrawing of a book's infographic, if it has one. Must be called in the transaction that changes the key ideas,
/// their order, the title or the author's name.
pub fn queue_drawing(pg: &mut Pg<'_>, book: BookId, now: Timestamp) -> Result<(), StoreError> {
    if pg.visuals_draft(book)?.is_some_and(|draft| is_drawn(&draft)) {
        let payload = book.to_string();
        pg.queue_job(JobRequest { kind: DRAW, about: "book", recipient: None, payload: payload.as_bytes() }, now)?;
    }
    Ok(())
}

/// Reads what to draw of a book, and the key of the picture that lists show now.
fn read_book<A>(pg: &mut Pg<'_, A>, book: BookId) -> Result<Option<(DrawnBook, Option<String>)>, StoreError> {
    let Some(draft) = pg.visuals_draft(book)?.filter(is_drawn) else { return Ok(None) };
    let Some(name) = pg.book_names(&[book])?.remove(&book) else { return Ok(None) };
    let Some((_, written)) = pg.find_book_draft(&name.subid)? else { return Ok(None) };
    let author = pg.author(&written.author)?.map(|author| author.draft.name).unwrap_or_default();
    let categories = pg.categories()?;
    let first = written.categories.first();
    let first = first.and_then(|first| categories.iter().find(|category| category.draft.subid == *first));
    let hue = first.map_or(0.0, |category| f64::from(category.draft.hue));
    let seen = draft.ideas.into_iter().filter(|idea| idea.image.is_some());
    let ideas = seen.enumerate().map(|(place, idea)| DrawnIdea::new(place, idea)).collect();
    Ok(Some((DrawnBook { subid: name.subid, title: written.title, author, hue, ideas }, draft.image)))
}

/// The job that redraws a book's infographic. An uploaded infographic still takes precedence.
pub struct DrawInfographic {
    pub db: Db,
    pub media: Arc<Media>,
    /// The clock.
    pub env: Arc<dyn Env>,
    /// The site's name, shown at the bottom of the infographic.
    pub site: String,
}

impl std::fmt::Debug for DrawInfographic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DrawInfographic")
    }
}

/// Why drawing failed.
#[derive(Debug, thiserror::Error)]
enum DrawError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Media(#[from] MediaError),
}

impl DrawInfographic {
    async fn draw(&self, id: BookId) -> Result<(), DrawError> {
        let read = self.db.read::<_, StoreError, _>(move |pg| read_book(pg, id)).await?;
        let Some((book, image)) = read.filter(|(book, _)| !book.ideas.is_empty()) else { return Ok(()) };
        let drawn = book.put_set(&self.media, &self.site).await?;
        let set = VisualSet {
            book: id,
            // Lists keep showing an uploaded picture.
            image: image.filter(|image| !is_drawing(image)).unwrap_or_else(|| drawn.image.clone()),
            infographic: Some(drawn.infographic.clone()),
            infographic_thumb: Some(drawn.infographic_thumb.clone()),
        };
        let now = self.env.now();
        let put = move |pg: &mut Pg<'_>| {
            let made = [&*drawn.image, &*drawn.infographic, &*drawn.infographic_thumb];
            recording_files::put_visual_set(pg, &set, &made, now)
        };
        Ok(self.db.write::<_, StoreError, _>(put).await?)
    }
}

impl JobDefinition for DrawInfographic {
    const KIND: JobKind = DRAW;
    type Payload = BookId;

    fn decode(&self, payload: &[u8]) -> Result<BookId, PayloadError> {
        let text = std::str::from_utf8(payload).ok();
        text.and_then(|text| text.parse().ok()).ok_or_else(|| PayloadError("It names no book.".to_owned()))
    }
}

impl LongJob for DrawInfographic {
    async fn run_long(&self, book: &BookId) -> Outcome {
        match self.draw(*book).await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motif_is_read_as_it_was_written() {
        let motif = Motif::Stacks { heights: vec![1, 4, 9] };
        let drawing = write_drawing(&motif, Ground::Deep).expect("it is written");
        assert_eq!(drawing.motif, r#"{"motif":"stacks","heights":[1,4,9]}"#);
        assert_eq!(drawing.ground, "deep");
        assert_eq!(read_drawing(Some(&drawing)), Some((motif, Ground::Deep)));
        let unknown = IdeaDrawing { motif: r#"{"motif":"feathers"}"#.to_owned(), ..drawing };
        assert_eq!(read_drawing(Some(&unknown)), None);
    }
}
