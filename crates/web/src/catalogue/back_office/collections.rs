//! Collections for editors (`editorial.required-fields`). Times are in milliseconds since the Unix epoch.

use actix_web::{HttpResponse, delete, get, post, put, web::Data};
use catalogue::{BookName, CatalogueQueries as _, Category, Collection};
use kernel::{BookId, CategoryId, CollectionId, Slug, StoreError};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    catalogue::editing::collections::{self, CollectionEdit},
    editing::{EditError, Versioned},
};

use crate::{
    app::App,
    editing::{Version, bare, number, required, run},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// Responds with a collection.
async fn of_collection(app: &App, one: Versioned<Collection>) -> Result<HttpResponse, ApiError> {
    let chosen = one.row.draft.books.clone();
    let read = app.db.read::<_, StoreError, _>(move |pg| Ok((pg.categories()?, pg.books_called(&chosen)?)));
    let (all, names) = read.await?;
    Ok(bare(&CollectionAnswer { status: "ok", collection: EditorCollection::of(one, &all, &names) }))
}

/// All collections, by their titles.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = CollectionsAnswer)), security(("token" = [])))]
#[get("/api/admin/collections/list")]
pub(crate) async fn list_edited_collections(app: Data<App>, _: Editor) -> Result<HttpResponse, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(|tx| {
        let collections = collections::collections(tx)?;
        let chosen: Vec<Slug> = collections.iter().flat_map(|one| one.row.draft.books.clone()).collect();
        Ok((collections, tx.pg.categories()?, tx.pg.books_called(&chosen)?))
    });
    let (collections, all, names) = found.await?;
    let results = collections.into_iter().map(|one| EditorCollection::of(one, &all, &names)).collect();
    Ok(bare(&CollectionsAnswer { status: "ok", results }))
}

/// Adds a collection.
#[utoipa::path(
    tag = "admin",
    request_body = CollectionForm,
    responses((status = 200, description = "The collection.", body = CollectionAnswer), Conflict, NotFound),
    security(("token" = []))
)]
#[post("/api/admin/collections/add")]
pub(crate) async fn add_new_collection(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| collections::add_collection(tx, trail, &edit)).await?;
    of_collection(&app, added).await
}

/// A collection.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The collection.", body = CollectionAnswer)),
    security(("token" = []))
)]
#[get("/api/admin/collections/detail/{id}")]
pub(crate) async fn show_collection(app: Data<App>, _: Editor, id: Path<String>) -> Result<HttpResponse, ApiError> {
    let id: CollectionId = number(&id, "collection")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| collections::collection(tx, id)).await?;
    of_collection(&app, found).await
}

/// Changes a collection, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CollectionForm,
    responses((status = 200, description = "The updated collection.", body = CollectionAnswer), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/collections/detail/{id}")]
pub(crate) async fn change_collection(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let based: (CollectionId, _) = (number(&id, "collection")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| collections::edit_collection(tx, trail, based, edit)).await?;
    of_collection(&app, edited).await
}

/// Changes a collection: the same as `PUT` (`catalogue.collection-fields`).
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = CollectionForm,
    responses((status = 200, description = "The updated collection.", body = CollectionAnswer), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/collections/detail/{id}")]
pub(crate) async fn change_collection_by_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<CollectionForm>,
) -> Result<HttpResponse, ApiError> {
    let based: (CollectionId, _) = (number(&id, "collection")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| collections::edit_collection(tx, trail, based, edit)).await?;
    of_collection(&app, edited).await
}

/// Deletes a collection. Its books stay.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/collections/detail/{id}")]
pub(crate) async fn remove_collection(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: CollectionId = number(&id, "collection")?;
    run(&app, acting, move |tx, trail| collections::delete_collection(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A collection.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorCollection {
    /// Its id.
    id: i64,
    /// The title.
    title: String,
    /// A line below the title.
    subtitle: String,
    /// The URL of its picture.
    #[schema(required)]
    image: Option<String>,
    /// When it came into the catalogue.
    upload_date: i64,
    /// The ids of its categories, joined by commas.
    categories: String,
    /// Its chosen books, in their order; one without any holds the books of its categories.
    books: Vec<ChosenBook>,
    #[serde(flatten)]
    version: Version,
}

/// A book that was chosen for a collection.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChosenBook {
    /// Its id.
    id: i64,
    /// Its title.
    title: String,
    /// The author's name.
    author: String,
}

impl EditorCollection {
    /// A collection. `all` provides its categories, `names` the titles of the chosen books.
    pub(crate) fn of(Versioned { row, version }: Versioned<Collection>, all: &[Category], names: &[BookName]) -> Self {
        let chosen = |subid: &Slug| {
            let book = names.iter().find(|book| book.subid == *subid)?;
            Some(ChosenBook { id: book.id.get(), title: book.title.clone(), author: book.author.clone() })
        };
        let of_subid = |subid: &Slug| all.iter().find(|one| one.draft.subid == *subid).map(|one| one.id.to_string());
        let draft = row.draft;
        Self {
            id: row.id.get(),
            title: draft.title,
            subtitle: draft.subtitle,
            image: draft.image.as_deref().map(Media::url),
            upload_date: draft.upload_date.millis(),
            categories: draft.categories.iter().filter_map(of_subid).collect::<Vec<_>>().join(","),
            books: draft.books.iter().filter_map(chosen).collect(),
            version: version.into(),
        }
    }
}

/// All collections: not within `result`, as the documents have it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CollectionsAnswer {
    /// Always `ok`.
    #[schema(pattern = "^ok$")]
    pub(crate) status: &'static str,
    /// By their titles.
    pub(crate) results: Vec<EditorCollection>,
}

/// A collection: not within `result`, as the documents have it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CollectionAnswer {
    /// Always `ok`.
    #[schema(pattern = "^ok$")]
    pub(crate) status: &'static str,
    /// The collection.
    pub(crate) collection: EditorCollection,
}

/// Ids as a list, or joined by commas.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum Ids {
    List(Vec<i64>),
    Joined(String),
}

/// What an editor writes about a collection. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct CollectionForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// A line below the title.
    subtitle: Option<String>,
    /// The ids of its categories, as a list or joined by commas.
    categories: Option<Ids>,
    /// The ids of its chosen books, in their order. Empty for none: it holds the books of its categories then.
    #[schema(max_items = 500)]
    books: Option<Vec<i64>>,
}

/// The maximum number of books that can be chosen for a collection.
const MOST_BOOKS: usize = 500;

impl CollectionForm {
    /// Parses and validates the fields.
    pub(crate) fn read(self, is_new: bool) -> Result<CollectionEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        let invalid = |_| ApiError::invalid("categories", "An id is a positive number.");
        let categories = match self.categories {
            None => None,
            Some(Ids::List(ids)) => {
                Some(ids.into_iter().map(CategoryId::new).collect::<Result<Vec<_>, _>>().map_err(invalid)?)
            }
            Some(Ids::Joined(text)) => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Some(parts.map(str::parse).collect::<Result<Vec<CategoryId>, _>>().map_err(invalid)?)
            }
        };
        let invalid = |_| ApiError::invalid("books", "An id is a positive number.");
        let books = self.books.map(|ids| ids.into_iter().map(BookId::new).collect::<Result<Vec<_>, _>>());
        let books = books.transpose().map_err(invalid)?;
        if books.as_ref().is_some_and(|books| books.len() > MOST_BOOKS) {
            return Err(ApiError::invalid("books", "A collection has at most 500 chosen books."));
        }
        Ok(CollectionEdit { title: self.title, subtitle: self.subtitle, categories, books })
    }
}
