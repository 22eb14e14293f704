//! `POST /api/contact`.

use actix_web::{post, web::Data};
use inbox::{InboxError, NewMessage};
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

/// A message, or a suggestion of a book.
#[derive(Deserialize, ToSchema)]
pub(super) struct Contact {
    /// The message.
    #[schema(value_type = String, required, min_length = 1, max_length = 5000)]
    body: Option<String>,
    /// Where an answer goes. A suggestion needs none.
    #[schema(max_length = 254)]
    email: Option<String>,
    /// Who writes. A suggestion needs none.
    #[schema(max_length = 100)]
    name: Option<String>,
    /// What it is; a contact message when nothing is said.
    kind: Option<ContactKind>,
    #[serde(flatten)]
    honeypot: HoneypotFields,
}

/// What is sent with the contact form.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ContactKind {
    /// A message.
    Contact,
    /// A suggestion of a book (`decisions.md` 54).
    Suggest,
}

impl Contact {
    fn read(self) -> Result<(NewMessage, HoneypotFields), InboxError> {
        let text = |text: Option<String>| text.unwrap_or_default();
        let (name, email, body) = (text(self.name), text(self.email), text(self.body));
        let written = match self.kind.unwrap_or(ContactKind::Contact) {
            ContactKind::Contact => NewMessage::contact(&name, &email, &body),
            ContactKind::Suggest => NewMessage::suggestion(&name, &email, &body),
        }?;
        Ok((written, self.honeypot))
    }
}

/// Writes to the house: kept in the back office's inbox and mailed to support.
#[utoipa::path(tag = "support", request_body = Contact, responses((status = 200, description = "It has arrived.", body = Answer<Nothing>), TooManyTries), security((), ("token" = [])))]
#[post("/api/contact")]
pub(super) async fn contact(
    app: Data<App>,
    _: Viewer,
    ClientAddress(address): ClientAddress,
    Body(form): Body<Contact>,
) -> Result<Answer<Nothing>, ApiError> {
    let (written, honeypot) = form.read()?;
    receive_form(app, address, written, honeypot).await?;
    Ok(Answer::new(Nothing {}))
}
