//! What is drawn of all of a book's key ideas: the infographic, its thumbnail, and the picture that lists show. A job draws them anew
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

/// The job that draws the infographic of a book anew. Its payload is the book's number.
pub const DRAW: JobKind = JobKind::long("infographic").deduplicated();

/// What is drawn of one key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnIdea {
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
    /// What its picture shows.
    pub motif: Motif,
    /// What that stands on.
    pub ground: Ground,
}

impl DrawnIdea {
    /// A key idea at a place, counted from 0. One of which nothing is said gets a cut fruit.
    fn new(place: usize, draft: VisualDraft) -> Self {
        let (motif, ground) = read_drawing(draft.drawing.as_ref()).unwrap_or_else(|| {
            (Motif::Wheel { segments: u8::try_from(6 + place % 4).unwrap_or(6) }, Ground::at(place))
        });
        Self { title: draft.title, body: draft.body, motif, ground }
    }
}

/// A motif and its ground as a row has them.
pub fn write_drawing(motif: &Motif, ground: Ground) -> Option<IdeaDrawing> {
    Some(IdeaDrawing { motif: serde_json::to_string(motif).ok()?, ground: name_of(&ground)? })
}

/// The motif and the ground of a row; `None` when it says nothing, or what this version does not draw.
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

/// All that the pictures of a book's key ideas are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnBook {
    /// The book's name in addresses.
    pub subid: Slug,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// The hue of the first category.
    pub hue: f64,
    /// The key ideas that readers see, in their order.
    pub ideas: Vec<DrawnIdea>,
}

/// The keys of what was drawn of all key ideas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSet {
    /// Of the picture that lists show.
    pub image: String,
    pub infographic: String,
    /// Of its thumbnail.
    pub infographic_thumb: String,
}

impl DrawnBook {
    fn cover(&self) -> CoverSpec<'_> {
        let seed = artwork::seed_of(self.subid.as_str());
        CoverSpec { title: &self.title, author: &self.author, hue: self.hue, seed }
    }

    /// The pictures of the key ideas.
    pub fn scenes(&self) -> Vec<SceneSpec<'_>> {
        let CoverSpec { hue, seed, .. } = self.cover();
        let ideas = self.ideas.iter();
        ideas
            .map(|DrawnIdea { title, motif, ground, .. }| SceneSpec { motif, ground: *ground, hue, seed, title })
            .collect()
    }

    /// Draws what is made of all key ideas, and puts it into the object store. `site` is the site's name. The same book gives the
    /// same keys.
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

/// Whether there is, or is to be, a drawn infographic of these key ideas: not of those that only have uploaded pictures.
fn is_drawn(draft: &VisualsDraft) -> bool {
    let has_drawing = draft.ideas.iter().any(|idea| idea.image.is_some() && idea.drawing.is_some());
    has_drawing || draft.infographic.as_deref().is_some_and(is_drawing)
}

/// Queues the drawing of a book's infographic, if it has one. Call it in the transaction that changes the key ideas, their order,
/// the title or the author's name.
pub fn queue_drawing(pg: &mut Pg<'_>, book: BookId, now: Timestamp) -> Result<(), StoreError> {
    if pg.visuals_draft(book)?.is_some_and(|draft| is_drawn(&draft)) {
        let payload = book.to_string();
        pg.queue_job(JobRequest { kind: DRAW, about: "book", recipient: None, payload: payload.as_bytes() }, now)?;
    }
    Ok(())
}

/// What is to be drawn of a book, and the key of the picture that lists show of it now.
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

/// Draws the infographic of a book anew. One that was uploaded stays before it.
pub struct DrawInfographic {
    /// The database.
    pub db: Db,
    /// The object store.
    pub media: Arc<Media>,
    /// The clock.
    pub env: Arc<dyn Env>,
    /// The site's name, for the infographic's foot.
    pub site: String,
}

impl std::fmt::Debug for DrawInfographic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DrawInfographic")
    }
}

/// Why nothing was drawn.
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
            // An uploaded picture stays the one that lists show.
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
