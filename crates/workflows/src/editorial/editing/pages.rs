//! Editing the site's pages and the product pages.

use std::collections::BTreeMap;

use admin::{EditQueries, RowRef, RowVersion, SubjectKind};
use billing::BillingQueries;
use editorial::{
    Editorial, EditorialError, EditorialQueries, PageTexts, Publication, PublicationEdit, SitePage, SitePageDraft,
    clean,
};
use kernel::{Slug, StoreError, Timestamp, one_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    audit::{AuditTrail, run_as},
    editing::{EditError, Field, Versioned, begin, changed, keep_revision, row_ref},
    editorial::{
        editing::{
            publication::PUBLISHER,
            revisions::{TextFields, add_publication, text_fields},
        },
        product_pages::{self, PageText},
    },
    tx::Tx,
};

/// The pages that editors write: their slugs, and their ids in the audit log and among the row versions. An id never changes.
const PAGES: [(&str, i64); 7] =
    [("about", 1), ("terms", 2), ("privacy", 3), ("try", 4), ("teams", 5), ("giftcard", 6), ("affiliate", 7)];

/// The content of a page that editors change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageContent {
    /// A page of the site: one HTML text.
    Site(SitePage),
    /// A product page: plain texts, in the order of the page.
    Product(Vec<PageText>),
}

/// A page as editors see it, with its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedPage {
    pub slug: &'static str,
    /// The path of the page.
    pub path: String,
    pub title: String,
    /// The draft, if the page has one; else the published texts.
    pub content: PageContent,
    /// Whether the content is what the public reads. The page itself is always there.
    pub publication: Publication,
}

/// What editors have written of a page and the public does not read yet, as it is stored among the parts of the site's frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct PageDraft {
    title: String,
    description: String,
    /// The sanitized HTML of a page of the site.
    text: String,
    /// The texts of a product page, by name.
    texts: PageTexts,
    /// When it is published, in milliseconds since the Unix epoch.
    publish_at: Option<i64>,
}

/// An editor's changes to a page. A field that is `None`, or a text that is not named, stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageEdit {
    /// The title of a page of the site.
    pub title: Option<String>,
    /// The description that search engines show.
    pub description: Option<String>,
    /// The HTML text of a page of the site.
    pub text: Option<String>,
    /// Texts of a product page, by name.
    pub texts: PageTexts,
    pub publication: PublicationEdit,
}

impl PageEdit {
    /// The edit that brings back the fields of a revision.
    pub(super) fn of_revision(mut fields: TextFields) -> Self {
        fields.retain(|name, _| name != "published" && name != "publishAt");
        let is_site = fields.contains_key("text");
        let mut of_site = |name: &str| if is_site { fields.remove(name) } else { None };
        let (title, description, text) = (of_site("title"), of_site("description"), of_site("text"));
        Self { title, description, text, texts: fields, ..Self::default() }
    }
}

fn numbered(slug: &str) -> Result<(&'static str, i64), EditError> {
    PAGES.into_iter().find(|(name, _)| *name == slug).ok_or(EditError::Unknown("page"))
}

fn slug_of(name: &'static str) -> Result<Slug, StoreError> {
    Slug::parse(name).map_err(StoreError::new)
}

/// A page of the site that was never saved.
fn empty_page(slug: &Slug) -> SitePage {
    SitePage {
        slug: slug.clone(),
        title: String::new(),
        description: String::new(),
        text: String::new(),
        revised_at: Timestamp::from_millis(0),
    }
}

/// The row of a page among the row versions; fails with [`EditError::Unknown`] if editors don't write this page.
pub(super) fn page_row(slug: &str) -> Result<RowRef, EditError> {
    Ok(row_ref(SubjectKind::Page, numbered(slug)?.1))
}

/// The name of a page's draft among the parts of the site's frame. The part is null once the draft is gone.
fn draft_name(page: &str) -> String {
    format!("draft.{page}")
}

fn page_draft<A>(tx: &mut Tx<'_, '_, A>, page: &str) -> Result<Option<PageDraft>, StoreError> {
    let stored = tx.pg.site_content(&draft_name(page))?.filter(|value| !value.is_null());
    stored.map(serde_json::from_value).transpose().map_err(StoreError::new)
}

/// Reads a page with its draft, if it has one; a page of the site that was never saved is empty.
fn read_page<A>(tx: &mut Tx<'_, '_, A>, name: &'static str) -> Result<EditedPage, StoreError> {
    let draft = page_draft(tx, name)?;
    let publication = draft.as_ref().map_or(Publication::Published, |draft| {
        Publication::from_parts(false, draft.publish_at.map(Timestamp::from_millis))
    });
    let published = published_page(tx, name, draft.as_ref().map(|draft| &draft.texts))?;
    let (Some(draft), PageContent::Site(page)) = (draft, &published.content) else {
        return Ok(EditedPage { publication, ..published });
    };
    let PageDraft { title, description, text, .. } = draft;
    let page = SitePage { title: title.clone(), description, text, ..page.clone() };
    Ok(EditedPage { publication, title, content: PageContent::Site(page), ..published })
}

/// Reads what is published of a page, and for a product page the texts of its draft in place of those.
fn published_page<A>(
    tx: &mut Tx<'_, '_, A>,
    name: &'static str,
    drafted: Option<&PageTexts>,
) -> Result<EditedPage, StoreError> {
    let slug = slug_of(name)?;
    let publication = Publication::Published;
    let mut texts = tx.pg.page_texts(&slug)?;
    texts.extend(drafted.cloned().unwrap_or_default());
    if let Some((path, texts)) = product_pages::edited_texts(name, &texts) {
        let title = texts.iter().find(|one| one.name == "title").map(|one| one.text.clone()).unwrap_or_default();
        return Ok(EditedPage { slug: name, path, title, content: PageContent::Product(texts), publication });
    }
    let page = tx.pg.site_page(&slug)?.unwrap_or_else(|| empty_page(&slug));
    let (path, title) = (format!("/{name}"), page.title.clone());
    Ok(EditedPage { slug: name, path, title, content: PageContent::Site(page), publication })
}

/// All pages that editors write, with their versions.
pub fn pages<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<EditedPage>>, StoreError> {
    let numbers = PAGES.map(|(_, number)| number);
    let versions: BTreeMap<i64, RowVersion> = tx.pg.row_versions(SubjectKind::Page, &numbers)?.into_iter().collect();
    let version = |number| versions.get(&number).cloned().unwrap_or(RowVersion::FIRST);
    PAGES
        .into_iter()
        .map(|(name, number)| Ok(Versioned { row: read_page(tx, name)?, version: version(number) }))
        .collect()
}

/// Reads a page with its version. Fails with [`EditError::Unknown`] if editors don't write this page.
pub fn page<A>(tx: &mut Tx<'_, '_, A>, slug: &str) -> Result<Versioned<EditedPage>, EditError> {
    let (name, number) = numbered(slug)?;
    Ok(Versioned { row: read_page(tx, name)?, version: tx.pg.row_version(row_ref(SubjectKind::Page, number))? })
}

/// Changes a page, based on the version that the editor has read. What is not published yet becomes a draft beside what the
/// public reads (`editorial.page-drafts`).
pub fn edit_page(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (slug, read): (&str, Option<i64>),
    edit: PageEdit,
) -> Result<Versioned<EditedPage>, EditError> {
    let (name, number) = numbered(slug)?;
    let row = row_ref(SubjectKind::Page, number);
    let version = begin(tx, row, read)?;
    let before = read_page(tx, name)?;
    let now = tx.now();
    let (publication, _) = edit.publication.applied(before.publication, now, now);
    let draft = match &before.content {
        PageContent::Site(page) => site_page_draft(page, edit)?,
        PageContent::Product(texts) => {
            let there = page_draft(tx, name)?.unwrap_or_default();
            product_page_draft(tx, texts, there, edit.texts)?
        }
    };
    if publication.is_published() {
        publish_page(tx, name, draft)?;
    } else {
        let draft = PageDraft { publish_at: publication.publish_at().map(Timestamp::millis), ..draft };
        let value = serde_json::to_value(draft).map_err(StoreError::new)?;
        if tx.pg.site_content(&draft_name(name))?.as_ref() != Some(&value) {
            tx.pg.save_site_content(&draft_name(name), &value)?;
        }
    }
    record_page(tx, trail, (row, &version), &before)
}

/// Removes the draft of a page: editors see again what the public reads.
pub fn discard_page_draft(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    slug: &str,
) -> Result<Versioned<EditedPage>, EditError> {
    let (name, number) = numbered(slug)?;
    let row = row_ref(SubjectKind::Page, number);
    let version = begin(tx, row, None)?;
    let before = read_page(tx, name)?;
    if !before.publication.is_published() {
        tx.pg.save_site_content(&draft_name(name), &Value::Null)?;
    }
    record_page(tx, trail, (row, &version), &before)
}

/// Publishes the drafts of pages whose publication moment has come, each as a recorded change.
pub(super) fn publish_due_pages(tx: &mut Tx<'_, '_>, now: Timestamp) -> Result<(), EditError> {
    for (name, _) in PAGES {
        let publish_at = page_draft(tx, name)?.and_then(|draft| draft.publish_at);
        if publish_at.is_some_and(|at| Timestamp::from_millis(at) <= now) {
            run_as(tx, PUBLISHER, |tx, trail| edit_page(tx, trail, (name, None), PageEdit::default()))?;
        }
    }
    Ok(())
}

/// A page of the site with an edit applied.
fn site_page_draft(page: &SitePage, edit: PageEdit) -> Result<PageDraft, EditError> {
    let draft = PageDraft {
        title: edit.title.unwrap_or_else(|| page.title.clone()),
        description: edit.description.unwrap_or_else(|| page.description.clone()),
        text: edit.text.map_or_else(|| page.text.clone(), |text| clean(&text)),
        ..PageDraft::default()
    };
    let fields = [
        (editorial::Field::Title, &draft.title),
        (editorial::Field::Description, &draft.description),
        (editorial::Field::Text, &draft.text),
    ];
    // An edit that changes nothing is none, also for a page that was never written.
    let is_same = (&draft.title, &draft.description, &draft.text) == (&page.title, &page.description, &page.text);
    let blank = fields.into_iter().find(|(_, text)| text.trim().is_empty()).map(|(field, _)| field);
    match blank.filter(|_| !is_same) {
        Some(field) => Err(EditorialError::Blank(field).into()),
        None => Ok(draft),
    }
}

/// A product page's draft with other texts added to those of the draft `there`.
fn product_page_draft(
    tx: &mut Tx<'_, '_>,
    known: &[PageText],
    there: PageDraft,
    texts: PageTexts,
) -> Result<PageDraft, EditError> {
    if texts.keys().any(|one| known.iter().all(|text| text.name != *one)) {
        return Err(EditError::Unknown("text"));
    }
    let plans = tx.pg.plans()?;
    if let Some(left) = texts.values().find_map(|text| product_pages::unknown_placeholder(text, &plans)) {
        return Err(EditorialError::UnknownPlaceholder(left).into());
    }
    if texts.values().any(|text| text.trim().is_empty()) {
        return Err(EditorialError::Blank(editorial::Field::Text).into());
    }
    let mut all = there.texts;
    // A text that is the present one keeps following the product's own.
    let is_new = |name: &str, text: &str| known.iter().all(|one| one.name != name || one.text != text);
    all.extend(texts.into_iter().map(|(name, text)| (name, one_line(&text))).filter(|(name, text)| is_new(name, text)));
    Ok(PageDraft { texts: all, ..PageDraft::default() })
}

/// Makes a draft what the public reads.
fn publish_page(tx: &mut Tx<'_, '_>, name: &'static str, draft: PageDraft) -> Result<(), EditError> {
    let slug = slug_of(name)?;
    match published_page(tx, name, None)?.content {
        PageContent::Site(before) => {
            let PageDraft { title, description, text, .. } = draft;
            let page = SitePageDraft { title, description, text, ..before.clone() };
            if page != before {
                // The page shows when it was revised.
                let revised_at = tx.now();
                tx.pg.save_site_page(&SitePageDraft { revised_at, ..page })?;
            }
        }
        PageContent::Product(_) => tx.pg.save_page_texts(&slug, &draft.texts)?,
    }
    if page_draft(tx, name)?.is_some() {
        tx.pg.save_site_content(&draft_name(name), &Value::Null)?;
    }
    Ok(())
}

/// Records a change of a page: its next version, a revision, an entry in the audit log. Does nothing if no field changed.
fn record_page(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, version): (RowRef, &RowVersion),
    before: &EditedPage,
) -> Result<Versioned<EditedPage>, EditError> {
    let after = read_page(tx, before.slug)?;
    let (from, to) = (fields_of(before), fields_of(&after));
    let is_site = matches!(after.content, PageContent::Site(_));
    // The audit log calls all texts of a product page `text`; the text itself shows which block it was.
    let called = |name: &str| match name {
        "title" if is_site => "title",
        "description" => "description",
        "published" => "published",
        "publishAt" => "publishAt",
        _ => "text",
    };
    let names = to.keys().chain(from.keys().filter(|name| !to.contains_key(*name)));
    let fields: Vec<Field<'_>> = names
        .map(|name| (called(name), from.get(name).map(String::as_str), to.get(name).map(String::as_str)))
        .collect();
    changed(tx, trail, (row, before.slug), "page.update", &fields)?;
    let added_at = match &before.content {
        PageContent::Site(page) if page.revised_at.millis() > 0 => page.revised_at,
        PageContent::Site(_) | PageContent::Product(_) => tx.now(),
    };
    keep_revision(tx, trail, (row, version, added_at), (&from, &to))?;
    page(tx, before.slug)
}

/// The fields that a revision stores.
fn fields_of(page: &EditedPage) -> TextFields {
    match &page.content {
        PageContent::Site(one) => {
            let fields: [(&str, &str); 3] =
                [("title", one.title.as_str()), ("description", &one.description), ("text", &one.text)];
            text_fields(fields, page.publication)
        }
        PageContent::Product(texts) => {
            let mut fields = texts.iter().map(|one| (one.name.clone(), one.text.clone())).collect();
            add_publication(&mut fields, page.publication);
            fields
        }
    }
}
