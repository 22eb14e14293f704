//! Lists and search for readers: pagination, sort orders, and how a typed query is interpreted.

use crate::BookRef;
use std::collections::{BTreeSet, HashMap};

use kernel::{Access, BookId, CategoryId, CollectionId, DateCursor, Limit, Page, StoreError};

use crate::{
    AuthorCard, AuthorCursor, AuthorsQuery, BookCard, BookCursor, BookName, CatalogueError, CatalogueQueries,
    Collection, Filters, Front, ListQuery, PassageAccess, RankedIdea, SearchHit, SearchPage, SearchQuery, SectionTitle,
    Sort, SoughtBook, Suggestions, SuggestionsQuery, VisualBook,
    names::{NamePrefix, best},
    related,
    spelling::{self, Misspelling},
    store::{NEAR_HITS, RankedBook, Search, WideningWords},
    words::{self, Terms},
};

/// How many books of each kind the front page shows.
const FRONT_BOOKS: usize = 8;
/// The most completions that are tried for an unfinished word.
const COMPLETIONS: usize = 6;
/// The most words of a query that are corrected. Each correction costs a look-up, and a text with more typos is not a
/// search.
const CORRECTIONS: usize = 6;
/// A search is not widened to related words if at least this many books mention its words.
const MENTIONED: usize = 20;
/// The most suggested names of each kind: authors, categories, collections, tags.
const SUGGESTED_NAMES: usize = 4;
/// An unfinished name of at least this many letters that matches no author is tried again without its last two letters.
const NAME_WITHOUT_END: usize = 6;
/// The most words of authors' names that an unfinished word may stand for.
const NAMES_MEANT: usize = 3;

/// Reads that apply the catalogue's rules, over any store.
pub trait CatalogueLists: CatalogueQueries {
    /// The cards of the published ones among these books, in the order of `books`.
    fn book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError> {
        let mut by_id = self.book_cards_by_id(books)?;
        Ok(books.iter().filter_map(|id| by_id.remove(id)).collect())
    }

    /// The cards of the published ones among these books.
    fn book_cards_by_id(&mut self, books: &[BookId]) -> Result<HashMap<BookId, BookCard>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.find_book_cards(books)?.into_iter().map(|card| (card.id, card)).collect())
    }

    /// The names of books, including unpublished ones: a member's library still names a book that was withdrawn.
    fn book_names(&mut self, books: &[BookId]) -> Result<HashMap<BookId, BookName>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.find_book_names(books)?.into_iter().map(|name| (name.id, name)).collect())
    }

    /// The published books that books of another catalogue are, in the same order; `None`: it is not here.
    fn match_books(&mut self, sought: &[SoughtBook]) -> Result<Vec<Option<BookId>>, StoreError> {
        if sought.is_empty() {
            return Ok(Vec::new());
        }
        let subids: Vec<String> = sought.iter().filter_map(|book| book.subid.clone()).collect();
        let titles: Vec<String> = sought.iter().map(|book| book.title.trim().to_owned()).collect();
        let books = self.find_books_named(&subids, &titles)?;
        Ok(sought.iter().map(|book| book.found_in(&books)).collect())
    }

    /// A page of a list of published books (`catalogue.list-orders`).
    ///
    /// # Errors
    /// [`CatalogueError::BadCursor`] when the cursor belongs to a list in another order,
    /// [`CatalogueError::UnknownFilter`] when a filter names something that does not exist.
    fn books(&mut self, query: &ListQuery) -> Result<Page<BookCard, BookCursor>, CatalogueError> {
        query.check()?;
        let found = self.list_book_cards(query)?;
        if found.is_empty() {
            check_names(self, &query.filters)?;
        }
        Ok(Page::from_surplus(found, query.limit, |(_, key)| key.clone()).map(|(card, _)| card))
    }

    /// A page of the published books that match the query, best match first (`catalogue.search-text`).
    ///
    /// A book matches when it has all words of the query. The search is widened to books with some of the words, or
    /// with related words, when no book matches, or when few do and none is about the words: they stand in its title,
    /// author, tags, categories or headings, or one of them in its title or author and the others in its text. The books
    /// that have the words themselves stay first (`catalogue.word-itself`); [`Search::near`] says how many others follow. When
    /// still none is about the words, and no more than [`NEAR_HITS`] are listed, all hits are marked as near.
    ///
    /// A word that no text contains stands for known words: an unfinished last word for those that begin with it, otherwise
    /// for the words that are written together in it, or for the nearest ones. A common English word is corrected only to a
    /// word that is one edit away and has the same first letter; the name of a topic is never corrected.
    ///
    /// # Errors
    /// [`CatalogueError::BadCursor`] when the cursor belongs to another list, [`CatalogueError::UnknownFilter`] when a
    /// filter names something that does not exist.
    fn search(&mut self, query: &SearchQuery, shown: &PassageAccess<'_>) -> Result<SearchPage, CatalogueError> {
        let (mut is_wide, after) = match &query.after {
            None => (false, None),
            Some(BookCursor::Ranked { score, near, id }) => (*near, Some((*score, *id))),
            Some(_) => return Err(CatalogueError::BadCursor),
        };
        let (terms, misspellings) = understood(self, Terms::parse(&query.text))?;
        if terms.is_empty() {
            check_names(self, &query.filters)?;
            return Ok(SearchPage { items: Vec::new(), next: None, did_you_mean: None });
        }
        let mut search = Search { terms: &terms, near: None, filters: &query.filters, after, limit: query.limit };
        let mut found = if is_wide { Vec::new() } else { self.search_book_cards(&search)? };
        let mut sought = terms.clone();
        let mut names = Vec::new();
        let near;
        if is_wide || (after.is_none() && !terms.terms.is_empty() && is_in_passing(&found)) {
            let words = widening_words(self, &terms)?;
            near = related::near_words(&terms, &words.known_stems.into_iter().collect());
            names = words.names;
            if is_wide || found.is_empty() || near.is_wider_than(&terms) {
                search.near = Some(&near);
                (found, is_wide) = (self.search_book_cards(&search)?, true);
                sought = near.terms(&terms);
            }
        }
        if found.is_empty() {
            check_names(self, &query.filters)?;
        }
        let did_you_mean = match (found.first(), after) {
            (Some(best), None) if !misspellings.is_empty() => spelling::offer(&query.text, &misspellings, &best.card),
            (_, None) => similar_search(self, &query.text, &terms, &names)?,
            _ => None,
        };
        let is_near = is_wide && found.first().is_some_and(|best| !best.some_about && best.listed <= NEAR_HITS);
        let page = Page::from_surplus(found, query.limit, |last| BookCursor::Ranked {
            score: last.score,
            near: is_wide,
            id: last.card.id,
        });
        let Page { items, next } = page.map(|found| hit(found, &sought, is_near, shown));
        Ok(SearchPage { items, next, did_you_mean })
    }

    /// The key ideas of these books that are about a text, in any order: they have its words, or words that are related to it.
    fn ideas_about(&mut self, text: &str, books: &[BookId]) -> Result<Vec<RankedIdea>, StoreError> {
        let (terms, _) = understood(self, Terms::parse(text))?;
        if terms.terms.is_empty() || books.is_empty() {
            return Ok(Vec::new());
        }
        let known = widening_words(self, &terms)?.known_stems.into_iter().collect();
        self.rank_ideas(&related::near_words(&terms, &known), books)
    }

    /// Suggestions for an unfinished query: books, authors, categories, collections and tags. Empty for a blank text.
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
            did_you_mean: books.did_you_mean,
            books: books.items,
            authors: best(&typed, authors, |author| &author.name, SUGGESTED_NAMES),
            categories: best(&typed, categories, |category| &category.draft.name, SUGGESTED_NAMES),
            collections: best(&typed, collections, |collection| &collection.draft.title, SUGGESTED_NAMES),
            tags: best(&typed, tags, |tag| &tag.name, SUGGESTED_NAMES),
        })
    }

    /// A page of the author directory, from A to Z: authors with readable books.
    fn authors(&mut self, query: &AuthorsQuery) -> Result<Page<AuthorCard, AuthorCursor>, StoreError> {
        let found = self.list_authors(query)?;
        Ok(Page::from_surplus(found, query.limit, |(_, key)| key.clone()).map(|(author, _)| author))
    }

    /// A page of the collections, newest first.
    fn collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Page<Collection, DateCursor<CollectionId>>, StoreError> {
        let found = self.list_collections(after, limit)?;
        Ok(Page::from_surplus(found, limit, |last| DateCursor { at: last.draft.upload_date, id: last.id }))
    }

    /// Recommends books to a reader (`reading-progress.recommended-books`): those of the chosen categories that the
    /// reader has neither `begun` nor `completed`, best first by rating, popularity and age, then others. If there are
    /// none, those that were begun; then announced ones among the newest; completed ones only when the catalogue has
    /// nothing else.
    fn recommendations(
        &mut self,
        categories: &[CategoryId],
        begun: &[BookId],
        completed: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError> {
        let mut excluded = [begun, completed].concat();
        let mut best =
            if categories.is_empty() { Vec::new() } else { self.best_book_cards(Some(categories), &excluded, limit)? };
        if best.len() < limit {
            excluded.extend(best.iter().map(|card| card.id));
            best.extend(self.best_book_cards(None, &excluded, limit - best.len())?);
        }
        if best.is_empty() && !begun.is_empty() {
            best = self.best_book_cards(None, completed, limit)?;
        }
        if best.is_empty() {
            let query =
                ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(limit) };
            best = self.list_book_cards(&query)?.into_iter().map(|(card, _)| card).take(limit).collect();
            best.retain(|card| card.coming_soon && !completed.contains(&card.id));
        }
        if best.is_empty() {
            best = self.best_book_cards(None, &[], limit)?;
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

    /// A page of the readable books that have illustrated key ideas, the highest id first.
    fn visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Page<VisualBook, BookId>, StoreError> {
        let found = self.list_visual_books(after, limit)?;
        Ok(Page::from_surplus(found, limit, |book| book.card.id))
    }
}

impl<S: CatalogueQueries + ?Sized> CatalogueLists for S {}

/// Whether the books that were found only mention the words: they are few, and none is about the words.
fn is_in_passing(found: &[RankedBook]) -> bool {
    found.first().is_none_or(|best| !best.some_about && best.listed < MENTIONED)
}

/// The related words that some text contains, and the names that are spelled like the typed words.
fn widening_words<S: CatalogueQueries + ?Sized>(store: &mut S, terms: &Terms) -> Result<WideningWords, StoreError> {
    let stems: Vec<String> = related::candidates(terms).into_iter().map(words::stem).collect();
    let typed: Vec<String> = similar_words(terms).cloned().collect();
    if stems.is_empty() && typed.is_empty() {
        Ok(WideningWords::default())
    } else {
        store.widening_words(&stems, &typed)
    }
}

/// The typed words for which a name may be offered.
fn similar_words(terms: &Terms) -> impl Iterator<Item = &String> {
    terms.terms.iter().map(|term| &term.words[0]).filter(|word| spelling::is_long_enough(word))
}

/// The search to offer for one without a misspelled word: the first word that is spelled or sounds like one of the names stands
/// for it.
fn similar_search<S: CatalogueQueries + ?Sized>(
    store: &mut S,
    text: &str,
    terms: &Terms,
    names: &[String],
) -> Result<Option<String>, StoreError> {
    let similar = similar_words(terms).find_map(|word| Some((word, spelling::similar_name(word, names)?)));
    let Some((typed, name)) = similar else { return Ok(None) };
    let all = words::words_of(text);
    if !all.contains(typed) {
        return Ok(None);
    }
    let offered: Vec<String> = all.into_iter().map(|word| if word == *typed { name.clone() } else { word }).collect();
    let folded = offered.join(" ");
    let authors = store.authors_like(&folded)?;
    let mut spelled = authors.iter().map(|author| spelling::spelled_as(&author.name, &offered));
    Ok(Some(spelled.find(|spelled| *spelled != folded).unwrap_or(folded)))
}

/// The known words that are written together in a word that no text contains; `None` when it can't be split.
fn joined_words<S: CatalogueQueries + ?Sized>(store: &mut S, word: &str) -> Result<Option<Vec<String>>, StoreError> {
    let parts = words::parts_of(word);
    if parts.is_empty() {
        return Ok(None);
    }
    let stems: Vec<String> = parts.into_iter().map(words::stem).collect();
    let known: BTreeSet<String> = store.known_stems(&stems)?.into_iter().collect();
    Ok(words::split_joined(word, |part| known.contains(&words::stem(part))))
}

/// Adds to each word that no text contains the words that it most likely stands for. Returns those that are misspelled, too.
fn understood<S: CatalogueQueries + ?Sized>(
    store: &mut S,
    mut terms: Terms,
) -> Result<(Terms, Vec<Misspelling>), StoreError> {
    let stems: Vec<String> = terms.terms.iter().map(|term| words::stem(&term.words[0])).collect();
    let known = if stems.is_empty() { Vec::new() } else { store.known_stems(&stems)? };
    let mut corrected = 0;
    let mut misspellings = Vec::new();
    for (term, stem) in terms.terms.iter_mut().zip(&stems) {
        let word = term.words[0].clone();
        if known.contains(stem) || word.chars().count() < 3 || word.chars().any(char::is_numeric) {
            continue;
        }
        let mut meant = if term.unfinished { store.words_beginning(&word, COMPLETIONS)? } else { Vec::new() };
        let is_beginning = !meant.is_empty();
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
        for word in &meant {
            if !term.words.contains(word) {
                term.words.push(word.clone());
            }
        }
        if !is_beginning && !meant.is_empty() {
            misspellings.push(Misspelling { typed: word, meant });
        }
    }
    Ok((terms, misspellings))
}

/// The words of authors' names that nearly begin with the unfinished word. Names are misspelled more often than other
/// words, so they count even if some text has a word with exactly this beginning.
fn names_meant<S: CatalogueQueries + ?Sized>(store: &mut S, word: &str) -> Result<Vec<String>, StoreError> {
    let mut authors = store.authors_like(word)?;
    let count = word.chars().count();
    if authors.is_empty() && count >= NAME_WITHOUT_END {
        // A typo near the end of a short prefix leaves too little similarity.
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

/// The search result for a book that was found, with a passage from the text that the searcher may read.
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

/// Fails with [`CatalogueError::UnknownFilter`] if a filter names something that does not exist. It is called for empty
/// results only, so that other lists save the query.
fn check_names<S: CatalogueQueries + ?Sized>(store: &mut S, filters: &Filters) -> Result<(), CatalogueError> {
    if !filters.name_something() {
        return Ok(());
    }
    store.find_unknown_filter(filters)?.map_or(Ok(()), |filter| Err(CatalogueError::UnknownFilter(filter)))
}
