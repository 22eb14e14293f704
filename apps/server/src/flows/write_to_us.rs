//! Writing to the house: what people write is kept in the inbox and mailed to support, both or neither.

use admin::{Admin, Written};
use kernel::{Email, StoreError};
use postgres::Pg;

use crate::{
    app::App,
    mail::{self, Mail},
};

/// Keeps a message and queues it to the support mailbox.
pub fn write_to_us(pg: &mut Pg<'_>, app: &App, written: &Written) -> Result<(), StoreError> {
    pg.keep_message(written, app.env.now())?;
    let news = Mail::Message {
        kind: written.kind().as_str().to_owned(),
        name: written.name().unwrap_or_default().to_owned(),
        email: written.email().map(Email::as_str).unwrap_or_default().to_owned(),
        body: written.body().to_owned(),
    };
    mail::queue(pg, app, &app.config.site.support_email, &news)
}
