//! The job that mails a book or a member's own summary to an e-reader.

use std::sync::Arc;

use catalogue::{BookRef, CatalogueQueries};
use identity::Seal;
use jobs::{ExternalJob, Job, JobDefinition, JobKind, Outcome, PayloadError};
use kernel::{Env, StoreError, SummaryId, UserId};
use mail::{Attachment, Mail, Mailer};
use postgres::Pg;
use summaries::MemberSummaryQueries;
use worker::RecordEnd;

use crate::delivery::book_files::{BookFileError, BookFiles, Format};
use crate::{
    delivery::{
        e_reader::{self, DELIVER_BOOK, DeliveryContent, QueuedDelivery},
        reader_sync::remember_epub,
    },
    tx::Transactions,
};

/// The job that makes the EPUB of a book or of a member's own summary, and mails it to an e-reader.
#[derive(Clone)]
pub struct DeliverBook {
    pub transactions: Transactions,
    /// Opens the payload.
    pub seal: Seal,
    /// The clock.
    pub env: Arc<dyn Env>,
    pub files: BookFiles,
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
    /// Records in the member's log that the file was sent, or why not.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, delivery: &QueuedDelivery) -> Result<(), StoreError> {
        e_reader::record_end(pg, job, delivery, self.env.now())
    }
}

impl ExternalJob for DeliverBook {
    /// Makes the file and mails it. The member sees the reason of a failure.
    async fn run_external(&self, job: &Job, delivery: &QueuedDelivery) -> Outcome {
        let made = match delivery.content() {
            DeliveryContent::Book(book) => self.book(book).await,
            DeliveryContent::Summary(member, id) => self.summary(member, id).await,
        };
        match made {
            Ok((letter, file)) => self.mailer.send_file(job, &delivery.to, &delivery.id, &letter, file).await,
            Err(outcome) => outcome,
        }
    }
}

impl DeliverBook {
    /// The letter and the file of a book.
    async fn book(&self, wanted: BookRef) -> Result<(Mail, Attachment), Outcome> {
        let book = self.transactions.read::<_, StoreError, _>(move |tx| tx.pg.book(&wanted)).await;
        let book = book.map_err(|_| failed("The book could not be read.", false))?;
        let book = book.ok_or_else(|| failed("The book is no longer there.", true))?;
        let bytes = self.files.get_or_make(&book, Format::Epub).await.map_err(|error| unmade(&error))?;
        let remembered = remember_epub(&self.transactions, book.card.id, &bytes).await;
        remembered.map_err(|_| failed("The book could not be read.", false))?;
        let letter = Mail::EReaderFile {
            title: book.card.title.clone(),
            author: Some(book.card.author.name.clone()),
            link: self.files.book_url(&book),
        };
        Ok((letter, epub(book.card.subid.as_str(), bytes.to_vec())))
    }

    /// The letter and the file of a member's own summary. Fails permanently if the summary was deleted meanwhile.
    async fn summary(&self, member: UserId, id: SummaryId) -> Result<(Mail, Attachment), Outcome> {
        let read = self.transactions.read::<_, StoreError, _>(move |tx| {
            let summary = tx.pg.member_summary(member, id)?;
            Ok(summary.zip(tx.pg.member_summary_text(member, id)?))
        });
        let found = read.await.map_err(|_| failed("The summary could not be read.", false))?;
        let (summary, text) = found.ok_or_else(|| failed("The summary is no longer there.", true))?;
        let bytes = self.files.make_member_summary(&summary, &text, Format::Epub).await;
        let bytes = bytes.map_err(|error| unmade(&error))?;
        let letter =
            Mail::EReaderFile { title: summary.title.clone(), author: None, link: self.files.summary_url(&summary) };
        Ok((letter, epub(&format!("summary-{id}"), bytes)))
    }
}

fn epub(name: &str, bytes: Vec<u8>) -> Attachment {
    let name = format!("{name}.{}", Format::Epub.ending());
    Attachment { name, content_type: Format::Epub.content_type(), bytes }
}

fn unmade(error: &BookFileError) -> Outcome {
    tracing::error!(%error, "the file for an e-reader could not be made");
    failed("The file could not be created.", false)
}

fn failed(reason: &str, is_permanent: bool) -> Outcome {
    Outcome::Failed { reason: reason.to_owned(), is_permanent }
}
