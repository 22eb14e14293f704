//! The revisions of posts, episodes and pages (`editorial.kept-revisions`).

use std::collections::BTreeMap;

use actix_web::{get, post, web::Data};
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{
    editing::EditError,
    editorial::editing::{
        restore::{EditedText, restore_text, text_revisions},
        revisions::TextRevision,
    },
};

use crate::{
    app::App,
    editing::{VersionForm, number, run},
    extract::{ActingEditor, Body, Editor, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// What a post, an episode or a page said in each version, the latest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("kind" = String, Path, description = "`blog`, `podcasts` or `pages`."),
        ("id" = String, Path, description = "The id of a post or an episode, or the name of a page.")
    ),
    responses((status = 200, description = "The revisions.", body = Answer<TextRevisionsResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/revisions/{kind}/{id}")]
pub(crate) async fn list_text_revisions(
    app: Data<App>,
    _: Editor,
    path: Path<(String, String)>,
) -> Result<Answer<TextRevisionsResult>, ApiError> {
    let (kind, id) = path.into_inner();
    let text = edited_text(&kind, &id)?;
    let found = app.read_tx::<_, EditError, _>(move |tx| text_revisions(tx, &text)).await?;
    Ok(Answer::new(TextRevisionsResult { revisions: found.iter().map(Into::into).collect() }))
}

/// What a post, an episode or a page said in one version.
#[utoipa::path(
    tag = "admin",
    params(
        ("kind" = String, Path, description = "`blog`, `podcasts` or `pages`."),
        ("id" = String, Path, description = "The id of a post or an episode, or the name of a page."),
        ("revision" = i64, Path, description = "The id of a revision.", minimum = 1)
    ),
    responses((status = 200, description = "The revision.", body = Answer<TextRevisionResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/revisions/{kind}/{id}/{revision}")]
pub(crate) async fn show_text_revision(
    app: Data<App>,
    _: Editor,
    path: Path<(String, String, String)>,
) -> Result<Answer<TextRevisionResult>, ApiError> {
    let (kind, id, revision) = path.into_inner();
    let (text, revision) = (edited_text(&kind, &id)?, number::<i64>(&revision, "revision")?);
    let found = app.read_tx::<_, EditError, _>(move |tx| {
        let found = text_revisions(tx, &text)?.into_iter().find(|one| one.revision.id == revision);
        found.ok_or(EditError::Unknown("revision"))
    });
    Ok(Answer::new(found.await?.into()))
}

/// Puts what a revision says in the place of what there is, as another change. How the text is published stays as it is.
#[utoipa::path(
    tag = "admin",
    params(
        ("kind" = String, Path, description = "`blog`, `podcasts` or `pages`."),
        ("id" = String, Path, description = "The id of a post or an episode, or the name of a page."),
        ("revision" = i64, Path, description = "The id of a revision.", minimum = 1)
    ),
    request_body = VersionForm,
    responses((status = 200, description = "It is restored.", body = Answer<Nothing>), NotFound, Conflict),
    security(("token" = []))
)]
#[post("/api/admin/revisions/{kind}/{id}/{revision}/restore")]
pub(crate) async fn restore_text_revision(
    app: Data<App>,
    acting: ActingEditor,
    path: Path<(String, String, String)>,
    Body(form): Body<VersionForm>,
) -> Result<Answer<Nothing>, ApiError> {
    let (kind, id, revision) = path.into_inner();
    let text = edited_text(&kind, &id)?;
    let based = (number::<i64>(&revision, "revision")?, form.version);
    run(&app, acting, move |tx, trail| restore_text(tx, trail, &text, based)).await?;
    Ok(Answer::new(Nothing {}))
}

fn edited_text(kind: &str, id: &str) -> Result<EditedText, ApiError> {
    match kind {
        "blog" => Ok(EditedText::Post(number(id, "post")?)),
        "podcasts" => Ok(EditedText::Podcast(number(id, "podcast")?)),
        "pages" => Ok(EditedText::Page(id.to_owned())),
        _ => Err(ApiError::not_found("text")),
    }
}

/// A revision of a text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TextRevisionRow {
    /// Its id.
    id: i64,
    /// The version of the text.
    version: i64,
    /// When it was saved.
    at: i64,
    /// Who saved it.
    #[schema(required)]
    by: Option<String>,
    /// The fields that differ from the revision before.
    changed: Vec<String>,
}

impl From<&TextRevision> for TextRevisionRow {
    fn from(one: &TextRevision) -> Self {
        Self {
            id: one.revision.id,
            version: one.revision.version,
            at: one.revision.at.millis(),
            by: one.revision.by.clone(),
            changed: one.changed.clone(),
        }
    }
}

/// The revisions of a text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TextRevisionsResult {
    /// Latest first.
    revisions: Vec<TextRevisionRow>,
}

/// A revision with what the text said.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct WholeTextRevision {
    #[serde(flatten)]
    row: TextRevisionRow,
    /// Its fields by their names in the forms; several values are one to a line.
    fields: BTreeMap<String, String>,
}

/// A revision of a text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TextRevisionResult {
    /// The revision.
    revision: WholeTextRevision,
}

impl From<TextRevision> for TextRevisionResult {
    fn from(one: TextRevision) -> Self {
        Self { revision: WholeTextRevision { row: TextRevisionRow::from(&one), fields: one.written } }
    }
}
