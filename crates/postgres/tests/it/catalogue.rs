//! The catalogue on Postgres: its books, lists, searches and recordings, and what happens when many come at once.

mod books;
mod fixtures;
mod lists;
mod recordings;
mod search;
mod visuals;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use catalogue::{
    AuthorDraft, BookDraft, Catalogue, CatalogueError, CatalogueLists, CatalogueQueries, CategoryDraft, Filters,
    ListQuery, SaveOutcome, SearchQuery, Sort,
};
use diesel::{RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{Access, Limit};
use postgres::{Change, Db, DbConfig, Notification, Pg};
use testing::TestDatabase;

use fixtures::{NOW, slug};

fn db(database: &TestDatabase) -> Db {
    let config = DbConfig {
        url: database.url().to_owned(),
        direct_url: None,
        replica_url: None,
        read_connections: 2,
        write_connections: 4,
        wait: Duration::from_secs(10),
    };
    Db::new(&config, "test")
}

fn book(subid: &str) -> BookDraft {
    BookDraft {
        author: slug("someone"),
        body: format!("<h3>Idea of {subid}</h3><p>Words that all books share, and {subid}.</p><p>End.</p>"),
        categories: vec![slug("nature")],
        tags: vec!["shared tag".to_owned(), subid.to_owned()],
        ..fixtures::draft(subid, subid)
    }
}

fn furnish(pg: &mut Pg<'_>) -> Result<(), CatalogueError> {
    let author =
        AuthorDraft { slug: slug("someone"), name: "Some One".to_owned(), sort_name: None, description: String::new() };
    pg.save_author(&author, NOW)?;
    let category =
        CategoryDraft { subid: slug("nature"), name: "Nature".to_owned(), hue: 125, small_image: None, place: 0 };
    pg.save_category(&category, NOW)?;
    Ok(())
}

#[test]
fn a_saved_book_announces_itself_alone_and_an_unchanged_one_nothing() {
    let database = TestDatabase::new();
    let db = db(&database);
    let heard = Arc::new(Mutex::new(Vec::new()));
    db.write_now(furnish).expect("the names are saved");
    let listener = Arc::clone(&heard);
    db.on_change(move |notification| {
        // The listening connection reports by itself, at any moment, that it is there and may have missed something.
        if let Notification::Change(change) = notification {
            listener.lock().expect("no holder panics").push(change);
        }
    });
    let saved = db.write_now(|pg| pg.save_book(&book("owls"), NOW)).expect("the book is saved");
    let announced = std::mem::take(&mut *heard.lock().expect("no holder panics"));
    assert_eq!(announced, [Change::Book(saved.id())]);
    let again = db.write_now(|pg| pg.save_book(&book("owls"), NOW)).expect("the book is saved");
    assert_eq!(again, SaveOutcome::Unchanged(saved.id()));
    assert!(heard.lock().expect("no holder panics").is_empty());
}

#[test]
fn books_saved_at_the_same_moment_are_all_there_and_all_counted() {
    let database = TestDatabase::new();
    let db = db(&database);
    db.write_now(furnish).expect("the names are saved");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let db = db.clone();
            scope.spawn(move || {
                for at in 0..8 {
                    let draft = book(&format!("book-{writer}-{at}"));
                    db.write_now(|pg| pg.save_book(&draft, NOW)).expect("the book is saved");
                }
            });
        }
    });
    let (count, categories) = db
        .write_now(|pg| Ok::<_, kernel::StoreError>((pg.book_count()?, pg.categories()?)))
        .expect("the counts are read");
    assert_eq!((count, categories[0].book_count), (32, 32));
}

/// Searches look at the latest part of a catalogue first: those before it are found as well, the latest first where more
/// fit than are looked at.
#[test]
fn books_of_every_part_of_a_large_catalogue_are_found() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    furnish(&mut Pg::new(&mut connection)).expect("the names are saved");
    let numbers = [1, 5_000, 9_000, 20_000, 20_900, 21_000];
    for number in numbers {
        sql_query(format!("ALTER TABLE books ALTER id RESTART WITH {number}")).execute(&mut connection).expect("it is");
        let draft = BookDraft { title: format!("Quartz {number}"), ..book(&format!("quartz-{number}")) };
        Pg::new(&mut connection).save_book(&draft, NOW).expect("the book is saved");
    }
    // So many words begin with `qu` that they are not named.
    let words: Vec<String> = ('a'..='j').flat_map(|c| ('a'..='j').map(move |d| format!("qu{c}{d}"))).collect();
    let draft = BookDraft { body: format!("<h3>Words</h3><p>{}</p>", words.join(" ")), ..book("words") };
    Pg::new(&mut connection).save_book(&draft, NOW).expect("the book is saved");
    for text in ["quartz", "idea quartz", "qu", "idea qu", "shar qu", "quartz 2"] {
        let query =
            SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(20) };
        let page = Pg::new(&mut connection).search(&query, &|_| Some(Access::Full)).expect("a search is made");
        let mut found: Vec<i64> =
            page.items.iter().map(|hit| hit.card.id.get()).filter(|id| numbers.contains(id)).collect();
        found.sort_unstable();
        let expected: &[i64] = if text == "quartz 2" { &numbers[3..] } else { &numbers };
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_page_of_a_list_is_planned_once_for_all_calls() {
    #[derive(diesel::QueryableByName)]
    struct Plans {
        #[diesel(sql_type = BigInt)]
        generic_plans: i64,
    }
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let newest =
        ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(Limit::MAX) };
    // With a parameter, Postgres would plan the first five calls by their values, and then each whose own plan looks cheaper.
    for _ in 0..10 {
        Pg::new(&mut connection).books(&newest).expect("a page");
    }
    let lists = "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE '%FROM books b JOIN book_stats s %LIMIT 101'";
    let plans: Vec<Plans> = sql_query(lists).load(&mut connection).expect("the prepared statements");
    assert!(
        matches!(plans[..], [Plans { generic_plans: 10 }]),
        "{:?}",
        plans.iter().map(|one| one.generic_plans).collect::<Vec<_>>()
    );
}
