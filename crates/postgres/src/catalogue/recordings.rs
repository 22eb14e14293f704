//! Narrations and films of books, in Postgres.

use catalogue::{BookRef, Film, Mark, Narration, RecordingCommands, RecordingQueries, RecordingStore};
use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, OptionalExtension, PgExpressionMethods,
    QueryDsl, RunQueryDsl, insert_into, update, upsert::excluded,
};
use kernel::{BookId, StoreError};
use serde_json::Value;

use crate::{
    Change, Pg,
    schema::{books, films, narrations},
    time::{from_db, to_db},
};

/// A mark as it is stored: section, paragraph (`None` for the heading), milliseconds.
type StoredMark = (usize, Option<usize>, u64);

fn millis(duration: u64) -> Result<i64, StoreError> {
    i64::try_from(duration).map_err(StoreError::new)
}

impl Pg<'_> {
    /// Announces that a book has another recording, which its page and lists show.
    fn recorded(&mut self, book: BookId) {
        self.record_change(Change::Book(book));
    }
}

impl<A> RecordingQueries for Pg<'_, A> {
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError> {
        type Row = (String, i64, Value, String, String, DateTime<Utc>);
        let row: Option<Row> = self.run(|conn| {
            narrations::table
                .find(book.get())
                .select((
                    narrations::media,
                    narrations::duration_ms,
                    narrations::marks,
                    narrations::text_hash,
                    narrations::voice,
                    narrations::made_at,
                ))
                .first(conn)
                .optional()
        })?;
        row.map(|(media, duration, marks, text_hash, voice, made_at)| {
            let marks: Vec<StoredMark> = serde_json::from_value(marks).map_err(StoreError::new)?;
            let marks =
                marks.into_iter().map(|(section, paragraph, at_ms)| Mark { section, paragraph, at_ms }).collect();
            let duration_ms = duration.unsigned_abs();
            Ok(Narration { media, duration_ms, marks, text_hash, voice, made_at: from_db(made_at) })
        })
        .transpose()
    }

    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError> {
        type Row = (String, String, String, i64, String, DateTime<Utc>);
        let row: Option<Row> = self.run(|conn| {
            films::table
                .find(book.get())
                .select((
                    films::media,
                    films::poster,
                    films::captions,
                    films::duration_ms,
                    films::text_hash,
                    films::made_at,
                ))
                .first(conn)
                .optional()
        })?;
        Ok(row.map(|(media, poster, captions, duration, shown_hash, made_at)| Film {
            media,
            poster,
            captions,
            duration_ms: duration.unsigned_abs(),
            shown_hash,
            made_at: from_db(made_at),
        }))
    }
}

impl RecordingCommands for Pg<'_> {
    fn lock_recording_files(&mut self, book: &BookRef) -> Result<Vec<String>, StoreError> {
        // Locks out other writers but not inserts of rows that only refer to the book, such as reading positions.
        let columns = (books::id, books::media, books::video);
        let locked = books::table.select(columns).for_no_key_update();
        let row: Option<(i64, Option<String>, Option<String>)> = self.run(|conn| match book {
            BookRef::Id(id) => locked.filter(books::id.eq(id.get())).first(conn).optional(),
            BookRef::Subid(subid) => locked.filter(books::subid.eq(subid.as_str())).first(conn).optional(),
        })?;
        let Some((book, media, video)) = row else { return Ok(Vec::new()) };
        let film: Option<(String, String)> = self.run(|conn| {
            films::table
                .find(book)
                .filter(films::media.nullable().eq(&video))
                .select((films::poster, films::captions))
                .first(conn)
                .optional()
        })?;
        let beside = film.map(|(poster, captions)| [poster, captions]);
        Ok([media, video].into_iter().flatten().chain(beside.into_iter().flatten()).collect())
    }
}

impl RecordingStore for Pg<'_> {
    fn put_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError> {
        let of_book = books::id
            .eq(book.get())
            .and(books::media.is_not_distinct_from(instead_of).or(books::media.is_not_distinct_from(&narration.media)));
        let fits =
            self.run(|conn| update(books::table).filter(of_book).set(books::media.eq(&narration.media)).execute(conn))?;
        if fits == 0 {
            return Ok(false);
        }
        let marks: Vec<StoredMark> =
            narration.marks.iter().map(|mark| (mark.section, mark.paragraph, mark.at_ms)).collect();
        let row = (
            narrations::book_id.eq(book.get()),
            narrations::media.eq(&narration.media),
            narrations::duration_ms.eq(millis(narration.duration_ms)?),
            narrations::marks.eq(serde_json::to_value(&marks).map_err(StoreError::new)?),
            narrations::text_hash.eq(&narration.text_hash),
            narrations::voice.eq(&narration.voice),
            narrations::made_at.eq(to_db(narration.made_at)),
        );
        self.run(|conn| {
            insert_into(narrations::table)
                .values(row)
                .on_conflict(narrations::book_id)
                .do_update()
                .set((
                    narrations::media.eq(excluded(narrations::media)),
                    narrations::duration_ms.eq(excluded(narrations::duration_ms)),
                    narrations::marks.eq(excluded(narrations::marks)),
                    narrations::text_hash.eq(excluded(narrations::text_hash)),
                    narrations::voice.eq(excluded(narrations::voice)),
                    narrations::made_at.eq(excluded(narrations::made_at)),
                ))
                .execute(conn)
        })?;
        self.recorded(book);
        Ok(true)
    }

    fn put_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError> {
        let of_book = books::id
            .eq(book.get())
            .and(books::video.is_not_distinct_from(instead_of).or(books::video.is_not_distinct_from(&film.media)));
        let fits =
            self.run(|conn| update(books::table).filter(of_book).set(books::video.eq(&film.media)).execute(conn))?;
        if fits == 0 {
            return Ok(false);
        }
        let row = (
            films::book_id.eq(book.get()),
            films::media.eq(&film.media),
            films::poster.eq(&film.poster),
            films::captions.eq(&film.captions),
            films::duration_ms.eq(millis(film.duration_ms)?),
            films::text_hash.eq(&film.shown_hash),
            films::made_at.eq(to_db(film.made_at)),
        );
        self.run(|conn| {
            insert_into(films::table)
                .values(row)
                .on_conflict(films::book_id)
                .do_update()
                .set((
                    films::media.eq(excluded(films::media)),
                    films::poster.eq(excluded(films::poster)),
                    films::captions.eq(excluded(films::captions)),
                    films::duration_ms.eq(excluded(films::duration_ms)),
                    films::text_hash.eq(excluded(films::text_hash)),
                    films::made_at.eq(excluded(films::made_at)),
                ))
                .execute(conn)
        })?;
        self.recorded(book);
        Ok(true)
    }
}
