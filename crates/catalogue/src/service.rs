//! Saves content for editors, with the catalogue's rules.

use std::collections::HashSet;

use kernel::{AuthorId, BookId, CategoryId, CollectionId, GoalId, Slug, StoreError, TagId, Timestamp};

use crate::{
    AuthorDraft, Body, BookDraft, CatalogueError, CatalogueStore, CategoryDraft, CollectionDraft, EditedVisual,
    GoalDraft, Naming, SaveOutcome, Tag, VISUAL_WORDS, VisualDraft, VisualsDraft,
    store::{BookRecord, CollectionTies},
    words::{self},
};

/// Saves the catalogue's content by its rules, over any store.
pub trait Catalogue: CatalogueStore {
    /// Adds or changes an author. When the name changes, the author's books are saved again, because they show it.
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

    /// Adds or changes a category. When its name or hue changes, its books are saved again, because they show it.
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

    /// Adds or changes a goal. When its title changes, its books are saved again, because they show it.
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

    /// Renames a tag, also in the books that have it. [`CatalogueError::Invalid`] when another tag has the slug.
    fn rename_tag(&mut self, tag: TagId, name: &Tag, now: Timestamp) -> Result<(), CatalogueError> {
        if self.find_tag(&name.slug)?.is_some_and(|there| there != tag) {
            return Err(invalid("name", "There is already a tag with this name."));
        }
        self.rename_tag_row(tag, name)?;
        save_again(self, Naming::Tag(tag), now)
    }

    /// Adds a collection.
    fn create_collection(&mut self, collection: &CollectionDraft) -> Result<CollectionId, CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        Ok(self.put_collection(None, &collection, &ids)?)
    }

    /// Changes the collection with this id.
    fn edit_collection(&mut self, id: CollectionId, collection: &CollectionDraft) -> Result<(), CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        self.put_collection(Some(id), &collection, &ids)?;
        Ok(())
    }

    /// Adds a collection, or changes the one with the same title.
    fn save_collection(&mut self, collection: &CollectionDraft) -> Result<SaveOutcome<CollectionId>, CatalogueError> {
        let collection = checked(collection)?;
        let ids = ties_of(self, &collection)?;
        let there = self.find_collection_titled(&collection.title)?.map(|there| (there.id, there.draft));
        let id = there.as_ref().map(|(id, _)| *id);
        save(there, &collection, |collection| self.put_collection(id, collection, &ids))
    }

    /// Adds or changes a book: sanitizes and divides its body, and indexes it for search.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] and [`CatalogueError::Unknown`] name the wrong field.
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

    /// Replaces a book's illustrated key ideas.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] names the wrong field.
    fn save_visuals(
        &mut self,
        book: BookId,
        visuals: &VisualsDraft,
        now: Timestamp,
    ) -> Result<SaveOutcome<BookId>, CatalogueError> {
        let draft =
            VisualsDraft { ideas: visuals.ideas.iter().map(idea).collect::<Result<_, _>>()?, ..visuals.clone() };
        if draft.ideas.is_empty() {
            return Err(invalid("visuals", "Please add at least one key idea."));
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

/// Validates a collection and normalizes its texts.
fn checked(collection: &CollectionDraft) -> Result<CollectionDraft, CatalogueError> {
    Ok(CollectionDraft {
        title: line("title", &collection.title)?,
        subtitle: plain(&collection.subtitle),
        ..collection.clone()
    })
}

/// The ids of a collection's categories and books, in its order.
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

fn invalid(field: &'static str, message: &str) -> CatalogueError {
    CatalogueError::Invalid { field, message: message.to_owned() }
}

/// Normalizes a required text of one line, of 300 characters at most.
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

/// Validates a key idea and normalizes its texts.
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
    /// Validates the key idea and normalizes its texts.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] names the wrong field.
    pub fn normalised(self) -> Result<Self, CatalogueError> {
        let draft = idea(&VisualDraft { title: self.title, body: self.body, image: None, drawing: None })?;
        Ok(Self { title: draft.title, body: draft.body, ..self })
    }
}

/// A plain text, trimmed, with `
/// ` as line ends and without NUL.
fn plain(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\0', "")
}

/// Validates and normalizes a draft; returns it with its body and its tags.
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

/// Whether a draft equals the stored one. Tags are compared by slug: `self help` equals `self-help`. A draft without
/// audio or video keeps the stored ones.
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

/// Stores a normalized book with everything that is derived from it.
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
    let record = BookRecord {
        draft,
        body,
        author: &author,
        categories: &categories,
        goals: &goals,
        tags,
        vocabulary: words::vocabulary(texts),
        name_words: words::vocabulary([draft.title.as_str(), &author.draft.name]),
        now,
    };
    Ok(store.put_book(&record)?)
}

/// Saves the books again that show a changed name.
fn save_again<S: CatalogueStore + ?Sized>(store: &mut S, name: Naming, now: Timestamp) -> Result<(), CatalogueError> {
    for (_, subid) in store.books_naming(name)? {
        if let Some((_, draft)) = store.find_book_draft(&subid)? {
            // `None` keeps the audio and the video that the book has by now.
            let (draft, body, tags) = normalised(&BookDraft { media: None, video: None, ..draft })?;
            store_book(store, &draft, &body, &tags, now)?;
        }
    }
    Ok(())
}

/// The items with these slugs, in the order of the slugs; [`CatalogueError::Unknown`] for the first slug without one.
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

/// Stores a draft, unless it equals the stored one.
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
