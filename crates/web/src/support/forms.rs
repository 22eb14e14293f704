//! The public forms: contact, suggestions and feedback; rate limit, honeypot, and delivery to the inbox and to support.

use std::net::IpAddr;
use workflows::support::messages::accept_message;

use actix_web::{post, web::Data};
use serde::Deserialize;
use support::{Honeypot, NewMessage, SupportError};
use utoipa::ToSchema;

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
    config.service(contact).service(send_feedback);
}

/// A message, or a suggestion of a book.
#[derive(Deserialize, ToSchema)]
pub(super) struct Contact {
    /// The message.
    #[schema(value_type = String, required, min_length = 1, max_length = 5000)]
    body: Option<String>,
    /// The email address for a reply. Optional for a suggestion.
    #[schema(max_length = 254)]
    email: Option<String>,
    /// The sender's name. Optional for a suggestion.
    #[schema(max_length = 100)]
    name: Option<String>,
    /// The kind. Default: a contact message.
    kind: Option<ContactKind>,
    #[serde(flatten)]
    honeypot: HoneypotFields,
}

/// The kind of a message of the contact form.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ContactKind {
    /// A message.
    Contact,
    /// A suggestion of a book (`support.suggestion-form`).
    Suggest,
}

impl Contact {
    fn read(self) -> Result<(NewMessage, HoneypotFields), SupportError> {
        let text = |text: Option<String>| text.unwrap_or_default();
        let (name, email, body) = (text(self.name), text(self.email), text(self.body));
        let written = match self.kind.unwrap_or(ContactKind::Contact) {
            ContactKind::Contact => NewMessage::contact(&name, &email, &body),
            ContactKind::Suggest => NewMessage::suggestion(&name, &email, &body),
        }?;
        Ok((written, self.honeypot))
    }
}

/// Sends a message to the operator: kept in the back office's inbox and mailed to support.
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

/// Feedback about the product.
#[derive(Deserialize, ToSchema)]
pub(super) struct Feedback {
    /// The feedback.
    #[schema(value_type = String, required, min_length = 1, max_length = 5000)]
    feedback: Option<String>,
    /// The email address for a reply.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    #[serde(flatten)]
    honeypot: HoneypotFields,
}

/// Sends feedback about the product: kept in the back office's inbox and mailed to support.
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

/// Fields of a form that tell programs from people (a honeypot). A form without them is accepted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HoneypotFields {
    /// A hidden field, which people leave empty.
    website: Option<String>,
    /// How long the form was open, in milliseconds. Less than two seconds means a program.
    open_for: Option<f64>,
}

impl HoneypotFields {
    fn is_triggered(&self) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a part of a millisecond is nothing, and it stops at the ends"
        )]
        let open_for = self.open_for.map(|millis| millis as i64);
        Honeypot { website: self.website.as_deref(), open_for }.is_triggered()
    }
}

/// Stores a form in the inbox and mails it to support. A form that the honeypot has caught gets the same response and is
/// dropped.
pub(super) async fn receive_form(
    app: Data<App>,
    address: IpAddr,
    written: NewMessage,
    honeypot: HoneypotFields,
) -> Result<(), ApiError> {
    let (kind, is_spam) = (written.kind(), honeypot.is_triggered());
    app.write_tx(move |tx| accept_message(tx, address, &written, is_spam)).await?;
    if is_spam {
        app.metrics.count_trapped(kind.as_str());
    }
    Ok(())
}
