//! Review cards and their answers, in Postgres.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, PgConnection, QueryDsl, QueryResult, Queryable, RunQueryDsl,
    Selectable, SelectableHelper,
    dsl::count_star,
    insert_into, sql_query,
    sql_types::{BigInt, Bool, Date, Nullable, SmallInt, Timestamptz},
    update,
};
use kernel::{AnswerId, BookId, CategoryId, Day, HighlightId, Limit, ReviewCardId, StoreError, UserId};
use study::{
    Blank, CardAnswer, CardContent, CardFacts, CardHighlight, CardKind, CardMemory, CardState, FoundIdea, PlacedIdea,
    Rating, RecallAnswer, Register, ReviewCard, Schedule, StoredCard,
};

use super::{column, source_columns, source_from};
use crate::{
    schema::{card_answers, highlights, review_cards, study_members},
    statement::statement,
    time::{day_from_db, day_to_db, from_db, to_db},
};

/// Records that the ideas of a book are to be looked for, in whatever text it has when that is done first.
const CHECK: &str = "INSERT INTO checked_books (book_id, book_updated_at, is_to_count) VALUES ($1, '-infinity', false)
    ON CONFLICT (book_id) DO NOTHING";

const IDEA: &str = "idea";
const HIGHLIGHT: &str = "highlight";
const OWN: &str = "own";

statement! {
    /// What the review of a day depends on of each of the member's cards: id, creation, whether it is paused and whether what it
    /// asks for is there, due day, and its first answer of the day.
    SelectCardFacts { member: i64, today: NaiveDate } -> (BigInt, Timestamptz, Bool, Bool, Date, Nullable<Timestamptz>) = [
        "SELECT c.id, c.created_at, c.is_paused,
            CASE c.kind
                WHEN 'idea' THEN c.book_id IS NOT NULL AND c.found_section IS NOT NULL
                WHEN 'highlight' THEN coalesce(h.is_shown AND h.exact <> '' AND num_nonnulls(h.book_id, h.summary_id) = 1, false)
                ELSE true
            END,
            c.due_day, a.first_at
        FROM review_cards c
        LEFT JOIN highlights h ON h.user_id = c.user_id AND h.id = c.highlight_id
        LEFT JOIN (
            SELECT card_id, min(at) AS first_at FROM card_answers
            WHERE user_id = " (member: BigInt) " AND day = " (today: Date) " GROUP BY card_id
        ) a ON a.card_id = c.id
        WHERE c.user_id = " (member: BigInt) " AND c.is_shown"
    ]
}

statement! {
    /// The member's answers since a day, with the day of the card's answer before, once for each category of the card's book.
    SelectRecallAnswers { member: i64, since: NaiveDate } -> (BigInt, SmallInt, Date, Nullable<Date>) = [
        "SELECT b.category_id, a.rating, a.day, a.before
        FROM (
            SELECT card_id, rating, day, lag(day) OVER (PARTITION BY card_id ORDER BY at, id) AS before
            FROM card_answers WHERE user_id = " (member: BigInt) "
        ) a
        JOIN review_cards c ON c.user_id = " (member: BigInt) " AND c.id = a.card_id
        JOIN book_categories b ON b.book_id = c.book_id
        WHERE a.day >= " (since: Date)
    ]
}

/// The row of a card.
#[derive(Queryable, Selectable, Insertable, diesel::AsChangeset)]
#[diesel(table_name = review_cards)]
#[diesel(treat_none_as_null = true)]
struct Row {
    user_id: i64,
    id: i64,
    kind: String,
    book_id: Option<i64>,
    summary_id: Option<i64>,
    highlight_id: Option<i64>,
    source_title: String,
    source_author: String,
    section: Option<i32>,
    idea_title: String,
    idea_opening: String,
    found_section: Option<i32>,
    found_title: Option<String>,
    found_answer: Option<String>,
    question: String,
    answer: String,
    blanks: Vec<i32>,
    content_at: DateTime<Utc>,
    is_paused: bool,
    paused_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    edited_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
    first_day: NaiveDate,
    due_day: NaiveDate,
    last_day: Option<NaiveDate>,
    stability: Option<f32>,
    difficulty: Option<f32>,
    answers: i32,
    lapses: i32,
    version: i64,
}

/// Kind, section, title and opening of an idea, and the id of a highlight.
type KindColumns = (String, Option<i32>, String, String, Option<i64>);

fn kind_columns(kind: &CardKind) -> KindColumns {
    match kind {
        CardKind::Idea { section, title, opening } => {
            (IDEA.to_owned(), Some(column(*section)), title.clone(), opening.clone(), None)
        }
        CardKind::Highlight { highlight } => {
            (HIGHLIGHT.to_owned(), None, String::new(), String::new(), Some(highlight.get()))
        }
        CardKind::Own => (OWN.to_owned(), None, String::new(), String::new(), None),
    }
}

fn kind_from((kind, section, title, opening, highlight): KindColumns) -> Result<CardKind, StoreError> {
    match (kind.as_str(), section, highlight) {
        (IDEA, Some(section), _) => Ok(CardKind::Idea { section: section.unsigned_abs(), title, opening }),
        (HIGHLIGHT, _, Some(highlight)) => Ok(CardKind::Highlight { highlight: HighlightId::from_store(highlight) }),
        (OWN, ..) => Ok(CardKind::Own),
        _ => Err(StoreError::new(format!("{kind:?} is no kind of a review card"))),
    }
}

/// Section, title and answer of an idea that was found.
type FoundColumns = (Option<i32>, Option<String>, Option<String>);

fn found_from(columns: FoundColumns) -> Option<FoundIdea> {
    let (Some(section), Some(title), Some(answer)) = columns else { return None };
    Some(FoundIdea { section: section.unsigned_abs(), title, answer })
}

impl Row {
    fn new(member: UserId, stored: &StoredCard) -> Self {
        let ReviewCard { id, source, source_title, source_author, state } = &stored.card;
        let (book_id, summary_id) = source_columns(*source);
        let (kind, section, idea_title, idea_opening, highlight_id) = kind_columns(&state.kind);
        let CardContent { question, answer, blanks } = &state.content.value;
        let Schedule { memory, due, last, answers, lapses } = stored.schedule;
        let found = stored.idea.as_ref();
        Self {
            user_id: member.get(),
            id: id.get(),
            kind,
            book_id,
            summary_id,
            highlight_id,
            source_title: source_title.clone(),
            source_author: source_author.clone(),
            section,
            idea_title,
            idea_opening,
            found_section: found.map(|idea| column(idea.section)),
            found_title: found.map(|idea| idea.title.clone()),
            found_answer: found.map(|idea| idea.answer.clone()),
            question: question.clone(),
            answer: answer.clone(),
            blanks: blanks.iter().flat_map(|blank| [column(blank.start), column(blank.end)]).collect(),
            content_at: to_db(state.content.at),
            is_paused: state.is_paused.value,
            paused_at: to_db(state.is_paused.at),
            created_at: to_db(state.created_at),
            edited_at: to_db(state.edited_at()),
            deleted_at: state.deleted_at.map(to_db),
            first_day: day_to_db(stored.first_day),
            due_day: day_to_db(due),
            last_day: last.map(day_to_db),
            stability: memory.map(|memory| memory.stability),
            difficulty: memory.map(|memory| memory.difficulty),
            answers: column(answers),
            lapses: column(lapses),
            version: stored.version.cast_signed(),
        }
    }
}

impl TryFrom<Row> for StoredCard {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let kind = kind_from((row.kind, row.section, row.idea_title, row.idea_opening, row.highlight_id))?;
        let blanks = row.blanks.as_chunks().0.iter();
        let blanks = blanks.map(|[start, end]| Blank { start: start.unsigned_abs(), end: end.unsigned_abs() });
        let content = CardContent { question: row.question, answer: row.answer, blanks: blanks.collect() };
        let state = CardState {
            kind,
            created_at: from_db(row.created_at),
            content: Register::new(content, from_db(row.content_at)),
            is_paused: Register::new(row.is_paused, from_db(row.paused_at)),
            deleted_at: row.deleted_at.map(from_db),
        };
        let memory = row.stability.zip(row.difficulty);
        Ok(Self {
            card: ReviewCard {
                id: ReviewCardId::from_store(row.id),
                source: source_from((row.book_id, row.summary_id)),
                source_title: row.source_title,
                source_author: row.source_author,
                state,
            },
            idea: found_from((row.found_section, row.found_title, row.found_answer)),
            first_day: day_from_db(row.first_day),
            schedule: Schedule {
                memory: memory.map(|(stability, difficulty)| CardMemory { stability, difficulty }),
                due: day_from_db(row.due_day),
                last: row.last_day.map(day_from_db),
                answers: row.answers.unsigned_abs(),
                lapses: row.lapses.unsigned_abs(),
            },
            version: row.version.unsigned_abs(),
        })
    }
}

/// Rows of cards as they are read.
pub(super) struct Cards(Vec<Row>);

impl Cards {
    pub(super) fn of_ids(conn: &mut PgConnection, member: UserId, ids: &[ReviewCardId]) -> QueryResult<Self> {
        let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let cards = review_cards::table
            .filter(review_cards::user_id.eq(member.get()).and(review_cards::id.eq_any(ids)))
            .order(review_cards::id);
        cards.select(Row::as_select()).load(conn).map(Self)
    }

    pub(super) fn after(conn: &mut PgConnection, member: UserId, version: u64, limit: Limit) -> QueryResult<Self> {
        let cards = review_cards::table
            .filter(review_cards::user_id.eq(member.get()).and(review_cards::version.gt(version.cast_signed())))
            .order(review_cards::version)
            .limit(limit.with_surplus());
        cards.select(Row::as_select()).load(conn).map(Self)
    }

    pub(super) fn stored(self) -> Result<Vec<StoredCard>, StoreError> {
        self.0.into_iter().map(TryInto::try_into).collect()
    }
}

pub(super) fn highlights_of(
    conn: &mut PgConnection,
    member: UserId,
    ids: &[HighlightId],
) -> QueryResult<Vec<CardHighlight>> {
    type Columns = (i64, String, bool, Option<i64>, Option<i64>);
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let found: Vec<Columns> = highlights::table
        .filter(highlights::user_id.eq(member.get()).and(highlights::id.eq_any(ids)))
        .select((highlights::id, highlights::exact, highlights::is_shown, highlights::book_id, highlights::summary_id))
        .load(conn)?;
    let highlights = found.into_iter().map(|(id, words, is_shown, book, summary)| {
        let is_there = is_shown && !words.is_empty() && book.or(summary).is_some();
        CardHighlight { id: HighlightId::from_store(id), words, is_there }
    });
    Ok(highlights.collect())
}

/// The columns of an answer: id, card, rating, moment and day.
type AnswerColumns = (i64, i64, i16, DateTime<Utc>, NaiveDate);

fn rating(number: i16) -> Result<Rating, StoreError> {
    Rating::new(number.into()).map_err(StoreError::new)
}

pub(super) fn answers_of(
    conn: &mut PgConnection,
    member: UserId,
    cards: &[ReviewCardId],
) -> QueryResult<Vec<AnswerColumns>> {
    let cards: Vec<i64> = cards.iter().map(|id| id.get()).collect();
    card_answers::table
        .filter(card_answers::user_id.eq(member.get()).and(card_answers::card_id.eq_any(cards)))
        .order((card_answers::at, card_answers::id))
        .select((card_answers::id, card_answers::card_id, card_answers::rating, card_answers::at, card_answers::day))
        .load(conn)
}

pub(super) fn answer_from((id, card, number, at, day): AnswerColumns) -> Result<CardAnswer, StoreError> {
    Ok(CardAnswer {
        id: AnswerId::from_store(id),
        card: ReviewCardId::from_store(card),
        rating: rating(number)?,
        at: from_db(at),
        day: day_from_db(day),
    })
}

pub(super) fn facts_of(conn: &mut PgConnection, member: UserId, today: Day) -> QueryResult<Vec<CardFacts>> {
    type Columns = (i64, DateTime<Utc>, bool, bool, NaiveDate, Option<DateTime<Utc>>);
    let select = SelectCardFacts { member: member.get(), today: day_to_db(today) };
    let found: Vec<Columns> = select.load(conn)?;
    let facts = found.into_iter().map(|(id, created_at, is_paused, is_askable, due, first)| CardFacts {
        id: ReviewCardId::from_store(id),
        created_at: from_db(created_at),
        is_paused,
        is_askable,
        due: day_from_db(due),
        first_answer_today: first.map(from_db),
    });
    Ok(facts.collect())
}

/// Category, rating, day, and the day of the answer before.
type RecallColumns = (i64, i16, NaiveDate, Option<NaiveDate>);

pub(super) fn recall_rows(conn: &mut PgConnection, member: UserId, since: Day) -> QueryResult<Vec<RecallColumns>> {
    SelectRecallAnswers { member: member.get(), since: day_to_db(since) }.load(conn)
}

pub(super) fn recall_from((category, number, day, before): RecallColumns) -> Result<RecallAnswer, StoreError> {
    Ok(RecallAnswer {
        category: CategoryId::from_store(category),
        rating: rating(number)?,
        day: day_from_db(day),
        before: before.map(day_from_db),
    })
}

pub(super) fn answer_days(conn: &mut PgConnection, member: UserId) -> QueryResult<Vec<(Day, u32)>> {
    let days: Vec<(NaiveDate, i64)> = card_answers::table
        .filter(card_answers::user_id.eq(member.get()))
        .group_by(card_answers::day)
        .select((card_answers::day, count_star()))
        .order(card_answers::day)
        .load(conn)?;
    Ok(days.into_iter().map(|(day, count)| (day_from_db(day), u32::try_from(count).unwrap_or(u32::MAX))).collect())
}

/// Member, id, kind, and what was found.
type IdeaColumns = (i64, i64, KindColumns, FoundColumns);

pub(super) fn ideas_in(
    conn: &mut PgConnection,
    book: BookId,
    after: Option<(UserId, ReviewCardId)>,
    limit: Limit,
) -> QueryResult<Vec<IdeaColumns>> {
    let (member, id) = after.map_or((0, 0), |(member, id)| (member.get(), id.get()));
    let is_later = review_cards::user_id.gt(member).or(review_cards::user_id.eq(member).and(review_cards::id.gt(id)));
    review_cards::table
        .filter(review_cards::book_id.eq(book.get()).and(review_cards::kind.eq(IDEA)).and(is_later))
        .order((review_cards::user_id, review_cards::id))
        .limit(limit.get().cast_signed() as i64)
        .select((
            review_cards::user_id,
            review_cards::id,
            (
                review_cards::kind,
                review_cards::section,
                review_cards::idea_title,
                review_cards::idea_opening,
                review_cards::highlight_id,
            ),
            (review_cards::found_section, review_cards::found_title, review_cards::found_answer),
        ))
        .load(conn)
}

pub(super) fn idea_from((member, id, kind, found): IdeaColumns) -> Result<PlacedIdea, StoreError> {
    Ok(PlacedIdea {
        member: UserId::from_store(member),
        id: ReviewCardId::from_store(id),
        kind: kind_from(kind)?,
        found: found_from(found),
    })
}

/// Records the latest version of the member's records.
fn put_version(conn: &mut PgConnection, member: UserId, version: u64) -> QueryResult<()> {
    update(study_members::table.find(member.get()))
        .set(study_members::version.eq(version.cast_signed()))
        .execute(conn)
        .map(|_| ())
}

pub(super) fn put_card(conn: &mut PgConnection, member: UserId, stored: &StoredCard) -> QueryResult<()> {
    let row = Row::new(member, stored);
    put_version(conn, member, stored.version)?;
    insert_into(review_cards::table)
        .values(&row)
        .on_conflict((review_cards::user_id, review_cards::id))
        .do_update()
        .set(&row)
        .execute(conn)?;
    match (stored.book(), &stored.card.state.kind) {
        (Some(book), CardKind::Idea { .. }) => sql_query(CHECK).bind::<BigInt, _>(book.get()).execute(conn).map(|_| ()),
        _ => Ok(()),
    }
}

pub(super) fn insert_answers(
    conn: &mut PgConnection,
    member: UserId,
    answers: &[CardAnswer],
) -> QueryResult<Vec<AnswerId>> {
    let rows: Vec<_> = answers
        .iter()
        .map(|CardAnswer { id, card, rating, at, day }| {
            (
                card_answers::user_id.eq(member.get()),
                card_answers::id.eq(id.get()),
                card_answers::card_id.eq(card.get()),
                card_answers::rating.eq(i16::from(rating.number())),
                card_answers::at.eq(to_db(*at)),
                card_answers::day.eq(day_to_db(*day)),
            )
        })
        .collect();
    let new: Vec<i64> = insert_into(card_answers::table)
        .values(rows)
        .on_conflict_do_nothing()
        .returning(card_answers::id)
        .get_results(conn)?;
    Ok(new.into_iter().map(AnswerId::from_store).collect())
}

pub(super) fn put_schedule(
    conn: &mut PgConnection,
    member: UserId,
    id: ReviewCardId,
    schedule: &Schedule,
    version: u64,
) -> QueryResult<()> {
    let Schedule { memory, due, last, answers, lapses } = *schedule;
    put_version(conn, member, version)?;
    update(review_cards::table.find((member.get(), id.get())))
        .set((
            review_cards::due_day.eq(day_to_db(due)),
            review_cards::last_day.eq(last.map(day_to_db)),
            review_cards::stability.eq(memory.map(|memory| memory.stability)),
            review_cards::difficulty.eq(memory.map(|memory| memory.difficulty)),
            review_cards::answers.eq(column(answers)),
            review_cards::lapses.eq(column(lapses)),
            review_cards::version.eq(version.cast_signed()),
        ))
        .execute(conn)
        .map(|_| ())
}

pub(super) fn put_found(
    conn: &mut PgConnection,
    member: UserId,
    id: ReviewCardId,
    found: Option<&FoundIdea>,
    version: u64,
) -> QueryResult<()> {
    put_version(conn, member, version)?;
    update(review_cards::table.find((member.get(), id.get())))
        .set((
            review_cards::found_section.eq(found.map(|idea| column(idea.section))),
            review_cards::found_title.eq(found.map(|idea| idea.title.as_str())),
            review_cards::found_answer.eq(found.map(|idea| idea.answer.as_str())),
            review_cards::version.eq(version.cast_signed()),
        ))
        .execute(conn)
        .map(|_| ())
}
