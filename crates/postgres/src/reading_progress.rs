//! Reading progress, library, ratings and history, in Postgres.

mod combined_saves;
mod goal;
mod member_book;
mod place;
mod records;

pub use combined_saves::CombinedSaves;
pub use member_book::MemberBook;
pub use place::PositionSave;

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete,
    dsl::{exists, max, select},
    insert_into,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, SmallInt, Text, Timestamptz},
};
use kernel::{BookId, CategoryId, DateCursor, Day, Limit, Slug, StoreError, TimeZone, Timestamp, UserId};
use reading_progress::{
    AllowanceUse, BookFacts, DueNotice, HistoryCondition, HistoryCounts, HistoryEntry, KeptBook, LibraryEntry,
    OpeningRight, Place, ProgressCommands, ProgressFacts, ProgressQueries, ProgressStore, RatedBook, Rating,
    ReaderState, Records, Shelf, ShelfCounts, Skill, Visit,
};

use self::place::{PlaceColumns, PlaceTypes};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value},
    schema::{
        completions, history, library, opened_books, publication_notices, ratings, reading_days, reading_goals,
        reading_time, recommends, users,
    },
    statement::statement,
    time::{from_db, to_db},
};

/// The facts about a book that the reading rules need: id, free, coming soon, number of sections.
type FactTypes = (BigInt, Bool, Bool, Integer);

/// Whether the entry `h` of a history is shown: it is not hidden, or was read again since then.
macro_rules! is_shown {
    () => {
        "(h.hidden_at IS NULL OR h.hidden_at < h.updated_at)"
    };
}
use is_shown;

statement! {
    SelectCompletedAmong { readers: Vec<i64>, books: Vec<i64> } -> (BigInt, BigInt) = [
        "SELECT h.user_id, h.book_id FROM history h WHERE h.user_id = ANY(" (readers: Array<BigInt>) ")
        AND h.book_id = ANY(" (books: Array<BigInt>) ") AND h.completed_at IS NOT NULL AND " {is_shown!()}
    ]
}

statement! {
    SelectBookFacts { book: i64 } -> FactTypes = [
        "SELECT id, free, coming_soon, cardinality(section_titles) FROM books WHERE published AND id = " (book: BigInt)
    ]
}

statement! {
    SelectBookFactsNamed { subid: String } -> FactTypes = [
        "SELECT id, free, coming_soon, cardinality(section_titles) FROM books WHERE published AND subid = " (subid: Text)
    ]
}

statement! {
    /// The number of sections of each book.
    CountSections { books: Vec<i64> } -> (BigInt, Integer) = [
        "SELECT id, cardinality(section_titles) FROM books WHERE id = ANY(" (books: Array<BigInt>) ")"
    ]
}

/// The columns of a [`StateRow`], from `users u` and [`state_joins`].
macro_rules! state_columns {
    () => {
        "u.timezone, u.friend_email IS NOT NULL, o.granted_by, l.user_id IS NOT NULL, r.rating, r.feedback, \
         h.position, h.paragraph, h.place_at, h.place_device, h.furthest, h.audio_ms, h.audio_at, h.completed_at, \
         h.updated_at, h.hidden_at, t.summaries, t.last_summary_at, t.last_monthly_at"
    };
}
pub(crate) use state_columns;

/// Joins to `users u` a reader's state for one book. `$book` is the SQL expression of the book's id.
macro_rules! state_joins {
    ($book:literal) => {
        concat!(
            " LEFT JOIN opened_books o ON o.user_id = u.id AND o.book_id = ",
            $book,
            " LEFT JOIN history h ON h.user_id = u.id AND h.book_id = ",
            $book,
            " LEFT JOIN library l ON l.user_id = u.id AND l.book_id = ",
            $book,
            " LEFT JOIN ratings r ON r.user_id = u.id AND r.book_id = ",
            $book,
            " CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE granted_by = 'allowance') AS summaries,
                    max(opened_at) FILTER (WHERE granted_by = 'allowance') AS last_summary_at,
                    max(opened_at) FILTER (WHERE granted_by = 'monthly') AS last_monthly_at
                FROM opened_books WHERE user_id = u.id AND granted_by IN ('allowance', 'monthly')
            ) t"
        )
    };
}
pub(crate) use state_joins;

/// The types of [`state_columns`].
pub(crate) type StateTypes = (
    (Text, Bool),
    (Nullable<Text>, Bool, Nullable<SmallInt>, Nullable<Text>),
    Nullable<PlaceTypes>,
    (BigInt, Nullable<Timestamptz>, Nullable<Timestamptz>),
);

/// A reader's state for a book: time zone, and whether they invited a friend; the right by which they opened the book, whether
/// it is in their library, their stars and feedback; the reading position; how many summaries of the allowance they used, and
/// when they last used the allowance and the monthly summary.
pub(crate) type StateRow = (
    (String, bool),
    (Option<String>, bool, Option<i16>, Option<String>),
    Option<PlaceColumns>,
    (i64, Option<DateTime<Utc>>, Option<DateTime<Utc>>),
);

statement! {
    /// The books that a reader has opened by one of these rights, latest first.
    SelectOpenedBooks { reader: i64, rights: Vec<&'static str>, limit: i64 } -> BigInt = [
        "SELECT book_id FROM opened_books
        WHERE user_id = " (reader: BigInt) " AND granted_by = ANY(" (rights: Array<Text>) ")
        ORDER BY opened_at DESC, book_id DESC LIMIT " (limit: BigInt)
    ]
}

statement! {
    /// Removes and returns requests for notices of books that are readable now. Concurrent calls get different requests.
    DeleteDueNotices { limit: i64 } -> (BigInt, BigInt) = [
        "WITH due AS (
            SELECT n.user_id, n.book_id, n.requested_at FROM publication_notices n
            WHERE EXISTS (SELECT FROM books b WHERE b.id = n.book_id AND b.published AND NOT b.coming_soon)
            ORDER BY n.requested_at, n.user_id, n.book_id LIMIT " (limit: BigInt) " FOR UPDATE OF n SKIP LOCKED),
        gone AS (
            DELETE FROM publication_notices n USING due WHERE n.user_id = due.user_id AND n.book_id = due.book_id
            RETURNING due.requested_at, n.user_id, n.book_id)
        SELECT user_id, book_id FROM gone ORDER BY requested_at, user_id, book_id"
    ]
}

statement! {
    SelectRecommends { reader: i64 } -> Array<BigInt> = [
        "SELECT ARRAY(SELECT category_id FROM recommends WHERE user_id = u.id ORDER BY category_id)
        FROM users u WHERE u.id = " (reader: BigInt)
    ]
}

statement! {
    /// The facts for computing a reader's progress. Days are counted from 1 January 1970.
    SelectProgressFacts { reader: i64 } -> (
        Text,
        Array<Timestamptz>,
        BigInt,
        (Array<Integer>, Array<Integer>),
        (Array<BigInt>, Array<BigInt>),
    ) = [
        "SELECT u.timezone,
            ARRAY(
                SELECT completed_at FROM history WHERE user_id = u.id AND completed_at IS NOT NULL ORDER BY completed_at
            ),
            (
                SELECT count(*) FROM history h JOIN books b ON b.id = h.book_id AND b.published
                WHERE h.user_id = u.id AND h.completed_at IS NOT NULL
                    AND " {is_shown!()} "
            ),
            d.days, d.completions,
            s.categories, s.counts
        FROM users u
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(day - DATE '1970-01-01' ORDER BY day), '{}') AS days,
                coalesce(array_agg(completions ORDER BY day), '{}') AS completions
            FROM reading_days WHERE user_id = u.id
        ) d
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(category_id ORDER BY category_id), '{}') AS categories,
                coalesce(array_agg(completed ORDER BY category_id), '{}') AS counts
            FROM (
                SELECT c.category_id, count(*) AS completed
                FROM history h JOIN book_categories c ON c.book_id = h.book_id
                WHERE h.user_id = u.id AND h.completed_at IS NOT NULL
                GROUP BY c.category_id
            ) counted
        ) s
        WHERE u.id = " [reader: BigInt]
    ]
}

statement! {
    /// Counts a summary as completed on a day (days since 1 January 1970), once per day.
    CountReadingDay { reader: i64, book: i64, day: i32 } -> () = [
        "WITH counted AS (
            INSERT INTO completions (user_id, book_id, day)
            VALUES (" (reader: BigInt) ", " (book: BigInt) ", DATE '1970-01-01' + " (day: Integer) "::integer)
            ON CONFLICT DO NOTHING
            RETURNING user_id, day
        )
        INSERT INTO reading_days (user_id, day, completions) SELECT user_id, day, 1 FROM counted
        ON CONFLICT (user_id, day) DO UPDATE SET completions = reading_days.completions + 1"
    ]
}

statement! {
    /// Stores that a summary is counted on a day (days since 1 January 1970).
    MarkReadingDay { reader: i64, book: i64, day: i32 } -> () = [
        "INSERT INTO completions (user_id, book_id, day)
        VALUES (" (reader: BigInt) ", " (book: BigInt) ", DATE '1970-01-01' + " (day: Integer) "::integer)
        ON CONFLICT DO NOTHING"
    ]
}

statement! {
    /// Raises the numbers of days (days since 1 January 1970), which are given in order.
    RaiseReadingDays { reader: i64, days: Vec<i32>, counts: Vec<i32> } -> () = [
        "INSERT INTO reading_days AS d (user_id, day, completions)
        SELECT " (reader: BigInt) ", DATE '1970-01-01' + r.day, r.completions
        FROM unnest(" (days: Array<Integer>) ", " (counts: Array<Integer>) ") AS r (day, completions)
        ON CONFLICT (user_id, day) DO UPDATE SET completions = greatest(d.completions, excluded.completions)"
    ]
}

statement! {
    /// A page of history. The row comparison lets the index scan start at the cursor.
    SelectHistory { reader: i64, at: DateTime<Utc>, book: i64, limit: i64 } -> (BigInt, Integer, Bool, Timestamptz) = [
        "SELECT h.book_id, h.position, h.completed_at IS NOT NULL, h.updated_at
        FROM history h JOIN books b ON b.id = h.book_id AND b.published
        WHERE h.user_id = " [reader: BigInt] " AND (h.updated_at, h.book_id) < (" [at: Timestamptz] ", " [book: BigInt] ")
            AND " {is_shown!()} "
        ORDER BY h.updated_at DESC, h.book_id DESC LIMIT " [limit: BigInt]
    ]
}

/// The published books of the library of the reader `r`, as `k`: the saved ones, and the completed ones. A place that is hidden
/// from history counts as none.
const LIBRARY_OF_READER: &str = concat!(
    "CROSS JOIN LATERAL (
        SELECT coalesce(l.book_id, h.book_id) AS book_id, coalesce(l.added_at, h.completed_at) AS at,
            l.book_id IS NOT NULL AS saved, h.position, h.completed_at IS NOT NULL AS completed
        FROM (SELECT book_id, added_at FROM library WHERE user_id = r.id) l
        FULL JOIN (
            SELECT h.book_id, h.position, h.completed_at FROM history h
            WHERE h.user_id = r.id AND ",
    is_shown!(),
    "
        ) h ON h.book_id = l.book_id
        WHERE l.book_id IS NOT NULL OR h.completed_at IS NOT NULL
    ) k JOIN books b ON b.id = k.book_id AND b.published "
);

statement! {
    /// A page of a library shelf. `begun` and `completed`: yes, no, or NULL for either.
    SelectLibrary { reader: i64, begun: Option<bool>, completed: Option<bool>, at: DateTime<Utc>, book: i64, limit: i64 } -> (
        BigInt,
        Timestamptz,
        Bool,
        Nullable<Integer>,
        Bool,
    ) = [
        "SELECT k.book_id, k.at, k.saved, k.position, k.completed
        FROM (SELECT " [reader: BigInt] "::bigint AS id) r " {LIBRARY_OF_READER}
        "WHERE (k.at, k.book_id) < (" [at: Timestamptz] ", " [book: BigInt] ")
            AND (k.position IS NOT NULL) = coalesce(" [begun: Nullable<Bool>] "::boolean, k.position IS NOT NULL)
            AND k.completed = coalesce(" [completed: Nullable<Bool>] "::boolean, k.completed)
        ORDER BY k.at DESC, k.book_id DESC LIMIT " [limit: BigInt]
    ]
}

statement! {
    /// The number of books per library shelf: reading, finished, saved.
    CountShelves { reader: i64 } -> (BigInt, BigInt, BigInt) = [
        "SELECT count(*) FILTER (WHERE k.position IS NOT NULL AND NOT k.completed),
            count(*) FILTER (WHERE k.completed),
            count(*) FILTER (WHERE k.position IS NULL)
        FROM (SELECT " [reader: BigInt] "::bigint AS id) r " {LIBRARY_OF_READER}
    ]
}

statement! {
    /// The number of entries of a history, and of those that were completed.
    CountHistory { reader: i64 } -> (BigInt, BigInt) = [
        "SELECT count(*), count(h.completed_at)
        FROM history h JOIN books b ON b.id = h.book_id AND b.published
        WHERE h.user_id = " [reader: BigInt] " AND " {is_shown!()}
    ]
}

statement! {
    /// Adds to a book's rating totals in the database, so that concurrent ratings do not overwrite each other.
    AddToBookRatings { book: i64, count: i64, stars: i64 } -> () = [
        "INSERT INTO book_stats (book_id, ratings_count, ratings_sum, is_popular)
        SELECT id, " (count: BigInt) ", " (stars: BigInt) ", is_popular FROM books WHERE id = " (book: BigInt) "
        ON CONFLICT (book_id) DO UPDATE
        SET ratings_count = book_stats.ratings_count + excluded.ratings_count,
            ratings_sum = book_stats.ratings_sum + excluded.ratings_sum"
    ]
}

statement! {
    /// Inserts the chosen categories, except those that don't exist.
    InsertRecommends { reader: i64, categories: Vec<i64> } -> () = [
        "INSERT INTO recommends (user_id, category_id)
        SELECT " (reader: BigInt) ", id FROM categories WHERE id = ANY(" (categories: Array<BigInt>) ")"
    ]
}

impl<A> ProgressQueries for Pg<'_, A> {
    fn book_facts(&mut self, book: BookId) -> Result<Option<BookFacts>, StoreError> {
        let select = SelectBookFacts { book: book.get() };
        Ok(self.run(|conn| select.get_result(conn).optional())?.map(facts_from))
    }

    fn book_facts_named(&mut self, subid: &Slug) -> Result<Option<BookFacts>, StoreError> {
        let select = SelectBookFactsNamed { subid: subid.as_str().to_owned() };
        Ok(self.run(|conn| select.get_result(conn).optional())?.map(facts_from))
    }

    fn books_opened_by(
        &mut self,
        reader: UserId,
        rights: &[OpeningRight],
        limit: Limit,
    ) -> Result<Vec<BookId>, StoreError> {
        let rights = opening_right_texts(rights);
        let limit = i64::try_from(limit.get()).unwrap_or(i64::MAX);
        let select = SelectOpenedBooks { reader: reader.get(), rights, limit };
        let books: Vec<i64> = self.run(|conn| select.load(conn))?;
        Ok(books.into_iter().map(BookId::from_store).collect())
    }

    fn place_of(&mut self, reader: UserId, book: BookId) -> Result<Option<Place>, StoreError> {
        place::find_place(self, reader, book)
    }

    fn completed_among(&mut self, readers: &[UserId], books: &[BookId]) -> Result<Vec<(UserId, BookId)>, StoreError> {
        if readers.is_empty() || books.is_empty() {
            return Ok(Vec::new());
        }
        let select = SelectCompletedAmong {
            readers: readers.iter().map(|reader| reader.get()).collect(),
            books: books.iter().map(|book| book.get()).collect(),
        };
        let rows: Vec<(i64, i64)> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|(reader, book)| (UserId::from_store(reader), BookId::from_store(book))).collect())
    }

    fn begun_books(&mut self, reader: UserId) -> Result<Vec<(BookId, bool)>, StoreError> {
        let begun = history::table
            .filter(history::user_id.eq(reader.get()))
            .select((history::book_id, history::completed_at.is_not_null()));
        let books: Vec<(i64, bool)> = self.run(|conn| begun.load(conn))?;
        Ok(books.into_iter().map(|(book, completed)| (BookId::from_store(book), completed)).collect())
    }

    fn requested_notices(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError> {
        let rows: Vec<i64> = self.run(|conn| {
            publication_notices::table
                .filter(publication_notices::user_id.eq(reader.get()))
                .order((publication_notices::requested_at.desc(), publication_notices::book_id.desc()))
                .select(publication_notices::book_id)
                .load(conn)
        })?;
        Ok(rows.into_iter().map(BookId::from_store).collect())
    }

    fn last_opened_at(&mut self, reader: UserId) -> Result<Option<Timestamp>, StoreError> {
        let opened: Option<DateTime<Utc>> = self.run(|conn| {
            opened_books::table
                .filter(opened_books::user_id.eq(reader.get()))
                .select(max(opened_books::opened_at))
                .first(conn)
        })?;
        let seen: Option<DateTime<Utc>> = self.run(|conn| {
            history::table.filter(history::user_id.eq(reader.get())).select(max(history::updated_at)).first(conn)
        })?;
        Ok(opened.max(seen).map(from_db))
    }

    fn shelf_counts(&mut self, reader: UserId) -> Result<ShelfCounts, StoreError> {
        let count = CountShelves { reader: reader.get() };
        let (reading, finished, saved): (i64, i64, i64) = self.run(|conn| count.get_result(conn))?;
        let [reading, finished, saved] = [reading, finished, saved].map(|count| u64::try_from(count).unwrap_or(0));
        Ok(ShelfCounts { reading, finished, saved })
    }

    fn history_counts(&mut self, reader: UserId) -> Result<HistoryCounts, StoreError> {
        let count = CountHistory { reader: reader.get() };
        let (all, completed): (i64, i64) = self.run(|conn| count.get_result(conn))?;
        let [all, completed] = [all, completed].map(|count| u64::try_from(count).unwrap_or(0));
        Ok(HistoryCounts { all, completed })
    }

    fn section_counts_of(&mut self, books: &[BookId]) -> Result<Vec<(BookId, u32)>, StoreError> {
        let select = CountSections { books: books.iter().map(|book| book.get()).collect() };
        let rows: Vec<(i64, i32)> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|(book, count)| (BookId::from_store(book), position_from(count))).collect())
    }

    fn reader_state_of(&mut self, reader: UserId, book: BookId) -> Result<Option<ReaderState>, StoreError> {
        let mut select: BuiltStatement<StateTypes> =
            BuiltStatement::new(concat!("SELECT ", state_columns!(), " FROM users u CROSS JOIN (SELECT "));
        select.value(Value::Int(book.get()));
        select.sql(concat!("::bigint AS book) p", state_joins!("p.book"), " WHERE u.id = "));
        select.value(Value::Int(reader.get()));
        let row: Option<StateRow> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(reader_state_from).transpose()
    }

    fn progress_facts_of(&mut self, reader: UserId) -> Result<Option<ProgressFacts>, StoreError> {
        type Row = (String, Vec<DateTime<Utc>>, i64, (Vec<i32>, Vec<i32>), (Vec<i64>, Vec<i64>));
        let select = SelectProgressFacts { reader: reader.get() };
        let row: Option<Row> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(|(time_zone, completions, finished, (days, completed), (categories, counts))| ProgressFacts {
            time_zone: TimeZone::named(&time_zone),
            completions: completions.into_iter().map(from_db).collect(),
            finished: count_from(finished),
            days: days.into_iter().map(Day::from_epoch).zip(completed.into_iter().map(position_from)).collect(),
            skills: categories
                .into_iter()
                .zip(counts)
                .map(|(category, count)| Skill { category: CategoryId::from_store(category), count: count_from(count) })
                .collect(),
        }))
    }

    fn find_recommends(&mut self, reader: UserId) -> Result<Option<Vec<CategoryId>>, StoreError> {
        let select = SelectRecommends { reader: reader.get() };
        let row: Option<Vec<i64>> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(|recommends| recommends.into_iter().map(CategoryId::from_store).collect()))
    }

    fn history_after(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let (at, book) = key_or_start(after);
        let select = SelectHistory { reader: reader.get(), at, book, limit: limit.with_surplus() };
        let rows: Vec<(i64, i32, bool, DateTime<Utc>)> = self.run(|conn| select.load(conn))?;
        Ok(rows
            .into_iter()
            .map(|(book, position, completed, at)| HistoryEntry {
                book: BookId::from_store(book),
                position: position_from(position),
                completed,
                at: from_db(at),
            })
            .collect())
    }

    fn library_after(
        &mut self,
        reader: UserId,
        on: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<KeptBook>, StoreError> {
        type Row = (i64, DateTime<Utc>, bool, Option<i32>, bool);
        let (begun, completed) = match on {
            Shelf::All => (None, None),
            Shelf::Reading => (Some(true), Some(false)),
            Shelf::Finished => (None, Some(true)),
            Shelf::Saved => (Some(false), Some(false)),
        };
        let (at, book) = key_or_start(after);
        let select = SelectLibrary { reader: reader.get(), begun, completed, at, book, limit: limit.with_surplus() };
        let rows: Vec<Row> = self.run(|conn| select.load(conn))?;
        let kept = rows.into_iter().map(|(book, at, is_saved, position, completed)| KeptBook {
            entry: LibraryEntry { book: BookId::from_store(book), at: from_db(at) },
            is_saved,
            position: position.map(position_from),
            completed,
        });
        Ok(kept.collect())
    }

    fn reader_records(&mut self, reader: UserId) -> Result<Option<Records>, StoreError> {
        let query = select(exists(users::table.find(reader.get())));
        if self.run(|conn| query.get_result(conn))? { records::read(self, reader.get()).map(Some) } else { Ok(None) }
    }
}

impl ProgressCommands for Pg<'_> {
    fn hide_history(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        place::hide_place(self, reader, book, at)
    }

    fn show_history(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        place::show_place(self, reader, book)
    }

    fn add_to_library(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        self.record_change(Change::Reader(reader));
        self.run(|conn| {
            insert_into(library::table)
                .values((
                    library::user_id.eq(reader.get()),
                    library::book_id.eq(book.get()),
                    library::added_at.eq(to_db(at)),
                ))
                .on_conflict_do_nothing()
                .execute(conn)
        })?;
        Ok(())
    }

    fn remove_from_library(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        self.record_change(Change::Reader(reader));
        self.run(|conn| delete(library::table.find((reader.get(), book.get()))).execute(conn))?;
        Ok(())
    }

    fn withdraw_notice(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        self.run(|conn| delete(publication_notices::table.find((reader.get(), book.get()))).execute(conn))?;
        Ok(())
    }

    fn take_due_notices(&mut self, limit: Limit) -> Result<Vec<DueNotice>, StoreError> {
        let take = DeleteDueNotices { limit: i64::try_from(limit.get()).unwrap_or(i64::MAX) };
        let rows: Vec<(i64, i64)> = self.run(|conn| take.load(conn))?;
        let due = |(reader, book)| DueNotice { reader: UserId::from_store(reader), book: BookId::from_store(book) };
        Ok(rows.into_iter().map(due).collect())
    }
}

impl ProgressStore for Pg<'_> {
    fn lock_reader(&mut self, reader: UserId) -> Result<Option<TimeZone>, StoreError> {
        // A lock that leaves the key alone: rows that refer to the reader can be inserted meanwhile.
        let query = users::table.find(reader.get()).select(users::timezone).for_no_key_update();
        let name: Option<String> = self.run(|conn| query.first(conn).optional())?;
        Ok(name.map(|name| TimeZone::named(&name)))
    }

    fn record_open(&mut self, reader: UserId, book: BookId, by: OpeningRight, at: Timestamp) -> Result<(), StoreError> {
        self.record_change(Change::Reader(reader));
        let granted = (opened_books::granted_by.eq(opening_right_text(by)), opened_books::opened_at.eq(to_db(at)));
        self.run(|conn| {
            insert_into(opened_books::table)
                .values((opened_books::user_id.eq(reader.get()), opened_books::book_id.eq(book.get()), granted))
                .on_conflict((opened_books::user_id, opened_books::book_id))
                .do_update()
                .set(granted)
                .execute(conn)
        })?;
        Ok(())
    }

    fn merge_visit(
        &mut self,
        reader: UserId,
        book: BookId,
        visit: &Visit,
        condition: &HistoryCondition,
    ) -> Result<Option<Place>, StoreError> {
        let save = PositionSave { reader, book, visit: visit.clone(), condition: *condition };
        Ok(place::merge_visits(self, &[&save])?.remove(&(reader, book)))
    }

    fn mark_completed(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        place::mark_completed(self, reader, book, at)
    }

    fn count_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError> {
        let count = CountReadingDay { reader: reader.get(), book: book.get(), day: day.since_epoch() };
        self.run(|conn| count.execute(conn))?;
        Ok(())
    }

    fn mark_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError> {
        let mark = MarkReadingDay { reader: reader.get(), book: book.get(), day: day.since_epoch() };
        self.run(|conn| mark.execute(conn)).map(|_| ())
    }

    fn raise_reading_days(&mut self, reader: UserId, days: &[(Day, u32)]) -> Result<(), StoreError> {
        self.record_change(Change::Reader(reader));
        let raise = RaiseReadingDays {
            reader: reader.get(),
            days: days.iter().map(|(day, _)| day.since_epoch()).collect(),
            counts: days.iter().map(|(_, count)| i32::try_from(*count).unwrap_or(i32::MAX)).collect(),
        };
        self.run(|conn| raise.execute(conn)).map(|_| ())
    }

    fn find_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError> {
        let query = ratings::table.find((reader.get(), book.get())).select(RATED);
        let row: Option<RatedRow> = self.run(|conn| query.first(conn).optional())?;
        row.map(rated_from).transpose()
    }

    fn put_rating(&mut self, reader: UserId, rated: &RatedBook) -> Result<(), StoreError> {
        self.record_change(Change::Reader(reader));
        let now = (
            ratings::rating.eq(i16::from(rated.rating.stars())),
            ratings::feedback.eq(rated.rating.feedback()),
            ratings::created_at.eq(to_db(rated.created_at)),
            ratings::updated_at.eq(to_db(rated.updated_at)),
            ratings::counts.eq(rated.counts),
        );
        self.run(|conn| {
            insert_into(ratings::table)
                .values((ratings::user_id.eq(reader.get()), ratings::book_id.eq(rated.book.get()), now))
                .on_conflict((ratings::user_id, ratings::book_id))
                .do_update()
                .set(now)
                .execute(conn)
        })?;
        Ok(())
    }

    fn delete_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError> {
        self.record_change(Change::Reader(reader));
        let delete = delete(ratings::table.find((reader.get(), book.get()))).returning(RATED);
        let row: Option<RatedRow> = self.run(|conn| delete.get_result(conn).optional())?;
        row.map(rated_from).transpose()
    }

    fn add_to_book_ratings(&mut self, book: BookId, count: i64, stars: i64) -> Result<(), StoreError> {
        // No notification: this node drops its own cache entries; on the others the mean may be as stale as a trend. Otherwise
        // every rating would invalidate all cached lists and pages of all nodes.
        let add = AddToBookRatings { book: book.get(), count, stars };
        self.run(|conn| add.execute(conn))?;
        Ok(())
    }

    fn insert_notice_request(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            insert_into(publication_notices::table)
                .values((
                    publication_notices::user_id.eq(reader.get()),
                    publication_notices::book_id.eq(book.get()),
                    publication_notices::requested_at.eq(to_db(at)),
                ))
                .on_conflict_do_nothing()
                .execute(conn)
        })?;
        Ok(())
    }

    fn replace_recommends(&mut self, reader: UserId, categories: &[CategoryId]) -> Result<bool, StoreError> {
        self.record_change(Change::User(reader));
        let insert = InsertRecommends {
            reader: reader.get(),
            categories: categories.iter().map(|category| category.get()).collect(),
        };
        let stored = self.run(|conn| {
            delete(recommends::table.filter(recommends::user_id.eq(reader.get()))).execute(conn)?;
            insert.execute(conn)
        })?;
        Ok(stored == categories.len())
    }

    fn delete_reader_records(&mut self, reader: UserId) -> Result<Vec<RatedBook>, StoreError> {
        self.record_change(Change::User(reader));
        let id = reader.get();
        let rated: Vec<RatedRow> = self.run(|conn| {
            delete(recommends::table.filter(recommends::user_id.eq(id))).execute(conn)?;
            delete(opened_books::table.filter(opened_books::user_id.eq(id))).execute(conn)?;
            delete(history::table.filter(history::user_id.eq(id))).execute(conn)?;
            delete(reading_days::table.filter(reading_days::user_id.eq(id))).execute(conn)?;
            delete(reading_goals::table.find(id)).execute(conn)?;
            delete(reading_time::table.filter(reading_time::user_id.eq(id))).execute(conn)?;
            delete(completions::table.filter(completions::user_id.eq(id))).execute(conn)?;
            delete(library::table.filter(library::user_id.eq(id))).execute(conn)?;
            delete(publication_notices::table.filter(publication_notices::user_id.eq(id))).execute(conn)?;
            delete(ratings::table.filter(ratings::user_id.eq(id))).returning(RATED).get_results(conn)
        })?;
        rated.into_iter().map(rated_from).collect()
    }
}

/// Converts a row to a reader's state for a book.
pub(crate) fn reader_state_from(row: StateRow) -> Result<ReaderState, StoreError> {
    let ((time_zone, invited_friend), (opened, in_library, stars, feedback), place, used) = row;
    let (summaries, last_summary_at, last_monthly_at) = used;
    Ok(ReaderState {
        allowance: AllowanceUse {
            invited_friend,
            time_zone: TimeZone::named(&time_zone),
            summaries: count_from(summaries),
            last_summary_at: last_summary_at.map(from_db),
            last_monthly_at: last_monthly_at.map(from_db),
        },
        opened: opened.map(|text| opening_right_from(&text)).transpose()?,
        place: place.map(place::place_from).transpose()?,
        in_library,
        rating: stars.map(|stars| rating_from(stars, feedback.as_deref().unwrap_or_default())).transpose()?,
    })
}

/// The columns of a rating.
const RATED: (
    ratings::book_id,
    ratings::rating,
    ratings::feedback,
    ratings::created_at,
    ratings::updated_at,
    ratings::counts,
) = (ratings::book_id, ratings::rating, ratings::feedback, ratings::created_at, ratings::updated_at, ratings::counts);

type RatedRow = (i64, i16, String, DateTime<Utc>, DateTime<Utc>, bool);

fn rated_from((book, stars, feedback, created_at, updated_at, counts): RatedRow) -> Result<RatedBook, StoreError> {
    Ok(RatedBook {
        book: BookId::from_store(book),
        rating: rating_from(stars, &feedback)?,
        created_at: from_db(created_at),
        updated_at: from_db(updated_at),
        counts,
    })
}

fn rating_from(stars: i16, feedback: &str) -> Result<Rating, StoreError> {
    Rating::new(Some(i64::from(stars)), feedback).map_err(StoreError::new)
}

fn facts_from((id, free, coming_soon, sections): (i64, bool, bool, i32)) -> BookFacts {
    BookFacts { id: BookId::from_store(id), free, coming_soon, sections: position_from(sections) }
}

const fn opening_right_text(right: OpeningRight) -> &'static str {
    match right {
        OpeningRight::FreeBook => "free",
        OpeningRight::Plan => "plan",
        OpeningRight::Allowance => "allowance",
        OpeningRight::Monthly => "monthly",
    }
}

fn opening_right_texts(rights: &[OpeningRight]) -> Vec<&'static str> {
    rights.iter().copied().map(opening_right_text).collect()
}

fn opening_right_from(text: &str) -> Result<OpeningRight, StoreError> {
    match text {
        "free" => Ok(OpeningRight::FreeBook),
        "plan" => Ok(OpeningRight::Plan),
        "allowance" => Ok(OpeningRight::Allowance),
        "monthly" => Ok(OpeningRight::Monthly),
        other => Err(StoreError::new(format!("no book is opened by {other:?}"))),
    }
}

/// A position or a number of sections, which is never negative.
fn position_from(position: i32) -> u32 {
    u32::try_from(position).unwrap_or(0)
}

fn count_from(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The cursor; without one, a cursor before everything.
fn key_or_start(after: Option<DateCursor<BookId>>) -> (DateTime<Utc>, i64) {
    after.map_or((to_db(Timestamp::from_millis(LATEST)), i64::MAX), |key| (to_db(key.at), key.id.get()))
}

/// The year 9999 in milliseconds: later than any event, and within the range of Postgres and chrono.
const LATEST: i64 = 253_370_764_800_000;
