//! Which files of the object store rows of any domain name.

use diesel::{
    RunQueryDsl,
    sql_types::{Array, Text},
};
use kernel::StoreError;

use crate::{Pg, statement::statement};

statement! {
    /// Reads each table once, for all keys: nothing of it is indexed.
    SelectUnnamed { keys: Vec<String> } -> Text = [
        "WITH keys AS MATERIALIZED (SELECT unnest(" (keys: Array<Text>) ") AS key),
            named AS (
                SELECT unnest(ARRAY[image, vector, infographic, podcast, media, video,
                    'thumbs/' || substr(infographic, length('infographics/') + 1)]) AS key FROM books
                UNION ALL SELECT unnest(ARRAY[media, poster, captions]) FROM films
                UNION ALL SELECT small_image FROM categories
                UNION ALL SELECT image FROM collections
                UNION ALL SELECT unnest(ARRAY[photo, feature_photo]) FROM goals
                UNION ALL SELECT image FROM visuals
                UNION ALL SELECT unnest(ARRAY[image, infographic, infographic_thumb]) FROM visual_sets
                UNION ALL SELECT photo FROM posts
                UNION ALL SELECT unnest(ARRAY[image, media]) FROM podcasts
            )
        SELECT key FROM keys WHERE NOT EXISTS (SELECT FROM named WHERE named.key = keys.key) ORDER BY key"
    ]
}

impl Pg<'_> {
    /// Of these keys of files, those that no row of the catalogue and of the editorial part names, in their order.
    pub fn unnamed_files(&mut self, keys: &[String]) -> Result<Vec<String>, StoreError> {
        let select = SelectUnnamed { keys: keys.to_vec() };
        self.run(|conn| select.load(conn))
    }
}
