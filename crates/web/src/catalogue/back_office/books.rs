//! Books for editors: list, show, add, change, revisions (`catalogue.edit-versions`).

use crate::{
    app::App,
    catalogue::{
        back_office::books_types::{
            BookForm, BookRevisionResult, BookRevisionsResult, BooksParams, EditorBookResult, EditorBooksResult,
            next_of,
        },
        types::book_name,
    },
    editing::{VersionForm, run},
    extract::{ActingEditor, Body, Editor, LargeBody, Path, Query},
    http::{error::ApiError, openapi::Conflict, wire::Answer},
};
use actix_web::{get, post, put, web::Data};
use catalogue::BookRef;
use kernel::{BookId, StoreError};
use workflows::{
    catalogue::editing::books::{
        EditedBook, ListedBooks, add_book, book_revisions, edit_book, edited_book, find_book, listed_books,
        restore_revision,
    },
    editing::EditError,
    tx::Tx,
};

/// Looks up the id of a book.
fn numbered<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<BookId, EditError> {
    find_book(tx, book)?.ok_or(EditError::Unknown("book"))
}

async fn answer(app: &App, book: &EditedBook) -> Result<Answer<EditorBookResult>, ApiError> {
    Ok(Answer::new(EditorBookResult::signed(book, &app.signer().await?, app.env.now())))
}

/// A page of all books, published or not: the latest upload first, when nothing else is said.
#[utoipa::path(tag = "admin", params(BooksParams), responses((status = 200, description = "A page of books.", body = Answer<EditorBooksResult>)), security(("token" = [])))]
#[get("/api/admin/books")]
pub(crate) async fn list_edited_books(
    app: Data<App>,
    _: Editor,
    params: Query<BooksParams>,
) -> Result<Answer<EditorBooksResult>, ApiError> {
    let query = params.into_inner().read()?;
    let ListedBooks { page, total } =
        app.read_tx_from_replica::<_, StoreError, _>(move |tx| listed_books(tx, &query)).await?;
    let next = next_of(page.next);
    Ok(Answer::new(EditorBooksResult {
        books: page.items.into_iter().map(Into::into).collect(),
        total: total.into(),
        next,
    }))
}

/// Adds a book. It is no part of the catalogue until it is published.
#[utoipa::path(
    tag = "admin",
    request_body = BookForm,
    responses((status = 200, description = "The book.", body = Answer<EditorBookResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/books")]
pub(crate) async fn add_new_book(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<BookForm>,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let edit = form.read_new()?;
    let book = run(&app, acting, move |tx, trail| add_book(tx, trail, &edit)).await?;
    answer(&app, &book).await
}

/// A book, published or not, with all that editors see of it.
#[utoipa::path(
    tag = "admin",
    params(("bookId" = String, Path, description = "The id of a book, or its name in addresses.")),
    responses((status = 200, description = "The book.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[get("/api/admin/books/{bookId}")]
pub(crate) async fn show_book(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = book_name::in_path(&id)?;
    let found = app.read_tx::<_, EditError, _>(move |tx| {
        let id = numbered(tx, &name)?;
        edited_book(tx, id)?.ok_or(EditError::Unknown("book"))
    });
    answer(&app, &found.await?).await
}

/// Changes a book, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("bookId" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body = BookForm,
    responses((status = 200, description = "The updated book.", body = Answer<EditorBookResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/books/{bookId}")]
pub(crate) async fn change_book(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<BookForm>,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let (name, version) = (book_name::in_path(&id)?, form.version);
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| {
        let id = numbered(tx, &name)?;
        edit_book(tx, trail, id, version, &edit)
    });
    let book = edited.await?;
    answer(&app, &book).await
}

/// What a book said in each version, the latest first.
#[utoipa::path(
    tag = "admin",
    params(("bookId" = String, Path, description = "The id of a book, or its name in addresses.")),
    responses((status = 200, description = "The revisions.", body = Answer<BookRevisionsResult>)),
    security(("token" = []))
)]
#[get("/api/admin/books/{bookId}/revisions")]
pub(crate) async fn list_revisions(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<BookRevisionsResult>, ApiError> {
    let name = book_name::in_path(&id)?;
    let found = app.read_tx::<_, EditError, _>(move |tx| {
        let id = numbered(tx, &name)?;
        book_revisions(tx, id)
    });
    let revisions = found.await?;
    Ok(Answer::new(BookRevisionsResult { revisions: revisions.iter().map(Into::into).collect() }))
}

fn revision_id(text: &str) -> Result<i64, ApiError> {
    text.parse().map_err(|_| ApiError::not_found("revision"))
}

/// What a book said in one version.
#[utoipa::path(
    tag = "admin",
    params(
        ("bookId" = String, Path, description = "The id of a book, or its name in addresses."),
        ("id" = i64, Path, description = "The id of a revision.", minimum = 1)
    ),
    responses((status = 200, description = "The revision.", body = Answer<BookRevisionResult>)),
    security(("token" = []))
)]
#[get("/api/admin/books/{bookId}/revisions/{id}")]
pub(crate) async fn show_revision(
    app: Data<App>,
    _: Editor,
    path: Path<(String, String)>,
) -> Result<Answer<BookRevisionResult>, ApiError> {
    let (book, revision) = path.into_inner();
    let (name, revision) = (book_name::in_path(&book)?, revision_id(&revision)?);
    let found = app.read_tx::<_, EditError, _>(move |tx| {
        let id = numbered(tx, &name)?;
        let found = book_revisions(tx, id)?.into_iter().find(|one| one.revision.id == revision);
        found.ok_or(EditError::Unknown("revision"))
    });
    Ok(Answer::new(found.await?.into()))
}

/// Puts what a revision says in the place of what there is, as another change. How the book is published stays as it is.
#[utoipa::path(
    tag = "admin",
    params(
        ("bookId" = String, Path, description = "The id of a book, or its name in addresses."),
        ("id" = i64, Path, description = "The id of a revision.", minimum = 1)
    ),
    request_body = VersionForm,
    responses((status = 200, description = "The updated book.", body = Answer<EditorBookResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/books/{bookId}/revisions/{id}/restore")]
pub(crate) async fn restore_book(
    app: Data<App>,
    acting: ActingEditor,
    path: Path<(String, String)>,
    Body(form): Body<VersionForm>,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let (book, revision) = path.into_inner();
    let (name, revision) = (book_name::in_path(&book)?, revision_id(&revision)?);
    let restored = run(&app, acting, move |tx, trail| {
        let id = numbered(tx, &name)?;
        restore_revision(tx, trail, id, revision, form.version)
    });
    let book = restored.await?;
    answer(&app, &book).await
}
