//! `POST /api/feedback/send`, also at `/feedback/send`.

use actix_web::{post, web::Data};
use inbox::NewMessage;
use serde::Deserialize;
use utoipa::ToSchema;

use super::honeypot::{HoneypotFields, receive_form};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, ClientAddress, Viewer},
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// Feedback about the product.
#[derive(Deserialize, ToSchema)]
pub(super) struct Feedback {
    /// In their own words.
    #[schema(value_type = String, required, min_length = 1, max_length = 5000)]
    feedback: Option<String>,
    /// Where an answer goes.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    #[serde(flatten)]
    honeypot: HoneypotFields,
}

/// Says what somebody thinks of the product: kept in the back office's inbox and mailed to support.
#[utoipa::path(tag = "support", request_body = Feedback, responses((status = 200, description = "It has arrived.", body = Answer<Nothing>), TooManyTries), security((), ("token" = [])))]
#[post("/api/feedback/send")]
pub(super) async fn send_feedback(
    app: Data<App>,
    _: Viewer,
    ClientAddress(address): ClientAddress,
    Body(form): Body<Feedback>,
) -> Result<Answer<Nothing>, ApiError> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let written = NewMessage::feedback(&text(&form.feedback), &text(&form.email))?;
    receive_form(app, address, written, form.honeypot).await?;
    Ok(Answer::new(Nothing {}))
}
