//! The member's sessions: show, refresh, list, revoke.

use actix_web::{
    FromRequest, HttpRequest, HttpResponse, Responder, ResponseError, delete, dev::Payload, get, post, web::Data,
};
use identity::{Devices, IdentityError, IdentityQueries, is_single_use_token};
use kernel::{SessionId, StoreError};
use workflows::{
    client::ClientContext,
    identity::{refresh_session::refresh_session, sign_in::sign_in_by_arrival},
};

use crate::{
    app::App,
    extract::{Client, Member, Path, Query, bearer},
    http::{
        error::ApiError,
        openapi::{BadRequest, Forbidden, TooManyTries, Unauthenticated},
        wire::{Answer, Nothing},
    },
    identity::{
        cookies,
        signed_in::{SignInExtras, SignedIn},
        types::{self, DeviceSession, SessionParams, Sessions},
    },
};

/// Who is signed in. The single-use token of an address is traded for a session and for an access token; an access token
/// comes back as it was sent, for only the refresh cookie makes new ones.
#[utoipa::path(tag = "identity", params(SessionParams), responses((status = 200, description = "The member and the token. After a trade also the refresh cookie.", body = Answer<types::SignedIn>), BadRequest, Forbidden, TooManyTries), security(("token" = [])))]
#[get("/api/user/session")]
pub(super) async fn session(
    app: Data<App>,
    Client(client): Client,
    query: Query<SessionParams>,
    request: HttpRequest,
) -> Result<SignedIn, ApiError> {
    let token = bearer(request.headers()).unwrap_or_default().to_owned();
    if is_single_use_token(&token) {
        let SessionParams { charge_id, r_id } = query.into_inner();
        return trade(app, client, (token, SignInExtras { charge_id, r_id }), cookies::flow(&request)).await;
    }
    let (Member(claims), now) = (Member::from_request(&request, &mut Payload::None).await?, app.env.now());
    let account = app.db.read::<_, StoreError, _>(move |pg| workflows::account::account(pg, claims.user, now)).await?;
    let account = account.ok_or_else(ApiError::unauthenticated)?.seen_by(&claims);
    Ok(SignedIn::still(&app, token, &account))
}

/// Signs in with a single-use token. The token is valid only in the browser that began the flow (`identity.single-use-token`).
async fn trade(
    app: Data<App>,
    client: ClientContext,
    (token, brought): (String, SignInExtras),
    held: Option<String>,
) -> Result<SignedIn, ApiError> {
    let keys = app.keys().await?;
    let outcome =
        app.write_tx(move |tx| sign_in_by_arrival(tx, &keys.refresh, &client, (&token, held.as_deref()))).await?;
    SignedIn::of_with(&app, outcome, brought, || IdentityError::LinkInvalid.into()).await
}

/// Renews access by the refresh cookie, which it replaces. `401` with code `session_ended` is final: a person has to
/// log in again.
#[utoipa::path(tag = "identity", responses((status = 200, description = "Signed in still. Replaces the refresh cookie.", body = Answer<types::SignedIn>), Unauthenticated), security(()))]
#[post("/api/user/refresh-token")]
pub(super) async fn refresh_token(
    app: Data<App>,
    Client(client): Client,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(secret) = cookies::refresh_token(&request) else { return session_ended(&app) };
    let keys = app.keys().await?;
    let renewed =
        app.write_tx::<_, StoreError, _>(move |tx| refresh_session(tx, &secret, &keys.refresh, &client)).await?;
    match renewed {
        Some(started) => Ok(SignedIn::started(&app, &started).await?.respond_to(&request)),
        None => session_ended(&app),
    }
}

/// Responds with `session_ended` and removes the session's cookies.
fn session_ended(app: &App) -> Result<HttpResponse, ApiError> {
    let mut response = ApiError::from(IdentityError::SessionEnded).error_response();
    cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    Ok(response)
}

/// The devices on which the member is signed in, the last seen first.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The devices.", body = Answer<Sessions>)), security(("token" = [])))]
#[get("/api/user/sessions")]
pub(super) async fn sessions(app: Data<App>, Member(claims): Member) -> Result<Answer<Sessions>, ApiError> {
    let (user, now) = (claims.user, app.env.now());
    let devices = app.db.read::<_, StoreError, _>(move |pg| pg.devices_of(user, now)).await?;
    let sessions = devices.into_iter().map(|device| DeviceSession::seen_from(claims.session, device)).collect();
    Ok(Answer::new(Sessions { sessions }))
}

/// Signs one of the member's devices out; one that is out already stays so. The device that asks loses its cookies
/// with its session.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The session's id.")), responses((status = 200, description = "The device is signed out.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/sessions/{id}")]
pub(super) async fn end_session(
    app: Data<App>,
    Member(claims): Member,
    id: Path<i64>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let ended = SessionId::new(id.into_inner()).map_err(|_| ApiError::not_found("session"))?;
    let (user, now) = (claims.user, app.env.now());
    if !app.db.write::<_, StoreError, _>(move |pg| pg.end_device(user, ended, now)).await? {
        return Err(ApiError::not_found("session"));
    }
    let mut response = Answer::new(Nothing {}).respond_to(&request);
    if ended == claims.session {
        cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    }
    Ok(response)
}

/// Signs all of the member's devices out but the one that asks.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The other devices are signed out.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/sessions")]
pub(super) async fn end_other_sessions(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    let now = app.env.now();
    app.db.write::<_, StoreError, _>(move |pg| pg.end_other_sessions(claims.user, claims.session, now)).await?;
    Ok(Answer::new(Nothing {}))
}
