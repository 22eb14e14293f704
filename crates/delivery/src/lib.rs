//! Summaries on members' e-readers: the address at which each e-reader takes mail, and what was sent there.
//!
//! # What it owns
//!
//! Each member's address and the log of deliveries (`delivery.delivery-log`). Who may have a book sent is not decided here, nor
//! how the file is made and mailed.
//!
//! # What always holds
//!
//! - An address is at one of the domains that the site knows.
//! - A member waits for a book or a summary once: asking again while it is on its way changes nothing.
//! - Only who works on a delivery at present says how it ended.
//!
//! # Words
//!
//! *Kindle address*: where an e-reader of any make receives mail; the specification's word. *Delivery*: a book, or a
//! summary of the member's own, that was asked for, on its way, sent or failed.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;

pub use error::EReaderError;
pub use model::{
    DELIVERIES_PAGE, Delivery, DeliveryItem, DeliveryOutcome, DeliveryState, KINDLE_DOMAINS, KindleAddress,
    UnknownState,
};
pub use service::{DeliveryRequest, EReader};
pub use store::{EReaderCommands, EReaderQueries, EReaderStore};
