//! Uploads to goals, episodes and posts (`catalogue.row-uploads`).

use actix_multipart::Multipart;
use actix_web::{HttpRequest, post, web::Data};
use catalogue::GoalPicture;
use editorial::Recording;
use http_core::{app::App, error::ApiError, extract::Path, wire::Answer};
use kernel::{GoalId, PodcastId, PostId};
use workflows::editing::{EditError, files, rows};

use super::{
    acting::ActingEditor,
    book_files::UploadForm,
    rows::{number, run},
    rows_types::{EditorGoalResult, EditorPodcastResult, EditorPostResult},
    upload::{FileKind, store_file, store_recording},
};

/// Stores a picture under a name that the server chooses, and makes it the goal's.
async fn upload_goal_picture(
    (app, acting): (&App, ActingEditor),
    (id, request, body): (&str, &HttpRequest, Multipart),
    picture: GoalPicture,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let id: GoalId = number(id, "goal")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(rows::goal(tx, id)?.row.draft.slug)).await?;
    let name = match picture {
        GoalPicture::Photo => format!("goals/{slug}"),
        GoalPicture::FeaturePhoto => format!("goals/{slug}-feature"),
    };
    let key = store_file(&app.media, request, body, FileKind::Picture, &name).await?;
    let attached = run(app, acting, move |tx, trail| files::attach_goal_picture(tx, trail, id, picture, &key)).await?;
    Ok(Answer::new(EditorGoalResult { goal: attached.into() }))
}

/// The small picture of a goal: a JPEG, PNG or WebP of at most 20 MB, which is encoded again in the sizes that pages need.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorGoalResult>)),
    security(("token" = []))
)]
#[post("/api/admin/goals/photo/{id}")]
pub(super) async fn upload_goal_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    upload_goal_picture((&app, acting), (&id, &request, body), GoalPicture::Photo).await
}

/// The large picture of a goal, `photov2`: a JPEG, PNG or WebP of at most 20 MB.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorGoalResult>)),
    security(("token" = []))
)]
#[post("/api/admin/goals/feature-photo/{id}")]
pub(super) async fn upload_goal_feature_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    upload_goal_picture((&app, acting), (&id, &request, body), GoalPicture::FeaturePhoto).await
}

/// The large picture of a goal: the same as `feature-photo` (`catalogue.goal-pictures`).
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorGoalResult>)),
    security(("token" = []))
)]
#[post("/api/admin/goals/featured-photo/{id}")]
pub(super) async fn upload_goal_featured_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    upload_goal_picture((&app, acting), (&id, &request, body), GoalPicture::FeaturePhoto).await
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
pub(super) async fn upload_episode(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(rows::podcast(tx, id)?.row.card.slug)).await?;
    let stored = store_recording(&app.media, &request, body, &format!("podcasts/{slug}")).await?;
    let made = Recording { key: stored.key, duration_ms: stored.duration_ms, bytes: stored.bytes, text_hash: None };
    let attached = run(&app, acting, move |tx, trail| files::attach_episode(tx, trail, id, &made)).await?;
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
pub(super) async fn upload_podcast_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(rows::podcast(tx, id)?.row.card.slug)).await?;
    let key = store_file(&app.media, &request, body, FileKind::Picture, &format!("podcasts/{slug}-photo")).await?;
    let attached = run(&app, acting, move |tx, trail| files::attach_podcast_photo(tx, trail, id, &key)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: attached.into() }))
}

/// The picture of a post: a JPEG, PNG or WebP of at most 20 MB.
#[utoipa::path(
    tag = "admin",
    params(("postId" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorPostResult>)),
    security(("token" = []))
)]
#[post("/api/admin/blog/photo/{postId}")]
pub(super) async fn upload_post_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id: PostId = number(&id, "post")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(rows::post(tx, id)?.row.card.slug)).await?;
    let key = store_file(&app.media, &request, body, FileKind::Picture, &format!("blog/{slug}")).await?;
    let attached = run(&app, acting, move |tx, trail| files::attach_post_photo(tx, trail, id, &key)).await?;
    Ok(Answer::new(EditorPostResult { post: attached.into() }))
}
