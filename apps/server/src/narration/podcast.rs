//! An episode of the podcasts is spoken.

use catalogue::passages;
use editorial::{Editorial, Podcast, Recording, script_hash};
use kernel::{Slug, StoreError};

use super::{
    NarrationError,
    reader::{AFTER_PARAGRAPH, Reader},
    workroom::Workroom,
};
use crate::{
    app::App,
    flows::replaced,
    gateways::speech::{Speech, Title},
};

/// Speaks an episode, unless it can be heard already.
pub(super) async fn speak(app: &App, speech: &Speech, slug: &str) -> Result<(), NarrationError> {
    let Some((slug, podcast)) = wanted(app, slug).await? else { return Ok(()) };
    let folder = Workroom::open(&app.config.home)?;
    let mut reader = Reader::new(speech, folder.path());
    for passage in passages(&podcast.script) {
        reader.say(&[(passage.text, AFTER_PARAGRAPH)]).await?;
    }
    let title = Title { title: &podcast.card.title, artist: &podcast.card.author };
    let (recorded, duration_ms) = reader.finish(title).await?;
    let bytes = std::fs::metadata(&recorded.path)?.len();
    let key = app.media.put_file(&format!("podcasts/{slug}.{}", recorded.ending), &recorded.path).await?;
    let text_hash = Some(script_hash(&podcast.script));
    let recording = Recording { key: key.clone(), duration_ms, bytes, text_hash };
    let now = app.env.now();
    let save = move |pg: &mut postgres::Pg<'_>| replaced::keep_episode(pg, &slug, &recording, now);
    if !app.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(key, "the episode has another script or recording meanwhile");
    }
    Ok(())
}

/// The episode, if nobody can hear it yet.
async fn wanted(app: &App, slug: &str) -> Result<Option<(Slug, Podcast)>, StoreError> {
    let Ok(slug) = Slug::parse(slug) else { return Ok(None) };
    let find = move |pg: &mut postgres::Pg<'_>| {
        let found = pg.podcast(&slug)?.filter(|podcast| podcast.card.recording.is_none());
        Ok(found.map(|podcast| (slug.clone(), podcast)))
    };
    app.db.read::<_, StoreError, _>(find).await
}
