//! `POST /api/events`: first-party analytics (`site.own-analytics`).

use actix_web::{post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::events::record_event;

use crate::{
    app::App,
    extract::{Body, ClientAddress, Viewer},
    http::{
        error::ApiError,
        openapi::{Routes, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(record);
}

/// Something that a person did.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Event {
    name: EventName,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventName {
    /// The start-for-free button was pressed.
    StartForFree,
    /// Categories were chosen.
    CategoriesChosen,
    /// A browser session began on the site.
    Visit,
}

impl EventName {
    const fn as_str(self) -> &'static str {
        match self {
            Self::StartForFree => "start_for_free",
            Self::CategoriesChosen => "categories_chosen",
            Self::Visit => "visit",
        }
    }
}

/// Counts something that a person did, with nothing personal beyond a member's id.
#[utoipa::path(tag = "site", request_body = Event, responses((status = 200, description = "It is counted.", body = Answer<Nothing>), TooManyTries), security((), ("token" = [])))]
#[post("/api/events")]
async fn record(
    app: Data<App>,
    viewer: Viewer,
    ClientAddress(address): ClientAddress,
    Body(event): Body<Event>,
) -> Result<Answer<Nothing>, ApiError> {
    let user = viewer.0.map(|claims| claims.user);
    app.write_tx(move |tx| record_event(tx, address, event.name.as_str(), user)).await?;
    Ok(Answer::new(Nothing {}))
}
