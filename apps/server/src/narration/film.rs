//! A short film of a book: its cover, some of its illustrated key ideas, and where to go on, with the words spoken.

use std::{fmt::Write, path::Path};

use ::speech::{Cue, captions};
use artwork::{COVER_HEIGHT, COVER_WIDTH, SLIDE_WIDTH, SlidePicture, SlideSpec, raster, slide};
use catalogue::{Book, BookRef, Catalogue, Film, Recordings, Visual, shown_hash};
use kernel::{BookId, StoreError};

use super::{
    NarrationError,
    reader::{AFTER_HEADING, AFTER_PARAGRAPH, BEFORE_HEADING, Reader},
    workroom::Workroom,
};
use crate::{
    app::App,
    flows::replaced,
    gateways::speech::{Encoder, ProgramError, Speech},
};

/// How many ideas are shown: a film of a minute or so.
const IDEAS: usize = 4;

/// What is shown while something is said.
struct Scene {
    /// The slide, as SVG.
    slide: String,
    /// What is said, and the silence after each part.
    words: Vec<(String, u64)>,
}

/// Makes a book's film, unless it has one, or has nothing to show, or this machine can't.
pub(super) async fn make(app: &App, speech: &Speech, book: i64) -> Result<(), NarrationError> {
    let Some(encoder) = speech.films() else {
        tracing::info!(book, "no film is made: that takes ffmpeg");
        return Ok(());
    };
    let Some((book, ideas)) = wanted(app, book).await? else { return Ok(()) };
    let scenes = scenes(app, &book, &ideas).await?;
    let folder = Workroom::open(&app.config.home)?;
    let made = shoot(speech, encoder, scenes, folder.path()).await?;
    let subid = &book.card.subid;
    let film = Film {
        media: app.media.put_file(&format!("video/{subid}.mp4"), &folder.path().join(FILM)).await?,
        poster: app.media.put_file(&format!("video/{subid}.png"), &folder.path().join("0.png")).await?,
        captions: app.media.put(&format!("video/{subid}.vtt"), captions(&made.cues).into_bytes()).await?,
        duration_ms: made.duration_ms,
        shown_hash: shown_hash(&book, &ideas),
        made_at: app.env.now(),
    };
    let (id, instead_of, media) = (book.card.id, book.card.video.clone(), film.media.clone());
    let now = app.env.now();
    let save = move |pg: &mut postgres::Pg<'_>| replaced::keep_film(pg, id, &film, instead_of.as_deref(), now);
    if !app.db.write::<_, StoreError, _>(save).await? {
        tracing::info!(book = id.get(), media, "the book has other ideas or another video meanwhile");
    }
    Ok(())
}

/// The book and its key ideas, if it wants a film and has something to show.
async fn wanted(app: &App, book: i64) -> Result<Option<(Book, Vec<Visual>)>, StoreError> {
    let key = BookRef::Id(BookId::from_store(book));
    let find = move |pg: &mut postgres::Pg<'_>| {
        let Some(book) = pg.book(&key)? else { return Ok(None) };
        let ideas = pg.visuals(book.card.id)?;
        Ok(if pg.wants_film(&book, &ideas)? { Some((book, ideas)) } else { None })
    };
    app.db.read::<_, StoreError, _>(find).await
}

async fn scenes(app: &App, book: &Book, ideas: &[Visual]) -> Result<Vec<Scene>, NarrationError> {
    let (title, author) = (&book.card.title, &book.card.author.name);
    let hue = f64::from(book.card.categories.first().map_or(45, |category| category.hue));
    let house = &app.config.site.name;
    let cover = drawing(app, book.card.image.as_deref()).await?;
    let spec = SlideSpec { title, note: "", above: "", picture: None, hue, house };
    let by = format!("by {author}");
    let ratio = f64::from(COVER_WIDTH) / f64::from(COVER_HEIGHT);
    let picture = cover.as_deref().map(|svg| SlidePicture { svg, ratio });
    let mut scenes = vec![Scene {
        slide: slide(&SlideSpec { note: &by, picture, ..spec }),
        words: vec![(format!("{title}, by {author}."), AFTER_HEADING)],
    }];
    let shown = &ideas[..ideas.len().min(IDEAS)];
    for (at, Visual { draft, .. }) in shown.iter().enumerate() {
        let scene = drawing(app, Some(&draft.image)).await?;
        let picture = scene.as_deref().map(|svg| SlidePicture { svg, ratio: 1.0 });
        let above = format!("Idea {} of {}", at + 1, shown.len());
        scenes.push(Scene {
            slide: slide(&SlideSpec { title: &draft.title, above: &above, picture, ..spec }),
            words: vec![
                (format!("{}.", draft.title.trim_end_matches('.')), AFTER_HEADING),
                (draft.body.clone(), BEFORE_HEADING),
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

/// A drawing of the object store; none when it is no drawing of ours.
async fn drawing(app: &App, key: Option<&str>) -> Result<Option<String>, NarrationError> {
    let Some(key) = key.filter(|key| key.rsplit('.').next() == Some("svg")) else { return Ok(None) };
    let bytes = app.media.bytes(key).await?;
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()))
}

/// The film's file in the folder.
const FILM: &str = "film.mp4";

/// What is known of a film once it is made.
struct Made {
    cues: Vec<Cue>,
    duration_ms: u64,
}

/// Says the words, draws the slides and joins them.
async fn shoot(speech: &Speech, encoder: &Encoder, scenes: Vec<Scene>, folder: &Path) -> Result<Made, NarrationError> {
    let mut reader = Reader::new(speech, folder);
    let (mut cues, mut begins) = (Vec::new(), Vec::new());
    for (at, scene) in scenes.iter().enumerate() {
        // A slide comes as soon as the one before has been said.
        begins.push(if at == 0 { 0 } else { reader.millis() + AFTER_PARAGRAPH });
        for (text, after) in &scene.words {
            let from_ms = reader.say(&[(text.clone(), *after)]).await?.first().copied().unwrap_or_default();
            cues.push(Cue { from_ms, to_ms: reader.millis(), text: text.clone() });
        }
    }
    let (wav, duration_ms) = reader.finish_wav().await?;
    let slides: Vec<String> = scenes.into_iter().map(|scene| scene.slide).collect();
    let place = folder.to_owned();
    let drawn = move || -> Result<(), NarrationError> {
        for (at, slide) in slides.iter().enumerate() {
            std::fs::write(place.join(format!("{at}.png")), raster::png(slide, SLIDE_WIDTH)?)?;
        }
        Ok(std::fs::write(place.join("slides.txt"), list(&begins, duration_ms))?)
    };
    tokio::task::spawn_blocking(drawn).await.map_err(|error| ProgramError::Useless(error.to_string()))??;
    encoder.film(&folder.join("slides.txt"), &wav, &folder.join(FILM)).await?;
    Ok(Made { cues, duration_ms })
}

/// The slides and how long each stands, as ffmpeg reads it.
fn list(begins: &[u64], end: u64) -> String {
    let mut list = "ffconcat version 1.0\n".to_owned();
    for (at, from) in begins.iter().enumerate() {
        let to = begins.get(at + 1).copied().unwrap_or(end);
        let millis = to.saturating_sub(*from);
        // Writing to a text can't fail.
        let _ = writeln!(list, "file '{at}.png'\nduration {}.{:03}", millis / 1_000, millis % 1_000);
    }
    // The last one is named again: its duration counts only then.
    let _ = writeln!(list, "file '{}.png'", begins.len().saturating_sub(1));
    list
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn slides_stand_until_the_next_one_and_the_last_to_the_end() {
        assert_eq!(
            list(&[0, 2_050], 7_300),
            "ffconcat version 1.0\nfile '0.png'\nduration 2.050\nfile '1.png'\nduration 5.250\nfile '1.png'\n"
        );
    }
}
