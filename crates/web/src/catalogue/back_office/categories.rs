//! Categories for editors (`editorial.required-fields`). Times are in milliseconds since the Unix epoch.

use actix_web::{delete, get, post, put, web::Data};
use catalogue::{Category, CategoryEdit};
use kernel::{CategoryId, StoreError};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    catalogue::editing::categories,
    editing::{EditError, Versioned},
};

use crate::{
    app::App,
    editing::{OrderForm, Version, number, required, run},
    extract::{ActingEditor, Body, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// All categories, in their order.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorCategoriesResult>)), security(("token" = [])))]
#[get("/api/admin/categories")]
pub(crate) async fn list_edited_categories(
    app: Data<App>,
    _: Editor,
) -> Result<Answer<EditorCategoriesResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(categories::categories).await?;
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
pub(crate) async fn show_category(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let id: CategoryId = number(&id, "category")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| categories::category(tx, id)).await?;
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
pub(crate) async fn add_new_category(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<CategoryForm>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| categories::add_category(tx, trail, &edit)).await?;
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
pub(crate) async fn reorder_categories(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<OrderForm>,
) -> Result<Answer<EditorCategoriesResult>, ApiError> {
    let order = form.read()?;
    let all = run(&app, acting, move |tx, trail| categories::order_categories(tx, trail, &order)).await?;
    Ok(Answer::new(EditorCategoriesResult { categories: all.into_iter().map(Into::into).collect() }))
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CategoryForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorCategoryResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/categories/{id}")]
pub(crate) async fn change_category(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CategoryForm>,
) -> Result<Answer<EditorCategoryResult>, ApiError> {
    let based: (CategoryId, _) = (number(&id, "category")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| categories::edit_category(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorCategoryResult { category: edited.into() }))
}

/// Deletes a category, also from its books; unless a book stands in no other one.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/categories/{id}")]
pub(crate) async fn remove_category(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: CategoryId = number(&id, "category")?;
    run(&app, acting, move |tx, trail| categories::delete_category(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorCategory {
    /// Its id.
    id: i64,
    /// The slug.
    subid: String,
    /// The name.
    name: String,
    /// The hue that it owns, in degrees.
    hue: u16,
    /// The URL of its picture.
    #[serde(rename = "small_image")]
    #[schema(required)]
    small_image: Option<String>,
    /// Where it stands among the others.
    place: i32,
    /// How many books that can be read it has.
    book_count: u64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Category>> for EditorCategory {
    fn from(Versioned { row, version }: Versioned<Category>) -> Self {
        let draft = row.draft;
        Self {
            id: row.id.get(),
            subid: draft.subid.to_string(),
            name: draft.name,
            hue: draft.hue,
            small_image: draft.small_image.as_deref().map(Media::url),
            place: draft.place,
            book_count: row.book_count,
            version: version.into(),
        }
    }
}

/// All categories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorCategoriesResult {
    /// The categories, in the editors' order.
    pub(crate) categories: Vec<EditorCategory>,
}

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorCategoryResult {
    /// The category.
    pub(crate) category: EditorCategory,
}

/// What an editor writes about a category. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct CategoryForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The name.
    name: Option<String>,
    /// The hue that it owns, in degrees.
    #[schema(minimum = 0, maximum = 359)]
    hue: Option<u16>,
    /// Where it stands among the others.
    place: Option<i32>,
}

impl CategoryForm {
    /// Parses and validates the fields.
    pub(crate) fn read(self, is_new: bool) -> Result<CategoryEdit, ApiError> {
        required("name", "Name", self.name.as_deref(), is_new)?;
        Ok(CategoryEdit { name: self.name, hue: self.hue, place: self.place })
    }
}
