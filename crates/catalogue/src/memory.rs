//! The in-memory catalogue, for the tests of this crate and of others that need a catalogue.

mod editing;
mod recordings;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, DAY, DateCursor, GoalId, Limit, Slug, StoreError, TagId, Timestamp,
    VisualId, sort_key,
};

use crate::{
    Author, AuthorCard, AuthorCursor, AuthorDraft, AuthorName, AuthorsQuery, Body, Book, BookCard, BookCursor,
    BookDraft, BookExtras, BookName, BookRecord, BookRef, CLASS_WEIGHTS, CatalogueCommands, CatalogueQueries,
    CatalogueStore, Category, CategoryDraft, CategoryKey, CategoryName, Collection, CollectionDraft, CollectionTies,
    EditedVisual, Film, FilterName, Filters, Goal, GoalDraft, GoalName, GoalPictures, InfographicPeriod, KnownWord,
    Letter, ListQuery, MatchingSection, NEAR_HITS, Narration, RankedBook, Ratings, SEARCHES_KEPT_DAYS,
    SEARCHES_PER_DAY, Search, Sort, Tag, Term, Visual, VisualBook, VisualDraft, VisualSet, VisualsDraft, WideningWords,
    slug_of, stem, words_of,
};

/// An in-memory catalogue.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    authors: Vec<Author>,
    categories: Vec<Category>,
    goals: Vec<Goal>,
    collections: Vec<Collection>,
    books: Vec<Entry>,
    tags: Vec<(TagId, Tag)>,
    /// Each known word, and whether it stands in a title or an author's name.
    words: BTreeMap<String, bool>,
    opens: BTreeMap<(BookId, i64), u64>,
    /// Searches without a result, by day and words.
    unanswered: BTreeMap<(i64, String), u64>,
    trends: HashMap<BookId, f64>,
    narrations: HashMap<BookId, Narration>,
    films: HashMap<BookId, Film>,
    extras: HashMap<BookId, BookExtras>,
    /// The key ideas of each book are in their order.
    visuals: Vec<EditedVisual>,
    visual_sets: BTreeMap<BookId, VisualSet>,
    periods: Vec<InfographicPeriod>,
    /// The greatest id that a visual ever had.
    numbered: i64,
}

#[derive(Clone, Debug)]
struct Entry {
    id: BookId,
    draft: BookDraft,
    body: Body,
    read_count: u64,
    ratings: Ratings,
    updated_at: Timestamp,
}

impl Memory {
    /// An empty catalogue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a book's ratings, which members give in another domain.
    pub fn rate(&mut self, book: BookId, ratings: Ratings) {
        if let Some(entry) = self.books.iter_mut().find(|entry| entry.id == book) {
            entry.ratings = ratings;
        }
    }

    /// The key ideas of a book that readers see.
    fn illustrated(&self, book: BookId) -> Vec<Visual> {
        let of_book = self.visuals.iter().filter(|visual| visual.book == book);
        let seen = of_book.filter_map(|visual| {
            let EditedVisual { id, title, body, image, .. } = visual.clone();
            Some(Visual { id, title, body, image: image? })
        });
        seen.collect()
    }

    /// A book's pictures, with an uploaded infographic in place of the drawn one.
    fn shown_set(&self, set: &VisualSet) -> VisualSet {
        let uploaded = self.extras.get(&set.book).and_then(|extras| extras.infographic.clone());
        set.clone().with_uploaded(uploaded)
    }

    fn next_visual(&mut self) -> VisualId {
        self.numbered = next_id([self.numbered]);
        VisualId::from_store(self.numbered)
    }

    /// Sets a file key in a book's draft to `by`, if it is `instead_of` or already `by`. Returns whether it is `by`
    /// now.
    pub(crate) fn exchange(
        &mut self,
        book: BookId,
        place: impl Fn(&mut BookDraft) -> &mut Option<String>,
        instead_of: Option<&str>,
        by: &str,
    ) -> bool {
        let Some(entry) = self.books.iter_mut().find(|entry| entry.id == book) else { return false };
        let place = place(&mut entry.draft);
        let fits = place.as_deref() == instead_of || place.as_deref() == Some(by);
        if fits {
            *place = Some(by.to_owned());
        }
        fits
    }

    /// A book's id, audio and video; `None` when there is no such book.
    pub(crate) fn audio_and_video(&self, book: &BookRef) -> Option<(BookId, Option<String>, Option<String>)> {
        let entry = self.books.iter().find(|entry| match book {
            BookRef::Id(id) => entry.id == *id,
            BookRef::Subid(subid) => entry.draft.subid == *subid,
        })?;
        Some((entry.id, entry.draft.media.clone(), entry.draft.video.clone()))
    }

    fn published(&self) -> impl Iterator<Item = &Entry> {
        self.books.iter().filter(|entry| entry.draft.published)
    }

    /// The readable books.
    fn readable(&self) -> impl Iterator<Item = &Entry> {
        self.books.iter().filter(|entry| entry.draft.is_counted())
    }

    /// An author with the number of readable books.
    fn counted(&self, author: &Author) -> Author {
        let books = self.readable().filter(|entry| entry.draft.author == author.draft.slug);
        Author { book_count: books.count() as u64, ..author.clone() }
    }

    /// The authors of readable books, in the order of the directory.
    fn directory(&self) -> Vec<(AuthorCard, AuthorCursor)> {
        let mut all: Vec<(AuthorCard, AuthorCursor)> = self
            .authors
            .iter()
            .map(|author| self.counted(author))
            .filter(|author| author.book_count > 0)
            .map(|Author { id, draft, book_count }| {
                let key = AuthorCursor { key: draft.key(), id };
                (
                    AuthorCard { id, slug: draft.slug, name: draft.name, letter: Letter::of_key(&key.key), book_count },
                    key,
                )
            })
            .collect();
        all.sort_by(|(_, one), (_, other)| one.cmp(other));
        all
    }

    fn category(&self, subid: &Slug) -> Option<&Category> {
        self.categories.iter().find(|category| category.draft.subid == *subid)
    }

    fn card(&self, entry: &Entry) -> BookCard {
        let draft = &entry.draft;
        let author = self.authors.iter().find(|author| author.draft.slug == draft.author);
        BookCard {
            id: entry.id,
            subid: draft.subid.clone(),
            title: draft.title.clone(),
            author: AuthorName {
                slug: draft.author.clone(),
                name: author.map(|author| author.draft.name.clone()).unwrap_or_default(),
            },
            image: draft.image.clone(),
            description: draft.description.clone(),
            categories: draft.categories.iter().filter_map(|subid| self.category(subid)).map(category_name).collect(),
            tags: draft.tags.clone(),
            free: draft.free,
            coming_soon: draft.coming_soon,
            is_popular: draft.is_popular,
            upload_date: draft.upload_date,
            media: draft.media.clone(),
            video: draft.video.clone(),
            visuals: u16::try_from(self.illustrated(entry.id).len()).unwrap_or(u16::MAX),
            read_count: entry.read_count,
            words: entry.body.words(),
            ratings: entry.ratings,
        }
    }

    fn fits(&self, entry: &Entry, filters: &Filters) -> bool {
        let draft = &entry.draft;
        let in_category = filters.category.as_ref().is_none_or(|key| {
            self.categories.iter().filter(|category| draft.categories.contains(&category.draft.subid)).any(|category| {
                match key {
                    CategoryKey::Id(id) => category.id == *id,
                    CategoryKey::Subid(subid) => category.draft.subid == *subid,
                }
            })
        });
        let in_collection = filters.collection.is_none_or(|id| {
            let collection = self.collections.iter().find(|collection| collection.id == id);
            collection.is_some_and(|Collection { draft: gathered, .. }| match &gathered.books[..] {
                [] => draft.categories.iter().any(|subid| gathered.categories.contains(subid)),
                books => books.contains(&draft.subid),
            })
        });
        in_category
            && in_collection
            && filters.author.as_ref().is_none_or(|slug| draft.author == *slug)
            && filters.tag.as_ref().is_none_or(|slug| draft.tags.iter().any(|tag| slug_of(tag).as_ref() == Some(slug)))
            && (!filters.audio || draft.media.is_some())
            && (!filters.video || draft.video.is_some())
    }

    fn trend(&self, entry: &Entry) -> f64 {
        self.trends.get(&entry.id).copied().unwrap_or(0.0)
    }

    fn key(&self, entry: &Entry, query: &ListQuery) -> BookCursor {
        let id = entry.id;
        let collection = self.collections.iter().find(|one| Some(one.id) == query.filters.collection);
        let place = collection.and_then(|one| one.draft.books.iter().position(|subid| *subid == entry.draft.subid));
        match (query.sort, place) {
            (Sort::Chosen, Some(place)) => BookCursor::Placed { place: u32::try_from(place).unwrap_or(u32::MAX), id },
            (Sort::New | Sort::Audio | Sort::Video | Sort::Chosen, _) => {
                BookCursor::Date { at: entry.draft.upload_date, id }
            }
            (Sort::Title, _) => BookCursor::Title { key: sort_key(&entry.draft.title), id },
            (Sort::Trending, _) => {
                BookCursor::Trending { trending: self.trend(entry), is_popular: entry.draft.is_popular, id }
            }
        }
    }

    /// The score for recommendations: rating, popularity and age in one number.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    fn merit(entry: &Entry) -> f64 {
        let rating = (entry.ratings.sum as f64 + 17.5) / (entry.ratings.count as f64 + 5.0);
        let popularity = if entry.draft.is_popular { 0.25 } else { 0.0 } + 0.05 * (entry.read_count as f64).ln_1p();
        let years = entry.draft.upload_date.millis().div_euclid(DAY) as f64 / 365.0;
        rating + popularity + 0.1 * years
    }

    /// How a book matches a search, or `None`.
    fn found(&self, entry: &Entry, search: &Search<'_>) -> Option<Found> {
        let draft = &entry.draft;
        let card = self.card(entry);
        let mut ideas: Vec<&str> = draft.tags.iter().map(String::as_str).collect();
        ideas.extend(card.categories.iter().map(|category| category.name.as_str()));
        ideas.extend(entry.body.sections.iter().map(|section| section.title.as_str()));
        let fields = [(draft.title.clone(), 1000.0), (card.author.name.clone(), 600.0), (ideas.join(" "), 300.0)]
            .map(|(text, worth)| (words_of(&text), worth));
        let sections: Vec<Vec<String>> = entry.body.sections.iter().map(|section| stems_of(&section.text)).collect();
        let stems_in = |fields: &[(Vec<String>, f64)]| -> BTreeSet<String> {
            fields.iter().flat_map(|(words, _)| words.iter().map(|word| stem(word))).collect()
        };
        let (in_names, in_headings) = (stems_in(&fields[..2]), stems_in(&fields));
        let everywhere: BTreeSet<String> = in_headings.iter().chain(sections.iter().flatten()).cloned().collect();
        let begins = |words: &[String], term: &Term| {
            term.unfinished && words.iter().any(|word| word.starts_with(term.words[0].as_str()))
        };
        let has = |stems: &BTreeSet<String>, term: &Term| {
            term.words.iter().any(|word| stems.contains(&stem(word)))
                || term.compounds.iter().any(|group| group.iter().all(|word| stems.contains(&stem(word))))
        };
        let is_heading = |term: &Term| has(&in_headings, term) || fields.iter().any(|(words, _)| begins(words, term));
        let typed = &search.terms.terms;
        let is_title =
            !search.terms.title_start.is_empty() && sort_key(&draft.title).starts_with(&search.terms.title_start);
        let has_all = !typed.is_empty() && typed.iter().all(|term| has(&everywhere, term));
        let is_about = match search.near {
            None => {
                is_title || typed.iter().all(is_heading) || (has_all && typed.iter().any(|term| has(&in_names, term)))
            }
            Some(near) => !near.about.is_empty() && near.about.iter().all(|term| has(&in_headings, term)),
        };

        let terms = search.sought().terms;
        let worth_of = |term: &Term| {
            let class =
                search.near.and_then(|near| near.classes.iter().position(|class| class.contains(&term.words[0])));
            class.map_or(1.0, |class| CLASS_WEIGHTS[class])
        };
        let mut score = 0.0;
        let mut hits = vec![0_i64; sections.len()];
        for term in &terms {
            let is_there = |group: &&Vec<String>| group.iter().all(|word| everywhere.contains(&stem(word)));
            let compounds = term.compounds.iter().filter(is_there).flatten();
            let stems: Vec<String> = term.words.iter().chain(compounds).map(|word| stem(word)).collect();
            for (words, worth) in &fields {
                if words.iter().any(|word| stems.contains(&stem(word))) || begins(words, term) {
                    score += worth * worth_of(term);
                }
            }
            for (section, hits) in sections.iter().zip(&mut hits) {
                let count = section.iter().filter(|word| stems.contains(word)).count();
                *hits += i64::try_from(count).unwrap_or(i64::MAX);
            }
        }
        let matches = match search.near {
            None => is_title || has_all || (!typed.is_empty() && typed.iter().all(is_heading)),
            Some(_) => is_title || terms.iter().any(|term| has(&everywhere, term) || is_heading(term)),
        };
        if !matches {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a score has few digits")]
        let mut score = score as i64;
        score += if is_title { 2000 } else { 0 } + hits.iter().max().copied().unwrap_or(0).min(100);
        if search.near.is_some() {
            score += if is_about { 2_000_000 } else { 0 } + if has_all { 1_000_000 } else { 0 };
        }
        let titles: Vec<Vec<String>> = entry.body.sections.iter().map(|section| stems_of(&section.title)).collect();
        let all: BTreeSet<String> = terms.iter().flat_map(Term::all_words).map(|word| stem(word)).collect();
        let best = (0..sections.len())
            .map(|at| (hits[at] + if titles[at].iter().any(|word| all.contains(word)) { 10 } else { 0 }, Reverse(at)))
            .max()
            .filter(|(hits, _)| *hits > 0);
        let section = best.map(|(_, Reverse(at))| &entry.body.sections[at]).map(|section| MatchingSection {
            place: section.place,
            title: section.title.clone(),
            text: section.text.clone(),
            previewed: section.previewed,
        });
        Some(Found { book: RankedBook { card, score, some_about: false, listed: 0, section }, is_about, has_all })
    }
}

/// A book that matches a search.
struct Found {
    book: RankedBook,
    /// Whether the book is about the words.
    is_about: bool,
    /// Whether the book has all typed words.
    has_all: bool,
}

fn category_name(category: &Category) -> CategoryName {
    CategoryName {
        id: category.id,
        subid: category.draft.subid.clone(),
        name: category.draft.name.clone(),
        hue: category.draft.hue,
    }
}

fn stems_of(text: &str) -> Vec<String> {
    words_of(text).iter().map(|word| stem(word)).collect()
}

/// Whether `key` comes after `after` in its list.
fn is_behind(key: &BookCursor, after: &BookCursor) -> bool {
    match (key, after) {
        (BookCursor::Date { at, id }, BookCursor::Date { at: last, id: last_id }) => (at, id) < (last, last_id),
        (BookCursor::Title { key, id }, BookCursor::Title { key: last, id: last_id }) => (key, id) > (last, last_id),
        (
            BookCursor::Trending { trending, is_popular, id },
            BookCursor::Trending { trending: last, is_popular: last_popular, id: last_id },
        ) => trending.total_cmp(last).then_with(|| (is_popular, id).cmp(&(last_popular, last_id))).is_lt(),
        (BookCursor::Placed { place, .. }, BookCursor::Placed { place: last, .. }) => place > last,
        _ => false,
    }
}

/// The id after the greatest existing one.
fn next_id(there: impl IntoIterator<Item = i64>) -> i64 {
    there.into_iter().max().unwrap_or(0).saturating_add(1)
}

fn day_of(now: Timestamp) -> i64 {
    now.millis().div_euclid(DAY)
}

impl CatalogueQueries for Memory {
    fn book(&mut self, book: &BookRef) -> Result<Option<Book>, StoreError> {
        let entry = self.published().find(|entry| match book {
            BookRef::Id(id) => entry.id == *id,
            BookRef::Subid(subid) => entry.draft.subid == *subid,
        });
        Ok(entry.map(|entry| Book {
            card: self.card(entry),
            author_description: self
                .authors
                .iter()
                .find(|author| author.draft.slug == entry.draft.author)
                .map(|author| author.draft.description.clone())
                .unwrap_or_default(),
            quotes: entry.draft.quotes.clone(),
            goals: self
                .goals
                .iter()
                .filter(|goal| entry.draft.goals.contains(&goal.draft.slug))
                .map(|goal| GoalName { id: goal.id, title: goal.draft.title.clone() })
                .collect(),
            body: entry.body.html.clone(),
            truncated_body: entry.body.preview.clone(),
            sections: entry.body.sections.iter().map(|section| section.title.clone()).collect(),
            audio_ms: self
                .narrations
                .get(&entry.id)
                .filter(|narration| entry.draft.media.as_ref() == Some(&narration.media))
                .map(|narration| narration.duration_ms),
            podcast: self.extras_of(entry.id).podcast,
            vector: self.extras_of(entry.id).vector,
            updated_at: entry.updated_at,
        }))
    }

    fn popular_books(&mut self, limit: usize) -> Result<Vec<BookCard>, StoreError> {
        let mut entries: Vec<&Entry> = self.published().filter(|entry| !entry.draft.coming_soon).collect();
        entries.sort_by(|one, other| {
            (other.draft.is_popular.cmp(&one.draft.is_popular))
                .then_with(|| self.trend(other).total_cmp(&self.trend(one)))
                .then_with(|| other.id.cmp(&one.id))
        });
        Ok(entries.into_iter().take(limit).map(|entry| self.card(entry)).collect())
    }

    fn book_count(&mut self) -> Result<u64, StoreError> {
        Ok(self.readable().count() as u64)
    }

    fn book_addresses(&mut self, skipped: u64, limit: u64) -> Result<Vec<(Slug, Timestamp)>, StoreError> {
        let mut entries: Vec<&Entry> = self.readable().collect();
        entries.sort_by_key(|entry| entry.id);
        let behind = entries.into_iter().skip(usize::try_from(skipped).map_err(StoreError::new)?);
        let taken = behind.take(usize::try_from(limit).map_err(StoreError::new)?);
        Ok(taken.map(|entry| (entry.draft.subid.clone(), entry.updated_at)).collect())
    }

    fn categories(&mut self) -> Result<Vec<Category>, StoreError> {
        let mut categories = self.categories.clone();
        for category in &mut categories {
            category.book_count =
                self.readable().filter(|entry| entry.draft.categories.contains(&category.draft.subid)).count() as u64;
        }
        categories.sort_by_key(|category| (category.draft.place, category.id));
        Ok(categories)
    }

    fn goals(&mut self) -> Result<Vec<Goal>, StoreError> {
        let mut goals = self.goals.clone();
        goals.sort_by_key(|goal| (goal.draft.place, goal.id));
        Ok(goals)
    }

    fn letters(&mut self) -> Result<Vec<Letter>, StoreError> {
        let letters: BTreeSet<Letter> =
            self.directory().iter().map(|(_, cursor)| Letter::of_key(&cursor.key)).collect();
        Ok(letters.into_iter().collect())
    }

    fn collection(&mut self, id: CollectionId) -> Result<Option<Collection>, StoreError> {
        Ok(self.collections.iter().find(|collection| collection.id == id).cloned())
    }

    fn author(&mut self, slug: &Slug) -> Result<Option<Author>, StoreError> {
        Ok(self.authors.iter().find(|author| author.draft.slug == *slug).map(|author| self.counted(author)))
    }

    fn author_drafts(&mut self) -> Result<Vec<AuthorDraft>, StoreError> {
        let mut drafts: Vec<AuthorDraft> = self.authors.iter().map(|author| author.draft.clone()).collect();
        drafts.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(drafts)
    }

    fn books_called(&mut self, books: &[Slug]) -> Result<Vec<BookName>, StoreError> {
        let ids: Vec<BookId> =
            self.books.iter().filter(|entry| books.contains(&entry.draft.subid)).map(|entry| entry.id).collect();
        self.find_book_names(&ids)
    }

    fn find_book_draft(&mut self, subid: &Slug) -> Result<Option<(BookId, BookDraft)>, StoreError> {
        let entry = self.books.iter().find(|entry| entry.draft.subid == *subid);
        Ok(entry.map(|entry| (entry.id, entry.draft.clone())))
    }

    fn visuals(&mut self, book: BookId) -> Result<Vec<Visual>, StoreError> {
        Ok(self.illustrated(book))
    }

    fn visual_set(&mut self, book: BookId) -> Result<Option<VisualSet>, StoreError> {
        Ok(self.visual_sets.get(&book).map(|set| self.shown_set(set)))
    }

    fn visuals_draft(&mut self, book: BookId) -> Result<Option<VisualsDraft>, StoreError> {
        let ideas = self.visuals.iter().filter(|visual| visual.book == book).cloned();
        let ideas =
            ideas.map(|EditedVisual { title, body, image, drawing, .. }| VisualDraft { title, body, image, drawing });
        let ideas: Vec<VisualDraft> = ideas.collect();
        if ideas.is_empty() {
            return Ok(None);
        }
        let set = self.visual_sets.get(&book).cloned();
        Ok(Some(VisualsDraft {
            ideas,
            image: set.as_ref().map(|set| set.image.clone()),
            infographic: set.as_ref().and_then(|set| set.infographic.clone()),
            infographic_thumb: set.and_then(|set| set.infographic_thumb),
        }))
    }

    fn visual_books_total(&mut self) -> Result<u64, StoreError> {
        let books = self.readable().filter(|entry| !self.illustrated(entry.id).is_empty()).count();
        Ok(u64::try_from(books).unwrap_or(u64::MAX))
    }

    fn infographic_periods(&mut self) -> Result<Vec<InfographicPeriod>, StoreError> {
        Ok(self.periods.clone())
    }

    fn find_book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError> {
        Ok(self.published().filter(|entry| books.contains(&entry.id)).map(|entry| self.card(entry)).collect())
    }

    fn find_book_names(&mut self, books: &[BookId]) -> Result<Vec<BookName>, StoreError> {
        let wanted = self.books.iter().filter(|entry| books.contains(&entry.id));
        Ok(wanted
            .map(|entry| self.card(entry))
            .map(|card| BookName { id: card.id, subid: card.subid, title: card.title, author: card.author.name })
            .collect())
    }

    fn list_book_cards(&mut self, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError> {
        let mut filters = query.filters.clone();
        filters.audio |= query.sort == Sort::Audio;
        filters.video |= query.sort == Sort::Video;
        let mut rows: Vec<(BookCursor, &Entry)> = self
            .published()
            .filter(|entry| self.fits(entry, &filters))
            .map(|entry| (self.key(entry, query), entry))
            .filter(|(key, _)| query.after.as_ref().is_none_or(|after| is_behind(key, after)))
            .collect();
        rows.sort_by(
            |(one, _), (other, _)| {
                if is_behind(one, other) { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less }
            },
        );
        Ok(rows.into_iter().take(query.limit.get() + 1).map(|(key, entry)| (self.card(entry), key)).collect())
    }

    fn search_book_cards(&mut self, search: &Search<'_>) -> Result<Vec<RankedBook>, StoreError> {
        let mut found: Vec<Found> = self
            .published()
            .filter(|entry| self.fits(entry, search.filters))
            .filter_map(|entry| self.found(entry, search))
            .collect();
        let some_about = found.iter().any(|found| found.is_about);
        found.sort_by_key(|found| Reverse((found.book.score, found.book.card.id)));
        if search.near.is_some() {
            let own = found.iter().filter(|found| found.has_all).count();
            let mut left = if some_about { NEAR_HITS } else { NEAR_HITS.saturating_sub(own) };
            found.retain(|found| {
                let is_listed = found.has_all || (left > 0 && found.is_about == some_about);
                left -= usize::from(is_listed && !found.has_all);
                is_listed
            });
        }
        let listed = found.len();
        let mut found: Vec<RankedBook> =
            found.into_iter().map(|found| RankedBook { some_about, listed, ..found.book }).collect();
        found.retain(|found| search.after.is_none_or(|after| (found.score, found.card.id) < after));
        found.truncate(search.limit.get() + 1);
        Ok(found)
    }

    fn find_unknown_filter(&mut self, filters: &Filters) -> Result<Option<FilterName>, StoreError> {
        let is_category = |key: &CategoryKey| {
            self.categories.iter().any(|one| match key {
                CategoryKey::Id(id) => one.id == *id,
                CategoryKey::Subid(subid) => one.draft.subid == *subid,
            })
        };
        let is_tag = |slug: &Slug| {
            self.published().any(|entry| entry.draft.tags.iter().any(|tag| slug_of(tag).as_ref() == Some(slug)))
        };
        let known = [
            (FilterName::Category, filters.category.as_ref().is_none_or(is_category)),
            (
                FilterName::Collection,
                filters.collection.is_none_or(|id| self.collections.iter().any(|one| one.id == id)),
            ),
            (
                FilterName::Author,
                filters.author.as_ref().is_none_or(|slug| self.authors.iter().any(|one| one.draft.slug == *slug)),
            ),
            (FilterName::Tag, filters.tag.as_ref().is_none_or(is_tag)),
        ];
        Ok(known.into_iter().find(|(_, is_known)| !is_known).map(|(name, _)| name))
    }

    fn known_stems(&mut self, stems: &[String]) -> Result<Vec<String>, StoreError> {
        let known: BTreeSet<String> = self.words.keys().map(|word| stem(word)).collect();
        Ok(stems.iter().filter(|stem| known.contains(*stem)).cloned().collect())
    }

    fn words_beginning(&mut self, beginning: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut words: Vec<String> = self.words.keys().filter(|word| word.starts_with(beginning)).cloned().collect();
        words.sort_by_key(|word| (word.len(), word.clone()));
        words.truncate(limit);
        Ok(words)
    }

    fn words_like(&mut self, _word: &str) -> Result<Vec<KnownWord>, StoreError> {
        let known = self.words.iter().map(|(word, in_name)| KnownWord { word: word.clone(), in_name: *in_name });
        Ok(known.collect())
    }

    fn widening_words(&mut self, stems: &[String], words: &[String]) -> Result<WideningWords, StoreError> {
        let names = self.words.iter().filter(|(_, in_name)| !words.is_empty() && **in_name);
        let names = names.map(|(word, _)| word.clone()).collect();
        Ok(WideningWords { known_stems: self.known_stems(stems)?, names })
    }

    fn best_book_cards(
        &mut self,
        categories: Option<&[CategoryId]>,
        excluded: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError> {
        let mut entries: Vec<(&Entry, BookCard)> = self
            .published()
            .filter(|entry| !entry.draft.coming_soon && !excluded.contains(&entry.id))
            .map(|entry| (entry, self.card(entry)))
            .filter(|(_, card)| {
                categories.is_none_or(|wanted| card.categories.iter().any(|category| wanted.contains(&category.id)))
            })
            .collect();
        entries.sort_by(|(one, _), (other, _)| {
            Self::merit(other).total_cmp(&Self::merit(one)).then_with(|| other.id.cmp(&one.id))
        });
        Ok(entries.into_iter().take(limit).map(|(_, card)| card).collect())
    }

    fn find_free_book(&mut self) -> Result<Option<BookId>, StoreError> {
        Ok(self
            .published()
            .filter(|entry| entry.draft.free && !entry.draft.coming_soon)
            .max_by_key(|entry| (entry.draft.is_popular, entry.draft.upload_date, entry.id))
            .map(|entry| entry.id))
    }

    fn list_authors(&mut self, query: &AuthorsQuery) -> Result<Vec<(AuthorCard, AuthorCursor)>, StoreError> {
        let mut found = self.directory();
        found.retain(|(_, key)| query.letter.is_none_or(|letter| Letter::of_key(&key.key) == letter));
        found.retain(|(_, key)| query.after.as_ref().is_none_or(|after| key > after));
        found.truncate(query.limit.get() + 1);
        Ok(found)
    }

    fn authors_like(&mut self, _text: &str) -> Result<Vec<AuthorCard>, StoreError> {
        Ok(self.directory().into_iter().map(|(author, _)| author).collect())
    }

    fn tags_like(&mut self, _text: &str) -> Result<Vec<Tag>, StoreError> {
        let tags: BTreeSet<Tag> =
            self.published().flat_map(|entry| &entry.draft.tags).filter_map(|name| Tag::named(name)).collect();
        Ok(tags.into_iter().collect())
    }

    fn collections_like(&mut self, _text: &str) -> Result<Vec<Collection>, StoreError> {
        Ok(self.collections.clone())
    }

    fn list_collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Vec<Collection>, StoreError> {
        let key = |collection: &Collection| DateCursor { at: collection.draft.upload_date, id: collection.id };
        let mut found = self.collections.clone();
        found.retain(|collection| after.is_none_or(|after| key(collection) < after));
        found.sort_by_key(|collection| Reverse(key(collection)));
        found.truncate(limit.get() + 1);
        Ok(found)
    }

    fn find_collection_titled(&mut self, title: &str) -> Result<Option<Collection>, StoreError> {
        Ok(self.collections.iter().find(|collection| collection.draft.title == title).cloned())
    }

    fn list_visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError> {
        let books = self.visual_sets.iter().rev().filter(|(id, _)| after.is_none_or(|after| **id < after));
        let most = usize::try_from(limit.with_surplus()).unwrap_or(usize::MAX);
        Ok(books
            .filter_map(|(id, set)| {
                let entry = self.readable().find(|entry| entry.id == *id)?;
                Some(VisualBook {
                    id: self.illustrated(*id).first()?.id,
                    card: self.card(entry),
                    pictures: self.shown_set(set),
                })
            })
            .take(most)
            .collect())
    }
}

impl CatalogueStore for Memory {
    fn put_author(&mut self, author: &AuthorDraft) -> Result<AuthorId, StoreError> {
        if let Some(there) = self.authors.iter_mut().find(|there| there.draft.slug == author.slug) {
            there.draft = author.clone();
            return Ok(there.id);
        }
        let id = AuthorId::from_store(next_id(self.authors.iter().map(|one| one.id.get())));
        self.authors.push(Author { id, draft: author.clone(), book_count: 0 });
        Ok(id)
    }

    fn put_category(&mut self, category: &CategoryDraft) -> Result<CategoryId, StoreError> {
        if let Some(there) = self.categories.iter_mut().find(|there| there.draft.subid == category.subid) {
            there.draft = category.clone();
            return Ok(there.id);
        }
        let id = CategoryId::from_store(next_id(self.categories.iter().map(|one| one.id.get())));
        self.categories.push(Category { id, draft: category.clone(), book_count: 0 });
        Ok(id)
    }

    fn put_goal(&mut self, goal: &GoalDraft) -> Result<GoalId, StoreError> {
        if let Some(there) = self.goals.iter_mut().find(|there| there.draft.slug == goal.slug) {
            there.draft = goal.clone();
            return Ok(there.id);
        }
        let id = GoalId::from_store(next_id(self.goals.iter().map(|one| one.id.get())));
        self.goals.push(Goal { id, draft: goal.clone(), pictures: GoalPictures::default() });
        Ok(id)
    }

    fn put_collection(
        &mut self,
        there: Option<CollectionId>,
        collection: &CollectionDraft,
        _ties: &CollectionTies,
    ) -> Result<CollectionId, StoreError> {
        if let Some(there) = self.collections.iter_mut().find(|one| Some(one.id) == there) {
            there.draft = collection.clone();
            return Ok(there.id);
        }
        let id = CollectionId::from_store(next_id(self.collections.iter().map(|one| one.id.get())));
        self.collections.push(Collection { id, draft: collection.clone() });
        Ok(id)
    }

    fn rename_tag_row(&mut self, tag: TagId, name: &Tag) -> Result<(), StoreError> {
        let Some((_, there)) = self.tags.iter_mut().find(|(id, _)| *id == tag) else { return Ok(()) };
        let before = std::mem::replace(there, name.clone());
        for entry in &mut self.books {
            for one in &mut entry.draft.tags {
                if slug_of(one).as_ref() == Some(&before.slug) {
                    one.clone_from(&name.name);
                }
            }
        }
        Ok(())
    }

    fn put_book(&mut self, book: &BookRecord<'_>) -> Result<BookId, StoreError> {
        for word in &book.vocabulary {
            *self.words.entry(word.clone()).or_default() |= book.name_words.contains(word);
        }
        for tag in book.tags {
            if !self.tags.iter().any(|(_, there)| there.slug == tag.slug) {
                let id = TagId::from_store(next_id(self.tags.iter().map(|(id, _)| id.get())));
                self.tags.push((id, tag.clone()));
            }
        }
        let mut draft = book.draft.clone();
        draft.tags = book.tags.iter().map(|Tag { name, .. }| name.clone()).collect();
        if let Some(there) = self.books.iter_mut().find(|entry| entry.draft.subid == draft.subid) {
            draft.media = draft.media.or_else(|| there.draft.media.take());
            draft.video = draft.video.or_else(|| there.draft.video.take());
            there.draft = draft;
            there.body = book.body.clone();
            there.updated_at = book.now;
            let id = there.id;
            self.note_period(id, book.now);
            return Ok(id);
        }
        let id = BookId::from_store(next_id(self.books.iter().map(|one| one.id.get())));
        let entry = Entry {
            id,
            draft,
            body: book.body.clone(),
            read_count: 0,
            ratings: Ratings::default(),
            updated_at: book.now,
        };
        self.books.push(entry);
        Ok(id)
    }

    fn put_visuals(&mut self, book: BookId, visuals: &VisualsDraft, now: Timestamp) -> Result<(), StoreError> {
        let set = visuals.image.clone().map(|image| VisualSet {
            book,
            image,
            infographic: visuals.infographic.clone(),
            infographic_thumb: visuals.infographic_thumb.clone(),
        });
        self.visuals.retain(|visual| visual.book != book);
        for draft in &visuals.ideas {
            let VisualDraft { title, body, image, drawing } = draft.clone();
            let id = self.next_visual();
            self.visuals.push(EditedVisual { id, book, title, body, image, drawing });
        }
        self.visual_sets.remove(&book);
        self.visual_sets.extend(set.map(|set| (book, set)));
        self.note_period(book, now);
        Ok(())
    }
}

impl CatalogueCommands for Memory {
    fn add_book_opens(&mut self, opens: &HashMap<BookId, u64>, now: Timestamp) -> Result<(), StoreError> {
        for entry in &mut self.books {
            if let Some(count) = opens.get(&entry.id) {
                entry.read_count += count;
                *self.opens.entry((entry.id, day_of(now))).or_default() += count;
            }
        }
        Ok(())
    }

    fn add_unanswered_searches(&mut self, searches: &HashMap<String, u64>, now: Timestamp) -> Result<(), StoreError> {
        let today = day_of(now);
        for (words, count) in searches {
            let is_full = self.unanswered.keys().filter(|(day, _)| *day == today).count() >= SEARCHES_PER_DAY.into();
            let key = (today, words.clone());
            if !is_full || self.unanswered.contains_key(&key) {
                *self.unanswered.entry(key).or_default() += count;
            }
        }
        Ok(())
    }

    fn sweep_unanswered_searches(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let first_kept = day_of(now) - i64::from(SEARCHES_KEPT_DAYS);
        self.unanswered.retain(|(day, _), _| *day >= first_kept);
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    fn refresh_trending(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let today = day_of(now);
        self.trends.clear();
        for ((book, day), count) in &self.opens {
            let age = today - day;
            if (0..14).contains(&age) {
                *self.trends.entry(*book).or_default() += *count as f64 * 0.5_f64.powf(age as f64 / 3.0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use kernel::BookId;

    use super::Memory;
    use crate::{Ratings, contract::Rate};

    fn with_store(case: impl FnOnce(&mut Memory, Rate<'_, Memory>)) {
        case(&mut Memory::new(), &mut |store: &mut Memory, book: BookId, ratings: Ratings| store.rate(book, ratings));
    }

    crate::contract_tests!(with_store);
}
