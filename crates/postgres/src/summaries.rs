//! Members' own summaries, in Postgres.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, define_sql_function, delete, dsl::not, insert_into, sql_types::Text, update,
};
use kernel::{Limit, StoreError, SummaryId, Timestamp, UserId};
use serde_json::Value;
use summaries::{
    FinishedSummary, MemberSummary, MemberSummaryCommands, MemberSummaryQueries, MemberSummaryStore, NewSummary,
    SummaryFailure, SummaryLanguage, SummarySource, SummaryState, SummaryText, WaitingSource,
};

use crate::{
    Change, Pg,
    schema::{member_summaries as rows, users},
    time::{from_db, to_db},
};

define_sql_function! {
    /// Position of `part` in `text`, from 1; 0 if `text` does not contain it.
    fn strpos(text: Text, part: Text) -> Integer;
}

/// The final states of a summary.
const FINISHED: [&str; 2] = [SummaryState::Done.as_str(), SummaryState::Failed.as_str()];

/// The row of a summary, without its texts.
#[derive(Queryable, Selectable)]
#[diesel(table_name = rows)]
struct Row {
    id: i64,
    title: String,
    source_kind: String,
    source_name: String,
    source_url: Option<String>,
    state: String,
    engine: Option<String>,
    fell_back: bool,
    language: Option<String>,
    language_name: Option<String>,
    words: Option<i32>,
    idea_count: Option<i32>,
    failure_code: Option<String>,
    failure_text: Option<String>,
    created_at: DateTime<Utc>,
    done_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for MemberSummary {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let failure = match (row.failure_code, row.failure_text) {
            (Some(code), Some(text)) => Some(SummaryFailure { code: code.parse().map_err(StoreError::new)?, text }),
            _ => None,
        };
        Ok(Self {
            id: SummaryId::from_store(row.id),
            title: row.title,
            source: source(&row.source_kind, row.source_name, row.source_url)?,
            state: row.state.parse().map_err(StoreError::new)?,
            engine: row.engine.map(|engine| engine.parse().map_err(StoreError::new)).transpose()?,
            fell_back: row.fell_back,
            language: row.language.zip(row.language_name).map(|(code, name)| SummaryLanguage { code, name }),
            words: row.words.map(i32::unsigned_abs),
            idea_count: row.idea_count.map(i32::unsigned_abs),
            failure,
            created_at: from_db(row.created_at),
            done_at: row.done_at.map(from_db),
        })
    }
}

fn source(kind: &str, name: String, url: Option<String>) -> Result<SummarySource, StoreError> {
    Ok(SummarySource { kind: kind.parse().map_err(StoreError::new)?, name, url })
}

/// Selects the member's summaries that contain all of these words, in title, source or ideas.
macro_rules! found {
    ($query:expr, $member:expr, $words:expr) => {{
        let mut query = $query.filter(rows::user_id.eq($member.get())).into_boxed();
        for word in $words {
            query = query.filter(
                strpos(rows::search_title, word).gt(0).or(strpos(rows::search_source, word).gt(0)).or(strpos(
                    rows::search_ideas,
                    word,
                )
                .gt(0)),
            );
        }
        query
    }};
}

/// Source text, headings and key ideas.
type TextRow = (Option<String>, Option<Value>, Option<Value>);
/// Kind, name and URL of a source, and its bytes.
type SourceRow = (String, String, Option<String>, Option<Vec<u8>>);

impl<A> MemberSummaryQueries for Pg<'_, A> {
    fn member_summary(&mut self, member: UserId, id: SummaryId) -> Result<Option<MemberSummary>, StoreError> {
        let found: Option<Row> = self.run(|conn| {
            rows::table
                .find(id.get())
                .filter(rows::user_id.eq(member.get()))
                .select(Row::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(MemberSummary::try_from).transpose()
    }

    fn member_summary_text(&mut self, member: UserId, id: SummaryId) -> Result<Option<SummaryText>, StoreError> {
        let found: Option<TextRow> = self.run(|conn| {
            rows::table
                .find(id.get())
                .filter(rows::user_id.eq(member.get()))
                .select((rows::source_text, rows::headings, rows::ideas))
                .first(conn)
                .optional()
        })?;
        let Some((Some(text), Some(headings), Some(ideas))) = found else { return Ok(None) };
        let headings = serde_json::from_value(headings).map_err(StoreError::new)?;
        let ideas = serde_json::from_value(ideas).map_err(StoreError::new)?;
        Ok(Some(SummaryText { text, headings, ideas }))
    }

    fn summary_titles(&mut self, member: UserId, ids: &[SummaryId]) -> Result<HashMap<SummaryId, String>, StoreError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let found: Vec<(i64, String)> = self.run(|conn| {
            rows::table
                .filter(rows::user_id.eq(member.get()))
                .filter(rows::id.eq_any(ids))
                .select((rows::id, rows::title))
                .load(conn)
        })?;
        Ok(found.into_iter().map(|(id, title)| (SummaryId::from_store(id), title)).collect())
    }

    fn member_summaries(
        &mut self,
        member: UserId,
        words: &[String],
        after: Option<SummaryId>,
        limit: Limit,
    ) -> Result<Vec<MemberSummary>, StoreError> {
        let after = after.map_or(i64::MAX, SummaryId::get);
        let found: Vec<Row> = self.run(|conn| {
            found!(rows::table.select(Row::as_select()), member, words)
                .filter(rows::id.lt(after))
                .order(rows::id.desc())
                .limit(limit.with_surplus())
                .load(conn)
        })?;
        found.into_iter().map(MemberSummary::try_from).collect()
    }

    fn count_member_summaries(&mut self, member: UserId, words: &[String]) -> Result<u64, StoreError> {
        let count: i64 = self.run(|conn| found!(rows::table.count(), member, words).get_result(conn))?;
        Ok(count.unsigned_abs())
    }

    fn waiting_source(&mut self, id: SummaryId) -> Result<Option<WaitingSource>, StoreError> {
        let found: Option<SourceRow> = self.run(|conn| {
            rows::table
                .find(id.get())
                .filter(not(rows::state.eq_any(FINISHED)))
                .select((rows::source_kind, rows::source_name, rows::source_url, rows::document))
                .first(conn)
                .optional()
        })?;
        let waiting =
            found.map(|(kind, name, url, document)| Ok(WaitingSource { source: source(&kind, name, url)?, document }));
        waiting.transpose()
    }
}

impl MemberSummaryCommands for Pg<'_> {
    fn delete_member_summary(&mut self, member: UserId, id: SummaryId) -> Result<bool, StoreError> {
        let deleted =
            self.run(|conn| delete(rows::table.find(id.get()).filter(rows::user_id.eq(member.get()))).execute(conn))?;
        self.record_change(Change::Summaries);
        Ok(deleted == 1)
    }

    fn advance_member_summary(&mut self, id: SummaryId, state: SummaryState) -> Result<bool, StoreError> {
        let updated = self.run(|conn| {
            update(rows::table.find(id.get()).filter(not(rows::state.eq_any(FINISHED))))
                .set(rows::state.eq(state.as_str()))
                .execute(conn)
        })?;
        Ok(updated == 1)
    }
}

impl MemberSummaryStore for Pg<'_> {
    fn lock_member_summaries(&mut self, member: UserId) -> Result<(), StoreError> {
        let locked = users::table.find(member.get()).select(users::id).for_no_key_update();
        self.run(|conn| locked.first::<i64>(conn).optional().map(|_| ()))
    }

    fn find_summary_of_key(&mut self, member: UserId, key: &str) -> Result<Option<SummaryId>, StoreError> {
        let found: Option<i64> = self.run(|conn| {
            rows::table
                .filter(rows::user_id.eq(member.get()))
                .filter(rows::request_key.eq(key))
                .select(rows::id)
                .first(conn)
                .optional()
        })?;
        Ok(found.map(SummaryId::from_store))
    }

    fn count_unfinished_summaries(&mut self, member: UserId) -> Result<(u64, u64), StoreError> {
        let unfinished = || rows::table.filter(not(rows::state.eq_any(FINISHED))).count();
        let (own, all): (i64, i64) = self.run(|conn| {
            let own = unfinished().filter(rows::user_id.eq(member.get())).get_result(conn)?;
            Ok((own, unfinished().get_result(conn)?))
        })?;
        Ok((own.unsigned_abs(), all.unsigned_abs()))
    }

    fn insert_member_summary(
        &mut self,
        member: UserId,
        summary: &NewSummary,
        now: Timestamp,
    ) -> Result<SummaryId, StoreError> {
        let source = &summary.source;
        let row = (
            rows::user_id.eq(member.get()),
            rows::request_key.eq(summary.key.as_deref()),
            rows::title.eq(&summary.title),
            rows::source_kind.eq(source.kind.as_str()),
            rows::source_name.eq(&source.name),
            rows::source_url.eq(source.url.as_deref()),
            rows::state.eq(SummaryState::Queued.as_str()),
            rows::document.eq(summary.document.as_deref()),
            rows::search_title.eq(summary.title.to_lowercase()),
            rows::search_source.eq(source.name.to_lowercase()),
            rows::created_at.eq(to_db(now)),
        );
        let id = self.run(|conn| insert_into(rows::table).values(row).returning(rows::id).get_result(conn))?;
        Ok(SummaryId::from_store(id))
    }

    fn put_summary_title(&mut self, member: UserId, id: SummaryId, title: &str) -> Result<bool, StoreError> {
        let updated = self.run(|conn| {
            update(rows::table.find(id.get()).filter(rows::user_id.eq(member.get())))
                .set((rows::title.eq(title), rows::search_title.eq(title.to_lowercase())))
                .execute(conn)
        })?;
        Ok(updated == 1)
    }

    fn put_finished_summary(
        &mut self,
        id: SummaryId,
        summary: &FinishedSummary,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let text = &summary.text;
        let search: Vec<&str> = text.ideas.iter().flat_map(|idea| [idea.title.as_str(), idea.text.as_str()]).collect();
        let count = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let row = (
            rows::state.eq(SummaryState::Done.as_str()),
            rows::document.eq(None::<Vec<u8>>),
            rows::engine.eq(summary.engine.as_str()),
            rows::fell_back.eq(summary.fell_back),
            rows::language.eq(summary.language.as_ref().map(|language| &language.code)),
            rows::language_name.eq(summary.language.as_ref().map(|language| &language.name)),
            rows::words.eq(count(summary.words())),
            rows::idea_count.eq(i32::try_from(text.ideas.len()).unwrap_or(i32::MAX)),
            rows::source_text.eq(&text.text),
            rows::headings.eq(serde_json::to_value(&text.headings).map_err(StoreError::new)?),
            rows::ideas.eq(serde_json::to_value(&text.ideas).map_err(StoreError::new)?),
            rows::search_ideas.eq(search.join("\n").to_lowercase()),
            rows::done_at.eq(to_db(now)),
        );
        // A title that the source states replaces the guessed one.
        let title = summary
            .title
            .as_ref()
            .map(|title| (rows::title.eq(title.clone()), rows::search_title.eq(title.to_lowercase())));
        self.record_change(Change::Summaries);
        self.run(|conn| {
            let unfinished = rows::table.find(id.get()).filter(not(rows::state.eq_any(FINISHED)));
            update(unfinished).set((row, title)).execute(conn).map(|_| ())
        })
    }

    fn put_failed_summary(
        &mut self,
        id: SummaryId,
        failure: &SummaryFailure,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let row = (
            rows::state.eq(SummaryState::Failed.as_str()),
            rows::document.eq(None::<Vec<u8>>),
            rows::failure_code.eq(failure.code.as_str()),
            rows::failure_text.eq(&failure.text),
            rows::done_at.eq(to_db(now)),
        );
        self.record_change(Change::Summaries);
        self.run(|conn| {
            let unfinished = rows::table.find(id.get()).filter(not(rows::state.eq_any(FINISHED)));
            update(unfinished).set(row).execute(conn).map(|_| ())
        })
    }
}
