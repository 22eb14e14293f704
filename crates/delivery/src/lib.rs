//! Delivery of summaries to members' e-readers: the mail address of each e-reader, and the log of what was sent.
//!
//! # What it owns
//!
//! Each member's e-reader address and the log of deliveries (`delivery.delivery-log`), the positions that e-reader programs
//! synchronize, and which book a file has (`delivery.koreader-sync`). Who may have a book sent is decided elsewhere; building and
//! mailing the file happens elsewhere too.
//!
//! # What always holds
//!
//! - An address is at one of the domains that the operator has configured.
//! - A book or a summary is queued once for a member: requesting it again while it is queued changes nothing.
//! - Only the job that a delivery is assigned to at present can end it.
//!
//! # Words
//!
//! *Document*: a file, by the name that e-reader programs compute from it. *Kindle address*: the specification's word for the mail address of an e-reader of any make. *Delivery*: a requested
//! book, or a requested summary of the member's own, that is queued, sent or failed.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;
mod sync;
mod sync_store;

pub use error::EReaderError;
pub use model::{
    DELIVERIES_PAGE, Delivery, DeliveryItem, DeliveryOutcome, DeliveryState, KINDLE_DOMAINS, KindleAddress,
    UnknownState,
};
pub use service::{DeliveryRequest, EReader};
pub use store::{EReaderCommands, EReaderQueries, EReaderStore};
pub use sync::{BookDocument, DocumentId, PlaceInBook, SYNCED_DOCUMENTS, SyncedPlace};
pub use sync_store::{SyncCommands, SyncQueries};
