//! People: the list, one person, and changes by an admin (`admin.people-edit`).

use actix_web::{HttpResponse, get, http::header, post, put, web::Data};
use admin::{PEOPLE_PAGE, PeopleQueries, PeopleStart};
use identity::Role;
use kernel::{Limit, SessionId, StoreError, UserId};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::{
    admin::people::{
        PeopleError, PersonDetail, add_person, change_role, delete_person, end_sessions, export_person, person_detail,
        reset_second_factor, restore_person, suspend_person, update_person,
    },
    audit::AuditTrail,
    tx::Tx,
};

use crate::{
    admin::people_types::{
        ChangedPersonResult, NewPersonForm, PeopleParams, PersonForm, PersonResult, UserRow, UsersResult,
    },
    app::App,
    exports,
    extract::{ActingAdmin, Admin, Body, Path, Query},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

fn user_id(text: &str) -> Result<UserId, ApiError> {
    text.parse().map_err(|_| PeopleError::Unknown.into())
}

/// Runs a workflow that changes a person, and responds with the changed person.
async fn change<R, F>(app: &App, acting: ActingAdmin, id: UserId, workflow: F) -> Result<Answer<R>, ApiError>
where
    R: From<PersonDetail>,
    F: FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<(), PeopleError> + Send + 'static,
{
    let changed = app.transactions.write_as::<_, PeopleError, _>(acting.actor, move |tx, trail| {
        workflow(tx, trail)?;
        person_detail(tx, id)?.ok_or(PeopleError::Unknown)
    });
    let detail = changed.await?;
    Ok(Answer::new(detail.into()))
}

/// A page of the people with accounts, newest first, 100 at once. `start` is how many are passed over; with `after` it
/// is ignored.
#[utoipa::path(
    tag = "admin",
    params(("start" = u32, Path, description = "How many people are passed over: 0, 100, 200 ….", maximum = 1_000_000), PeopleParams),
    responses((status = 200, description = "A page of people.", body = Answer<UsersResult>)),
    security(("token" = []))
)]
#[get("/api/admin/user/{start}")]
pub(crate) async fn users(
    app: Data<App>,
    _: Admin,
    start: Path<String>,
    params: Query<PeopleParams>,
) -> Result<Answer<UsersResult>, ApiError> {
    let (filter, start) = params.into_inner().read(&start)?;
    let (now, limit) = (app.env.now(), Limit::clamped(PEOPLE_PAGE));
    let read = app.db.read_from_replica::<_, StoreError, _>(move |pg| {
        Ok((pg.people(&filter, start, limit, now)?, pg.count_people(&filter, now)?))
    });
    let (page, total) = read.await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(UsersResult { users: page.items.into_iter().map(Into::into).collect(), total: total.into(), next }))
}

/// All people that the list has with these filters, as a CSV file; `after` is ignored.
#[utoipa::path(
    tag = "admin",
    params(PeopleParams),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
    security(("token" = []))
)]
#[post("/api/admin/user/export")]
pub(crate) async fn export_users(
    app: Data<App>,
    acting: ActingAdmin,
    params: Query<PeopleParams>,
) -> Result<HttpResponse, ApiError> {
    let (filter, _) = params.read("0")?;
    let now = app.env.now();
    exports::export(app, acting.actor, "users", move |tx, after| {
        let start = after.map_or(PeopleStart::Offset(0), PeopleStart::After);
        let page = tx.pg.people(&filter, start, Limit::clamped(Limit::MAX), now)?;
        Ok((page.items.into_iter().map(UserRow::from).collect(), page.next))
    })
    .await
}

/// A person: a list of one, as the documents have it.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    responses((status = 200, description = "The person.", body = Answer<PersonResult>)),
    security(("token" = []))
)]
#[get("/api/admin/user/edit/{userId}")]
pub(crate) async fn user(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<PersonResult>, ApiError> {
    let id = user_id(&id)?;
    let found = app.read_tx::<_, StoreError, _>(move |tx| person_detail(tx, id)).await?;
    Ok(Answer::new(found.ok_or(PeopleError::Unknown)?.into()))
}

/// Adds an account with the role of a member. The person gets a mail with a link to set a password.
#[utoipa::path(
    tag = "admin",
    request_body = NewPersonForm,
    responses((status = 200, description = "The person.", body = Answer<ChangedPersonResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/user")]
pub(crate) async fn add_user(
    app: Data<App>,
    acting: ActingAdmin,
    Body(form): Body<NewPersonForm>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let (profile, email) = form.read()?;
    let added = app.transactions.write_as::<_, PeopleError, _>(acting.actor, move |tx, trail| {
        let id = add_person(tx, trail, &email, &profile)?;
        person_detail(tx, id)?.ok_or(PeopleError::Unknown)
    });
    Ok(Answer::new(added.await?.into()))
}

/// Changes a person's names, address and plan. A plan given or changed is a row of the ledger with an amount of zero.
#[utoipa::path(
    tag = "admin",
    request_body = PersonForm,
    responses((status = 200, description = "The person as they are now.", body = Answer<PersonResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/user")]
pub(crate) async fn edit_user(
    app: Data<App>,
    acting: ActingAdmin,
    Body(form): Body<PersonForm>,
) -> Result<Answer<PersonResult>, ApiError> {
    let id = form.user()?;
    let written = form.read()?;
    change(&app, acting, id, move |tx, trail| update_person(tx, trail, id, &written)).await
}

/// The role that a person is given.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RoleForm {
    /// The role.
    #[schema(pattern = "^(member|editor|admin)$")]
    role: String,
}

/// Gives a person another role, and signs them out everywhere. Needs a fresh proof of the admin.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    request_body = RoleForm,
    responses((status = 200, description = "The person as they are now.", body = Answer<ChangedPersonResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/user/{userId}/role")]
pub(crate) async fn set_role(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<RoleForm>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let id = user_id(&id)?;
    let role: Role = form.role.parse().map_err(|_| ApiError::invalid("role", "Please specify Role."))?;
    let claims = acting.claims;
    change(&app, acting, id, move |tx, trail| change_role(tx, trail, &claims, id, role)).await
}

/// Why an admin does something to an account.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ReasonForm {
    /// For other admins.
    #[schema(min_length = 1)]
    reason: String,
}

/// Suspends a person: they are signed out everywhere, and can't log in.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    request_body = ReasonForm,
    responses((status = 200, description = "The person as they are now.", body = Answer<ChangedPersonResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/suspend")]
pub(crate) async fn suspend_user(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<ReasonForm>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let (id, claims) = (user_id(&id)?, acting.claims);
    change(&app, acting, id, move |tx, trail| suspend_person(tx, trail, &claims, id, &form.reason)).await
}

/// Ends a suspension.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    responses((status = 200, description = "The person as they are now.", body = Answer<ChangedPersonResult>)),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/restore")]
pub(crate) async fn restore_user(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let id = user_id(&id)?;
    change(&app, acting, id, move |tx, trail| restore_person(tx, trail, id)).await
}

/// Which sessions end.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SessionsForm {
    /// The id of one session; all when it is left out.
    #[schema(minimum = 1)]
    session: Option<i64>,
}

/// Ends a person's sessions.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    request_body = SessionsForm,
    responses((status = 200, description = "The person as they are now.", body = Answer<ChangedPersonResult>)),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/sessions/end")]
pub(crate) async fn end_user_sessions(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<SessionsForm>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let id = user_id(&id)?;
    let session = form.session.map(SessionId::new).transpose();
    let session = session.map_err(|error| ApiError::invalid("session", error.to_string()))?;
    change(&app, acting, id, move |tx, trail| end_sessions(tx, trail, id, session)).await
}

/// Removes the authenticator app and the passkeys of a person who has lost them. Needs a fresh proof of the admin.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    responses((status = 200, description = "The person as they are now.", body = Answer<ChangedPersonResult>)),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/second-factor/reset")]
pub(crate) async fn reset_factor(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<Answer<ChangedPersonResult>, ApiError> {
    let (id, claims) = (user_id(&id)?, acting.claims);
    change(&app, acting, id, move |tx, trail| reset_second_factor(tx, trail, &claims, id)).await
}

/// Everything that is stored of a person, as one zip: what they would get themselves. Needs a fresh proof of the admin.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    responses((status = 200, description = "The archive.", content_type = "application/zip", body = Vec<u8>)),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/export")]
pub(crate) async fn export_user(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (id, claims) = (user_id(&id)?, acting.claims);
    let workflow = move |tx: &mut Tx<'_, '_>, trail: &mut AuditTrail| export_person(tx, trail, &claims, id);
    let archive = app.transactions.write_as::<_, PeopleError, _>(acting.actor, workflow).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"user-{id}.zip\"")))
        .insert_header((header::CONTENT_TYPE, "application/zip"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(archive.bytes))
}

/// Deletes a person's account at once, as they have asked for. Needs a fresh proof of the admin.
#[utoipa::path(
    tag = "admin",
    params(("userId" = i64, Path, description = "The id of a person.", minimum = 1)),
    request_body = ReasonForm,
    responses((status = 200, description = "The account is deleted.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/user/{userId}/delete")]
pub(crate) async fn delete_user(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<ReasonForm>,
) -> Result<Answer<Nothing>, ApiError> {
    let (id, claims) = (user_id(&id)?, acting.claims);
    let workflow =
        move |tx: &mut Tx<'_, '_>, trail: &mut AuditTrail| delete_person(tx, trail, &claims, id, &form.reason);
    app.transactions.write_as::<_, PeopleError, _>(acting.actor, workflow).await?;
    Ok(Answer::new(Nothing {}))
}
