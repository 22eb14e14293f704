//! Full-text search and search ranking.
//!
//! Candidates are looked up in three indexes (the beginning of a title; title, author, tags, categories and headings; all
//! words of the text), a bounded number in each, because ranking reads every one of them. A GIN index collects all matches of
//! a word before it returns the first: so the two indexes of words are partitioned by book id, and the latest partition is
//! searched first, until there are enough matches. The partition sizes of the two differ (`books.id / 16384` and `/ 8192`):
//! otherwise Postgres would take all books of a partition from the smaller index, and unpack the words of each. Only whole
//! words can be searched in this way (prefixes are collected again for each partition): see [`Heads`] for a word that is
//! still being typed.

use catalogue::{
    CLASS_WEIGHTS, KnownWord, MatchingSection, NEAR_HITS, NearWords, RankedBook, RankedIdea, Search, Term,
    WideningWords,
};
use diesel::{
    Connection, RunQueryDsl,
    connection::SimpleConnection,
    sql_types::{Array, BigInt, Bool, Double, Integer, Nullable, Text},
};
use kernel::{BookId, StoreError};

use super::{
    ints,
    rows::{CardRow, CardTypes, card_columns},
    scope::Scope,
};
use crate::{
    Pg,
    built_statement::{BuiltStatement, Value},
    statement::statement,
};

/// A word that is still being typed is replaced by the known words that begin with it, if they are no more than this.
const NAMED: usize = 40;

/// Begins a query for books by the words in a column, the latest partition of the catalogue first. The search terms follow; the
/// partition's subquery must be closed, with a limit of its own, by `) f`.
macro_rules! by_parts {
    ($column:literal, $books:literal) => {
        concat!(
            "SELECT f.id FROM generate_series((SELECT max(id) FROM books) / ",
            $books,
            ", 0, -1) AS part CROSS JOIN LATERAL (SELECT b.id FROM books b WHERE b.published AND b.id / ",
            $books,
            " = part AND b.",
            $column,
            " @@ to_tsquery('english', "
        )
    };
}

type SectionTypes = (Nullable<Integer>, Nullable<Text>, Nullable<Text>, Nullable<Integer>);
type SectionColumns = (Option<i32>, Option<String>, Option<String>, Option<i32>);

statement! {
    SelectKnownStems { stems: Vec<String> } -> Text = [
        "SELECT DISTINCT stem FROM search_words WHERE stem = ANY(" (stems: Array<Text>) ")"
    ]
}

statement! {
    SelectWordsBetween { from: String, to: String, limit: i64 } -> Text = [
        "SELECT word FROM search_words WHERE word >= " (from: Text) " AND word < " (to: Text)
        " ORDER BY length(word), word LIMIT " (limit: BigInt)
    ]
}

statement! {
    SelectWordsLike { word: String } -> (Text, Bool) = [
        "(SELECT word, in_name FROM search_words ORDER BY word COLLATE \"default\" <-> " (word: Text) " LIMIT 60)
        UNION (SELECT word, in_name FROM search_words WHERE in_name ORDER BY word COLLATE \"default\" <-> " (word: Text) "
            LIMIT 20)"
    ]
}

statement! {
    /// Known stems, and words of names that are spelled like the given words: one look-up for both.
    SelectWideningWords { stems: Vec<String>, words: Vec<String> } -> (Text, Bool) = [
        "SELECT DISTINCT stem, false FROM search_words WHERE stem = ANY(" (stems: Array<Text>) ")
        UNION ALL SELECT DISTINCT near.word, true FROM unnest(" (words: Array<Text>) ") AS typed (word)
            CROSS JOIN LATERAL (SELECT s.word FROM search_words s WHERE s.in_name
                ORDER BY s.word COLLATE \"default\" <-> typed.word LIMIT 20) near"
    ]
}

/// Those of the stems that occur in some text.
pub(super) fn known_stems<A>(pg: &mut Pg<'_, A>, stems: &[String]) -> Result<Vec<String>, StoreError> {
    let select = SelectKnownStems { stems: stems.to_vec() };
    pg.run(|conn| select.load(conn))
}

/// Known words that begin with this, shortest first.
pub(super) fn words_beginning<A>(pg: &mut Pg<'_, A>, beginning: &str, limit: usize) -> Result<Vec<String>, StoreError> {
    let select = SelectWordsBetween {
        from: beginning.to_owned(),
        to: end_of(beginning),
        limit: i64::try_from(limit).unwrap_or(i64::MAX),
    };
    pg.run(|conn| select.load(conn))
}

/// The 60 known words most similar to this one, and the 20 most similar of those in names.
pub(super) fn words_like<A>(pg: &mut Pg<'_, A>, word: &str) -> Result<Vec<KnownWord>, StoreError> {
    let select = SelectWordsLike { word: word.to_owned() };
    let rows: Vec<(String, bool)> = pg.run(|conn| select.load(conn))?;
    Ok(rows.into_iter().map(|(word, in_name)| KnownWord { word, in_name }).collect())
}

/// What a widened search needs of the vocabulary.
pub(super) fn widening_words<A>(
    pg: &mut Pg<'_, A>,
    stems: &[String],
    words: &[String],
) -> Result<WideningWords, StoreError> {
    let select = SelectWideningWords { stems: stems.to_vec(), words: words.to_vec() };
    let rows: Vec<(String, bool)> = pg.run(|conn| select.load(conn))?;
    let (names, stems): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, is_name)| *is_name);
    let texts = |rows: Vec<(String, bool)>| rows.into_iter().map(|(text, _)| text).collect();
    Ok(WideningWords { known_stems: texts(stems), names: texts(names) })
}

/// The exclusive upper bound of the texts that begin with this, in byte order.
pub(super) fn end_of(beginning: &str) -> String {
    format!("{beginning}{}", char::MAX)
}

/// The terms in the syntax of `to_tsquery`. Words consist of letters and digits, so they contain no operators.
fn ts_query(terms: &[Term], between: &str, with_beginnings: bool) -> String {
    let groups: Vec<String> = terms
        .iter()
        .map(|term| {
            let begun =
                term.words.first().filter(|_| with_beginnings && term.unfinished).map(|word| format!("'{word}':*"));
            let words = term.words.iter().map(|word| format!("'{word}'"));
            let compounds = term.compounds.iter().map(|words| format!("('{}')", words.join("' & '")));
            format!("({})", begun.into_iter().chain(words).chain(compounds).collect::<Vec<_>>().join(" | "))
        })
        .collect();
    groups.join(between)
}

/// Any of the words in a title (A) or an author's name (B), in the syntax of `to_tsquery`.
fn name_query(terms: &[Term]) -> String {
    let words = terms.iter().flat_map(|term| &term.words);
    words.map(|word| format!("'{word}':AB")).collect::<Vec<_>>().join(" | ")
}

/// How to find books whose title, author, tags, categories or headings have the words.
enum Heads {
    /// By whole words, partition by partition. `also` is a prefix with too many known words to list them: it does not help to
    /// find books, so it only filters the matches of the other words.
    Words { named: String, also: Option<String> },
    /// By a prefix that many words share, and nothing else: many of the latest books probably have it.
    Beginning(String),
}

impl Heads {
    fn of<A>(pg: &mut Pg<'_, A>, terms: &[Term], between: &str, near: bool) -> Result<Self, StoreError> {
        let Some((at, begun)) = terms.iter().enumerate().find(|(_, term)| term.unfinished) else {
            return Ok(Self::Words { named: ts_query(terms, between, false), also: None });
        };
        // The vocabulary has no words that begin with a digit.
        if begun.words[0].starts_with(char::is_alphabetic) {
            let named = words_beginning(pg, &begun.words[0], NAMED + 1)?;
            if named.len() <= NAMED {
                let mut terms = terms.to_vec();
                terms[at].words.extend(named);
                return Ok(Self::Words { named: ts_query(&terms, between, false), also: None });
            }
        }
        if near || terms.len() == 1 {
            return Ok(Self::Beginning(ts_query(terms, between, true)));
        }
        let others: Vec<Term> = terms.iter().filter(|term| !term.unfinished).cloned().collect();
        let also = Some(ts_query(&terms[at..=at], between, true));
        Ok(Self::Words { named: ts_query(&others, between, false), also })
    }

    /// Adds a query for at most 300 `id`s in the scope.
    fn add_to<Row>(&self, scope: &Scope, statement: &mut BuiltStatement<Row>) {
        match self {
            Self::Words { named, also } => {
                statement.sql(by_parts!("search", "16384")).value(Value::Text(named.clone())).sql(")");
                if let Some(also) = also {
                    // `IS TRUE` keeps Postgres from using the index for this condition.
                    statement.sql(" AND (b.search @@ to_tsquery('english', ").value(Value::Text(also.clone()));
                    statement.sql(")) IS TRUE");
                }
                scope.add_to(statement);
                statement.sql(" LIMIT 300) f LIMIT 300");
            }
            Self::Beginning(begun) => {
                // A small catalogue has no separate latest part: the index alone is faster.
                statement
                    .sql(
                        "SELECT f.id FROM (SELECT max(id) - CASE WHEN max(id) > 10000 THEN 1024 ELSE 0 END AS last \
                         FROM books) earlier CROSS JOIN LATERAL ((SELECT b.id FROM books b WHERE b.published \
                         AND b.id > earlier.last AND (b.search @@ to_tsquery('english', ",
                    )
                    .value(Value::Text(begun.clone()))
                    .sql(")) IS TRUE");
                scope.add_to(statement);
                statement
                    .sql(
                        " ORDER BY b.id DESC LIMIT 300) UNION ALL (SELECT b.id FROM books b WHERE b.published \
                         AND b.id <= earlier.last AND b.search @@ to_tsquery('english', ",
                    )
                    .value(Value::Text(begun.clone()))
                    .sql(")");
                scope.add_to(statement);
                statement.sql(" LIMIT 300)) f LIMIT 300");
            }
        }
    }
}

/// The key ideas of these books that have any of the words.
pub(super) fn rank_ideas<A>(
    pg: &mut Pg<'_, A>,
    words: &NearWords,
    books: &[BookId],
) -> Result<Vec<RankedIdea>, StoreError> {
    let any: Vec<String> = words.words().map(|word| format!("'{word}'")).collect();
    if any.is_empty() {
        return Ok(Vec::new());
    }
    let mut select: BuiltStatement<(BigInt, Integer, Double)> = BuiltStatement::new("SELECT s.book_id, s.place, ");
    Rank::near(words).add_to("ts_rank('{0.3, 0.3, 0.6, 1}', s.search", &mut select);
    select.sql(" FROM book_sections s WHERE s.book_id = ANY(").value(ints(books)).sql(") AND s.title <> ''");
    select.sql(" AND s.search @@ to_tsquery('english', ").value(Value::Text(any.join(" | "))).sql(")");
    let rows: Vec<(i64, i32, f64)> = pg.run(|conn| select.load(conn))?;
    let ranked = |(book, place, rank)| RankedIdea {
        book: BookId::from_store(book),
        section: usize::try_from(place).unwrap_or(0),
        rank,
    };
    Ok(rows.into_iter().map(ranked).collect())
}

/// How many books are ranked at most: in a search, and in a search for near words, which takes longer per book.
const RANKED: (i64, i64) = (100, 60);

/// The best matches.
///
/// Matches in title, author, tags, categories or headings come first; up to 100 in all, matches in the text follow, those with
/// a word in a heading first. The rank of the best section decides among equals. In a widened search the books about the words
/// come first, then those that have all words, and up to five others (`catalogue.near-hits`); each kind is ranked by the weight
/// of each of its words, in headings and in all sections.
pub(super) fn books<A>(pg: &mut Pg<'_, A>, search: &Search<'_>) -> Result<Vec<RankedBook>, StoreError> {
    let Some(scope) = Scope::of(pg, search.filters)? else { return Ok(Vec::new()) };
    let between = if search.near.is_some() { " | " } else { " & " };
    let terms = search.sought();
    let heads = Heads::of(pg, &terms.terms, between, search.near.is_some())?;
    let (of_heads, of_sections, most) = match search.near {
        None => (Rank::any(&terms.terms, true), Rank::any(&terms.terms, false), RANKED.0),
        Some(near) => (Rank::near(near), Rank::near(near), RANKED.1),
    };
    let parts = SearchStatement { search, terms: &terms.terms, scope: &scope, between, most, of_heads, of_sections };
    let statement = parts.build(&heads);
    let rows: Vec<(i64, Option<bool>, i64, CardRow, SectionColumns)> = pg.run(|conn| {
        conn.transaction(|conn| {
            // Before a LIMIT, Postgres prefers a sequential scan until enough rows match, and unpacks the words of each. Its
            // estimates for branches that never run would trigger JIT compilation, which takes longer than running the
            // statement.
            conn.batch_execute("SET LOCAL enable_seqscan = off; SET LOCAL jit = off")?;
            statement.load(conn)
        })
    })?;
    rows.into_iter()
        .map(|(score, some_about, listed, card, section)| {
            Ok(RankedBook {
                card: card.into_card()?.0,
                score,
                some_about: some_about.unwrap_or(false),
                listed: usize::try_from(listed).unwrap_or(0),
                section: found_section(section),
            })
        })
        .collect()
}

/// How well a text's word vector matches the search.
struct Rank {
    /// Queries with their weights.
    parts: Vec<(f64, String)>,
}

impl Rank {
    /// Any of the words counts: they may occur in different places.
    fn any(terms: &[Term], with_beginnings: bool) -> Self {
        Self { parts: vec![(1.0, ts_query(terms, " | ", with_beginnings))] }
    }

    /// The words of each class have a weight. Postgres divides a rank by the number of words, so it is multiplied again.
    fn near(near: &NearWords) -> Self {
        let classes = near.classes.iter().zip(CLASS_WEIGHTS).filter(|(words, _)| !words.is_empty());
        let parts = classes.map(|(words, weight)| {
            let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            let count = u32::try_from(words.len()).unwrap_or(u32::MAX);
            (weight * f64::from(count), quoted.join(" | "))
        });
        Self { parts: parts.collect() }
    }

    /// Adds the rank expression. `call` is the call of `ts_rank` up to its query: weights and vector.
    fn add_to<Row>(&self, call: &'static str, statement: &mut BuiltStatement<Row>) {
        if self.parts.is_empty() {
            statement.sql("(0::float8");
        }
        for (at, (weight, query)) in self.parts.iter().enumerate() {
            statement.sql(if at == 0 { "(" } else { " + " }).value(Value::Double(*weight)).sql(" * ").sql(call);
            statement.sql(", to_tsquery('english', ").value(Value::Text(query.clone())).sql("))");
        }
        statement.sql(")");
    }
}

/// The parts of a search's statement.
struct SearchStatement<'a> {
    search: &'a Search<'a>,
    /// What books are looked up by.
    terms: &'a [Term],
    scope: &'a Scope,
    /// Between the terms, in the syntax of `to_tsquery`.
    between: &'static str,
    /// How many books are ranked at most.
    most: i64,
    of_heads: Rank,
    of_sections: Rank,
}

type SearchTypes = (BigInt, Nullable<Bool>, BigInt, CardTypes, SectionTypes);

impl SearchStatement<'_> {
    /// Adds the table `heads`: books by their title, author, tags, categories and headings, with the score of these; in a widened
    /// search also the books that have all words themselves (`own`).
    fn add_heads(&self, heads: &Heads, statement: &mut BuiltStatement<SearchTypes>) {
        let title_start = &self.search.terms.title_start;
        // An empty text is no title's beginning.
        let title_end = if title_start.is_empty() { String::new() } else { end_of(title_start) };
        statement.sql("heads AS (SELECT c.id, c.bonus >= 1000 AS own, ");
        match self.search.near {
            None => statement.sql("true"),
            Some(near) if near.about.is_empty() => statement.sql("false"),
            Some(near) => {
                let about = ts_query(&near.about, " & ", false);
                statement.sql("b.search @@ to_tsquery('english', ").value(Value::Text(about)).sql(")")
            }
        };
        statement.sql(" AS about, c.bonus + ");
        let rank = if self.search.near.is_some() {
            "2 * ts_rank('{0.1, 0.5, 0.7, 1}', b.search"
        } else {
            "ts_rank('{0.1, 0.3, 0.6, 1}', b.search"
        };
        self.of_heads.add_to(rank, statement);
        statement
            .sql(" AS score FROM (SELECT id, sum(bonus) AS bonus FROM ((SELECT b.id, CASE WHEN b.title_key = ")
            .value(Value::Text(title_start.clone()))
            .sql(" THEN 3 ELSE 2 END AS bonus FROM books b WHERE b.published AND b.title_key >= ")
            .value(Value::Text(title_start.clone()))
            .sql(" AND b.title_key < ")
            .value(Value::Text(title_end));
        self.scope.add_to(statement);
        statement.sql(" ORDER BY b.title_key, b.id LIMIT 50)");
        if self.search.near.is_some() {
            // A search with many of them is not widened.
            statement
                .sql(" UNION ALL (SELECT id, 1000 FROM (")
                .sql(by_parts!("text_search", "8192"))
                .value(Value::Text(ts_query(&self.search.terms.terms, " & ", false)))
                .sql(")");
            self.scope.add_to(statement);
            statement.sql(" LIMIT 20) f LIMIT 20) o)");
        }
        statement.sql(" UNION ALL (SELECT id, 0 FROM (");
        heads.add_to(self.scope, statement);
        statement
            .sql(") h)) f GROUP BY id) c JOIN books b ON b.id = c.id ORDER BY own DESC, score DESC, c.id DESC LIMIT ")
            .value(Value::Int(self.most))
            .sql(")");
    }

    /// Adds the table `texts`: books by all of their words, as many as `heads` leaves room for.
    fn add_texts(&self, statement: &mut BuiltStatement<SearchTypes>) {
        statement.sql("texts AS (SELECT b.id, ");
        if self.search.near.is_none() && self.terms.len() > 1 {
            self.of_heads.add_to("0.5 * ts_rank('{0.1, 0.3, 0.6, 1}', b.search", statement);
            statement.sql(" AS score, b.search @@ to_tsquery('english', ");
            statement.value(Value::Text(name_query(self.terms))).sql(") AS about");
        } else {
            // A book with the only word in its headings is among `heads`.
            statement.sql("0 AS score, false AS about");
        }
        statement
            .sql(" FROM (")
            .sql(by_parts!("text_search", "8192"))
            .value(Value::Text(ts_query(self.terms, self.between, false)))
            .sql(") AND b.id <> ALL(ARRAY(SELECT id FROM heads))");
        self.scope.add_to(statement);
        statement
            .sql(" LIMIT 100) f LIMIT (SELECT greatest(0, ")
            .value(Value::Int(self.most))
            .sql(" - count(*)) FROM heads)) t JOIN books b ON b.id = t.id)");
    }

    /// Adds the tables `ranked`: all these books with their whole score, and `listed`: those that the search lists.
    fn add_ranked(&self, statement: &mut BuiltStatement<SearchTypes>) {
        let is_near = self.search.near.is_some();
        statement
            .sql(
                "ranked AS (SELECT c.id, c.own, c.about, (1000000 * (c.score + coalesce(r.rank, 0)))::bigint AS score \
                 FROM (SELECT id, own, about, score",
            )
            .sql(if is_near { " + CASE WHEN about THEN 2000 ELSE 0 END" } else { "" })
            .sql(" AS score FROM heads UNION ALL SELECT id, false, about, score FROM texts) c CROSS JOIN LATERAL (SELECT ")
            .sql(if is_near { "sum" } else { "0.1 * max" });
        self.of_sections.add_to("ts_rank('{0.3, 0.3, 0.6, 1}', s.search", statement);
        statement.sql(
            " AS rank FROM book_sections s WHERE s.book_id = c.id) r), listed AS (SELECT id, about, score FROM ranked",
        );
        if is_near {
            statement
                .sql(
                    " WHERE own UNION ALL (SELECT id, about, score FROM ranked WHERE NOT own \
                     AND about = (SELECT bool_or(about) FROM ranked) ORDER BY score DESC, id DESC LIMIT (SELECT greatest(0, ",
                )
                .value(Value::Int(i64::try_from(NEAR_HITS).unwrap_or(i64::MAX)))
                .sql(" - count(*) FILTER (WHERE own AND NOT (SELECT bool_or(about) FROM ranked))) FROM ranked))");
        }
        statement.sql(")");
    }

    fn build(&self, heads: &Heads) -> BuiltStatement<SearchTypes> {
        let mut statement = BuiltStatement::new("WITH ");
        self.add_heads(heads, &mut statement);
        statement.sql(", ");
        self.add_texts(&mut statement);
        statement.sql(", ");
        self.add_ranked(&mut statement);
        statement.sql(", page AS (SELECT id, score FROM listed");
        if let Some((score, id)) = self.search.after {
            statement
                .sql(" WHERE (score, id) < (")
                .value(Value::Int(score))
                .sql(", ")
                .value(Value::Int(id.get()))
                .sql(")");
        }
        statement
            .sql(" ORDER BY score DESC, id DESC LIMIT ")
            .value(Value::Int(self.search.limit.with_surplus()))
            .sql(concat!(
                ") SELECT p.score, (SELECT bool_or(about) FROM listed), (SELECT count(*) FROM listed), ",
                card_columns!(),
                ", f.place, f.title, f.text, f.previewed FROM page p JOIN books b ON b.id = p.id \
                 JOIN book_stats s ON s.book_id = p.id LEFT JOIN LATERAL (SELECT t.place, t.title, t.text, t.previewed \
                 FROM book_sections t WHERE t.book_id = p.id AND t.search @@ to_tsquery('english', "
            ))
            .value(Value::Text(ts_query(self.terms, " | ", false)))
            .sql(") ORDER BY ");
        self.of_sections.add_to("ts_rank('{0.3, 0.3, 0.6, 1}', t.search", &mut statement);
        statement.sql(" DESC, t.place LIMIT 1) f ON true ORDER BY p.score DESC, p.id DESC");
        // The number of books that have a word varies too much for one plan.
        statement.plan_each_time();
        statement
    }
}

fn found_section(columns: SectionColumns) -> Option<MatchingSection> {
    let (Some(place), Some(title), Some(text), Some(previewed)) = columns else { return None };
    Some(MatchingSection {
        place: usize::try_from(place).unwrap_or(0),
        title,
        text,
        previewed: usize::try_from(previewed).unwrap_or(0),
    })
}
