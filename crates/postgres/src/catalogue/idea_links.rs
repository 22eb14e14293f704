//! Links between key ideas of two books, in Postgres.

use catalogue::{
    BookName, BookRef, IdeaLink, IdeaLinkCommands, IdeaLinkDraft, IdeaLinkFilter, IdeaLinkQueries, IdeaLinksQuery,
    IdeaRef, IdeaText, LinkedIdea,
};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete, insert_into,
    sql_types::{Array, BigInt, Integer, Nullable, Text},
    update,
};
use kernel::{BookId, CategoryId, IdeaLinkId, ListTotal, StoreError};

use super::{
    ints, number_of,
    rows::{count, slug},
};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value, containing, count_rows},
    schema::{book_sections, idea_links},
    statement::statement,
};

type EndTypes = (BigInt, Text, Text, Text, Text, Nullable<Integer>);
type EndRow = (i64, String, String, String, String, Option<i32>);
type LinkTypes = ((BigInt, Text, Text, Text), EndTypes, EndTypes);
type LinkRow = ((i64, String, String, String), EndRow, EndRow);

macro_rules! from_links {
    () => {
        "FROM idea_links l \
         JOIN books f ON f.id = l.from_book JOIN authors fa ON fa.id = f.author_id \
         JOIN books t ON t.id = l.to_book JOIN authors ta ON ta.id = t.author_id WHERE true"
    };
}

const SELECT_LINKS: &str = concat!(
    "SELECT l.id, l.kind, l.note, l.state, \
     f.id, f.subid, f.title, fa.name, l.from_idea, array_position(f.section_titles, l.from_idea) - 1, \
     t.id, t.subid, t.title, ta.name, l.to_idea, array_position(t.section_titles, l.to_idea) - 1 ",
    from_links!()
);
/// The condition of links that are shown.
const SHOWN: &str = " AND l.state = 'published' AND f.published AND NOT f.coming_soon AND t.published AND NOT t.coming_soon \
     AND l.from_idea = ANY(f.section_titles) AND l.to_idea = ANY(t.section_titles)";

fn end((id, subid, title, author, idea, section): EndRow) -> Result<LinkedIdea, StoreError> {
    let book = BookName { id: BookId::from_store(id), subid: slug(&subid)?, title, author };
    Ok(LinkedIdea { book, idea, section: section.and_then(|section| usize::try_from(section).ok()) })
}

fn link(((id, kind, note, state), from, to): LinkRow) -> Result<IdeaLink, StoreError> {
    Ok(IdeaLink {
        id: IdeaLinkId::from_store(id),
        from: end(from)?,
        to: end(to)?,
        kind: kind.parse().map_err(StoreError::new)?,
        note,
        state: state.parse().map_err(StoreError::new)?,
    })
}

fn links<A>(pg: &mut Pg<'_, A>, select: BuiltStatement<LinkTypes>) -> Result<Vec<IdeaLink>, StoreError> {
    let rows: Vec<LinkRow> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(link).collect()
}

/// Adds a filter's conditions.
fn restrict<Row>(select: &mut BuiltStatement<Row>, filter: &IdeaLinkFilter) {
    if let Some(text) = &filter.text {
        let columns = [" AND (lower(l.from_idea", " OR lower(l.to_idea", " OR lower(l.note"];
        for column in columns.into_iter().chain([" OR lower(f.title", " OR lower(t.title"]) {
            select.sql(column).sql(") LIKE lower(").value(containing(text)).sql(")");
        }
        if let Ok(id) = text.parse::<IdeaLinkId>() {
            select.sql(" OR l.id = ").value(Value::Int(id.get()));
        }
        select.sql(")");
    }
    if let Some(state) = filter.state {
        select.sql(" AND l.state = ").value(Value::Text(state.as_str().to_owned()));
    }
    if let Some(kind) = filter.kind {
        select.sql(" AND l.kind = ").value(Value::Text(kind.as_str().to_owned()));
    }
    match &filter.book {
        Some(BookRef::Id(id)) => {
            select.sql(" AND ").value(Value::Int(id.get())).sql(" IN (l.from_book, l.to_book)");
        }
        Some(BookRef::Subid(subid)) => {
            select.sql(" AND ").value(Value::Text(subid.to_string())).sql(" IN (f.subid, t.subid)");
        }
        None => {}
    }
    if filter.lost {
        select.sql(
            " AND NOT (l.from_idea = ANY(f.section_titles) AND l.to_idea = ANY(t.section_titles)) \
             AND l.state <> 'dismissed'",
        );
    }
}

statement! {
    CountByCategory {} -> (BigInt, BigInt) = [
        "SELECT c.category_id, count(DISTINCT l.id) FROM idea_links l
            JOIN books f ON f.id = l.from_book JOIN books t ON t.id = l.to_book
            JOIN book_categories c ON c.book_id IN (l.from_book, l.to_book)
        WHERE true" {SHOWN} " GROUP BY c.category_id"
    ]
}

statement! {
    SelectLeastLinked { limit: i64 } -> BigInt = [
        "SELECT b.id FROM books b WHERE b.published AND NOT b.coming_soon
        ORDER BY (SELECT count(*) FROM idea_links l WHERE b.id IN (l.from_book, l.to_book) AND l.state <> 'dismissed'), b.id DESC
        LIMIT " (limit: BigInt)
    ]
}

statement! {
    SelectRelated { books: Vec<i64>, limit: i64 } -> BigInt = [
        "SELECT b.id FROM books b
        LEFT JOIN LATERAL (
            SELECT count(*) AS common FROM (
                SELECT FROM book_categories o JOIN book_categories m USING (category_id)
                    WHERE o.book_id = b.id AND m.book_id = ANY(" (books: Array<BigInt>) ")
                UNION ALL SELECT FROM book_goals o JOIN book_goals m USING (goal_id)
                    WHERE o.book_id = b.id AND m.book_id = ANY(" (books: Array<BigInt>) ")
                UNION ALL SELECT FROM book_tags o JOIN book_tags m USING (tag_id)
                    WHERE o.book_id = b.id AND m.book_id = ANY(" (books: Array<BigInt>) ")) s
        ) shared ON true
        WHERE b.published AND NOT b.coming_soon AND b.id <> ALL(" (books: Array<BigInt>) ")
        ORDER BY shared.common DESC, b.id DESC LIMIT " (limit: BigInt)
    ]
}

statement! {
    RenameIdea { book: i64, before: String, after: String } -> () = [
        "UPDATE idea_links l SET
            from_idea = CASE WHEN l.from_book = " (book: BigInt) " AND l.from_idea = " (before: Text) " THEN " (after: Text) " ELSE l.from_idea END,
            to_idea = CASE WHEN l.to_book = " (book: BigInt) " AND l.to_idea = " (before: Text) " THEN " (after: Text) " ELSE l.to_idea END
        WHERE (l.from_book = " (book: BigInt) " AND l.from_idea = " (before: Text) " AND NOT EXISTS (
                SELECT FROM idea_links o WHERE (o.from_book, o.from_idea, o.to_book, o.to_idea) = (l.from_book, " (after: Text) ", l.to_book, l.to_idea)
                    OR (o.to_book, o.to_idea, o.from_book, o.from_idea) = (l.from_book, " (after: Text) ", l.to_book, l.to_idea)))
            OR (l.to_book = " (book: BigInt) " AND l.to_idea = " (before: Text) " AND NOT EXISTS (
                SELECT FROM idea_links o WHERE (o.to_book, o.to_idea, o.from_book, o.from_idea) = (l.to_book, " (after: Text) ", l.from_book, l.from_idea)
                    OR (o.from_book, o.from_idea, o.to_book, o.to_idea) = (l.to_book, " (after: Text) ", l.from_book, l.from_idea)))"
    ]
}

impl<A> IdeaLinkQueries for Pg<'_, A> {
    fn links_of_book(&mut self, book: BookId) -> Result<Vec<IdeaLink>, StoreError> {
        let mut select: BuiltStatement<LinkTypes> = BuiltStatement::new(SELECT_LINKS);
        select.sql(SHOWN).sql(" AND ").value(Value::Int(book.get())).sql(" IN (l.from_book, l.to_book)");
        select.sql(" ORDER BY CASE WHEN l.from_book = ").value(Value::Int(book.get()));
        select.sql(" THEN array_position(f.section_titles, l.from_idea) ELSE array_position(t.section_titles, l.to_idea) END, l.id");
        links(self, select)
    }

    fn links_of_category(&mut self, category: CategoryId, limit: usize) -> Result<Vec<IdeaLink>, StoreError> {
        let mut select: BuiltStatement<LinkTypes> = BuiltStatement::new(SELECT_LINKS);
        select.sql(SHOWN).sql(" AND EXISTS (SELECT FROM book_categories c WHERE c.book_id IN (l.from_book, l.to_book)");
        select.sql(" AND c.category_id = ").value(Value::Int(category.get())).sql(") ORDER BY l.id DESC");
        select.limit(number_of(limit));
        links(self, select)
    }

    fn count_links_by_category(&mut self) -> Result<Vec<(CategoryId, u64)>, StoreError> {
        let rows: Vec<(i64, i64)> = self.run(|conn| CountByCategory {}.load(conn))?;
        Ok(rows.into_iter().map(|(category, links)| (CategoryId::from_store(category), count(links))).collect())
    }

    fn idea_link(&mut self, id: IdeaLinkId) -> Result<Option<IdeaLink>, StoreError> {
        let mut select: BuiltStatement<LinkTypes> = BuiltStatement::new(SELECT_LINKS);
        select.sql(" AND l.id = ").value(Value::Int(id.get()));
        let row: Option<LinkRow> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(link).transpose()
    }

    fn listed_idea_links(&mut self, query: &IdeaLinksQuery) -> Result<Vec<IdeaLink>, StoreError> {
        let mut select: BuiltStatement<LinkTypes> = BuiltStatement::new(SELECT_LINKS);
        restrict(&mut select, &query.filter);
        if let Some(after) = query.after {
            select.sql(" AND l.id < ").value(Value::Int(after.get()));
        }
        select.sql(" ORDER BY l.id DESC").limit(query.limit.with_surplus());
        links(self, select)
    }

    fn count_listed_idea_links(&mut self, filter: &IdeaLinkFilter) -> Result<ListTotal, StoreError> {
        count_rows(self, from_links!(), |select| restrict(select, filter))
    }

    fn find_idea_link(&mut self, one: &IdeaRef, other: &IdeaRef) -> Result<Option<IdeaLinkId>, StoreError> {
        let between = |from: &IdeaRef, to: &IdeaRef| {
            idea_links::table
                .filter(idea_links::from_book.eq(from.book.get()))
                .filter(idea_links::from_idea.eq(from.idea.clone()))
                .filter(idea_links::to_book.eq(to.book.get()))
                .filter(idea_links::to_idea.eq(to.idea.clone()))
                .select(idea_links::id)
        };
        for (from, to) in [(one, other), (other, one)] {
            let found: Option<i64> = self.run(|conn| between(from, to).first(conn).optional())?;
            if found.is_some() {
                return Ok(found.map(IdeaLinkId::from_store));
            }
        }
        Ok(None)
    }

    fn linked_ideas(&mut self, books: &[BookId]) -> Result<Vec<(IdeaRef, IdeaRef)>, StoreError> {
        let mut select: BuiltStatement<(BigInt, Text, BigInt, Text)> =
            BuiltStatement::new("SELECT from_book, from_idea, to_book, to_idea FROM idea_links WHERE from_book = ANY(");
        select.value(ints(books)).sql(") OR to_book = ANY(").value(ints(books)).sql(")");
        let rows: Vec<(i64, String, i64, String)> = self.run(|conn| select.load(conn))?;
        let idea = |book, idea| IdeaRef { book: BookId::from_store(book), idea };
        Ok(rows.into_iter().map(|(from, from_idea, to, to_idea)| (idea(from, from_idea), idea(to, to_idea))).collect())
    }

    fn least_linked_books(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError> {
        let select = SelectLeastLinked { limit: number_of(limit) };
        let rows: Vec<i64> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(BookId::from_store).collect())
    }

    fn related_books(&mut self, books: &[BookId], limit: usize) -> Result<Vec<BookId>, StoreError> {
        let books = books.iter().map(|book| book.get()).collect();
        let select = SelectRelated { books, limit: number_of(limit) };
        let rows: Vec<i64> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(BookId::from_store).collect())
    }

    fn idea_texts(&mut self, books: &[BookId]) -> Result<Vec<IdeaText>, StoreError> {
        let books: Vec<i64> = books.iter().map(|book| book.get()).collect();
        let rows: Vec<(i64, i32, String, String)> = self.run(|conn| {
            book_sections::table
                .filter(book_sections::book_id.eq_any(books))
                .filter(book_sections::title.ne(""))
                .order((book_sections::book_id, book_sections::place))
                .select((book_sections::book_id, book_sections::place, book_sections::title, book_sections::text))
                .load(conn)
        })?;
        let text = |(book, place, idea, text): (i64, i32, String, String)| IdeaText {
            book: BookId::from_store(book),
            section: usize::try_from(place).unwrap_or(0),
            idea,
            text,
        };
        Ok(rows.into_iter().map(text).collect())
    }
}

/// The columns of a link, except its id.
macro_rules! written {
    ($link:expr) => {
        (
            idea_links::kind.eq($link.kind.as_str()),
            idea_links::from_book.eq($link.from.book.get()),
            idea_links::from_idea.eq(&$link.from.idea),
            idea_links::to_book.eq($link.to.book.get()),
            idea_links::to_idea.eq(&$link.to.idea),
            idea_links::note.eq(&$link.note),
            idea_links::state.eq($link.state.as_str()),
        )
    };
}

impl IdeaLinkCommands for Pg<'_> {
    fn insert_idea_link(&mut self, link: &IdeaLinkDraft) -> Result<IdeaLinkId, StoreError> {
        self.record_change(Change::Catalogue);
        let insert = insert_into(idea_links::table).values(written!(link)).returning(idea_links::id);
        self.run(|conn| insert.get_result(conn)).map(IdeaLinkId::from_store)
    }

    fn update_idea_link(&mut self, id: IdeaLinkId, link: &IdeaLinkDraft) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let update = update(idea_links::table.find(id.get())).set(written!(link));
        self.run(|conn| update.execute(conn).map(|_| ()))
    }

    fn delete_idea_link(&mut self, id: IdeaLinkId) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        self.run(|conn| delete(idea_links::table.find(id.get())).execute(conn).map(|_| ()))
    }

    fn rename_linked_idea(&mut self, book: BookId, before: &str, after: &str) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let rename = RenameIdea { book: book.get(), before: before.to_owned(), after: after.to_owned() };
        self.run(|conn| rename.execute(conn).map(|_| ()))
    }
}
