//! The in-memory store's queries and commands for editors.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, GoalId, ListTotal, Slug, StoreError, TagId, Timestamp, VisualId, fold,
    sort_key,
};

use super::{Entry, Memory, day_of};
use crate::{
    Author, BookExtras, BookState, EditedVisual, EditingCommands, EditingQueries, FEWEST_SEARCHES, GoalPicture,
    InfographicPeriod, Lacking, ListedAuthor, ListedBook, ListedFilter, ListedQuery, ListedSort, ListedTag, NamesQuery,
    Naming, SEARCH_DAYS, SearchCount, VisualSet, slug_of, thumb_of_infographic,
};

impl Memory {
    pub(super) fn extras_of(&self, book: BookId) -> BookExtras {
        self.extras.get(&book).cloned().unwrap_or_default()
    }

    /// Begins or ends the period in which a book's infographic is available.
    pub(super) fn note_period(&mut self, book: BookId, now: Timestamp) {
        let set = self.visual_sets.get(&book).map(|set| self.shown_set(set));
        let is_shown =
            set.is_some_and(|set| set.infographic.is_some()) && self.readable().any(|entry| entry.id == book);
        let open = self.periods.iter_mut().find(|one| one.book == book && one.until.is_none());
        match (open, is_shown) {
            (Some(open), false) => open.until = Some(open.from.max(now)),
            (None, true) => {
                self.periods.retain(|one| (one.book, one.from) != (book, now));
                self.periods.push(InfographicPeriod { book, from: now, until: None });
            }
            (Some(_), true) | (None, false) => {}
        }
    }

    fn drop_empty_sets(&mut self) {
        let visuals = &self.visuals;
        let is_illustrated = |book: BookId| visuals.iter().any(|one| one.book == book && one.image.is_some());
        self.visual_sets.retain(|book, _| is_illustrated(*book));
    }

    fn listed(&self, entry: &Entry) -> ListedBook {
        let (card, extras, draft) = (self.card(entry), self.extras_of(entry.id), &entry.draft);
        ListedBook {
            id: entry.id,
            subid: draft.subid.clone(),
            title: draft.title.clone(),
            author: card.author.name,
            image: draft.image.clone(),
            free: draft.free,
            is_popular: draft.is_popular,
            coming_soon: draft.coming_soon,
            published: draft.published,
            publish_at: extras.publish_at,
            upload_date: draft.upload_date,
            updated_at: entry.updated_at,
            categories: card.categories.iter().map(|category| category.id).collect::<Vec<CategoryId>>(),
            has_body: !draft.body.is_empty(),
            has_audio: draft.media.is_some(),
            has_video: draft.video.is_some(),
            has_podcast: extras.podcast.is_some(),
            has_infographic: extras.infographic.is_some(),
            has_key_ideas: self.visuals.iter().any(|visual| visual.book == entry.id && visual.image.is_some()),
        }
    }
}

impl Memory {
    fn author_of_editors(&self, author: &Author) -> ListedAuthor {
        let books = self.books.iter().filter(|entry| entry.draft.author == author.draft.slug).count() as u64;
        ListedAuthor { author: self.counted(author), books }
    }

    fn authors_of_editors(&self, query: &NamesQuery<AuthorId>) -> Vec<ListedAuthor> {
        let mut all: Vec<ListedAuthor> = self.authors.iter().map(|author| self.author_of_editors(author)).collect();
        all.sort_by_key(|one| (one.author.draft.key(), one.author.id));
        all.retain(|one| {
            let names = query.text.as_ref().is_none_or(|text| {
                let draft = &one.author.draft;
                draft.name.to_lowercase().contains(&text.to_lowercase())
                    || draft.key().contains(&fold(text))
                    || text.parse() == Ok(one.author.id)
            });
            names && (!query.unused || one.books == 0)
        });
        all
    }

    fn tags_of_editors(&self, query: &NamesQuery<TagId>) -> Vec<ListedTag> {
        let books = |slug: &Slug| {
            let has = |entry: &&Entry| entry.draft.tags.iter().any(|tag| slug_of(tag).as_ref() == Some(slug));
            self.books.iter().filter(has).count() as u64
        };
        let listed = |(id, tag): &(TagId, crate::Tag)| ListedTag { id: *id, tag: tag.clone(), books: books(&tag.slug) };
        let mut all: Vec<ListedTag> = self.tags.iter().map(listed).collect();
        all.sort_by(|one, other| one.tag.slug.cmp(&other.tag.slug));
        all.retain(|one| {
            let text = query.text.as_ref();
            text.is_none_or(|text| one.tag.name.contains(&text.to_lowercase()) || text.parse() == Ok(one.id))
                && (!query.unused || one.books == 0)
        });
        all
    }
}

/// One page of a list.
fn page<T, Id: PartialEq + Copy>(mut all: Vec<T>, query: &NamesQuery<Id>, id: impl Fn(&T) -> Id) -> Vec<T> {
    if let Some(after) = query.after {
        let behind = all.iter().position(|one| id(one) == after).map_or(all.len(), |at| at + 1);
        all.drain(..behind);
    }
    all.truncate(query.limit.get() + 1);
    all
}

fn state_of(book: &ListedBook) -> BookState {
    match (book.published && !book.coming_soon, book.publish_at.is_some()) {
        (true, _) => BookState::Published,
        (false, true) => BookState::Scheduled,
        (false, false) if book.published => BookState::ComingSoon,
        (false, false) => BookState::Draft,
    }
}

const fn lacks(book: &ListedBook, what: Lacking) -> bool {
    match what {
        Lacking::Cover => book.image.is_none(),
        Lacking::Audio => !book.has_audio,
        Lacking::KeyIdeas => !book.has_key_ideas,
    }
}

fn admits(filter: &ListedFilter, book: &ListedBook) -> bool {
    let contains = |text: &String| {
        let wanted = text.to_lowercase();
        [&book.title, &book.author, book.subid.as_str()].iter().any(|one| one.to_lowercase().contains(&wanted))
            || text.parse() == Ok(book.id)
    };
    filter.text.as_ref().is_none_or(contains)
        && filter.state.is_none_or(|state| state == state_of(book))
        && filter.lacking.is_none_or(|what| lacks(book, what))
        && filter.category.is_none_or(|category| book.categories.contains(&category))
        && filter.free.is_none_or(|free| free == book.free)
        && filter.popular.is_none_or(|popular| popular == book.is_popular)
}

impl EditingQueries for Memory {
    fn book_extras(&mut self, book: BookId) -> Result<Option<BookExtras>, StoreError> {
        Ok(self.books.iter().any(|entry| entry.id == book).then(|| self.extras_of(book)))
    }

    fn listed_books(&mut self, query: &ListedQuery) -> Result<Vec<ListedBook>, StoreError> {
        let mut all: Vec<ListedBook> = self.books.iter().map(|entry| self.listed(entry)).collect();
        match query.sort {
            ListedSort::UploadDate => all.sort_by_key(|book| (book.upload_date, book.id)),
            ListedSort::Id => all.sort_by_key(|book| book.id),
            ListedSort::Title => all.sort_by_key(|book| (sort_key(&book.title), book.id)),
            ListedSort::PublishAt => all.sort_by_key(|book| (book.publish_at.is_none(), book.publish_at, book.id)),
        }
        if query.descending {
            all.reverse();
        }
        if let Some(after) = query.after {
            let behind = all.iter().position(|book| book.id == after).map_or(all.len(), |at| at + 1);
            all.drain(..behind);
        }
        all.retain(|book| admits(&query.filter, book));
        all.truncate(query.limit.get() + 1);
        Ok(all)
    }

    fn unanswered_searches(&mut self, now: Timestamp, limit: usize) -> Result<Vec<SearchCount>, StoreError> {
        let first = day_of(now) - i64::from(SEARCH_DAYS) + 1;
        let mut sums: BTreeMap<&String, u64> = BTreeMap::new();
        for ((_, words), count) in self.unanswered.iter().filter(|((day, _), _)| *day >= first) {
            *sums.entry(words).or_default() += count;
        }
        let all = sums.into_iter().map(|(words, count)| SearchCount { words: words.clone(), count });
        let mut all: Vec<SearchCount> = all.filter(|one| one.count >= FEWEST_SEARCHES.unsigned_abs()).collect();
        all.sort_by_key(|one| Reverse(one.count));
        all.truncate(limit);
        Ok(all)
    }

    fn count_listed_books(&mut self, filter: &ListedFilter) -> Result<ListTotal, StoreError> {
        let admitted = self.books.iter().filter(|entry| admits(filter, &self.listed(entry)));
        Ok(ListTotal::of_counted(admitted.count() as u64))
    }

    fn listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<Vec<ListedAuthor>, StoreError> {
        Ok(page(self.authors_of_editors(query), query, |one| one.author.id))
    }

    fn count_listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<ListTotal, StoreError> {
        Ok(ListTotal::of_counted(self.authors_of_editors(query).len() as u64))
    }

    fn listed_author(&mut self, author: AuthorId) -> Result<Option<ListedAuthor>, StoreError> {
        let found = self.authors.iter().find(|one| one.id == author);
        Ok(found.map(|author| self.author_of_editors(author)))
    }

    fn listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<Vec<ListedTag>, StoreError> {
        Ok(page(self.tags_of_editors(query), query, |one| one.id))
    }

    fn count_listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<ListTotal, StoreError> {
        Ok(ListTotal::of_counted(self.tags_of_editors(query).len() as u64))
    }

    fn listed_tag(&mut self, tag: TagId) -> Result<Option<ListedTag>, StoreError> {
        let all = NamesQuery { text: None, unused: false, after: None, limit: kernel::Limit::clamped(1) };
        Ok(self.tags_of_editors(&all).into_iter().find(|one| one.id == tag))
    }

    fn find_tag(&mut self, slug: &Slug) -> Result<Option<TagId>, StoreError> {
        Ok(self.tags.iter().find(|(_, tag)| tag.slug == *slug).map(|(id, _)| *id))
    }

    fn books_naming(&mut self, name: Naming) -> Result<Vec<(BookId, Slug)>, StoreError> {
        let slug = match name {
            Naming::Author(id) => self.authors.iter().find(|one| one.id == id).map(|one| one.draft.slug.clone()),
            Naming::Category(id) => self.categories.iter().find(|one| one.id == id).map(|one| one.draft.subid.clone()),
            Naming::Goal(id) => self.goals.iter().find(|one| one.id == id).map(|one| one.draft.slug.clone()),
            Naming::Tag(id) => self.tags.iter().find(|(there, _)| *there == id).map(|(_, tag)| tag.slug.clone()),
        };
        let Some(slug) = slug else { return Ok(Vec::new()) };
        let names = |entry: &&Entry| match name {
            Naming::Author(_) => entry.draft.author == slug,
            Naming::Category(_) => entry.draft.categories.contains(&slug),
            Naming::Goal(_) => entry.draft.goals.contains(&slug),
            Naming::Tag(_) => entry.draft.tags.iter().any(|tag| slug_of(tag).as_ref() == Some(&slug)),
        };
        Ok(self.books.iter().filter(names).map(|entry| (entry.id, entry.draft.subid.clone())).collect())
    }

    fn books_to_publish(&mut self, now: Timestamp) -> Result<Vec<Slug>, StoreError> {
        let due = self.books.iter().filter(|entry| self.extras_of(entry.id).publish_at.is_some_and(|at| at <= now));
        Ok(due.map(|entry| entry.draft.subid.clone()).collect())
    }

    fn book_files(&mut self, book: BookId) -> Result<Vec<String>, StoreError> {
        let Some(entry) = self.books.iter().find(|entry| entry.id == book) else { return Ok(Vec::new()) };
        let extras = self.extras_of(book);
        let thumb = extras.infographic.as_deref().map(thumb_of_infographic);
        let of_book = [entry.draft.image.clone(), extras.vector, extras.infographic, extras.podcast, thumb];
        let visuals = self.visuals.iter().filter(|one| one.book == book).map(|one| one.image.clone());
        let set = self.visual_sets.get(&book).cloned();
        let set = set.into_iter().flat_map(|set| [Some(set.image), set.infographic, set.infographic_thumb]);
        let files: BTreeSet<String> = of_book.into_iter().chain(visuals).chain(set).flatten().collect();
        Ok(files.into_iter().collect())
    }

    fn edited_visuals(&mut self) -> Result<Vec<EditedVisual>, StoreError> {
        let mut all = self.visuals.clone();
        all.sort_by_key(|visual| visual.book);
        Ok(all)
    }

    fn edited_visual(&mut self, id: VisualId) -> Result<Option<EditedVisual>, StoreError> {
        Ok(self.visuals.iter().find(|visual| visual.id == id).cloned())
    }
}

impl EditingCommands for Memory {
    fn update_book_extras(&mut self, book: BookId, extras: &BookExtras) -> Result<(), StoreError> {
        self.extras.insert(book, extras.clone());
        Ok(())
    }

    fn rename_book(&mut self, book: BookId, subid: &Slug) -> Result<bool, StoreError> {
        if self.books.iter().any(|entry| entry.draft.subid == *subid && entry.id != book) {
            return Ok(false);
        }
        if let Some(entry) = self.books.iter_mut().find(|entry| entry.id == book) {
            let before = std::mem::replace(&mut entry.draft.subid, subid.clone());
            for one in self.collections.iter_mut().flat_map(|one| &mut one.draft.books) {
                if *one == before {
                    one.clone_from(subid);
                }
            }
        }
        Ok(true)
    }

    fn set_goal_picture(&mut self, goal: GoalId, picture: GoalPicture, key: &str) -> Result<(), StoreError> {
        if let Some(goal) = self.goals.iter_mut().find(|one| one.id == goal) {
            let place = match picture {
                GoalPicture::Photo => &mut goal.pictures.photo,
                GoalPicture::FeaturePhoto => &mut goal.pictures.feature_photo,
            };
            *place = Some(key.to_owned());
        }
        Ok(())
    }

    fn delete_author(&mut self, author: AuthorId) -> Result<bool, StoreError> {
        let is_free = self.books_naming(Naming::Author(author))?.is_empty();
        let before = self.authors.len();
        self.authors.retain(|one| one.id != author || !is_free);
        Ok(self.authors.len() < before)
    }

    fn delete_tag(&mut self, tag: TagId) -> Result<bool, StoreError> {
        let is_free = self.books_naming(Naming::Tag(tag))?.is_empty();
        let before = self.tags.len();
        self.tags.retain(|(id, _)| *id != tag || !is_free);
        Ok(self.tags.len() < before)
    }

    fn delete_category(&mut self, category: CategoryId) -> Result<bool, StoreError> {
        if !self.books_naming(Naming::Category(category))?.is_empty() {
            return Ok(false);
        }
        let Some(at) = self.categories.iter().position(|one| one.id == category) else { return Ok(false) };
        let gone = self.categories.remove(at).draft.subid;
        for one in &mut self.collections {
            one.draft.categories.retain(|subid| *subid != gone);
        }
        Ok(true)
    }

    fn delete_goal(&mut self, goal: GoalId) -> Result<bool, StoreError> {
        let is_free = self.books_naming(Naming::Goal(goal))?.is_empty();
        let before = self.goals.len();
        self.goals.retain(|one| one.id != goal || !is_free);
        Ok(self.goals.len() < before)
    }

    fn delete_collection(&mut self, collection: CollectionId) -> Result<bool, StoreError> {
        let before = self.collections.len();
        self.collections.retain(|one| one.id != collection);
        Ok(self.collections.len() < before)
    }

    fn delete_book(&mut self, book: BookId) -> Result<bool, StoreError> {
        // This store knows no readers; a rating stands for them.
        let is_read = |entry: &Entry| entry.ratings.count > 0;
        let before = self.books.len();
        self.books.retain(|entry| entry.id != book || is_read(entry));
        for one in &mut self.collections {
            one.draft.books.retain(|subid| self.books.iter().any(|entry| entry.draft.subid == *subid));
        }
        let books = &self.books;
        self.periods.retain(|one| books.iter().any(|entry| entry.id == one.book));
        Ok(self.books.len() < before)
    }

    fn insert_visual(&mut self, idea: &EditedVisual) -> Result<VisualId, StoreError> {
        let id = self.next_visual();
        self.visuals.push(EditedVisual { id, image: None, ..idea.clone() });
        Ok(id)
    }

    fn update_visual(&mut self, idea: &EditedVisual) -> Result<(), StoreError> {
        let Some(at) = self.visuals.iter().position(|visual| visual.id == idea.id) else { return Ok(()) };
        let before = std::mem::replace(&mut self.visuals[at], idea.clone());
        if before.book != idea.book {
            let moved = self.visuals.remove(at);
            self.visuals.push(moved);
        }
        self.drop_empty_sets();
        Ok(())
    }

    fn delete_visual(&mut self, id: VisualId) -> Result<(), StoreError> {
        self.visuals.retain(|visual| visual.id != id);
        self.drop_empty_sets();
        Ok(())
    }

    fn order_visuals(&mut self, book: BookId, order: &[VisualId]) -> Result<(), StoreError> {
        let place = |id: VisualId| order.iter().position(|one| *one == id).unwrap_or(order.len());
        let (mut ours, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.visuals).into_iter().partition(|visual| visual.book == book);
        ours.sort_by_key(|visual| place(visual.id));
        self.visuals = others;
        self.visuals.extend(ours);
        Ok(())
    }

    fn insert_visual_set(&mut self, book: BookId, image: &str, _now: Timestamp) -> Result<bool, StoreError> {
        let set = VisualSet { book, image: image.to_owned(), infographic: None, infographic_thumb: None };
        let is_new = !self.visual_sets.contains_key(&book);
        self.visual_sets.entry(book).or_insert(set);
        Ok(is_new)
    }

    fn put_visual_set(&mut self, set: &VisualSet, now: Timestamp) -> Result<(), StoreError> {
        self.visual_sets.insert(set.book, set.clone());
        self.drop_empty_sets();
        self.note_period(set.book, now);
        Ok(())
    }

    fn note_infographic(&mut self, book: BookId, now: Timestamp) -> Result<(), StoreError> {
        self.note_period(book, now);
        Ok(())
    }
}
