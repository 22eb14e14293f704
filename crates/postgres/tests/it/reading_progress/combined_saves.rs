//! Combined saves: whatever batches the saves of many fall into, the rows are those of single saves, and a save that fails fails
//! alone.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::Arc,
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use diesel::{
    RunQueryDsl,
    connection::{AnsiTransactionManager, TransactionManager},
    sql_query,
};
use kernel::{BookId, Slug, StoreError, UserId};
use postgres::{CombinedSaves, Db, DbConfig, PositionSave};
use proptest::{prelude::*, test_runner::TestRunner};
use reading_progress::{
    Device, HistoryCondition, Place, Visit,
    contract::{NOW, World},
};

use super::{Id, PostgresWorld};

type Answer = Result<Option<Place>, StoreError>;

const NOBODY: HistoryCondition =
    HistoryCondition { every_reader: false, opened_by: &[], plan_at: NOW, plan_at_if_opened: NOW };
const EVERYBODY: HistoryCondition = HistoryCondition { every_reader: true, ..NOBODY };

fn save(reader: UserId, book: BookId, position: u32) -> PositionSave {
    let visit = Visit { at: NOW, position: Some(position), paragraph: None, audio: None, device: None };
    PositionSave { reader, book, visit, condition: EVERYBODY }
}

fn some_visit() -> impl Strategy<Value = Visit> {
    let device = prop_oneof![Just(None), "[ab]".prop_map(|name| Device::parse(&name))];
    let place = proptest::option::of((0..5_u32, proptest::option::of(0..4_u32)));
    (0..6_i64, place, proptest::option::of(0..9_u64), device).prop_map(|(at, place, audio, device)| Visit {
        at: NOW.plus(at),
        position: place.map(|(section, _)| section),
        paragraph: place.and_then(|(_, paragraph)| paragraph),
        audio,
        device,
    })
}

/// Readers and books, and the saves of a database of their own.
struct Site {
    world: PostgresWorld,
    saves: Arc<CombinedSaves>,
    readers: Vec<UserId>,
    books: Vec<BookId>,
}

impl Site {
    fn new() -> Self {
        let mut world = PostgresWorld::new();
        let readers = (0..3).map(|_| world.add_reader("UTC")).collect();
        let book = |world: &mut PostgresWorld, n: i64| {
            world.add_book(&Slug::parse(&format!("book-{n}")).expect("a slug"), &[])
        };
        let books = (0..3).map(|n| book(&mut world, n)).collect();
        let saves = Arc::new(CombinedSaves::new(world.db()));
        Self { world, saves, readers, books }
    }

    fn place(&mut self, reader: UserId, book: BookId) -> Option<Place> {
        self.world.transaction(|pg| Ok(pg.place_of(reader, book)?)).expect("it is read")
    }

    /// Lets these saves come while another one is written, which waits for a row until they are there.
    async fn save_meanwhile(&mut self, saves: Vec<PositionSave>) -> Vec<Answer> {
        let (reader, book) = (self.readers[0], self.books[0]);
        self.saves.save(save(reader, book, 0)).await.expect("it is saved");
        let mut own = self.world.database.connect();
        AnsiTransactionManager::begin_transaction(&mut own).expect("a transaction begins");
        let lock =
            format!("SELECT user_id AS id FROM history WHERE user_id = {reader} AND book_id = {book} FOR UPDATE");
        sql_query(lock).get_result::<Id>(&mut own).expect("the row is locked");
        let mut first: Pin<Box<_>> = Box::pin(self.saves.save(save(reader, book, 1)));
        assert!(is_pending(&mut first).await);
        let waiting = "SELECT count(*) AS id FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let mut watch = self.world.database.connect();
        while sql_query(waiting).get_result::<Id>(&mut watch).expect("it is seen").id == 0 {
            thread::yield_now();
        }
        let mut rest: Vec<Pin<Box<_>>> = saves.into_iter().map(|one| Box::pin(self.saves.save(one))).collect();
        for one in &mut rest {
            assert!(is_pending(one).await, "it has come");
        }
        AnsiTransactionManager::commit_transaction(&mut own).expect("the row is free");
        first.await.expect("it is saved").expect("by the condition");
        let mut answers = Vec::new();
        for one in rest {
            answers.push(one.await);
        }
        answers
    }
}

async fn is_pending<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> bool {
    std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

#[test]
fn any_batches_end_in_the_rows_of_single_saves() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = std::cell::RefCell::new(Site::new());
    let said = proptest::collection::vec((0..3_usize, 0..3_usize, some_visit()), 1..60);
    let mut runner = TestRunner::new(ProptestConfig { cases: 24, ..ProptestConfig::default() });
    let outcome = runner.run(&said, |said| {
        let mut site = site.borrow_mut();
        site.world.run("DELETE FROM history");
        let mut expected: HashMap<(UserId, BookId), Place> = HashMap::new();
        let mut tasks = tokio::task::JoinSet::new();
        for (reader, book, visit) in said {
            let (reader, book) = (site.readers[reader], site.books[book]);
            let merged = match expected.remove(&(reader, book)) {
                Some(place) => place.merged(&visit),
                None => Place::first(&visit),
            };
            expected.insert((reader, book), merged);
            let (saves, at) = (Arc::clone(&site.saves), visit.at);
            let save = PositionSave { reader, book, visit, condition: EVERYBODY };
            tasks.spawn_on(async move { (saves.save(save).await, at) }, runtime.handle());
        }
        for (answer, at) in runtime.block_on(tasks.join_all()) {
            let place = answer.expect("it is saved").expect("by the condition");
            prop_assert!(place.seen_at >= at, "what was acknowledged holds the visit");
        }
        let (readers, books) = (site.readers.clone(), site.books.clone());
        for (reader, book) in readers.iter().flat_map(|reader| books.iter().map(|book| (*reader, *book))) {
            prop_assert_eq!(site.place(reader, book), expected.remove(&(reader, book)));
        }
        Ok(())
    });
    outcome.expect("every case holds");
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_that_come_while_one_is_written_share_a_transaction() {
    let mut site = Site::new();
    let (readers, books) = (site.readers.clone(), site.books.clone());
    let places = [(readers[0], books[1]), (readers[1], books[0]), (readers[1], books[2]), (readers[2], books[2])];
    let answers = site.save_meanwhile(places.iter().map(|(reader, book)| save(*reader, *book, 2)).collect()).await;
    assert!(answers.iter().all(|answer| matches!(answer, Ok(Some(place)) if place.position() == 2)));
    let transactions = "SELECT count(DISTINCT xmin::text) AS id FROM history WHERE position = 2";
    let mut watch = site.world.database.connect();
    assert_eq!(sql_query(transactions).get_result::<Id>(&mut watch).expect("they are counted").id, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_that_fails_fails_alone() {
    let mut site = Site::new();
    let (reader, other, book) = (site.readers[1], site.readers[2], site.books[1]);
    let no_book = BookId::from_store(4_711);
    let saves = vec![
        save(reader, book, 1),
        save(reader, no_book, 1),
        PositionSave { condition: NOBODY, ..save(other, book, 1) },
        save(other, site.books[2], 1),
        // Of one place in one batch: the second is written after the first.
        save(reader, book, 3),
        save(UserId::from_store(4_711), book, 1),
    ];
    let answers = site.save_meanwhile(saves).await;
    let found: Vec<_> =
        answers.iter().map(|answer| answer.as_ref().map(|place| place.as_ref().map(Place::position))).collect();
    assert!(
        matches!(found[..], [Ok(Some(1)), Err(_), Ok(None), Ok(Some(1)), Ok(Some(3)), Ok(None)]),
        "no book, no right and no reader: {found:?}"
    );
    assert_eq!(site.place(reader, book).map(|place| place.position()), Some(3));
    assert_eq!(site.place(other, book), None);
}

#[tokio::test]
async fn saves_that_wait_are_written_before_the_thread_ends() {
    let mut site = Site::new();
    let (reader, books) = (site.readers[0], site.books.clone());
    let saves = Arc::into_inner(std::mem::replace(&mut site.saves, Arc::new(CombinedSaves::new(site.world.db()))));
    let saves = saves.expect("the only handle");
    let mut waiting: Vec<Pin<Box<_>>> = books.iter().map(|book| Box::pin(saves.save(save(reader, *book, 1)))).collect();
    for one in &mut waiting {
        let _ = is_pending(one).await;
    }
    // Their callers are gone.
    drop(waiting);
    drop(saves);
    // The drop itself waits for a second only.
    let begin = Instant::now();
    while books.iter().any(|book| site.place(reader, *book).is_none()) {
        assert!(begin.elapsed() < Duration::from_mins(1), "they are written");
        thread::yield_now();
    }
    for book in books {
        assert_eq!(site.place(reader, book).map(|place| place.position()), Some(1));
    }
}

#[tokio::test]
async fn a_save_is_given_up_when_the_database_does_not_answer() {
    let site = Site::new();
    let url = site.world.database.url().to_owned();
    let config = DbConfig {
        url,
        direct_url: None,
        replica_url: None,
        read_connections: 1,
        write_connections: 1,
        wait: Duration::from_millis(100),
    };
    let saves = CombinedSaves::new(Db::new(&config, "test"));
    let mut own = site.world.database.connect();
    AnsiTransactionManager::begin_transaction(&mut own).expect("a transaction begins");
    sql_query("LOCK TABLE history").execute(&mut own).expect("the table is locked");
    let answer = saves.save(save(site.readers[0], site.books[0], 1)).await;
    assert!(answer.is_err_and(|error| error.is_unavailable()));
    AnsiTransactionManager::rollback_transaction(&mut own).expect("the table is free");
}
