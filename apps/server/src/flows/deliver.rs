//! Sending a book to a member's e-reader (`decisions.md` 31): asking for it, and writing down what became of it.

use std::collections::HashMap;
use workflows::{account::account, rights::grants_of, view_book::view_book};

use access::Action;
use catalogue::{BookName, BookRef, Catalogue};
use e_reader::{Asked, Delivery, DeliveryState, EReader, EReaderError, Ended, KindleAddress};
use identity::Identity;
use jobs::{Assignment, Job, Jobs, Kind, State};
use kernel::{BookId, DeliveryId, JobId, Limit, Page, StoreError, Timestamp, UserId};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use crate::{app::App, error::ApiError};

/// What the payload of the jobs is sealed for.
const PURPOSE: &[u8] = b"e-reader";
/// What the jobs are about, as admins see it.
const ABOUT: &str = "book";

/// A delivery as it waits: what is sealed in the payload of a job.
#[derive(Debug, Serialize, Deserialize)]
pub struct Waiting {
    delivery: i64,
    book: i64,
    /// The e-reader's address.
    pub to: String,
    /// The local part of the Message-ID, the same at every attempt.
    pub id: String,
}

impl Waiting {
    /// Reads what was sealed; `None` when that can't be.
    pub fn open(app: &App, payload: &[u8]) -> Option<Self> {
        let text = app.seal.open(payload, PURPOSE).ok()?;
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
    /// What is shown as ended and must be written down.
    pub unnoted: Vec<Unnoted>,
}

/// A delivery whose job was set aside while nobody worked on it (a process was killed, twice), so that nobody has noted
/// its end.
#[derive(Clone, Debug)]
pub struct Unnoted {
    delivery: DeliveryId,
    job: JobId,
    ended: Ended,
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
    asked(pg, app, member, |pg| Ok((book, pg.ask_delivery(member, book, now)?)))
}

/// Has a failed delivery tried again, for a paid member.
pub fn retry(pg: &mut Pg<'_>, app: &App, member: UserId, id: DeliveryId) -> Result<DeliveryId, ApiError> {
    check_e_reader(pg, app, member)?;
    asked(pg, app, member, |pg| pg.retry_delivery(member, id, app.env.now()))
}

/// Asks, and queues the work. Asks once more when what seemed to be on its way has ended and nobody has noted it.
fn asked(
    pg: &mut Pg<'_>,
    app: &App,
    member: UserId,
    ask: impl Fn(&mut Pg<'_>) -> Result<(BookId, Asked), EReaderError>,
) -> Result<DeliveryId, ApiError> {
    let (mut book, mut answer) = ask(pg)?;
    if let Asked::Before(id) = answer {
        let before = pg.delivery(member, id)?;
        let unnoted = unnoted(pg, before.as_slice())?;
        if !unnoted.is_empty() {
            settle(pg, app, unnoted)?;
            (book, answer) = ask(pg)?;
        }
    }
    Ok(queue(pg, app, member, book, answer)?)
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
    let waiting = Waiting { delivery: delivery.get(), book: book.get(), to, id: hex::encode(id) };
    let text = serde_json::to_vec(&waiting).map_err(StoreError::new)?;
    let sealed = app.seal.close(&text, PURPOSE, &*app.env);
    let owner = pg.user(member)?.map(|user| user.email);
    let work = Assignment { kind: Kind::EReader, about: ABOUT, recipient: owner.as_ref(), payload: &sealed };
    let job = pg.queue_job(work, app.env.now())?;
    pg.give_delivery(delivery, job)?;
    Ok(delivery)
}

/// Writes down what an attempt at a delivery has come to, in the transaction that ends the attempt. One that is tried
/// again by itself stays queued.
pub fn note(pg: &mut Pg<'_>, app: &App, job: &Job, payload: &[u8]) -> Result<(), StoreError> {
    let (Some(waiting), Some(ended)) = (Waiting::open(app, payload), ended(job)) else { return Ok(()) };
    pg.end_delivery(DeliveryId::from_store(waiting.delivery), job.id, ended, app.env.now())
}

fn ended(job: &Job) -> Option<Ended> {
    match job.state {
        State::Done => Some(Ended::Sent),
        State::SetAside => Some(Ended::Failed(why(job))),
        State::Queued | State::Running => None,
    }
}

fn why(job: &Job) -> String {
    job.last_error.clone().unwrap_or_else(|| "It could not be sent.".to_owned())
}

/// Those of the deliveries that have ended and stand as queued.
fn unnoted(pg: &mut Pg<'_>, deliveries: &[Delivery]) -> Result<Vec<Unnoted>, StoreError> {
    let queued = deliveries.iter().filter(|delivery| delivery.state == DeliveryState::Queued);
    let worked_on: Vec<(DeliveryId, JobId)> = queued.filter_map(|one| Some((one.id, one.job?))).collect();
    let jobs = pg.jobs_by_id(&worked_on.iter().map(|(_, job)| *job).collect::<Vec<_>>())?;
    let unnoted = worked_on.into_iter().filter_map(|(delivery, id)| {
        let ended = match jobs.get(&id) {
            Some(job) => ended(job)?,
            // Swept long after it was set aside.
            None => Ended::Failed("It could not be sent.".to_owned()),
        };
        Some(Unnoted { delivery, job: id, ended })
    });
    Ok(unnoted.collect())
}

/// Writes down what had ended and was noted by nobody.
pub fn settle(pg: &mut Pg<'_>, app: &App, unnoted: Vec<Unnoted>) -> Result<(), StoreError> {
    unnoted.into_iter().try_for_each(|one| pg.end_delivery(one.delivery, one.job, one.ended, app.env.now()))
}

/// A page of a member's log, as things are; what of that is to be written down comes along for [`settle`].
pub fn log(
    pg: &mut Pg<'_>,
    member: UserId,
    after: Option<DeliveryId>,
    limit: Limit,
    now: Timestamp,
) -> Result<Log, StoreError> {
    let mut page = pg.deliveries(member, after, limit)?;
    let unnoted = unnoted(pg, &page.items)?;
    for one in &unnoted {
        if let Some(delivery) = page.items.iter_mut().find(|delivery| delivery.id == one.delivery) {
            delivery.end(one.ended.clone(), now);
        }
    }
    let books: Vec<BookId> = page.items.iter().map(|delivery| delivery.book).collect();
    Ok(Log { books: pg.book_names(&books)?, page, unnoted })
}
