//! The read model of a book's page for a member, the most frequent read of the product.

use billing::Entitlement;
use catalogue::{Book, BookRef};
use chrono::{DateTime, Utc};
use diesel::{
    OptionalExtension, RunQueryDsl,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz},
};
use identity::User;
use kernel::{CategoryId, StoreError, Timestamp, UserId};
use reading_progress::ReaderState;
use study::BookHighlights;

use crate::{
    Pg,
    billing::entitlement_from,
    built_statement::{BuiltStatement, Value},
    catalogue::rows::{self, BookRow, BookTypes, CardRow, CardTypes, book_columns, card_columns},
    identity::{UserRow, UserTypes, user_columns},
    reading_progress::{StateRow, StateTypes, reader_state_from, state_columns, state_joins},
    study::book_highlights,
    time::to_db,
};

/// A member, a book, and the member's state for it.
#[derive(Debug)]
pub struct MemberBook {
    pub user: User,
    /// Entitlements that have not ended, as `BillingQueries::entitlements_of` returns them.
    pub entitlements: Vec<Entitlement>,
    /// The categories that the member chose, ordered by id.
    pub recommends: Vec<CategoryId>,
    /// The book, and the member's state for it; `None` if there is no such published book.
    pub book: Option<(Book, ReaderState)>,
    /// The member's highlights in the book.
    pub highlights: Option<BookHighlights>,
}

/// Entitlements in columns: plan ids, plan names, starts and ends.
type EntitlementTypes = (Array<Text>, Array<Text>, Array<Timestamptz>, Array<Nullable<Timestamptz>>);
type EntitlementColumns = (Vec<String>, Vec<String>, Vec<DateTime<Utc>>, Vec<Option<DateTime<Utc>>>);

/// The number of highlights in the book, and their latest version.
type HighlightTypes = Nullable<(Integer, BigInt)>;

type MemberBookTypes =
    (UserTypes, EntitlementTypes, Array<BigInt>, StateTypes, HighlightTypes, Nullable<(CardTypes, BookTypes)>);
type MemberBookRow = (UserRow, EntitlementColumns, Vec<i64>, StateRow, Option<(i32, i64)>, Option<(CardRow, BookRow)>);

impl<A> Pg<'_, A> {
    /// Reads a member and a published book in one statement, so that they are consistent. `None` if there is no such member.
    pub fn member_book(
        &mut self,
        member: UserId,
        book: &BookRef,
        now: Timestamp,
    ) -> Result<Option<MemberBook>, StoreError> {
        let mut select: BuiltStatement<MemberBookTypes> = BuiltStatement::new(concat!(
            "SELECT ",
            user_columns!(),
            ", e.plan_ids, e.plan_names, e.starts, e.ends,
            ARRAY(SELECT category_id FROM recommends WHERE user_id = u.id ORDER BY category_id), ",
            state_columns!(),
            ", m.highlights, m.version, ",
            card_columns!(),
            ", ",
            book_columns!(),
            " FROM users u CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(plan_id ORDER BY id), '{}') AS plan_ids,
                    coalesce(array_agg(plan_name ORDER BY id), '{}') AS plan_names,
                    coalesce(array_agg(starts_at ORDER BY id), '{}') AS starts,
                    coalesce(array_agg(ends_at ORDER BY id), '{}') AS ends
                FROM entitlements WHERE user_id = u.id AND (ends_at IS NULL OR ends_at > ",
        ));
        select.value(Value::Time(to_db(now)));
        select.sql(
            ")) e LEFT JOIN (books b JOIN book_stats s ON s.book_id = b.id JOIN authors a ON a.id = b.author_id) \
             ON b.published AND ",
        );
        match book {
            BookRef::Id(id) => select.sql("b.id = ").value(Value::Int(id.get())),
            BookRef::Subid(subid) => select.sql("b.subid = ").value(Value::Text(subid.to_string())),
        };
        let highlights = " LEFT JOIN highlighted_books m ON m.user_id = u.id AND m.book_id = b.id";
        select.sql(state_joins!("b.id")).sql(highlights).sql(" WHERE u.id = ").value(Value::Int(member.get()));
        let row: Option<MemberBookRow> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(member_book_from).transpose()
    }
}

fn member_book_from(
    (user, entitlements, recommends, state, highlights, book): MemberBookRow,
) -> Result<MemberBook, StoreError> {
    let (plan_ids, plan_names, starts, ends) = entitlements;
    let entitlements = plan_ids.into_iter().zip(plan_names).zip(starts).zip(ends);
    let book = book.map(|(card, rest)| Ok::<_, StoreError>((rows::book(card, rest)?, reader_state_from(state)?)));
    Ok(MemberBook {
        user: user.into_user()?,
        entitlements: entitlements.map(|(((id, name), start), end)| entitlement_from((id, name, start, end))).collect(),
        recommends: recommends.into_iter().map(CategoryId::from_store).collect(),
        book: book.transpose()?,
        highlights: highlights.map(book_highlights),
    })
}
