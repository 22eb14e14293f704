//! Money in the back office: orders and their refunds, disputes, teams, the ledger, payouts, coupons, codes and plans.

mod charges;
mod money;
mod money_changes;
mod money_types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(charges::refund_charge);
    config.service(money::list_orders).service(money::show_order).service(money::list_failed_renewals);
    config.service(money::list_disputes).service(money::list_teams).service(money::show_team);
    config.service(money::list_ledger_rows).service(money::list_ledger_accounts).service(money::run_ledger_check);
    config.service(money::list_payouts).service(money::show_payout).service(money_changes::mark_paid_out);
    config.service(money_changes::list_coupons).service(money_changes::add_coupon).service(money_changes::show_coupon);
    config.service(money_changes::change_coupon).service(money_changes::remove_coupon);
    config.service(money_changes::list_codes).service(money_changes::add_codes).service(money_changes::take_codes);
    config.service(money_changes::end_code).service(money_changes::export_codes);
    config.service(money::export_orders).service(money::export_ledger).service(money::export_payouts);
    config.service(money_changes::list_sold_plans).service(money_changes::add_sold_plan);
    config.service(money_changes::change_sold_plan);
}
