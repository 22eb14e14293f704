//! Redeeming codes, and a team's seats.

use actix_web::{get, post, web::Data};
use billing::Code;
use identity::RateLimitBucket;
use kernel::Email;
use workflows::{
    billing::membership::codes::{redeem_code, seats_of, send_seat as send},
    rate_limits,
};

use crate::{
    app::App,
    billing::membership::types::{CodeBody, RedeemedResult, SeatToSend, SeatsResult},
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// Redeems a code: of a gift, a team's seat or a marketplace. It works once.
#[utoipa::path(tag = "billing", request_body = CodeBody, responses((status = 200, description = "The code is redeemed.", body = Answer<RedeemedResult>), NotFound, Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/user/stacksocial")]
pub(super) async fn redeem(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<CodeBody>,
) -> Result<Answer<RedeemedResult>, ApiError> {
    let code = Code::parse(&body.code.unwrap_or_default())?;
    rate_limits::count(&app.transactions, RateLimitBucket::Redeem, claims.user.to_string()).await?;
    let redeemed = app.write_tx(move |tx| redeem_code(tx, claims.user, &code)).await?;
    let billing = app.payments.member_billing(claims.user).await?;
    Ok(Answer::new(RedeemedResult::new(redeemed.terms.plan_name, &billing)))
}

/// The seats that the member has bought for a team, and which are used.
#[utoipa::path(tag = "billing", responses((status = 200, description = "The seats.", body = Answer<SeatsResult>)), security(("token" = [])))]
#[get("/api/teams/seats")]
pub(super) async fn seats(app: Data<App>, Member(claims): Member) -> Result<Answer<SeatsResult>, ApiError> {
    Ok(Answer::new(app.read_tx(move |tx| seats_of(tx, claims.user)).await?.into()))
}

/// Sends a seat's code by mail, while it is unused.
#[utoipa::path(tag = "billing", request_body = SeatToSend, responses((status = 200, description = "The mail is on its way.", body = Answer<Nothing>), NotFound, Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/teams/seats/send")]
pub(super) async fn send_seat(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<SeatToSend>,
) -> Result<Answer<Nothing>, ApiError> {
    let code = Code::parse(&body.code)?;
    let to = Email::parse(&body.email).map_err(|error| ApiError::invalid("email", error.to_string()))?;
    rate_limits::count(&app.transactions, RateLimitBucket::Seat, claims.user.to_string()).await?;
    app.write_tx(move |tx| send(tx, claims.user, &code, &to)).await?;
    Ok(Answer::new(Nothing {}))
}
