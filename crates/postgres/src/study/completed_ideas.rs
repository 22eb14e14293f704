//! Completed ideas, in Postgres.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, RunQueryDsl,
    sql_types::{Array, BigInt, Text, Timestamptz},
};
use kernel::{BookId, StoreError, Timestamp, UserId};
use study::{CompletedIdea, CompletedIdeaCommands, CompletedIdeaQueries};

use crate::{
    Pg,
    schema::completed_ideas,
    statement::statement,
    time::{from_db, to_db},
};

statement! {
    /// Keeps of each idea the latest moment.
    RecordIdeas { member: i64, books: Vec<i64>, ideas: Vec<String>, moments: Vec<DateTime<Utc>> } -> () = [
        "INSERT INTO completed_ideas AS there (user_id, book_id, idea, at)
        SELECT " (member: BigInt) ", r.book_id, r.idea, max(r.at)
        FROM unnest(" (books: Array<BigInt>) ", " (ideas: Array<Text>) ", " (moments: Array<Timestamptz>) ") AS r (book_id, idea, at)
        JOIN books b ON b.id = r.book_id
        GROUP BY r.book_id, r.idea ORDER BY r.book_id, r.idea
        ON CONFLICT (user_id, book_id, idea) DO UPDATE SET at = greatest(there.at, excluded.at)"
    ]
}

impl<A> CompletedIdeaQueries for Pg<'_, A> {
    fn completed_ideas(&mut self, member: UserId, since: Timestamp) -> Result<Vec<CompletedIdea>, StoreError> {
        let rows: Vec<(i64, String, DateTime<Utc>)> = self.run(|conn| {
            completed_ideas::table
                .filter(completed_ideas::user_id.eq(member.get()))
                .filter(completed_ideas::at.ge(to_db(since)))
                .select((completed_ideas::book_id, completed_ideas::idea, completed_ideas::at))
                .load(conn)
        })?;
        let completed = |(book, idea, at)| CompletedIdea { book: BookId::from_store(book), idea, at: from_db(at) };
        let mut ideas: Vec<CompletedIdea> = rows.into_iter().map(completed).collect();
        // Sorted here, to be independent of the database's collation.
        ideas.sort_by(|one, other| (one.book, &one.idea).cmp(&(other.book, &other.idea)));
        Ok(ideas)
    }
}

impl CompletedIdeaCommands for Pg<'_> {
    fn record_completed_ideas(&mut self, member: UserId, ideas: &[CompletedIdea]) -> Result<(), StoreError> {
        let record = RecordIdeas {
            member: member.get(),
            books: ideas.iter().map(|idea| idea.book.get()).collect(),
            ideas: ideas.iter().map(|idea| idea.idea.clone()).collect(),
            moments: ideas.iter().map(|idea| to_db(idea.at)).collect(),
        };
        self.run(|conn| record.execute(conn).map(|_| ()))
    }
}
