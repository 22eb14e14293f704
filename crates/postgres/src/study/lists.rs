//! Lists of books, in Postgres.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, JoinOnDsl, OptionalExtension, PgConnection, QueryDsl,
    QueryResult, Queryable, RunQueryDsl, Selectable, SelectableHelper, delete,
    dsl::{count_star, exists, select},
    insert_into,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz},
    update,
    upsert::excluded,
};
use kernel::{BookId, Limit, ListId, ListTotal, Slug, StoreError, TeamListId, Timestamp, UserId};
use study::{
    ListCommands, ListName, ListNote, ListQueries, ListSearch, ListSlug, ListState, ListStore, ListedList, OwnedList,
    Rank, ReadingList, Register, StoredList,
};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value, containing, count_rows},
    schema::{list_books, list_followers, lists, study_members, team_list_agreements, team_lists, users},
    statement::statement,
    time::{from_db, to_db},
};

/// The row of a list.
#[derive(Queryable, Selectable, Insertable, diesel::AsChangeset)]
#[diesel(table_name = lists)]
#[diesel(treat_none_as_null = true)]
struct Row {
    user_id: i64,
    id: i64,
    name: String,
    name_at: DateTime<Utc>,
    note: String,
    note_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    edited_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
    sharing: String,
    slug: Option<String>,
    shared_at: Option<DateTime<Utc>>,
    is_taken_down: bool,
    version: i64,
}

/// The owner, list, book, rank and moment of a book of a list.
type BookColumns = (i64, i64, i64, Option<String>, DateTime<Utc>);

impl Row {
    fn new(member: UserId, stored: &StoredList) -> Self {
        let ReadingList { id, state, sharing, slug, shared_at, is_taken_down, team_list: _ } = &stored.list;
        Self {
            user_id: member.get(),
            id: id.get(),
            name: state.name.value.as_str().to_owned(),
            name_at: to_db(state.name.at),
            note: state.note.value.as_str().to_owned(),
            note_at: to_db(state.note.at),
            created_at: to_db(state.created_at),
            edited_at: to_db(state.edited_at()),
            deleted_at: state.deleted_at.map(to_db),
            sharing: sharing.as_str().to_owned(),
            slug: slug.as_ref().map(|slug| slug.as_str().to_owned()),
            shared_at: shared_at.map(to_db),
            is_taken_down: *is_taken_down,
            version: stored.version.cast_signed(),
        }
    }

    fn into_owned(self, books: Vec<BookColumns>, team_list: Option<TeamListId>) -> Result<OwnedList, StoreError> {
        let mut state = ListState {
            name: Register::new(ListName::from_store(self.name), from_db(self.name_at)),
            note: Register::new(ListNote::from_store(self.note), from_db(self.note_at)),
            deleted_at: self.deleted_at.map(from_db),
            changed_at: from_db(self.edited_at),
            ..ListState::new(from_db(self.created_at))
        };
        for (_, _, book, rank, at) in books {
            state.set_book(BookId::from_store(book), rank.map(Rank::from_store), from_db(at));
        }
        let list = ReadingList {
            id: ListId::from_store(self.id),
            state,
            sharing: self.sharing.parse().map_err(StoreError::new)?,
            slug: self.slug.map(ListSlug::from_text),
            shared_at: self.shared_at.map(from_db),
            is_taken_down: self.is_taken_down,
            team_list,
        };
        let stored = StoredList { list, version: self.version.unsigned_abs() };
        Ok(OwnedList { owner: UserId::from_store(self.user_id), stored })
    }
}

impl<A> Pg<'_, A> {
    /// The lists of these rows, in the same order.
    fn lists_with_books(&mut self, rows: Vec<Row>) -> Result<Vec<OwnedList>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let (owners, ids): (Vec<i64>, Vec<i64>) = rows.iter().map(|row| (row.user_id, row.id)).unzip();
        let select_books = SelectBooks { owners: owners.clone(), ids: ids.clone() };
        let select_given = SelectGiven { owners, ids };
        let (books, given) = self.run(|conn| {
            let books: Vec<BookColumns> = select_books.load(conn)?;
            let given: Vec<(i64, i64, i64)> = select_given.load(conn)?;
            Ok((books, given))
        })?;
        let mut books_of: BTreeMap<(i64, i64), Vec<BookColumns>> = BTreeMap::new();
        for book in books {
            books_of.entry((book.0, book.1)).or_default().push(book);
        }
        let given: BTreeMap<(i64, i64), i64> = given.into_iter().map(|(id, owner, list)| ((owner, list), id)).collect();
        rows.into_iter()
            .map(|row| {
                let key = (row.user_id, row.id);
                let team_list = given.get(&key).copied().map(TeamListId::from_store);
                row.into_owned(books_of.remove(&key).unwrap_or_default(), team_list)
            })
            .collect()
    }

    fn stored_lists(&mut self, rows: Vec<Row>) -> Result<Vec<StoredList>, StoreError> {
        Ok(self.lists_with_books(rows)?.into_iter().map(|owned| owned.stored).collect())
    }

    fn one_list(&mut self, row: Option<Row>) -> Result<Option<OwnedList>, StoreError> {
        Ok(self.lists_with_books(row.into_iter().collect())?.pop())
    }
}

statement! {
    /// Books that are not there are passed over. One that is deleted meanwhile waits for this transaction.
    PutBooks { member: i64, list: i64, books: Vec<i64>, ranks: Vec<Option<String>>, moments: Vec<DateTime<Utc>> } -> () = [
        "INSERT INTO list_books (user_id, list_id, book_id, rank, at)
        SELECT " (member: BigInt) ", " (list: BigInt) ", b.id, r.rank, r.at
        FROM unnest(" (books: Array<BigInt>) ", "
            (ranks: Array<Nullable<Text>>) ", "
            (moments: Array<Timestamptz>) ") AS r (book_id, rank, at)
        JOIN (SELECT id FROM books WHERE id = ANY(" (books: Array<BigInt>) ") ORDER BY id FOR KEY SHARE) b ON b.id = r.book_id
        ON CONFLICT (user_id, list_id, book_id) DO UPDATE SET rank = excluded.rank, at = excluded.at
        WHERE (list_books.rank, list_books.at) IS DISTINCT FROM (excluded.rank, excluded.at)"
    ]
}

statement! {
    SelectBooks { owners: Vec<i64>, ids: Vec<i64> } -> (BigInt, BigInt, BigInt, Nullable<Text>, Timestamptz) = [
        "SELECT b.user_id, b.list_id, b.book_id, b.rank, b.at
        FROM unnest(" (owners: Array<BigInt>) ", " (ids: Array<BigInt>) ") AS k (user_id, list_id)
        JOIN list_books b USING (user_id, list_id)"
    ]
}

statement! {
    SelectGiven { owners: Vec<i64>, ids: Vec<i64> } -> (BigInt, BigInt, BigInt) = [
        "SELECT t.id, t.user_id, t.list_id
        FROM unnest(" (owners: Array<BigInt>) ", " (ids: Array<BigInt>) ") AS k (user_id, list_id)
        JOIN team_lists t USING (user_id, list_id)"
    ]
}

statement! {
    SelectPublic { books: i64, after: String, limit: i64 } -> (Text, Timestamptz) = [
        "SELECT l.slug, l.edited_at FROM lists l JOIN users u ON u.id = l.user_id AND u.suspended_at IS NULL
        WHERE l.sharing = 'public' AND l.is_shown AND l.slug > " (after: Text) " AND (
            SELECT count(*) FROM (
                SELECT FROM list_books i JOIN books b ON b.id = i.book_id
                WHERE i.user_id = l.user_id AND i.list_id = l.id AND i.rank IS NOT NULL AND b.published
                LIMIT " (books: BigInt) ") shown) >= " (books: BigInt) "
        ORDER BY l.slug LIMIT " (limit: BigInt)
    ]
}

statement! {
    SelectSlugs { base: String, numbered: String } -> Text = [
        "SELECT slug FROM lists WHERE slug = " (base: Text) " OR slug LIKE " (numbered: Text)
    ]
}

/// The advisory lock under which slugs of lists are chosen.
const SLUGS_LOCK: i64 = 0x6c69_7374;

/// Lists of accounts that are not suspended.
macro_rules! shared_lists {
    () => {
        lists::table
            .inner_join(users::table.on(users::id.eq(lists::user_id)))
            .filter(users::suspended_at.is_null().and(lists::is_shown))
    };
}

const FROM_LISTED: &str = "FROM lists l WHERE l.is_shown";

/// Adds the condition of what an operator looks for.
fn restrict<Row>(select: &mut BuiltStatement<Row>, search: &ListSearch) {
    if search.text.is_empty() {
        select.sql(" AND (l.sharing = 'public' OR l.is_taken_down)");
        return;
    }
    select.sql(" AND (l.slug = ").value(Value::Text(search.text.clone()));
    select.sql(" OR (l.sharing = 'public' OR l.is_taken_down) AND lower(l.name) LIKE lower(");
    select.value(containing(&search.text)).sql("))");
}

impl<A> ListQueries for Pg<'_, A> {
    fn find_list(&mut self, member: UserId, id: ListId) -> Result<Option<StoredList>, StoreError> {
        let row = self
            .run(|conn| lists::table.find((member.get(), id.get())).select(Row::as_select()).first(conn).optional())?;
        Ok(self.one_list(row)?.map(|owned| owned.stored))
    }

    fn lists_after(&mut self, member: UserId, version: u64, limit: Limit) -> Result<Vec<StoredList>, StoreError> {
        let rows = self.run(|conn| {
            lists::table
                .filter(lists::user_id.eq(member.get()).and(lists::version.gt(version.cast_signed())))
                .order(lists::version)
                .limit(limit.with_surplus())
                .select(Row::as_select())
                .load(conn)
        })?;
        self.stored_lists(rows)
    }

    fn count_lists(&mut self, member: UserId) -> Result<usize, StoreError> {
        let own = lists::table.filter(lists::user_id.eq(member.get()).and(lists::is_shown));
        let count: i64 = self.run(|conn| own.select(count_star()).first(conn))?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn books_on_lists(&mut self, member: UserId) -> Result<Vec<BookId>, StoreError> {
        let own = list_books::table.filter(list_books::user_id.eq(member.get()).and(list_books::rank.is_not_null()));
        let books: Vec<i64> = self.run(|conn| own.select(list_books::book_id).distinct().load(conn))?;
        Ok(books.into_iter().map(BookId::from_store).collect())
    }

    fn shared_list(&mut self, slug: &ListSlug) -> Result<Option<OwnedList>, StoreError> {
        let there = shared_lists!().filter(lists::slug.eq(slug.as_str()));
        let row = self.run(|conn| there.select(Row::as_select()).first(conn).optional())?;
        self.one_list(row)
    }

    fn followed_lists(&mut self, member: UserId) -> Result<Vec<OwnedList>, StoreError> {
        let is_followed = list_followers::owner_id.eq(lists::user_id).and(list_followers::list_id.eq(lists::id));
        let rows = self.run(|conn| {
            shared_lists!()
                .inner_join(list_followers::table.on(is_followed))
                .filter(list_followers::user_id.eq(member.get()).and(lists::slug.is_not_null()))
                .order((list_followers::at, lists::user_id, lists::id))
                .select(Row::as_select())
                .load(conn)
        })?;
        self.lists_with_books(rows)
    }

    fn is_following(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<bool, StoreError> {
        let key = (member.get(), owner.get(), id.get());
        self.run(|conn| select(exists(list_followers::table.find(key))).get_result(conn))
    }

    fn count_followed(&mut self, member: UserId) -> Result<usize, StoreError> {
        let followed = list_followers::table.filter(list_followers::user_id.eq(member.get()));
        let count: i64 = self.run(|conn| followed.select(count_star()).first(conn))?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn list_followers(&mut self, member: UserId) -> Result<Vec<(ListId, u32)>, StoreError> {
        let counts: Vec<(i64, i64)> = self.run(|conn| {
            list_followers::table
                .filter(list_followers::owner_id.eq(member.get()))
                .group_by(list_followers::list_id)
                .order(list_followers::list_id)
                .select((list_followers::list_id, count_star()))
                .load(conn)
        })?;
        let count = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(counts.into_iter().map(|(id, members)| (ListId::from_store(id), count(members))).collect())
    }

    fn team_list(&mut self, id: TeamListId) -> Result<Option<OwnedList>, StoreError> {
        let is_given = team_lists::user_id.eq(lists::user_id).and(team_lists::list_id.eq(lists::id));
        let row = self.run(|conn| {
            shared_lists!()
                .inner_join(team_lists::table.on(is_given))
                .filter(team_lists::id.eq(id.get()))
                .select(Row::as_select())
                .first(conn)
                .optional()
        })?;
        self.one_list(row)
    }

    fn team_lists_of(&mut self, owners: &[UserId]) -> Result<Vec<OwnedList>, StoreError> {
        let owners: Vec<i64> = owners.iter().map(|owner| owner.get()).collect();
        let is_given = team_lists::user_id.eq(lists::user_id).and(team_lists::list_id.eq(lists::id));
        let rows = self.run(|conn| {
            shared_lists!()
                .inner_join(team_lists::table.on(is_given))
                .filter(team_lists::user_id.eq_any(owners))
                .order(team_lists::id)
                .select(Row::as_select())
                .load(conn)
        })?;
        self.lists_with_books(rows)
    }

    fn agreed_members(&mut self, id: TeamListId) -> Result<Vec<(UserId, Timestamp)>, StoreError> {
        let agreed = team_list_agreements::table.filter(team_list_agreements::team_list_id.eq(id.get()));
        let columns = (team_list_agreements::user_id, team_list_agreements::at);
        let rows: Vec<(i64, DateTime<Utc>)> = self.run(|conn| agreed.select(columns).load(conn))?;
        Ok(rows.into_iter().map(|(member, at)| (UserId::from_store(member), from_db(at))).collect())
    }

    fn agreements_of(&mut self, member: UserId) -> Result<Vec<(TeamListId, Timestamp)>, StoreError> {
        let own = team_list_agreements::table.filter(team_list_agreements::user_id.eq(member.get()));
        let own = own.order(team_list_agreements::team_list_id);
        let columns = (team_list_agreements::team_list_id, team_list_agreements::at);
        let rows: Vec<(i64, DateTime<Utc>)> = self.run(|conn| own.select(columns).load(conn))?;
        Ok(rows.into_iter().map(|(id, at)| (TeamListId::from_store(id), from_db(at))).collect())
    }

    fn public_lists(
        &mut self,
        books: usize,
        after: Option<&ListSlug>,
        limit: Limit,
    ) -> Result<Vec<(ListSlug, Timestamp)>, StoreError> {
        let select = SelectPublic {
            books: i64::try_from(books).unwrap_or(i64::MAX),
            after: after.map(|after| after.as_str().to_owned()).unwrap_or_default(),
            limit: limit.with_surplus().saturating_sub(1),
        };
        let rows: Vec<(String, DateTime<Utc>)> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|(slug, at)| (ListSlug::from_text(slug), from_db(at))).collect())
    }

    fn search_lists(&mut self, search: &ListSearch, limit: Limit) -> Result<Vec<ListedList>, StoreError> {
        let mut keys: BuiltStatement<(BigInt, BigInt, BigInt)> = BuiltStatement::new(
            "SELECT l.user_id, l.id, \
             (SELECT count(*) FROM list_followers f WHERE f.owner_id = l.user_id AND f.list_id = l.id) ",
        );
        keys.sql(FROM_LISTED);
        restrict(&mut keys, search);
        if let Some(after) = search.after {
            keys.sql(" AND (l.shared_at, l.user_id, l.id) < (").value(Value::Time(to_db(after.at))).sql(", ");
            keys.value(Value::Int(after.id.owner.get())).sql(", ").value(Value::Int(after.id.id.get())).sql(")");
        }
        keys.sql(" ORDER BY l.shared_at DESC, l.user_id DESC, l.id DESC").limit(limit.with_surplus());
        let found: Vec<(i64, i64, i64)> = self.run(|conn| keys.load(conn))?;
        let (owners, ids): (Vec<i64>, Vec<i64>) = found.iter().map(|(owner, id, _)| (*owner, *id)).unzip();
        let rows: Vec<Row> = self.run(|conn| {
            let of_owners = lists::table.filter(lists::user_id.eq_any(owners).and(lists::id.eq_any(ids)));
            of_owners.select(Row::as_select()).load(conn)
        })?;
        // Several owners may have lists with the same id.
        let mut row_of: BTreeMap<(i64, i64), Row> = rows.into_iter().map(|row| ((row.user_id, row.id), row)).collect();
        let (rows, followers): (Vec<Row>, Vec<i64>) =
            found.iter().filter_map(|(owner, id, members)| Some((row_of.remove(&(*owner, *id))?, *members))).unzip();
        let listed = self.lists_with_books(rows)?.into_iter().zip(followers);
        let count = |members: i64| u32::try_from(members).unwrap_or(u32::MAX);
        Ok(listed.map(|(owned, members)| ListedList { owned, followers: count(members) }).collect())
    }

    fn count_listed(&mut self, search: &ListSearch) -> Result<ListTotal, StoreError> {
        count_rows(self, FROM_LISTED, |select| restrict(select, search))
    }
}

/// Deletes the books of a list that are no longer remembered ([`ListState::pruned`]).
fn delete_pruned(conn: &mut PgConnection, member: UserId, list: &ReadingList) -> QueryResult<()> {
    let kept: Vec<i64> = list.state.books.keys().map(|book| book.get()).collect();
    let of_list = list_books::user_id.eq(member.get()).and(list_books::list_id.eq(list.id.get()));
    let forgotten = of_list.and(list_books::rank.is_null()).and(list_books::book_id.ne_all(kept));
    delete(list_books::table.filter(forgotten)).execute(conn).map(|_| ())
}

/// Stores all books of a list that are there.
fn put_books(conn: &mut PgConnection, member: UserId, list: &ReadingList) -> QueryResult<()> {
    let books = &list.state.books;
    if books.is_empty() {
        return Ok(());
    }
    let put = PutBooks {
        member: member.get(),
        list: list.id.get(),
        books: books.keys().map(|book| book.get()).collect(),
        ranks: books.values().map(|rank| rank.value.as_ref().map(|rank| rank.as_str().to_owned())).collect(),
        moments: books.values().map(|rank| to_db(rank.at)).collect(),
    };
    put.execute(conn).map(|_| ())
}

impl ListCommands for Pg<'_> {
    fn lock_slugs(&mut self, base: &Slug) -> Result<BTreeSet<ListSlug>, StoreError> {
        let numbered = format!("{base}-%");
        self.lock(SLUGS_LOCK)?;
        let slugs: Vec<String> = self.run(|conn| SelectSlugs { base: base.to_string(), numbered }.load(conn))?;
        Ok(slugs.into_iter().map(ListSlug::from_text).collect())
    }

    fn follow_list(&mut self, member: UserId, owner: UserId, id: ListId, at: Timestamp) -> Result<(), StoreError> {
        let row = (
            list_followers::user_id.eq(member.get()),
            list_followers::owner_id.eq(owner.get()),
            list_followers::list_id.eq(id.get()),
            list_followers::at.eq(to_db(at)),
        );
        self.run(|conn| {
            insert_into(list_followers::table).values(row).on_conflict_do_nothing().execute(conn).map(|_| ())
        })
    }

    fn unfollow_list(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<(), StoreError> {
        let key = (member.get(), owner.get(), id.get());
        self.run(|conn| delete(list_followers::table.find(key)).execute(conn).map(|_| ()))
    }

    fn put_agreement(
        &mut self,
        id: TeamListId,
        member: UserId,
        agreed_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        self.run(|conn| {
            // The owner may take the list from the team meanwhile.
            let there: Option<i64> =
                team_lists::table.find(id.get()).select(team_lists::id).for_key_share().first(conn).optional()?;
            if there.is_none() {
                return Ok(false);
            }
            match agreed_at {
                Some(at) => insert_into(team_list_agreements::table)
                    .values((
                        team_list_agreements::team_list_id.eq(id.get()),
                        team_list_agreements::user_id.eq(member.get()),
                        team_list_agreements::at.eq(to_db(at)),
                    ))
                    .on_conflict((team_list_agreements::team_list_id, team_list_agreements::user_id))
                    .do_update()
                    .set(team_list_agreements::at.eq(to_db(at)))
                    .execute(conn)?,
                None => delete(team_list_agreements::table.find((id.get(), member.get()))).execute(conn)?,
            };
            Ok(true)
        })
    }
}

impl ListStore for Pg<'_> {
    fn put_list(&mut self, member: UserId, list: &StoredList) -> Result<(), StoreError> {
        let row = Row::new(member, list);
        self.run(|conn| {
            update(study_members::table.find(member.get()))
                .set(study_members::version.eq(row.version))
                .execute(conn)?;
            insert_into(lists::table)
                .values(&row)
                .on_conflict((lists::user_id, lists::id))
                .do_update()
                .set(&row)
                .execute(conn)?;
            put_books(conn, member, &list.list)?;
            delete_pruned(conn, member, &list.list)
        })
    }

    fn insert_team_list(&mut self, member: UserId, id: ListId) -> Result<TeamListId, StoreError> {
        let row = (team_lists::user_id.eq(member.get()), team_lists::list_id.eq(id.get()));
        let given: i64 = self.run(|conn| {
            insert_into(team_lists::table)
                .values(row)
                .on_conflict((team_lists::user_id, team_lists::list_id))
                .do_update()
                .set(team_lists::list_id.eq(excluded(team_lists::list_id)))
                .returning(team_lists::id)
                .get_result(conn)
        })?;
        Ok(TeamListId::from_store(given))
    }

    fn delete_team_list(&mut self, id: TeamListId) -> Result<(), StoreError> {
        self.run(|conn| delete(team_lists::table.find(id.get())).execute(conn).map(|_| ()))
    }

    fn remove_followers(&mut self, owner: UserId, id: ListId) -> Result<(), StoreError> {
        let of_list = list_followers::owner_id.eq(owner.get()).and(list_followers::list_id.eq(id.get()));
        self.run(|conn| delete(list_followers::table.filter(of_list)).execute(conn).map(|_| ()))
    }
}
