//! The job that mails a book to an e-reader.

use std::sync::Arc;

use catalogue::{Book, CatalogueQueries};
use identity::Seal;
use jobs::{ExternalJob, Job, JobDefinition, JobKind, Outcome, PayloadError};
use kernel::{Env, StoreError};
use mail::{Attachment, Mail, Mailer};
use postgres::Pg;
use worker::RecordEnd;
use workflows::{
    e_reader_delivery::{self, DELIVER_BOOK, QueuedDelivery},
    tx::Transactions,
};

use crate::{BookFiles, Format};

/// Makes the EPUB of a book and mails it to an e-reader.
#[derive(Clone)]
pub struct DeliverBook {
    /// Reads the book.
    pub transactions: Transactions,
    /// Opens the payload.
    pub seal: Seal,
    /// The clock.
    pub env: Arc<dyn Env>,
    /// Makes the file.
    pub files: BookFiles,
    /// Sends it.
    pub mailer: Arc<Mailer>,
}

impl std::fmt::Debug for DeliverBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeliverBook")
    }
}

impl JobDefinition for DeliverBook {
    const KIND: JobKind = DELIVER_BOOK;
    type Payload = QueuedDelivery;

    fn decode(&self, payload: &[u8]) -> Result<QueuedDelivery, PayloadError> {
        QueuedDelivery::open(&self.seal, payload).ok_or_else(|| PayloadError("It can't be opened.".to_owned()))
    }
}

impl RecordEnd for DeliverBook {
    /// The member's log says that it was sent, or why not.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, delivery: &QueuedDelivery) -> Result<(), StoreError> {
        e_reader_delivery::record_end(pg, job, delivery, self.env.now())
    }
}

impl ExternalJob for DeliverBook {
    /// Makes the file and mails it. Reasons of a failure are shown to the member.
    async fn run_external(&self, job: &Job, delivery: &QueuedDelivery) -> Outcome {
        let wanted = delivery.book();
        let book = match self.transactions.read::<_, StoreError, _>(move |tx| tx.pg.book(&wanted)).await {
            Ok(Some(book)) => book,
            Ok(None) => return failed("The book is not there any more.", true),
            Err(_) => return failed("The book could not be read.", false),
        };
        let file = match self.files.get_or_make(&book, Format::Epub).await {
            Ok(bytes) => Attachment {
                name: format!("{}.{}", book.card.subid, Format::Epub.ending()),
                content_type: Format::Epub.content_type(),
                bytes: bytes.to_vec(),
            },
            Err(error) => {
                tracing::error!(%error, "the file for an e-reader could not be made");
                return failed("The file could not be made.", false);
            }
        };
        self.mailer.send_file(job, &delivery.to, &delivery.id, &self.letter(&book), file).await
    }
}

impl DeliverBook {
    fn letter(&self, book: &Book) -> Mail {
        Mail::EReaderFile {
            title: book.card.title.clone(),
            author: book.card.author.name.clone(),
            link: self.files.book_url(book),
        }
    }
}

fn failed(reason: &str, is_permanent: bool) -> Outcome {
    Outcome::Failed { reason: reason.to_owned(), is_permanent }
}
