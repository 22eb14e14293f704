//! Authors, tags and collections: their lists, and searches by similar names.

use catalogue::{AuthorCard, AuthorCursor, AuthorsQuery, Collection, CollectionDraft, CollectionTies, Letter, Tag};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, RunQueryDsl, insert_into,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz},
    update,
};
use kernel::{AuthorId, CollectionId, DateCursor, Limit, StoreError};

use super::{
    rows::{count, slug},
    search::end_of,
};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value},
    schema::{collection_books, collection_categories, collections},
    statement::statement,
    time::{from_db, to_db},
};

/// A row of the author directory: id, slug, name, number of books, sort key.
type AuthorTypes = (BigInt, Text, Text, BigInt, Text);
type AuthorRow = (i64, String, String, i64, String);

/// A row of a collection: its columns, the slugs of its categories, and the slugs of its chosen books in their order.
type CollectionTypes = (BigInt, Text, Text, Nullable<Text>, Timestamptz, Array<Text>, Array<Text>);
type CollectionRow = (i64, String, String, Option<String>, DateTime<Utc>, Vec<String>, Vec<String>);

statement! {
    /// The letters that have an author, each looked up in the directory's index; and whether other first characters have one.
    SelectLetters {} -> (Array<Text>, Bool) = [
        "SELECT ARRAY(SELECT letter FROM (SELECT chr(code) COLLATE \"C\" AS letter, chr(code + 1) COLLATE \"C\" AS next
                FROM generate_series(97, 122) AS code) letters
            WHERE EXISTS (SELECT FROM authors WHERE book_count > 0 AND name_key >= letter AND name_key < next)
            ORDER BY letter),
        EXISTS (SELECT FROM authors WHERE book_count > 0 AND name_key < 'a')
            OR EXISTS (SELECT FROM authors WHERE book_count > 0 AND name_key >= '{')"
    ]
}

statement! {
    /// Authors whose names are similar to a text or begin with it, most similar first.
    SelectAuthorsLike { text: String, from: String, to: String } -> AuthorTypes = [
        "WITH sought AS (SELECT " (text: Text) "::text AS text)
        (SELECT a.id, a.slug, a.name, a.book_count, a.name_key FROM authors a, sought
            WHERE a.book_count > 0 AND sought.text <% a.name_key
            ORDER BY word_similarity(sought.text, a.name_key) DESC, a.book_count DESC, a.id LIMIT 20)
        UNION (SELECT id, slug, name, book_count, name_key FROM authors
            WHERE book_count > 0 AND name_key >= " (from: Text) " AND name_key < " (to: Text) " ORDER BY name_key, id LIMIT 20)"
    ]
}

statement! {
    /// Tags of published books that are similar to a text or begin with it, most similar first.
    SelectTagsLike { text: String, from: String, to: String } -> (Text, Text) = [
        "WITH sought AS (SELECT " (text: Text) "::text AS text)
        (SELECT t.slug, t.name FROM tags t, sought WHERE sought.text <% t.slug AND EXISTS (
                SELECT FROM book_tags k JOIN books b ON b.id = k.book_id WHERE k.tag_id = t.id AND b.published)
            ORDER BY word_similarity(sought.text, t.slug) DESC, t.id LIMIT 20)
        UNION (SELECT t.slug, t.name FROM tags t
            WHERE t.slug COLLATE \"C\" >= " (from: Text) " AND t.slug COLLATE \"C\" < " (to: Text) " AND EXISTS (
                SELECT FROM book_tags k JOIN books b ON b.id = k.book_id WHERE k.tag_id = t.id AND b.published)
            ORDER BY t.slug COLLATE \"C\" LIMIT 20)"
    ]
}

statement! {
    /// Collections whose titles are similar to a text or begin with it, most similar first.
    SelectCollectionsLike { text: String, from: String, to: String } -> (Array<BigInt>,) = [
        "WITH sought AS (SELECT " (text: Text) "::text AS text)
        SELECT ARRAY(
            (SELECT c.id FROM collections c, sought WHERE sought.text <% c.title_key
                ORDER BY word_similarity(sought.text, c.title_key) DESC, c.id LIMIT 20)
            UNION (SELECT id FROM collections WHERE title_key >= " (from: Text) " AND title_key < " (to: Text) "
                ORDER BY title_key, id LIMIT 20))"
    ]
}

fn author_of((id, slug_, name, books, key): AuthorRow) -> Result<(AuthorCard, AuthorCursor), StoreError> {
    let id = AuthorId::from_store(id);
    Ok((
        AuthorCard { id, slug: slug(&slug_)?, name, letter: Letter::of_key(&key), book_count: count(books) },
        AuthorCursor { key, id },
    ))
}

/// A page of the author directory.
pub(super) fn authors<A>(
    pg: &mut Pg<'_, A>,
    query: &AuthorsQuery,
) -> Result<Vec<(AuthorCard, AuthorCursor)>, StoreError> {
    let mut statement: BuiltStatement<AuthorTypes> =
        BuiltStatement::new("SELECT id, slug, name, book_count, name_key FROM authors WHERE book_count > 0");
    match query.letter {
        Some(Letter::Of(letter)) => {
            let bounds = [letter, letter + 1].map(|letter| char::from(letter).to_string());
            let [from, to] = bounds;
            statement.sql(" AND name_key >= ").value(Value::Text(from)).sql(" AND name_key < ").value(Value::Text(to));
        }
        Some(Letter::Other) => {
            statement.sql(" AND (name_key < 'a' OR name_key >= '{')");
        }
        None => {}
    }
    if let Some(AuthorCursor { key, id }) = &query.after {
        statement
            .sql(" AND (name_key, id) > (")
            .value(Value::Text(key.clone()))
            .sql(", ")
            .value(Value::Int(id.get()))
            .sql(")");
    }
    statement.sql(" ORDER BY name_key, id").limit(query.limit.with_surplus());
    let rows: Vec<AuthorRow> = pg.run(|conn| statement.load(conn))?;
    rows.into_iter().map(author_of).collect()
}

/// The letters that have at least one author.
pub(super) fn letters<A>(pg: &mut Pg<'_, A>) -> Result<Vec<Letter>, StoreError> {
    let (letters, others): (Vec<String>, bool) = pg.run(|conn| SelectLetters {}.get_result(conn))?;
    let letters = letters.iter().filter_map(|letter| Letter::parse(letter));
    Ok(letters.chain(others.then_some(Letter::Other)).collect())
}

/// Authors whose names are similar to this text.
pub(super) fn authors_like<A>(pg: &mut Pg<'_, A>, text: &str) -> Result<Vec<AuthorCard>, StoreError> {
    let select = SelectAuthorsLike { text: text.to_owned(), from: text.to_owned(), to: end_of(text) };
    let rows: Vec<AuthorRow> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(|row| author_of(row).map(|(author, _)| author)).collect()
}

/// Tags that are similar to this text.
pub(super) fn tags_like<A>(pg: &mut Pg<'_, A>, text: &str) -> Result<Vec<Tag>, StoreError> {
    let start = text.replace(' ', "-");
    let select = SelectTagsLike { text: text.to_owned(), to: end_of(&start), from: start };
    let rows: Vec<(String, String)> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(|(slug_, name)| Ok(Tag { slug: slug(&slug_)?, name })).collect()
}

const SELECT_COLLECTIONS: &str = "SELECT c.id, c.title, c.subtitle, c.image, c.upload_date, \
     ARRAY(SELECT g.subid FROM collection_categories t JOIN categories g ON g.id = t.category_id \
     WHERE t.collection_id = c.id ORDER BY t.place, g.place, g.id), \
     ARRAY(SELECT b.subid FROM collection_books t JOIN books b ON b.id = t.book_id \
     WHERE t.collection_id = c.id ORDER BY t.place, b.id) FROM collections c";

fn collection_of(row: CollectionRow) -> Result<Collection, StoreError> {
    let (id, title, subtitle, image, at, categories, books) = row;
    let draft = CollectionDraft {
        title,
        subtitle,
        image,
        upload_date: from_db(at),
        categories: categories.iter().map(|subid| slug(subid)).collect::<Result<_, _>>()?,
        books: books.iter().map(|subid| slug(subid)).collect::<Result<_, _>>()?,
    };
    Ok(Collection { id: CollectionId::from_store(id), draft })
}

fn load<A>(pg: &mut Pg<'_, A>, statement: BuiltStatement<CollectionTypes>) -> Result<Vec<Collection>, StoreError> {
    let rows: Vec<CollectionRow> = pg.run(|conn| statement.load(conn))?;
    rows.into_iter().map(collection_of).collect()
}

pub(super) fn collections<A>(
    pg: &mut Pg<'_, A>,
    after: Option<DateCursor<CollectionId>>,
    limit: Limit,
) -> Result<Vec<Collection>, StoreError> {
    let mut statement = BuiltStatement::new(SELECT_COLLECTIONS);
    if let Some(DateCursor { at, id }) = after {
        statement
            .sql(" WHERE (c.upload_date, c.id) < (")
            .value(Value::Time(to_db(at)))
            .sql(", ")
            .value(Value::Int(id.get()))
            .sql(")");
    }
    statement.sql(" ORDER BY c.upload_date DESC, c.id DESC").limit(limit.with_surplus());
    load(pg, statement)
}

/// Collections whose titles are similar to this text.
pub(super) fn collections_like<A>(pg: &mut Pg<'_, A>, text: &str) -> Result<Vec<Collection>, StoreError> {
    let select = SelectCollectionsLike { text: text.to_owned(), from: text.to_owned(), to: end_of(text) };
    let (ids,): (Vec<i64>,) = pg.run(|conn| select.get_result(conn))?;
    let mut statement = BuiltStatement::new(SELECT_COLLECTIONS);
    statement.sql(" WHERE c.id = ANY(").value(Value::Ints(ids)).sql(")");
    load(pg, statement)
}

pub(super) fn collection<A>(pg: &mut Pg<'_, A>, id: CollectionId) -> Result<Option<Collection>, StoreError> {
    let mut statement = BuiltStatement::new(SELECT_COLLECTIONS);
    statement.sql(" WHERE c.id = ").value(Value::Int(id.get()));
    Ok(load(pg, statement)?.pop())
}

/// The oldest collection with this title.
pub(super) fn collection_titled<A>(pg: &mut Pg<'_, A>, title: &str) -> Result<Option<Collection>, StoreError> {
    let mut statement = BuiltStatement::new(SELECT_COLLECTIONS);
    statement.sql(" WHERE c.title = ").value(Value::Text(title.to_owned())).sql(" ORDER BY c.id LIMIT 1");
    Ok(load(pg, statement)?.pop())
}

/// Adds a collection, or replaces the existing one.
pub(super) fn put_collection(
    pg: &mut Pg<'_>,
    there: Option<CollectionId>,
    collection: &CollectionDraft,
    CollectionTies { categories, books }: &CollectionTies,
) -> Result<CollectionId, StoreError> {
    let values = (
        collections::title.eq(&collection.title),
        collections::title_key.eq(collection.key()),
        collections::subtitle.eq(&collection.subtitle),
        collections::image.eq(&collection.image),
        collections::upload_date.eq(to_db(collection.upload_date)),
    );
    let id: i64 = pg.run(|conn| match there {
        Some(there) => {
            update(collections::table.find(there.get())).set(values).returning(collections::id).get_result(conn)
        }
        None => insert_into(collections::table).values(values).returning(collections::id).get_result(conn),
    })?;
    let ties: Vec<_> = categories
        .iter()
        .zip(0..)
        .map(|(category, place)| {
            (
                collection_categories::collection_id.eq(id),
                collection_categories::category_id.eq(category.get()),
                collection_categories::place.eq(place),
            )
        })
        .collect();
    let chosen: Vec<_> = books
        .iter()
        .zip(0..)
        .map(|(book, place)| {
            (
                collection_books::collection_id.eq(id),
                collection_books::book_id.eq(book.get()),
                collection_books::place.eq(place),
            )
        })
        .collect();
    pg.run(|conn| {
        diesel::delete(collection_categories::table.filter(collection_categories::collection_id.eq(id)))
            .execute(conn)?;
        insert_into(collection_categories::table).values(ties).execute(conn)?;
        diesel::delete(collection_books::table.filter(collection_books::collection_id.eq(id))).execute(conn)?;
        insert_into(collection_books::table).values(chosen).execute(conn)
    })?;
    pg.record_change(Change::Catalogue);
    Ok(CollectionId::from_store(id))
}
