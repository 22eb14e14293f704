//! Gifts: the recipient's view before redeeming, and the giver's view.

use actix_web::{get, post, web::Data};
use billing::Code;
use identity::RateLimitBucket;
use kernel::network_of;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    billing::membership::codes::{find_gift, gifts_given_by},
    rate_limits,
};

use crate::{
    app::App,
    billing::purchase::GiftResult,
    extract::{Body, ClientAddress, Member, Viewer},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
        wire::Answer,
    },
};

/// A code as it was typed or mailed.
#[derive(Deserialize, ToSchema)]
pub(super) struct GiftToFind {
    /// The code.
    code: String,
}

/// What the recipient of a gift reads before it is redeemed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GiftCard {
    /// The giver; empty when they left it blank.
    sender_name: String,
    /// The recipient; empty when the giver left it blank.
    recipient_name: String,
    /// The giver's message; may be empty.
    message: String,
    /// The plan that it opens.
    plan_name: String,
}

/// A gift that a member has given.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GiftGiven {
    /// To whom it goes, and when.
    gift: GiftResult,
    /// When it was bought.
    bought_at: i64,
    /// When it was redeemed; null: not yet.
    #[schema(required)]
    redeemed_at: Option<i64>,
    /// Whether its payment went back: the code is not valid any more.
    revoked: bool,
    /// Whether its payment is disputed: the code can't be redeemed until that is decided.
    suspended: bool,
}

/// The gifts that a member has given.
#[derive(Serialize, ToSchema)]
pub(super) struct GiftsResult {
    /// In the order in which they were bought.
    gifts: Vec<GiftGiven>,
}

/// The giver and the words of a gift that can be redeemed. Counts as a try to redeem a code; any other code is unknown here.
#[utoipa::path(tag = "billing", request_body = GiftToFind, responses((status = 200, description = "The gift.", body = Answer<GiftCard>), NotFound, TooManyTries), security((), ("token" = [])))]
#[post("/api/gifts/find")]
pub(super) async fn find(
    app: Data<App>,
    Viewer(viewer): Viewer,
    ClientAddress(address): ClientAddress,
    Body(body): Body<GiftToFind>,
) -> Result<Answer<GiftCard>, ApiError> {
    let code = Code::parse(&body.code)?;
    let who = viewer.map_or_else(|| network_of(address), |claims| claims.user.to_string());
    rate_limits::count(&app.transactions, RateLimitBucket::Redeem, who).await?;
    let found = app.read_tx(move |tx| find_gift(tx, &code)).await?;
    let (stored, gift) = found.ok_or_else(|| ApiError::not_found("gift"))?;
    Ok(Answer::new(GiftCard {
        sender_name: gift.sender_name,
        recipient_name: gift.recipient_name,
        message: gift.message,
        plan_name: stored.terms.plan_name,
    }))
}

/// The gifts that the member has given: to whom, when, and whether they are redeemed.
#[utoipa::path(tag = "billing", responses((status = 200, description = "The gifts.", body = Answer<GiftsResult>)), security(("token" = [])))]
#[get("/api/gifts")]
pub(super) async fn given(app: Data<App>, Member(claims): Member) -> Result<Answer<GiftsResult>, ApiError> {
    let gifts = app.read_tx(move |tx| gifts_given_by(tx, claims.user)).await?;
    let gifts = gifts.iter().map(|(stored, given)| GiftGiven {
        gift: GiftResult::from(given),
        bought_at: stored.created_at.millis(),
        redeemed_at: stored.redeemed.map(|(_, at)| at.millis()),
        revoked: stored.revoked_at.is_some(),
        suspended: stored.suspended_at.is_some(),
    });
    Ok(Answer::new(GiftsResult { gifts: gifts.collect() }))
}
