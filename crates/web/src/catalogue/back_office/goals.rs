//! Goals for editors (`editorial.required-fields`, `catalogue.row-uploads`). Times are in milliseconds since the Unix epoch.

use actix_multipart::Multipart;
use actix_web::{HttpRequest, delete, get, post, put, web::Data};
use catalogue::{Goal, GoalEdit, GoalPicture};
use kernel::{GoalId, StoreError};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    catalogue::editing::goals,
    editing::{EditError, Versioned},
};

use crate::{
    app::App,
    editing::{OrderForm, Version, number, required, run},
    extract::{ActingEditor, Body, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        upload::{FileKind, UploadForm, store_file},
        wire::{Answer, Nothing},
    },
};

/// All goals, in their order.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorGoalsResult>)), security(("token" = [])))]
#[get("/api/admin/goals")]
pub(crate) async fn list_edited_goals(app: Data<App>, _: Editor) -> Result<Answer<EditorGoalsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(goals::goals).await?;
    Ok(Answer::new(EditorGoalsResult { goals: found.into_iter().map(Into::into).collect() }))
}

/// A goal.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorGoalResult>)),
    security(("token" = []))
)]
#[get("/api/admin/goals/{id}")]
pub(crate) async fn show_goal(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let id: GoalId = number(&id, "goal")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| goals::goal(tx, id)).await?;
    Ok(Answer::new(EditorGoalResult { goal: found.into() }))
}

/// Adds one.
#[utoipa::path(
    tag = "admin",
    request_body = GoalForm,
    responses((status = 200, description = "The row.", body = Answer<EditorGoalResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/goals")]
pub(crate) async fn add_new_goal(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<GoalForm>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| goals::add_goal(tx, trail, edit)).await?;
    Ok(Answer::new(EditorGoalResult { goal: added.into() }))
}

/// Puts all goals in an order.
#[utoipa::path(
    tag = "admin",
    request_body = OrderForm,
    responses((status = 200, description = "The list.", body = Answer<EditorGoalsResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/goals/order")]
pub(crate) async fn reorder_goals(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<OrderForm>,
) -> Result<Answer<EditorGoalsResult>, ApiError> {
    let order = form.read()?;
    let all = run(&app, acting, move |tx, trail| goals::order_goals(tx, trail, &order)).await?;
    Ok(Answer::new(EditorGoalsResult { goals: all.into_iter().map(Into::into).collect() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = GoalForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorGoalResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/goals/{id}")]
pub(crate) async fn change_goal(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<GoalForm>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let based: (GoalId, _) = (number(&id, "goal")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| goals::edit_goal(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorGoalResult { goal: edited.into() }))
}

/// Deletes a goal, also from its books and from what members chose.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/goals/{id}")]
pub(crate) async fn remove_goal(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: GoalId = number(&id, "goal")?;
    run(&app, acting, move |tx, trail| goals::delete_goal(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Stores a picture under a name that the server chooses, and assigns it to the goal.
async fn upload_goal_picture(
    (app, acting): (&App, ActingEditor),
    (id, request, body): (&str, &HttpRequest, Multipart),
    picture: GoalPicture,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let id: GoalId = number(id, "goal")?;
    let slug = app.read_tx::<_, EditError, _>(move |tx| Ok(goals::goal(tx, id)?.row.draft.slug)).await?;
    let name = match picture {
        GoalPicture::Photo => format!("goals/{slug}"),
        GoalPicture::FeaturePhoto => format!("goals/{slug}-feature"),
    };
    let key = store_file(&app.media, request, body, FileKind::Picture, &name).await?;
    let attached = run(app, acting, move |tx, trail| goals::attach_goal_picture(tx, trail, id, picture, &key)).await?;
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
pub(crate) async fn upload_goal_photo(
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
pub(crate) async fn upload_goal_feature_photo(
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
pub(crate) async fn upload_goal_featured_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    upload_goal_picture((&app, acting), (&id, &request, body), GoalPicture::FeaturePhoto).await
}

/// A goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorGoal {
    /// Its id.
    id: i64,
    /// The slug.
    slug: String,
    /// The title.
    title: String,
    /// The title where there is little room.
    short_title: String,
    /// The title on a phone.
    mobile_title: String,
    /// What it is about.
    desc: String,
    /// The address of its small picture.
    #[schema(required)]
    photo: Option<String>,
    /// The address of its large picture.
    #[schema(required)]
    photov2: Option<String>,
    /// Where it stands among the others.
    place: i32,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Goal>> for EditorGoal {
    fn from(Versioned { row, version }: Versioned<Goal>) -> Self {
        let draft = row.draft;
        Self {
            id: row.id.get(),
            slug: draft.slug.to_string(),
            title: draft.title,
            short_title: draft.short_title,
            mobile_title: draft.mobile_title,
            desc: draft.description,
            photo: row.pictures.photo.as_deref().map(Media::url),
            photov2: row.pictures.feature_photo.as_deref().map(Media::url),
            place: draft.place,
            version: version.into(),
        }
    }
}

/// All goals.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorGoalsResult {
    /// The categories, in the editors' order.
    pub(crate) goals: Vec<EditorGoal>,
}

/// A goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorGoalResult {
    /// The goal.
    pub(crate) goal: EditorGoal,
}

/// What an editor writes about a goal. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoalForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// The title where there is little room.
    short_title: Option<String>,
    /// The title on a phone.
    mobile_title: Option<String>,
    /// What it is about.
    desc: Option<String>,
    /// Where it stands among the others.
    place: Option<i32>,
}

impl GoalForm {
    /// Parses and validates the fields in the order of the form (`admin.first-failure`).
    pub(crate) fn read(self, is_new: bool) -> Result<GoalEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("shortTitle", "Short title", self.short_title.as_deref(), is_new)?;
        if !is_new {
            required("mobileTitle", "Mobile title", self.mobile_title.as_deref(), false)?;
        }
        Ok(GoalEdit {
            title: self.title,
            short_title: self.short_title,
            mobile_title: self.mobile_title,
            description: self.desc,
            place: self.place,
        })
    }
}
