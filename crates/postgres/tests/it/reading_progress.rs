//! Reading in Postgres: the contract that memory keeps too, and what only shows when many come at once.

mod combined_saves;

use std::{
    cell::RefCell,
    sync::{Arc, Barrier, Mutex},
    thread,
    time::Duration,
};

use billing::BillingQueries;
use catalogue::{BookRef, CatalogueQueries};
use diesel::{
    PgConnection, QueryableByName, RunQueryDsl,
    connection::{AnsiTransactionManager, TransactionManager},
    sql_query,
    sql_types::{BigInt, Text},
};
use identity::IdentityQueries;
use kernel::{BookId, CategoryId, DAY, Limit, Period, Slug, StoreError, Timestamp, UserId};
use postgres::{Change, Db, DbConfig, Notification, Pg};
use proptest::{prelude::*, sample::select, test_runner::TestRunner};
use reading_progress::{
    BookFacts, OpeningRight, ProgressCommands, ProgressError, ProgressQueries, ProgressStore, Rating, ReaderState,
    ReadingProgress, Shelf,
    contract::{NOW, STEPS, Shorthands, World, counts_agree_after},
};
use testing::TestDatabase;

const CONNECTIONS: u32 = 24;

/// A database of its own, on one connection.
struct PostgresWorld {
    connection: PgConnection,
    count: i64,
    // Dropped last: its connections go first.
    database: TestDatabase,
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
struct Ratings {
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = BigInt)]
    sum: i64,
}

impl PostgresWorld {
    fn new() -> Self {
        let database = TestDatabase::new();
        Self { connection: database.connect(), count: 0, database }
    }

    /// The one door, with all its connections open: work that comes at once is done at once.
    fn db(&self) -> Db {
        let config = DbConfig {
            url: self.database.url().to_owned(),
            direct_url: None,
            replica_url: None,
            read_connections: 2,
            write_connections: CONNECTIONS,
            wait: Duration::from_mins(1),
        };
        let db = Db::new(&config, "test");
        let (opened, all_there) = (db.clone(), Barrier::new(CONNECTIONS as usize));
        all_at_once(CONNECTIONS as usize, move |_| {
            opened.write_now::<_, ProgressError>(|_| {
                all_there.wait();
                Ok(())
            })
        });
        db
    }

    /// Begins the first work on a connection of its own, lets the second come on another, and ends the first when the
    /// second waits for it (or is through, when it does not wait).
    fn one_after_the_other<T: Send>(
        &self,
        first: impl FnOnce(&mut Pg<'_>) -> Result<T, ProgressError>,
        second: impl FnOnce(&mut Pg<'_>) -> Result<T, ProgressError> + Send,
    ) -> (T, T) {
        let mut own = self.database.connect();
        AnsiTransactionManager::begin_transaction(&mut own).expect("a transaction begins");
        let done = first(&mut Pg::new(&mut own)).expect("the first goes well");
        let mut other = self.database.connect();
        thread::scope(|scope| {
            let later = scope.spawn(move || {
                AnsiTransactionManager::begin_transaction(&mut other).expect("a transaction begins");
                let answer = second(&mut Pg::new(&mut other)).expect("the second goes well");
                AnsiTransactionManager::commit_transaction(&mut other).expect("the second commits");
                answer
            });
            let waiting = "SELECT count(*) AS id FROM pg_stat_activity
                           WHERE datname = current_database() AND wait_event_type = 'Lock'";
            let mut watch = self.database.connect();
            while !later.is_finished() && sql_query(waiting).get_result::<Id>(&mut watch).expect("it is seen").id == 0 {
                thread::yield_now();
            }
            AnsiTransactionManager::commit_transaction(&mut own).expect("the first commits");
            (done, later.join().expect("no panic"))
        })
    }

    fn insert(&mut self, statement: &str) -> i64 {
        self.count += 1;
        let statement = statement.replace("{n}", &self.count.to_string());
        sql_query(statement).get_result::<Id>(&mut self.connection).expect("the row is inserted").id
    }

    fn run(&mut self, statement: &str) {
        sql_query(statement).execute(&mut self.connection).expect("the statement runs");
    }
}

impl World for PostgresWorld {
    fn add_reader(&mut self, time_zone: &str) -> UserId {
        self.count += 1;
        let row = sql_query(
            "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
             VALUES ($1, $1, 'Ada', 'Reader', $2, now()) RETURNING id",
        )
        .bind::<Text, _>(format!("reader{}@example.com", self.count))
        .bind::<Text, _>(time_zone)
        .get_result::<Id>(&mut self.connection);
        UserId::from_store(row.expect("the reader is inserted").id)
    }

    fn invite_friend(&mut self, reader: UserId) {
        self.run(&format!("UPDATE users SET friend_email = 'friend@example.com' WHERE id = {reader}"));
    }

    fn add_plan(&mut self, reader: UserId, period: Period) {
        let moment = |at: Timestamp| format!("to_timestamp({}::numeric / 1000)", at.millis());
        let end = period.ends_at.map_or_else(|| "NULL".to_owned(), moment);
        self.run(&format!(
            "INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at, ends_at)
             VALUES ({reader}, 'plan', 'Plan', {}, {end})",
            moment(period.starts_at)
        ));
    }

    fn add_category(&mut self) -> CategoryId {
        CategoryId::from_store(self.insert(
            "INSERT INTO categories (subid, name, hue, place) VALUES ('category-{n}', 'Category {n}', 10, {n}) RETURNING id",
        ))
    }

    fn add_book(&mut self, subid: &Slug, categories: &[CategoryId]) -> BookId {
        let book = self.insert(&format!(
            "WITH author AS (
                INSERT INTO authors (slug, name, name_key) VALUES ('author-{subid}', 'Author', 'author') RETURNING id
             )
             INSERT INTO books (subid, title, title_key, author_id, upload_date, updated_at)
             SELECT '{subid}', 'Book', 'book', id, now(), now() FROM author RETURNING id"
        ));
        for category in categories {
            self.run(&format!(
                "INSERT INTO book_categories (book_id, category_id, place) VALUES ({book}, {category}, 0)"
            ));
        }
        BookId::from_store(book)
    }

    fn change_book(&mut self, facts: BookFacts) {
        let BookFacts { id, free, coming_soon, sections } = facts;
        self.run(&format!(
            "UPDATE books SET free = {free}, coming_soon = {coming_soon},
                section_titles = array_fill('Idea'::text, ARRAY[{sections}]) WHERE id = {id}"
        ));
    }

    fn unpublish(&mut self, book: BookId) {
        self.run(&format!("UPDATE books SET published = false WHERE id = {book}"));
    }

    fn book_ratings(&mut self, book: BookId) -> (i64, i64) {
        let row = sql_query(
            "SELECT coalesce(sum(ratings_count), 0)::bigint AS count, coalesce(sum(ratings_sum), 0)::bigint AS sum
             FROM book_stats WHERE book_id = $1",
        )
        .bind::<BigInt, _>(book.get())
        .get_result::<Ratings>(&mut self.connection)
        .expect("the sums are read");
        (row.count, row.sum)
    }

    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, ProgressError>,
    ) -> Result<T, ProgressError> {
        let connection = &mut self.connection;
        AnsiTransactionManager::begin_transaction(connection).expect("a transaction begins");
        let answer = work(&mut Pg::new(connection));
        if answer.is_ok() {
            AnsiTransactionManager::commit_transaction(connection).expect("the transaction commits");
        } else {
            AnsiTransactionManager::rollback_transaction(connection).expect("the transaction is taken back");
        }
        answer
    }
}

/// How often a prepared statement was planned for one call.
#[derive(QueryableByName)]
struct Plans {
    #[diesel(sql_type = Text)]
    statement: String,
    #[diesel(sql_type = BigInt)]
    custom_plans: i64,
}

#[test]
fn a_readers_pages_are_planned_once_for_all_readers() {
    let mut world = PostgresWorld::new();
    let (few, many) = (world.add_reader("UTC"), world.add_reader("UTC"));
    let book = world.book().id;
    world.run(
        "INSERT INTO books (subid, title, title_key, author_id, upload_date, updated_at)
         SELECT 'other-' || n, 'Book', 'book', (SELECT min(id) FROM authors), now(), now() FROM generate_series(1, 2000) n",
    );
    // Pages of one who reads little look cheaper than the average to Postgres, so that it would plan each of them.
    world.run(&format!(
        "INSERT INTO history (user_id, book_id, position, updated_at) SELECT {many}, id, 1, now() FROM books
         UNION ALL VALUES ({few}, {book}, 1, now())"
    ));
    world.run("ANALYZE history, books");
    for _ in 0..10 {
        let mut pg = Pg::new(&mut world.connection);
        let limit = Limit::clamped(10);
        assert_eq!(pg.history_after(few, None, limit).expect("a page").len(), 1);
        assert_eq!(pg.history_counts(few).expect("counts").all, 1);
        pg.library_after(few, Shelf::All, None, limit).expect("a page");
        pg.shelf_counts(few).expect("counts");
        pg.progress_facts_of(few).expect("facts");
    }
    let prepared = "SELECT statement, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%history h%'";
    let plans: Vec<Plans> = sql_query(prepared).load(&mut world.connection).expect("the prepared statements");
    assert_eq!(plans.len(), 5);
    for Plans { statement, custom_plans } in plans {
        // Before it makes one for all, Postgres makes five.
        assert_eq!(custom_plans, 5, "{statement}");
    }
}

mod contract {
    reading_progress::contract_tests!(super::PostgresWorld::new());
}

#[test]
fn counts_agree_after_any_steps() {
    let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
    let world = RefCell::new(PostgresWorld::new());
    let steps = prop::collection::vec((0..3_usize, select(&STEPS)), 0..16);
    let agrees = |steps: Vec<_>| {
        counts_agree_after(&mut *world.borrow_mut(), &steps);
        Ok(())
    };
    TestRunner::new(config).run(&steps, agrees).unwrap();
}

/// Runs the work on many threads at the same moment and gathers what comes of it.
fn all_at_once<T: Send + 'static>(
    threads: usize,
    work: impl Fn(usize) -> Result<T, ProgressError> + Send + Sync + 'static,
) -> Vec<T> {
    let (work, start) = (Arc::new(work), Arc::new(Barrier::new(threads)));
    let handles: Vec<_> = (0..threads)
        .map(|at| {
            let (work, start) = (Arc::clone(&work), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                work(at)
            })
        })
        .collect();
    handles.into_iter().map(|handle| handle.join().expect("no panic").expect("no failure")).collect()
}

/// Takes one of three, as long as there is one and the book was not opened before; gives whether it did.
fn take(pg: &mut Pg<'_>, reader: UserId, book: BookId) -> Result<bool, ProgressError> {
    let decide = |_: &mut Pg<'_>, state: &ReaderState| {
        let takes = state.opened.is_none() && state.allowance.summaries < 3;
        Ok((takes, if takes { Some(OpeningRight::Allowance) } else { None }))
    };
    Ok(pg.open_book(reader, book, NOW, decide)?.0)
}

#[test]
fn an_open_that_comes_second_sees_what_the_first_has_taken() {
    let mut world = PostgresWorld::new();
    let reader = world.add_reader("UTC");
    for _ in 0..2 {
        let book = world.book();
        world.ok(|store| store.open_by(reader, book.id, OpeningRight::Allowance, NOW));
    }
    let (one, other) = (world.book().id, world.book().id);
    let taken = world.one_after_the_other(|pg| take(pg, reader, one), |pg| take(pg, reader, other));
    assert_eq!(taken, (true, false));
}

#[test]
fn a_completion_that_comes_second_is_not_the_first() {
    let mut world = PostgresWorld::new();
    let (reader, book) = (world.paid_reader(), world.book());
    world.ok(|store| store.save_position(reader, &book, 3, false, NOW));
    let complete = |pg: &mut Pg<'_>| pg.save_position(reader, &book, 4, true, NOW);
    let (first, second) = world.one_after_the_other(complete, complete);
    assert!(first.progress.is_some_and(|progress| progress.xp == 10));
    assert!(second.progress.is_none() && second.entry.completed);
}

#[test]
fn a_completion_sees_that_of_another_book_before_it() {
    let mut world = PostgresWorld::new();
    let (reader, one, other) = (world.paid_reader(), world.book(), world.book());
    let (first, second) = world.one_after_the_other(
        |pg| pg.save_position(reader, &one, 4, true, NOW),
        |pg| pg.save_position(reader, &other, 4, true, NOW),
    );
    assert_eq!([first, second].map(|saved| saved.progress.expect("both are first").xp), [10, 20]);
}

#[test]
fn a_rating_that_comes_second_takes_the_place_of_the_first() {
    let mut world = PostgresWorld::new();
    let (reader, book) = (world.paid_reader(), world.book());
    world.ok(|store| store.open_by(reader, book.id, OpeningRight::Plan, NOW));
    let rate = |stars| move |pg: &mut Pg<'_>| pg.rate_book(reader, book.id, &Rating::new(Some(stars), "")?, NOW);
    world.one_after_the_other(rate(5), rate(2));
    assert_eq!(world.book_ratings(book.id), (1, 2));
}

#[test]
fn of_200_opens_at_once_the_last_summary_is_given_once() {
    let mut world = PostgresWorld::new();
    let reader = world.add_reader("UTC");
    for _ in 0..2 {
        let book = world.book();
        world.ok(|store| store.open_by(reader, book.id, OpeningRight::Allowance, NOW));
    }
    let books: Vec<BookFacts> = (0..200).map(|_| world.book()).collect();
    let db = world.db();
    let taken = all_at_once(200, move |at| {
        let book = books[at].id;
        db.write_now(move |pg| take(pg, reader, book))
    });
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    assert_eq!(world.ok(|store| store.allowance_use_of(reader)).summaries, 3);
}

#[test]
fn opens_of_one_book_at_once_take_one_summary() {
    let mut world = PostgresWorld::new();
    let (reader, book) = (world.add_reader("UTC"), world.book().id);
    let db = world.db();
    let taken = all_at_once(50, move |_| db.write_now(move |pg| take(pg, reader, book)));
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    assert_eq!(world.ok(|store| store.allowance_use_of(reader)).summaries, 1);
}

#[test]
fn of_50_completions_at_once_one_is_the_first() {
    let mut world = PostgresWorld::new();
    let (reader, book) = (world.paid_reader(), world.book());
    let db = world.db();
    let saved = all_at_once(50, move |_| db.write_now(move |pg| pg.save_position(reader, &book, 4, true, NOW)));
    assert!(saved.iter().all(|saved| saved.entry.completed));
    assert_eq!(saved.iter().filter(|saved| saved.progress.is_some()).count(), 1);
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp), (1, 10));
    let completions = sql_query("SELECT sum(completions) AS id FROM reading_days");
    assert_eq!(completions.get_result::<Id>(&mut world.connection).expect("the days are summed").id, 1);
}

#[test]
fn completions_of_different_books_at_once_each_give_xp() {
    let mut world = PostgresWorld::new();
    let reader = world.paid_reader();
    let books: Vec<BookFacts> = (0..20).map(|_| world.book()).collect();
    let db = world.db();
    let saved = all_at_once(20, move |at| {
        let book = books[at];
        db.write_now(move |pg| pg.save_position(reader, &book, 4, true, NOW))
    });
    let mut xp: Vec<u32> = saved.iter().filter_map(|saved| saved.progress.as_ref()).map(|it| it.xp).collect();
    xp.sort_unstable();
    assert_eq!(xp, (1..=20).map(|n| n * 10).collect::<Vec<_>>());
}

#[test]
fn ratings_at_once_add_up() {
    let mut world = PostgresWorld::new();
    let book = world.book();
    let readers: Vec<UserId> = (0..20).map(|_| world.paid_reader()).collect();
    for reader in &readers {
        world.ok(|store| store.open_by(*reader, book.id, OpeningRight::Plan, NOW));
    }
    let db = world.db();
    let raters = readers.clone();
    // Each reader rates five times, from one star to five, in any order.
    all_at_once(100, move |at| {
        let (reader, stars) = (raters[at % 20], i64::try_from(at / 20).expect("small") + 1);
        let rating = Rating::new(Some(stars), "")?;
        db.write_now(move |pg| pg.rate_book(reader, book.id, &rating, NOW))
    });
    let kept: i64 = readers
        .iter()
        .map(|reader| {
            let rating = world.ok(|store| store.find_rating(*reader, book.id));
            i64::from(rating.expect("every reader has rated").rating.stars())
        })
        .sum();
    assert_eq!(world.book_ratings(book.id), (20, kept));
}

#[test]
fn choices_at_once_leave_one_of_them() {
    let mut world = PostgresWorld::new();
    let reader = world.add_reader("UTC");
    let categories: Vec<CategoryId> = (0..8).map(|_| world.add_category()).collect();
    let db = world.db();
    let (left, right) = (categories[..4].to_vec(), categories[4..].to_vec());
    let choices = [left.clone(), right.clone()];
    all_at_once(40, move |at| {
        let chosen = choices[at % 2].clone();
        db.write_now(move |pg| pg.set_recommends(reader, &chosen))
    });
    let kept = world.ok(|store| store.recommends_of(reader));
    assert!(kept == left || kept == right, "{kept:?}");
}

#[test]
fn a_position_is_not_held_up_by_what_else_the_reader_does() {
    let mut world = PostgresWorld::new();
    let (reader, book) = (world.paid_reader(), world.book());
    let mut other = world.database.connect();
    AnsiTransactionManager::begin_transaction(&mut other).expect("a transaction begins");
    Pg::new(&mut other).lock_reader(reader).expect("the lock is free");
    world.run("SET lock_timeout = '2s'");
    let saved = world.ok(|store| store.save_position(reader, &book, 1, false, NOW));
    assert_eq!(saved.entry.position, 1);
    let blocked: Result<_, StoreError> = Pg::new(&mut world.connection).lock_reader(reader);
    assert!(blocked.is_err(), "one at a time");
}

#[test]
fn other_nodes_are_told_what_changed() {
    let mut world = PostgresWorld::new();
    let (reader, book, category) = (world.add_reader("UTC"), world.book(), world.add_category());
    let heard: Arc<Mutex<Vec<Change>>> = Arc::default();
    let db = world.db();
    let notes = Arc::clone(&heard);
    db.on_change(move |change| {
        if let Notification::Change(change) = change {
            notes.lock().expect("no panic").push(change);
        }
    });
    let told = |what: &str, expected: &[Change]| {
        assert_eq!(std::mem::take(&mut *heard.lock().expect("no panic")), expected, "{what}");
    };
    let (of_reader, of_user) = ([Change::Reader(reader)], [Change::User(reader)]);
    let write = |work: &dyn Fn(&mut Pg<'_>) -> Result<(), ProgressError>| {
        db.write_now(|pg| work(pg)).expect("the work goes well");
    };

    write(&|pg| take(pg, reader, book.id).map(drop));
    told("an open", &of_reader);
    write(&|pg| take(pg, reader, book.id).map(drop));
    told("an open that changes nothing", &[]);
    write(&|pg| pg.save_position(reader, &book, 1, false, NOW).map(drop));
    told("a position", &of_reader);
    write(&|pg| Ok(pg.add_to_library(reader, book.id, NOW)?));
    told("an addition to the library", &of_reader);
    write(&|pg| Ok(pg.remove_from_library(reader, book.id)?));
    told("a removal from the library", &of_reader);
    write(&|pg| pg.rate_book(reader, book.id, &Rating::new(Some(5), "")?, NOW));
    told("a rating, which throws nobody else's lists away", &of_reader);
    write(&|pg| pg.set_recommends(reader, &[category]));
    told("a choice", &of_user);
}

#[tokio::test]
async fn a_read_of_a_database_that_hangs_is_given_up() {
    let mut world = PostgresWorld::new();
    let book = world.book().id;
    let config = DbConfig {
        url: world.database.url().to_owned(),
        direct_url: None,
        replica_url: None,
        read_connections: 1,
        write_connections: 1,
        wait: Duration::from_millis(100),
    };
    let db = Db::new(&config, "node");
    let mut other = world.database.connect();
    sql_query("BEGIN").execute(&mut other).expect("begun");
    sql_query("LOCK TABLE books IN ACCESS EXCLUSIVE MODE").execute(&mut other).expect("locked");
    let given_up = db.read::<_, StoreError, _>(move |pg| pg.book_facts(book)).await.expect_err("nothing is read");
    assert!(given_up.is_unavailable(), "{given_up}");
    sql_query("ROLLBACK").execute(&mut other).expect("released");
}

/// One statement reads what the queries of four domains read one after the other.
#[test]
fn a_book_for_a_member_is_what_the_queries_of_its_parts_read() {
    let mut world = PostgresWorld::new();
    let (categories, book) = ([world.add_category(), world.add_category()], world.book());
    world.run("INSERT INTO book_stats (book_id, is_popular) SELECT id, false FROM books");
    let shown = r#"{"author":{"slug":"ada","name":"Ada"},"categories":[],"goals":[],"tags":[]}"#;
    world.run(&format!("UPDATE books SET shown = '{shown}'"));
    let (new, old) = (world.add_reader("UTC"), world.add_reader("Asia/Tokyo"));
    world.invite_friend(old);
    for (start, end) in [(-9, Some(-8)), (-5, Some(5)), (-4, None), (3, Some(9))] {
        world.add_plan(old, Period { starts_at: NOW.plus(start * DAY), ends_at: end.map(|end| NOW.plus(end * DAY)) });
    }
    world.ok(|store| {
        store.set_recommends(old, &categories)?;
        store.open_by(old, book.id, OpeningRight::Allowance, NOW)?;
        store.save_position(old, &book, 2, false, NOW)?;
        store.add_to_library(old, book.id, NOW)?;
        store.rate_book(old, book.id, &Rating::new(Some(4), "Good.")?, NOW)
    });
    let subid = Slug::parse("book-that-is-not-there").expect("a slug");
    let pg = &mut Pg::new(&mut world.connection);
    for reader in [new, old] {
        let name = BookRef::Id(book.id);
        let found = pg.member_book(reader, &name, NOW).expect("it is read").expect("the member is there");
        assert_eq!(Some(&found.user), pg.user(reader).expect("the member is read").as_ref());
        assert_eq!(found.entitlements, pg.entitlements_of(reader, NOW).expect("entitlements are read"));
        assert_eq!(found.recommends, pg.recommends_of(reader).expect("choices are read"));
        let (read, state) = found.book.expect("the book is there");
        assert_eq!(Some(&read), pg.book(&name).expect("the book is read").as_ref());
        assert_eq!(state, pg.reader_state(reader, book.id).expect("the state is read"));
        let named = pg.member_book(reader, &BookRef::Subid(read.card.subid), NOW).expect("it is read");
        assert_eq!(named.and_then(|named| named.book).map(|(book, _)| book.card.id), Some(book.id));
        let other = pg.member_book(reader, &BookRef::Subid(subid.clone()), NOW).expect("it is read");
        assert!(other.expect("the member is there").book.is_none());
    }
    assert_eq!(pg.entitlements_of(old, NOW).expect("entitlements are read").len(), 3, "what is over is left out");
    let gone = UserId::from_store(old.get() + 1);
    assert!(pg.member_book(gone, &BookRef::Id(book.id), NOW).expect("it is read").is_none());
    world.unpublish(book.id);
    let hidden = Pg::new(&mut world.connection).member_book(old, &BookRef::Id(book.id), NOW).expect("it is read");
    assert!(hidden.expect("the member is there").book.is_none());
}
