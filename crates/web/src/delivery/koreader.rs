//! The protocol by which KOReader synchronizes positions, at `/koreader` (`delivery.koreader-sync`). Its answers have no frame.
//!
//! KOReader sends a name and the MD5 of a password; here the password is an API token of the scope `places:write`, and the name is
//! not looked at.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    get,
    http::StatusCode,
    post, put,
    web::{Data, ServiceConfig},
};
use delivery::{DocumentId, SyncedPlace};
use kernel::{StoreError, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use workflows::{
    delivery::reader_sync::{save_synced_place, synced_place},
    identity::api_tokens::member_of_sync_key,
};

use crate::{
    app::App,
    delivery::refusal::{self, RefusalForm, member_of},
    extract::{Body, Path},
    http::error::ApiError,
};

/// Registers the calls.
pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(health).service(create_user).service(authorize).service(read_place).service(save_place);
}

/// A refusal as KOReader reads it.
#[derive(Debug)]
struct KoReaderForm;

impl RefusalForm for KoReaderForm {
    fn write(error: &ApiError, response: HttpResponse) -> HttpResponse {
        // 2001 is the protocol's number of a name or password that is wrong, 2003 that of an invalid request.
        let code = if response.status() == StatusCode::UNAUTHORIZED { 2001 } else { 2003 };
        let (head, _) = response.into_parts();
        head.set_body(json!({ "code": code, "message": error.to_string() }).to_string()).map_into_boxed_body()
    }
}

type Refused = refusal::Refused<KoReaderForm>;

/// A member whose program has a token of the scope `places:write`.
struct SyncedMember(UserId);

impl FromRequest for SyncedMember {
    type Error = Refused;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Refused>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let key = request.headers().get("x-auth-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
        let find = async |app: &App, key: &str| member_of_sync_key(&app.transactions, key).await;
        let member = member_of(request.clone(), key, find);
        Box::pin(async move { member.await.map(Self) })
    }
}

#[get("/koreader/healthcheck")]
async fn health() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "state": "OK" }))
}

/// Members are not made by KOReader.
#[post("/koreader/users/create")]
async fn create_user(app: Data<App>) -> HttpResponse {
    let text = format!("Make an API token at {}, and log in with it as the password.", app.config.link("/api-tokens"));
    HttpResponse::PaymentRequired().json(json!({ "code": 2002, "message": text }))
}

#[get("/koreader/users/auth")]
async fn authorize(_: SyncedMember) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "authorized": "OK" }))
}

/// A position, as KOReader reports it.
#[derive(Debug, Deserialize)]
struct ReportedPlace {
    document: String,
    /// Of documents with fixed pages, the number of the page.
    progress: Progress,
    percentage: f64,
    #[serde(default)]
    device: String,
    #[serde(default)]
    device_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Progress {
    Text(String),
    Page(u64),
}

/// A position, as KOReader reads it.
#[derive(Debug, Serialize)]
struct PlaceResponse {
    document: String,
    progress: String,
    percentage: f64,
    device: String,
    device_id: String,
    /// In seconds since the Unix epoch.
    timestamp: i64,
}

impl From<SyncedPlace> for PlaceResponse {
    fn from(place: SyncedPlace) -> Self {
        Self {
            document: place.document.as_str().to_owned(),
            progress: place.progress,
            percentage: place.percentage,
            device: place.device,
            device_id: place.device_id,
            timestamp: seconds(place.at),
        }
    }
}

const fn seconds(at: Timestamp) -> i64 {
    at.millis() / 1_000
}

#[put("/koreader/syncs/progress")]
async fn save_place(
    app: Data<App>,
    member: SyncedMember,
    body: Result<Body<ReportedPlace>, ApiError>,
) -> Result<HttpResponse, Refused> {
    let Body(reported) = body?;
    let place = SyncedPlace {
        document: DocumentId::parse(&reported.document)?,
        progress: match reported.progress {
            Progress::Text(text) => text,
            Progress::Page(page) => page.to_string(),
        },
        percentage: reported.percentage,
        device: reported.device,
        device_id: reported.device_id,
        at: app.env.now(),
    };
    let place = place.check()?;
    let saved = json!({ "document": place.document.as_str(), "timestamp": seconds(place.at) });
    save_synced_place(&app.transactions, member.0, place).await?;
    Ok(HttpResponse::Ok().json(saved))
}

#[get("/koreader/syncs/progress/{document}")]
async fn read_place(app: Data<App>, member: SyncedMember, document: Path<String>) -> Result<HttpResponse, Refused> {
    let document = DocumentId::parse(&document)?;
    let (member, site) = (member.0, app.config.site.name.clone());
    let found = app.read_tx::<_, StoreError, _>(move |tx| synced_place(tx, member, &document, &site)).await?;
    Ok(found.map_or_else(
        || HttpResponse::Ok().json(json!({})),
        |place| HttpResponse::Ok().json(PlaceResponse::from(place)),
    ))
}
