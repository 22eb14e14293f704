//! Sending a book or a member's own summary to the member's e-reader (`delivery.e-reader-send`): the request, and the log of
//! deliveries. The job [`DeliverBook`](super::book_files::DeliverBook) makes the file and mails it.

use std::collections::HashMap;

use catalogue::{BookName, BookRef, CatalogueLists};
use delivery::{
    Delivery, DeliveryItem, DeliveryOutcome, DeliveryRequest, EReader, EReaderCommands, EReaderError, EReaderQueries,
    KindleAddress,
};
use identity::{IdentityQueries, Seal};
use jobs::{Job, JobKind, JobRequest, Jobs, State};
use kernel::{BookId, DeliveryId, Limit, Page, StoreError, SummaryId, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{Action, may_use_e_reader};
use serde::{Deserialize, Serialize};
use summaries::{MemberSummaryQueries, SummaryState};

use crate::{account::account, catalogue::view_book::view_book, error::ViewError, rights::grants_of, tx::Tx};

/// The job that mails a book or a summary.
pub const DELIVER_BOOK: JobKind = JobKind::external("e_reader");

/// The purpose for which the payloads are sealed.
pub(crate) const PURPOSE: &[u8] = b"e-reader";
/// The subject of the jobs for books, as admins see it.
const ABOUT: &str = "book";
/// The subject of the jobs for members' own summaries.
const ABOUT_SUMMARY: &str = "summary";

/// Why nothing is sent to an e-reader.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// The member has no right to, or the book does not exist.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A rule of deliveries refuses it.
    #[error(transparent)]
    EReader(#[from] EReaderError),
    /// The summary is not finished yet.
    #[error("This summary is not finished yet.")]
    Unfinished,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A queued delivery: the plaintext of a job's sealed payload.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueuedDelivery {
    delivery: i64,
    #[serde(flatten)]
    item: QueuedItem,
    /// The e-reader's address.
    pub to: String,
    /// The local part of the Message-ID: the same on every attempt.
    pub id: String,
}

/// The item to send, by the ids of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum QueuedItem {
    Book { book: i64 },
    Summary { member: i64, summary: i64 },
}

/// The item that a queued delivery sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryContent {
    Book(BookRef),
    /// A member's own summary.
    Summary(UserId, SummaryId),
}

impl QueuedDelivery {
    /// Opens the payload; `None` if that fails.
    pub fn open(seal: &Seal, payload: &[u8]) -> Option<Self> {
        let text = seal.open(payload, PURPOSE).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub const fn content(&self) -> DeliveryContent {
        match self.item {
            QueuedItem::Book { book } => DeliveryContent::Book(BookRef::Id(BookId::from_store(book))),
            QueuedItem::Summary { member, summary } => {
                DeliveryContent::Summary(UserId::from_store(member), SummaryId::from_store(summary))
            }
        }
    }
}

/// A page of the delivery log, with the names of its books and summaries.
#[derive(Debug)]
pub struct DeliveryLog {
    /// Newest first.
    pub page: Page<Delivery, DeliveryId>,
    pub books: HashMap<BookId, BookName>,
    /// Titles.
    pub summaries: HashMap<SummaryId, String>,
}

/// Fails if the member may not use an e-reader.
fn check_e_reader(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), ViewError> {
    let now = tx.now();
    let account = account(tx.pg, member, now)?.ok_or(ViewError::SignedOut)?;
    Ok(may_use_e_reader(&grants_of(&account.entitlements), now)?)
}

/// Sets the e-mail address of a paid member's e-reader, and returns it. A member without a plan is refused before the address
/// is checked.
pub fn set_address(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    name: &str,
    domain: &str,
) -> Result<KindleAddress, DeliveryError> {
    check_e_reader(tx, member)?;
    let address = KindleAddress::read(name, domain, &tx.settings.kindle_domains)?;
    tx.pg.set_kindle_address(member, &address, tx.env.now())?;
    Ok(address)
}

/// Sends a book to a paid member's e-reader. Returns the pending delivery if the book is being sent already.
pub fn send_book(tx: &mut Tx<'_, '_>, member: UserId, book: &BookRef) -> Result<DeliveryId, DeliveryError> {
    let view = view_book(tx, Some(member), book)?;
    view.check(Action::SendToEReader).map_err(ViewError::from)?;
    let item = DeliveryItem::Book(view.book.card.id);
    let asked = tx.pg.ask_delivery(member, item, tx.env.now())?;
    Ok(queue(tx, member, item, asked)?)
}

/// Sends a member's own summary to a paid member's e-reader. Returns the pending delivery if it is being sent already.
pub fn send_summary(tx: &mut Tx<'_, '_>, member: UserId, id: SummaryId) -> Result<DeliveryId, DeliveryError> {
    check_e_reader(tx, member)?;
    let summary = tx.pg.member_summary(member, id)?.ok_or(ViewError::NotFound("summary"))?;
    if summary.state != SummaryState::Done {
        return Err(DeliveryError::Unfinished);
    }
    let item = DeliveryItem::Summary(id);
    let asked = tx.pg.ask_delivery(member, item, tx.env.now())?;
    Ok(queue(tx, member, item, asked)?)
}

/// Retries a failed delivery, for a paid member.
pub fn retry_delivery(tx: &mut Tx<'_, '_>, member: UserId, id: DeliveryId) -> Result<DeliveryId, DeliveryError> {
    check_e_reader(tx, member)?;
    let (item, asked) = tx.pg.retry_delivery(member, id, tx.env.now())?;
    Ok(queue(tx, member, item, asked)?)
}

/// Queues the job. Its recipient is the member, so that it is deleted with the member's mails.
fn queue(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    item: DeliveryItem,
    asked: DeliveryRequest,
) -> Result<DeliveryId, StoreError> {
    let (delivery, to) = match asked {
        DeliveryRequest::Now(delivery, to) => (delivery, to),
        DeliveryRequest::Before(delivery) => return Ok(delivery),
    };
    let mut id = [0; 16];
    tx.env.fill_random(&mut id);
    let to = to.as_str().to_owned();
    let (item, about) = match item {
        DeliveryItem::Book(book) => (QueuedItem::Book { book: book.get() }, ABOUT),
        DeliveryItem::Summary(summary) => {
            (QueuedItem::Summary { member: member.get(), summary: summary.get() }, ABOUT_SUMMARY)
        }
    };
    let queued = QueuedDelivery { delivery: delivery.get(), item, to, id: hex::encode(id) };
    let text = serde_json::to_vec(&queued).map_err(StoreError::new)?;
    let sealed = tx.seal.close(&text, PURPOSE, tx.env);
    let owner = tx.pg.user(member)?.map(|user| user.email);
    let work = JobRequest { kind: DELIVER_BOOK, about, recipient: owner.as_ref(), payload: &sealed };
    let job = tx.pg.queue_job(work, tx.env.now())?;
    tx.pg.assign_delivery_job(delivery, job)?;
    Ok(delivery)
}

/// Records in the member's log how a delivery's job ended.
pub fn record_end(pg: &mut Pg<'_>, job: &Job, queued: &QueuedDelivery, now: Timestamp) -> Result<(), StoreError> {
    let ended = match job.state {
        State::Done => DeliveryOutcome::Sent,
        State::SetAside => {
            DeliveryOutcome::Failed(job.last_error.clone().unwrap_or_else(|| "It could not be sent.".to_owned()))
        }
        State::Queued | State::Running => return Ok(()),
    };
    pg.end_delivery(DeliveryId::from_store(queued.delivery), job.id, ended, now)
}

/// A page of a member's delivery log.
pub fn delivery_log<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: Option<DeliveryId>,
    limit: Limit,
) -> Result<DeliveryLog, StoreError> {
    let page = tx.pg.deliveries(member, after, limit)?;
    let books: Vec<BookId> = page.items.iter().filter_map(|delivery| delivery.item.book()).collect();
    let summaries: Vec<SummaryId> = page.items.iter().filter_map(|delivery| delivery.item.summary()).collect();
    let summaries = tx.pg.summary_titles(member, &summaries)?;
    Ok(DeliveryLog { books: tx.pg.book_names(&books)?, summaries, page })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queued_deliveries_name_a_book_or_a_summary_and_older_ones_are_still_read() {
        let read = |text: &str| serde_json::from_str::<QueuedDelivery>(text).unwrap().content();
        let book = read(r#"{"delivery":1,"book":7,"to":"ada@kindle.com","id":"00"}"#);
        assert_eq!(book, DeliveryContent::Book(BookRef::Id(BookId::from_store(7))));
        let item = QueuedItem::Summary { member: 3, summary: 7 };
        let queued = QueuedDelivery { delivery: 1, item, to: "ada@kindle.com".to_owned(), id: "00".to_owned() };
        let summary = read(&serde_json::to_string(&queued).unwrap());
        assert_eq!(summary, DeliveryContent::Summary(UserId::from_store(3), SummaryId::from_store(7)));
    }
}
