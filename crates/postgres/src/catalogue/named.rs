//! Authors, tags and other things that books refer to, as editors list and delete them.

use catalogue::{Author, AuthorDraft, ListedAuthor, ListedTag, NamesQuery, Naming, Tag};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use kernel::{AuthorId, BookId, ListTotal, Slug, StoreError, TagId, fold};

use super::rows::{count, slug};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value, count_rows},
    schema::{book_categories, book_goals, book_tags, books},
    statement::statement,
};

type AuthorTypes = (BigInt, Text, Text, Nullable<Text>, Text, BigInt, BigInt);
type AuthorRow = (i64, String, String, Option<String>, String, i64, i64);
type TagTypes = (BigInt, Text, Text, BigInt);
type TagRow = (i64, String, String, i64);

const SELECT_AUTHORS: &str = "SELECT a.id, a.slug, a.name, a.sort_name, a.description, a.book_count, \
     (SELECT count(*) FROM books b WHERE b.author_id = a.id) FROM authors a WHERE true";
const SELECT_TAGS: &str = "SELECT t.id, t.slug, t.name, \
     (SELECT count(*) FROM book_tags k WHERE k.tag_id = t.id) FROM tags t WHERE true";

fn author((id, slug_, name, sort_name, description, readable, books): AuthorRow) -> Result<ListedAuthor, StoreError> {
    let draft = AuthorDraft { slug: slug(&slug_)?, name, sort_name, description };
    let author = Author { id: AuthorId::from_store(id), draft, book_count: count(readable) };
    Ok(ListedAuthor { author, books: count(books) })
}

fn tag((id, slug_, name, books): TagRow) -> Result<ListedTag, StoreError> {
    Ok(ListedTag { id: TagId::from_store(id), tag: Tag { slug: slug(&slug_)?, name }, books: count(books) })
}

/// Adds a query's conditions on `authors a`, except for its page.
fn restrict_authors<Row>(select: &mut BuiltStatement<Row>, query: &NamesQuery<AuthorId>) {
    if let Some(text) = &query.text {
        select.sql(" AND (strpos(lower(a.name), lower(").value(Value::Text(text.clone()));
        select.sql(")) > 0 OR strpos(a.name_key, ").value(Value::Text(fold(text))).sql(") > 0");
        if let Ok(id) = text.parse::<AuthorId>() {
            select.sql(" OR a.id = ").value(Value::Int(id.get()));
        }
        select.sql(")");
    }
    if query.unused {
        select.sql(" AND NOT EXISTS (SELECT FROM books b WHERE b.author_id = a.id)");
    }
}

/// Adds a query's conditions on `tags t`, except for its page.
fn restrict_tags<Row>(select: &mut BuiltStatement<Row>, query: &NamesQuery<TagId>) {
    if let Some(text) = &query.text {
        select.sql(" AND (strpos(t.name, lower(").value(Value::Text(text.clone())).sql(")) > 0");
        if let Ok(id) = text.parse::<TagId>() {
            select.sql(" OR t.id = ").value(Value::Int(id.get()));
        }
        select.sql(")");
    }
    if query.unused {
        select.sql(" AND NOT EXISTS (SELECT FROM book_tags k WHERE k.tag_id = t.id)");
    }
}

pub(super) fn authors<A>(pg: &mut Pg<'_, A>, query: &NamesQuery<AuthorId>) -> Result<Vec<ListedAuthor>, StoreError> {
    let mut select: BuiltStatement<AuthorTypes> = BuiltStatement::new(SELECT_AUTHORS);
    restrict_authors(&mut select, query);
    if let Some(after) = query.after {
        select.sql(" AND (a.name_key, a.id) > (SELECT name_key, id FROM authors WHERE id = ");
        select.value(Value::Int(after.get())).sql(")");
    }
    select.sql(" ORDER BY a.name_key, a.id").limit(query.limit.with_surplus());
    let rows: Vec<AuthorRow> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(author).collect()
}

/// The number of authors that match a query.
pub(super) fn count_authors<A>(pg: &mut Pg<'_, A>, query: &NamesQuery<AuthorId>) -> Result<ListTotal, StoreError> {
    count_rows(pg, "FROM authors a WHERE true", |select| restrict_authors(select, query))
}

pub(super) fn author_numbered<A>(pg: &mut Pg<'_, A>, id: AuthorId) -> Result<Option<ListedAuthor>, StoreError> {
    let mut select: BuiltStatement<AuthorTypes> = BuiltStatement::new(SELECT_AUTHORS);
    select.sql(" AND a.id = ").value(Value::Int(id.get()));
    let row: Option<AuthorRow> = pg.run(|conn| select.get_result(conn).optional())?;
    row.map(author).transpose()
}

pub(super) fn tags<A>(pg: &mut Pg<'_, A>, query: &NamesQuery<TagId>) -> Result<Vec<ListedTag>, StoreError> {
    let mut select: BuiltStatement<TagTypes> = BuiltStatement::new(SELECT_TAGS);
    restrict_tags(&mut select, query);
    if let Some(after) = query.after {
        select.sql(" AND t.slug COLLATE \"C\" > (SELECT slug COLLATE \"C\" FROM tags WHERE id = ");
        select.value(Value::Int(after.get())).sql(")");
    }
    select.sql(" ORDER BY t.slug COLLATE \"C\"").limit(query.limit.with_surplus());
    let rows: Vec<TagRow> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(tag).collect()
}

/// The number of tags that match a query.
pub(super) fn count_tags<A>(pg: &mut Pg<'_, A>, query: &NamesQuery<TagId>) -> Result<ListTotal, StoreError> {
    count_rows(pg, "FROM tags t WHERE true", |select| restrict_tags(select, query))
}

pub(super) fn tag_numbered<A>(pg: &mut Pg<'_, A>, id: TagId) -> Result<Option<ListedTag>, StoreError> {
    let mut select: BuiltStatement<TagTypes> = BuiltStatement::new(SELECT_TAGS);
    select.sql(" AND t.id = ").value(Value::Int(id.get()));
    let row: Option<TagRow> = pg.run(|conn| select.get_result(conn).optional())?;
    row.map(tag).transpose()
}

/// The books that refer to this, ordered by id.
pub(super) fn books_naming<A>(pg: &mut Pg<'_, A>, name: Naming) -> Result<Vec<(BookId, Slug)>, StoreError> {
    let of_all = books::table.order(books::id).select((books::id, books::subid));
    let rows: Vec<(i64, String)> = pg.run(|conn| match name {
        Naming::Author(id) => of_all.filter(books::author_id.eq(id.get())).load(conn),
        Naming::Category(id) => {
            let of_it = book_categories::table.filter(book_categories::category_id.eq(id.get()));
            of_all.filter(books::id.eq_any(of_it.select(book_categories::book_id))).load(conn)
        }
        Naming::Goal(id) => {
            let of_it = book_goals::table.filter(book_goals::goal_id.eq(id.get()));
            of_all.filter(books::id.eq_any(of_it.select(book_goals::book_id))).load(conn)
        }
        Naming::Tag(id) => {
            let of_it = book_tags::table.filter(book_tags::tag_id.eq(id.get()));
            of_all.filter(books::id.eq_any(of_it.select(book_tags::book_id))).load(conn)
        }
    })?;
    rows.into_iter().map(|(id, subid)| Ok((BookId::from_store(id), slug(&subid)?))).collect()
}

statement! {
    DeleteAuthor { id: i64 } -> () = [
        "DELETE FROM authors a WHERE a.id = " (id: BigInt) "
            AND NOT EXISTS (SELECT FROM books b WHERE b.author_id = a.id)"
    ]
}

statement! {
    DeleteTag { id: i64 } -> () = [
        "DELETE FROM tags t WHERE t.id = " (id: BigInt) " AND NOT EXISTS (SELECT FROM book_tags k WHERE k.tag_id = t.id)"
    ]
}

statement! {
    DeleteCategory { id: i64 } -> () = [
        "DELETE FROM categories c WHERE c.id = " (id: BigInt) "
            AND NOT EXISTS (SELECT FROM book_categories k WHERE k.category_id = c.id)"
    ]
}

statement! {
    DeleteGoal { id: i64 } -> () = [
        "DELETE FROM goals g WHERE g.id = " (id: BigInt) " AND NOT EXISTS (SELECT FROM book_goals k WHERE k.goal_id = g.id)"
    ]
}

statement! {
    DeleteCollection { id: i64 } -> () = ["DELETE FROM collections WHERE id = " (id: BigInt)]
}

/// A row to delete. All but collections can be deleted only while no book refers to them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deleted {
    Author(i64),
    Tag(i64),
    Category(i64),
    Goal(i64),
    Collection(i64),
}

/// Deletes a row that no book refers to; returns whether it did.
pub(super) fn delete(pg: &mut Pg<'_>, row: Deleted) -> Result<bool, StoreError> {
    let deleted = pg.run(|conn| match row {
        Deleted::Author(id) => DeleteAuthor { id }.execute(conn),
        Deleted::Tag(id) => DeleteTag { id }.execute(conn),
        Deleted::Category(id) => DeleteCategory { id }.execute(conn),
        Deleted::Goal(id) => DeleteGoal { id }.execute(conn),
        Deleted::Collection(id) => DeleteCollection { id }.execute(conn),
    })?;
    pg.record_change(Change::Catalogue);
    Ok(deleted > 0)
}

statement! {
    /// Locks a book, so that no member starts to use it meanwhile; returns whether the catalogue's counts include it.
    LockBook { id: i64 } -> Bool = [
        "SELECT published AND NOT coming_soon FROM books WHERE id = " (id: BigInt) " FOR UPDATE"
    ]
}

statement! {
    /// Whether a member has opened, read, kept, planned, rated or bought a book.
    SelectHasReaders { id: i64 } -> Bool = [
        "SELECT EXISTS (SELECT FROM opened_books WHERE book_id = b.id) OR EXISTS (SELECT FROM history WHERE book_id = b.id)
            OR EXISTS (SELECT FROM library WHERE book_id = b.id) OR EXISTS (SELECT FROM completions WHERE book_id = b.id)
            OR EXISTS (SELECT FROM ratings WHERE book_id = b.id) OR EXISTS (SELECT FROM deliveries WHERE book_id = b.id)
            OR EXISTS (SELECT FROM ten_day_books WHERE book_id = b.id)
            OR EXISTS (SELECT FROM publication_notices WHERE book_id = b.id)
            OR EXISTS (SELECT FROM ledger_transactions WHERE plan_id = 'book-' || b.subid)
            OR EXISTS (SELECT FROM checkouts WHERE plan_id = 'book-' || b.subid)
        FROM books b WHERE b.id = " (id: BigInt)
    ]
}

statement! {
    /// Deletes a book, and the references to it in posts and insights.
    DeleteBook { id: i64 } -> () = [
        "WITH old AS (SELECT subid FROM books WHERE id = " (id: BigInt) "),
            posts AS (UPDATE posts SET book = NULL FROM old WHERE posts.book = old.subid),
            insights AS (UPDATE insights SET book = NULL FROM old WHERE insights.book = old.subid)
        DELETE FROM books WHERE id = " (id: BigInt)
    ]
}

/// Deletes a book without readers; returns whether it did.
pub(super) fn delete_book(pg: &mut Pg<'_>, book: BookId) -> Result<bool, StoreError> {
    let id = book.get();
    let Some(counted) = pg.run(|conn| LockBook { id }.get_result::<bool>(conn).optional())? else { return Ok(false) };
    if pg.run(|conn| SelectHasReaders { id }.get_result::<bool>(conn))? {
        return Ok(false);
    }
    if counted {
        super::save::uncount(pg, id)?;
    }
    pg.run(|conn| DeleteBook { id }.execute(conn))?;
    pg.record_change(Change::Book(book));
    pg.record_change(Change::Catalogue);
    Ok(true)
}
