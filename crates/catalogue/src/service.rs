//! What the catalogue offers: reading for everybody, saving for editors.

use std::collections::{BTreeSet, HashMap, HashSet};

use kernel::{
    Access, AuthorId, BookId, CategoryId, CollectionId, DateCursor, GoalId, Limit, Page, Slug, StoreError, TagId,
    Timestamp,
};

use crate::{
    AuthorCard, AuthorCursor, AuthorDraft, AuthorsQuery, Body, BookCard, BookCursor, BookDraft, BookName, BookRef,
    CatalogueError, CatalogueStore, CategoryDraft, Collection, CollectionDraft, EditedVisual, Filters, Front,
    GoalDraft, ListQuery, Naming, NearWords, PassageAccess, SaveOutcome, SearchHit, SearchQuery, SectionTitle, Sort,
    Suggestions, SuggestionsQuery, Tag, VISUAL_WORDS, VisualBook, VisualDraft, VisualsDraft,
    names::{NamePrefix, best},
    related,
    store::{BookRecord, CollectionTies, RankedBook, Search},
    words::{self, Terms},
};

/// How many books of each kind the front page shows.
const FRONT_BOOKS: usize = 8;
/// How many words a word that is being typed may stand for in texts.
const COMPLETIONS: usize = 6;
/// How many words of a search are corrected at most: each is a look-up, and text with more typos than that is no search.
const CORRECTIONS: usize = 6;

/// Books that only mention the words answer a search when they are so many.
const MENTIONED: usize = 20;

/// How many names of each kind are suggested to a person who types.
const SUGGESTED_NAMES: usize = 4;
/// A beginning of a name that has so many letters is looked for without its last two, too.
const NAME_WITHOUT_END: usize = 6;
/// How many names a word that is being typed may stand for.
const NAMES_MEANT: usize = 3;

/// The catalogue's rules, over any store.
pub trait Catalogue: CatalogueStore {
    /// The cards of books, in the order of the numbers. Those that are not published are left out.
    fn book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError> {
        if books.is_empty() {
            return Ok(Vec::new());
        }
        let mut by_id: HashMap<BookId, BookCard> =
            self.find_book_cards(books)?.into_iter().map(|card| (card.id, card)).collect();
        Ok(books.iter().filter_map(|id| by_id.remove(id)).collect())
    }

    /// What books are called, also those that are not published any more: for what a person has kept of them.
    fn book_names(&mut self, books: &[BookId]) -> Result<HashMap<BookId, BookName>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.find_book_names(books)?.into_iter().map(|name| (name.id, name)).collect())
    }

    /// A page of a list of published books (`catalogue.list-orders`).
    ///
    /// # Errors
    /// [`CatalogueError::BadCursor`] when the key is that of a list in another order, [`CatalogueError::UnknownFilter`]
    /// when a filter names nothing.
    fn books(&mut self, query: &ListQuery) -> Result<Page<BookCard, BookCursor>, CatalogueError> {
        query.check()?;
        let found = self.list_book_cards(query)?;
        if found.is_empty() {
            check_names(self, &query.filters)?;
        }
        Ok(Page::from_surplus(found, query.limit, |(_, key)| key.clone()).map(|(card, _)| card))
    }

    /// A page of the published books that fit what was typed, best first (`catalogue.search-text`).
    ///
    /// All words must fit. When no book has all of them, or few have and none in its title, author, tags or headings, those
    /// are found that come near: with some of the words, or with related ones. A word that no text has stands for those
    /// that begin like it when it is the last one, for the words that are written together in it, or for the known words
    /// nearest to it; an English word only for one that is a later letter away, and the name of a topic for itself.
    ///
    /// # Errors
    /// [`CatalogueError::BadCursor`] when the key is that of another list, [`CatalogueError::UnknownFilter`] when a filter
    /// names nothing.
    fn search(
        &mut self,
        query: &SearchQuery,
        shown: &PassageAccess<'_>,
    ) -> Result<Page<SearchHit, BookCursor>, CatalogueError> {
        let (mut is_near, after) = match &query.after {
            None => (false, None),
            Some(BookCursor::Ranked { score, near, id }) => (*near, Some((*score, *id))),
            Some(_) => return Err(CatalogueError::BadCursor),
        };
        let terms = understood(self, Terms::parse(&query.text))?;
        if terms.is_empty() {
            check_names(self, &query.filters)?;
            return Ok(Page { items: Vec::new(), next: None });
        }
        let mut search = Search { terms: &terms, near: None, filters: &query.filters, after, limit: query.limit };
        let mut found = if is_near { Vec::new() } else { self.search_book_cards(&search)? };
        let mut sought = terms.clone();
        if is_near || (after.is_none() && !terms.terms.is_empty() && is_in_passing(&found)) {
            let near = near_words(self, &terms)?;
            if is_near || found.is_empty() || near.is_wider_than(&terms) {
                search.near = Some(&near);
                (found, is_near) = (self.search_book_cards(&search)?, true);
                sought = near.terms(&terms);
            }
        }
        if found.is_empty() {
            check_names(self, &query.filters)?;
        }
        let page = Page::from_surplus(found, query.limit, |last| BookCursor::Ranked {
            score: last.score,
            near: is_near,
            id: last.card.id,
        });
        Ok(page.map(|found| hit(found, &sought, is_near, shown)))
    }

    /// What a person may be about to look for, over everything that has a name or a text.
    fn suggestions(
        &mut self,
        query: &SuggestionsQuery,
        shown: &PassageAccess<'_>,
    ) -> Result<Suggestions, CatalogueError> {
        let typed = NamePrefix::parse(&query.text);
        let text = typed.text();
        if text.is_empty() {
            return Ok(Suggestions::default());
        }
        let search =
            SearchQuery { text: query.text.clone(), filters: Filters::default(), after: None, limit: query.limit };
        let books = self.search(&search, shown)?;
        let (authors, tags) = (self.authors_like(&text)?, self.tags_like(&text)?);
        let collections = self.collections_like(&text)?;
        let categories = self.categories()?;
        Ok(Suggestions {
            more: books.next.is_some(),
            books: books.items,
            authors: best(&typed, authors, |author| &author.name, SUGGESTED_NAMES),
            categories: best(&typed, categories, |category| &category.draft.name, SUGGESTED_NAMES),
            collections: best(&typed, collections, |collection| &collection.draft.title, SUGGESTED_NAMES),
            tags: best(&typed, tags, |tag| &tag.name, SUGGESTED_NAMES),
        })
    }

    /// A page of the directory of authors, from A to Z: those who have published books.
    fn authors(&mut self, query: &AuthorsQuery) -> Result<Page<AuthorCard, AuthorCursor>, StoreError> {
        let found = self.list_authors(query)?;
        Ok(Page::from_surplus(found, query.limit, |(_, key)| key.clone()).map(|(author, _)| author))
    }

    /// A page of the collections, the newest first.
    fn collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Page<Collection, DateCursor<CollectionId>>, StoreError> {
        let found = self.list_collections(after, limit)?;
        Ok(Page::from_surplus(found, limit, |last| DateCursor { at: last.draft.upload_date, id: last.id }))
    }

    /// Books for a reader (`reading-progress.recommended-books`): of the chosen categories, best first by rating, popularity and age,
    /// without those that were begun or completed; filled up from the others, and never empty while there is a book.
    fn recommendations(
        &mut self,
        categories: &[CategoryId],
        begun: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError> {
        let mut best =
            if categories.is_empty() { Vec::new() } else { self.best_book_cards(Some(categories), begun, limit)? };
        if best.len() < limit {
            let excluded: Vec<BookId> = begun.iter().copied().chain(best.iter().map(|card| card.id)).collect();
            best.extend(self.best_book_cards(None, &excluded, limit - best.len())?);
        }
        if best.is_empty() {
            best = self.best_book_cards(None, &[], limit)?;
        }
        if best.is_empty() {
            // Nothing can be read yet: what is announced is better than nothing.
            let query =
                ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(limit) };
            best = self.list_book_cards(&query)?.into_iter().map(|(card, _)| card).take(limit).collect();
        }
        Ok(best)
    }

    /// The front page's books and categories.
    fn front(&mut self) -> Result<Front, StoreError> {
        let hero = match self.find_free_book()? {
            Some(id) => self.book(&BookRef::Id(id))?,
            None => None,
        };
        let query =
            ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(FRONT_BOOKS) };
        let newest = self.list_book_cards(&query)?.into_iter().map(|(card, _)| card).take(FRONT_BOOKS).collect();
        Ok(Front {
            hero,
            popular: self.popular_books(FRONT_BOOKS)?,
            newest,
            categories: self.categories()?,
            book_count: self.book_count()?,
        })
    }

    /// Adds or changes an author. A new name reaches all books by this author.
    fn save_author(&mut self, author: &AuthorDraft, now: Timestamp) -> Result<SaveOutcome<AuthorId>, CatalogueError> {
        let author = AuthorDraft {
            name: line("name", &author.name)?,
            sort_name: author.sort_name.as_deref().map(|name| line("sortName", name)).transpose()?,
            description: plain(&author.description),
            slug: author.slug.clone(),
        };
        let there = self.author(&author.slug)?.map(|there| (there.id, there.draft));
        let is_renamed = there.as_ref().is_some_and(|(_, before)| before.name != author.name);
        let saved = save(there, &author, |author| self.put_author(author))?;
        if is_renamed {
            save_again(self, Naming::Author(saved.id()), now)?;
        }
        Ok(saved)
    }

    /// Adds or changes a category. A new name or hue reaches all books of this category.
    fn save_category(
        &mut self,
        category: &CategoryDraft,
        now: Timestamp,
    ) -> Result<SaveOutcome<CategoryId>, CatalogueError> {
        if category.hue >= 360 {
            return Err(invalid("hue", "A hue is a number of degrees from 0 to 359."));
        }
        let category = CategoryDraft { name: line("name", &category.name)?, ..category.clone() };
        let all = self.categories()?;
        let there =
            all.into_iter().find(|there| there.draft.subid == category.subid).map(|there| (there.id, there.draft));
        let is_renamed =
            there.as_ref().is_some_and(|(_, before)| (&before.name, before.hue) != (&category.name, category.hue));
        let saved = save(there, &category, |category| self.put_category(category))?;
        if is_renamed {
            save_again(self, Naming::Category(saved.id()), now)?;
        }
        Ok(saved)
    }

    /// Adds or changes a goal. A new title reaches all books that serve this goal.
    fn save_goal(&mut self, goal: &GoalDraft, now: Timestamp) -> Result<SaveOutcome<GoalId>, CatalogueError> {
        let goal = GoalDraft {
            title: line("title", &goal.title)?,
            short_title: line("shortTitle", &goal.short_title)?,
            mobile_title: line("mobileTitle", &goal.mobile_title)?,
            description: plain(&goal.description),
            ..goal.clone()
        };
        let all = self.goals()?;
        let there = all.into_iter().find(|there| there.draft.slug == goal.slug).map(|there| (there.id, there.draft));
        let is_renamed = there.as_ref().is_some_and(|(_, before)| before.title != goal.title);
        let saved = save(there, &goal, |goal| self.put_goal(goal))?;
        if is_renamed {
            save_again(self, Naming::Goal(saved.id()), now)?;
        }
        Ok(saved)
    }

    /// Gives a tag another name, also in the books that have it. Another tag must not have its name in addresses.
    fn rename_tag(&mut self, tag: TagId, name: &Tag, now: Timestamp) -> Result<(), CatalogueError> {
        if self.find_tag(&name.slug)?.is_some_and(|there| there != tag) {
            return Err(invalid("name", "There is already a tag with this name."));
        }
        self.rename_tag_row(tag, name)?;
        save_again(self, Naming::Tag(tag), now)
    }

    /// Adds a collection of categories.
    fn create_collection(&mut self, collection: &CollectionDraft) -> Result<CollectionId, CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        Ok(self.put_collection(None, &collection, &ids)?)
    }

    /// Changes the collection with this number.
    fn edit_collection(&mut self, id: CollectionId, collection: &CollectionDraft) -> Result<(), CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        self.put_collection(Some(id), &collection, &ids)?;
        Ok(())
    }

    /// Adds a collection, or changes the one that has its title.
    fn save_collection(&mut self, collection: &CollectionDraft) -> Result<SaveOutcome<CollectionId>, CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        let there = self.find_collection_titled(&collection.title)?.map(|there| (there.id, there.draft));
        let id = there.as_ref().map(|(id, _)| *id);
        save(there, &collection, |collection| self.put_collection(id, collection, &ids))
    }

    /// Adds or changes a book: cleans and divides its body, and makes it findable.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] and [`CatalogueError::Unknown`] name the field that can't stay as it is.
    fn save_book(&mut self, book: &BookDraft, now: Timestamp) -> Result<SaveOutcome<BookId>, CatalogueError> {
        let (draft, body, tags) = normalised(book)?;
        let there = self.find_book_draft(&draft.subid)?;
        if let Some((id, same)) = &there
            && is_same(same, &draft)
        {
            return Ok(SaveOutcome::Unchanged(*id));
        }
        let id = store_book(self, &draft, &body, &tags, now)?;
        Ok(if there.is_some() { SaveOutcome::Changed(id) } else { SaveOutcome::Created(id) })
    }

    /// A page of the books that can be read and have illustrated key ideas, the latest first.
    fn visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Page<VisualBook, BookId>, StoreError> {
        let found = self.list_visual_books(after, limit)?;
        Ok(Page::from_surplus(found, limit, |book| book.card.id))
    }

    /// Puts illustrated key ideas in the place of a book's.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] names the field that can't stay as it is.
    fn save_visuals(
        &mut self,
        book: BookId,
        visuals: &VisualsDraft,
        now: Timestamp,
    ) -> Result<SaveOutcome<BookId>, CatalogueError> {
        let draft =
            VisualsDraft { ideas: visuals.ideas.iter().map(idea).collect::<Result<_, _>>()?, ..visuals.clone() };
        if draft.ideas.is_empty() {
            return Err(invalid("visuals", "There is no key idea."));
        }
        let is_seen = draft.ideas.iter().any(|idea| idea.image.is_some());
        if (draft.image.is_some() && !is_seen) || (draft.infographic.is_some() && draft.image.is_none()) {
            return Err(invalid(
                "image",
                "Lists show a picture of key ideas that have pictures, and of all that have an infographic.",
            ));
        }
        let there = self.visuals_draft(book)?;
        if there.as_ref() == Some(&draft) {
            return Ok(SaveOutcome::Unchanged(book));
        }
        self.put_visuals(book, &draft, now)?;
        Ok(if there.is_none() { SaveOutcome::Created(book) } else { SaveOutcome::Changed(book) })
    }
}

impl<S: CatalogueStore + ?Sized> Catalogue for S {}

/// Whether what was found only mentions the words: so few books, none of which has them in its title, author, tags,
/// categories or headings.
fn is_in_passing(found: &[RankedBook]) -> bool {
    found.first().is_none_or(|best| !best.in_headings && best.candidates < MENTIONED)
}

/// The words that were typed, with related ones that some text has.
fn near_words<S: CatalogueStore + ?Sized>(store: &mut S, terms: &Terms) -> Result<NearWords, StoreError> {
    let stems: Vec<String> = related::candidates(terms).into_iter().map(words::stem).collect();
    let known = if stems.is_empty() { Vec::new() } else { store.known_stems(&stems)? };
    Ok(related::near_words(terms, &known.into_iter().collect()))
}

/// The words that are written together in one that no text has.
fn joined_words<S: CatalogueStore + ?Sized>(store: &mut S, word: &str) -> Result<Option<Vec<String>>, StoreError> {
    let parts = words::parts_of(word);
    if parts.is_empty() {
        return Ok(None);
    }
    let stems: Vec<String> = parts.into_iter().map(words::stem).collect();
    let known: BTreeSet<String> = store.known_stems(&stems)?.into_iter().collect();
    Ok(words::split_joined(word, |part| known.contains(&words::stem(part))))
}

/// The terms with every word that no text has replaced by what it most likely stands for.
fn understood<S: CatalogueStore + ?Sized>(store: &mut S, mut terms: Terms) -> Result<Terms, StoreError> {
    let stems: Vec<String> = terms.terms.iter().map(|term| words::stem(&term.words[0])).collect();
    let known = if stems.is_empty() { Vec::new() } else { store.known_stems(&stems)? };
    let mut corrected = 0;
    for (term, stem) in terms.terms.iter_mut().zip(&stems) {
        let word = term.words[0].clone();
        if known.contains(stem) || word.chars().count() < 3 || word.chars().any(char::is_numeric) {
            continue;
        }
        let mut meant = if term.unfinished { store.words_beginning(&word, COMPLETIONS)? } else { Vec::new() };
        if meant.is_empty() && corrected < CORRECTIONS && !related::is_topic(&word) {
            corrected += 1;
            meant = words::corrections(&word, &store.words_like(&word)?, term.unfinished);
            if related::is_word(&word) {
                meant.retain(|other| words::distance(&word, other) == 1 && other.chars().next() == word.chars().next());
            } else {
                term.compounds.extend(joined_words(store, &word)?);
            }
        }
        if term.unfinished {
            meant.extend(names_meant(store, &word)?);
        }
        for word in meant {
            if !term.words.contains(&word) {
                term.words.push(word);
            }
        }
    }
    Ok(terms)
}

/// Words of authors' names that begin nearly like what is being typed: names are misspelt more often than words, and a
/// word of some text that begins exactly like it must not hide them.
fn names_meant<S: CatalogueStore + ?Sized>(store: &mut S, word: &str) -> Result<Vec<String>, StoreError> {
    let mut authors = store.authors_like(word)?;
    let count = word.chars().count();
    if authors.is_empty() && count >= NAME_WITHOUT_END {
        // A typo near the end of a beginning leaves little that is alike.
        let begun: String = word.chars().take(count - 2).collect();
        authors = store.authors_like(&begun)?;
    }
    let names: BTreeSet<String> = authors.iter().flat_map(|author| words::words_of(&author.name)).collect();
    let mut near: Vec<(usize, String)> = names
        .into_iter()
        .filter(|name| name.chars().next() == word.chars().next())
        .map(|name| (words::distance_to_beginning(word, &name), name))
        .filter(|(apart, _)| (1..=words::forgiven_in_name(word)).contains(apart))
        .collect();
    near.sort();
    Ok(near.into_iter().take(NAMES_MEANT).map(|(_, name)| name).collect())
}

/// A collection with its texts as they are stored.
fn checked(collection: &CollectionDraft) -> Result<CollectionDraft, CatalogueError> {
    Ok(CollectionDraft {
        title: line("title", &collection.title)?,
        subtitle: plain(&collection.subtitle),
        ..collection.clone()
    })
}

/// The numbers of what a collection gathers, in its order.
fn ties_of<S: CatalogueStore + ?Sized>(
    store: &mut S,
    collection: &CollectionDraft,
) -> Result<CollectionTies, CatalogueError> {
    let all = store.categories()?;
    let of_names = named(&all, &collection.categories, |category| &category.draft.subid, "categories", "category")?;
    let there = if collection.books.is_empty() { Vec::new() } else { store.books_called(&collection.books)? };
    let chosen = named(&there, &collection.books, |book| &book.subid, "books", "book")?;
    let books: Vec<BookId> = chosen.iter().map(|book| book.id).collect();
    if books.iter().collect::<HashSet<_>>().len() < books.len() {
        return Err(invalid("books", "A book is listed twice."));
    }
    Ok(CollectionTies { categories: of_names.iter().map(|category| category.id).collect(), books })
}

/// What a searcher sees of a book that was found.
fn hit(found: RankedBook, terms: &Terms, is_near: bool, shown: &PassageAccess<'_>) -> SearchHit {
    let RankedBook { card, section, .. } = found;
    let passage = section.as_ref().zip(shown(&card)).and_then(|(section, shown)| {
        let end = match shown {
            Access::Full => section.text.len(),
            Access::Preview => section.previewed,
        };
        words::passage(section.text.get(..end).unwrap_or_default(), terms)
    });
    SearchHit {
        card,
        section: section.map(|section| SectionTitle { title: section.title, place: section.place }),
        passage,
        is_near,
    }
}

fn invalid(field: &'static str, message: &str) -> CatalogueError {
    CatalogueError::Invalid { field, message: message.to_owned() }
}

/// A text of one line that must be there.
fn line(field: &'static str, text: &str) -> Result<String, CatalogueError> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Err(invalid(field, "This can't be empty."));
    }
    if text.chars().count() > 300 {
        return Err(invalid(field, "This can't be longer than 300 characters."));
    }
    Ok(text)
}

/// A key idea as it is stored.
fn idea(draft: &VisualDraft) -> Result<VisualDraft, CatalogueError> {
    let body = plain(&draft.body);
    if body.is_empty() {
        return Err(invalid("body", "This can't be empty."));
    }
    if body.split_whitespace().count() > VISUAL_WORDS {
        return Err(invalid("body", "This can't be longer than 90 words."));
    }
    Ok(VisualDraft { title: line("title", &draft.title)?, body, ..draft.clone() })
}

impl EditedVisual {
    /// The key idea as it is stored.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] names the field that can't stay as it is.
    pub fn normalised(self) -> Result<Self, CatalogueError> {
        let draft = idea(&VisualDraft { title: self.title, body: self.body, image: None, drawing: None })?;
        Ok(Self { title: draft.title, body: draft.body, ..self })
    }
}

/// A plain text without blanks around it.
fn plain(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\0', "")
}

/// The draft as it is stored, its body divided, and its tags.
fn normalised(book: &BookDraft) -> Result<(BookDraft, Body, Vec<Tag>), CatalogueError> {
    let body = Body::from_html(&book.body);
    let mut tags = book
        .tags
        .iter()
        .map(|name| Tag::named(name).ok_or_else(|| invalid("tags", &format!("The tag '{name}' has no letters."))))
        .collect::<Result<Vec<Tag>, _>>()?;
    tags.sort();
    tags.dedup_by(|one, other| one.slug == other.slug);
    let mut goals = book.goals.clone();
    goals.sort();
    goals.dedup();
    for (at, category) in book.categories.iter().enumerate() {
        if book.categories[..at].contains(category) {
            return Err(invalid("categories", &format!("The category '{category}' is listed twice.")));
        }
    }
    if book.categories.is_empty() {
        return Err(invalid("categories", "A book needs a category."));
    }
    if body.sections.is_empty() && book.published && !book.coming_soon {
        return Err(invalid("body", "A published book needs a text, unless it is coming soon."));
    }
    let quotes = book
        .quotes
        .iter()
        .map(|quote| Ok(crate::Quote { text: line("quotes", &quote.text)?, chapter: plain(&quote.chapter) }))
        .collect::<Result<_, CatalogueError>>()?;
    let draft = BookDraft {
        title: line("title", &book.title)?,
        description: plain(&book.description),
        body: body.html.clone(),
        quotes,
        goals,
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        ..book.clone()
    };
    Ok((draft, body, tags))
}

/// Whether a draft says what is there already. A tag is the same however it is written: `self help` or `self-help`.
/// Audio and video of which it says nothing stay.
fn is_same(there: &BookDraft, draft: &BookDraft) -> bool {
    let slugs = |draft: &BookDraft| -> Vec<Option<Slug>> { draft.tags.iter().map(|tag| crate::slug_of(tag)).collect() };
    let saved = BookDraft {
        tags: there.tags.clone(),
        media: draft.media.clone().or_else(|| there.media.clone()),
        video: draft.video.clone().or_else(|| there.video.clone()),
        ..draft.clone()
    };
    slugs(there) == slugs(draft) && *there == saved
}

/// Stores a normalised book with everything that follows from it.
fn store_book<S: CatalogueStore + ?Sized>(
    store: &mut S,
    draft: &BookDraft,
    body: &Body,
    tags: &[Tag],
    now: Timestamp,
) -> Result<BookId, CatalogueError> {
    let author = store.author(&draft.author)?.ok_or_else(|| CatalogueError::Unknown {
        field: "author",
        what: "author",
        slug: draft.author.clone(),
    })?;
    let all_categories = store.categories()?;
    let categories =
        named(&all_categories, &draft.categories, |category| &category.draft.subid, "categories", "category")?;
    let all_goals = store.goals()?;
    let goals = named(&all_goals, &draft.goals, |goal| &goal.draft.slug, "goals", "goal")?;
    let texts = [draft.title.as_str(), &author.draft.name]
        .into_iter()
        .chain(tags.iter().map(|tag| tag.name.as_str()))
        .chain(categories.iter().map(|category| category.draft.name.as_str()))
        .chain(body.sections.iter().flat_map(|section| [section.title.as_str(), section.text.as_str()]));
    let vocabulary = words::vocabulary(texts);
    let record =
        BookRecord { draft, body, author: &author, categories: &categories, goals: &goals, tags, vocabulary, now };
    Ok(store.put_book(&record)?)
}

/// Stores the books again in which a changed name is shown.
fn save_again<S: CatalogueStore + ?Sized>(store: &mut S, name: Naming, now: Timestamp) -> Result<(), CatalogueError> {
    for (_, subid) in store.books_naming(name)? {
        if let Some((_, draft)) = store.find_book_draft(&subid)? {
            // Whatever audio and video it has by now.
            let (draft, body, tags) = normalised(&BookDraft { media: None, video: None, ..draft })?;
            store_book(store, &draft, &body, &tags, now)?;
        }
    }
    Ok(())
}

/// Refuses filters that name nothing. Only a list without books can have such: the others are spared the query.
fn check_names<S: CatalogueStore + ?Sized>(store: &mut S, filters: &Filters) -> Result<(), CatalogueError> {
    if !filters.name_something() {
        return Ok(());
    }
    store.find_unknown_filter(filters)?.map_or(Ok(()), |filter| Err(CatalogueError::UnknownFilter(filter)))
}

/// Those of `all` that are named, in the order of the names.
fn named<T: Clone>(
    all: &[T],
    names: &[Slug],
    name_of: impl Fn(&T) -> &Slug,
    field: &'static str,
    what: &'static str,
) -> Result<Vec<T>, CatalogueError> {
    names
        .iter()
        .map(|slug| {
            let one = all.iter().find(|one| name_of(one) == slug);
            one.cloned().ok_or_else(|| CatalogueError::Unknown { field, what, slug: slug.clone() })
        })
        .collect()
}

/// Puts a draft into the store unless it is there already.
fn save<Id: Copy, Draft: PartialEq>(
    there: Option<(Id, Draft)>,
    draft: &Draft,
    put: impl FnOnce(&Draft) -> Result<Id, StoreError>,
) -> Result<SaveOutcome<Id>, CatalogueError> {
    match there {
        Some((id, same)) if same == *draft => Ok(SaveOutcome::Unchanged(id)),
        Some(_) => Ok(SaveOutcome::Changed(put(draft)?)),
        None => Ok(SaveOutcome::Created(put(draft)?)),
    }
}
