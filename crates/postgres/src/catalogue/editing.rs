//! Books as editors list and change them, in Postgres.

use catalogue::{
    BookExtras, BookState, EditedVisual, EditingCommands, EditingQueries, GoalPicture, Lacking, ListedAuthor,
    ListedBook, ListedFilter, ListedQuery, ListedSort, ListedTag, NamesQuery, Naming, SearchCount, VisualSet,
    thumb_of_infographic,
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz},
};
use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, GoalId, ListTotal, Slug, StoreError, TagId, Timestamp, VisualId,
};

use super::{
    named::{self, Deleted},
    rows::slug,
    searches, visuals,
};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value, containing, count_rows},
    schema::tags,
    statement::statement,
    time::{from_db, to_db},
};

type ExtrasTypes = (Nullable<Text>, Nullable<Text>, Nullable<Text>, Nullable<Timestamptz>);
type ExtrasRow = (Option<String>, Option<String>, Option<String>, Option<DateTime<Utc>>);

statement! {
    SelectExtras { book: i64 } -> ExtrasTypes = [
        "SELECT vector, infographic, podcast, publish_at FROM books WHERE id = " (book: BigInt)
    ]
}

statement! {
    UpdateExtras {
        book: i64, vector: Option<String>, infographic: Option<String>, podcast: Option<String>,
        publish_at: Option<DateTime<Utc>>,
    } -> () = [
        "UPDATE books SET vector = " (vector: Nullable<Text>) ", infographic = " (infographic: Nullable<Text>)
            ", podcast = " (podcast: Nullable<Text>) ", publish_at = " (publish_at: Nullable<Timestamptz>)
        " WHERE id = " (book: BigInt)
    ]
}

statement! {
    /// Renames a book unless the slug is taken or the book was bought; references in posts and insights change too.
    RenameBook { book: i64, subid: String } -> BigInt = [
        "WITH old AS (
                SELECT id, subid FROM books b WHERE id = " (book: BigInt) "
                    AND NOT EXISTS (SELECT FROM books o WHERE o.subid = " (subid: Text) " AND o.id <> b.id)
                    AND NOT EXISTS (SELECT FROM ledger_transactions l WHERE l.plan_id = 'book-' || b.subid)
                FOR UPDATE),
            posts AS (UPDATE posts SET book = " (subid: Text) " FROM old WHERE posts.book = old.subid),
            insights AS (UPDATE insights SET book = " (subid: Text) " FROM old WHERE insights.book = old.subid)
        UPDATE books SET subid = " (subid: Text) " FROM old WHERE books.id = old.id RETURNING books.id"
    ]
}

statement! {
    UpdateGoalPhoto { goal: i64, key: String } -> () = [
        "UPDATE goals SET photo = " (key: Text) " WHERE id = " (goal: BigInt)
    ]
}

statement! {
    UpdateGoalFeaturePhoto { goal: i64, key: String } -> () = [
        "UPDATE goals SET feature_photo = " (key: Text) " WHERE id = " (goal: BigInt)
    ]
}

statement! {
    SelectDue { now: DateTime<Utc> } -> Text = [
        "SELECT subid FROM books WHERE publish_at <= " (now: Timestamptz) " ORDER BY publish_at, id"
    ]
}

type ListedTypes = (
    (BigInt, Text, Text, Text, Nullable<Text>),
    (Bool, Bool, Bool, Bool, Nullable<Timestamptz>, Timestamptz, Timestamptz),
    Array<BigInt>,
    (Bool, Bool, Bool, Bool, Bool, Bool),
);
type ListedRow = (
    (i64, String, String, String, Option<String>),
    (bool, bool, bool, bool, Option<DateTime<Utc>>, DateTime<Utc>, DateTime<Utc>),
    Vec<i64>,
    (bool, bool, bool, bool, bool, bool),
);

fn listed(row: ListedRow) -> Result<ListedBook, StoreError> {
    let (id, subid, title, author, image) = row.0;
    let (free, is_popular, coming_soon, published, publish_at, upload_date, updated_at) = row.1;
    let (has_body, has_audio, has_video, has_podcast, has_infographic, has_key_ideas) = row.3;
    Ok(ListedBook {
        id: BookId::from_store(id),
        subid: slug(&subid)?,
        title,
        author,
        image,
        free,
        is_popular,
        coming_soon,
        published,
        publish_at: publish_at.map(from_db),
        upload_date: from_db(upload_date),
        updated_at: from_db(updated_at),
        categories: row.2.into_iter().map(CategoryId::from_store).collect(),
        has_body,
        has_audio,
        has_video,
        has_podcast,
        has_infographic,
        has_key_ideas,
    })
}

/// The sort key of [`ListedSort::PublishAt`].
const BY_MOMENT: &str = "coalesce(b.publish_at, 'infinity'), b.id";

/// The authors whose names contain the text of a filter; none without a text.
fn authors_named<A>(pg: &mut Pg<'_, A>, filter: &ListedFilter) -> Result<Vec<i64>, StoreError> {
    let Some(text) = &filter.text else { return Ok(Vec::new()) };
    let mut select: BuiltStatement<BigInt> =
        BuiltStatement::new("SELECT id FROM authors WHERE lower(name) LIKE lower(");
    select.value(containing(text)).sql(")");
    pg.run(|conn| select.load(conn))
}

/// Adds a filter's conditions on `books b`; `authors` are those of [`authors_named`].
fn restrict<Row>(select: &mut BuiltStatement<Row>, filter: &ListedFilter, authors: &[i64]) {
    if let Some(text) = &filter.text {
        // How many names have it decides between their index and the order of the list.
        select.plan_each_time();
        select.sql(" AND (lower(b.title || E'\\n' || b.subid) LIKE lower(").value(containing(text));
        select.sql(") OR b.author_id = ANY(").value(Value::Ints(authors.to_vec())).sql(")");
        if let Ok(id) = text.parse::<BookId>() {
            select.sql(" OR b.id = ").value(Value::Int(id.get()));
        }
        select.sql(")");
    }
    match filter.state {
        Some(BookState::Published) => select.sql(" AND b.published AND NOT b.coming_soon"),
        Some(BookState::Scheduled) => {
            select.sql(" AND (NOT b.published OR b.coming_soon) AND b.publish_at IS NOT NULL")
        }
        Some(BookState::ComingSoon) => select.sql(" AND b.published AND b.coming_soon AND b.publish_at IS NULL"),
        Some(BookState::Draft) => select.sql(" AND NOT b.published AND b.publish_at IS NULL"),
        None => select,
    };
    match filter.lacking {
        Some(Lacking::Cover) => select.sql(" AND b.image IS NULL"),
        Some(Lacking::Audio) => select.sql(" AND b.media IS NULL"),
        Some(Lacking::KeyIdeas) => select.sql(" AND b.visuals = 0"),
        None => select,
    };
    if let Some(category) = filter.category {
        select.sql(" AND EXISTS (SELECT FROM book_categories t WHERE t.book_id = b.id AND t.category_id = ");
        select.value(Value::Int(category.get())).sql(")");
    }
    if let Some(free) = filter.free {
        select.sql(" AND b.free = ").value(Value::Bool(free));
    }
    if let Some(popular) = filter.popular {
        select.sql(" AND b.is_popular = ").value(Value::Bool(popular));
    }
}

impl<A> EditingQueries for Pg<'_, A> {
    fn book_extras(&mut self, book: BookId) -> Result<Option<BookExtras>, StoreError> {
        let select = SelectExtras { book: book.get() };
        let row: Option<ExtrasRow> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(|(vector, infographic, podcast, publish_at)| BookExtras {
            vector,
            infographic,
            podcast,
            publish_at: publish_at.map(from_db),
        }))
    }

    fn listed_books(&mut self, query: &ListedQuery) -> Result<Vec<ListedBook>, StoreError> {
        let mut select: BuiltStatement<ListedTypes> = BuiltStatement::new(
            "SELECT b.id, b.subid, b.title, a.name, b.image, b.free, b.is_popular, b.coming_soon, b.published,
                b.publish_at, b.upload_date, b.updated_at,
                ARRAY(SELECT t.category_id FROM book_categories t WHERE t.book_id = b.id ORDER BY t.place),
                b.words > 0, b.media IS NOT NULL, b.video IS NOT NULL, b.podcast IS NOT NULL, b.infographic IS NOT NULL,
                b.visuals > 0
            FROM books b JOIN authors a ON a.id = b.author_id WHERE true",
        );
        restrict(&mut select, &query.filter, &authors_named(self, &query.filter)?);
        let (key, order) = match (query.sort, query.descending) {
            (ListedSort::UploadDate, true) => ("b.upload_date, b.id", " ORDER BY b.upload_date DESC, b.id DESC"),
            (ListedSort::UploadDate, false) => ("b.upload_date, b.id", " ORDER BY b.upload_date, b.id"),
            (ListedSort::Id, true) => ("b.id, b.id", " ORDER BY b.id DESC"),
            (ListedSort::Id, false) => ("b.id, b.id", " ORDER BY b.id"),
            (ListedSort::Title, true) => ("b.title_key, b.id", " ORDER BY b.title_key DESC, b.id DESC"),
            (ListedSort::Title, false) => ("b.title_key, b.id", " ORDER BY b.title_key, b.id"),
            (ListedSort::PublishAt, true) => {
                (BY_MOMENT, " ORDER BY coalesce(b.publish_at, 'infinity') DESC, b.id DESC")
            }
            (ListedSort::PublishAt, false) => (BY_MOMENT, " ORDER BY coalesce(b.publish_at, 'infinity'), b.id"),
        };
        if let Some(after) = query.after {
            select.sql(" AND (").sql(key).sql(if query.descending { ") < (SELECT " } else { ") > (SELECT " });
            select.sql(key).sql(" FROM books b WHERE b.id = ").value(Value::Int(after.get())).sql(")");
        }
        select.sql(order).limit(query.limit.with_surplus());
        let rows: Vec<ListedRow> = self.run(|conn| select.load(conn))?;
        rows.into_iter().map(listed).collect()
    }

    fn unanswered_searches(&mut self, now: Timestamp, limit: usize) -> Result<Vec<SearchCount>, StoreError> {
        searches::unanswered(self, now, limit)
    }

    fn count_listed_books(&mut self, filter: &ListedFilter) -> Result<ListTotal, StoreError> {
        let authors = authors_named(self, filter)?;
        count_rows(self, "FROM books b WHERE true", |select| restrict(select, filter, &authors))
    }

    fn listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<Vec<ListedAuthor>, StoreError> {
        named::authors(self, query)
    }

    fn count_listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<ListTotal, StoreError> {
        named::count_authors(self, query)
    }

    fn listed_author(&mut self, author: AuthorId) -> Result<Option<ListedAuthor>, StoreError> {
        named::author_numbered(self, author)
    }

    fn listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<Vec<ListedTag>, StoreError> {
        named::tags(self, query)
    }

    fn count_listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<ListTotal, StoreError> {
        named::count_tags(self, query)
    }

    fn listed_tag(&mut self, tag: TagId) -> Result<Option<ListedTag>, StoreError> {
        named::tag_numbered(self, tag)
    }

    fn find_tag(&mut self, slug: &Slug) -> Result<Option<TagId>, StoreError> {
        let named = tags::table.filter(tags::slug.eq(slug.as_str())).select(tags::id);
        let found: Option<i64> = self.run(|conn| named.first(conn).optional())?;
        Ok(found.map(TagId::from_store))
    }

    fn books_naming(&mut self, name: Naming) -> Result<Vec<(BookId, Slug)>, StoreError> {
        named::books_naming(self, name)
    }

    fn books_to_publish(&mut self, now: Timestamp) -> Result<Vec<Slug>, StoreError> {
        let select = SelectDue { now: to_db(now) };
        let due: Vec<String> = self.run(|conn| select.load(conn))?;
        due.iter().map(|subid| slug(subid)).collect()
    }

    fn book_files(&mut self, book: BookId) -> Result<Vec<String>, StoreError> {
        let mut files = self.named_of_book(book)?;
        let infographic = self.book_extras(book)?.and_then(|extras| extras.infographic);
        files.extend(infographic.as_deref().map(thumb_of_infographic));
        files.sort();
        Ok(files)
    }

    fn edited_visuals(&mut self) -> Result<Vec<EditedVisual>, StoreError> {
        visuals::edited(self)
    }

    fn edited_visual(&mut self, id: VisualId) -> Result<Option<EditedVisual>, StoreError> {
        visuals::edited_one(self, id)
    }
}

impl EditingCommands for Pg<'_> {
    fn update_book_extras(&mut self, book: BookId, extras: &BookExtras) -> Result<(), StoreError> {
        self.record_change(Change::Book(book));
        let update = UpdateExtras {
            book: book.get(),
            vector: extras.vector.clone(),
            infographic: extras.infographic.clone(),
            podcast: extras.podcast.clone(),
            publish_at: extras.publish_at.map(to_db),
        };
        self.run(|conn| update.execute(conn).map(|_| ()))
    }

    fn rename_book(&mut self, book: BookId, subid: &Slug) -> Result<bool, StoreError> {
        self.record_change(Change::Catalogue);
        let rename = RenameBook { book: book.get(), subid: subid.to_string() };
        let renamed: Option<i64> = self.run(|conn| rename.get_result(conn).optional())?;
        Ok(renamed.is_some())
    }

    fn set_goal_picture(&mut self, goal: GoalId, picture: GoalPicture, key: &str) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let (goal, key) = (goal.get(), key.to_owned());
        self.run(|conn| match picture {
            GoalPicture::Photo => UpdateGoalPhoto { goal, key }.execute(conn).map(|_| ()),
            GoalPicture::FeaturePhoto => UpdateGoalFeaturePhoto { goal, key }.execute(conn).map(|_| ()),
        })
    }

    fn delete_author(&mut self, author: AuthorId) -> Result<bool, StoreError> {
        named::delete(self, Deleted::Author(author.get()))
    }

    fn delete_tag(&mut self, tag: TagId) -> Result<bool, StoreError> {
        named::delete(self, Deleted::Tag(tag.get()))
    }

    fn delete_category(&mut self, category: CategoryId) -> Result<bool, StoreError> {
        named::delete(self, Deleted::Category(category.get()))
    }

    fn delete_goal(&mut self, goal: GoalId) -> Result<bool, StoreError> {
        named::delete(self, Deleted::Goal(goal.get()))
    }

    fn delete_collection(&mut self, collection: CollectionId) -> Result<bool, StoreError> {
        named::delete(self, Deleted::Collection(collection.get()))
    }

    fn delete_book(&mut self, book: BookId) -> Result<bool, StoreError> {
        named::delete_book(self, book)
    }

    fn insert_visual(&mut self, idea: &EditedVisual) -> Result<VisualId, StoreError> {
        visuals::insert(self, idea)
    }

    fn update_visual(&mut self, idea: &EditedVisual) -> Result<(), StoreError> {
        visuals::update(self, idea)
    }

    fn delete_visual(&mut self, id: VisualId) -> Result<(), StoreError> {
        visuals::delete_one(self, id)
    }

    fn order_visuals(&mut self, book: BookId, order: &[VisualId]) -> Result<(), StoreError> {
        visuals::order(self, book, order)
    }

    fn insert_visual_set(&mut self, book: BookId, image: &str, now: Timestamp) -> Result<bool, StoreError> {
        visuals::insert_set(self, book, image, now)
    }

    fn put_visual_set(&mut self, set: &VisualSet, now: Timestamp) -> Result<(), StoreError> {
        visuals::put_set(self, set, now)
    }

    fn note_infographic(&mut self, book: BookId, now: Timestamp) -> Result<(), StoreError> {
        visuals::note_infographic(self, book, now)
    }
}
