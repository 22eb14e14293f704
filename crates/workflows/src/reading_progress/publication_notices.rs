//! Publication notices: a member who asked for it gets one mail when an announced summary is published
//! (`catalogue.publication-notice`).
//!
//! A request is removed in the transaction that queues its mail, so each notice is sent once, whatever is repeated. A scheduled
//! job looks for books that are readable now, so it does not matter how a book was published.

use catalogue::{BookRef, CatalogueLists};
use identity::IdentityQueries;
use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{BookId, Limit, MINUTE, StoreError, UserId};
use mail::Mail;
use postgres::Pg;
use reading_progress::{ProgressCommands, ProgressQueries, ReadingProgress};
use worker::TransactionalJob;

use crate::{
    error::ViewError,
    reading_progress::reading::book_facts,
    tx::{Transactions, Tx},
};

/// How many mails one run of the job queues at most. The next run continues.
const BATCH: usize = 500;

/// Requests a mail to the member when the book is published.
pub fn request_notice(tx: &mut Tx<'_, '_>, member: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.request_notice(member, &book, tx.now())?)
}

/// Withdraws the request, if there is one.
pub fn withdraw_notice(tx: &mut Tx<'_, '_>, member: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.withdraw_notice(member, book.id)?)
}

/// The books that the member wants to be notified of, latest request first.
pub fn requested_notices<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<BookId>, StoreError> {
    tx.pg.requested_notices(member)
}

/// The job that queues the mails about books that are readable now.
#[derive(Debug)]
pub struct SendPublicationNotices(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for SendPublicationNotices {
    const KIND: JobKind = JobKind::transactional("publication_notices").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl TransactionalJob for SendPublicationNotices {
    fn run_transactional(&self, pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
        send_due(&mut self.0.tx(pg))
    }
}

fn send_due(tx: &mut Tx<'_, '_>) -> Result<(), StoreError> {
    let due = tx.pg.take_due_notices(Limit::clamped(BATCH))?;
    let mut books: Vec<BookId> = due.iter().map(|notice| notice.book).collect();
    books.sort_unstable();
    books.dedup();
    let cards = tx.pg.book_cards_by_id(&books)?;
    for notice in due {
        let (Some(card), Some(member)) = (cards.get(&notice.book), tx.pg.user(notice.reader)?) else { continue };
        let mail = Mail::SummaryPublished {
            first_name: member.first_name,
            title: card.title.clone(),
            author: card.author.name.clone(),
            link: tx.settings.link(&format!("/books/{}", card.subid)),
        };
        tx.queue_mail(&member.email, &mail)?;
    }
    Ok(())
}
