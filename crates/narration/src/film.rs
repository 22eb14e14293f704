//! The short film of a book: spoken slides of its cover and some illustrated key ideas, and a last one about the summary.

use std::{fmt::Write, path::Path};

use crate::speech::{Cue, captions};
use artwork::{COVER_HEIGHT, COVER_WIDTH, SLIDE_WIDTH, SlidePicture, SlideSpec, slide};
use catalogue::{Book, BookRef, CatalogueQueries, Film, RecordingQueries, Visual, shown_hash};
use kernel::{BookId, StoreError};
use postgres::{Pg, PgRead};
use workflows::recording_files;

use crate::{
    encoder::Encoder,
    error::NarrationError,
    narrator::Narrator,
    recorder::{AFTER_HEADING, AFTER_PARAGRAPH, BEFORE_HEADING, Recorder},
    scratch_dir::ScratchDir,
    synthesizer::Synthesizer,
};

/// The maximum number of key ideas in a film: about one minute.
const MAX_IDEAS: usize = 4;

/// A slide, and the text spoken while it is shown.
struct Scene {
    /// The slide, as SVG.
    slide: String,
    /// The spoken texts, each with the silence after it in milliseconds.
    words: Vec<(String, u64)>,
}

/// Makes a book's film. Does nothing when the book has one, has nothing to show, or ffmpeg is not installed.
pub(crate) async fn make(narrator: &Narrator, synthesizer: &Synthesizer, book: i64) -> Result<(), NarrationError> {
    let Some(encoder) = synthesizer.film_encoder() else {
        tracing::info!(book, "no film is made: that takes ffmpeg");
        return Ok(());
    };
    let Some((book, ideas)) = needed(narrator, book).await? else { return Ok(()) };
    let scenes = scenes(narrator, &book, &ideas).await?;
    let folder = ScratchDir::create(&narrator.home)?;
    let recorded = record(&narrator.media, (synthesizer, encoder), scenes, folder.path()).await?;
    let subid = &book.card.subid;
    let film = Film {
        media: narrator.media.put_file(&format!("video/{subid}.mp4"), &folder.path().join(FILM)).await?,
        poster: narrator.media.put_file(&format!("video/{subid}.png"), &folder.path().join("0.png")).await?,
        captions: narrator.media.put(&format!("video/{subid}.vtt"), captions(&recorded.cues).into_bytes()).await?,
        duration_ms: recorded.duration_ms,
        shown_hash: shown_hash(&book, &ideas),
        made_at: narrator.env.now(),
    };
    let (id, instead_of, media) = (book.card.id, book.card.video.clone(), film.media.clone());
    let now = narrator.env.now();
    let save = move |pg: &mut Pg<'_>| recording_files::replace_film(pg, id, &film, instead_of.as_deref(), now);
    if !narrator.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(book = id.get(), media, "the book has other ideas or another video meanwhile");
    }
    Ok(())
}

/// The book and its key ideas; `None` when it needs no film or has nothing to show.
async fn needed(narrator: &Narrator, book: i64) -> Result<Option<(Book, Vec<Visual>)>, StoreError> {
    let key = BookRef::Id(BookId::from_store(book));
    let find = move |pg: &mut PgRead<'_>| {
        let Some(book) = pg.book(&key)? else { return Ok(None) };
        let ideas = pg.visuals(book.card.id)?;
        Ok(if pg.wants_film(&book, &ideas)? { Some((book, ideas)) } else { None })
    };
    narrator.db.read::<_, StoreError, _>(find).await
}

async fn scenes(narrator: &Narrator, book: &Book, ideas: &[Visual]) -> Result<Vec<Scene>, NarrationError> {
    let (title, author) = (&book.card.title, &book.card.author.name);
    let hue = f64::from(book.card.categories.first().map_or(45, |category| category.hue));
    let site = &narrator.site;
    let cover = drawing(narrator, book.card.image.as_deref()).await?;
    let spec = SlideSpec { title, note: "", above: "", picture: None, hue, site };
    let by = format!("by {author}");
    let ratio = f64::from(COVER_WIDTH) / f64::from(COVER_HEIGHT);
    let picture = cover.as_deref().map(|svg| SlidePicture { svg, ratio });
    let mut scenes = vec![Scene {
        slide: slide(&SlideSpec { note: &by, picture, ..spec }),
        words: vec![(format!("{title}, by {author}."), AFTER_HEADING)],
    }];
    let shown = &ideas[..ideas.len().min(MAX_IDEAS)];
    for (at, idea) in shown.iter().enumerate() {
        let scene = drawing(narrator, Some(&idea.image)).await?;
        let picture = scene.as_deref().map(|svg| SlidePicture { svg, ratio: 1.0 });
        let above = format!("Idea {} of {}", at + 1, shown.len());
        scenes.push(Scene {
            slide: slide(&SlideSpec { title: &idea.title, above: &above, picture, ..spec }),
            words: vec![
                (format!("{}.", idea.title.trim_end_matches('.')), AFTER_HEADING),
                (idea.body.clone(), BEFORE_HEADING),
            ],
        });
    }
    let minutes = format!("{} minutes, in text and audio", book.card.minutes());
    scenes.push(Scene {
        slide: slide(&SlideSpec { title: "Read the whole summary", note: &minutes, picture, ..spec }),
        words: vec![(format!("The whole summary of {title} takes {} minutes.", book.card.minutes()), AFTER_PARAGRAPH)],
    });
    Ok(scenes)
}

/// The SVG of a stored drawing; `None` when the key is not a drawing's.
async fn drawing(narrator: &Narrator, key: Option<&str>) -> Result<Option<String>, NarrationError> {
    let Some(key) = key.filter(|key| key.rsplit('.').next() == Some("svg")) else { return Ok(None) };
    let bytes = narrator.media.bytes(key).await?;
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()))
}

/// The film's file name in the scratch folder.
const FILM: &str = "film.mp4";

/// The captions and length of a film.
struct RecordedFilm {
    cues: Vec<Cue>,
    duration_ms: u64,
}

/// Records the texts, draws the slides, and joins both to a film in the scratch folder.
async fn record(
    media: &media::Media,
    (synthesizer, encoder): (&Synthesizer, &Encoder),
    scenes: Vec<Scene>,
    folder: &Path,
) -> Result<RecordedFilm, NarrationError> {
    let mut recorder = Recorder::new(synthesizer, folder);
    let (mut cues, mut begins) = (Vec::new(), Vec::new());
    for (at, scene) in scenes.iter().enumerate() {
        // A slide appears shortly after the text of the previous one has ended, during the silence.
        begins.push(if at == 0 { 0 } else { recorder.millis() + AFTER_PARAGRAPH });
        for (text, after) in &scene.words {
            let from_ms = recorder.speak(&[(text.clone(), *after)]).await?.first().copied().unwrap_or_default();
            cues.push(Cue { from_ms, to_ms: recorder.millis(), text: text.clone() });
        }
    }
    let (wav, duration_ms) = recorder.finish_wav().await?;
    let slides: Vec<String> = scenes.into_iter().map(|scene| scene.slide).collect();
    for (at, slide) in slides.into_iter().enumerate() {
        // Drawn in a process with limits: the slide may contain an uploaded drawing.
        tokio::fs::write(folder.join(format!("{at}.png")), media.draw_png(slide, SLIDE_WIDTH).await?).await?;
    }
    tokio::fs::write(folder.join("slides.txt"), list(&begins, duration_ms)).await?;
    encoder.make_film(&folder.join("slides.txt"), &wav, &folder.join(FILM)).await?;
    Ok(RecordedFilm { cues, duration_ms })
}

/// The ffconcat file: each slide with its duration.
fn list(begins: &[u64], end: u64) -> String {
    let mut list = "ffconcat version 1.0\n".to_owned();
    for (at, from) in begins.iter().enumerate() {
        let to = begins.get(at + 1).copied().unwrap_or(end);
        let millis = to.saturating_sub(*from);
        // Writing to a text can't fail.
        let _ = writeln!(list, "file '{at}.png'\nduration {}.{:03}", millis / 1_000, millis % 1_000);
    }
    // The last slide is repeated: otherwise ffmpeg ignores its duration.
    let _ = writeln!(list, "file '{}.png'", begins.len().saturating_sub(1));
    list
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn a_slide_is_shown_until_the_next_one_and_the_last_to_the_end() {
        assert_eq!(
            list(&[0, 2_050], 7_300),
            "ffconcat version 1.0\nfile '0.png'\nduration 2.050\nfile '1.png'\nduration 5.250\nfile '1.png'\n"
        );
    }
}
