//! Webhook events of the payment providers, each stored once, in Postgres.

use ::billing::gateway::{
    ChargeId, CheckoutReference, CustomerId, GatewayProvider, PaymentId, ProviderEvent, ProviderEventId,
    ProviderEventKind, SubscriptionId,
};
use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, QueryDsl, RunQueryDsl, insert_into, update};
use kernel::{Limit, StoreError, Timestamp};

use crate::billing::count;
use crate::{
    Pg,
    schema::provider_events,
    time::{from_db, to_db},
};

type Row = (String, String, String, String, Option<String>, DateTime<Utc>);

/// The columns of a kind of event: its name, and the object's id.
fn to_columns(kind: &ProviderEventKind) -> (&'static str, &str) {
    match kind {
        ProviderEventKind::Charge(id) => ("charge", id.as_str()),
        ProviderEventKind::Subscription(id) => ("subscription", id.as_str()),
        ProviderEventKind::Refund(id) => ("refund", id.as_str()),
        ProviderEventKind::DisputeOpened(id) => ("dispute_opened", id.as_str()),
        ProviderEventKind::DisputeClosed { payment, won: true } => ("dispute_won", payment.as_str()),
        ProviderEventKind::DisputeClosed { payment, won: false } => ("dispute_lost", payment.as_str()),
        ProviderEventKind::Customer(id) => ("customer", id.as_str()),
        ProviderEventKind::Other(name) => ("other", name),
    }
}

fn from_columns(kind: &str, object: String) -> Result<ProviderEventKind, StoreError> {
    Ok(match kind {
        "charge" => ProviderEventKind::Charge(ChargeId::new(object)),
        "subscription" => ProviderEventKind::Subscription(SubscriptionId::new(object)),
        "refund" => ProviderEventKind::Refund(PaymentId::new(object)),
        "dispute_opened" => ProviderEventKind::DisputeOpened(PaymentId::new(object)),
        "dispute_won" => ProviderEventKind::DisputeClosed { payment: PaymentId::new(object), won: true },
        "dispute_lost" => ProviderEventKind::DisputeClosed { payment: PaymentId::new(object), won: false },
        "customer" => ProviderEventKind::Customer(CustomerId::new(object)),
        "other" => ProviderEventKind::Other(object),
        _ => return Err(StoreError::new(format!("there is no kind of event {kind:?}"))),
    })
}

pub(super) fn insert(pg: &mut Pg<'_>, event: &ProviderEvent, now: Timestamp) -> Result<bool, StoreError> {
    let (kind, object) = to_columns(&event.kind);
    let row = (
        provider_events::provider.eq(event.provider.as_str()),
        provider_events::event_id.eq(event.id.as_str()),
        provider_events::kind.eq(kind),
        provider_events::object.eq(object),
        provider_events::checkout.eq(event.checkout.as_ref().map(CheckoutReference::as_str)),
        provider_events::occurred_at.eq(to_db(event.at)),
        provider_events::received_at.eq(to_db(now)),
    );
    let written =
        pg.run(|conn| insert_into(provider_events::table).values(row).on_conflict_do_nothing().execute(conn))?;
    Ok(written > 0)
}

pub(super) fn pending<A>(pg: &mut Pg<'_, A>, limit: Limit) -> Result<Vec<ProviderEvent>, StoreError> {
    let query = provider_events::table
        .filter(provider_events::applied_at.is_null())
        .order(provider_events::id)
        .limit(count(limit.get())?)
        .select((
            provider_events::provider,
            provider_events::event_id,
            provider_events::kind,
            provider_events::object,
            provider_events::checkout,
            provider_events::occurred_at,
        ));
    let rows: Vec<Row> = pg.run(|conn| query.load(conn))?;
    rows.into_iter()
        .map(|(provider, id, kind, object, checkout, at)| {
            Ok(ProviderEvent {
                id: ProviderEventId::new(id),
                provider: provider.parse().map_err(StoreError::new)?,
                at: from_db(at),
                kind: from_columns(&kind, object)?,
                checkout: checkout.map(CheckoutReference::new),
            })
        })
        .collect()
}

pub(super) fn mark_applied(
    pg: &mut Pg<'_>,
    provider: GatewayProvider,
    event: &ProviderEventId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let one = provider_events::table
        .filter(provider_events::provider.eq(provider.as_str()))
        .filter(provider_events::event_id.eq(event.as_str()))
        .filter(provider_events::applied_at.is_null());
    pg.run(|conn| update(one).set(provider_events::applied_at.eq(to_db(now))).execute(conn).map(|_| ()))
}
