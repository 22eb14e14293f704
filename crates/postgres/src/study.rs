//! Highlights and review cards, in Postgres.

mod cards;
mod commitments;
mod completed_ideas;
mod lists;
mod notices;

use std::{collections::BTreeMap, ops::Range};

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    PgConnection, PgExpressionMethods, QueryDsl, QueryResult, Queryable, RunQueryDsl, Selectable, SelectableHelper,
    delete, dsl::not, insert_into, sql_query, sql_types::BigInt, upsert::excluded,
};
use kernel::{AnswerId, BookId, Day, HighlightId, Limit, ReviewCardId, StoreError, SummaryId, Timestamp, UserId};
use study::{
    Anchor, BookHighlights, CardAnswer, CardFacts, CardHighlight, FoundIdea, Highlight, HighlightPlace,
    HighlightSource, HighlightState, HighlightedRange, Note, Part, PlaceRange, PlacedHighlight, PlacedIdea,
    PopularPassage, RecallAnswer, Register, Schedule, StoredCard, StoredHighlight, StudyCommands, StudyQueries,
    StudySettings, StudyStore, Tag,
};

use crate::{
    Change, Pg,
    schema::{
        books, checked_books, highlight_tags, highlighted_books, highlights, popular_passages, study_members,
        study_settings,
    },
    time::{from_db, to_db},
};

/// Locks the records of a member, who has some from now on, and returns their latest version. The account is locked against its
/// deletion; without one, there is no row.
const LOCK: &str = "INSERT INTO study_members (user_id) SELECT id FROM users WHERE id = $1 FOR KEY SHARE
    ON CONFLICT (user_id) DO UPDATE SET version = study_members.version RETURNING version";

/// Counts the member's highlights in a book again.
const COUNT: &str = "INSERT INTO highlighted_books (user_id, book_id, highlights, version)
    SELECT user_id, book_id, count(*) FILTER (WHERE is_shown), max(version) FROM highlights
    WHERE user_id = $1 AND book_id = $2 GROUP BY user_id, book_id
    ON CONFLICT (user_id, book_id) DO UPDATE SET highlights = excluded.highlights, version = excluded.version";

/// Records that the highlights of a book have changed.
const RECORD: &str = "INSERT INTO checked_books (book_id, book_updated_at) VALUES ($1, '-infinity')
    ON CONFLICT (book_id) DO UPDATE SET is_to_count = true WHERE NOT checked_books.is_to_count";

/// Records that popular passages are to be counted again in the books in which a member has highlights, in the order of books.
const RECOUNT: &str = "UPDATE checked_books SET is_to_count = true WHERE book_id IN (
    SELECT c.book_id FROM checked_books c JOIN highlighted_books h ON h.book_id = c.book_id
    WHERE h.user_id = $1 AND NOT c.is_to_count ORDER BY c.book_id FOR UPDATE OF c)";

/// The row of a highlight.
#[derive(Queryable, Selectable, Insertable, diesel::AsChangeset)]
#[diesel(table_name = highlights)]
#[diesel(treat_none_as_null = true)]
struct Row {
    user_id: i64,
    id: i64,
    book_id: Option<i64>,
    summary_id: Option<i64>,
    source_title: String,
    source_author: String,
    part: String,
    section: Option<i32>,
    start_at: i32,
    end_at: i32,
    exact: String,
    prefix: String,
    suffix: String,
    place_section: Option<i32>,
    place_start: Option<i32>,
    place_end: Option<i32>,
    place_text: Option<String>,
    color: String,
    color_at: DateTime<Utc>,
    note: String,
    note_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    edited_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
    version: i64,
}

/// The ids of the book and of the own summary that something is from.
type SourceColumns = (Option<i64>, Option<i64>);

const fn source_columns(source: Option<HighlightSource>) -> SourceColumns {
    match source {
        Some(HighlightSource::Book(book)) => (Some(book.get()), None),
        Some(HighlightSource::Summary(summary)) => (None, Some(summary.get())),
        None => (None, None),
    }
}

fn source_from((book, summary): SourceColumns) -> Option<HighlightSource> {
    let book = book.map(|book| HighlightSource::Book(BookId::from_store(book)));
    book.or_else(|| summary.map(|summary| HighlightSource::Summary(SummaryId::from_store(summary))))
}

/// Converts a number that the domain keeps within a column's range.
fn column(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Row {
    fn new(member: UserId, stored: &StoredHighlight) -> Self {
        let Highlight { id, source, source_title, source_author, state } = &stored.highlight;
        let Anchor { section, start, end, exact, prefix, suffix } = &state.anchor;
        let (book_id, summary_id) = source_columns(*source);
        let (place_section, place_start, place_end, place_text) = place_columns(&stored.place);
        Self {
            user_id: member.get(),
            id: id.get(),
            book_id,
            summary_id,
            source_title: source_title.clone(),
            source_author: source_author.clone(),
            part: state.part.as_str().to_owned(),
            section: section.map(column),
            start_at: column(*start),
            end_at: column(*end),
            exact: exact.clone(),
            prefix: prefix.clone(),
            suffix: suffix.clone(),
            place_section,
            place_start,
            place_end,
            place_text,
            color: state.color.value.as_str().to_owned(),
            color_at: to_db(state.color.at),
            note: state.note.value.as_str().to_owned(),
            note_at: to_db(state.note.at),
            created_at: to_db(state.created_at),
            edited_at: to_db(state.edited_at()),
            deleted_at: state.deleted_at.map(to_db),
            version: stored.version.cast_signed(),
        }
    }

    /// The source, and where the words are in its text. Without its source a highlight is gone, whatever is stored.
    fn source(&self) -> (Option<HighlightSource>, HighlightPlace) {
        let Some(source) = source_from((self.book_id, self.summary_id)) else { return (None, HighlightPlace::Gone) };
        (Some(source), place((self.place_section, self.place_start, self.place_end, self.place_text.clone())))
    }
}

/// Section, start and end of a place, and the words there if they were edited.
type PlaceColumns = (Option<i32>, Option<i32>, Option<i32>, Option<String>);

fn place(columns: PlaceColumns) -> HighlightPlace {
    let (Some(section), Some(start), Some(end), text) = columns else { return HighlightPlace::Gone };
    let number = i32::unsigned_abs;
    let range = PlaceRange { section: number(section), start: number(start), end: number(end) };
    match text {
        None => HighlightPlace::Same(range),
        Some(text) => HighlightPlace::Changed { range, text },
    }
}

fn place_columns(place: &HighlightPlace) -> PlaceColumns {
    let range = place.range();
    let text = match place {
        HighlightPlace::Changed { text, .. } => Some(text.clone()),
        HighlightPlace::Same(_) | HighlightPlace::Gone => None,
    };
    let of = |part: fn(PlaceRange) -> u32| range.map(|range| column(part(range)));
    (of(|range| range.section), of(|range| range.start), of(|range| range.end), text)
}

/// A member, and the section, start and end of a highlight's place.
type RangeColumns = (i64, Option<i32>, Option<i32>, Option<i32>);

/// Section, start and end of an anchor; its words, and the text before and after them.
type AnchorColumns = (Option<i32>, i32, i32, String, String, String);

fn anchor((section, start, end, exact, prefix, suffix): AnchorColumns) -> Anchor {
    let number = i32::unsigned_abs;
    Anchor { section: section.map(number), start: number(start), end: number(end), exact, prefix, suffix }
}

/// The row of a tag, without its member and its highlight.
#[derive(Queryable, Selectable)]
#[diesel(table_name = highlight_tags)]
struct TagRow {
    highlight_id: i64,
    tag: String,
    is_on: bool,
    at: DateTime<Utc>,
}

/// The row of a member's settings.
#[derive(Queryable, Selectable, Insertable, diesel::AsChangeset)]
#[diesel(table_name = study_settings)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column")]
struct SettingsRow {
    has_highlights: bool,
    counts_in_popular: bool,
    shows_popular: bool,
    daily_max: i16,
    counts_for_streak: bool,
    reminder: String,
    digest: String,
    notice_hour: i16,
    asks_commitments: bool,
}

impl From<StudySettings> for SettingsRow {
    fn from(settings: StudySettings) -> Self {
        let number = |number: u32| i16::try_from(number).unwrap_or(i16::MAX);
        Self {
            has_highlights: settings.has_highlights,
            counts_in_popular: settings.counts_in_popular,
            shows_popular: settings.shows_popular,
            daily_max: number(settings.daily_max),
            counts_for_streak: settings.counts_for_streak,
            reminder: settings.reminder.as_str().to_owned(),
            digest: settings.digest.as_str().to_owned(),
            notice_hour: number(settings.notice_hour),
            asks_commitments: settings.asks_commitments,
        }
    }
}

impl TryFrom<SettingsRow> for StudySettings {
    type Error = StoreError;

    fn try_from(row: SettingsRow) -> Result<Self, StoreError> {
        Ok(Self {
            has_highlights: row.has_highlights,
            counts_in_popular: row.counts_in_popular,
            shows_popular: row.shows_popular,
            daily_max: row.daily_max.unsigned_abs().into(),
            counts_for_streak: row.counts_for_streak,
            reminder: row.reminder.parse().map_err(StoreError::new)?,
            digest: row.digest.parse().map_err(StoreError::new)?,
            notice_hour: row.notice_hour.unsigned_abs().into(),
            asks_commitments: row.asks_commitments,
        })
    }
}

fn stored_highlight(row: Row, tags: Vec<TagRow>) -> Result<StoredHighlight, StoreError> {
    let (source, place) = row.source();
    let anchor = anchor((row.section, row.start_at, row.end_at, row.exact, row.prefix, row.suffix));
    let mut state = HighlightState {
        part: row.part.parse().map_err(StoreError::new)?,
        anchor,
        created_at: from_db(row.created_at),
        color: Register::new(row.color.parse().map_err(StoreError::new)?, from_db(row.color_at)),
        note: Register::new(Note::from_store(row.note), from_db(row.note_at)),
        tags: BTreeMap::new(),
        deleted_at: row.deleted_at.map(from_db),
    };
    for TagRow { tag, is_on, at, .. } in tags {
        state.set_tag(Tag::from_store(tag), is_on, from_db(at));
    }
    let highlight = Highlight {
        id: HighlightId::from_store(row.id),
        source,
        source_title: row.source_title,
        source_author: row.source_author,
        state,
    };
    Ok(StoredHighlight { highlight, place, version: row.version.unsigned_abs() })
}

impl<A> Pg<'_, A> {
    /// The highlights of these rows, all of one member, in the same order.
    fn highlights_with_tags(&mut self, member: UserId, rows: Vec<Row>) -> Result<Vec<StoredHighlight>, StoreError> {
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let tags: Vec<TagRow> = self.run(|conn| {
            highlight_tags::table
                .filter(highlight_tags::user_id.eq(member.get()).and(highlight_tags::highlight_id.eq_any(ids)))
                .select(TagRow::as_select())
                .load(conn)
        })?;
        let mut tags_of: BTreeMap<i64, Vec<TagRow>> = BTreeMap::new();
        for tag in tags {
            tags_of.entry(tag.highlight_id).or_default().push(tag);
        }
        rows.into_iter()
            .map(|row| {
                let tags = tags_of.remove(&row.id).unwrap_or_default();
                stored_highlight(row, tags)
            })
            .collect()
    }
}

/// Converts the columns of a row of `highlighted_books`.
pub(crate) const fn book_highlights((count, version): (i32, i64)) -> BookHighlights {
    BookHighlights { count: count.unsigned_abs(), version: version.unsigned_abs() }
}

impl<A> StudyQueries for Pg<'_, A> {
    fn find_highlight(&mut self, member: UserId, id: HighlightId) -> Result<Option<StoredHighlight>, StoreError> {
        let found: Option<Row> = self.run(|conn| {
            highlights::table.find((member.get(), id.get())).select(Row::as_select()).first(conn).optional()
        })?;
        Ok(self.highlights_with_tags(member, found.into_iter().collect())?.pop())
    }

    fn highlights_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let rows: Vec<Row> = self.run(|conn| {
            highlights::table
                .filter(highlights::user_id.eq(member.get()).and(highlights::version.gt(version.cast_signed())))
                .order(highlights::version)
                .limit(limit.with_surplus())
                .select(Row::as_select())
                .load(conn)
        })?;
        self.highlights_with_tags(member, rows)
    }

    fn study_version(&mut self, member: UserId) -> Result<u64, StoreError> {
        let found: Option<i64> = self.run(|conn| {
            study_members::table.find(member.get()).select(study_members::version).first(conn).optional()
        })?;
        Ok(found.map_or(0, i64::unsigned_abs))
    }

    fn highlights_in_book(&mut self, member: UserId, book: BookId) -> Result<Option<BookHighlights>, StoreError> {
        let found: Option<(i32, i64)> = self.run(|conn| {
            highlighted_books::table
                .find((member.get(), book.get()))
                .select((highlighted_books::highlights, highlighted_books::version))
                .first(conn)
                .optional()
        })?;
        Ok(found.map(book_highlights))
    }

    fn review_cards(&mut self, member: UserId, ids: &[ReviewCardId]) -> Result<Vec<StoredCard>, StoreError> {
        self.run(|conn| cards::Cards::of_ids(conn, member, ids))?.stored()
    }

    fn review_cards_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredCard>, StoreError> {
        self.run(|conn| cards::Cards::after(conn, member, version, limit))?.stored()
    }

    fn card_highlights(&mut self, member: UserId, ids: &[HighlightId]) -> Result<Vec<CardHighlight>, StoreError> {
        self.run(|conn| cards::highlights_of(conn, member, ids))
    }

    fn card_answers(&mut self, member: UserId, cards: &[ReviewCardId]) -> Result<Vec<CardAnswer>, StoreError> {
        self.run(|conn| cards::answers_of(conn, member, cards))?.into_iter().map(cards::answer_from).collect()
    }

    fn card_facts(&mut self, member: UserId, today: Day) -> Result<Vec<CardFacts>, StoreError> {
        self.run(|conn| cards::facts_of(conn, member, today))
    }

    fn recall_answers(&mut self, member: UserId, since: Day) -> Result<Vec<RecallAnswer>, StoreError> {
        self.run(|conn| cards::recall_rows(conn, member, since))?.into_iter().map(cards::recall_from).collect()
    }

    fn answer_days(&mut self, member: UserId) -> Result<Vec<(Day, u32)>, StoreError> {
        self.run(|conn| cards::answer_days(conn, member))
    }

    fn count_highlights(&mut self, member: UserId, made: Range<Timestamp>) -> Result<u32, StoreError> {
        let shown = highlights::user_id.eq(member.get()).and(highlights::is_shown);
        let within = highlights::created_at.ge(to_db(made.start)).and(highlights::created_at.lt(to_db(made.end)));
        let count: i64 = self.run(|conn| highlights::table.filter(shown.and(within)).count().get_result(conn))?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn placed_ideas(
        &mut self,
        book: BookId,
        after: Option<(UserId, ReviewCardId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedIdea>, StoreError> {
        self.run(|conn| cards::ideas_in(conn, book, after, limit))?.into_iter().map(cards::idea_from).collect()
    }

    fn books_to_check(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError> {
        let found: Vec<i64> = self.run(|conn| {
            checked_books::table
                .inner_join(books::table)
                .filter(checked_books::book_updated_at.ne(books::updated_at))
                .order(checked_books::book_id)
                .limit(limit.cast_signed() as i64)
                .select(checked_books::book_id)
                .load(conn)
        })?;
        Ok(found.into_iter().map(BookId::from_store).collect())
    }

    fn placed_highlights(
        &mut self,
        book: BookId,
        after: Option<(UserId, HighlightId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedHighlight>, StoreError> {
        let (member, id) = after.map_or((0, 0), |(member, id)| (member.get(), id.get()));
        let is_later = highlights::user_id.gt(member).or(highlights::user_id.eq(member).and(highlights::id.gt(id)));
        let found: Vec<(i64, i64, String, AnchorColumns, PlaceColumns)> = self.run(|conn| {
            highlights::table
                .filter(highlights::book_id.eq(book.get()).and(highlights::exact.ne("")).and(is_later))
                .order((highlights::user_id, highlights::id))
                .limit(limit.get().cast_signed() as i64)
                .select((
                    highlights::user_id,
                    highlights::id,
                    highlights::part,
                    (
                        highlights::section,
                        highlights::start_at,
                        highlights::end_at,
                        highlights::exact,
                        highlights::prefix,
                        highlights::suffix,
                    ),
                    (highlights::place_section, highlights::place_start, highlights::place_end, highlights::place_text),
                ))
                .load(conn)
        })?;
        let placed = found.into_iter().map(|(member, id, part, anchor_columns, columns)| {
            Ok(PlacedHighlight {
                member: UserId::from_store(member),
                id: HighlightId::from_store(id),
                part: part.parse().map_err(StoreError::new)?,
                anchor: anchor(anchor_columns),
                place: place(columns),
            })
        });
        placed.collect()
    }

    fn highlights_to_empty(
        &mut self,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<(UserId, HighlightId)>, StoreError> {
        let found: Vec<(i64, i64)> = self.run(|conn| {
            highlights::table
                .filter(highlights::deleted_at.lt(to_db(before)).and(highlights::exact.ne("")))
                .filter(not(highlights::is_shown))
                .order(highlights::deleted_at)
                .limit(limit.cast_signed() as i64)
                .select((highlights::user_id, highlights::id))
                .load(conn)
        })?;
        Ok(found.into_iter().map(|(member, id)| (UserId::from_store(member), HighlightId::from_store(id))).collect())
    }

    fn books_to_count(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError> {
        let found: Vec<i64> = self.run(|conn| {
            checked_books::table
                .filter(checked_books::is_to_count)
                .order(checked_books::book_id)
                .limit(limit.cast_signed() as i64)
                .select(checked_books::book_id)
                .load(conn)
        })?;
        Ok(found.into_iter().map(BookId::from_store).collect())
    }

    fn highlighted_ranges(&mut self, book: BookId) -> Result<Vec<HighlightedRange>, StoreError> {
        let found: Vec<RangeColumns> = self.run(|conn| {
            highlights::table
                .left_join(study_settings::table.on(study_settings::user_id.eq(highlights::user_id)))
                .filter(highlights::book_id.eq(book.get()).and(highlights::is_shown))
                .filter(highlights::part.eq(Part::Text.as_str()).and(highlights::place_text.is_null()))
                .filter(study_settings::counts_in_popular.nullable().is_distinct_from(false))
                .select((
                    highlights::user_id,
                    highlights::place_section,
                    highlights::place_start,
                    highlights::place_end,
                ))
                .load(conn)
        })?;
        let ranges = found.into_iter().filter_map(|(member, section, start, end)| {
            let number = i32::unsigned_abs;
            let member = UserId::from_store(member);
            Some(HighlightedRange { member, section: number(section?), range: number(start?)..number(end?) })
        });
        Ok(ranges.collect())
    }

    fn popular_passages_of(&mut self, book: BookId) -> Result<Vec<PopularPassage>, StoreError> {
        let found: Vec<(i32, i32, i32, i32)> = self.run(|conn| {
            popular_passages::table
                .filter(popular_passages::book_id.eq(book.get()))
                .order((popular_passages::section, popular_passages::start_at))
                .select((
                    popular_passages::section,
                    popular_passages::start_at,
                    popular_passages::end_at,
                    popular_passages::members,
                ))
                .load(conn)
        })?;
        let number = i32::unsigned_abs;
        let passages = found.into_iter().map(|(section, start, end, members)| PopularPassage {
            section: number(section),
            range: number(start)..number(end),
            members: number(members),
        });
        Ok(passages.collect())
    }

    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError> {
        let found: Option<SettingsRow> = self.run(|conn| {
            study_settings::table.find(member.get()).select(SettingsRow::as_select()).first(conn).optional()
        })?;
        found.map(StudySettings::try_from).transpose()
    }
}

impl StudyCommands for Pg<'_> {
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError> {
        use crate::schema::users;

        let set = SettingsRow::from(settings);
        self.run(|conn| {
            let is_member =
                users::table.find(member.get()).select(users::id).for_key_share().first::<i64>(conn).optional()?;
            if is_member.is_none() {
                return Ok(false);
            }
            insert_into(study_settings::table)
                .values((study_settings::user_id.eq(member.get()), &set))
                .on_conflict(study_settings::user_id)
                .do_update()
                .set(&set)
                .execute(conn)?;
            sql_query(RECOUNT).bind::<BigInt, _>(member.get()).execute(conn).map(|_| true)
        })
    }

    fn recount_books_of(&mut self, member: UserId) -> Result<(), StoreError> {
        self.run(|conn| sql_query(RECOUNT).bind::<BigInt, _>(member.get()).execute(conn).map(|_| ()))
    }

    fn record_checked_book(&mut self, book: BookId, updated_at: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::update(checked_books::table.find(book.get()))
                .set((checked_books::book_updated_at.eq(to_db(updated_at)), checked_books::is_to_count.eq(true)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn record_counted_book(&mut self, book: BookId) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::update(checked_books::table.find(book.get()))
                .set(checked_books::is_to_count.eq(false))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn put_popular_passages(&mut self, book: BookId, passages: &[PopularPassage]) -> Result<(), StoreError> {
        let rows: Vec<_> = passages
            .iter()
            .map(|PopularPassage { section, range, members }| {
                (
                    popular_passages::book_id.eq(book.get()),
                    popular_passages::section.eq(column(*section)),
                    popular_passages::start_at.eq(column(range.start)),
                    popular_passages::end_at.eq(column(range.end)),
                    popular_passages::members.eq(column(*members)),
                )
            })
            .collect();
        self.run(|conn| {
            delete(popular_passages::table.filter(popular_passages::book_id.eq(book.get()))).execute(conn)?;
            insert_into(popular_passages::table).values(rows).execute(conn).map(|_| ())
        })
    }
}

impl StudyStore for Pg<'_> {
    fn lock_study_member(&mut self, member: UserId) -> Result<Option<u64>, StoreError> {
        #[derive(diesel::QueryableByName)]
        struct Locked {
            #[diesel(sql_type = BigInt)]
            version: i64,
        }
        let locked: Option<Locked> =
            self.run(|conn| sql_query(LOCK).bind::<BigInt, _>(member.get()).get_result(conn).optional())?;
        Ok(locked.map(|Locked { version }| version.unsigned_abs()))
    }

    fn put_highlight(&mut self, member: UserId, highlight: &StoredHighlight) -> Result<(), StoreError> {
        let row = Row::new(member, highlight);
        let book = row.book_id;
        // The page of the book says how many there are.
        self.record_change(Change::Reader(member));
        self.run(|conn| {
            diesel::update(study_members::table.find(member.get()))
                .set(study_members::version.eq(row.version))
                .execute(conn)?;
            insert_into(highlights::table)
                .values(&row)
                .on_conflict((highlights::user_id, highlights::id))
                .do_update()
                .set(&row)
                .execute(conn)?;
            put_tags(conn, member, &highlight.highlight)?;
            book.map_or(Ok(()), |book| record_book(conn, member, book))
        })
    }

    fn put_highlight_place(
        &mut self,
        member: UserId,
        id: HighlightId,
        place: &HighlightPlace,
        version: u64,
    ) -> Result<(), StoreError> {
        let (section, start, end, text) = place_columns(place);
        let version = version.cast_signed();
        self.record_change(Change::Reader(member));
        self.run(|conn| {
            diesel::update(study_members::table.find(member.get()))
                .set(study_members::version.eq(version))
                .execute(conn)?;
            let book: Option<Option<i64>> = diesel::update(highlights::table.find((member.get(), id.get())))
                .set((
                    highlights::place_section.eq(section),
                    highlights::place_start.eq(start),
                    highlights::place_end.eq(end),
                    highlights::place_text.eq(text),
                    highlights::version.eq(version),
                ))
                .returning(highlights::book_id)
                .get_result(conn)
                .optional()?;
            book.flatten().map_or(Ok(()), |book| record_book(conn, member, book))
        })
    }

    fn put_review_card(&mut self, member: UserId, card: &StoredCard) -> Result<(), StoreError> {
        self.run(|conn| cards::put_card(conn, member, card))
    }

    fn insert_card_answers(&mut self, member: UserId, answers: &[CardAnswer]) -> Result<Vec<AnswerId>, StoreError> {
        self.run(|conn| cards::insert_answers(conn, member, answers))
    }

    fn put_card_schedule(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        schedule: &Schedule,
        version: u64,
    ) -> Result<(), StoreError> {
        self.run(|conn| cards::put_schedule(conn, member, id, schedule, version))
    }

    fn put_found_idea(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        found: Option<&FoundIdea>,
        version: u64,
    ) -> Result<(), StoreError> {
        self.run(|conn| cards::put_found(conn, member, id, found, version))
    }
}

/// Counts the member's highlights in a book again, and records that the book's have changed.
fn record_book(conn: &mut PgConnection, member: UserId, book: i64) -> QueryResult<()> {
    sql_query(COUNT).bind::<BigInt, _>(member.get()).bind::<BigInt, _>(book).execute(conn)?;
    sql_query(RECORD).bind::<BigInt, _>(book).execute(conn).map(|_| ())
}

/// Stores the tags of a highlight: all of them, or, of one that was emptied, none.
fn put_tags(conn: &mut PgConnection, member: UserId, highlight: &Highlight) -> QueryResult<()> {
    let (member, id) = (member.get(), highlight.id.get());
    let rows: Vec<_> = highlight
        .state
        .tags
        .iter()
        .map(|(key, tag)| {
            (
                highlight_tags::user_id.eq(member),
                highlight_tags::highlight_id.eq(id),
                highlight_tags::tag_key.eq(key.as_str()),
                highlight_tags::tag.eq(tag.value.tag.as_str()),
                highlight_tags::is_on.eq(tag.value.is_on),
                highlight_tags::at.eq(to_db(tag.at)),
            )
        })
        .collect();
    if rows.is_empty() {
        let of_highlight = highlight_tags::user_id.eq(member).and(highlight_tags::highlight_id.eq(id));
        return delete(highlight_tags::table.filter(of_highlight)).execute(conn).map(|_| ());
    }
    insert_into(highlight_tags::table)
        .values(rows)
        .on_conflict((highlight_tags::user_id, highlight_tags::highlight_id, highlight_tags::tag_key))
        .do_update()
        .set((
            highlight_tags::tag.eq(excluded(highlight_tags::tag)),
            highlight_tags::is_on.eq(excluded(highlight_tags::is_on)),
            highlight_tags::at.eq(excluded(highlight_tags::at)),
        ))
        .execute(conn)
        .map(|_| ())
}
