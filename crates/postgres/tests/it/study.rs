//! Highlights, review cards and commitments on Postgres: the contract that memory keeps too, and devices that report at the same moment.

use diesel::{PgConnection, QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{
    AnswerId, BookId, CategoryId, CommitmentId, Day, HighlightId, Limit, ReviewCardId, SessionId, StoreError,
    SummaryId, Timestamp, UserId,
};
use postgres::Pg;
use study::{
    Anchor, CardAnswer, CardContent, CardKind, CardState, Commitment, CommitmentState, CommitmentText, Highlight,
    HighlightPlace, HighlightSource, HighlightState, Part, Rating, Register, ReviewCard, Schedule, Study, StudyQueries,
    StudyStore, Tag, contract,
};
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

fn inserted(connection: &mut PgConnection, statement: &str) -> i64 {
    sql_query(statement).get_result::<Row>(connection).unwrap().id
}

/// A member as it is stored; the rest of the row is of no concern here.
fn add_member(connection: &mut PgConnection) -> UserId {
    UserId::from_store(inserted(
        connection,
        "INSERT INTO users (email, email_key, first_name, last_name, created_at)
        SELECT name, name, 'Ada', 'Reader', now() FROM (SELECT gen_random_uuid() || '@example.com' AS name) AS new
        RETURNING id",
    ))
}

fn add_book(connection: &mut PgConnection) -> BookId {
    BookId::from_store(inserted(
        connection,
        "WITH author AS (
            INSERT INTO authors (slug, name, name_key) SELECT 'a' || gen_random_uuid(), 'Author', 'author' RETURNING id
         )
         INSERT INTO books (subid, title, title_key, author_id, upload_date, updated_at)
         SELECT 'b' || gen_random_uuid(), 'Book', 'book', id, now(), now() FROM author RETURNING id",
    ))
}

/// The store on one connection, and what other domains own on others.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: &'c TestDatabase,
}

impl contract::World for PgWorld<'_> {
    fn add_member(&mut self) -> UserId {
        add_member(&mut self.beside.connect())
    }

    fn add_book(&mut self) -> BookId {
        add_book(&mut self.beside.connect())
    }

    fn add_summary(&mut self, member: UserId) -> SummaryId {
        let insert = format!(
            "INSERT INTO member_summaries
                (user_id, title, source_kind, source_name, state, search_title, search_source, created_at)
             VALUES ({member}, 'Summary', 'text', 'Text', 'done', 'summary', 'text', now()) RETURNING id"
        );
        SummaryId::from_store(inserted(&mut self.beside.connect(), &insert))
    }

    fn save_book(&mut self, book: BookId, at: Timestamp) {
        let millis = at.millis();
        let save = format!("UPDATE books SET updated_at = to_timestamp({millis} / 1000.0) WHERE id = {book}");
        sql_query(save).execute(&mut self.beside.connect()).unwrap();
    }

    fn add_session(&mut self, member: UserId) -> SessionId {
        let insert = format!(
            "INSERT INTO sessions (user_id, created_at, last_seen_at, expires_at, device, place, strong, password_typed)
             VALUES ({member}, now(), now(), 'infinity', '', '', false, false) RETURNING id"
        );
        SessionId::from_store(inserted(&mut self.beside.connect(), &insert))
    }

    fn end_session(&mut self, session: SessionId) {
        let end = format!("UPDATE sessions SET revoked_at = now() WHERE id = {session}");
        sql_query(end).execute(&mut self.beside.connect()).unwrap();
    }

    fn add_category(&mut self, book: BookId) -> CategoryId {
        let insert = format!(
            "WITH category AS (
                INSERT INTO categories (subid, name, hue, place) SELECT 'c' || gen_random_uuid(), 'Category', 0, 0 RETURNING id
             )
             INSERT INTO book_categories (book_id, category_id, place) SELECT {book}, id, 0 FROM category
             RETURNING category_id AS id"
        );
        CategoryId::from_store(inserted(&mut self.beside.connect(), &insert))
    }

    fn delete_book(&mut self, book: BookId) {
        let delete = format!("DELETE FROM books WHERE id = {book}");
        sql_query(delete).execute(&mut self.beside.connect()).unwrap();
    }

    fn delete_summary(&mut self, summary: SummaryId) {
        let delete = format!("DELETE FROM member_summaries WHERE id = {summary}");
        sql_query(delete).execute(&mut self.beside.connect()).unwrap();
    }

    fn store(&mut self) -> &mut dyn StudyStore {
        &mut self.pg
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        case(&mut PgWorld { pg: Pg::new(&mut connection), beside: &database });
        for table in ["users", "books"] {
            sql_query(format!("DELETE FROM {table}")).execute(&mut database.connect()).unwrap();
        }
    });
}

fn report(number: usize) -> HighlightState {
    let [exact, prefix, suffix] = ["a wise man", "", ""].map(str::to_owned);
    let anchor = Anchor { section: Some(0), start: 0, end: 10, exact, prefix, suffix };
    let mut report = HighlightState::new(Part::Text, anchor, NOW);
    report.set_tag(Tag::new(&format!("tag {number}")).unwrap(), true, NOW);
    report
}

/// What a device does that reports a highlight.
fn put(pg: &mut Pg<'_>, member: UserId, book: BookId, id: i64, report: HighlightState) -> Result<u64, StoreError> {
    let id = HighlightId::from_store(id);
    let mut locked = pg.lock_records(member)?.expect("the member is there");
    if let Some(known) = pg.locked_highlight(&locked, id)? {
        return Ok(pg.merge_highlight(&mut locked, known, report)?.version);
    }
    let source = Some(HighlightSource::Book(book));
    let [source_title, source_author] = ["Book", "Author"].map(str::to_owned);
    let highlight = Highlight { id, source, source_title, source_author, state: report };
    let stored = pg.add_highlight(&mut locked, highlight, HighlightPlace::Gone)?;
    Ok(stored.version)
}

#[test]
fn devices_that_report_a_highlight_at_once_lose_nothing() {
    let database = TestDatabase::new();
    let (ada, book) = (add_member(&mut database.connect()), add_book(&mut database.connect()));
    let versions = at_once(&database, AT_ONCE, |number, pg| put(pg, ada, book, 7, report(number)));
    let mut versions: Vec<u64> = versions.into_iter().map(Result::unwrap).collect();
    versions.sort_unstable();
    assert_eq!(versions, (1..=AT_ONCE as u64).collect::<Vec<_>>());
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let stored = pg.find_highlight(ada, HighlightId::from_store(7)).unwrap().unwrap();
    assert_eq!((stored.highlight.state.tags.len(), stored.version), (AT_ONCE, AT_ONCE as u64));
    assert_eq!(pg.highlights_in_book(ada, book).unwrap().unwrap().count, 1);
}

#[test]
fn devices_that_answer_a_card_at_once_lose_nothing() {
    let database = TestDatabase::new();
    let ada = add_member(&mut database.connect());
    let (card, first_day) = (ReviewCardId::from_store(7), Day::from_epoch(20_777));
    let content = Register::new(CardContent::own("Why?", "So."), NOW);
    let state = CardState { content, ..CardState::new(CardKind::Own, NOW) };
    let new = ReviewCard { id: card, source: None, source_title: String::new(), source_author: String::new(), state };
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let mut locked = pg.lock_records(ada).unwrap().unwrap();
    pg.add_card(&mut locked, new, None, first_day).unwrap();
    // Each device sends its own answer and one that another sends too.
    let answer = |number: usize| {
        let number = i64::try_from(number).unwrap() + 1;
        let day = first_day.plus(i32::try_from(number).unwrap());
        CardAnswer { id: AnswerId::from_store(number), card, rating: Rating::Good, at: NOW.plus(number), day }
    };
    let recorded = at_once(&database, AT_ONCE, |number, pg| {
        let mut locked = pg.lock_records(ada)?.expect("the member is there");
        pg.record_answers(&mut locked, &[answer(number), answer((number + 1) % AT_ONCE)])
    });
    for one in recorded {
        assert_eq!(one.unwrap().cards.len(), 1);
    }
    let all: Vec<CardAnswer> = (0..AT_ONCE).map(answer).collect();
    assert_eq!(pg.card_answers(ada, &[card]).unwrap(), all);
    let stored = pg.review_cards(ada, &[card]).unwrap().pop().unwrap();
    assert_eq!(stored.schedule, Schedule::replayed(first_day, &all));
    assert_eq!(stored.version, pg.study_version(ada).unwrap());
}

#[test]
fn who_reads_the_changes_while_they_come_misses_none() {
    let database = TestDatabase::new();
    let (ada, book) = (add_member(&mut database.connect()), add_book(&mut database.connect()));
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            at_once(&database, AT_ONCE, |number, pg| {
                put(pg, ada, book, i64::try_from(number).unwrap() + 1, report(number))
            })
        });
        let (mut after, mut seen) = (0, Vec::new());
        let mut connection = database.connect();
        let mut pg = Pg::new(&mut connection);
        loop {
            let has_ended = writing.is_finished();
            for stored in pg.highlights_after(ada, after, Limit::clamped(100)).unwrap() {
                after = stored.version;
                seen.push(stored.highlight.id.get());
            }
            if has_ended {
                break;
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, (1..=i64::try_from(AT_ONCE).unwrap()).collect::<Vec<_>>());
        assert!(writing.join().unwrap().into_iter().all(|version| version.is_ok()));
    });
}

#[test]
fn an_account_that_is_deleted_takes_its_records_along() {
    let database = TestDatabase::new();
    let (ada, book) = (add_member(&mut database.connect()), add_book(&mut database.connect()));
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    put(&mut pg, ada, book, 7, report(1)).unwrap();
    let text = Register::new(CommitmentText::new("Own less.").unwrap(), NOW);
    let commitment = Commitment {
        id: CommitmentId::from_store(7),
        book: Some(book),
        book_title: String::new(),
        book_author: String::new(),
        state: CommitmentState { text, ..CommitmentState::new(NOW) },
    };
    let mut locked = pg.lock_records(ada).unwrap().unwrap();
    pg.add_commitment(&mut locked, commitment, Day::from_epoch(20_777)).unwrap();
    sql_query("DELETE FROM users").execute(&mut connection).unwrap();
    let left = "SELECT (SELECT count(*) FROM highlights) + (SELECT count(*) FROM highlight_tags)
        + (SELECT count(*) FROM highlighted_books) + (SELECT count(*) FROM commitments)
        + (SELECT count(*) FROM study_members) AS id";
    assert_eq!(inserted(&mut connection, left), 0);
    assert!(Pg::new(&mut connection).lock_records(ada).unwrap().is_none());
}
