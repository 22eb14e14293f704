//! A member's plan and its timeline, codes and seats.

mod codes;
mod gifts;
mod plan;
mod switch;
mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(plan::billing).service(plan::cancel).service(plan::resume).service(plan::pause);
    config.service(plan::refund_request);
    config.service(switch::preview_switch).service(switch::switch_plan).service(switch::change_method);
    config.service(gifts::find).service(gifts::given);
    config.service(codes::redeem).service(codes::seats).service(codes::send_seat);
}
