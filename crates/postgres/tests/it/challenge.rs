//! The challenge and the quizzes on Postgres: the contract that memory keeps too, and the questions of a new database.

use std::collections::BTreeMap;

use challenge::{
    Challenge, ChallengeError, ChallengeQueries, ChallengeStore, ChosenGoals, DIMENSIONS, Dimension, QuizKind,
    contract::{self, BookFacts, World},
};
use diesel::{PgConnection, QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{BookId, CategoryId, GoalId, QuestionId, Timestamp, UserId};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::at_once;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// The store on one connection, and what other domains own on another.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: PgConnection,
    count: i64,
}

impl PgWorld<'_> {
    fn insert(&mut self, statement: &str) -> i64 {
        self.count += 1;
        let statement = statement.replace("{n}", &format!("n{}", self.count));
        sql_query(statement).get_result::<Id>(&mut self.beside).expect("the row is inserted").id
    }

    fn run(&mut self, statement: &str) {
        sql_query(statement).execute(&mut self.beside).expect("the statement runs");
    }
}

impl World for PgWorld<'_> {
    fn add_member(&mut self) -> UserId {
        UserId::from_store(self.insert(
            "INSERT INTO users (email, email_key, first_name, last_name, created_at)
             VALUES ('{n}@example.com', '{n}@example.com', 'Ada', 'Reader', now()) RETURNING id",
        ))
    }

    fn move_to(&mut self, member: UserId, zone: &str) {
        self.run(&format!("UPDATE users SET timezone = '{zone}' WHERE id = {member}"));
    }

    fn add_goal(&mut self) -> GoalId {
        GoalId::from_store(self.insert(
            "INSERT INTO goals (slug, title, short_title, mobile_title, description, place)
             VALUES ('{n}', 'Goal', 'Goal', 'Goal', '', 0) RETURNING id",
        ))
    }

    fn add_category(&mut self) -> CategoryId {
        CategoryId::from_store(
            self.insert("INSERT INTO categories (subid, name, hue, place) VALUES ('{n}', '{n}', 0, 0) RETURNING id"),
        )
    }

    fn add_book(&mut self, book: &BookFacts) -> BookId {
        let BookFacts { goals, categories, is_popular, is_free, is_readable } = book;
        let id = self.insert(&format!(
            "WITH author AS (
                INSERT INTO authors (slug, name, name_key) VALUES ('{{n}}', 'Author', 'author') RETURNING id
             )
             INSERT INTO books (subid, title, title_key, author_id, coming_soon, free, is_popular, upload_date, updated_at)
             SELECT '{{n}}', 'Book', 'book', id, NOT {is_readable}, {is_free}, {is_popular}, now(), now() FROM author RETURNING id"
        ));
        self.run(&format!("INSERT INTO book_stats (book_id, is_popular) VALUES ({id}, {is_popular})"));
        for goal in goals {
            self.run(&format!("INSERT INTO book_goals (book_id, goal_id) VALUES ({id}, {goal})"));
        }
        for category in categories {
            self.run(&format!(
                "INSERT INTO book_categories (book_id, category_id, place) VALUES ({id}, {category}, 0)"
            ));
        }
        BookId::from_store(id)
    }

    fn complete(&mut self, member: UserId, book: BookId) {
        self.run(&format!(
            "INSERT INTO history (user_id, book_id, position, completed_at, updated_at)
             VALUES ({member}, {book}, 0, now(), now())"
        ));
    }

    fn add_question(&mut self, dimension: Dimension, statement: &str) -> QuestionId {
        let name = dimension.name();
        QuestionId::from_store(self.insert(&format!(
            "INSERT INTO quiz_questions (dimension, statement, place) VALUES ('{name}', '{statement}', 0) RETURNING id"
        )))
    }

    fn store(&mut self) -> &mut dyn ChallengeStore {
        &mut self.pg
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        let mut world = PgWorld { pg: Pg::new(&mut connection), beside: database.connect(), count: 0 };
        world.run("DELETE FROM quiz_questions");
        case(&mut world);
        for table in ["users", "books", "authors", "goals", "categories"] {
            world.run(&format!("DELETE FROM {table}"));
        }
    });
}

#[test]
fn a_new_database_has_two_statements_of_each_type_and_fifteen_over_the_colours() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let mut numbers: BTreeMap<Dimension, usize> = BTreeMap::new();
    for kind in [QuizKind::Intelligence, QuizKind::Personality] {
        let questions = pg.questions(kind).unwrap();
        // Two statements of one kind never follow each other.
        assert!(questions.windows(2).all(|two| two[0].dimension != two[1].dimension), "{questions:?}");
        for question in questions {
            *numbers.entry(question.dimension).or_default() += 1;
        }
    }
    let numbers: Vec<usize> = DIMENSIONS.iter().map(|dimension| numbers[dimension]).collect();
    assert_eq!(numbers, [2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 3]);
}

#[test]
fn of_plans_that_are_saved_at_once_one_stands_whole() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut world = PgWorld { pg: Pg::new(&mut connection), beside: database.connect(), count: 0 };
    let (ada, goal) = (world.add_member(), world.add_goal());
    let books: Vec<BookId> = (0..12).map(|_| world.add_book(&BookFacts::default())).collect();
    let goals = ChosenGoals::new(&[goal]).unwrap();
    let saved = at_once::<_, ChallengeError>(&database, 8, |n, pg| {
        pg.save_plan(ada, &goals, &books[n / 4..n / 4 + 10], Timestamp::from_millis(1_795_226_400_000))
    });
    assert!(saved.into_iter().all(|outcome| outcome.is_ok()));
    let (plan, days) = world.pg.plan_of(ada).unwrap().unwrap();
    assert!([&books[..10], &books[1..11]].contains(&&plan.books[..]) && days.len() == 10);
}
