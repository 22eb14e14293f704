//! Goals, categories, collections, posts, episodes and insights: lists for editors, one of them, adding, changing
//! (`editorial.required-fields`).

use actix_web::{HttpResponse, get, http::header, post, put, web::Data};
use catalogue::{CatalogueQueries, Collection};
use http_core::{
    app::App,
    error::ApiError,
    extract::{Body, Editor, LargeBody, Path},
    openapi::{Conflict, NotFound},
    wire::Answer,
};
use kernel::{CategoryId, CollectionId, GoalId, InsightId, PodcastId, PostId, Slug, StoreError};
use serde::Serialize;
use workflows::{
    audit::AuditTrail,
    editing::{
        EditError,
        rows::{self, Versioned},
    },
    tx::Tx,
};

use super::{
    acting::ActingEditor,
    rows_types::{
        CategoryForm, CollectionAnswer, CollectionForm, CollectionsAnswer, EditorCategoriesResult,
        EditorCategoryResult, EditorCollection, EditorGoalResult, EditorGoalsResult, EditorInsightResult,
        EditorInsightRow, EditorPodcastResult, EditorPodcastsResult, EditorPostResult, EditorPostsResult, GoalForm,
        InsightForm, OrderForm, PodcastForm, PostForm,
    },
};

/// The number that a path names.
pub(super) fn number<Id: std::str::FromStr>(text: &str, what: &str) -> Result<Id, ApiError> {
    text.parse().map_err(|_| ApiError::not_found(what))
}

/// Runs a workflow of an editor, and gives what it made.
pub(super) async fn run<T, F>(app: &App, acting: ActingEditor, workflow: F) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, EditError> + Send + 'static,
{
    Ok(app.transactions.write_as::<_, EditError, _>(acting.actor, workflow).await?)
}

/// All goals, in their order.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorGoalsResult>)), security(("token" = [])))]
#[get("/api/admin/goals")]
pub(super) async fn list_edited_goals(app: Data<App>, _: Editor) -> Result<Answer<EditorGoalsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(rows::goals).await?;
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
pub(super) async fn show_goal(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let id: GoalId = number(&id, "goal")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::goal(tx, id)).await?;
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
pub(super) async fn add_new_goal(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<GoalForm>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_goal(tx, trail, edit)).await?;
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
pub(super) async fn reorder_goals(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<OrderForm>,
) -> Result<Answer<EditorGoalsResult>, ApiError> {
    let order = form.read()?;
    let all = run(&app, acting, move |tx, trail| rows::order_goals(tx, trail, &order)).await?;
    Ok(Answer::new(EditorGoalsResult { goals: all.into_iter().map(Into::into).collect() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = GoalForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorGoalResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/goals/{id}")]
pub(super) async fn change_goal(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<GoalForm>,
) -> Result<Answer<EditorGoalResult>, ApiError> {
    let based: (GoalId, _) = (number(&id, "goal")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_goal(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorGoalResult { goal: edited.into() }))
}

/// All categories, in their order.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorCategoriesResult>)), security(("token" = [])))]
#[get("/api/admin/categories")]
pub(super) async fn list_edited_categories(
    app: Data<App>,
    _: Editor,
) -> Result<Answer<EditorCategoriesResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(rows::categories).await?;
    Ok(Answer::new(EditorCategoriesResult { categories: found.into_iter().map(Into::into).collect() }))
}

/// A category.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorCategoryResult>)),
    security(("token" = []))
)]
#[get("/api/admin/categories/{id}")]
pub(super) async fn show_category(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let id: CategoryId = number(&id, "category")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::category(tx, id)).await?;
    Ok(Answer::new(EditorCategoryResult { category: found.into() }))
}

/// Adds one.
#[utoipa::path(
    tag = "admin",
    request_body = CategoryForm,
    responses((status = 200, description = "The row.", body = Answer<EditorCategoryResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/categories")]
pub(super) async fn add_new_category(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<CategoryForm>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_category(tx, trail, &edit)).await?;
    Ok(Answer::new(EditorCategoryResult { category: added.into() }))
}

/// Puts all categories in an order.
#[utoipa::path(
    tag = "admin",
    request_body = OrderForm,
    responses((status = 200, description = "The list.", body = Answer<EditorCategoriesResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/categories/order")]
pub(super) async fn reorder_categories(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<OrderForm>,
) -> Result<Answer<EditorCategoriesResult>, ApiError> {
    let order = form.read()?;
    let all = run(&app, acting, move |tx, trail| rows::order_categories(tx, trail, &order)).await?;
    Ok(Answer::new(EditorCategoriesResult { categories: all.into_iter().map(Into::into).collect() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CategoryForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorCategoryResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/categories/{id}")]
pub(super) async fn change_category(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CategoryForm>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let based: (CategoryId, _) = (number(&id, "category")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_category(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorCategoryResult { category: edited.into() }))
}

/// All episodes of the podcast, the newest first.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPodcastsResult>)), security(("token" = [])))]
#[get("/api/admin/podcasts")]
pub(super) async fn list_edited_podcasts(app: Data<App>, _: Editor) -> Result<Answer<EditorPodcastsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(rows::podcasts).await?;
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
pub(super) async fn show_podcast(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::podcast(tx, id)).await?;
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
pub(super) async fn add_new_podcast(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PodcastForm>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_podcast(tx, trail, edit)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: added.into() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = PodcastForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorPodcastResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/podcasts/{id}")]
pub(super) async fn change_podcast(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PodcastForm>,
) -> Result<Answer<EditorPodcastResult>, ApiError> {
    let based: (PodcastId, _) = (number(&id, "podcast")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_podcast(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPodcastResult { podcast: edited.into() }))
}

/// All posts of the blog, the newest first.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPostsResult>)), security(("token" = [])))]
#[get("/api/admin/blog")]
pub(super) async fn list_edited_posts(app: Data<App>, _: Editor) -> Result<Answer<EditorPostsResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(rows::posts).await?;
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
pub(super) async fn show_post(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id: PostId = number(&id, "post")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::post(tx, id)).await?;
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
pub(super) async fn add_new_post(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_post(tx, trail, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: added.into() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("postId" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = PostForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorPostResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/blog/{postId}")]
pub(super) async fn change_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let based: (PostId, _) = (number(&id, "post")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_post(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: edited.into() }))
}

/// Changes the post that the body names, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = PostForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorPostResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/blog")]
pub(super) async fn change_named_post(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<PostForm>,
) -> Result<Answer<EditorPostResult>, ApiError> {
    let id = form.id.and_then(|id| PostId::new(id).ok()).ok_or_else(|| ApiError::not_found("post"))?;
    let based = (id, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_post(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorPostResult { post: edited.into() }))
}

/// All thoughts for a day, the newest first: the result is the list itself.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<Vec<EditorInsightRow>>)), security(("token" = [])))]
#[get("/api/admin/insight")]
pub(super) async fn list_edited_insights(app: Data<App>, _: Editor) -> Result<Answer<Vec<EditorInsightRow>>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(rows::insights).await?;
    Ok(Answer::new(found.into_iter().map(Into::into).collect()))
}

/// A thought for a day.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorInsightResult>)),
    security(("token" = []))
)]
#[get("/api/admin/insight/{id}")]
pub(super) async fn show_insight(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let id: InsightId = number(&id, "insight")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::insight(tx, id)).await?;
    Ok(Answer::new(found.into()))
}

/// Adds a thought for a day.
#[utoipa::path(
    tag = "admin",
    request_body = InsightForm,
    responses((status = 200, description = "The row.", body = Answer<EditorInsightResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/insight")]
pub(super) async fn add_new_insight(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_insight(tx, trail, edit)).await?;
    Ok(Answer::new(added.into()))
}

/// Changes the thought that the body names, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = InsightForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorInsightResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/insight")]
pub(super) async fn change_named_insight(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let id = form.id.and_then(|id| InsightId::new(id).ok()).ok_or_else(|| ApiError::not_found("insight"))?;
    let based = (id, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_insight(tx, trail, based, edit)).await?;
    Ok(Answer::new(edited.into()))
}

/// Changes a thought for a day, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = InsightForm,
    responses((status = 200, description = "The row as it is now.", body = Answer<EditorInsightResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/insight/{id}")]
pub(super) async fn change_insight(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let based: (InsightId, _) = (number(&id, "insight")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_insight(tx, trail, based, edit)).await?;
    Ok(Answer::new(edited.into()))
}

/// Answers with a body that is not within `result`.
fn bare(body: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(body)
}

/// Answers with a collection.
async fn of_collection(app: &App, one: Versioned<Collection>) -> Result<HttpResponse, ApiError> {
    let chosen = one.row.draft.books.clone();
    let read = app.db.read::<_, StoreError, _>(move |pg| Ok((pg.categories()?, pg.books_called(&chosen)?)));
    let (all, names) = read.await?;
    Ok(bare(&CollectionAnswer { status: "ok", collection: EditorCollection::of(one, &all, &names) }))
}

/// All collections, by their titles.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = CollectionsAnswer)), security(("token" = [])))]
#[get("/api/admin/collections/list")]
pub(super) async fn list_edited_collections(app: Data<App>, _: Editor) -> Result<HttpResponse, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(|tx| {
        let collections = rows::collections(tx)?;
        let chosen: Vec<Slug> = collections.iter().flat_map(|one| one.row.draft.books.clone()).collect();
        Ok((collections, tx.pg.categories()?, tx.pg.books_called(&chosen)?))
    });
    let (collections, all, names) = found.await?;
    let results = collections.into_iter().map(|one| EditorCollection::of(one, &all, &names)).collect();
    Ok(bare(&CollectionsAnswer { status: "ok", results }))
}

/// Adds a collection.
#[utoipa::path(
    tag = "admin",
    request_body = CollectionForm,
    responses((status = 200, description = "The collection.", body = CollectionAnswer), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/collections/add")]
pub(super) async fn add_new_collection(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| rows::add_collection(tx, trail, &edit)).await?;
    of_collection(&app, added).await
}

/// A collection.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The collection.", body = CollectionAnswer)),
    security(("token" = []))
)]
#[get("/api/admin/collections/detail/{id}")]
pub(super) async fn show_collection(app: Data<App>, _: Editor, id: Path<String>) -> Result<HttpResponse, ApiError> {
    let id: CollectionId = number(&id, "collection")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| rows::collection(tx, id)).await?;
    of_collection(&app, found).await
}

/// Changes a collection, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CollectionForm,
    responses((status = 200, description = "The collection as it is now.", body = CollectionAnswer), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/collections/detail/{id}")]
pub(super) async fn change_collection(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let based: (CollectionId, _) = (number(&id, "collection")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_collection(tx, trail, based, edit)).await?;
    of_collection(&app, edited).await
}

/// Changes a collection: the same as `PUT` (`catalogue.collection-fields`).
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CollectionForm,
    responses((status = 200, description = "The collection as it is now.", body = CollectionAnswer), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/collections/detail/{id}")]
pub(super) async fn change_collection_by_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let based: (CollectionId, _) = (number(&id, "collection")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| rows::edit_collection(tx, trail, based, edit)).await?;
    of_collection(&app, edited).await
}
