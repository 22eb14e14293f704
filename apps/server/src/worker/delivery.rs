//! Mailing a book to an e-reader.

use catalogue::{Book, Catalogue};
use jobs::{Outcome, Taken};
use kernel::StoreError;
use mail::{Attachment, Mail};

use crate::{
    app::App,
    documents::{self, Format},
    flows::deliver::Waiting,
};

/// Makes the file and mails it. Reasons are told to the member.
pub(super) async fn send(app: &App, taken: &Taken) -> Outcome {
    let Some(waiting) = Waiting::open(app, &taken.payload) else { return failed("It can't be opened.", true) };
    let wanted = waiting.book();
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
    app.mailer.send_file(&taken.job, &waiting.to, &waiting.id, &letter(app, &book), file).await
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
