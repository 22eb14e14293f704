//! Referral links of members and affiliates: `GET /api/user/refers`, `POST /api/referral/click/{id}`, `GET` and `POST
//! /api/affiliate`.

use actix_web::{get, post, web::Data};
use referral::LinkId;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::referral::referral_links::{LinkReport, affiliate_report, count_click, friend_report, join_affiliates};

use crate::{
    app::App,
    extract::{ClientAddress, Member, Path, Viewer},
    http::{
        error::ApiError,
        wire::{Answer, Nothing},
    },
};

/// What friends brought.
#[derive(Serialize, ToSchema)]
pub(super) struct Refer {
    /// How many persons.
    num: u64,
    /// What was earned by them, in cents, with what is pending.
    money: i64,
}

/// A member's link for friends.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefersResult {
    /// The link's code, from its URL.
    r_id: String,
    /// The link.
    link: String,
    /// How often it was followed.
    clicks: u64,
    /// What it brought.
    refers: Vec<Refer>,
    /// What was earned less than 30 days ago, in cents.
    pending: i64,
    /// What can be paid out, in cents, of all links.
    payable: i64,
    /// What was paid out, in cents, of all links.
    paid: i64,
}

impl From<LinkReport> for RefersResult {
    fn from(report: LinkReport) -> Self {
        let earned = report.earnings;
        Self {
            r_id: report.link.as_ref().map(|link| link.id.to_string()).unwrap_or_default(),
            link: report.url.unwrap_or_default(),
            clicks: report.link.map_or(0, |link| link.clicks),
            refers: vec![Refer { num: earned.num, money: earned.money.cents() }],
            pending: earned.pending.cents(),
            payable: earned.payable.cents(),
            paid: earned.paid.cents(),
        }
    }
}

/// What an affiliate has earned, in cents.
#[derive(Serialize, ToSchema)]
pub(super) struct Commission {
    /// Less than 30 days ago.
    pending: i64,
    /// What can be paid out, of all links.
    payable: i64,
    /// What was paid out, of all links.
    paid: i64,
}

/// An affiliate's link and what it brought.
#[derive(Serialize, ToSchema)]
pub(super) struct AffiliateResult {
    /// Whether the member has joined.
    joined: bool,
    /// The link.
    #[schema(required)]
    link: Option<String>,
    /// How often it was followed.
    clicks: u64,
    /// How many purchases earned something.
    purchases: u64,
    commission: Commission,
}

impl From<LinkReport> for AffiliateResult {
    fn from(report: LinkReport) -> Self {
        let earned = report.earnings;
        let (pending, payable, paid) = (earned.pending.cents(), earned.payable.cents(), earned.paid.cents());
        Self {
            joined: report.link.is_some(),
            link: report.url,
            clicks: report.link.map_or(0, |link| link.clicks),
            purchases: earned.num,
            commission: Commission { pending, payable, paid },
        }
    }
}

/// The member's link for friends, and what friends brought.
#[utoipa::path(tag = "referral", responses((status = 200, description = "The referral link and its earnings.", body = Answer<RefersResult>)), security(("token" = [])))]
#[get("/api/user/refers")]
pub(super) async fn refers(app: Data<App>, Member(claims): Member) -> Result<Answer<RefersResult>, ApiError> {
    Ok(Answer::new(app.write_tx(move |tx| friend_report(tx, claims.user)).await?.into()))
}

/// Counts that a link was followed. A link that does not exist is not told apart.
#[utoipa::path(tag = "referral", params(("id" = String, Path, description = "The link's code, from its URL.")), responses((status = 200, description = "It is counted, if there is such a link.", body = Answer<Nothing>)), security((), ("token" = [])))]
#[post("/api/referral/click/{id}")]
pub(super) async fn click(
    app: Data<App>,
    _: Viewer,
    ClientAddress(address): ClientAddress,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    if let Ok(link) = LinkId::parse(&id) {
        app.write_tx(move |tx| count_click(tx, address, &link)).await?;
    }
    Ok(Answer::new(Nothing {}))
}

/// Whether the member is an affiliate, with the link and what it earned.
#[utoipa::path(tag = "referral", responses((status = 200, description = "The referral link and its earnings.", body = Answer<AffiliateResult>)), security(("token" = [])))]
#[get("/api/affiliate")]
pub(super) async fn affiliate(app: Data<App>, Member(claims): Member) -> Result<Answer<AffiliateResult>, ApiError> {
    Ok(Answer::new(app.read_tx(move |tx| affiliate_report(tx, claims.user)).await?.into()))
}

/// Makes the member an affiliate.
#[utoipa::path(tag = "referral", responses((status = 200, description = "The member is an affiliate.", body = Answer<AffiliateResult>)), security(("token" = [])))]
#[post("/api/affiliate")]
pub(super) async fn join(app: Data<App>, Member(claims): Member) -> Result<Answer<AffiliateResult>, ApiError> {
    Ok(Answer::new(app.write_tx(move |tx| join_affiliates(tx, claims.user)).await?.into()))
}
