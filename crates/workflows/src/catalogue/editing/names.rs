//! Authors and tags: listing, adding, changing, merging duplicates, and deleting (`catalogue.names-merged`).

use admin::{AuditEvent, EditCommands, EditQueries, FieldChange, RowRef, Subject, SubjectKind};
use catalogue::{
    AuthorEdit, Catalogue, CatalogueError, CatalogueQueries, EditingCommands, EditingQueries, ListedAuthor, ListedTag,
    NamesQuery, Naming, Tag, slug_of,
};
use kernel::{AuthorId, ListTotal, Page, Slug, StoreError, TagId};

use crate::{audit::AuditTrail, tx::Tx};
use crate::{
    catalogue::editing::books,
    editing::{EditError, Versioned, advance, begin, changed, created, versioned},
};

/// A page of authors or tags, with their versions.
#[derive(Clone, Debug)]
pub struct NamesPage<T, Id> {
    pub page: Page<Versioned<T>, Id>,
    /// How many match the query.
    pub total: ListTotal,
}

const fn author_row(id: AuthorId) -> RowRef {
    RowRef { kind: SubjectKind::Author, id: id.get() }
}

const fn tag_row(id: TagId) -> RowRef {
    RowRef { kind: SubjectKind::Tag, id: id.get() }
}

/// A page of all authors, by their sort keys.
pub fn authors<A>(
    tx: &mut Tx<'_, '_, A>,
    query: &NamesQuery<AuthorId>,
) -> Result<NamesPage<ListedAuthor, AuthorId>, StoreError> {
    let found = tx.pg.listed_authors(query)?;
    let found = versioned(tx, SubjectKind::Author, found, |one| one.author.id.get())?;
    let page = Page::from_surplus(found, query.limit, |last| last.row.author.id);
    Ok(NamesPage { page, total: tx.pg.count_listed_authors(query)? })
}

/// Reads an author with its version. Fails with [`EditError::Unknown`] if there is no such author.
pub fn author<A>(tx: &mut Tx<'_, '_, A>, id: AuthorId) -> Result<Versioned<ListedAuthor>, EditError> {
    let row = tx.pg.listed_author(id)?.ok_or(EditError::Unknown("author"))?;
    Ok(Versioned { row, version: tx.pg.row_version(author_row(id))? })
}

/// The slug of an author's or a tag's name.
fn slug_of_name(name: &str) -> Result<Slug, EditError> {
    slug_of(name).ok_or(EditError::Missing { field: "name", label: "Name" })
}

/// Adds an author. Fails with [`EditError::NameTaken`] if another author has the same slug.
pub fn add_author(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: AuthorEdit,
) -> Result<Versioned<ListedAuthor>, EditError> {
    let slug = slug_of_name(edit.name.as_deref().unwrap_or_default())?;
    if tx.pg.author(&slug)?.is_some() {
        return Err(EditError::NameTaken);
    }
    let draft = edit.draft(slug);
    let now = tx.now();
    let id = tx.pg.save_author(&draft, now)?.id();
    created(trail, (author_row(id), &draft.name), "author.create");
    author(tx, id)
}

/// Changes an author, based on the version that the editor has read. A new name also changes the books' pages; the slug stays.
pub fn edit_author(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (AuthorId, Option<i64>),
    edit: AuthorEdit,
) -> Result<Versioned<ListedAuthor>, EditError> {
    begin(tx, author_row(id), read)?;
    let before = author(tx, id)?.row.author.draft;
    let draft = edit.applied(&before);
    let other = tx.pg.author(&slug_of_name(&draft.name)?)?;
    if draft.name != before.name && other.is_some_and(|other| other.id != id) {
        return Err(EditError::NameTaken);
    }
    let now = tx.now();
    let renamed = if draft.name == before.name { Vec::new() } else { books::lock_books(tx, Naming::Author(id))? };
    tx.pg.save_author(&draft, now)?;
    books::advance_books(tx, trail, &renamed)?;
    let after = author(tx, id)?.row.author.draft;
    let fields = [
        ("name", Some(&*before.name), Some(&*after.name)),
        ("sortName", before.sort_name.as_deref(), after.sort_name.as_deref()),
        ("description", Some(&*before.description), Some(&*after.description)),
    ];
    changed(tx, trail, (author_row(id), &after.name), "author.update", &fields)?;
    author(tx, id)
}

/// Records that one row was merged into another, which gets its next version.
fn merged(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (from, into): (RowRef, RowRef),
    names: (&str, &str),
    action: &'static str,
) -> Result<(), StoreError> {
    tx.pg.forget_row(from)?;
    advance(tx, trail, into)?;
    let change = FieldChange::between("into", None, Some(names.1));
    trail.record(AuditEvent::new(action, Subject::named(from.kind, from.id, names.0)).with([change]));
    Ok(())
}

/// Locks the two rows of a merge, the lower id first, so that two merges can't deadlock.
fn begin_merge(tx: &mut Tx<'_, '_>, (from, read): (RowRef, Option<i64>), into: RowRef) -> Result<(), EditError> {
    if from == into {
        let message = "Choose another one.".to_owned();
        return Err(CatalogueError::Invalid { field: "into", message }.into());
    }
    let mut rows = [(from, read), (into, None)];
    rows.sort_by_key(|(row, _)| row.id);
    for (row, read) in rows {
        begin(tx, row, read)?;
    }
    Ok(())
}

/// Merges the first author into the other, who gets the books. Returns the other author.
pub fn merge_authors(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (from, read): (AuthorId, Option<i64>),
    into: AuthorId,
) -> Result<Versioned<ListedAuthor>, EditError> {
    begin_merge(tx, (author_row(from), read), author_row(into))?;
    let (gone, kept) = (author(tx, from)?.row.author.draft, author(tx, into)?.row.author.draft);
    for (book, _) in tx.pg.books_naming(Naming::Author(from))? {
        books::rewrite_book(tx, trail, book, |draft| draft.author.clone_from(&kept.slug))?;
    }
    if !tx.pg.delete_author(from)? {
        return Err(EditError::InUse("A book by this author was just added. Try again.".to_owned()));
    }
    merged(tx, trail, (author_row(from), author_row(into)), (&gone.name, &kept.name), "author.merge")?;
    author(tx, into)
}

/// Deletes an author without books.
pub fn delete_author(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: AuthorId) -> Result<(), EditError> {
    begin(tx, author_row(id), None)?;
    let gone = author(tx, id)?.row;
    if !tx.pg.delete_author(id)? {
        let text = "There are books by this author. Merge the author with another one instead.";
        return Err(EditError::InUse(text.to_owned()));
    }
    crate::editing::deleted(tx, trail, (author_row(id), &gone.author.draft.name), "author.delete")
}

/// A page of all tags, by name.
pub fn tags<A>(tx: &mut Tx<'_, '_, A>, query: &NamesQuery<TagId>) -> Result<NamesPage<ListedTag, TagId>, StoreError> {
    let found = tx.pg.listed_tags(query)?;
    let found = versioned(tx, SubjectKind::Tag, found, |one| one.id.get())?;
    let page = Page::from_surplus(found, query.limit, |last| last.row.id);
    Ok(NamesPage { page, total: tx.pg.count_listed_tags(query)? })
}

/// Reads a tag with its version. Fails with [`EditError::Unknown`] if there is no such tag.
pub fn tag<A>(tx: &mut Tx<'_, '_, A>, id: TagId) -> Result<Versioned<ListedTag>, EditError> {
    let row = tx.pg.listed_tag(id)?.ok_or(EditError::Unknown("tag"))?;
    Ok(Versioned { row, version: tx.pg.row_version(tag_row(id))? })
}

/// Renames a tag, which also changes its slug, based on the version that the editor has read.
pub fn rename_tag(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (TagId, Option<i64>),
    name: &str,
) -> Result<Versioned<ListedTag>, EditError> {
    begin(tx, tag_row(id), read)?;
    let before = tag(tx, id)?.row.tag;
    let after = Tag::named(name).ok_or(EditError::Missing { field: "name", label: "Name" })?;
    if tx.pg.find_tag(&after.slug)?.is_some_and(|other| other != id) {
        return Err(EditError::NameTaken);
    }
    if after != before {
        let now = tx.now();
        let renamed = books::lock_books(tx, Naming::Tag(id))?;
        tx.pg.rename_tag(id, &after, now)?;
        books::advance_books(tx, trail, &renamed)?;
        let fields = [("name", Some(&*before.name), Some(&*after.name))];
        changed(tx, trail, (tag_row(id), &after.name), "tag.update", &fields)?;
    }
    tag(tx, id)
}

/// Merges the first tag into the other, which its books get. Returns the other tag.
pub fn merge_tags(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (from, read): (TagId, Option<i64>),
    into: TagId,
) -> Result<Versioned<ListedTag>, EditError> {
    begin_merge(tx, (tag_row(from), read), tag_row(into))?;
    let (gone, kept) = (tag(tx, from)?.row.tag, tag(tx, into)?.row.tag);
    let names = (gone.name.clone(), kept.name.clone());
    take_tag_off(tx, trail, from, &gone.slug, Some(&kept.name))?;
    merged(tx, trail, (tag_row(from), tag_row(into)), (&names.0, &names.1), "tag.merge")?;
    tag(tx, into)
}

/// Removes a tag from its books, which get the other tag if one is given, and deletes it.
fn take_tag_off(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: TagId,
    slug: &Slug,
    instead: Option<&String>,
) -> Result<(), EditError> {
    for (book, _) in tx.pg.books_naming(Naming::Tag(id))? {
        books::rewrite_book(tx, trail, book, |draft| draft.replace_tag(slug, instead))?;
    }
    if tx.pg.delete_tag(id)? {
        Ok(())
    } else {
        Err(EditError::InUse("A book with this tag was just added. Try again.".to_owned()))
    }
}

/// Deletes a tag, and removes it from its books.
pub fn delete_tag(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: TagId) -> Result<(), EditError> {
    begin(tx, tag_row(id), None)?;
    let gone = tag(tx, id)?.row.tag;
    take_tag_off(tx, trail, id, &gone.slug, None)?;
    crate::editing::deleted(tx, trail, (tag_row(id), &gone.name), "tag.delete")
}
