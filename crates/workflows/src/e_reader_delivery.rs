//! Sending a book to a member's e-reader (`decisions.md` 31): the request, and the log of what became of it. The file is made
//! and mailed by the job of the crate `book-files`.

use std::collections::HashMap;

use access::Action;
use catalogue::{BookName, BookRef, Catalogue};
use e_reader::{Delivery, DeliveryOutcome, DeliveryRequest, EReader, EReaderCommands, EReaderError, KindleAddress};
use identity::{IdentityQueries, Seal};
use jobs::{Job, JobKind, JobRequest, Jobs, State};
use kernel::{BookId, DeliveryId, Limit, Page, StoreError, Timestamp, UserId};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use super::{account::account, error::ViewError, rights::grants_of, tx::Tx, view_book::view_book};

/// The job that mails a book.
pub const DELIVER_BOOK: JobKind = JobKind::external("e_reader");

/// What the payload of the jobs is sealed for.
const PURPOSE: &[u8] = b"e-reader";
/// What the jobs are about, as admins see it.
const ABOUT: &str = "book";

/// Why nothing is sent to an e-reader.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// The member may not, or the book is not there.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A rule of deliveries refuses it.
    #[error(transparent)]
    EReader(#[from] EReaderError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A queued delivery: what is sealed in the payload of a job.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueuedDelivery {
    delivery: i64,
    book: i64,
    /// The e-reader's address.
    pub to: String,
    /// The local part of the Message-ID, the same at every attempt.
    pub id: String,
}

impl QueuedDelivery {
    /// Reads what was sealed; `None` when that can't be.
    pub fn open(seal: &Seal, payload: &[u8]) -> Option<Self> {
        let text = seal.open(payload, PURPOSE).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// The book to be sent.
    pub const fn book(&self) -> BookRef {
        BookRef::Id(BookId::from_store(self.book))
    }
}

/// A page of the log, and what its books are called.
#[derive(Debug)]
pub struct DeliveryLog {
    /// The deliveries, the newest first.
    pub page: Page<Delivery, DeliveryId>,
    /// The books.
    pub books: HashMap<BookId, BookName>,
}

/// Refuses members who may not use an e-reader.
fn check_e_reader(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), ViewError> {
    let now = tx.now();
    let account = account(tx.pg, member, now)?.ok_or(ViewError::SignedOut)?;
    Ok(access::may_use_e_reader(&grants_of(&account.entitlements), now)?)
}

/// Sets the address at which a paid member's e-reader takes mail, and gives it. A member without a plan is refused first,
/// whatever was filled in.
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

/// Sends a book to a paid member's e-reader. A book that is on its way already is not sent twice.
pub fn send_book(tx: &mut Tx<'_, '_>, member: UserId, book: &BookRef) -> Result<DeliveryId, DeliveryError> {
    let view = view_book(tx, Some(member), book)?;
    view.check(Action::SendToEReader).map_err(ViewError::from)?;
    let book = view.book.card.id;
    let asked = tx.pg.ask_delivery(member, book, tx.env.now())?;
    Ok(queue(tx, member, book, asked)?)
}

/// Tries a failed delivery again, for a paid member.
pub fn retry_delivery(tx: &mut Tx<'_, '_>, member: UserId, id: DeliveryId) -> Result<DeliveryId, DeliveryError> {
    check_e_reader(tx, member)?;
    let (book, asked) = tx.pg.retry_delivery(member, id, tx.env.now())?;
    Ok(queue(tx, member, book, asked)?)
}

/// Queues the job, which goes with the member's own mails when the member leaves.
fn queue(tx: &mut Tx<'_, '_>, member: UserId, book: BookId, asked: DeliveryRequest) -> Result<DeliveryId, StoreError> {
    let (delivery, to) = match asked {
        DeliveryRequest::Now(delivery, to) => (delivery, to),
        DeliveryRequest::Before(delivery) => return Ok(delivery),
    };
    let mut id = [0; 16];
    tx.env.fill_random(&mut id);
    let to = to.as_str().to_owned();
    let queued = QueuedDelivery { delivery: delivery.get(), book: book.get(), to, id: hex::encode(id) };
    let text = serde_json::to_vec(&queued).map_err(StoreError::new)?;
    let sealed = tx.seal.close(&text, PURPOSE, tx.env);
    let owner = tx.pg.user(member)?.map(|user| user.email);
    let work = JobRequest { kind: DELIVER_BOOK, about: ABOUT, recipient: owner.as_ref(), payload: &sealed };
    let job = tx.pg.queue_job(work, tx.env.now())?;
    tx.pg.assign_delivery_job(delivery, job)?;
    Ok(delivery)
}

/// Records in the member's log how the work on a delivery ended.
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

/// A page of a member's log.
pub fn delivery_log(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    after: Option<DeliveryId>,
    limit: Limit,
) -> Result<DeliveryLog, StoreError> {
    let page = tx.pg.deliveries(member, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|delivery| delivery.book).collect();
    Ok(DeliveryLog { books: tx.pg.book_names(&books)?, page })
}
