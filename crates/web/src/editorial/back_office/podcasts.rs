//! Podcast episodes for editors (`editorial.required-fields`, `catalogue.row-uploads`). Times are in milliseconds since the Unix
//! epoch.

use actix_multipart::Multipart;
use actix_web::{HttpRequest, delete, get, post, put, web::Data};
use editorial::{Podcast, PodcastEdit, Recording};
use kernel::{PodcastId, StoreError};
use media::Media;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use workflows::{
    editing::{EditError, Versioned},
    editorial::editing::podcasts,
};

use crate::{
    app::App,
    editing::{Version, number, required, run},
    editorial::back_office::publication::{PublicationForm, PublicationState},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        upload::{FileKind, UploadForm, store_file, store_recording},
        whole::whole,
        wire::{Answer, Nothing},
    },
};

/// All episodes of the podcast, the newest first.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPodcastsResult>)), security(("token" = [])))]
#[get("/api/admin/podcasts")]
pub(crate) async fn list_edited_podcasts(app: Data<App>, _: Editor) -> Result<Answer<EditorPodcastsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(podcasts::podcasts).await?;
    Ok(Answer::new(EditorPodcastsResult { podcasts: found.into_iter().map(Into::into).collect() }))
}

/// An episode of the podcast.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorPodcastResult>)),
    security(("token" = []))
)]
#[get("/api/admin/podcasts/{id}")]
pub(crate) async fn show_podcast(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| podcasts::podcast(tx, id)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: found.into() }))
}

/// Adds one.
#[utoipa::path(
    tag = "admin",
    request_body = PodcastForm,
    responses((status = 200, description = "The row.", body = Answer<EditorPodcastResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/podcasts")]
pub(crate) async fn add_new_podcast(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PodcastForm>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| podcasts::add_podcast(tx, trail, edit)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: added.into() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = PodcastForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorPodcastResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/podcasts/{id}")]
pub(crate) async fn change_podcast(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PodcastForm>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let based: (PodcastId, _) = (number(&id, "podcast")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| podcasts::edit_podcast(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: edited.into() }))
}

/// Deletes an episode of the podcast, with its recording.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/podcasts/{id}")]
pub(crate) async fn remove_podcast(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    run(&app, acting, move |tx, trail| podcasts::delete_podcast(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// The recording of an episode: MP3, M4A, OGG or WAV, of at most 1 GB. It takes the place of what was read aloud.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorPodcastResult>)),
    security(("token" = []))
)]
#[post("/api/admin/podcasts/media/{id}")]
pub(crate) async fn upload_episode(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(podcasts::podcast(tx, id)?.row.card.slug)).await?;
    let stored = store_recording(&app.media, &request, body, &format!("podcasts/{slug}")).await?;
    let made = Recording { key: stored.key, duration_ms: stored.duration_ms, bytes: stored.bytes, text_hash: None };
    let attached = run(&app, acting, move |tx, trail| podcasts::attach_episode(tx, trail, id, &made)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: attached.into() }))
}

/// The picture of an episode: a JPEG, PNG or WebP of at most 20 MB.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorPodcastResult>)),
    security(("token" = []))
)]
#[post("/api/admin/podcasts/photo/{id}")]
pub(crate) async fn upload_podcast_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(podcasts::podcast(tx, id)?.row.card.slug)).await?;
    let key = store_file(&app.media, &request, body, FileKind::Picture, &format!("podcasts/{slug}-photo")).await?;
    let attached = run(&app, acting, move |tx, trail| podcasts::attach_podcast_photo(tx, trail, id, &key)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: attached.into() }))
}

/// An episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorPodcast {
    /// Its id.
    id: i64,
    /// The slug.
    slug: String,
    /// The title.
    title: String,
    /// The URL of its picture.
    #[schema(required)]
    image: Option<String>,
    /// Who speaks.
    author: String,
    /// Who that is.
    author_desc: String,
    /// What the episode is about.
    description: String,
    /// What is spoken, as clean HTML.
    script: String,
    /// How many minutes it takes.
    mins: u64,
    /// The address of its recording.
    #[schema(required)]
    media_url: Option<String>,
    /// When it came out, or will.
    published_at: i64,
    #[serde(flatten)]
    publication: PublicationState,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Podcast>> for EditorPodcast {
    fn from(Versioned { row, version }: Versioned<Podcast>) -> Self {
        let mins = row.card.minutes();
        let card = row.card;
        Self {
            id: card.id.get(),
            slug: card.slug.to_string(),
            title: card.title,
            image: card.image.as_deref().map(Media::url),
            author: card.author,
            author_desc: card.author_desc,
            description: card.description,
            script: row.script,
            mins,
            media_url: card.recording.as_ref().map(|recording| Media::url(&recording.key)),
            published_at: card.published_at.millis(),
            publication: card.publication.into(),
            version: version.into(),
        }
    }
}

/// All episodes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPodcastsResult {
    /// Newest first.
    pub(crate) podcasts: Vec<EditorPodcast>,
}

/// An episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPodcastResult {
    /// The episode.
    pub(crate) podcast: EditorPodcast,
}

/// What an editor writes about an episode. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodcastForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// Who speaks.
    author: Option<String>,
    /// Who that is.
    author_desc: Option<String>,
    /// What the episode is about.
    description: Option<String>,
    /// What is spoken, as HTML, which is cleaned.
    script: Option<String>,
    /// The length in minutes, which counts while there is no recording: a whole number, also as text. 0 has it estimated from
    /// the script; the length that is shown already changes nothing.
    #[schema(value_type = Option<u16>)]
    mins: Option<Value>,
    #[serde(flatten)]
    publication: PublicationForm,
}

impl PodcastForm {
    /// Parses and validates the fields in the order of the form (`admin.first-failure`).
    pub(crate) fn read(self, is_new: bool) -> Result<PodcastEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("author", "Author", self.author.as_deref(), is_new)?;
        if is_new {
            required("authorDesc", "Author description", self.author_desc.as_deref(), true)?;
            required("description", "Description", self.description.as_deref(), true)?;
        }
        let minutes = self.mins.as_ref().map(minutes).transpose()?;
        Ok(PodcastEdit {
            title: self.title,
            author: self.author,
            author_desc: self.author_desc,
            description: self.description,
            script: self.script,
            minutes,
            publication: self.publication.into(),
        })
    }
}

/// Parses a number of minutes; a blank text is 0.
fn minutes(value: &Value) -> Result<u16, ApiError> {
    let number = match value {
        Value::Number(number) => whole(number),
        Value::String(text) if text.trim().is_empty() => Some(0),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| *number >= 0);
    let number = number.ok_or_else(|| ApiError::invalid("mins", "Please make sure Mins is greater or equal to 0."))?;
    let too_long = |_| ApiError::invalid("mins", format!("Please make sure Mins is at most {}.", u16::MAX));
    u16::try_from(number).map_err(too_long)
}
