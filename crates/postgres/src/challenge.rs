//! The ten-day challenge, the quizzes and onboarding in Postgres.

use ::challenge::{
    Candidate, ChallengeCommands, ChallengeQueries, ChallengeStore, DIMENSIONS, DailyMail, MailHour, Openness,
    Question, QuestionDraft, QuizKind, QuizResult, SavedPlan, SavedResult, SiteFigures, Topic, Total,
};
use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete, insert_into,
    sql_types::{Array, BigInt},
    update,
};
use kernel::{BookId, GoalId, Limit, QuestionId, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value},
    schema::{
        books, chosen_goals, daily_mails, goals, history, quiz_questions, quiz_results, ten_day_books, ten_day_plans,
        users,
    },
    time::{day_from_db, day_to_db, from_db, to_db},
};

type ResultRow = (Vec<String>, Vec<i16>, Vec<i16>, DateTime<Utc>);

fn result_from(kind: QuizKind, (dimensions, counts, questions, at): ResultRow) -> Result<SavedResult, StoreError> {
    let totals = dimensions.iter().zip(counts).zip(questions).map(|((dimension, count), questions)| {
        Ok(Total {
            dimension: dimension.parse().map_err(StoreError::new)?,
            count: u16::try_from(count).map_err(StoreError::new)?,
            questions: u16::try_from(questions).map_err(StoreError::new)?,
        })
    });
    let totals = totals.collect::<Result<_, StoreError>>()?;
    Ok(SavedResult { result: QuizResult { kind, totals }, taken_at: from_db(at) })
}

type DailyMailRow = (Option<i16>, DateTime<Utc>, Option<NaiveDate>, Option<DateTime<Utc>>);

fn daily_mail_from((hour, requested_at, last_sent_on, due_at): DailyMailRow) -> Result<DailyMail, StoreError> {
    let hour = hour.map(|hour| MailHour::new(i64::from(hour)).map_err(StoreError::new)).transpose()?;
    let requested_at = from_db(requested_at);
    Ok(DailyMail { hour, requested_at, last_sent_on: last_sent_on.map(day_from_db), due_at: due_at.map(from_db) })
}

fn small(numbers: impl Iterator<Item = u16>) -> Result<Vec<i16>, StoreError> {
    numbers.map(|number| i16::try_from(number).map_err(StoreError::new)).collect()
}

fn ids(books: &[BookId]) -> Value {
    Value::Ints(books.iter().map(|book| book.get()).collect())
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl<A> ChallengeQueries for Pg<'_, A> {
    fn candidates(
        &mut self,
        topic: Topic,
        openness: Openness<'_>,
        reader: Option<UserId>,
        limit: usize,
    ) -> Result<Vec<Candidate>, StoreError> {
        let mut statement: BuiltStatement<(BigInt, Array<BigInt>)> = BuiltStatement::new(
            "SELECT b.id, ARRAY(SELECT g.goal_id FROM book_goals g WHERE g.book_id = b.id ORDER BY g.goal_id)
             FROM book_stats s JOIN books b ON b.id = s.book_id WHERE b.published AND NOT b.coming_soon",
        );
        match topic {
            Topic::All => &mut statement,
            Topic::Goal(goal) => statement
                .sql(" AND EXISTS (SELECT FROM book_goals t WHERE t.book_id = b.id AND t.goal_id = ")
                .value(Value::Int(goal.get()))
                .sql(")"),
            Topic::Category(category) => statement
                .sql(" AND EXISTS (SELECT FROM book_categories t WHERE t.book_id = b.id AND t.category_id = ")
                .value(Value::Int(category.get()))
                .sql(")"),
        };
        match openness {
            Openness::Any => &mut statement,
            Openness::Open(opened) => statement.sql(" AND (b.free OR b.id = ANY(").value(ids(opened)).sql("))"),
            Openness::Closed(opened) => statement.sql(" AND NOT b.free AND b.id <> ALL(").value(ids(opened)).sql(")"),
        };
        if let Some(reader) = reader {
            statement
                .sql(" AND NOT EXISTS (SELECT FROM history h WHERE h.book_id = b.id AND h.completed_at IS NOT NULL AND h.user_id = ")
                .value(Value::Int(reader.get()))
                .sql(")");
        }
        statement
            .sql(" ORDER BY s.is_popular DESC, s.trending DESC, s.book_id DESC LIMIT ")
            .value(Value::Int(i64::try_from(limit).map_err(StoreError::new)?));
        let rows: Vec<(i64, Vec<i64>)> = self.run(|conn| statement.load(conn))?;
        let candidates = rows.into_iter().map(|(book, goals)| Candidate {
            book: BookId::from_store(book),
            goals: goals.into_iter().map(GoalId::from_store).collect(),
        });
        Ok(candidates.collect())
    }

    fn saved_plan(&mut self, member: UserId) -> Result<Option<SavedPlan>, StoreError> {
        let plan = ten_day_plans::table.find(member.get()).select((ten_day_plans::goals, ten_day_plans::saved_at));
        let plan: Option<(Vec<i64>, DateTime<Utc>)> = self.run(|conn| plan.first(conn).optional())?;
        let Some((goals, saved_at)) = plan else { return Ok(None) };
        let days = ten_day_books::table.filter(ten_day_books::user_id.eq(member.get())).order(ten_day_books::day);
        let books: Vec<i64> = self.run(|conn| days.select(ten_day_books::book_id).load(conn))?;
        Ok(Some(SavedPlan {
            goals: goals.into_iter().map(GoalId::from_store).collect(),
            books: books.into_iter().map(BookId::from_store).collect(),
            saved_at: from_db(saved_at),
        }))
    }

    fn completed_among(&mut self, member: UserId, among: &[BookId]) -> Result<Vec<BookId>, StoreError> {
        let completed = history::table
            .filter(history::user_id.eq(member.get()))
            .filter(history::book_id.eq_any(among.iter().map(|book| book.get()).collect::<Vec<_>>()))
            .filter(history::completed_at.is_not_null())
            .select(history::book_id);
        let ids: Vec<i64> = self.run(|conn| completed.load(conn))?;
        Ok(ids.into_iter().map(BookId::from_store).collect())
    }

    fn chosen_goals(&mut self, member: UserId) -> Result<Vec<GoalId>, StoreError> {
        let chosen = chosen_goals::table.filter(chosen_goals::user_id.eq(member.get())).order(chosen_goals::place);
        let ids: Vec<i64> = self.run(|conn| chosen.select(chosen_goals::goal_id).load(conn))?;
        Ok(ids.into_iter().map(GoalId::from_store).collect())
    }

    fn daily_mail(&mut self, member: UserId) -> Result<Option<DailyMail>, StoreError> {
        let columns = (daily_mails::hour, daily_mails::requested_at, daily_mails::last_sent_on, daily_mails::due_at);
        let mail = daily_mails::table.find(member.get()).select(columns);
        let row: Option<DailyMailRow> = self.run(|conn| mail.first(conn).optional())?;
        row.map(daily_mail_from).transpose()
    }

    fn members_with_daily_mail_due(
        &mut self,
        by: Timestamp,
        after: Option<UserId>,
        limit: Limit,
    ) -> Result<Vec<UserId>, StoreError> {
        let due = daily_mails::table
            .filter(daily_mails::due_at.le(to_db(by)))
            .filter(daily_mails::user_id.gt(after.map_or(i64::MIN, UserId::get)))
            .order(daily_mails::user_id)
            .limit(i64::try_from(limit.get()).map_err(StoreError::new)?)
            .select(daily_mails::user_id);
        let ids: Vec<i64> = self.run(|conn| due.load(conn))?;
        Ok(ids.into_iter().map(UserId::from_store).collect())
    }

    fn questions(&mut self, kind: QuizKind) -> Result<Vec<Question>, StoreError> {
        let dimensions = DIMENSIONS.iter().filter(|dimension| dimension.kind() == kind);
        let questions = quiz_questions::table
            .filter(quiz_questions::dimension.eq_any(dimensions.map(|dimension| dimension.name()).collect::<Vec<_>>()))
            .order((quiz_questions::place, quiz_questions::id))
            .select((quiz_questions::id, quiz_questions::dimension, quiz_questions::statement));
        let rows: Vec<(i64, String, String)> = self.run(|conn| questions.load(conn))?;
        let questions = rows.into_iter().map(|(id, dimension, statement)| {
            let dimension = dimension.parse().map_err(StoreError::new)?;
            Ok(Question { id: QuestionId::from_store(id), dimension, statement })
        });
        questions.collect()
    }

    fn quiz_results(&mut self, member: UserId, kind: QuizKind, limit: usize) -> Result<Vec<SavedResult>, StoreError> {
        let results = quiz_results::table
            .filter(quiz_results::user_id.eq(member.get()))
            .filter(quiz_results::kind.eq(kind.as_str()))
            .order(quiz_results::id.desc())
            .limit(i64::try_from(limit).map_err(StoreError::new)?)
            .select((quiz_results::dimensions, quiz_results::counts, quiz_results::questions, quiz_results::taken_at));
        let rows: Vec<ResultRow> = self.run(|conn| results.load(conn))?;
        rows.into_iter().map(|row| result_from(kind, row)).collect()
    }

    fn site_figures(&mut self) -> Result<SiteFigures, StoreError> {
        let statement: BuiltStatement<(BigInt, BigInt, BigInt, BigInt)> = BuiltStatement::new(
            "SELECT (SELECT count(DISTINCT user_id) FROM history WHERE completed_at IS NOT NULL),
                coalesce(sum(read_count), 0)::bigint, coalesce(sum(ratings_count), 0)::bigint, coalesce(sum(ratings_sum), 0)::bigint
             FROM book_stats",
        );
        let (readers, reads, ratings, stars): (i64, i64, i64, i64) = self.run(|conn| statement.get_result(conn))?;
        Ok(SiteFigures { readers: count(readers), reads: count(reads), ratings: count(ratings), stars: count(stars) })
    }

    fn has_goals(&mut self, sought: &[GoalId]) -> Result<bool, StoreError> {
        let ids: Vec<i64> = sought.iter().map(|goal| goal.get()).collect();
        let found: i64 = self.run(|conn| goals::table.filter(goals::id.eq_any(&ids)).count().get_result(conn))?;
        Ok(usize::try_from(found).is_ok_and(|found| found == sought.len()))
    }
}

impl ChallengeCommands for Pg<'_> {
    fn insert_quiz_result(&mut self, member: UserId, result: &QuizResult, at: Timestamp) -> Result<(), StoreError> {
        let row = (
            quiz_results::user_id.eq(member.get()),
            quiz_results::kind.eq(result.kind.as_str()),
            quiz_results::dimensions.eq(result.totals.iter().map(|total| total.dimension.name()).collect::<Vec<_>>()),
            quiz_results::counts.eq(small(result.totals.iter().map(|total| total.count))?),
            quiz_results::questions.eq(small(result.totals.iter().map(|total| total.questions))?),
            quiz_results::taken_at.eq(to_db(at)),
        );
        self.run(|conn| insert_into(quiz_results::table).values(row).execute(conn).map(|_| ()))
    }

    fn replace_questions(&mut self, kind: QuizKind, questions: &[QuestionDraft]) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let names: Vec<&str> =
            DIMENSIONS.iter().filter(|one| one.kind() == kind).map(|dimension| dimension.name()).collect();
        let kept: Vec<i64> = questions.iter().filter_map(|question| question.id).map(QuestionId::get).collect();
        let gone = quiz_questions::table
            .filter(quiz_questions::dimension.eq_any(names))
            .filter(quiz_questions::id.ne_all(kept));
        self.run(|conn| delete(gone).execute(conn))?;
        for (place, question) in (0_i32..).zip(questions) {
            let row = (
                quiz_questions::dimension.eq(question.dimension.name()),
                quiz_questions::statement.eq(&question.statement),
                quiz_questions::place.eq(place),
            );
            self.run(|conn| match question.id {
                Some(id) => update(quiz_questions::table.find(id.get())).set(row).execute(conn),
                None => insert_into(quiz_questions::table).values(row).execute(conn),
            })?;
        }
        Ok(())
    }
}

impl ChallengeStore for Pg<'_> {
    fn lock_challenger(&mut self, member: UserId) -> Result<Option<TimeZone>, StoreError> {
        let member = users::table.find(member.get()).select(users::timezone).for_no_key_update();
        let zone: Option<String> = self.run(|conn| member.first(conn).optional())?;
        Ok(zone.map(|zone| TimeZone::named(&zone)))
    }

    fn has_published_books(&mut self, sought: &[BookId]) -> Result<bool, StoreError> {
        let ids: Vec<i64> = sought.iter().map(|book| book.get()).collect();
        let published = books::table.filter(books::id.eq_any(&ids)).filter(books::published);
        let found: i64 = self.run(|conn| published.count().get_result(conn))?;
        Ok(usize::try_from(found).is_ok_and(|found| found == sought.len()))
    }

    fn replace_plan(&mut self, member: UserId, plan: &SavedPlan) -> Result<(), StoreError> {
        let row = (
            ten_day_plans::user_id.eq(member.get()),
            ten_day_plans::goals.eq(plan.goals.iter().map(|goal| goal.get()).collect::<Vec<_>>()),
            ten_day_plans::saved_at.eq(to_db(plan.saved_at)),
        );
        let days = (1_i16..).zip(&plan.books).map(|(day, book)| {
            (ten_day_books::user_id.eq(member.get()), ten_day_books::day.eq(day), ten_day_books::book_id.eq(book.get()))
        });
        let days: Vec<_> = days.collect();
        self.run(|conn| {
            // A cascade deletes the plan's days too.
            delete(ten_day_plans::table.find(member.get())).execute(conn)?;
            insert_into(ten_day_plans::table).values(row).execute(conn)?;
            insert_into(ten_day_books::table).values(days).execute(conn).map(|_| ())
        })
    }

    fn put_daily_mail(&mut self, member: UserId, mail: &DailyMail) -> Result<(), StoreError> {
        let row = (
            daily_mails::hour.eq(mail.hour.map(|hour| i16::from(hour.get()))),
            daily_mails::requested_at.eq(to_db(mail.requested_at)),
            daily_mails::last_sent_on.eq(mail.last_sent_on.map(day_to_db)),
            daily_mails::due_at.eq(mail.due_at.map(to_db)),
        );
        let put = insert_into(daily_mails::table)
            .values((daily_mails::user_id.eq(member.get()), row))
            .on_conflict(daily_mails::user_id)
            .do_update()
            .set(row);
        self.run(|conn| put.execute(conn).map(|_| ()))
    }

    fn replace_goals(&mut self, member: UserId, chosen: &[GoalId]) -> Result<(), StoreError> {
        let rows = (0_i16..).zip(chosen).map(|(place, goal)| {
            (
                chosen_goals::user_id.eq(member.get()),
                chosen_goals::goal_id.eq(goal.get()),
                chosen_goals::place.eq(place),
            )
        });
        let rows: Vec<_> = rows.collect();
        self.run(|conn| {
            delete(chosen_goals::table.filter(chosen_goals::user_id.eq(member.get()))).execute(conn)?;
            insert_into(chosen_goals::table).values(rows).execute(conn).map(|_| ())
        })
    }
}
