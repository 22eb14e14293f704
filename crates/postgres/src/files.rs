//! Which files of the object store rows name: the one list of the columns that do.

use std::collections::HashSet;

use catalogue::infographic_of_thumb;
use diesel::{
    RunQueryDsl,
    sql_types::{Array, BigInt, Text},
};
use kernel::{BookId, StoreError};

use crate::{Pg, statement::statement};

/// Every column that names a file: its key, the number of the book to which it belongs, and whether it is one of that book's
/// recordings, which are changed by rules of their own. The thumbnail of an uploaded infographic is named by the infographic.
const NAMED: &str = "
    SELECT unnest(ARRAY[image, vector, infographic, podcast]) AS key, id AS book, false AS recorded FROM books
    UNION ALL SELECT unnest(ARRAY[media, video]), id, true FROM books
    UNION ALL SELECT unnest(ARRAY[f.poster, f.captions]), b.id, true
        FROM films f JOIN books b ON b.id = f.book_id AND b.video = f.media
    UNION ALL SELECT image, book_id, false FROM visuals
    UNION ALL SELECT unnest(ARRAY[image, infographic, infographic_thumb]), book_id, false FROM visual_sets
    UNION ALL SELECT small_image, NULL, false FROM categories
    UNION ALL SELECT image, NULL, false FROM collections
    UNION ALL SELECT unnest(ARRAY[photo, feature_photo]), NULL, false FROM goals
    UNION ALL SELECT photo, NULL, false FROM posts
    UNION ALL SELECT unnest(ARRAY[image, media]), NULL, false FROM podcasts";

statement! {
    /// Reads each table once, for all keys: nothing of it is indexed.
    SelectNamed { keys: Vec<String> } -> Text = [
        "WITH named AS (" {NAMED} "),
            keys AS MATERIALIZED (SELECT unnest(" (keys: Array<Text>) ") AS key)
        SELECT key FROM keys WHERE EXISTS (SELECT FROM named WHERE named.key = keys.key)"
    ]
}

statement! {
    SelectOfBook { book: i64 } -> Text = [
        "SELECT DISTINCT key COLLATE \"C\" AS key FROM (" {NAMED} ") named
        WHERE book = " (book: BigInt) " AND NOT recorded AND key IS NOT NULL ORDER BY key"
    ]
}

impl<A> Pg<'_, A> {
    /// Of these keys of files, those that no row names, in their order.
    pub fn unnamed_files(&mut self, keys: &[String]) -> Result<Vec<String>, StoreError> {
        let infographics = keys.iter().filter_map(|key| infographic_of_thumb(key));
        let select = SelectNamed { keys: keys.iter().cloned().chain(infographics).collect() };
        let named: Vec<String> = self.run(|conn| select.load(conn))?;
        let named: HashSet<String> = named.into_iter().collect();
        let is_named =
            |key: &String| named.contains(key) || infographic_of_thumb(key).is_some_and(|key| named.contains(&key));
        Ok(keys.iter().filter(|key| !is_named(key)).cloned().collect())
    }

    /// Whether any row names a file.
    pub fn is_file_named(&mut self, key: &str) -> Result<bool, StoreError> {
        Ok(self.unnamed_files(&[key.to_owned()])?.is_empty())
    }

    /// The keys that rows name as a book's, besides its recordings. Each once, in their order.
    pub(crate) fn named_of_book(&mut self, book: BookId) -> Result<Vec<String>, StoreError> {
        let select = SelectOfBook { book: book.get() };
        self.run(|conn| select.load(conn))
    }
}
