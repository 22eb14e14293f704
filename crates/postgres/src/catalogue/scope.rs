//! The scope of a list or a search: which books match its filters.

use catalogue::{CategoryKey, FilterName, Filters};
use diesel::{
    RunQueryDsl,
    sql_types::{Array, BigInt, Bool, Nullable, Text},
};
use kernel::StoreError;

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value},
    statement::statement,
};

/// Ids: of a category, an author, a tag; of a collection's categories; of its chosen books.
type NamedRow = (Option<i64>, Option<i64>, Option<i64>, Vec<i64>, Vec<i64>);

statement! {
    /// Looks up the ids of filters.
    SelectNamed { category: Option<String>, author: Option<String>, tag: Option<String>, collection: Option<i64> }
        -> (Nullable<BigInt>, Nullable<BigInt>, Nullable<BigInt>, Array<BigInt>, Array<BigInt>) = [
        "SELECT (SELECT id FROM categories WHERE subid = " (category: Nullable<Text>) "),
            (SELECT id FROM authors WHERE slug = " (author: Nullable<Text>) "),
            (SELECT id FROM tags WHERE slug = " (tag: Nullable<Text>) "),
            ARRAY(SELECT category_id FROM collection_categories WHERE collection_id = " (collection: Nullable<BigInt>) "),
            ARRAY(SELECT book_id FROM collection_books WHERE collection_id = " (collection: Nullable<BigInt>) "
                ORDER BY place, book_id)"
    ]
}

statement! {
    /// Books of a category: one more than [`FEW`] at most.
    SelectOfCategory { category: i64 } -> BigInt = [
        "SELECT book_id FROM book_categories WHERE category_id = " (category: BigInt) " LIMIT 301"
    ]
}

statement! {
    /// Books with a tag: one more than [`FEW`] at most.
    SelectOfTag { tag: i64 } -> BigInt = [
        "SELECT book_id FROM book_tags WHERE tag_id = " (tag: BigInt) " LIMIT 301"
    ]
}

statement! {
    /// Which filters name something that exists. A tag exists if a published book has it.
    SelectKnown {
        category_id: Option<i64>, category: Option<String>, collection: Option<i64>, author: Option<String>,
        tag: Option<String>
    } -> (Bool, Bool, Bool, Bool) = [
        "SELECT EXISTS (SELECT FROM categories WHERE id = " (category_id: Nullable<BigInt>)
        " OR subid = " (category: Nullable<Text>) "),
            EXISTS (SELECT FROM collections WHERE id = " (collection: Nullable<BigInt>) "),
            EXISTS (SELECT FROM authors WHERE slug = " (author: Nullable<Text>) "),
            EXISTS (SELECT FROM tags t JOIN book_tags d ON d.tag_id = t.id JOIN books b ON b.id = d.book_id
                WHERE b.published AND t.slug = " (tag: Nullable<Text>) ")"
    ]
}

/// The first filter that names something that does not exist.
pub(super) fn unknown<A>(pg: &mut Pg<'_, A>, filters: &Filters) -> Result<Option<FilterName>, StoreError> {
    let (category_id, category) = match &filters.category {
        Some(CategoryKey::Id(id)) => (Some(id.get()), None),
        Some(CategoryKey::Subid(subid)) => (None, Some(subid.to_string())),
        None => (None, None),
    };
    let select = SelectKnown {
        category_id,
        category,
        collection: filters.collection.map(kernel::CollectionId::get),
        author: filters.author.as_ref().map(ToString::to_string),
        tag: filters.tag.as_ref().map(ToString::to_string),
    };
    let known: (bool, bool, bool, bool) = pg.run(|conn| select.get_result(conn))?;
    let asked = [
        (FilterName::Category, filters.category.is_some(), known.0),
        (FilterName::Collection, filters.collection.is_some(), known.1),
        (FilterName::Author, filters.author.is_some(), known.2),
        (FilterName::Tag, filters.tag.is_some(), known.3),
    ];
    Ok(asked.into_iter().find(|(_, is_asked, is_known)| *is_asked && !is_known).map(|(name, ..)| name))
}

/// Up to this many books are listed by id in the statement: Postgres knows only the average number of books per category or tag,
/// and would search the whole list for these few.
const FEW: usize = 300;

/// Filters as ids. With an id in the statement, Postgres can use its statistics of how frequent that id is.
#[derive(Debug, Default)]
pub(super) struct Scope {
    category: Option<i64>,
    /// The categories of a collection without chosen books.
    collected: Option<Vec<i64>>,
    /// The chosen books of a collection, in their order.
    chosen: Option<Vec<i64>>,
    author: Option<i64>,
    tag: Option<i64>,
    audio: bool,
    video: bool,
    free: bool,
    /// The only candidates, if the category or the tag has few books.
    only: Option<Vec<i64>>,
}

impl Scope {
    /// Looks up the filters' ids, and the candidates if they are few. `None` if a filter names something that does not exist: the
    /// list is empty then.
    pub(super) fn of<A>(pg: &mut Pg<'_, A>, filters: &Filters) -> Result<Option<Self>, StoreError> {
        let Some(mut scope) = Self::named(pg, filters)? else { return Ok(None) };
        scope.find_few(pg)?;
        Ok(Some(scope))
    }

    /// Like [`Scope::of`], without looking up candidates.
    pub(super) fn named<A>(pg: &mut Pg<'_, A>, filters: &Filters) -> Result<Option<Self>, StoreError> {
        let Filters { audio, video, free, .. } = *filters;
        let mut scope = Self { audio, video, free, ..Self::default() };
        let subid = match &filters.category {
            Some(CategoryKey::Id(id)) => {
                scope.category = Some(id.get());
                None
            }
            Some(CategoryKey::Subid(subid)) => Some(subid.to_string()),
            None => None,
        };
        let select = SelectNamed {
            category: subid,
            author: filters.author.as_ref().map(ToString::to_string),
            tag: filters.tag.as_ref().map(ToString::to_string),
            collection: filters.collection.map(kernel::CollectionId::get),
        };
        let asked = [select.category.is_some(), select.author.is_some(), select.tag.is_some()];
        if asked == [false; 3] && select.collection.is_none() {
            return Ok(Some(scope));
        }
        let has_collection = select.collection.is_some();
        let (category, author, tag, collected, chosen): NamedRow = pg.run(|conn| select.get_result(conn))?;
        let found = [category.is_some(), author.is_some(), tag.is_some()];
        if asked != found || (has_collection && collected.is_empty() && chosen.is_empty()) {
            return Ok(None);
        }
        scope.category = scope.category.or(category);
        scope.author = author;
        scope.tag = tag;
        if !chosen.is_empty() {
            scope.chosen = Some(chosen);
        } else if has_collection {
            scope.collected = Some(collected);
        }
        Ok(Some(scope))
    }

    /// Looks up the candidates, and keeps them if the category or the tag has few.
    fn find_few<A>(&mut self, pg: &mut Pg<'_, A>) -> Result<(), StoreError> {
        let books: Vec<i64> = if let Some(tag) = self.tag {
            pg.run(|conn| SelectOfTag { tag }.load(conn))?
        } else if let Some(category) = self.category {
            pg.run(|conn| SelectOfCategory { category }.load(conn))?
        } else {
            return Ok(());
        };
        if books.len() <= FEW {
            self.only = Some(books);
        }
        Ok(())
    }

    /// Removes the tag from the conditions, for a statement that reads only its books.
    pub(super) const fn take_tag(&mut self) -> Option<i64> {
        self.tag.take()
    }

    /// The chosen books of a collection, in their order; `None` for other lists.
    pub(super) fn chosen(&self) -> Option<&[i64]> {
        self.chosen.as_deref()
    }

    /// Whether the filters may leave few books.
    pub(super) const fn is_narrow(&self) -> bool {
        self.category.is_some()
            || self.collected.is_some()
            || self.chosen.is_some()
            || self.author.is_some()
            || self.tag.is_some()
    }

    /// Adds the conditions on `books b`.
    pub(super) fn add_to<Row>(&self, statement: &mut BuiltStatement<Row>) {
        if let Some(only) = &self.only {
            statement.sql(" AND b.id = ANY(").value(Value::Ints(only.clone())).sql(")");
        }
        if let Some(category) = self.category {
            statement
                .sql(" AND b.id IN (SELECT c.book_id FROM book_categories c WHERE c.category_id = ")
                .value(Value::Int(category))
                .sql(")");
        }
        if let Some(collected) = &self.collected {
            statement
                .sql(" AND b.id IN (SELECT c.book_id FROM book_categories c WHERE c.category_id = ANY(")
                .value(Value::Ints(collected.clone()))
                .sql("))");
        }
        if let Some(chosen) = &self.chosen {
            statement.sql(" AND b.id = ANY(").value(Value::Ints(chosen.clone())).sql(")");
        }
        if let Some(author) = self.author {
            statement.sql(" AND b.author_id = ").value(Value::Int(author));
        }
        if let Some(tag) = self.tag {
            statement
                .sql(" AND b.id IN (SELECT t.book_id FROM book_tags t WHERE t.tag_id = ")
                .value(Value::Int(tag))
                .sql(")");
        }
        if self.audio {
            statement.sql(" AND b.media IS NOT NULL");
        }
        if self.video {
            statement.sql(" AND b.video IS NOT NULL");
        }
        if self.free {
            statement.sql(" AND b.free");
        }
    }
}
