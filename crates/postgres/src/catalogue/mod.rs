//! The catalogue in Postgres.

mod directory;
mod editing;
mod idea_links;
mod list;
mod named;
mod recordings;
pub(crate) mod rows;
mod save;
mod scope;
mod search;
mod searches;
mod visuals;

use std::collections::{BTreeSet, HashMap};

use catalogue::{
    Author, AuthorCard, AuthorCursor, AuthorDraft, AuthorsQuery, Book, BookCard, BookCursor, BookDraft, BookName,
    BookRecord, BookRef, BookTexts, CatalogueCommands, CatalogueQueries, CatalogueStore, Category, CategoryDraft,
    Collection, CollectionDraft, CollectionTies, FilterName, Filters, Goal, GoalDraft, GoalPictures, InfographicPeriod,
    KnownWord, Letter, ListQuery, NearWords, Quote, RankedBook, RankedIdea, Search, Tag, Visual, VisualBook, VisualSet,
    VisualsDraft, WideningWords,
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    connection::SimpleConnection,
    insert_into,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz},
    upsert::excluded,
};
use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, DAY, DateCursor, GoalId, Limit, Slug, StoreError, TagId, Timestamp,
};

use self::rows::{BookRow, BookTypes, CardRow, CardTypes, book_columns, card_columns, count, slug};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value},
    schema::{authors, book_sections, books, catalogue_totals, categories, goals, tags},
    statement::statement,
    time::from_db,
};

statement! {
    /// Adds to the view counts of existing books on one day.
    AddOpens { books: Vec<i64>, counts: Vec<i64>, day: i32 } -> () = [
        "WITH opened AS (
            SELECT o.book_id, o.opens
            FROM unnest(" (books: Array<BigInt>) ", " (counts: Array<BigInt>) ") AS o (book_id, opens)
            JOIN books b ON b.id = o.book_id ORDER BY o.book_id
        ), days AS (
            INSERT INTO book_opens (book_id, day, opens)
            SELECT book_id, date '1970-01-01' + " (day: Integer) "::integer, opens FROM opened
            ON CONFLICT (book_id, day) DO UPDATE SET opens = book_opens.opens + excluded.opens
        )
        UPDATE book_stats SET read_count = read_count + opened.opens FROM opened WHERE book_stats.book_id = opened.book_id"
    ]
}

statement! {
    /// Computes every book's trend, and writes those that changed.
    RefreshTrending { today: i32, first: i32 } -> () = [
        "WITH days AS (
            SELECT book_id, opens, date '1970-01-01' + " (today: Integer) "::integer - day AS age FROM book_opens
            WHERE day BETWEEN date '1970-01-01' + " (first: Integer) "::integer AND date '1970-01-01' + " (today: Integer) "::integer
        ), trends AS (SELECT book_id, sum(opens * power(0.5::double precision, age / 3.0::double precision)) AS trending FROM days GROUP BY book_id),
        news AS (
            SELECT s.book_id, coalesce(t.trending, 0) AS trending
            FROM book_stats s LEFT JOIN trends t ON t.book_id = s.book_id
            WHERE s.trending <> coalesce(t.trending, 0) ORDER BY s.book_id
        )
        UPDATE book_stats SET trending = news.trending FROM news WHERE book_stats.book_id = news.book_id"
    ]
}

/// The columns of a draft; the slugs that it refers to are lists in the editors' order.
type DraftTypes = (
    (BigInt, Text, Text, Text, Text, Text),
    (Nullable<Text>, Nullable<Text>, Nullable<Text>, Nullable<Integer>),
    (Bool, Bool, Bool, Bool, Timestamptz),
    (Array<Text>, Array<Text>, Array<Text>),
);
type DraftRow = (
    (i64, String, String, String, String, String),
    (Option<String>, Option<String>, Option<String>, Option<i32>),
    (bool, bool, bool, bool, DateTime<Utc>),
    (Vec<String>, Vec<String>, Vec<String>),
);

statement! {
    SelectDraft { subid: String } -> DraftTypes = [
        "SELECT b.id, b.title, a.slug, b.description, b.body, b.quotes::text, b.image, b.media, b.video, b.year,
            b.free, b.is_popular, b.coming_soon, b.published, b.upload_date,
            ARRAY(SELECT c.subid FROM book_categories t JOIN categories c ON c.id = t.category_id
                WHERE t.book_id = b.id ORDER BY t.place),
            ARRAY(SELECT g.slug COLLATE \"C\" AS slug FROM book_goals t JOIN goals g ON g.id = t.goal_id
                WHERE t.book_id = b.id ORDER BY slug),
            ARRAY(SELECT g.name FROM book_tags t JOIN tags g ON g.id = t.tag_id
                WHERE t.book_id = b.id ORDER BY g.slug COLLATE \"C\")
        FROM books b JOIN authors a ON a.id = b.author_id WHERE b.subid = " (subid: Text)
    ]
}

/// The row of a book's name: id, slug, title, author's name.
type NameRow = (i64, String, String, String);

statement! {
    /// Published books with one of these slugs or titles. No index has titles in lower case: it runs when an archive is imported.
    SelectBooksNamed { subids: Vec<String>, titles: Vec<String> } -> (BigInt, Text, Text, Text) = [
        "SELECT b.id, b.subid, b.title, a.name FROM books b JOIN authors a ON a.id = b.author_id
        WHERE b.published AND (b.subid = ANY(" (subids: Array<Text>) ")
            OR lower(b.title) IN (SELECT lower(t) FROM unnest(" (titles: Array<Text>) ") AS t))
        ORDER BY b.id"
    ]
}

fn name_of((id, subid, title, author): NameRow) -> Result<BookName, StoreError> {
    Ok(BookName { id: BookId::from_store(id), subid: slug(&subid)?, title, author })
}

fn number_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Days since 1 January 1970, in UTC.
fn day_of(now: Timestamp) -> i32 {
    i32::try_from(now.millis().div_euclid(DAY)).unwrap_or(i32::MAX)
}

fn ints<'a>(ids: impl IntoIterator<Item = &'a BookId>) -> Value {
    Value::Ints(ids.into_iter().map(|id| id.get()).collect())
}

fn cards<A>(pg: &mut Pg<'_, A>, statement: BuiltStatement<CardTypes>) -> Result<Vec<BookCard>, StoreError> {
    let rows: Vec<CardRow> = pg.run(|conn| statement.load(conn))?;
    rows.into_iter().map(|row| row.into_card().map(|(card, _)| card)).collect()
}

impl Pg<'_> {
    /// Adds words to the vocabulary that search corrects typing errors with. Saving a book adds the book's own words.
    pub fn learn_words(&mut self, vocabulary: &BTreeSet<String>) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        save::learn_words(self, vocabulary, &BTreeSet::new())
    }

    /// Refreshes Postgres' statistics of the catalogue and merges the pending entries of its search indexes, after much was
    /// loaded. Only a table's owner may do so: it is a function in the database that runs with the owner's rights.
    pub fn tidy_catalogue(&mut self) -> Result<(), StoreError> {
        self.run(|conn| conn.batch_execute("SELECT tidy_catalogue()"))
    }
}

/// The cards of the published ones among these books.
fn cards_of<A>(pg: &mut Pg<'_, A>, books: &[BookId]) -> Result<Vec<BookCard>, StoreError> {
    let mut statement: BuiltStatement<CardTypes> = BuiltStatement::new(concat!(
        "SELECT ",
        card_columns!(),
        " FROM books b JOIN book_stats s ON s.book_id = b.id WHERE b.published AND b.id = ANY("
    ));
    statement.value(ints(books)).sql(")");
    cards(pg, statement)
}

impl<A> CatalogueQueries for Pg<'_, A> {
    fn book(&mut self, book: &BookRef) -> Result<Option<Book>, StoreError> {
        let mut statement: BuiltStatement<(CardTypes, BookTypes)> = BuiltStatement::new(concat!(
            "SELECT ",
            card_columns!(),
            ", ",
            book_columns!(),
            " FROM books b JOIN book_stats s ON s.book_id = b.id JOIN authors a ON a.id = b.author_id WHERE b.published AND "
        ));
        match book {
            BookRef::Id(id) => statement.sql("b.id = ").value(Value::Int(id.get())),
            BookRef::Subid(subid) => statement.sql("b.subid = ").value(Value::Text(subid.to_string())),
        };
        let row: Option<(CardRow, BookRow)> = self.run(|conn| statement.get_result(conn).optional())?;
        row.map(|(card, rest)| rows::book(card, rest)).transpose()
    }

    fn book_texts(&mut self, book: BookId) -> Result<Option<BookTexts>, StoreError> {
        let found: Option<(DateTime<Utc>, serde_json::Value)> = self.run(|conn| {
            books::table.find(book.get()).select((books::updated_at, books::quotes)).first(conn).optional()
        })?;
        let Some((updated_at, quotes)) = found else { return Ok(None) };
        let quotes: Vec<Quote> = serde_json::from_value(quotes).map_err(StoreError::new)?;
        let sections: Vec<(String, String)> = self.run(|conn| {
            book_sections::table
                .filter(book_sections::book_id.eq(book.get()))
                .order(book_sections::place)
                .select((book_sections::title, book_sections::text))
                .load(conn)
        })?;
        let (titles, sections) = sections.into_iter().unzip();
        let quotes = quotes.into_iter().map(|quote| quote.text).collect();
        Ok(Some(BookTexts { updated_at: from_db(updated_at), titles, sections, quotes }))
    }

    fn section_titles(&mut self, books: &[BookId]) -> Result<HashMap<BookId, Vec<String>>, StoreError> {
        let wanted: Vec<i64> = books.iter().map(|book| book.get()).collect();
        let found: Vec<(i64, Vec<String>)> = self.run(|conn| {
            books::table.filter(books::id.eq_any(wanted)).select((books::id, books::section_titles)).load(conn)
        })?;
        Ok(found.into_iter().map(|(book, titles)| (BookId::from_store(book), titles)).collect())
    }

    fn popular_books(&mut self, limit: usize) -> Result<Vec<BookCard>, StoreError> {
        let mut statement: BuiltStatement<CardTypes> = BuiltStatement::new(concat!(
            "SELECT ",
            card_columns!(),
            " FROM book_stats s JOIN books b ON b.id = s.book_id WHERE b.published AND NOT b.coming_soon \
             ORDER BY s.is_popular DESC, s.trending DESC, s.book_id DESC LIMIT "
        ));
        statement.value(Value::Int(number_of(limit)));
        cards(self, statement)
    }

    fn book_count(&mut self) -> Result<u64, StoreError> {
        self.run(|conn| catalogue_totals::table.select(catalogue_totals::books).first(conn)).map(count)
    }

    fn book_addresses(&mut self, skipped: u64, limit: u64) -> Result<Vec<(Slug, Timestamp)>, StoreError> {
        let rows: Vec<(String, DateTime<Utc>)> = self.run(|conn| {
            books::table
                .filter(books::published)
                .filter(books::coming_soon.eq(false))
                .order(books::id)
                .offset(i64::try_from(skipped).unwrap_or(i64::MAX))
                .limit(i64::try_from(limit).unwrap_or(i64::MAX))
                .select((books::subid, books::updated_at))
                .load(conn)
        })?;
        rows.into_iter().map(|(subid, at)| Ok((slug(&subid)?, from_db(at)))).collect()
    }

    fn categories(&mut self) -> Result<Vec<Category>, StoreError> {
        type Row = (i64, String, String, i16, Option<String>, i32, i64);
        let rows: Vec<Row> = self.run(|conn| {
            categories::table
                .order((categories::place, categories::id))
                .select((
                    categories::id,
                    categories::subid,
                    categories::name,
                    categories::hue,
                    categories::small_image,
                    categories::place,
                    categories::book_count,
                ))
                .load(conn)
        })?;
        rows.into_iter()
            .map(|(id, subid, name, hue, small_image, place, book_count)| {
                let draft = CategoryDraft {
                    subid: slug(&subid)?,
                    name,
                    hue: u16::try_from(hue).unwrap_or(0),
                    small_image,
                    place,
                };
                Ok(Category { id: CategoryId::from_store(id), draft, book_count: count(book_count) })
            })
            .collect()
    }

    fn goals(&mut self) -> Result<Vec<Goal>, StoreError> {
        type Row = (i64, String, String, String, String, String, i32, Option<String>, Option<String>);
        let rows: Vec<Row> =
            self.run(|conn| goals::table.order((goals::place, goals::id)).select(goals::all_columns).load(conn))?;
        rows.into_iter()
            .map(|(id, slug_, title, short_title, mobile_title, description, place, photo, feature_photo)| {
                let draft = GoalDraft { slug: slug(&slug_)?, title, short_title, mobile_title, description, place };
                Ok(Goal { id: GoalId::from_store(id), draft, pictures: GoalPictures { photo, feature_photo } })
            })
            .collect()
    }

    fn letters(&mut self) -> Result<Vec<Letter>, StoreError> {
        directory::letters(self)
    }

    fn collection(&mut self, id: CollectionId) -> Result<Option<Collection>, StoreError> {
        directory::collection(self, id)
    }

    fn author(&mut self, slug: &Slug) -> Result<Option<Author>, StoreError> {
        type Row = (i64, String, Option<String>, String, i64);
        let row: Option<Row> = self.run(|conn| {
            authors::table
                .filter(authors::slug.eq(slug.as_str()))
                .select((authors::id, authors::name, authors::sort_name, authors::description, authors::book_count))
                .first(conn)
                .optional()
        })?;
        Ok(row.map(|(id, name, sort_name, description, books)| Author {
            id: AuthorId::from_store(id),
            draft: AuthorDraft { slug: slug.clone(), name, sort_name, description },
            book_count: count(books),
        }))
    }

    fn author_drafts(&mut self) -> Result<Vec<AuthorDraft>, StoreError> {
        type Row = (String, String, Option<String>, String);
        let rows: Vec<Row> = self.run(|conn| {
            authors::table
                .order(authors::slug)
                .select((authors::slug, authors::name, authors::sort_name, authors::description))
                .load(conn)
        })?;
        let mut drafts = rows
            .into_iter()
            .map(|(name_in_addresses, name, sort_name, description)| {
                Ok(AuthorDraft { slug: slug(&name_in_addresses)?, name, sort_name, description })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        // Sorted here, to be independent of the database's collation.
        drafts.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(drafts)
    }

    fn books_called(&mut self, wanted: &[Slug]) -> Result<Vec<BookName>, StoreError> {
        let wanted: Vec<&str> = wanted.iter().map(Slug::as_str).collect();
        let rows: Vec<NameRow> = self.run(|conn| {
            books::table
                .inner_join(authors::table)
                .filter(books::subid.eq_any(wanted))
                .select((books::id, books::subid, books::title, authors::name))
                .load(conn)
        })?;
        rows.into_iter().map(name_of).collect()
    }

    fn find_book_draft(&mut self, subid: &Slug) -> Result<Option<(BookId, BookDraft)>, StoreError> {
        let select = SelectDraft { subid: subid.to_string() };
        let row: Option<DraftRow> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(|(texts, files, marks, names)| {
            let (id, title, author, description, body, quotes) = texts;
            let (image, media, video, year) = files;
            let (free, is_popular, coming_soon, published, upload_date) = marks;
            let (categories, goals, tags) = names;
            let draft = BookDraft {
                subid: subid.clone(),
                title,
                author: slug(&author)?,
                description,
                body,
                quotes: rows::quotes(&quotes)?,
                image,
                media,
                video,
                year,
                categories: categories.iter().map(|subid| slug(subid)).collect::<Result<_, _>>()?,
                goals: goals.iter().map(|name| slug(name)).collect::<Result<_, _>>()?,
                tags,
                free,
                is_popular,
                coming_soon,
                published,
                upload_date: from_db(upload_date),
            };
            Ok((BookId::from_store(id), draft))
        })
        .transpose()
    }

    fn visuals(&mut self, book: BookId) -> Result<Vec<Visual>, StoreError> {
        visuals::of_book(self, book)
    }

    fn visual_set(&mut self, book: BookId) -> Result<Option<VisualSet>, StoreError> {
        visuals::set_of_book(self, book)
    }

    fn visuals_draft(&mut self, book: BookId) -> Result<Option<VisualsDraft>, StoreError> {
        visuals::draft_of_book(self, book)
    }

    fn visual_books_total(&mut self) -> Result<u64, StoreError> {
        visuals::count_books(self)
    }

    fn infographic_periods(&mut self) -> Result<Vec<InfographicPeriod>, StoreError> {
        visuals::infographic_periods(self)
    }

    fn find_book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError> {
        cards_of(self, books)
    }

    fn find_book_names(&mut self, wanted: &[BookId]) -> Result<Vec<BookName>, StoreError> {
        let wanted: Vec<i64> = wanted.iter().map(|book| book.get()).collect();
        let rows: Vec<NameRow> = self.run(|conn| {
            books::table
                .inner_join(authors::table)
                .filter(books::id.eq_any(wanted))
                .select((books::id, books::subid, books::title, authors::name))
                .load(conn)
        })?;
        rows.into_iter().map(name_of).collect()
    }

    fn find_books_named(&mut self, subids: &[String], titles: &[String]) -> Result<Vec<BookName>, StoreError> {
        let select = SelectBooksNamed { subids: subids.to_vec(), titles: titles.to_vec() };
        let rows: Vec<NameRow> = self.run(|conn| select.load(conn))?;
        rows.into_iter().map(name_of).collect()
    }

    fn list_book_cards(&mut self, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError> {
        list::books(self, query)
    }

    fn search_book_cards(&mut self, search: &Search<'_>) -> Result<Vec<RankedBook>, StoreError> {
        search::books(self, search)
    }

    fn rank_ideas(&mut self, words: &NearWords, books: &[BookId]) -> Result<Vec<RankedIdea>, StoreError> {
        search::rank_ideas(self, words, books)
    }

    fn find_unknown_filter(&mut self, filters: &Filters) -> Result<Option<FilterName>, StoreError> {
        scope::unknown(self, filters)
    }

    fn known_stems(&mut self, stems: &[String]) -> Result<Vec<String>, StoreError> {
        search::known_stems(self, stems)
    }

    fn words_beginning(&mut self, beginning: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        search::words_beginning(self, beginning, limit)
    }

    fn words_like(&mut self, word: &str) -> Result<Vec<KnownWord>, StoreError> {
        search::words_like(self, word)
    }

    fn widening_words(&mut self, stems: &[String], words: &[String]) -> Result<WideningWords, StoreError> {
        search::widening_words(self, stems, words)
    }

    fn best_book_cards(
        &mut self,
        categories: Option<&[CategoryId]>,
        excluded: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError> {
        let mut statement: BuiltStatement<CardTypes> = BuiltStatement::new(concat!(
            "SELECT ",
            card_columns!(),
            " FROM book_stats s JOIN books b ON b.id = s.book_id WHERE b.published AND NOT b.coming_soon"
        ));
        if !excluded.is_empty() {
            statement.sql(" AND b.id <> ALL(").value(ints(excluded)).sql(")");
        }
        if let Some(categories) = categories {
            statement
                .sql(" AND EXISTS (SELECT FROM book_categories c WHERE c.book_id = b.id AND c.category_id = ANY(")
                .value(Value::Ints(categories.iter().map(|id| id.get()).collect()))
                .sql("))");
        }
        statement.sql(" ORDER BY s.merit DESC, s.book_id DESC LIMIT ").value(Value::Int(number_of(limit)));
        cards(self, statement)
    }

    fn find_free_book(&mut self) -> Result<Option<BookId>, StoreError> {
        let free = books::table
            .filter(books::published.eq(true))
            .filter(books::free.eq(true))
            .filter(books::coming_soon.eq(false))
            .order((books::is_popular.desc(), books::upload_date.desc(), books::id.desc()))
            .select(books::id);
        let found: Option<i64> = self.run(|conn| free.first(conn).optional())?;
        Ok(found.map(BookId::from_store))
    }

    fn list_authors(&mut self, query: &AuthorsQuery) -> Result<Vec<(AuthorCard, AuthorCursor)>, StoreError> {
        directory::authors(self, query)
    }

    fn authors_like(&mut self, text: &str) -> Result<Vec<AuthorCard>, StoreError> {
        directory::authors_like(self, text)
    }

    fn tags_like(&mut self, text: &str) -> Result<Vec<Tag>, StoreError> {
        directory::tags_like(self, text)
    }

    fn collections_like(&mut self, text: &str) -> Result<Vec<Collection>, StoreError> {
        directory::collections_like(self, text)
    }

    fn list_collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Vec<Collection>, StoreError> {
        directory::collections(self, after, limit)
    }

    fn find_collection_titled(&mut self, title: &str) -> Result<Option<Collection>, StoreError> {
        directory::collection_titled(self, title)
    }

    fn list_visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError> {
        visuals::books(self, after, limit)
    }
}

impl CatalogueStore for Pg<'_> {
    fn put_author(&mut self, author: &AuthorDraft) -> Result<AuthorId, StoreError> {
        let id: i64 = self.run(|conn| {
            insert_into(authors::table)
                .values((
                    authors::slug.eq(author.slug.as_str()),
                    authors::name.eq(&author.name),
                    authors::name_key.eq(author.key()),
                    authors::sort_name.eq(&author.sort_name),
                    authors::description.eq(&author.description),
                ))
                .on_conflict(authors::slug)
                .do_update()
                .set((
                    authors::name.eq(excluded(authors::name)),
                    authors::name_key.eq(excluded(authors::name_key)),
                    authors::sort_name.eq(excluded(authors::sort_name)),
                    authors::description.eq(excluded(authors::description)),
                ))
                .returning(authors::id)
                .get_result(conn)
        })?;
        self.record_change(Change::Catalogue);
        Ok(AuthorId::from_store(id))
    }

    fn put_category(&mut self, category: &CategoryDraft) -> Result<CategoryId, StoreError> {
        let id: i64 = self.run(|conn| {
            insert_into(categories::table)
                .values((
                    categories::subid.eq(category.subid.as_str()),
                    categories::name.eq(&category.name),
                    categories::hue.eq(i16::try_from(category.hue).unwrap_or(0)),
                    categories::small_image.eq(&category.small_image),
                    categories::place.eq(category.place),
                ))
                .on_conflict(categories::subid)
                .do_update()
                .set((
                    categories::name.eq(excluded(categories::name)),
                    categories::hue.eq(excluded(categories::hue)),
                    categories::small_image.eq(excluded(categories::small_image)),
                    categories::place.eq(excluded(categories::place)),
                ))
                .returning(categories::id)
                .get_result(conn)
        })?;
        self.record_change(Change::Catalogue);
        Ok(CategoryId::from_store(id))
    }

    fn put_goal(&mut self, goal: &GoalDraft) -> Result<GoalId, StoreError> {
        let id: i64 = self.run(|conn| {
            insert_into(goals::table)
                .values((
                    goals::slug.eq(goal.slug.as_str()),
                    goals::title.eq(&goal.title),
                    goals::short_title.eq(&goal.short_title),
                    goals::mobile_title.eq(&goal.mobile_title),
                    goals::description.eq(&goal.description),
                    goals::place.eq(goal.place),
                ))
                .on_conflict(goals::slug)
                .do_update()
                .set((
                    goals::title.eq(excluded(goals::title)),
                    goals::short_title.eq(excluded(goals::short_title)),
                    goals::mobile_title.eq(excluded(goals::mobile_title)),
                    goals::description.eq(excluded(goals::description)),
                    goals::place.eq(excluded(goals::place)),
                ))
                .returning(goals::id)
                .get_result(conn)
        })?;
        self.record_change(Change::Catalogue);
        Ok(GoalId::from_store(id))
    }

    fn put_collection(
        &mut self,
        there: Option<CollectionId>,
        collection: &CollectionDraft,
        ties: &CollectionTies,
    ) -> Result<CollectionId, StoreError> {
        directory::put_collection(self, there, collection, ties)
    }

    fn rename_tag_row(&mut self, tag: TagId, name: &Tag) -> Result<(), StoreError> {
        let row = tags::table.find(tag.get());
        let values = (tags::slug.eq(name.slug.as_str()), tags::name.eq(&name.name));
        self.run(|conn| diesel::update(row).set(values).execute(conn))?;
        self.record_change(Change::Catalogue);
        Ok(())
    }

    fn put_book(&mut self, book: &BookRecord<'_>) -> Result<BookId, StoreError> {
        save::book(self, book)
    }

    fn put_visuals(&mut self, book: BookId, draft: &VisualsDraft, now: Timestamp) -> Result<(), StoreError> {
        visuals::put(self, book, draft, now)
    }
}

impl CatalogueCommands for Pg<'_> {
    fn add_book_opens(&mut self, opens: &HashMap<BookId, u64>, now: Timestamp) -> Result<(), StoreError> {
        if opens.is_empty() {
            return Ok(());
        }
        let (books, counts) =
            opens.iter().map(|(book, count)| (book.get(), i64::try_from(*count).unwrap_or(i64::MAX))).unzip();
        let add = AddOpens { books, counts, day: day_of(now) };
        self.run(|conn| add.execute(conn))?;
        Ok(())
    }

    fn add_unanswered_searches(&mut self, searches: &HashMap<String, u64>, now: Timestamp) -> Result<(), StoreError> {
        searches::add(self, searches, now)
    }

    fn sweep_unanswered_searches(&mut self, now: Timestamp) -> Result<(), StoreError> {
        searches::sweep(self, now)
    }

    fn refresh_trending(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let today = day_of(now);
        let refresh = RefreshTrending { today, first: today - 13 };
        let changed = self.run(|conn| refresh.execute(conn))?;
        if changed > 0 {
            self.record_change(Change::Catalogue);
        }
        Ok(())
    }
}
