//! Imports of archives, in Postgres.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete,
    sql_types::{Array, BigInt, Bytea, Nullable, Text, Timestamptz},
    update,
};
use identity::{
    AccountImport, BegunImport, ImportCommands, ImportFigure, ImportKind, ImportQueries, ImportState, KeptCount,
    KeptEntry, KeptSize, NamedBook,
};
use kernel::{StoreError, Timestamp, UserId};
use serde_json::{Value, json};

use crate::{
    Pg,
    schema::{account_imports as imports, kept_import_entries as kept},
    statement::statement,
    time::{from_db, to_db},
};

/// The states in which the work waits or runs.
const UNDER_WAY: [&str; 2] = [ImportState::Queued.as_str(), ImportState::Running.as_str()];

statement! {
    /// Adds the member's first import, or replaces one that has ended. One that is under way stays; without the account there is none.
    QueueImport { member: i64, archive: Option<Vec<u8>>, now: DateTime<Utc> } -> () = [
        "INSERT INTO account_imports AS i (user_id, state, archive, is_retry, requested_at)
        SELECT u.id, 'queued', a.archive, a.archive IS NULL, " (now: Timestamptz)
        " FROM users u, (SELECT " (archive: Nullable<Bytea>) "::bytea AS archive) a WHERE u.id = " (member: BigInt)
        " ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, archive = excluded.archive, is_retry = excluded.is_retry,
            requested_at = excluded.requested_at, ended_at = NULL, failure = NULL, figures = '[]'
        WHERE i.ended_at IS NOT NULL"
    ]
}

statement! {
    KeepEntries {
        member: i64,
        kinds: Vec<String>,
        keys: Vec<String>,
        subids: Vec<Option<String>>,
        titles: Vec<String>,
        authors: Vec<String>,
        entries: Vec<String>,
    } -> () = [
        "INSERT INTO kept_import_entries (user_id, kind, key, subid, title, author, entry)
        SELECT DISTINCT ON (e.kind, e.key) " (member: BigInt) ", e.kind, e.key, e.subid, e.title, e.author, e.entry
        FROM unnest(" (kinds: Array<Text>) ", " (keys: Array<Text>) ", " (subids: Array<Nullable<Text>>) ", "
            (titles: Array<Text>) ", " (authors: Array<Text>) ", " (entries: Array<Text>) ")
            AS e (kind, key, subid, title, author, entry)
        ORDER BY e.kind, e.key
        ON CONFLICT (user_id, kind, key) DO UPDATE
        SET subid = excluded.subid, title = excluded.title, author = excluded.author, entry = excluded.entry"
    ]
}

statement! {
    SumKept { member: i64 } -> (BigInt, BigInt) = [
        "SELECT count(*), coalesce(sum(octet_length(entry)), 0)::bigint FROM kept_import_entries WHERE user_id = " (member: BigInt)
    ]
}

statement! {
    CountKept { member: i64 } -> (Text, Text, Text, BigInt) = [
        "SELECT title, author, kind, count(*) FROM kept_import_entries WHERE user_id = " (member: BigInt) "
        GROUP BY title, author, kind"
    ]
}

statement! {
    DropEntries { member: i64, kinds: Vec<String>, keys: Vec<String> } -> () = [
        "DELETE FROM kept_import_entries k
        USING unnest(" (kinds: Array<Text>) ", " (keys: Array<Text>) ") AS e (kind, key)
        WHERE k.user_id = " (member: BigInt) " AND k.kind = e.kind AND k.key = e.key"
    ]
}

/// State, whether it is a retry, request, end, failure and figures.
type ImportRow = (String, bool, DateTime<Utc>, Option<DateTime<Utc>>, Option<String>, Value);
/// Kind, key, slug, title, author and entry.
type KeptRow = (String, String, Option<String>, String, String, String);

impl<A> ImportQueries for Pg<'_, A> {
    fn last_import(&mut self, member: UserId) -> Result<Option<AccountImport>, StoreError> {
        let select = imports::table.find(member.get()).select((
            imports::state,
            imports::is_retry,
            imports::requested_at,
            imports::ended_at,
            imports::failure,
            imports::figures,
        ));
        let row: Option<ImportRow> = self.run(|conn| select.first(conn).optional())?;
        row.map(import_from).transpose()
    }

    fn kept_entries(&mut self, member: UserId) -> Result<Vec<KeptEntry>, StoreError> {
        let select = kept::table.filter(kept::user_id.eq(member.get())).select((
            kept::kind,
            kept::key,
            kept::subid,
            kept::title,
            kept::author,
            kept::entry,
        ));
        let rows: Vec<KeptRow> = self.run(|conn| select.load(conn))?;
        let mut entries = rows.into_iter().map(kept_from).collect::<Result<Vec<_>, _>>()?;
        entries.sort_by(|one, other| (one.kind, &one.key).cmp(&(other.kind, &other.key)));
        Ok(entries)
    }

    fn kept_counts(&mut self, member: UserId) -> Result<Vec<KeptCount>, StoreError> {
        let count = CountKept { member: member.get() };
        let rows: Vec<(String, String, String, i64)> = self.run(|conn| count.load(conn))?;
        let counted = |(title, author, kind, entries): (String, String, String, i64)| {
            let entries = u32::try_from(entries).unwrap_or(u32::MAX);
            Ok(KeptCount { title, author, kind: kind_from(&kind)?, entries })
        };
        let mut counts = rows.into_iter().map(counted).collect::<Result<Vec<_>, StoreError>>()?;
        // Sorted here, to be independent of the database's collation.
        counts
            .sort_by(|one, other| (&one.title, &one.author, one.kind).cmp(&(&other.title, &other.author, other.kind)));
        Ok(counts)
    }

    fn kept_size(&mut self, member: UserId) -> Result<KeptSize, StoreError> {
        let sum = SumKept { member: member.get() };
        let (entries, bytes): (i64, i64) = self.run(|conn| sum.get_result(conn))?;
        let [entries, bytes] = [entries, bytes].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        Ok(KeptSize { entries, bytes })
    }
}

impl ImportCommands for Pg<'_> {
    fn queue_import(&mut self, member: UserId, archive: Option<Vec<u8>>, now: Timestamp) -> Result<bool, StoreError> {
        let queue = QueueImport { member: member.get(), archive, now: to_db(now) };
        Ok(self.run(|conn| queue.execute(conn))? == 1)
    }

    fn begin_import(&mut self, member: UserId) -> Result<Option<BegunImport>, StoreError> {
        let begun: Option<(DateTime<Utc>, Option<Vec<u8>>)> = self.run(|conn| {
            update(imports::table.find(member.get()).filter(imports::state.eq_any(UNDER_WAY)))
                .set(imports::state.eq(ImportState::Running.as_str()))
                .returning((imports::requested_at, imports::archive))
                .get_result(conn)
                .optional()
        })?;
        Ok(begun.map(|(requested_at, archive)| BegunImport { requested_at: from_db(requested_at), archive }))
    }

    fn end_import(
        &mut self,
        member: UserId,
        requested_at: Timestamp,
        outcome: Result<&[ImportFigure], &str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (state, figures, failure) = match outcome {
            Ok(figures) => (ImportState::Done, figures.iter().map(figure_json).collect(), None),
            Err(failure) => (ImportState::Failed, Vec::new(), Some(failure)),
        };
        self.run(|conn| {
            let under_way = imports::table
                .find(member.get())
                .filter(imports::state.eq_any(UNDER_WAY))
                .filter(imports::requested_at.eq(to_db(requested_at)));
            update(under_way)
                .set((
                    imports::state.eq(state.as_str()),
                    imports::archive.eq(None::<Vec<u8>>),
                    imports::ended_at.eq(to_db(now)),
                    imports::failure.eq(failure),
                    imports::figures.eq(Value::Array(figures)),
                ))
                .execute(conn)
        })?;
        Ok(())
    }

    fn keep_entries(&mut self, member: UserId, entries: &[KeptEntry]) -> Result<(), StoreError> {
        let all = || entries.iter();
        let keep = KeepEntries {
            member: member.get(),
            kinds: all().map(|entry| entry.kind.as_str().to_owned()).collect(),
            keys: all().map(|entry| entry.key.clone()).collect(),
            subids: all().map(|entry| entry.book.subid.clone()).collect(),
            titles: all().map(|entry| entry.book.title.clone()).collect(),
            authors: all().map(|entry| entry.book.author.clone()).collect(),
            entries: all().map(|entry| entry.entry.clone()).collect(),
        };
        self.run(|conn| keep.execute(conn)).map(|_| ())
    }

    fn drop_kept_entries(&mut self, member: UserId, keys: &[(ImportKind, String)]) -> Result<(), StoreError> {
        let drop = DropEntries {
            member: member.get(),
            kinds: keys.iter().map(|(kind, _)| kind.as_str().to_owned()).collect(),
            keys: keys.iter().map(|(_, key)| key.clone()).collect(),
        };
        self.run(|conn| drop.execute(conn)).map(|_| ())
    }

    fn drop_all_kept(&mut self, member: UserId) -> Result<(), StoreError> {
        self.run(|conn| delete(kept::table.filter(kept::user_id.eq(member.get()))).execute(conn)).map(|_| ())
    }
}

fn import_from(row: ImportRow) -> Result<AccountImport, StoreError> {
    let (state, is_retry, requested_at, ended_at, failure, figures) = row;
    let unknown = || StoreError::new(format!("no state of an import: {state:?}"));
    Ok(AccountImport {
        state: ImportState::from_name(&state).ok_or_else(unknown)?,
        is_retry,
        requested_at: from_db(requested_at),
        ended_at: ended_at.map(from_db),
        failure,
        figures: figures.as_array().into_iter().flatten().filter_map(figure_from).collect(),
    })
}

fn figure_json(figure: &ImportFigure) -> Value {
    json!({
        "kind": figure.kind.as_str(),
        "imported": figure.imported,
        "kept": figure.kept,
        "unreadable": figure.unreadable,
    })
}

/// `None`: a kind of a later release.
fn figure_from(json: &Value) -> Option<ImportFigure> {
    let number = |name: &str| json[name].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
    Some(ImportFigure {
        kind: ImportKind::from_name(json["kind"].as_str()?)?,
        imported: number("imported"),
        kept: number("kept"),
        unreadable: number("unreadable"),
    })
}

fn kind_from(name: &str) -> Result<ImportKind, StoreError> {
    ImportKind::from_name(name).ok_or_else(|| StoreError::new(format!("no kind of a kept entry: {name:?}")))
}

fn kept_from((kind, key, subid, title, author, entry): KeptRow) -> Result<KeptEntry, StoreError> {
    Ok(KeptEntry { kind: kind_from(&kind)?, key, book: NamedBook { subid, title, author }, entry })
}
