//! Whole answers, serialised and compressed once.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
};
use bytes::Bytes;
use kernel::{BookId, SECOND, Timestamp, UserId};
use media::Encoding;
use moka::sync::Cache;
use sha2::{Digest, Sha256};

use super::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Epoch, Epochs, Scope};

/// An answer as it goes out: its bytes, and the same compressed.
#[derive(Debug)]
pub struct Encoded {
    plain: Bytes,
    /// Made when the first client asks for it; never for what is personal.
    gzip: OnceLock<Option<Bytes>>,
    brotli: OnceLock<Option<Bytes>>,
    is_compressible: bool,
    etag: HeaderValue,
    content_type: HeaderValue,
}

/// Below this many bytes compression costs more than it spares.
const WORTH_COMPRESSING: usize = 860;

impl Encoded {
    /// Public bytes: compressed once, when the first client takes them so. Never for what carries a token or anything
    /// personal: a compressed secret beside text that a stranger chooses can be guessed from its length.
    pub fn public(bytes: Vec<u8>, content_type: &'static str) -> Self {
        let is_compressible = bytes.len() >= WORTH_COMPRESSING;
        Self { is_compressible, ..Self::personal(bytes, content_type) }
    }

    /// Bytes that go out as they are.
    pub fn personal(bytes: Vec<u8>, content_type: &'static str) -> Self {
        let hash = Sha256::digest(&bytes);
        let tag = hex::encode(&hash[..12]);
        Self {
            plain: Bytes::from(bytes),
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
            is_compressible: false,
            // Weak: the same answer in other encodings.
            etag: HeaderValue::from_str(&format!("W/\"{tag}\"")).expect("hexadecimal digits"),
            content_type: HeaderValue::from_static(content_type),
        }
    }

    /// The size in memory, in bytes: with the compressed forms that may come, a third each.
    fn weight(&self) -> u32 {
        let forms = if self.is_compressible { self.plain.len() * 2 / 3 } else { 0 };
        u32::try_from(self.plain.len() + forms + 400).unwrap_or(u32::MAX)
    }

    /// The bytes in the best form that a client takes, and the form's name.
    fn form_for(&self, accepted: &str) -> (&Bytes, Option<&'static str>) {
        if self.is_compressible {
            for (encoding, form) in [(Encoding::Brotli, &self.brotli), (Encoding::Gzip, &self.gzip)] {
                if accepts(accepted, encoding.name()) {
                    let made = form.get_or_init(|| encoding.compress(&self.plain).map(Bytes::from));
                    if let Some(bytes) = made {
                        return (bytes, Some(encoding.name()));
                    }
                }
            }
        }
        (&self.plain, None)
    }

    /// Answers a request with these bytes: `304` when the client has them, otherwise in the best encoding it takes.
    pub fn respond(
        &self,
        request: &HttpRequest,
        status: actix_web::http::StatusCode,
        cache_control: &'static str,
    ) -> HttpResponse {
        let vary = HeaderValue::from_static("Accept-Encoding, Authorization");
        if status.is_success()
            && request.headers().get(header::IF_NONE_MATCH).is_some_and(|sent| matches(sent, &self.etag))
        {
            return HttpResponse::NotModified()
                .insert_header((header::ETAG, self.etag.clone()))
                .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(cache_control)))
                .insert_header((header::VARY, vary))
                .finish();
        }
        let accepted =
            request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let (body, encoding) = self.form_for(accepted);
        let mut response = HttpResponse::build(status);
        response
            .insert_header((header::CONTENT_TYPE, self.content_type.clone()))
            .insert_header((header::ETAG, self.etag.clone()))
            .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(cache_control)))
            .insert_header((header::VARY, vary));
        if let Some(encoding) = encoding {
            response.insert_header((header::CONTENT_ENCODING, HeaderValue::from_static(encoding)));
        }
        response.body(body.clone())
    }
}

fn matches(sent: &HeaderValue, etag: &HeaderValue) -> bool {
    let strip = |text: &str| text.trim().trim_start_matches("W/").to_owned();
    match (sent.to_str(), etag.to_str()) {
        (Ok(sent), Ok(etag)) => sent.trim() == "*" || sent.split(',').any(|one| strip(one) == strip(etag)),
        _ => false,
    }
}

/// Whether a list of encodings names this one without refusing it.
pub(crate) fn accepts(list: &str, encoding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';');
        parts.next().is_some_and(|name| name.trim().eq_ignore_ascii_case(encoding))
            && !parts.any(|parameter| {
                parameter.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).is_some_and(|q| q <= 0.0)
            })
    })
}

/// An answer in memory.
#[derive(Clone, Debug)]
pub struct CachedAnswer {
    /// The bytes.
    pub encoded: Arc<Encoded>,
    /// When it stops being right by itself, as a plan that ends.
    pub valid_until: Option<Timestamp>,
    read_at: Timestamp,
    reader: Epoch,
    catalogue: CatalogueStamp,
}

/// An answer that may be cached.
#[derive(Debug)]
pub struct Cacheable {
    /// The bytes.
    pub encoded: Encoded,
    /// When it stops being right by itself.
    pub valid_until: Option<Timestamp>,
    /// What it is made of: which changes invalidate it.
    pub scope: Scope,
}

/// Answers by who they are for and what was asked.
#[derive(Debug)]
pub struct Answers {
    entries: Cache<(i64, Box<str>), CachedAnswer>,
    readers: Epochs,
    catalogue: CatalogueVersions,
    enabled: bool,
    held: AtomicBool,
}

/// Stands for everybody who is not signed in.
const VISITOR: i64 = 0;

/// The versions before an answer is read, and when that was.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    at: Timestamp,
    reader: Epoch,
    catalogue: CatalogueSnapshot,
}

impl Answers {
    /// The most memory that answers may take, in bytes.
    const MOST: u64 = 48 * 1024 * 1024;
    /// What nobody announces (opens, trends) is at most this late, in milliseconds.
    const OLDEST: i64 = 30 * SECOND;
    /// How long an answer is kept for the time when the database is gone.
    const KEPT: Duration = Duration::from_mins(5);

    /// An empty memory; one that stays empty when caching is off.
    pub fn new(enabled: bool) -> Self {
        let entries = Cache::builder()
            .max_capacity(Self::MOST)
            .weigher(|_: &(i64, Box<str>), answer: &CachedAnswer| answer.encoded.weight())
            .time_to_live(Self::KEPT)
            .build();
        let (readers, catalogue) = (Epochs::default(), CatalogueVersions::default());
        Self { entries, readers, catalogue, enabled, held: AtomicBool::new(false) }
    }

    /// Take this before reading what the answer is made of.
    pub fn begin(&self, reader: Option<UserId>, now: Timestamp) -> Begun {
        Begun { at: now, reader: self.readers.of(subject(reader)), catalogue: self.catalogue.snapshot() }
    }

    /// The answer to this question for this reader (a visitor: `None`), if it is still right.
    pub fn get(&self, reader: Option<UserId>, question: &str, now: Timestamp) -> Option<Arc<Encoded>> {
        if !self.enabled {
            return None;
        }
        let answer = self.entries.get(&(subject(reader), question.into()))?;
        let right = answer.reader == self.readers.of(subject(reader))
            && self.catalogue.is_current(answer.catalogue)
            && (now.since(answer.read_at) < Self::OLDEST || self.held.load(Ordering::SeqCst))
            && answer.valid_until.is_none_or(|end| now < end);
        right.then_some(answer.encoded)
    }

    /// Remembers an answer.
    pub fn put(&self, reader: Option<UserId>, question: &str, begun: Begun, answer: Cacheable) -> Arc<Encoded> {
        let Cacheable { encoded, valid_until, scope } = answer;
        let encoded = Arc::new(encoded);
        let stamp = self.catalogue.stamp(begun.catalogue, scope);
        if let Some(catalogue) = stamp.filter(|_| self.enabled) {
            let Begun { at: read_at, reader: version, .. } = begun;
            let answer =
                CachedAnswer { encoded: Arc::clone(&encoded), valid_until, read_at, reader: version, catalogue };
            self.entries.insert((subject(reader), question.into()), answer);
        }
        encoded
    }

    /// The answer to this question for this reader: out of the cache, or what `make` makes.
    pub async fn get_or_make<E>(
        &self,
        reader: Option<UserId>,
        question: &str,
        now: Timestamp,
        make: impl AsyncFnOnce() -> Result<Cacheable, E>,
    ) -> Result<Arc<Encoded>, E> {
        if let Some(answer) = self.get(reader, question, now) {
            return Ok(answer);
        }
        let begun = self.begin(reader, now);
        let answer = make().await?;
        Ok(self.put(reader, question, begun, answer))
    }

    /// Something of this reader's changed.
    pub fn forget_reader(&self, reader: UserId) {
        self.readers.forget(reader.get());
    }

    /// Invalidates the answers of a book, and all lists: any of them may name it.
    pub fn invalidate_book(&self, book: BookId) {
        self.catalogue.invalidate_book(book);
    }

    /// Invalidates all answers that are made of the catalogue.
    pub fn invalidate_catalogue(&self) {
        self.catalogue.invalidate_all();
    }

    /// The database is gone: what is here is served on, however old, until [`Answers::forget_all`].
    pub fn hold(&self) {
        self.held.store(true, Ordering::SeqCst);
    }

    /// Anything may have changed.
    pub fn forget_all(&self) {
        self.held.store(false, Ordering::SeqCst);
        self.readers.forget_all();
        self.catalogue.invalidate_all();
    }
}

fn subject(reader: Option<UserId>) -> i64 {
    reader.map_or(VISITOR, UserId::get)
}

/// The content type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The content type of pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Makes JSON answers without a detour through a response body.
pub(crate) fn json_bytes(value: &impl serde::Serialize) -> Result<Vec<u8>, crate::error::ApiError> {
    serde_json::to_vec(value).map_err(crate::error::ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::{Answers, Begun, Cacheable, Encoded, JSON, Scope, accepts};
    use kernel::{BookId, Timestamp, UserId};

    const NOW: Timestamp = Timestamp::from_millis(1_000);
    const ADA: UserId = UserId::from_store(1);
    const GRACE: UserId = UserId::from_store(2);

    fn put(answers: &Answers, reader: Option<UserId>, question: &str, scope: Scope, valid_until: Option<Timestamp>) {
        put_begun(answers, reader, question, answers.begin(reader, NOW), scope, valid_until);
    }

    fn put_begun(
        answers: &Answers,
        reader: Option<UserId>,
        question: &str,
        begun: Begun,
        scope: Scope,
        valid_until: Option<Timestamp>,
    ) {
        let encoded = Encoded::personal(b"{}".to_vec(), JSON);
        answers.put(reader, question, begun, Cacheable { encoded, valid_until, scope });
    }

    #[test]
    fn an_encoding_is_accepted_by_name_unless_its_quality_is_zero() {
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("br;q=0.5", "br"));
        assert!(!accepts("gzip;q=0, identity", "gzip"));
        assert!(!accepts("", "gzip"));
    }

    #[test]
    fn a_change_of_one_reader_leaves_the_other_readers_answers() {
        let answers = Answers::new(true);
        for reader in [ADA, GRACE] {
            put(&answers, Some(reader), "q", Scope::Lists, None);
        }
        answers.forget_reader(ADA);
        assert!(answers.get(Some(ADA), "q", NOW).is_none());
        assert!(answers.get(Some(GRACE), "q", NOW).is_some());
        answers.invalidate_catalogue();
        assert!(answers.get(Some(GRACE), "q", NOW).is_none());
    }

    #[test]
    fn a_saved_book_drops_its_own_answers_and_lists_and_leaves_those_of_other_books() {
        let answers = Answers::new(true);
        let (a, b) = (BookId::from_store(1), BookId::from_store(2));
        for reader in [None, Some(ADA)] {
            put(&answers, reader, "book a", Scope::Book(a), None);
            put(&answers, reader, "book b", Scope::Book(b), None);
            put(&answers, reader, "list", Scope::Lists, None);
        }
        answers.invalidate_book(a);
        for reader in [None, Some(ADA)] {
            assert!(answers.get(reader, "book a", NOW).is_none());
            assert!(answers.get(reader, "list", NOW).is_none());
            assert!(answers.get(reader, "book b", NOW).is_some());
        }
        answers.invalidate_catalogue();
        assert!(answers.get(None, "book b", NOW).is_none());
    }

    #[test]
    fn an_answer_read_before_a_change_is_not_served_after_it() {
        let answers = Answers::new(true);
        let begun = answers.begin(Some(ADA), NOW);
        answers.forget_reader(ADA);
        put_begun(&answers, Some(ADA), "q", begun, Scope::Lists, None);
        assert!(answers.get(Some(ADA), "q", NOW).is_none());

        let book = BookId::from_store(1);
        let begun = answers.begin(None, NOW);
        answers.invalidate_book(book);
        put_begun(&answers, None, "book", begun, Scope::Book(book), None);
        put_begun(&answers, None, "list", begun, Scope::Lists, None);
        assert!(answers.get(None, "book", NOW).is_none() && answers.get(None, "list", NOW).is_none());
    }

    #[test]
    fn an_answer_expires_with_the_plan_that_it_depends_on() {
        let answers = Answers::new(true);
        put(&answers, Some(ADA), "q", Scope::Lists, Some(NOW.plus(10)));
        assert!(answers.get(Some(ADA), "q", NOW).is_some());
        assert!(answers.get(Some(ADA), "q", NOW.plus(10)).is_none());
    }

    #[test]
    fn an_answer_expires_after_30_seconds_unless_the_database_is_down() {
        let answers = Answers::new(true);
        put(&answers, None, "q", Scope::Lists, None);
        let (young, old) = (NOW.plus(29_999), NOW.plus(30_000));
        assert!(answers.get(None, "q", young).is_some() && answers.get(None, "q", old).is_none());
        answers.hold();
        assert!(answers.get(None, "q", old).is_some());
        answers.forget_all();
        put(&answers, None, "q", Scope::Lists, None);
        assert!(answers.get(None, "q", old).is_none(), "the database is back");
    }
}
