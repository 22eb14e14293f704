//! Read-only money pages: orders, failed renewals, disputes, teams, payouts and the ledger.

use actix_web::{HttpResponse, get, post, web::Data};
use admin::{CodeFilter, LedgerFilter, MoneyQueries};
use billing::BillingQueries;
use kernel::{Limit, Page, StoreError, UserId};
use referral::ReferralQueries;
use workflows::{
    billing::{admin_money, ledger_check::check_ledger},
    tx::Tx,
};

use crate::{
    app::App,
    billing::back_office::money_types::{
        AccountBalance, AccountsResult, DisputesParams, DisputesResult, FailedRenewalsResult, LedgerCheckResult,
        LedgerFaultLine, LedgerLine, LedgerParams, LedgerResult, MoneyParams, OrderDetail, OrderLine, OrderResult,
        OrdersParams, OrdersResult, PaidOut, PayoutLine, PayoutResult, PayoutsParams, PayoutsResult, ShowsEarnings,
        TeamDetail, TeamResult, TeamsResult,
    },
    exports,
    extract::{ActingAdmin, Admin, Path, Query},
    http::{error::ApiError, openapi::NotFound, wire::Answer},
};

/// How many earning members are read at most to fill one page of payouts.
const EARNERS_READ: usize = 300;

fn number(text: &str, what: &str) -> Result<i64, ApiError> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| ApiError::not_found(what))
}

/// A page of orders, newest first.
#[utoipa::path(tag = "admin", params(OrdersParams), responses((status = 200, description = "A page of orders.", body = Answer<OrdersResult>)), security(("token" = [])))]
#[get("/api/admin/orders")]
pub(crate) async fn list_orders(
    app: Data<App>,
    _: Admin,
    params: Query<OrdersParams>,
) -> Result<Answer<OrdersResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.counted_orders(&filter, after, limit));
    let (page, total) = found.await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(OrdersResult {
        orders: page.items.into_iter().map(Into::into).collect(),
        next,
        total: total.into(),
    }))
}

/// All orders that the list has with these filters, as a CSV file; `after` and `limit` are ignored.
#[utoipa::path(tag = "admin", params(OrdersParams), responses((status = 200, description = "The file.", content_type = "text/csv", body = String)), security(("token" = [])))]
#[post("/api/admin/orders/export")]
pub(crate) async fn export_orders(
    app: Data<App>,
    acting: ActingAdmin,
    params: Query<OrdersParams>,
) -> Result<HttpResponse, ApiError> {
    let (filter, ..) = params.read()?;
    exports::export(app, acting.actor, "orders", move |tx, after| {
        let page = tx.pg.orders(&filter, after, Limit::clamped(Limit::MAX))?;
        Ok((page.items.into_iter().map(OrderLine::from).collect(), page.next))
    })
    .await
}

/// An order with its charges and everything that happened to it.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "The number of an order.", minimum = 1)), responses((status = 200, description = "The order.", body = Answer<OrderResult>), NotFound), security(("token" = [])))]
#[get("/api/admin/orders/{id}")]
pub(crate) async fn show_order(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<OrderResult>, ApiError> {
    let id = number(&id, "order")?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| {
        let Some(order) = pg.order(id)? else { return Ok(None) };
        let filter = LedgerFilter { purchase: Some(order.purchase.clone()), ..LedgerFilter::default() };
        let rows = Page::all(|after| pg.ledger_rows(&filter, after, Limit::clamped(Limit::MAX)))?;
        Ok(Some((order, rows)))
    });
    let (order, rows) = found.await?.ok_or_else(|| ApiError::not_found("order"))?;
    Ok(Answer::new(OrderResult { order: OrderDetail::new(order, rows) }))
}

/// Renewals that failed and are not paid since.
#[utoipa::path(tag = "admin", params(MoneyParams), responses((status = 200, description = "A page of failed renewals.", body = Answer<FailedRenewalsResult>)), security(("token" = [])))]
#[get("/api/admin/failed-renewals")]
pub(crate) async fn list_failed_renewals(
    app: Data<App>,
    _: Admin,
    params: Query<MoneyParams>,
) -> Result<Answer<FailedRenewalsResult>, ApiError> {
    let (_, after, limit) = params.read()?;
    let page = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.failed_renewals(after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(FailedRenewalsResult { renewals: page.items.into_iter().map(Into::into).collect(), next }))
}

/// A page of disputes, newest first.
#[utoipa::path(tag = "admin", params(DisputesParams), responses((status = 200, description = "A page of disputes.", body = Answer<DisputesResult>)), security(("token" = [])))]
#[get("/api/admin/disputes")]
pub(crate) async fn list_disputes(
    app: Data<App>,
    _: Admin,
    params: Query<DisputesParams>,
) -> Result<Answer<DisputesResult>, ApiError> {
    let (state, after, limit) = params.read()?;
    let page = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.disputes(state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(DisputesResult { disputes: page.items.into_iter().map(Into::into).collect(), next }))
}

/// A page of purchases of seats, newest first.
#[utoipa::path(tag = "admin", params(MoneyParams), responses((status = 200, description = "A page of teams.", body = Answer<TeamsResult>)), security(("token" = [])))]
#[get("/api/admin/teams")]
pub(crate) async fn list_teams(
    app: Data<App>,
    _: Admin,
    params: Query<MoneyParams>,
) -> Result<Answer<TeamsResult>, ApiError> {
    let (text, after, limit) = params.read()?;
    let page = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.teams(text.as_deref(), after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(TeamsResult { teams: page.items.into_iter().map(Into::into).collect(), next }))
}

/// A purchase of seats with its seats.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "The number of an order of seats.", minimum = 1)), responses((status = 200, description = "The team.", body = Answer<TeamResult>), NotFound), security(("token" = [])))]
#[get("/api/admin/teams/{id}")]
pub(crate) async fn show_team(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<TeamResult>, ApiError> {
    let id = number(&id, "team")?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| {
        let Some(team) = pg.team(id)? else { return Ok(None) };
        let filter = CodeFilter { purchase: Some(team.purchase.clone()), ..CodeFilter::default() };
        let seats = Page::all(|after| pg.code_rows(&filter, after, Limit::clamped(Limit::MAX)))?;
        Ok(Some((team, seats)))
    });
    let (team, seats) = found.await?.ok_or_else(|| ApiError::not_found("team"))?;
    let list = seats.into_iter().rev().map(Into::into).collect();
    Ok(Answer::new(TeamResult { team: TeamDetail { line: team.into(), list } }))
}

/// A page of the ledger, newest first.
#[utoipa::path(tag = "admin", params(LedgerParams), responses((status = 200, description = "A page of the ledger.", body = Answer<LedgerResult>)), security(("token" = [])))]
#[get("/api/admin/ledger")]
pub(crate) async fn list_ledger_rows(
    app: Data<App>,
    _: Admin,
    params: Query<LedgerParams>,
) -> Result<Answer<LedgerResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.counted_ledger_rows(&filter, after, limit));
    let (page, total) = found.await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(LedgerResult {
        entries: page.items.into_iter().map(Into::into).collect(),
        next,
        total: total.into(),
    }))
}

/// All movements that the ledger has with these filters, as a CSV file; `after` and `limit` are ignored.
#[utoipa::path(tag = "admin", params(LedgerParams), responses((status = 200, description = "The file.", content_type = "text/csv", body = String)), security(("token" = [])))]
#[post("/api/admin/ledger/export")]
pub(crate) async fn export_ledger(
    app: Data<App>,
    acting: ActingAdmin,
    params: Query<LedgerParams>,
) -> Result<HttpResponse, ApiError> {
    let (filter, ..) = params.read()?;
    exports::export(app, acting.actor, "ledger", move |tx, after| {
        let page = tx.pg.ledger_rows(&filter, after, Limit::clamped(Limit::MAX))?;
        Ok((page.items.into_iter().map(LedgerLine::from).collect(), page.next))
    })
    .await
}

/// What each account of the ledger adds up to.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The accounts.", body = Answer<AccountsResult>)), security(("token" = [])))]
#[get("/api/admin/ledger/accounts")]
pub(crate) async fn list_ledger_accounts(app: Data<App>, _: Admin) -> Result<Answer<AccountsResult>, ApiError> {
    let balances = app.db.read_from_replica::<_, StoreError, _>(|pg| pg.account_balances()).await?;
    let accounts = balances
        .into_iter()
        .map(|(account, sum)| AccountBalance { account: account.as_str(), balance: sum.cents() })
        .collect();
    Ok(Answer::new(AccountsResult { accounts }))
}

/// Checks that ledger, entitlements and payment providers agree, as `pith ledger-check` does. Changes nothing.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The results.", body = Answer<LedgerCheckResult>)), security(("token" = [])))]
#[post("/api/admin/ledger/check")]
pub(crate) async fn run_ledger_check(app: Data<App>, _: Admin) -> Result<Answer<LedgerCheckResult>, ApiError> {
    let begun = app.env.now();
    let report = check_ledger(&app.payments).await?;
    let wrong = report.faults.iter().enumerate();
    let wrong = wrong.map(|(index, fault)| LedgerFaultLine { id: index + 1, error: fault.to_string() }).collect();
    let took_ms = app.env.now().since(begun);
    Ok(Answer::new(LedgerCheckResult { transactions: report.movements, wrong, took_ms }))
}

/// Members who have earned something by referrals, in the order of their ids.
#[utoipa::path(tag = "admin", params(PayoutsParams), responses((status = 200, description = "A page of earners.", body = Answer<PayoutsResult>)), security(("token" = [])))]
#[get("/api/admin/payouts")]
pub(crate) async fn list_payouts(
    app: Data<App>,
    _: Admin,
    params: Query<PayoutsParams>,
) -> Result<Answer<PayoutsResult>, ApiError> {
    let (is_shown, after) = params.read()?;
    let found = app.read_tx_from_replica::<_, StoreError, _>(move |tx| payouts_page(tx, is_shown, after));
    let (shown, next) = found.await?;
    let next = next.map(|key| key.to_string());
    Ok(Answer::new(PayoutsResult { payouts: shown, next }))
}

/// A page of the members whose earnings are shown, and the cursor of the next one. A page reads a few pages of members at most.
fn payouts_page<A>(
    tx: &mut Tx<'_, '_, A>,
    is_shown: ShowsEarnings,
    mut after: Option<UserId>,
) -> Result<(Vec<PayoutLine>, Option<UserId>), StoreError> {
    let mut shown = Vec::new();
    for _ in 0..EARNERS_READ / Limit::MAX {
        let page = tx.pg.earners(after, Limit::clamped(Limit::MAX))?;
        let earners = admin_money::with_earnings(tx, page.items)?;
        shown.extend(earners.into_iter().filter(|(_, earned)| is_shown(earned)).map(PayoutLine::from));
        after = page.next;
        if after.is_none() || shown.len() >= Limit::MAX {
            break;
        }
    }
    Ok((shown, after))
}

/// All members that the list of payouts has with this filter, as a CSV file; `after` is ignored.
#[utoipa::path(tag = "admin", params(PayoutsParams), responses((status = 200, description = "The file.", content_type = "text/csv", body = String)), security(("token" = [])))]
#[post("/api/admin/payouts/export")]
pub(crate) async fn export_payouts(
    app: Data<App>,
    acting: ActingAdmin,
    params: Query<PayoutsParams>,
) -> Result<HttpResponse, ApiError> {
    let (is_shown, _) = params.read()?;
    exports::export(app, acting.actor, "payouts", move |tx, after| payouts_page(tx, is_shown, after)).await
}

/// What a member has earned, and the payouts.
#[utoipa::path(tag = "admin", params(("userId" = i64, Path, description = "The id of a member.", minimum = 1)), responses((status = 200, description = "The earner.", body = Answer<PayoutResult>), NotFound), security(("token" = [])))]
#[get("/api/admin/payouts/{userId}")]
pub(crate) async fn show_payout(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<PayoutResult>, ApiError> {
    let id = UserId::from_store(number(&id, "earner")?);
    let found = app.read_tx::<_, StoreError, _>(move |tx| payout_of(tx, id)).await?;
    Ok(Answer::new(found.ok_or_else(|| ApiError::not_found("earner"))?))
}

/// A member's earnings and payouts; `None` when the member has earned nothing.
pub(crate) fn payout_of<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Option<PayoutResult>, StoreError> {
    let row = tx.pg.earner(member)?;
    let Some(payout) = admin_money::with_earnings(tx, row.into_iter().collect())?.pop() else { return Ok(None) };
    let history = tx.pg.payouts_of(member)?.into_iter().enumerate();
    let history = history.map(|(index, (at, sum))| PaidOut { id: index + 1, at: at.millis(), amount: sum.cents() });
    Ok(Some(PayoutResult { payout: payout.into(), history: history.collect() }))
}
