//! Draws the illustrated key ideas of seed books, and the pictures that show all ideas of a book.

use catalogue::{VisualDraft, VisualsDraft};
use media::Media;
use workflows::catalogue::drawings::{DrawnBook, DrawnSet, write_drawing};

use super::{
    content::{Content, SeedBook},
    hue_of,
};

/// Draws the key ideas of all books that have any to draw, and puts the pictures into the object store.
pub(super) async fn put_pictures(media: &Media, site: &str, content: &mut Content) -> anyhow::Result<()> {
    let mut books = std::mem::take(&mut content.books);
    for book in books.iter_mut().filter(|book| !book.ideas.is_empty()) {
        book.visuals = Some(put(media, site, content, book).await?);
    }
    content.books = books;
    Ok(())
}

async fn put(media: &Media, site: &str, content: &Content, book: &SeedBook) -> anyhow::Result<VisualsDraft> {
    let author = content.authors.iter().find(|author| author.slug == book.draft.author);
    let drawn = DrawnBook {
        subid: book.draft.subid.clone(),
        title: book.draft.title.clone(),
        author: author.map_or_else(String::new, |author| author.name.clone()),
        hue: hue_of(&content.categories, &book.draft),
        ideas: book.ideas.clone(),
    };
    let mut ideas = Vec::new();
    for ((place, idea), scene) in (1..).zip(&book.ideas).zip(drawn.scenes()) {
        let name = format!("visuals/{}-{place}.svg", drawn.subid);
        let image = media.put(&name, artwork::scene(&scene).into_bytes()).await?;
        let (title, body) = (idea.title.clone(), idea.body.clone());
        ideas.push(VisualDraft { title, body, image: Some(image), drawing: write_drawing(&idea.motif, idea.ground) });
    }
    let DrawnSet { image, infographic, infographic_thumb } = drawn.put_set(media, site).await?;
    let (infographic, infographic_thumb) = (Some(infographic), Some(infographic_thumb));
    Ok(VisualsDraft { ideas, image: Some(image), infographic, infographic_thumb })
}
