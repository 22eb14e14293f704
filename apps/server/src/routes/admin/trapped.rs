//! Taking in a form that strangers send: limited, past the trap, kept and passed on.

use std::net::IpAddr;

use actix_web::web::Data;
use admin::{Trap, Written};
use identity::{Identity, Try, network_of};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{app::App, error::ApiError, flows::write_to_us::write_to_us};

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
    let within = app.clone();
    app.db
        .write::<_, ApiError, _>(move |pg| {
            let (now, network) = (within.env.now(), network_of(address));
            let limits = &within.config.limits.contact;
            pg.take_tries(&[Try { what: "contact", whose: &network, limits }], now)?;
            if trap.has_caught() {
                within.metrics.count_trapped(written.kind().as_str());
                return Ok(());
            }
            Ok(write_to_us(pg, &within, &written)?)
        })
        .await
}
