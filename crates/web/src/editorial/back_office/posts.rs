//! Blog posts for editors (`editorial.required-fields`, `catalogue.row-uploads`). Times are in milliseconds since the Unix
//! epoch.

use actix_multipart::Multipart;
use actix_web::{HttpRequest, delete, get, post, put, web::Data};
use editorial::{Post, PostEdit};
use kernel::{PostId, StoreError};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    editing::{EditError, Versioned},
    editorial::editing::posts,
};

use crate::{
    app::App,
    editing::{Version, number, required, run},
    editorial::back_office::publication::{PublicationForm, PublicationState},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        upload::{FileKind, UploadForm, store_file},
        wire::{Answer, Nothing},
    },
};

/// All posts of the blog, the newest first.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPostsResult>)), security(("token" = [])))]
#[get("/api/admin/blog")]
pub(crate) async fn list_edited_posts(app: Data<App>, _: Editor) -> Result<Answer<EditorPostsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(posts::posts).await?;
    Ok(Answer::new(EditorPostsResult { posts: found.into_iter().map(Into::into).collect() }))
}

/// A post of the blog.
#[utoipa::path(
    tag = "admin",
    params(("postId" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorPostResult>)),
    security(("token" = []))
)]
#[get("/api/admin/blog/{postId}")]
pub(crate) async fn show_post(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id: PostId = number(&id, "post")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| posts::post(tx, id)).await?;
    Ok(Answer::new(EditorPostResult { post: found.into() }))
}

/// Adds one.
#[utoipa::path(
    tag = "admin",
    request_body = PostForm,
    responses((status = 200, description = "The row.", body = Answer<EditorPostResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/blog")]
pub(crate) async fn add_new_post(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| posts::add_post(tx, trail, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: added.into() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("postId" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = PostForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorPostResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/blog/{postId}")]
pub(crate) async fn change_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let based: (PostId, _) = (number(&id, "post")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| posts::edit_post(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: edited.into() }))
}

/// Changes the post that the body names, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = PostForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorPostResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/blog")]
pub(crate) async fn change_named_post(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id = form.id.and_then(|id| PostId::new(id).ok()).ok_or_else(|| ApiError::not_found("post"))?;
    let based = (id, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| posts::edit_post(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: edited.into() }))
}

/// Deletes a post of the blog.
#[utoipa::path(tag = "admin", params(("postId" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/blog/{postId}")]
pub(crate) async fn remove_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PostId = number(&id, "post")?;
    run(&app, acting, move |tx, trail| posts::delete_post(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
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
pub(crate) async fn upload_post_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id: PostId = number(&id, "post")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(posts::post(tx, id)?.row.card.slug)).await?;
    let key = store_file(&app.media, &request, body, FileKind::Picture, &format!("blog/{slug}")).await?;
    let attached = run(&app, acting, move |tx, trail| posts::attach_post_photo(tx, trail, id, &key)).await?;
    Ok(Answer::new(EditorPostResult { post: attached.into() }))
}

/// A post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorPost {
    /// Its id.
    id: i64,
    /// The slug.
    slug: String,
    /// The title.
    title: String,
    /// A line or two below it.
    description: String,
    /// The URL of its picture.
    #[schema(required)]
    photo: Option<String>,
    /// The names of its categories.
    categories: Vec<String>,
    /// The text, as clean HTML.
    text: String,
    /// Who wrote it.
    author: String,
    /// The book that it goes with, by its name in addresses.
    #[schema(required)]
    book: Option<String>,
    /// When it came out, or will.
    create_date: i64,
    #[serde(flatten)]
    publication: PublicationState,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Post>> for EditorPost {
    fn from(Versioned { row, version }: Versioned<Post>) -> Self {
        let card = row.card;
        Self {
            id: card.id.get(),
            slug: card.slug.to_string(),
            title: card.title,
            description: card.description,
            photo: card.photo.as_deref().map(Media::url),
            categories: card.categories.into_iter().map(|one| one.name).collect(),
            text: row.text,
            author: card.author,
            book: row.book.map(|book| book.to_string()),
            create_date: card.published_at.millis(),
            publication: card.publication.into(),
            version: version.into(),
        }
    }
}

/// All posts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPostsResult {
    /// Newest first.
    pub(crate) posts: Vec<EditorPost>,
}

/// A post.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPostResult {
    /// The post.
    pub(crate) post: EditorPost,
}

/// What an editor writes about a post. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct PostForm {
    /// The post, where the path names none.
    #[schema(minimum = 1)]
    pub(crate) id: Option<i64>,
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// A line or two below it.
    description: Option<String>,
    /// The names of its categories.
    categories: Option<Vec<String>>,
    /// The text, as HTML, which is cleaned.
    text: Option<String>,
    /// Who wrote it.
    author: Option<String>,
    #[serde(flatten)]
    publication: PublicationForm,
}

impl PostForm {
    /// Parses and validates the fields in the order of the form (`admin.first-failure`).
    pub(crate) fn read(self, is_new: bool) -> Result<PostEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("description", "Description", self.description.as_deref(), is_new)?;
        if self.categories.as_ref().map_or(is_new, Vec::is_empty) {
            return Err(ApiError::invalid("categories", "Please specify Categories."));
        }
        required("text", "Text", self.text.as_deref(), is_new)?;
        Ok(PostEdit {
            title: self.title,
            description: self.description,
            categories: self.categories,
            text: self.text,
            author: self.author,
            publication: self.publication.into(),
        })
    }
}
