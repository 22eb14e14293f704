//! `/api/admin/lists`: public lists for the operator (`study.taken-down-lists`).

use actix_web::{get, put, web::Data};
use kernel::StoreError;
use study::ListKey;
use workflows::study::lists::{self, ListError};

use crate::{
    app::App,
    extract::{ActingAdmin, Admin, Body, Path, Query},
    http::{error::ApiError, openapi::NotFound, wire::Answer},
    study::list_moderation_types::{ModeratedListResult, ModeratedListsParams, ModeratedListsResult, TakeDownBody},
};

/// A page of the lists that are public and of those that were taken down, the one that was shared last first.
#[utoipa::path(tag = "admin", params(ModeratedListsParams), responses((status = 200, description = "A page of lists.", body = Answer<ModeratedListsResult>)), security(("token" = [])))]
#[get("/api/admin/lists")]
pub(crate) async fn lists_to_moderate(
    app: Data<App>,
    _: Admin,
    params: Query<ModeratedListsParams>,
) -> Result<Answer<ModeratedListsResult>, ApiError> {
    let (search, limit) = params.read()?;
    let found = app.read_tx_from_replica::<_, StoreError, _>(move |tx| lists::lists_to_moderate(tx, &search, limit));
    let (page, total) = found.await?;
    let next = page.next.map(|cursor| cursor.to_string());
    Ok(Answer::new(ModeratedListsResult {
        lists: page.items.into_iter().map(Into::into).collect(),
        total: total.into(),
        next,
    }))
}

/// Takes a list down, or allows again that its owner shares it.
#[utoipa::path(
    tag = "admin",
    params(("key" = String, Path, description = "By what the list is named: its owner and its id.", pattern = r"^[1-9][0-9]{0,18}-[1-9][0-9]{0,15}$")),
    request_body = TakeDownBody,
    responses((status = 200, description = "The list.", body = Answer<ModeratedListResult>), NotFound),
    security(("token" = []))
)]
#[put("/api/admin/lists/{key}")]
pub(crate) async fn take_down_list(
    app: Data<App>,
    acting: ActingAdmin,
    key: Path<String>,
    Body(body): Body<TakeDownBody>,
) -> Result<Answer<ModeratedListResult>, ApiError> {
    let key: ListKey = key.parse().map_err(|_| ApiError::not_found("list"))?;
    let changed = app.transactions.write_as::<_, ListError, _>(acting.actor, move |tx, trail| {
        lists::take_down_list(tx, trail, key, body.is_taken_down)
    });
    Ok(Answer::new(ModeratedListResult { list: changed.await?.into() }))
}
