//! Which rows reference files of the object store: the only list of the columns that do.

use std::collections::HashSet;

use catalogue::infographic_of_thumb;
use diesel::{
    RunQueryDsl,
    sql_types::{Array, BigInt, Text},
};
use kernel::{BookId, StoreError, TEXT_PICTURES};

use crate::{Pg, statement::statement};

/// Every column that references a file: the file's key, the id of the book that it belongs to, and whether it is one of the
/// book's recordings, which have their own rules. A row that references an uploaded infographic also references its
/// thumbnail.
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

/// Every text that may show pictures, with the earlier ones that an editor can restore (`catalogue.text-pictures`).
const TEXTS: &str = "
    SELECT body AS html FROM books
    UNION ALL SELECT text FROM posts
    UNION ALL SELECT script FROM podcasts
    UNION ALL SELECT text FROM site_pages
    UNION ALL SELECT value::text FROM site_content
    UNION ALL SELECT content FROM row_revisions";

statement! {
    /// Reads each table once, for all keys, because these columns have no index.
    SelectNamed { keys: Vec<String> } -> Text = [
        "WITH named AS (" {NAMED} "),
            keys AS MATERIALIZED (SELECT unnest(" (keys: Array<Text>) ") AS key)
        SELECT key FROM keys WHERE EXISTS (SELECT FROM named WHERE named.key = keys.key)"
    ]
}

statement! {
    /// Those of these keys of pictures that stand in a text. Reads all texts.
    SelectShown { keys: Vec<String> } -> Text = [
        "WITH texts AS (" {TEXTS} "),
            shown AS (SELECT DISTINCT (regexp_matches(html, '/media/(pictures/[-_.A-Za-z0-9]+)', 'g'))[1] AS key
                FROM texts WHERE html LIKE '%/media/pictures/%')
        SELECT key FROM shown WHERE key = ANY(" (keys: Array<Text>) ")"
    ]
}

statement! {
    SelectOfBook { book: i64 } -> Text = [
        "SELECT DISTINCT key COLLATE \"C\" AS key FROM (" {NAMED} ") named
        WHERE book = " (book: BigInt) " AND NOT recorded AND key IS NOT NULL ORDER BY key"
    ]
}

impl<A> Pg<'_, A> {
    /// Those of these keys that no row references, in their order.
    pub fn unnamed_files(&mut self, keys: &[String]) -> Result<Vec<String>, StoreError> {
        let infographics = keys.iter().filter_map(|key| infographic_of_thumb(key));
        let select = SelectNamed { keys: keys.iter().cloned().chain(infographics).collect() };
        let named: Vec<String> = self.run(|conn| select.load(conn))?;
        let mut named: HashSet<String> = named.into_iter().collect();
        named.extend(self.shown_pictures(keys)?);
        let is_named =
            |key: &String| named.contains(key) || infographic_of_thumb(key).is_some_and(|key| named.contains(&key));
        Ok(keys.iter().filter(|key| !is_named(key)).cloned().collect())
    }

    /// Those of these keys that are pictures within texts.
    fn shown_pictures(&mut self, keys: &[String]) -> Result<Vec<String>, StoreError> {
        let is_picture = |key: &&String| key.split_once('/').is_some_and(|(folder, _)| folder == TEXT_PICTURES);
        let keys: Vec<String> = keys.iter().filter(is_picture).cloned().collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let select = SelectShown { keys };
        self.run(|conn| select.load(conn))
    }

    /// Whether any row references the file.
    pub fn is_file_named(&mut self, key: &str) -> Result<bool, StoreError> {
        Ok(self.unnamed_files(&[key.to_owned()])?.is_empty())
    }

    /// The sorted distinct keys of a book's files, except its recordings.
    pub(crate) fn named_of_book(&mut self, book: BookId) -> Result<Vec<String>, StoreError> {
        let select = SelectOfBook { book: book.get() };
        self.run(|conn| select.load(conn))
    }
}
