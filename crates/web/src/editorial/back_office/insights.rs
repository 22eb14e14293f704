//! Insights of the day for editors (`editorial.required-fields`). Times are in milliseconds since the Unix epoch.

use actix_web::{delete, get, post, put, web::Data};
use catalogue::BookRef;
use editorial::{Insight, InsightEdit};
use kernel::{InsightId, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    editing::{EditError, Versioned},
    editorial::editing::insights,
};

use crate::{
    app::App,
    catalogue::types::book_name::BookName,
    editing::{Version, number, required, run},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// All thoughts for a day, the newest first: the result is the list itself.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<Vec<EditorInsightRow>>)), security(("token" = [])))]
#[get("/api/admin/insight")]
pub(crate) async fn list_edited_insights(app: Data<App>, _: Editor) -> Result<Answer<Vec<EditorInsightRow>>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(insights::insights).await?;
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
pub(crate) async fn show_insight(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let id: InsightId = number(&id, "insight")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| insights::insight(tx, id)).await?;
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
pub(crate) async fn add_new_insight(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let (edit, book) = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| insights::add_insight(tx, trail, edit, book.as_ref())).await?;
    Ok(Answer::new(added.into()))
}

/// Changes the thought that the body names, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = InsightForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorInsightResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/insight")]
pub(crate) async fn change_named_insight(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let id = form.id.and_then(|id| InsightId::new(id).ok()).ok_or_else(|| ApiError::not_found("insight"))?;
    let based = (id, form.version);
    let (edit, book) = form.read(false)?;
    let edited =
        run(&app, acting, move |tx, trail| insights::edit_insight(tx, trail, based, edit, book.as_ref())).await?;
    Ok(Answer::new(edited.into()))
}

/// Changes a thought for a day, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = InsightForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorInsightResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/insight/{id}")]
pub(crate) async fn change_insight(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<InsightForm>,
) -> Result<Answer<EditorInsightResult>, ApiError> {
    let based: (InsightId, _) = (number(&id, "insight")?, form.version);
    let (edit, book) = form.read(false)?;
    let edited =
        run(&app, acting, move |tx, trail| insights::edit_insight(tx, trail, based, edit, book.as_ref())).await?;
    Ok(Answer::new(edited.into()))
}

/// Deletes a thought for a day.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/insight/{id}")]
pub(crate) async fn remove_insight(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: InsightId = number(&id, "insight")?;
    run(&app, acting, move |tx, trail| insights::delete_insight(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A thought in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorInsightRow {
    /// Its id.
    id: i64,
    /// A few words.
    title: String,
    /// When it was added.
    create_date: i64,
}

impl From<Versioned<Insight>> for EditorInsightRow {
    fn from(Versioned { row, .. }: Versioned<Insight>) -> Self {
        Self { id: row.id.get(), title: row.draft.title, create_date: row.created_at.millis() }
    }
}

/// A thought for a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EditorInsight {
    #[serde(flatten)]
    row: EditorInsightRow,
    /// The thought.
    insight: String,
    /// The book that it is from or about, by its name in addresses.
    #[schema(required)]
    book_id: Option<String>,
    /// Whether it is a quotation.
    quoted: bool,
    #[serde(flatten)]
    version: Version,
}

/// A thought for a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorInsightResult {
    /// The thought.
    insight: EditorInsight,
}

impl From<Versioned<Insight>> for EditorInsightResult {
    fn from(one: Versioned<Insight>) -> Self {
        let (draft, version) = (one.row.draft.clone(), one.version.clone());
        let insight = EditorInsight {
            row: one.into(),
            insight: draft.insight,
            book_id: draft.book.map(|book| book.to_string()),
            quoted: draft.quoted,
            version: version.into(),
        };
        Self { insight }
    }
}

/// What an editor writes about a thought. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsightForm {
    /// The thought, where the path names none.
    #[schema(minimum = 1)]
    pub(crate) id: Option<i64>,
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// A few words; the first words of the thought when it is added without.
    title: Option<String>,
    /// The thought.
    insight: Option<String>,
    /// The book that it is from or about.
    book_id: Option<BookName>,
    /// Whether it is a quotation.
    quoted: Option<bool>,
}

impl InsightForm {
    /// Parses and validates the fields in the order of the form (`admin.first-failure`); the book is separate, since only the
    /// store knows its slug.
    pub(crate) fn read(self, is_new: bool) -> Result<(InsightEdit, Option<BookRef>), ApiError> {
        required("insight", "Quote", self.insight.as_deref(), is_new)?;
        let book = BookName::in_form(self.book_id.as_ref())?;
        if book.is_none() && (is_new || self.book_id.is_some()) {
            return Err(ApiError::invalid("bookId", "Please specify Book."));
        }
        Ok((InsightEdit { title: self.title, insight: self.insight, book: None, quoted: self.quoted }, book))
    }
}
