//! Narration of a book.

use catalogue::{
    Book, BookRef, CatalogueQueries, Mark, Narration, Passage, RECAP_TITLE, RecordingQueries, passages, recap,
    text_hash,
};
use kernel::{BookId, StoreError};
use postgres::Pg;
use workflows::recording_files;

use crate::{
    error::NarrationError,
    narrator::Narrator,
    recorder::{AFTER_HEADING, AFTER_PARAGRAPH, BEFORE_HEADING, Recorder},
    scratch_dir::ScratchDir,
    synthesizer::Synthesizer,
    tags::Tags,
};

/// Records the audio of a book and stores it, unless the book no longer needs a recording.
pub(crate) async fn narrate(narrator: &Narrator, synthesizer: &Synthesizer, book: i64) -> Result<(), NarrationError> {
    let key = BookRef::Id(BookId::from_store(book));
    let wanted = narrator.db.read::<_, StoreError, _>(move |pg| {
        let Some(book) = pg.book(&key)? else { return Ok(None) };
        Ok(if pg.wants_narration(&book)? { Some(book) } else { None })
    });
    let Some(book) = wanted.await? else { return Ok(()) };
    let folder = ScratchDir::create(&narrator.home)?;
    let mut recorder = Recorder::new(synthesizer, folder.path());
    let marks = record(&mut recorder, &book).await?;
    let tags = Tags { title: &book.card.title, artist: &book.card.author.name };
    let (file, duration_ms) = recorder.finish(tags).await?;
    let name = format!("audio/{}.{}", book.card.subid, file.ending);
    let media = narrator.media.put_file(&name, &file.path).await?;
    let narration = Narration {
        media: media.clone(),
        duration_ms,
        marks,
        text_hash: text_hash(&book.body),
        voice: synthesizer.voice_name().to_owned(),
        made_at: narrator.env.now(),
    };
    let (id, instead_of, now) = (book.card.id, book.card.media.clone(), narrator.env.now());
    let save =
        move |pg: &mut Pg<'_>| recording_files::replace_narration(pg, id, &narration, instead_of.as_deref(), now);
    if !narrator.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(book = id.get(), media, "the book has another text or recording meanwhile");
    }
    Ok(())
}

/// Records the title and author, then the passages section by section, and the recap last. Returns when each passage begins.
async fn record(recorder: &mut Recorder<'_>, book: &Book) -> Result<Vec<Mark>, NarrationError> {
    let passages = passages(&book.body);
    let introduction = format!("{}, by {}.", book.card.title, book.card.author.name);
    recorder.speak(&[(introduction, BEFORE_HEADING)]).await?;
    let mut marks = Vec::with_capacity(passages.len());
    for section in passages.chunk_by(|one, other| one.section == other.section) {
        recorder.pause(BEFORE_HEADING);
        let texts: Vec<(String, u64)> = section.iter().map(spoken).collect();
        let begun = recorder.speak(&texts).await?;
        marks.extend(section.iter().zip(begun).map(|(passage, at_ms)| Mark {
            section: passage.section,
            paragraph: passage.paragraph,
            at_ms,
        }));
    }
    let headings = passages.iter().filter(|passage| passage.paragraph.is_none()).map(|passage| passage.text.as_str());
    let ideas = recap(headings);
    if !ideas.is_empty() {
        recorder.pause(BEFORE_HEADING);
        let title = (format!("{RECAP_TITLE}."), AFTER_HEADING);
        let ideas = ideas.into_iter().map(|idea| (idea, AFTER_PARAGRAPH));
        // Without marks: while it is spoken, the page stays at the last section, which shows the same list.
        recorder.speak(&std::iter::once(title).chain(ideas).collect::<Vec<_>>()).await?;
    }
    Ok(marks)
}

/// The spoken text of a passage, and the silence after it in milliseconds.
fn spoken(passage: &Passage) -> (String, u64) {
    let after = if passage.paragraph.is_none() { AFTER_HEADING } else { AFTER_PARAGRAPH };
    (passage.text.clone(), after)
}
