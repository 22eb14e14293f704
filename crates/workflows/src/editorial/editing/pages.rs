//! Editing the site's pages and the product pages.

use admin::{EditQueries, RowVersion, SubjectKind};
use billing::BillingQueries;
use editorial::{Editorial, EditorialError, EditorialQueries, PageTexts, SitePage, SitePageDraft};
use kernel::{Slug, StoreError, Timestamp};
use std::collections::BTreeMap;

use crate::{
    audit::AuditTrail,
    editing::{EditError, Field, Versioned, begin, changed, row_ref},
    editorial::product_pages::{self, PageText},
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
    pub content: PageContent,
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
}

fn numbered(slug: &str) -> Result<(&'static str, i64), EditError> {
    PAGES.into_iter().find(|(name, _)| *name == slug).ok_or(EditError::Unknown("page"))
}

fn slug_of(name: &'static str) -> Result<Slug, StoreError> {
    Slug::parse(name).map_err(StoreError::new)
}

/// Reads a page; a page of the site that was never saved is empty.
fn read_page<A>(tx: &mut Tx<'_, '_, A>, name: &'static str) -> Result<EditedPage, StoreError> {
    let slug = slug_of(name)?;
    let texts = tx.pg.page_texts(&slug)?;
    if let Some((path, texts)) = product_pages::edited_texts(name, &texts) {
        let title = texts.iter().find(|one| one.name == "title").map(|one| one.text.clone()).unwrap_or_default();
        return Ok(EditedPage { slug: name, path, title, content: PageContent::Product(texts) });
    }
    let page = tx.pg.site_page(&slug)?.unwrap_or_else(|| SitePage {
        slug,
        title: String::new(),
        description: String::new(),
        text: String::new(),
        revised_at: Timestamp::from_millis(0),
    });
    Ok(EditedPage { slug: name, path: format!("/{name}"), title: page.title.clone(), content: PageContent::Site(page) })
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

/// Changes a page, based on the version that the editor has read.
pub fn edit_page(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (slug, read): (&str, Option<i64>),
    edit: PageEdit,
) -> Result<Versioned<EditedPage>, EditError> {
    let (name, number) = numbered(slug)?;
    let row = row_ref(SubjectKind::Page, number);
    begin(tx, row, read)?;
    match read_page(tx, name)?.content {
        PageContent::Site(before) => {
            let draft = SitePageDraft {
                title: edit.title.unwrap_or_else(|| before.title.clone()),
                description: edit.description.unwrap_or_else(|| before.description.clone()),
                text: edit.text.unwrap_or_else(|| before.text.clone()),
                ..before.clone()
            };
            if draft != before {
                // The page shows when it was revised.
                let revised_at = tx.now();
                tx.pg.save_site_page(&SitePageDraft { revised_at, ..draft })?;
            }
            let after = tx.pg.site_page(&slug_of(name)?)?.ok_or(EditError::Unknown("page"))?;
            let fields: [Field<'_>; 3] = [
                ("title", Some(&before.title), Some(&after.title)),
                ("description", Some(&before.description), Some(&after.description)),
                ("text", Some(&before.text), Some(&after.text)),
            ];
            changed(tx, trail, (row, name), "page.update", &fields)?;
        }
        PageContent::Product(before) => {
            if edit.texts.keys().any(|one| before.iter().all(|text| text.name != *one)) {
                return Err(EditError::Unknown("text"));
            }
            let plans = tx.pg.plans()?;
            if let Some(left) = edit.texts.values().find_map(|text| product_pages::unknown_placeholder(text, &plans)) {
                return Err(EditorialError::UnknownPlaceholder(left).into());
            }
            tx.pg.save_page_texts(&slug_of(name)?, &edit.texts)?;
            let PageContent::Product(after) = read_page(tx, name)?.content else {
                return Err(EditError::Unknown("page"));
            };
            // The audit log calls all of them `text`; the text itself shows which block it was.
            let fields: Vec<Field<'_>> = before
                .iter()
                .zip(&after)
                .map(|(a, b)| ("text", Some(a.text.as_str()), Some(b.text.as_str())))
                .collect();
            changed(tx, trail, (row, name), "page.update", &fields)?;
        }
    }
    page(tx, name)
}
