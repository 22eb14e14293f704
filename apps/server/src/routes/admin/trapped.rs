//! Taking in a form that strangers send: limited, past the trap, kept and passed on.

use std::net::IpAddr;

use actix_web::web::Data;
use admin::{Trap, Written};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{app::App, error::ApiError, flows::inbox_message::accept_message};

/// What a form brings so that programs can be told from people. A form without it is accepted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrapFields {
    /// Stays empty: people do not see it.
    website: Option<String>,
    /// How long the form was open, in milliseconds. Nobody fills it in within two seconds.
    open_for: Option<f64>,
}

impl TrapFields {
    fn has_caught(&self) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a part of a millisecond is nothing, and it stops at the ends"
        )]
        let open_for = self.open_for.map(|millis| millis as i64);
        Trap { website: self.website.as_deref(), open_for }.has_caught()
    }
}

/// Keeps what was written and mails it to support. What the trap has caught gets the same answer, and nobody gets it.
pub(super) async fn take_in(
    app: Data<App>,
    address: IpAddr,
    written: Written,
    trap: TrapFields,
) -> Result<(), ApiError> {
    let (kind, is_spam) = (written.kind(), trap.has_caught());
    app.write_tx(move |tx| accept_message(tx, address, &written, is_spam)).await?;
    if is_spam {
        app.metrics.count_trapped(kind.as_str());
    }
    Ok(())
}
