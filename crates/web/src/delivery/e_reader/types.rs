//! E-readers and deliveries on the wire.

use actix_web::{HttpRequest, HttpResponse, Responder, body::BoxBody, http::header};
use config::Config;
use delivery::{DELIVERIES_PAGE, KindleAddress};
use kernel::{DeliveryId, Limit, SummaryId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::delivery::e_reader::DeliveryLog;

use crate::http::{
    error::ApiError,
    wire::page::{limit, no_such_page},
};

/// Where a member's e-reader takes mail, and what is needed to say so.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kindle {
    /// The address; null when the member has not said.
    kindle_email: Option<String>,
    /// Its part before the `@`.
    name: Option<String>,
    /// Its part after the `@`.
    domain: Option<String>,
    /// The domains to choose from.
    domains: Vec<String>,
    /// The address from which books come: the member approves it at the e-reader's maker.
    sender: String,
}

impl Kindle {
    /// A member's e-reader settings.
    pub fn new(address: Option<&KindleAddress>, config: &Config) -> Self {
        let parts = address.map(KindleAddress::parts);
        Self {
            kindle_email: address.map(|address| address.email().as_str().to_owned()),
            name: parts.map(|(name, _)| name.to_owned()),
            domain: parts.map(|(_, domain)| domain.to_owned()),
            domains: config.kindle_domains.clone(),
            sender: config.mail.sender_address(),
        }
    }
}

/// The address beside `status`, as `api.answer-frame` has it, and all that is known of it as the result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HasKindle {
    /// Always `ok`.
    #[schema(pattern = "^ok$", value_type = String)]
    status: &'static str,
    /// The address; null when the member has not said.
    kindle_email: Option<String>,
    /// The address with everything around it.
    result: Kindle,
}

impl HasKindle {
    /// The response with the settings in `result`, and the e-mail address at the top level too.
    pub fn new(kindle: Kindle) -> Self {
        Self { status: "ok", kindle_email: kindle.kindle_email.clone(), result: kindle }
    }
}

impl Responder for HasKindle {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(self)
    }
}

/// A book or a summary on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcceptedDelivery {
    /// The delivery's id.
    pub delivery: i64,
}

/// Which page of the log.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesParams {
    /// The key at which the page before ended: its `next`.
    #[param(minimum = 1)]
    after: Option<i64>,
    /// How many, 20 by default and 100 at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl DeliveriesParams {
    /// Parses and validates the cursor and the limit.
    pub fn read(&self) -> Result<(Option<DeliveryId>, Limit), ApiError> {
        let after = self.after.map(DeliveryId::new).transpose();
        Ok((after.map_err(|_| no_such_page())?, limit(self.limit, DELIVERIES_PAGE, Limit::MAX)?))
    }
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveriesResult {
    /// The deliveries, the newest first.
    deliveries: Vec<Delivery>,
    /// The key of the next page; null when there is none.
    next: Option<i64>,
}

/// A book, or a summary of the member's own, that was asked for: one of `book` and `summary` is there.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its id.
    id: i64,
    /// The book.
    book: Option<DeliveredBook>,
    /// The summary.
    summary: Option<DeliveredSummary>,
    /// Where it stands.
    state: DeliveryState,
    /// Why it failed.
    why: Option<String>,
    /// When it was asked for, in ms since the epoch.
    at: i64,
    /// When it was sent or failed, in ms since the epoch.
    ended_at: Option<i64>,
}

/// A book, as the log names it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveredBook {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    subid: String,
    /// Its title.
    title: String,
    /// Who wrote it.
    author: String,
}

/// A member's own summary, as the log names it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveredSummary {
    /// Its id.
    id: i64,
    /// Its title.
    title: String,
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It waits, or is tried.
    Queued,
    /// It was sent.
    Sent,
    /// It is not tried any more.
    Failed,
}

impl From<delivery::DeliveryState> for DeliveryState {
    fn from(state: delivery::DeliveryState) -> Self {
        match state {
            delivery::DeliveryState::Queued => Self::Queued,
            delivery::DeliveryState::Sent => Self::Sent,
            delivery::DeliveryState::Failed => Self::Failed,
        }
    }
}

impl From<DeliveryLog> for DeliveriesResult {
    fn from(log: DeliveryLog) -> Self {
        let DeliveryLog { page, books, summaries } = log;
        let delivery = |delivery: delivery::Delivery| {
            let book = delivery.item.book().and_then(|id| books.get(&id)).map(|name| DeliveredBook {
                id: name.id.get(),
                subid: name.subid.to_string(),
                title: name.title.clone(),
                author: name.author.clone(),
            });
            let title = |id| Some(DeliveredSummary { id: SummaryId::get(id), title: summaries.get(&id)?.clone() });
            let summary = delivery.item.summary().and_then(title);
            // A book or summary that was deleted between the two reads is not listed.
            (book.is_some() || summary.is_some()).then(|| Delivery {
                id: delivery.id.get(),
                book,
                summary,
                state: delivery.state.into(),
                why: delivery.why,
                at: delivery.asked_at.millis(),
                ended_at: delivery.ended_at.map(kernel::Timestamp::millis),
            })
        };
        Self { deliveries: page.items.into_iter().filter_map(delivery).collect(), next: page.next.map(DeliveryId::get) }
    }
}
