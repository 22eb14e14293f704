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

/// A member's e-reader settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kindle {
    /// The email address of the e-reader; null if not set.
    kindle_email: Option<String>,
    /// The part of the address before the `@`; null if not set.
    name: Option<String>,
    /// The part of the address after the `@`; null if not set.
    domain: Option<String>,
    /// The domains that the address may have.
    domains: Vec<String>,
    /// The sender address of deliveries, which the member must approve with the maker of the e-reader.
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

/// The e-reader settings, with the email address also beside `status` (`api.answer-frame`).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HasKindle {
    /// Always `ok`.
    #[schema(pattern = "^ok$", value_type = String)]
    status: &'static str,
    /// The email address of the e-reader; null if not set.
    kindle_email: Option<String>,
    /// The e-reader settings.
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

/// A delivery that was queued.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcceptedDelivery {
    /// The id of the delivery.
    pub delivery: i64,
}

/// Query parameters of the delivery log: cursor.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesParams {
    /// The cursor: `result.next` of the previous page.
    #[param(minimum = 1)]
    after: Option<i64>,
    /// The page size, 1 to 100. Default: 20.
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

/// A page of the delivery log.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveriesResult {
    /// The deliveries, the newest first.
    deliveries: Vec<Delivery>,
    /// The cursor of the next page; null on the last page.
    next: Option<i64>,
}

/// A delivery of a book or of one of the member's own summaries: either `book` or `summary` is set.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The id of the delivery.
    id: i64,
    /// The book; null for a summary.
    book: Option<DeliveredBook>,
    /// The summary; null for a book.
    summary: Option<DeliveredSummary>,
    /// The state of the delivery.
    state: DeliveryState,
    /// The reason why it failed; otherwise null.
    why: Option<String>,
    /// When it was requested, in milliseconds since the Unix epoch.
    at: i64,
    /// When it was sent or failed, in milliseconds since the Unix epoch; null while it is queued.
    ended_at: Option<i64>,
}

/// A book, as shown in the delivery log.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveredBook {
    /// The id of the book.
    id: i64,
    /// The slug of the book.
    subid: String,
    /// The title.
    title: String,
    /// The author's name.
    author: String,
}

/// A member's own summary, as shown in the delivery log.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveredSummary {
    /// The id of the summary.
    id: i64,
    /// The title.
    title: String,
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is waiting or being sent.
    Queued,
    /// It was sent.
    Sent,
    /// It failed and is not retried automatically.
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
