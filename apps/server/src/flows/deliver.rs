//! Sending a book to a member's e-reader (`decisions.md` 31): the request, and the log of what became of it.

use std::collections::HashMap;
use workflows::{account::account, rights::grants_of, view_book::view_book};

use access::Action;
use catalogue::{BookName, BookRef, Catalogue};
use e_reader::{Asked, Delivery, EReader, EReaderCommands, Ended, KindleAddress};
use identity::{IdentityQueries, Seal};
use jobs::{Assignment, Job, JobKind, Jobs, State};
use kernel::{BookId, DeliveryId, Limit, Page, StoreError, Timestamp, UserId};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use crate::{app::App, error::ApiError};

/// The job that mails a book.
pub const DELIVER_BOOK: JobKind = JobKind::external("e_reader");

/// What the payload of the jobs is sealed for.
const PURPOSE: &[u8] = b"e-reader";
/// What the jobs are about, as admins see it.
const ABOUT: &str = "book";

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
pub struct Log {
    /// The deliveries, the newest first.
    pub page: Page<Delivery, DeliveryId>,
    /// The books.
    pub books: HashMap<BookId, BookName>,
}

/// Refuses members who may not use an e-reader.
fn check_e_reader(pg: &mut Pg<'_>, app: &App, member: UserId) -> Result<(), ApiError> {
    let now = app.env.now();
    let account = account(pg, member, now)?.ok_or_else(ApiError::unauthenticated)?;
    Ok(access::may_use_e_reader(&grants_of(&account.entitlements), now)?)
}

/// Keeps where a paid member's e-reader takes mail, and gives that address. Who is not paid is told so first, whatever
/// was filled in.
pub fn set_address(
    pg: &mut Pg<'_>,
    app: &App,
    member: UserId,
    name: &str,
    domain: &str,
) -> Result<KindleAddress, ApiError> {
    check_e_reader(pg, app, member)?;
    let address = KindleAddress::read(name, domain, &app.config.kindle_domains)?;
    pg.set_kindle_address(member, &address, app.env.now())?;
    Ok(address)
}

/// Has a book sent to a paid member's e-reader. A book that is on its way already is not sent twice.
pub fn ask(pg: &mut Pg<'_>, app: &App, member: UserId, book: &BookRef) -> Result<DeliveryId, ApiError> {
    let now = app.env.now();
    let view = view_book(&mut app.transactions.tx(pg), Some(member), book)?;
    view.check(Action::SendToEReader)?;
    let book = view.book.card.id;
    let asked = pg.ask_delivery(member, book, now)?;
    Ok(queue(pg, app, member, book, asked)?)
}

/// Has a failed delivery tried again, for a paid member.
pub fn retry(pg: &mut Pg<'_>, app: &App, member: UserId, id: DeliveryId) -> Result<DeliveryId, ApiError> {
    check_e_reader(pg, app, member)?;
    let (book, asked) = pg.retry_delivery(member, id, app.env.now())?;
    Ok(queue(pg, app, member, book, asked)?)
}

/// Leaves the work to be done when the transaction is committed. It goes with the member's own mails when the member
/// leaves.
fn queue(pg: &mut Pg<'_>, app: &App, member: UserId, book: BookId, asked: Asked) -> Result<DeliveryId, StoreError> {
    let (delivery, to) = match asked {
        Asked::Now(delivery, to) => (delivery, to),
        Asked::Before(delivery) => return Ok(delivery),
    };
    let mut id = [0; 16];
    app.env.fill_random(&mut id);
    let to = to.as_str().to_owned();
    let queued = QueuedDelivery { delivery: delivery.get(), book: book.get(), to, id: hex::encode(id) };
    let text = serde_json::to_vec(&queued).map_err(StoreError::new)?;
    let sealed = app.seal.close(&text, PURPOSE, &*app.env);
    let owner = pg.user(member)?.map(|user| user.email);
    let work = Assignment { kind: DELIVER_BOOK, about: ABOUT, recipient: owner.as_ref(), payload: &sealed };
    let job = pg.queue_job(work, app.env.now())?;
    pg.assign_delivery_job(delivery, job)?;
    Ok(delivery)
}

/// Records in the member's log how the work on a delivery ended.
pub fn record_end(pg: &mut Pg<'_>, job: &Job, queued: &QueuedDelivery, now: Timestamp) -> Result<(), StoreError> {
    let ended = match job.state {
        State::Done => Ended::Sent,
        State::SetAside => Ended::Failed(job.last_error.clone().unwrap_or_else(|| "It could not be sent.".to_owned())),
        State::Queued | State::Running => return Ok(()),
    };
    pg.end_delivery(DeliveryId::from_store(queued.delivery), job.id, ended, now)
}

/// A page of a member's log.
pub fn log(pg: &mut Pg<'_>, member: UserId, after: Option<DeliveryId>, limit: Limit) -> Result<Log, StoreError> {
    let page = pg.deliveries(member, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|delivery| delivery.book).collect();
    Ok(Log { books: pg.book_names(&books)?, page })
}
