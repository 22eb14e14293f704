//! The site's pages and product pages for editors (`admin.site-content`).

use actix_web::{delete, get, put, web::Data};
use kernel::StoreError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{
    editing::{EditError, Versioned},
    editorial::editing::pages::{self, EditedPage, PageContent, PageEdit},
};

use crate::{
    app::App,
    editing::{Version, run},
    editorial::back_office::publication::{PublicationForm, PublicationState},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::Answer,
    },
};

/// The pages of the site and of the products.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPagesResult>)), security(("token" = [])))]
#[get("/api/admin/pages")]
pub(crate) async fn list_edited_pages(app: Data<App>, _: Editor) -> Result<Answer<EditorPagesResult>, ApiError> {
    Ok(Answer::new(app.read_tx::<_, StoreError, _>(pages::pages).await?.into()))
}

/// A page with its texts, as they are written.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "Its name, such as `about`.")),
    responses((status = 200, description = "The page.", body = Answer<EditorPageResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/pages/{id}")]
pub(crate) async fn show_edited_page(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPageResult>, ApiError> {
    let id = id.to_string();
    Ok(Answer::new(app.read_tx::<_, EditError, _>(move |tx| pages::page(tx, &id)).await?.into()))
}

/// Changes a page, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "Its name, such as `about`.")),
    request_body = PageForm,
    responses((status = 200, description = "The updated page.", body = Answer<EditorPageResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/pages/{id}")]
pub(crate) async fn change_page(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PageForm>,
) -> Result<Answer<EditorPageResult>, ApiError> {
    let (id, version) = (id.to_string(), form.version);
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| pages::edit_page(tx, trail, (&id, version), edit)).await?;
    Ok(Answer::new(edited.into()))
}

/// Removes the draft of a page: editors see again what the public reads.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "Its name, such as `about`.")),
    responses((status = 200, description = "The published page.", body = Answer<EditorPageResult>), NotFound, Conflict),
    security(("token" = []))
)]
#[delete("/api/admin/pages/{id}/draft")]
pub(crate) async fn discard_draft(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<EditorPageResult>, ApiError> {
    let id = id.to_string();
    let page = run(&app, acting, move |tx, trail| pages::discard_page_draft(tx, trail, &id)).await?;
    Ok(Answer::new(page.into()))
}

/// Of what kind a page is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PageKind {
    /// One text in HTML.
    Site,
    /// Texts in plain words around what is sold.
    Product,
}

/// A page in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorPageRow {
    /// Its name.
    id: String,
    /// Where it is read.
    path: String,
    /// Of what kind it is.
    kind: PageKind,
    /// Its title; empty while it was not written.
    title: String,
    /// A page is always there: what is not published is a draft beside what the public reads.
    #[serde(flatten)]
    publication: PublicationState,
    #[serde(flatten)]
    version: Version,
}

/// All pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPagesResult {
    /// The pages.
    pages: Vec<EditorPageRow>,
}

/// One of the texts of a page of a product.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorPageText {
    /// Its name, such as `block.0.title`.
    name: String,
    /// What it is, for people.
    label: String,
    /// The text, in plain words, with placeholders such as `{price.yearly}`.
    text: String,
    /// Whether it is a paragraph rather than a line.
    long: bool,
}

/// A page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorPage {
    #[serde(flatten)]
    row: EditorPageRow,
    /// What search engines show; empty of a product's page.
    description: String,
    /// The text in HTML; empty of a product's page.
    text: String,
    /// The texts of a product's page, in their order on it.
    texts: Vec<EditorPageText>,
}

/// A page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorPageResult {
    /// The page.
    page: EditorPage,
}

fn page_row(page: &Versioned<EditedPage>) -> EditorPageRow {
    let kind = match page.row.content {
        PageContent::Site(_) => PageKind::Site,
        PageContent::Product(_) => PageKind::Product,
    };
    let EditedPage { slug, path, title, publication, .. } = page.row.clone();
    let (publication, version) = (publication.into(), page.version.clone().into());
    EditorPageRow { id: slug.to_owned(), path, kind, title, publication, version }
}

impl From<Vec<Versioned<EditedPage>>> for EditorPagesResult {
    fn from(pages: Vec<Versioned<EditedPage>>) -> Self {
        Self { pages: pages.iter().map(page_row).collect() }
    }
}

impl From<Versioned<EditedPage>> for EditorPageResult {
    fn from(page: Versioned<EditedPage>) -> Self {
        let row = page_row(&page);
        let page = match page.row.content {
            PageContent::Site(one) => {
                EditorPage { row, description: one.description, text: one.text, texts: Vec::new() }
            }
            PageContent::Product(texts) => {
                let texts = texts.into_iter().map(|one| EditorPageText {
                    name: one.name,
                    label: one.label,
                    text: one.text,
                    long: one.is_long,
                });
                EditorPage { row, description: String::new(), text: String::new(), texts: texts.collect() }
            }
        };
        Self { page }
    }
}

/// A text of a product's page.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct PageTextForm {
    /// Its name.
    name: String,
    /// The text, in plain words.
    text: String,
}

/// What an editor writes of a page. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct PageForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// What search engines show.
    description: Option<String>,
    /// The text in HTML. What may not stand in one is taken out.
    text: Option<String>,
    /// The texts of a product's page.
    #[serde(default)]
    texts: Vec<PageTextForm>,
    #[serde(flatten)]
    publication: PublicationForm,
}

impl PageForm {
    /// Parses and validates the fields in the order of the form.
    pub(crate) fn read(self) -> Result<PageEdit, ApiError> {
        let fields = [
            ("title", "Title", &self.title),
            ("description", "Description", &self.description),
            ("text", "Text", &self.text),
        ];
        for (field, label, text) in fields {
            if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
                return Err(ApiError::invalid(field, format!("Please specify {label}.")));
            }
        }
        let texts = self.texts.into_iter().map(|one| (one.name, one.text)).collect();
        let publication = self.publication.into();
        Ok(PageEdit { title: self.title, description: self.description, text: self.text, texts, publication })
    }
}
