//! Links between key ideas of two books, in Postgres.

use catalogue::{
    BookName, BookRef, IdeaLink, IdeaLinkCommands, IdeaLinkDraft, IdeaLinkFilter, IdeaLinkQueries, IdeaLinksQuery,
    IdeaRef, IdeaText, LINKS_OF_IDEA, LinkState, LinkedIdea,
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
        "WITH shown AS MATERIALIZED (
            SELECT l.id, l.from_book, l.to_book FROM idea_links l
            JOIN books f ON f.id = l.from_book JOIN books t ON t.id = l.to_book WHERE true" {SHOWN} ")
        SELECT category_id, count(*) FROM (
            SELECT c.category_id, s.id FROM shown s JOIN book_categories c ON c.book_id = s.from_book
            UNION SELECT c.category_id, s.id FROM shown s JOIN book_categories c ON c.book_id = s.to_book) of_category
        GROUP BY category_id"
    ]
}

statement! {
    SelectLeastLinked { limit: i64 } -> BigInt = [
        "SELECT b.id FROM books b LEFT JOIN (
            SELECT book_id, count(*) AS links FROM (
                SELECT from_book AS book_id FROM idea_links UNION ALL SELECT to_book FROM idea_links) ends
            GROUP BY book_id) linked ON linked.book_id = b.id
        WHERE b.published AND NOT b.coming_soon AND cardinality(array_remove(b.section_titles, '')) > 0
        ORDER BY coalesce(linked.links, 0), b.id DESC LIMIT " (limit: BigInt)
    ]
}

statement! {
    SelectRelated { books: Vec<i64>, limit: i64 } -> BigInt = [
        "SELECT b.id FROM books b LEFT JOIN (
            SELECT book_id, count(*) AS common FROM (
                SELECT o.book_id FROM book_categories m JOIN book_categories o USING (category_id)
                    WHERE m.book_id = ANY(" (books: Array<BigInt>) ")
                UNION ALL SELECT o.book_id FROM book_goals m JOIN book_goals o USING (goal_id)
                    WHERE m.book_id = ANY(" (books: Array<BigInt>) ")
                UNION ALL SELECT o.book_id FROM book_tags m JOIN book_tags o USING (tag_id)
                    WHERE m.book_id = ANY(" (books: Array<BigInt>) ")) ties
            GROUP BY book_id) shared ON shared.book_id = b.id
        WHERE b.published AND NOT b.coming_soon AND b.id <> ALL(" (books: Array<BigInt>) ")
        ORDER BY coalesce(shared.common, 0) DESC, b.id DESC LIMIT " (limit: BigInt)
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
        select
            .sql(SHOWN)
            .sql(" AND l.id IN (SELECT id FROM (SELECT i.id, row_number() OVER (PARTITION BY CASE WHEN i.from_book = ");
        select.value(Value::Int(book.get())).sql(" THEN i.from_idea ELSE i.to_idea END ORDER BY i.id DESC) AS turn");
        select.sql(" FROM idea_links i WHERE i.state = 'published' AND (i.from_book = ").value(Value::Int(book.get()));
        select.sql(" OR i.to_book = ").value(Value::Int(book.get())).sql(")) of_idea WHERE turn <= ");
        select.value(Value::Int(number_of(LINKS_OF_IDEA))).sql(")");
        select.sql(" ORDER BY CASE WHEN l.from_book = ").value(Value::Int(book.get()));
        select.sql(" THEN array_position(f.section_titles, l.from_idea) ELSE array_position(t.section_titles, l.to_idea) END, l.id");
        links(self, select)
    }

    fn links_of_category(&mut self, category: CategoryId, limit: usize) -> Result<Vec<IdeaLink>, StoreError> {
        let mut select: BuiltStatement<LinkTypes> = BuiltStatement::new(SELECT_LINKS);
        // By their ids first: joined with books and authors, all links would be read.
        select
            .sql(SHOWN)
            .sql(" AND l.id IN (SELECT i.id FROM book_categories c JOIN idea_links i ON i.from_book = c.book_id");
        select.sql(" WHERE c.category_id = ").value(Value::Int(category.get()));
        select.sql(" UNION SELECT i.id FROM book_categories c JOIN idea_links i ON i.to_book = c.book_id");
        select.sql(" WHERE c.category_id = ").value(Value::Int(category.get())).sql(") ORDER BY l.id DESC");
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

impl Pg<'_> {
    fn is_published_link(&mut self, id: IdeaLinkId) -> Result<bool, StoreError> {
        let state = idea_links::table.find(id.get()).select(idea_links::state);
        let found: Option<String> = self.run(|conn| state.first(conn).optional())?;
        Ok(found.as_deref() == Some(LinkState::Published.as_str()))
    }

    /// Announces a change that readers see. One that only editors see leaves all cached responses as they are.
    fn record_shown(&mut self, is_shown: bool) {
        if is_shown {
            self.record_change(Change::Catalogue);
        }
    }
}

impl IdeaLinkCommands for Pg<'_> {
    fn insert_idea_link(&mut self, link: &IdeaLinkDraft) -> Result<IdeaLinkId, StoreError> {
        self.record_shown(link.state == LinkState::Published);
        let insert = insert_into(idea_links::table).values(written!(link)).returning(idea_links::id);
        self.run(|conn| insert.get_result(conn)).map(IdeaLinkId::from_store)
    }

    fn update_idea_link(&mut self, id: IdeaLinkId, link: &IdeaLinkDraft) -> Result<(), StoreError> {
        let was_published = self.is_published_link(id)?;
        self.record_shown(was_published || link.state == LinkState::Published);
        let update = update(idea_links::table.find(id.get())).set(written!(link));
        self.run(|conn| update.execute(conn).map(|_| ()))
    }

    fn delete_idea_link(&mut self, id: IdeaLinkId) -> Result<(), StoreError> {
        let was_published = self.is_published_link(id)?;
        self.record_shown(was_published);
        self.run(|conn| delete(idea_links::table.find(id.get())).execute(conn).map(|_| ()))
    }

    fn rename_linked_idea(&mut self, book: BookId, before: &str, after: &str) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        let rename = RenameIdea { book: book.get(), before: before.to_owned(), after: after.to_owned() };
        self.run(|conn| rename.execute(conn).map(|_| ()))
    }
}
