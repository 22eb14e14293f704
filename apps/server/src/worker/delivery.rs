//! The job that mails a book to an e-reader.

use std::sync::Arc;

use catalogue::{Book, CatalogueQueries};
use jobs::{ExternalJob, Job, JobDefinition, JobKind, Outcome, PayloadError};
use kernel::StoreError;
use mail::{Attachment, Mail};
use postgres::Pg;
use worker::RecordEnd;

use crate::{
    app::App,
    documents::{self, Format},
    flows::deliver::{self, DELIVER_BOOK, QueuedDelivery},
};

pub(super) struct DeliverBook(pub(super) Arc<App>);

impl JobDefinition for DeliverBook {
    const KIND: JobKind = DELIVER_BOOK;
    type Payload = QueuedDelivery;

    fn decode(&self, payload: &[u8]) -> Result<QueuedDelivery, PayloadError> {
        QueuedDelivery::open(&self.0.seal, payload).ok_or_else(|| PayloadError("It can't be opened.".to_owned()))
    }
}

impl RecordEnd for DeliverBook {
    /// The member's log says that it was sent, or why not.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, delivery: &QueuedDelivery) -> Result<(), StoreError> {
        deliver::record_end(pg, job, delivery, self.0.env.now())
    }
}

impl ExternalJob for DeliverBook {
    /// Makes the file and mails it. Reasons of a failure are shown to the member.
    async fn run_external(&self, job: &Job, delivery: &QueuedDelivery) -> Outcome {
        let app = &*self.0;
        let wanted = delivery.book();
        let book = match app.db.read::<_, StoreError, _>(move |pg| pg.book(&wanted)).await {
            Ok(Some(book)) => book,
            Ok(None) => return failed("The book is not there any more.", true),
            Err(_) => return failed("The book could not be read.", false),
        };
        let file = match documents::file(app, &book, Format::Epub).await {
            Ok(bytes) => Attachment {
                name: format!("{}.{}", book.card.subid, Format::Epub.ending()),
                content_type: Format::Epub.content_type(),
                bytes: bytes.to_vec(),
            },
            // Why it failed is in the log already.
            Err(_) => return failed("The file could not be made.", false),
        };
        app.mailer.send_file(job, &delivery.to, &delivery.id, &letter(app, &book), file).await
    }
}

fn letter(app: &App, book: &Book) -> Mail {
    Mail::EReaderFile {
        title: book.card.title.clone(),
        author: book.card.author.name.clone(),
        link: app.link(&format!("/books/{}", book.card.subid)),
    }
}

fn failed(reason: &str, for_good: bool) -> Outcome {
    Outcome::Failed { reason: reason.to_owned(), for_good }
}
