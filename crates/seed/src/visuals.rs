//! Drawing the illustrated key ideas of seed books, and the pictures that are made of all of a book's.

use artwork::{CoverSpec, IdeaSpec, InfographicSpec, SceneSpec};
use catalogue::{VisualDraft, VisualsDraft};
use media::Media;

use super::{
    content::{Content, SeedBook, SeedIdea},
    hue_of,
};

/// Draws the key ideas of all books, and puts the pictures into the object store.
pub(super) async fn put_pictures(media: &Media, site: &str, content: &mut Content) -> anyhow::Result<()> {
    let mut books = std::mem::take(&mut content.books);
    for book in books.iter_mut().filter(|book| !book.ideas.is_empty()) {
        book.visuals = Some(put(media, site, content, book).await?);
    }
    content.books = books;
    Ok(())
}

/// Draws the key ideas of one book.
async fn put(media: &Media, site: &str, content: &Content, book: &SeedBook) -> anyhow::Result<VisualsDraft> {
    let subid = book.draft.subid.as_str();
    let author = content.authors.iter().find(|author| author.slug == book.draft.author);
    let cover = CoverSpec {
        title: &book.draft.title,
        author: author.map_or("", |author| &author.name),
        hue: hue_of(&content.categories, &book.draft),
        seed: artwork::seed_of(subid),
    };
    let scenes: Vec<SceneSpec<'_>> = book.ideas.iter().map(|idea| scene(idea, &cover)).collect();
    let mut ideas = Vec::new();
    for ((place, idea), scene) in (1..).zip(&book.ideas).zip(&scenes) {
        let name = format!("visuals/{subid}-{place}.svg");
        let image = media.put(&name, artwork::scene(scene).into_bytes()).await?;
        ideas.push(VisualDraft { title: idea.title.clone(), body: idea.body.clone(), image });
    }
    let rows: Vec<IdeaSpec<'_>> =
        book.ideas.iter().zip(&scenes).map(|(idea, scene)| IdeaSpec { scene: *scene, body: &idea.body }).collect();
    let spec = InfographicSpec { cover, ideas: &rows, site };
    let image = media.put(&format!("thumbs/{subid}-visuals.svg"), artwork::patchwork(&scenes).into_bytes()).await?;
    let poster = artwork::infographic(&spec).into_bytes();
    let infographic = media.put(&format!("infographics/{subid}.svg"), poster).await?;
    let thumb = artwork::infographic_thumb(&spec).into_bytes();
    let infographic_thumb = media.put(&format!("thumbs/{subid}-infographic.svg"), thumb).await?;
    Ok(VisualsDraft { ideas, image, infographic: Some(infographic), infographic_thumb: Some(infographic_thumb) })
}

/// How a key idea is drawn.
fn scene<'a>(idea: &'a SeedIdea, cover: &CoverSpec<'_>) -> SceneSpec<'a> {
    SceneSpec { motif: &idea.picture, ground: idea.ground, hue: cover.hue, seed: cover.seed, title: &idea.title }
}
