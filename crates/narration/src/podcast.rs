//! Narration of a podcast.

use catalogue::passages;
use editorial::{EditorialQueries, Podcast, Recording, script_hash};
use kernel::{Slug, StoreError};
use postgres::{Pg, PgRead};
use workflows::recording_files;

use crate::{
    error::NarrationError,
    narrator::Narrator,
    recorder::{AFTER_PARAGRAPH, Recorder},
    scratch_dir::ScratchDir,
    synthesizer::Synthesizer,
    tags::Tags,
};

/// Records the audio of a podcast, unless it has a recording already.
pub(crate) async fn record(narrator: &Narrator, synthesizer: &Synthesizer, slug: &str) -> Result<(), NarrationError> {
    let Some((slug, podcast)) = unrecorded(narrator, slug).await? else { return Ok(()) };
    let folder = ScratchDir::create(&narrator.home)?;
    let mut recorder = Recorder::new(synthesizer, folder.path());
    for passage in passages(&podcast.script) {
        recorder.speak(&[(passage.text, AFTER_PARAGRAPH)]).await?;
    }
    let tags = Tags { title: &podcast.card.title, artist: &podcast.card.author };
    let (file, duration_ms) = recorder.finish(tags).await?;
    let bytes = std::fs::metadata(&file.path)?.len();
    let key = narrator.media.put_file(&format!("podcasts/{slug}.{}", file.ending), &file.path).await?;
    let text_hash = Some(script_hash(&podcast.script));
    let recording = Recording { key: key.clone(), duration_ms, bytes, text_hash };
    let now = narrator.env.now();
    let save = move |pg: &mut Pg<'_>| recording_files::replace_episode(pg, &slug, &recording, now);
    if !narrator.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(key, "the episode has another script or recording meanwhile");
    }
    Ok(())
}

/// The podcast, if it is published and has no recording yet.
async fn unrecorded(narrator: &Narrator, slug: &str) -> Result<Option<(Slug, Podcast)>, StoreError> {
    let Ok(slug) = Slug::parse(slug) else { return Ok(None) };
    let find = move |pg: &mut PgRead<'_>| {
        let found = pg.published_podcast(&slug)?.filter(|podcast| podcast.card.recording.is_none());
        Ok(found.map(|podcast| (slug.clone(), podcast)))
    };
    narrator.db.read::<_, StoreError, _>(find).await
}
