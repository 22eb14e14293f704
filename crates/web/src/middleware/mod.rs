//! Middleware around all routes.

mod addresses;
mod count;
mod cross_site;
mod draining;
mod head;
mod log;
mod route;
mod security_headers;
mod security_log;
mod send;
mod target;

pub use addresses::rewrite_addresses;
pub use count::count_requests;
pub use cross_site::refuse_other_sites;
pub use draining::close_when_draining;
pub use head::{IsHead, head_as_get};
pub use log::RequestLog;
pub use security_headers::security_headers;
pub use security_log::log_security_events;
pub use send::send_in_parts;
pub use target::refuse_long_targets;
