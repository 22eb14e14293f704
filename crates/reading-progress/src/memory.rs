//! The in-memory store of reading progress, for tests of the rules; it keeps the same contract as Postgres.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use kernel::{
    BookId, CategoryId, DateCursor, Day, Device, Limit, Period, Slug, StoreError, TimeZone, Timestamp, UserId, Year,
};

use crate::{
    AllowanceUse, BookFacts, DEVICES_A_DAY, DayOfReading, DaysOfReading, DueNotice, GoalCommands, GoalQueries,
    GoalSettings, HistoryCondition, HistoryCounts, HistoryEntry, KeptBook, LibraryEntry, NoticeRequest, OpenedBook,
    OpeningRight, Place, ProgressCommands, ProgressFacts, ProgressQueries, ProgressStore, RatedBook, ReadBook,
    ReadTime, ReaderState, Records, Shelf, ShelfCounts, Skill, Visit,
};

#[derive(Clone, Debug)]
struct Reader {
    time_zone: TimeZone,
    invited_friend: bool,
    plans: Vec<Period>,
    recommends: BTreeSet<CategoryId>,
    /// What is counted on which day.
    completed: BTreeSet<(Day, BookId)>,
    /// How many summaries were completed.
    days: BTreeMap<Day, u32>,
    goal: GoalSettings,
    /// Seconds by day and device.
    time: BTreeMap<Day, BTreeMap<Device, u32>>,
}

#[derive(Clone, Debug)]
struct Book {
    facts: BookFacts,
    subid: Slug,
    categories: Vec<CategoryId>,
    published: bool,
    ratings: i64,
    stars: i64,
}

type OfReader<T> = BTreeMap<(UserId, BookId), T>;

/// An in-memory store.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    readers: BTreeMap<UserId, Reader>,
    books: BTreeMap<BookId, Book>,
    categories: BTreeSet<CategoryId>,
    opened: OfReader<(OpeningRight, Timestamp)>,
    history: OfReader<Place>,
    library: OfReader<Timestamp>,
    ratings: OfReader<RatedBook>,
    notices: OfReader<Timestamp>,
}

impl Memory {
    /// Adds a reader.
    pub fn add_reader(&mut self, time_zone: &str) -> UserId {
        let id = UserId::from_store(next(self.readers.keys().last().map(|id| id.get())));
        let reader = Reader {
            time_zone: TimeZone::named(time_zone),
            invited_friend: false,
            plans: Vec::new(),
            recommends: BTreeSet::new(),
            completed: BTreeSet::new(),
            days: BTreeMap::new(),
            goal: GoalSettings::default(),
            time: BTreeMap::new(),
        };
        self.readers.insert(id, reader);
        id
    }

    /// Records that an invitation to a friend of the reader was sent.
    pub fn invite_friend(&mut self, reader: UserId) {
        if let Some(reader) = self.readers.get_mut(&reader) {
            reader.invited_friend = true;
        }
    }

    /// Gives a reader a plan.
    pub fn add_plan(&mut self, reader: UserId, period: Period) {
        if let Some(reader) = self.readers.get_mut(&reader) {
            reader.plans.push(period);
        }
    }

    pub fn add_category(&mut self) -> CategoryId {
        let id = CategoryId::from_store(next(self.categories.last().map(|id| id.get())));
        self.categories.insert(id);
        id
    }

    /// Adds a published book.
    pub fn add_book(&mut self, subid: &Slug, categories: &[CategoryId]) -> BookId {
        let id = BookId::from_store(next(self.books.keys().last().map(|id| id.get())));
        let book = Book {
            facts: BookFacts { id, free: false, coming_soon: false, sections: 0 },
            subid: subid.clone(),
            categories: categories.to_vec(),
            published: true,
            ratings: 0,
            stars: 0,
        };
        self.books.insert(id, book);
        id
    }

    /// Changes the facts about a book.
    pub fn change_book(&mut self, facts: BookFacts) {
        if let Some(book) = self.books.get_mut(&facts.id) {
            book.facts = facts;
        }
    }

    /// Unpublishes a book.
    pub fn unpublish(&mut self, book: BookId) {
        if let Some(book) = self.books.get_mut(&book) {
            book.published = false;
        }
    }

    /// The count and the star sum of a book's ratings.
    pub fn book_ratings(&self, book: BookId) -> (i64, i64) {
        self.books.get(&book).map_or((0, 0), |book| (book.ratings, book.stars))
    }

    /// The published books of a reader's library, each with its shelf.
    fn library_books(&self, reader: UserId) -> OfReader<(Shelf, KeptBook)> {
        let kept = |book: BookId| {
            let key = (reader, book);
            let saved_at = self.library.get(&key).copied();
            let place = self.history.get(&key).filter(|place| place.is_shown());
            let completed_at = place.and_then(|place| place.completed_at);
            let kept = KeptBook {
                entry: LibraryEntry { book, at: saved_at.or(completed_at)? },
                is_saved: saved_at.is_some(),
                position: place.map(Place::position),
                completed: completed_at.is_some(),
            };
            Some((key, (Shelf::of(saved_at.is_some(), place)?, kept)))
        };
        self.books.iter().filter(|(_, book)| book.published).filter_map(|(id, _)| kept(*id)).collect()
    }

    /// A reader's places in published books that are not hidden.
    fn shown_places(&self, reader: UserId) -> impl Iterator<Item = &Place> {
        of(&self.history, reader)
            .filter(|(book, place)| place.is_shown() && self.books.get(book).is_some_and(|book| book.published))
            .map(|(_, place)| place)
    }

    /// A reader's requests for notices, latest first.
    fn notices_of(&self, reader: UserId) -> Vec<NoticeRequest> {
        let mut all: Vec<NoticeRequest> =
            of(&self.notices, reader).map(|(book, at)| NoticeRequest { book, at: *at }).collect();
        all.sort_by_key(|one| Reverse((one.at, one.book)));
        all
    }

    fn counted_use(&self, id: UserId, reader: &Reader) -> AllowanceUse {
        let last = |wanted| {
            let of_reader = self.opened.iter().filter(|((reader, _), _)| *reader == id);
            of_reader.filter(|(_, (by, _))| *by == wanted).map(|(_, (_, at))| *at).max()
        };
        let summaries =
            self.opened.iter().filter(|((reader, _), (by, _))| *reader == id && *by == OpeningRight::Allowance);
        AllowanceUse {
            invited_friend: reader.invited_friend,
            time_zone: reader.time_zone.clone(),
            summaries: u32::try_from(summaries.count()).unwrap_or(u32::MAX),
            last_summary_at: last(OpeningRight::Allowance),
            last_monthly_at: last(OpeningRight::Monthly),
        }
    }

    fn completed_by(&self, reader: UserId) -> Vec<BookId> {
        let of_reader =
            self.history.iter().filter(|((owner, _), place)| *owner == reader && place.completed_at.is_some());
        of_reader.map(|((_, book), _)| *book).collect()
    }

    /// The cursors of a reader's entries of published books for which `at` gives a time, newest first, after the
    /// cursor.
    fn newest<T>(
        &self,
        list: &OfReader<T>,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
        at: impl Fn(BookId, &T) -> Option<Timestamp>,
    ) -> Vec<DateCursor<BookId>> {
        let mut keys: Vec<DateCursor<BookId>> = list
            .iter()
            .filter(|((owner, book), _)| *owner == reader && self.books.get(book).is_some_and(|book| book.published))
            .filter_map(|((_, book), value)| Some(DateCursor { at: at(*book, value)?, id: *book }))
            .filter(|key| after.is_none_or(|after| *key < after))
            .collect();
        keys.sort_unstable_by(|a, b| b.cmp(a));
        keys.truncate(limit.get() + 1);
        keys
    }
}

/// The days on which a reader completed summaries, each with the number of summaries.
fn days_of(reader: &Reader) -> Vec<(Day, u32)> {
    reader.days.iter().map(|(day, count)| (*day, *count)).collect()
}

fn time_of(reader: &Reader) -> Vec<ReadTime> {
    let of_day = |(day, devices): (&Day, &BTreeMap<Device, u32>)| {
        let day = *day;
        let time =
            devices.iter().map(move |(device, seconds)| ReadTime { day, device: device.clone(), seconds: *seconds });
        time.collect::<Vec<_>>()
    };
    reader.time.iter().flat_map(of_day).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The reader's entries of a list, by book.
fn of<T>(list: &OfReader<T>, reader: UserId) -> impl Iterator<Item = (BookId, &T)> {
    list.iter().filter(move |((owner, _), _)| *owner == reader).map(|((_, book), value)| (*book, value))
}

fn next(last: Option<i64>) -> i64 {
    last.unwrap_or(0) + 1
}

impl ProgressQueries for Memory {
    fn book_facts(&mut self, book: BookId) -> Result<Option<BookFacts>, StoreError> {
        Ok(self.books.get(&book).filter(|book| book.published).map(|book| book.facts))
    }

    fn book_facts_named(&mut self, subid: &Slug) -> Result<Option<BookFacts>, StoreError> {
        Ok(self.books.values().find(|book| book.published && book.subid == *subid).map(|book| book.facts))
    }

    fn books_opened_by(
        &mut self,
        reader: UserId,
        rights: &[OpeningRight],
        limit: Limit,
    ) -> Result<Vec<BookId>, StoreError> {
        let of_reader = self.opened.iter().filter(|((owner, _), (by, _))| *owner == reader && rights.contains(by));
        let mut opened: Vec<(Timestamp, BookId)> = of_reader.map(|((_, book), (_, at))| (*at, *book)).collect();
        opened.sort_unstable_by(|a, b| b.cmp(a));
        Ok(opened.into_iter().map(|(_, book)| book).take(limit.get()).collect())
    }

    fn place_of(&mut self, reader: UserId, book: BookId) -> Result<Option<Place>, StoreError> {
        Ok(self.history.get(&(reader, book)).cloned())
    }

    fn begun_books(&mut self, reader: UserId) -> Result<Vec<(BookId, bool)>, StoreError> {
        Ok(of(&self.history, reader).map(|(book, place)| (book, place.completed_at.is_some())).collect())
    }

    fn completed_among(&mut self, readers: &[UserId], books: &[BookId]) -> Result<Vec<(UserId, BookId)>, StoreError> {
        let is_wanted = |(reader, book): &(UserId, BookId)| readers.contains(reader) && books.contains(book);
        let places = self.history.iter().filter(|(key, _)| is_wanted(key));
        let completed = places.filter(|(_, place)| place.completed_at.is_some() && place.is_shown());
        Ok(completed.map(|(key, _)| *key).collect())
    }

    fn requested_notices(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError> {
        Ok(self.notices_of(reader).into_iter().map(|one| one.book).collect())
    }

    fn last_opened_at(&mut self, reader: UserId) -> Result<Option<Timestamp>, StoreError> {
        let opened = of(&self.opened, reader).map(|(_, (_, at))| *at);
        let seen = of(&self.history, reader).map(|(_, place)| place.seen_at);
        Ok(opened.chain(seen).max())
    }

    fn shelf_counts(&mut self, reader: UserId) -> Result<ShelfCounts, StoreError> {
        let library = self.library_books(reader);
        let number = |wanted| library.values().map(|(shelf, _)| u64::from(*shelf == wanted)).sum();
        let [reading, finished, saved] = [Shelf::Reading, Shelf::Finished, Shelf::Saved].map(number);
        Ok(ShelfCounts { reading, finished, saved })
    }

    fn history_counts(&mut self, reader: UserId) -> Result<HistoryCounts, StoreError> {
        let mut counts = HistoryCounts::default();
        for place in self.shown_places(reader) {
            counts.all += 1;
            counts.completed += u64::from(place.completed_at.is_some());
        }
        Ok(counts)
    }

    fn section_counts_of(&mut self, books: &[BookId]) -> Result<Vec<(BookId, u32)>, StoreError> {
        let known = books.iter().filter_map(|id| self.books.get(id));
        Ok(known.map(|book| (book.facts.id, book.facts.sections)).collect())
    }

    fn reader_state_of(&mut self, reader: UserId, book: BookId) -> Result<Option<ReaderState>, StoreError> {
        let key = (reader, book);
        Ok(self.readers.get(&reader).map(|found| ReaderState {
            allowance: self.counted_use(reader, found),
            opened: self.opened.get(&key).map(|(by, _)| *by),
            place: self.history.get(&key).cloned(),
            in_library: self.library.contains_key(&key),
            rating: self.ratings.get(&key).map(|rated| rated.rating.clone()),
        }))
    }

    fn progress_facts_of(&mut self, reader: UserId) -> Result<Option<ProgressFacts>, StoreError> {
        let Some(found) = self.readers.get(&reader) else { return Ok(None) };
        let completed = self.completed_by(reader);
        let mut counts: BTreeMap<CategoryId, u32> = BTreeMap::new();
        for category in completed.iter().filter_map(|book| self.books.get(book)).flat_map(|book| &book.categories) {
            *counts.entry(*category).or_default() += 1;
        }
        let places = of(&self.history, reader);
        let mut completions: Vec<Timestamp> = places.filter_map(|(_, place)| place.completed_at).collect();
        completions.sort_unstable();
        let finished = self.shown_places(reader).map(|place| u32::from(place.completed_at.is_some())).sum();
        Ok(Some(ProgressFacts {
            time_zone: found.time_zone.clone(),
            completions,
            finished,
            days: days_of(found),
            skills: counts.into_iter().map(|(category, count)| Skill { category, count }).collect(),
        }))
    }

    fn find_recommends(&mut self, reader: UserId) -> Result<Option<Vec<CategoryId>>, StoreError> {
        Ok(self.readers.get(&reader).map(|reader| reader.recommends.iter().copied().collect()))
    }

    fn history_after(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let keys =
            self.newest(&self.history, reader, after, limit, |_, place| place.is_shown().then_some(place.seen_at));
        let entry = |key: &DateCursor<BookId>| Some(HistoryEntry::of(key.id, self.history.get(&(reader, key.id))?));
        Ok(keys.iter().filter_map(entry).collect())
    }

    fn library_after(
        &mut self,
        reader: UserId,
        on: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<KeptBook>, StoreError> {
        let library = self.library_books(reader);
        let keys =
            self.newest(&library, reader, after, limit, |_, (shelf, kept)| on.holds(*shelf).then_some(kept.entry.at));
        Ok(keys.into_iter().filter_map(|key| library.get(&(reader, key.id)).map(|(_, kept)| *kept)).collect())
    }

    fn reader_records(&mut self, reader: UserId) -> Result<Option<Records>, StoreError> {
        let Some(found) = self.readers.get(&reader) else { return Ok(None) };
        let mut records = Records {
            recommends: found.recommends.iter().copied().collect(),
            opened: of(&self.opened, reader).map(|(book, &(by, at))| OpenedBook { book, by, at }).collect(),
            history: of(&self.history, reader).map(|(book, place)| ReadBook { book, place: place.clone() }).collect(),
            days: days_of(found),
            library: of(&self.library, reader).map(|(book, at)| LibraryEntry { book, at: *at }).collect(),
            ratings: of(&self.ratings, reader).map(|(_, rated)| rated.clone()).collect(),
            notices: self.notices_of(reader),
            goal: found.goal,
            time: time_of(found),
        };
        records.opened.sort_by_key(|one| Reverse((one.at, one.book)));
        records.history.sort_by_key(|one| Reverse((one.place.seen_at, one.book)));
        records.library.sort_by_key(|one| Reverse((one.at, one.book)));
        records.ratings.sort_by_key(|one| Reverse((one.updated_at, one.book)));
        Ok(Some(records))
    }
}

impl ProgressCommands for Memory {
    fn hide_history(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        if let Some(place) = self.history.get_mut(&(reader, book)) {
            *place = place.clone().hidden(at);
        }
        Ok(())
    }

    fn show_history(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        if let Some(place) = self.history.get_mut(&(reader, book)) {
            *place = place.clone().shown();
        }
        Ok(())
    }

    fn add_to_library(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        self.library.entry((reader, book)).or_insert(at);
        Ok(())
    }

    fn remove_from_library(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        self.library.remove(&(reader, book));
        Ok(())
    }

    fn withdraw_notice(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError> {
        self.notices.remove(&(reader, book));
        Ok(())
    }

    fn take_due_notices(&mut self, limit: Limit) -> Result<Vec<DueNotice>, StoreError> {
        let can_be_read = |book| self.books.get(&book).is_some_and(|book| book.published && !book.facts.coming_soon);
        let mut due: Vec<(Timestamp, UserId, BookId)> = self
            .notices
            .iter()
            .filter(|((_, book), _)| can_be_read(*book))
            .map(|((reader, book), at)| (*at, *reader, *book))
            .collect();
        due.sort_unstable();
        due.truncate(limit.get());
        for (_, reader, book) in &due {
            self.notices.remove(&(*reader, *book));
        }
        Ok(due.into_iter().map(|(_, reader, book)| DueNotice { reader, book }).collect())
    }
}

impl GoalQueries for Memory {
    fn days_of_reading(&mut self, reader: UserId, from: Day, to: Day) -> Result<Option<DaysOfReading>, StoreError> {
        let Some(found) = self.readers.get(&reader) else { return Ok(None) };
        let days: BTreeSet<Day> = found.days.keys().chain(found.time.keys()).copied().collect();
        let stored = |day: Day| {
            let seconds =
                found.time.get(&day).map_or(0, |by_device| by_device.values().map(|one| u64::from(*one)).sum());
            DayOfReading::new(day, seconds, found.days.get(&day).copied().unwrap_or(0))
        };
        let days = days.range(from..=to).map(|day| stored(*day)).collect();
        Ok(Some(DaysOfReading { time_zone: found.time_zone.clone(), settings: found.goal, days }))
    }

    fn completions_within(
        &mut self,
        reader: UserId,
        range: Range<Timestamp>,
    ) -> Result<Vec<(BookId, Timestamp)>, StoreError> {
        let is_published = |book: &BookId| self.books.get(book).is_some_and(|book| book.published);
        let mut found: Vec<(Timestamp, BookId)> = of(&self.history, reader)
            .filter(|(book, place)| place.is_shown() && is_published(book))
            .filter_map(|(book, place)| Some((place.completed_at.filter(|at| range.contains(at))?, book)))
            .collect();
        found.sort_unstable();
        Ok(found.into_iter().map(|(at, book)| (book, at)).collect())
    }

    fn years_of_reading(&mut self, reader: UserId) -> Result<Vec<Year>, StoreError> {
        let Some(found) = self.readers.get(&reader) else { return Ok(Vec::new()) };
        let years: BTreeSet<Year> = found.days.keys().chain(found.time.keys()).map(|day| day.year()).collect();
        Ok(years.into_iter().collect())
    }
}

impl GoalCommands for Memory {
    fn save_goal_settings(&mut self, reader: UserId, settings: GoalSettings) -> Result<(), StoreError> {
        if let Some(reader) = self.readers.get_mut(&reader) {
            reader.goal = settings;
        }
        Ok(())
    }

    fn merge_reading_time(&mut self, reader: UserId, device: &Device, days: &[(Day, u32)]) -> Result<(), StoreError> {
        let Some(reader) = self.readers.get_mut(&reader) else { return Ok(()) };
        for (day, seconds) in days {
            let devices = reader.time.entry(*day).or_default();
            if devices.contains_key(device) || number(devices.len()) < DEVICES_A_DAY {
                let total = devices.entry(device.clone()).or_default();
                *total = (*total).max(*seconds);
            }
        }
        Ok(())
    }
}

impl ProgressStore for Memory {
    fn lock_reader(&mut self, reader: UserId) -> Result<Option<TimeZone>, StoreError> {
        Ok(self.readers.get(&reader).map(|reader| reader.time_zone.clone()))
    }

    fn record_open(&mut self, reader: UserId, book: BookId, by: OpeningRight, at: Timestamp) -> Result<(), StoreError> {
        self.opened.insert((reader, book), (by, at));
        Ok(())
    }

    fn merge_visit(
        &mut self,
        reader: UserId,
        book: BookId,
        visit: &Visit,
        condition: &HistoryCondition,
    ) -> Result<Option<Place>, StoreError> {
        let key = (reader, book);
        let Some(found) = self.readers.get(&reader) else { return Ok(None) };
        let opened = self.opened.get(&key);
        let ran_at = |at| found.plans.iter().any(|plan| plan.contains(at));
        let is_met = condition.every_reader
            || opened.is_some_and(|(by, _)| condition.opened_by.contains(by))
            || ran_at(condition.plan_at)
            || (opened.is_some() && ran_at(condition.plan_at_if_opened));
        if !is_met {
            return Ok(None);
        }
        let merged = self.history.remove(&key).map_or_else(|| Place::first(visit), |place| place.merged(visit));
        self.history.insert(key, merged.clone());
        Ok(Some(merged))
    }

    fn mark_completed(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        if let Some(place) = self.history.get_mut(&(reader, book)) {
            *place = place.clone().completed(at);
        }
        Ok(())
    }

    fn count_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError> {
        let Some(reader) = self.readers.get_mut(&reader) else { return Ok(()) };
        if reader.completed.insert((day, book)) {
            *reader.days.entry(day).or_default() += 1;
        }
        Ok(())
    }

    fn mark_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError> {
        if let Some(reader) = self.readers.get_mut(&reader) {
            reader.completed.insert((day, book));
        }
        Ok(())
    }

    fn raise_reading_days(&mut self, reader: UserId, days: &[(Day, u32)]) -> Result<(), StoreError> {
        let Some(reader) = self.readers.get_mut(&reader) else { return Ok(()) };
        for (day, count) in days {
            let completed = reader.days.entry(*day).or_default();
            *completed = (*completed).max(*count);
        }
        Ok(())
    }

    fn find_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError> {
        Ok(self.ratings.get(&(reader, book)).cloned())
    }

    fn put_rating(&mut self, reader: UserId, rated: &RatedBook) -> Result<(), StoreError> {
        self.ratings.insert((reader, rated.book), rated.clone());
        Ok(())
    }

    fn delete_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError> {
        Ok(self.ratings.remove(&(reader, book)))
    }

    fn add_to_book_ratings(&mut self, book: BookId, count: i64, stars: i64) -> Result<(), StoreError> {
        if let Some(book) = self.books.get_mut(&book) {
            book.ratings += count;
            book.stars += stars;
        }
        Ok(())
    }

    fn insert_notice_request(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
        self.notices.entry((reader, book)).or_insert(at);
        Ok(())
    }

    fn replace_recommends(&mut self, reader: UserId, categories: &[CategoryId]) -> Result<bool, StoreError> {
        let known: BTreeSet<CategoryId> =
            categories.iter().copied().filter(|category| self.categories.contains(category)).collect();
        let all = known.len() == categories.len();
        if let Some(reader) = self.readers.get_mut(&reader) {
            reader.recommends = known;
        }
        Ok(all)
    }

    fn delete_reader_records(&mut self, reader: UserId) -> Result<Vec<RatedBook>, StoreError> {
        let ratings = of(&self.ratings, reader).map(|(_, rated)| rated.clone()).collect();
        self.opened.retain(|(owner, _), _| *owner != reader);
        self.history.retain(|(owner, _), _| *owner != reader);
        self.library.retain(|(owner, _), _| *owner != reader);
        self.ratings.retain(|(owner, _), _| *owner != reader);
        self.notices.retain(|(owner, _), _| *owner != reader);
        if let Some(found) = self.readers.get_mut(&reader) {
            found.recommends.clear();
            found.completed.clear();
            found.days.clear();
            found.goal = GoalSettings::default();
            found.time.clear();
        }
        Ok(ratings)
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::{
        BookFacts, ProgressError, ProgressStore,
        contract::{STEPS, World, counts_agree_after},
    };
    use kernel::{BookId, CategoryId, Period, Slug, UserId};
    use proptest::{prelude::*, sample::select};

    /// Memory with transactions: a failed one is rolled back.
    #[derive(Default)]
    struct MemoryWorld(Memory);

    impl World for MemoryWorld {
        fn add_reader(&mut self, time_zone: &str) -> UserId {
            self.0.add_reader(time_zone)
        }

        fn invite_friend(&mut self, reader: UserId) {
            self.0.invite_friend(reader);
        }

        fn add_plan(&mut self, reader: UserId, period: Period) {
            self.0.add_plan(reader, period);
        }

        fn add_category(&mut self) -> CategoryId {
            self.0.add_category()
        }

        fn add_book(&mut self, subid: &Slug, categories: &[CategoryId]) -> BookId {
            self.0.add_book(subid, categories)
        }

        fn change_book(&mut self, facts: BookFacts) {
            self.0.change_book(facts);
        }

        fn unpublish(&mut self, book: BookId) {
            self.0.unpublish(book);
        }

        fn book_ratings(&mut self, book: BookId) -> (i64, i64) {
            self.0.book_ratings(book)
        }

        fn transaction<T>(
            &mut self,
            work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, ProgressError>,
        ) -> Result<T, ProgressError> {
            let before = self.0.clone();
            let answer = work(&mut self.0);
            if answer.is_err() {
                self.0 = before;
            }
            answer
        }
    }

    crate::contract_tests!(MemoryWorld::default());

    proptest! {
        #[test]
        fn counts_agree_after_any_steps(steps in prop::collection::vec((0..3_usize, select(&STEPS)), 0..24)) {
            counts_agree_after(&mut MemoryWorld::default(), &steps);
        }
    }
}
