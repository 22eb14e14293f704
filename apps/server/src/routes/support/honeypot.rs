//! Public forms: rate limit, honeypot, and delivery to the inbox and to support.

use std::net::IpAddr;

use actix_web::web::Data;
use inbox::{Honeypot, NewMessage};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{app::App, error::ApiError, flows::inbox_message::accept_message};

/// What a form brings so that programs can be told from people. A form without it is accepted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HoneypotFields {
    /// A hidden field, which stays empty: people do not see it.
    website: Option<String>,
    /// How long the form was open, in milliseconds. Nobody fills it in within two seconds.
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
