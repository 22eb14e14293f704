//! Saves a book with all its index rows.

use std::collections::{BTreeSet, HashMap};

use catalogue::{BookRecord, stem, words_of};
use chrono::{DateTime, Utc};
use diesel::{
    OptionalExtension, RunQueryDsl,
    sql_types::{Array, BigInt, Bool, Integer, Jsonb, Nullable, Text, Timestamptz},
};
use kernel::{BookId, DAY, StoreError, sort_key};

use super::rows::{ShownCategory, ShownGoal, ShownName, ShownNames};
use crate::{
    Change, Pg,
    built_statement::{BuiltStatement, Value},
    statement::statement,
    time::to_db,
};

statement! {
    SelectForSaving { subid: String } -> (BigInt, Bool) = [
        "SELECT id, published AND NOT coming_soon FROM books WHERE subid = " (subid: Text) " FOR UPDATE"
    ]
}

statement! {
    /// Inserts or replaces the book's row.
    UpsertBook {
        subid: String, title: String, title_key: String, author_id: i64, description: String, body: String,
        truncated_body: String, section_titles: Vec<String>, shown: String, quotes: serde_json::Value,
        image: Option<String>, media: Option<String>, video: Option<String>, year: Option<i32>, words: i32,
        free: bool, is_popular: bool, coming_soon: bool, published: bool,
        upload_date: DateTime<Utc>, updated_at: DateTime<Utc>,
        title_words: String, author_words: String, idea_words: String, text_words: String,
    } -> BigInt = [
        "INSERT INTO books (subid, title, title_key, author_id, description, body, truncated_body, section_titles, shown,
            quotes, image, media, video, year, words, free, is_popular, coming_soon, published, upload_date, updated_at,
            search, text_search)
        VALUES (" (subid: Text) ", " (title: Text) ", " (title_key: Text) ", " (author_id: BigInt) ", " (description: Text)
        ", " (body: Text) ", " (truncated_body: Text) ", " (section_titles: Array<Text>) ", " (shown: Text)
        ", " (quotes: Jsonb) ", " (image: Nullable<Text>) ", " (media: Nullable<Text>) ", " (video: Nullable<Text>)
        ", " (year: Nullable<Integer>) ", " (words: Integer) ", " (free: Bool) ", " (is_popular: Bool)
        ", " (coming_soon: Bool) ", " (published: Bool) ", " (upload_date: Timestamptz) ", " (updated_at: Timestamptz)
        ", setweight(to_tsvector('english', " (title_words: Text) "), 'A')
            || setweight(to_tsvector('english', " (author_words: Text) "), 'B')
            || setweight(to_tsvector('english', " (idea_words: Text) "), 'C'),
            strip(to_tsvector('english', " (text_words: Text) ")))
        ON CONFLICT (subid) DO UPDATE SET title = excluded.title, title_key = excluded.title_key,
            author_id = excluded.author_id, description = excluded.description, body = excluded.body,
            truncated_body = excluded.truncated_body, section_titles = excluded.section_titles, shown = excluded.shown,
            quotes = excluded.quotes, image = excluded.image,
            media = coalesce(excluded.media, books.media), video = coalesce(excluded.video, books.video),
            year = excluded.year, words = excluded.words, free = excluded.free, is_popular = excluded.is_popular,
            coming_soon = excluded.coming_soon, published = excluded.published, upload_date = excluded.upload_date,
            updated_at = excluded.updated_at, search = excluded.search, text_search = excluded.text_search
        RETURNING id"
    ]
}

statement! {
    UpsertStats { book: i64, is_popular: bool, uploaded_day: i32 } -> () = [
        "INSERT INTO book_stats (book_id, is_popular, uploaded_day)
        VALUES (" (book: BigInt) ", " (is_popular: Bool) ", " (uploaded_day: Integer) ")
        ON CONFLICT (book_id) DO UPDATE SET is_popular = excluded.is_popular, uploaded_day = excluded.uploaded_day"
    ]
}

statement! {
    /// Subtracts a readable book from the counts of catalogue, categories and author.
    Uncount { book: i64 } -> () = [
        "WITH book AS (SELECT id, author_id FROM books WHERE id = " (book: BigInt) "),
            total AS (UPDATE catalogue_totals SET books = books - 1, illustrated = illustrated
                - (SELECT count(*) FROM books WHERE id = (SELECT id FROM book) AND visuals > 0)),
            author AS (UPDATE authors SET book_count = book_count - 1 WHERE id = (SELECT author_id FROM book))
        UPDATE categories SET book_count = book_count - 1
        WHERE id IN (SELECT category_id FROM book_categories WHERE book_id = (SELECT id FROM book))"
    ]
}

statement! {
    /// Adds a readable book to the counts of catalogue, categories and author.
    Count { book: i64, categories: Vec<i64>, author: i64 } -> () = [
        "WITH total AS (UPDATE catalogue_totals SET books = books + 1, illustrated = illustrated
                + (SELECT count(*) FROM books WHERE id = " (book: BigInt) " AND visuals > 0)),
            author AS (UPDATE authors SET book_count = book_count + 1 WHERE id = " (author: BigInt) ")
        UPDATE categories SET book_count = book_count + 1 WHERE id = ANY(" (categories: Array<BigInt>) ")"
    ]
}

statement! {
    /// Deletes the book's rows in other tables, which are inserted again.
    ClearBook { book: i64 } -> () = [
        "WITH gone AS (SELECT " (book: BigInt) "::bigint AS id),
            categories AS (DELETE FROM book_categories WHERE book_id = (SELECT id FROM gone)),
            goals AS (DELETE FROM book_goals WHERE book_id = (SELECT id FROM gone)),
            tags AS (DELETE FROM book_tags WHERE book_id = (SELECT id FROM gone))
        DELETE FROM book_sections WHERE book_id = (SELECT id FROM gone)"
    ]
}

statement! {
    /// Inserts new tags.
    InsertTags { slugs: Vec<String>, names: Vec<String> } -> () = [
        "INSERT INTO tags (slug, name)
        SELECT * FROM unnest(" (slugs: Array<Text>) ", " (names: Array<Text>) ")
        ON CONFLICT (slug) DO NOTHING"
    ]
}

statement! {
    /// Links the book to its categories, goals and tags.
    TieBook { book: i64, categories: Vec<i64>, goals: Vec<i64>, tags: Vec<String> } -> () = [
        "WITH book AS (SELECT " (book: BigInt) "::bigint AS id),
            categories AS (
                INSERT INTO book_categories (book_id, category_id, place)
                SELECT book.id, c.id, c.place - 1 FROM book, unnest(" (categories: Array<BigInt>) ") WITH ORDINALITY AS c (id, place)
            ),
            goals AS (
                INSERT INTO book_goals (book_id, goal_id) SELECT book.id, g.id FROM book, unnest(" (goals: Array<BigInt>) ") AS g (id)
            )
        INSERT INTO book_tags (book_id, tag_id, upload_date)
        SELECT b.id, t.id, b.upload_date FROM book JOIN books b USING (id), tags t WHERE t.slug = ANY(" (tags: Array<Text>) ")"
    ]
}

statement! {
    InsertSections {
        book: i64, places: Vec<i32>, titles: Vec<String>, texts: Vec<String>, previewed: Vec<i32>,
        title_words: Vec<String>, text_words: Vec<String>,
    } -> () = [
        "INSERT INTO book_sections (book_id, place, title, text, previewed, search)
        SELECT " (book: BigInt) ", s.place, s.title, s.text, s.previewed,
            setweight(to_tsvector('english', s.title_words), 'A') || to_tsvector('english', s.text_words)
        FROM unnest(" (places: Array<Integer>) ", " (titles: Array<Text>) ", " (texts: Array<Text>) ", "
            (previewed: Array<Integer>) ", " (title_words: Array<Text>) ", " (text_words: Array<Text>) ")
            AS s (place, title, text, previewed, title_words, text_words)"
    ]
}

statement! {
    /// Inserts words, or marks those that are there as words of a name.
    PutWords { words: Vec<String>, stems: Vec<String>, in_name: Vec<bool> } -> () = [
        "INSERT INTO search_words AS there (word, stem, in_name)
        SELECT * FROM unnest(" (words: Array<Text>) ", " (stems: Array<Text>) ", " (in_name: Array<Bool>) ")
        ON CONFLICT (word) DO UPDATE SET in_name = true WHERE excluded.in_name AND NOT there.in_name"
    ]
}

/// Subtracts a readable book from the counts.
pub(super) fn uncount(pg: &mut Pg<'_>, book: i64) -> Result<(), StoreError> {
    pg.run(|conn| Uncount { book }.execute(conn).map(|_| ()))
}

/// Inserts or replaces a book.
pub(super) fn book(pg: &mut Pg<'_>, record: &BookRecord<'_>) -> Result<BookId, StoreError> {
    let there = pg.run(|conn| {
        SelectForSaving { subid: record.draft.subid.to_string() }.get_result::<(i64, bool)>(conn).optional()
    })?;
    if let Some((book, counted)) = there {
        if counted {
            uncount(pg, book)?;
        }
        pg.run(|conn| ClearBook { book }.execute(conn))?;
    }
    let upsert = row(record)?;
    let book: i64 = pg.run(|conn| upsert.get_result(conn))?;
    let uploaded_day = i32::try_from(record.draft.upload_date.millis().div_euclid(DAY)).unwrap_or(0);
    pg.run(|conn| UpsertStats { book, is_popular: record.draft.is_popular, uploaded_day }.execute(conn))?;
    let tags: Vec<String> = record.tags.iter().map(|tag| tag.slug.to_string()).collect();
    if !tags.is_empty() {
        let names = record.tags.iter().map(|tag| tag.name.clone()).collect();
        pg.run(|conn| InsertTags { slugs: tags.clone(), names }.execute(conn))?;
    }
    let categories: Vec<i64> = record.categories.iter().map(|category| category.id.get()).collect();
    let goals = record.goals.iter().map(|goal| goal.id.get()).collect();
    pg.run(|conn| TieBook { book, categories: categories.clone(), goals, tags }.execute(conn))?;
    if record.draft.is_counted() {
        pg.run(|conn| Count { book, categories, author: record.author.id.get() }.execute(conn))?;
    }
    sections(pg, book, record)?;
    learn_words(pg, &record.vocabulary, &record.name_words)?;
    let id = BookId::from_store(book);
    super::visuals::note_infographic(pg, id, record.now)?;
    pg.record_change(Change::Book(id));
    Ok(id)
}

/// Adds words to the search vocabulary; `names` are those of them that stand in a title or an author's name.
pub(super) fn learn_words(
    pg: &mut Pg<'_>,
    vocabulary: &BTreeSet<String>,
    names: &BTreeSet<String>,
) -> Result<(), StoreError> {
    let mut select: BuiltStatement<(Text, Bool)> =
        BuiltStatement::new("SELECT word, in_name FROM search_words WHERE word = ANY(");
    select.value(Value::Texts(vocabulary.iter().cloned().collect())).sql(")");
    // A plan made while the table was small would compare each word with each, even after it has grown.
    select.plan_each_time();
    let known: HashMap<String, bool> = pg.run(|conn| select.load(conn))?.into_iter().collect();
    let is_new = |word: &&String| known.get(*word).is_none_or(|in_name| !in_name && names.contains(*word));
    let words: Vec<String> = vocabulary.iter().filter(is_new).cloned().collect();
    if words.is_empty() {
        return Ok(());
    }
    let stems = words.iter().map(|word| stem(word)).collect();
    let in_name = words.iter().map(|word| names.contains(word)).collect();
    pg.run(|conn| PutWords { words, stems, in_name }.execute(conn))?;
    Ok(())
}

fn sections(pg: &mut Pg<'_>, book: i64, record: &BookRecord<'_>) -> Result<(), StoreError> {
    let sections = &record.body.sections;
    if sections.is_empty() {
        return Ok(());
    }
    let insert = InsertSections {
        book,
        places: sections.iter().map(|section| number(section.place)).collect(),
        titles: sections.iter().map(|section| section.title.clone()).collect(),
        texts: sections.iter().map(|section| section.text.clone()).collect(),
        previewed: sections.iter().map(|section| number(section.previewed)).collect(),
        title_words: sections.iter().map(|section| words(&section.title)).collect(),
        text_words: sections.iter().map(|section| words(&section.text)).collect(),
    };
    pg.run(|conn| insert.execute(conn))?;
    Ok(())
}

/// A place or a length. It fits: a body has at most some hundred thousand bytes.
fn number(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// A text's words as Postgres shall see them: folded, and without characters that its parser would interpret.
fn words(text: &str) -> String {
    words_of(text).join(" ")
}

fn row(record: &BookRecord<'_>) -> Result<UpsertBook, StoreError> {
    let draft = record.draft;
    let shown = ShownNames {
        author: ShownName { slug: record.author.draft.slug.to_string(), name: record.author.draft.name.clone() },
        categories: record
            .categories
            .iter()
            .map(|category| ShownCategory {
                id: category.id.get(),
                subid: category.draft.subid.to_string(),
                name: category.draft.name.clone(),
                hue: category.draft.hue,
            })
            .collect(),
        goals: {
            let mut goals: Vec<_> = record.goals.iter().collect();
            goals.sort_by_key(|goal| (goal.draft.place, goal.id));
            goals.into_iter().map(|goal| ShownGoal { id: goal.id.get(), title: goal.draft.title.clone() }).collect()
        },
        tags: draft.tags.clone(),
    };
    let ideas: Vec<&str> = (draft.tags.iter().map(String::as_str))
        .chain(record.categories.iter().map(|category| category.draft.name.as_str()))
        .chain(record.body.sections.iter().map(|section| section.title.as_str()))
        .collect();
    let (title_words, author_words, idea_words) =
        (words(&draft.title), words(&record.author.draft.name), words(&ideas.join(" ")));
    // Each word once: only its presence matters.
    let mut text: Vec<String> = record.body.sections.iter().flat_map(|section| words_of(&section.text)).collect();
    text.extend(
        [&title_words, &author_words, &idea_words].iter().flat_map(|words| words.split(' ').map(str::to_owned)),
    );
    text.sort_unstable();
    text.dedup();
    Ok(UpsertBook {
        subid: draft.subid.to_string(),
        title: draft.title.clone(),
        title_key: sort_key(&draft.title),
        author_id: record.author.id.get(),
        description: draft.description.clone(),
        body: record.body.html.clone(),
        truncated_body: record.body.preview.clone(),
        section_titles: record.body.sections.iter().map(|section| section.title.clone()).collect(),
        shown: serde_json::to_string(&shown).map_err(StoreError::new)?,
        quotes: serde_json::to_value(&draft.quotes).map_err(StoreError::new)?,
        image: draft.image.clone(),
        media: draft.media.clone(),
        video: draft.video.clone(),
        year: draft.year,
        words: i32::try_from(record.body.words()).unwrap_or(i32::MAX),
        free: draft.free,
        is_popular: draft.is_popular,
        coming_soon: draft.coming_soon,
        published: draft.published,
        upload_date: to_db(draft.upload_date),
        updated_at: to_db(record.now),
        title_words,
        author_words,
        idea_words,
        text_words: text.join(" "),
    })
}
