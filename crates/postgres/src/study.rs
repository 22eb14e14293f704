//! Highlights, in Postgres.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, OptionalExtension, PgConnection, QueryDsl, QueryResult,
    Queryable, RunQueryDsl, Selectable, SelectableHelper, delete, insert_into, sql_query, sql_types::BigInt,
    upsert::excluded,
};
use kernel::{BookId, HighlightId, Limit, StoreError, SummaryId, UserId};
use study::{
    Anchor, BookHighlights, Highlight, HighlightPlace, HighlightSource, HighlightState, Note, PlaceRange, Register,
    StoredHighlight, StudyCommands, StudyQueries, StudySettings, StudyStore, Tag,
};

use crate::{
    Change, Pg,
    schema::{highlight_tags, highlighted_books, highlights, study_members, study_settings},
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

/// Converts a number that the domain keeps within a column's range.
fn column(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Row {
    fn new(member: UserId, stored: &StoredHighlight) -> Self {
        let Highlight { id, source, source_title, source_author, state } = &stored.highlight;
        let Anchor { section, start, end, exact, prefix, suffix } = &state.anchor;
        let (book_id, summary_id) = match source {
            Some(HighlightSource::Book(book)) => (Some(book.get()), None),
            Some(HighlightSource::Summary(summary)) => (None, Some(summary.get())),
            None => (None, None),
        };
        let range = stored.place.range();
        let place_text = match &stored.place {
            HighlightPlace::Changed { text, .. } => Some(text.clone()),
            HighlightPlace::Same(_) | HighlightPlace::Gone => None,
        };
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
            place_section: range.map(|range| column(range.section)),
            place_start: range.map(|range| column(range.start)),
            place_end: range.map(|range| column(range.end)),
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
        let source = match (self.book_id, self.summary_id) {
            (Some(book), _) => HighlightSource::Book(BookId::from_store(book)),
            (None, Some(summary)) => HighlightSource::Summary(SummaryId::from_store(summary)),
            (None, None) => return (None, HighlightPlace::Gone),
        };
        let number = i32::unsigned_abs;
        let place = match (self.place_section, self.place_start, self.place_end) {
            (Some(section), Some(start), Some(end)) => {
                let range = PlaceRange { section: number(section), start: number(start), end: number(end) };
                match &self.place_text {
                    None => HighlightPlace::Same(range),
                    Some(text) => HighlightPlace::Changed { range, text: text.clone() },
                }
            }
            _ => HighlightPlace::Gone,
        };
        (Some(source), place)
    }
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

fn stored_highlight(row: Row, tags: Vec<TagRow>) -> Result<StoredHighlight, StoreError> {
    let (source, place) = row.source();
    let anchor = Anchor {
        section: row.section.map(i32::unsigned_abs),
        start: row.start_at.unsigned_abs(),
        end: row.end_at.unsigned_abs(),
        exact: row.exact,
        prefix: row.prefix,
        suffix: row.suffix,
    };
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

    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError> {
        let found: Option<(bool, bool, bool)> = self.run(|conn| {
            study_settings::table
                .find(member.get())
                .select((
                    study_settings::has_highlights,
                    study_settings::counts_in_popular,
                    study_settings::shows_popular,
                ))
                .first(conn)
                .optional()
        })?;
        Ok(found.map(|(has_highlights, counts_in_popular, shows_popular)| StudySettings {
            has_highlights,
            counts_in_popular,
            shows_popular,
        }))
    }
}

impl StudyCommands for Pg<'_> {
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError> {
        use crate::schema::users;

        let StudySettings { has_highlights, counts_in_popular, shows_popular } = settings;
        let set = (
            study_settings::has_highlights.eq(has_highlights),
            study_settings::counts_in_popular.eq(counts_in_popular),
            study_settings::shows_popular.eq(shows_popular),
        );
        self.run(|conn| {
            let is_member =
                users::table.find(member.get()).select(users::id).for_key_share().first::<i64>(conn).optional()?;
            if is_member.is_none() {
                return Ok(false);
            }
            insert_into(study_settings::table)
                .values((study_settings::user_id.eq(member.get()), set))
                .on_conflict(study_settings::user_id)
                .do_update()
                .set(set)
                .execute(conn)
                .map(|_| true)
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
            match book {
                Some(book) => {
                    sql_query(COUNT).bind::<BigInt, _>(member.get()).bind::<BigInt, _>(book).execute(conn).map(|_| ())
                }
                None => Ok(()),
            }
        })
    }
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
