//! A book is read aloud.

use catalogue::{Book, BookRef, Catalogue, Mark, Narration, Passage, Recordings, passages, text_hash};
use kernel::{BookId, StoreError};

use super::{
    NarrationError,
    reader::{AFTER_HEADING, AFTER_PARAGRAPH, BEFORE_HEADING, Reader},
    workroom::Workroom,
};
use crate::{
    app::App,
    flows::replaced,
    gateways::speech::{Speech, Title},
};

/// Reads a book aloud, unless it does not want that any more.
pub(super) async fn narrate(app: &App, speech: &Speech, book: i64) -> Result<(), NarrationError> {
    let key = BookRef::Id(BookId::from_store(book));
    let wanted = app.db.read::<_, StoreError, _>(move |pg| {
        let Some(book) = pg.book(&key)? else { return Ok(None) };
        Ok(if pg.wants_narration(&book)? { Some(book) } else { None })
    });
    let Some(book) = wanted.await? else { return Ok(()) };
    let folder = Workroom::open(&app.config.home)?;
    let mut reader = Reader::new(speech, folder.path());
    let marks = read(&mut reader, &book).await?;
    let title = Title { title: &book.card.title, artist: &book.card.author.name };
    let (recorded, duration_ms) = reader.finish(title).await?;
    let name = format!("audio/{}.{}", book.card.subid, recorded.ending);
    let media = app.media.put_file(&name, &recorded.path).await?;
    let narration = Narration {
        media: media.clone(),
        duration_ms,
        marks,
        text_hash: text_hash(&book.body),
        voice: speech.voice().to_owned(),
        made_at: app.env.now(),
    };
    let (id, instead_of, now) = (book.card.id, book.card.media.clone(), app.env.now());
    let save =
        move |pg: &mut postgres::Pg<'_>| replaced::keep_narration(pg, id, &narration, instead_of.as_deref(), now);
    if !app.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(book = id.get(), media, "the book has another text or recording meanwhile");
    }
    Ok(())
}

/// Says whose book it is, and then its passages, section by section.
async fn read(reader: &mut Reader<'_>, book: &Book) -> Result<Vec<Mark>, NarrationError> {
    let passages = passages(&book.body);
    let introduction = format!("{}, by {}.", book.card.title, book.card.author.name);
    reader.say(&[(introduction, BEFORE_HEADING)]).await?;
    let mut marks = Vec::with_capacity(passages.len());
    for section in passages.chunk_by(|one, other| one.section == other.section) {
        reader.pause(BEFORE_HEADING);
        let texts: Vec<(String, u64)> = section.iter().map(said).collect();
        let begun = reader.say(&texts).await?;
        marks.extend(section.iter().zip(begun).map(|(passage, at_ms)| Mark {
            section: passage.section,
            paragraph: passage.paragraph,
            at_ms,
        }));
    }
    Ok(marks)
}

/// What is said of a passage, and the silence after it.
fn said(passage: &Passage) -> (String, u64) {
    let after = if passage.paragraph.is_none() { AFTER_HEADING } else { AFTER_PARAGRAPH };
    (passage.text.clone(), after)
}
