//! Editing what is smaller than a book: goals, categories, collections, posts, episodes, insights.

use admin::{AuditEvent, EditQueries, FieldChange, RowRef, RowVersion, Subject, SubjectKind};
use catalogue::{Catalogue, CatalogueQueries, Category, CategoryDraft, Collection, CollectionDraft, Goal, GoalDraft};
use editorial::{Editorial, EditorialQueries, Insight, InsightDraft, Podcast, PodcastDraft, Post, PostDraft};
use kernel::{BookId, CategoryId, CollectionId, GoalId, InsightId, Limit, PodcastId, PostId, Slug, StoreError};

use super::{EditError, advance, after_podcast_change, begin};
use crate::{audit::AuditTrail, recording_files, tx::Tx};

/// A row with its version.
#[derive(Clone, Debug)]
pub struct Versioned<T> {
    pub row: T,
    pub version: RowVersion,
}

/// A field of a row before and after, as texts.
pub(super) type Field<'a> = (&'static str, Option<&'a str>, Option<&'a str>);

/// Rows with their versions.
pub(super) fn versioned<T>(
    tx: &mut Tx<'_, '_>,
    kind: SubjectKind,
    rows: Vec<T>,
    id_of: impl Fn(&T) -> i64,
) -> Result<Vec<Versioned<T>>, StoreError> {
    let ids: Vec<i64> = rows.iter().map(&id_of).collect();
    let versions = tx.pg.row_versions(kind, &ids)?;
    let version_of = |row: &T| {
        let found = versions.iter().find(|(id, _)| *id == id_of(row));
        found.map_or(RowVersion::FIRST, |(_, version)| version.clone())
    };
    Ok(rows.into_iter().map(|row| (version_of(&row), row)).map(|(version, row)| Versioned { row, version }).collect())
}

/// Records a change of a row that was saved, as its next version; nothing when no field changed.
pub(super) fn changed(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
    fields: &[Field<'_>],
) -> Result<(), StoreError> {
    let changes = fields.iter().map(|(field, from, to)| FieldChange::between(field, *from, *to));
    let event = AuditEvent::new(action, Subject::named(row.kind, row.id, name)).with(changes);
    if !event.changes.is_empty() {
        advance(tx, trail, row)?;
        trail.record(event);
    }
    Ok(())
}

/// Records that a row was added.
pub(super) fn created(trail: &mut AuditTrail, (row, name): (RowRef, &str), action: &'static str) {
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)));
}

pub(super) fn row_ref(kind: SubjectKind, id: i64) -> RowRef {
    RowRef { kind, id }
}

/// A name in addresses made of a title that none of these have.
fn free_slug(
    tx: &mut Tx<'_, '_>,
    title: &str,
    is_taken: impl Fn(&mut Tx<'_, '_>, &Slug) -> Result<bool, StoreError>,
) -> Result<Slug, EditError> {
    let base = Slug::of_name(title).ok_or(EditError::Missing { field: "title", label: "Title" })?;
    let mut slug = base.clone();
    for number in 2.. {
        if !is_taken(tx, &slug)? {
            break;
        }
        slug = Slug::parse(&format!("{base}-{number}")).map_err(|_| EditError::Taken("title"))?;
    }
    Ok(slug)
}

/// What an editor writes about a goal. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalEdit {
    pub title: Option<String>,
    /// The title where there is little room.
    pub short_title: Option<String>,
    /// The title on a phone; the short one when a goal is added without.
    pub mobile_title: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Where it stands among the others.
    pub place: Option<i32>,
}

/// All goals, in their order.
pub fn goals(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Goal>>, StoreError> {
    let goals = tx.pg.goals()?;
    versioned(tx, SubjectKind::Goal, goals, |goal| goal.id.get())
}

/// A goal.
pub fn goal(tx: &mut Tx<'_, '_>, id: GoalId) -> Result<Versioned<Goal>, EditError> {
    goals(tx)?.into_iter().find(|goal| goal.row.id == id).ok_or(EditError::Unknown("goal"))
}

/// Adds a goal.
pub fn add_goal(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: GoalEdit) -> Result<Versioned<Goal>, EditError> {
    let title = edit.title.unwrap_or_default();
    let short_title = edit.short_title.unwrap_or_default();
    let is_taken = |tx: &mut Tx<'_, '_>, slug: &Slug| Ok(tx.pg.goals()?.iter().any(|goal| goal.draft.slug == *slug));
    let draft = GoalDraft {
        slug: free_slug(tx, &title, is_taken)?,
        mobile_title: edit.mobile_title.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| short_title.clone()),
        title,
        short_title,
        description: edit.description.unwrap_or_default(),
        place: edit.place.unwrap_or(i32::try_from(tx.pg.goals()?.len()).unwrap_or(i32::MAX)),
    };
    let now = tx.now();
    let id = tx.pg.save_goal(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Goal, id.get()), &draft.title), "goal.create");
    goal(tx, id)
}

/// Changes a goal, based on the version that the editor has read.
pub fn edit_goal(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (GoalId, Option<i64>),
    edit: GoalEdit,
) -> Result<Versioned<Goal>, EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, read)?;
    let before = goal(tx, id)?.row.draft;
    let draft = GoalDraft {
        slug: before.slug.clone(),
        title: edit.title.unwrap_or_else(|| before.title.clone()),
        short_title: edit.short_title.unwrap_or_else(|| before.short_title.clone()),
        mobile_title: edit.mobile_title.unwrap_or_else(|| before.mobile_title.clone()),
        description: edit.description.unwrap_or_else(|| before.description.clone()),
        place: edit.place.unwrap_or(before.place),
    };
    let now = tx.now();
    tx.pg.save_goal(&draft, now)?;
    let after = goal(tx, id)?.row.draft;
    let (from, to) = (before.place.to_string(), after.place.to_string());
    changed(
        tx,
        trail,
        (row, &after.title),
        "goal.update",
        &[
            ("title", Some(&before.title), Some(&after.title)),
            ("shortTitle", Some(&before.short_title), Some(&after.short_title)),
            ("mobileTitle", Some(&before.mobile_title), Some(&after.mobile_title)),
            ("desc", Some(&before.description), Some(&after.description)),
            ("place", Some(&from), Some(&to)),
        ],
    )?;
    goal(tx, id)
}

/// The rows in the order of their numbers.
///
/// # Errors
/// [`EditError::OrderStale`] when the numbers are not those of all rows, each once: another editor added or deleted one.
fn ordered<T>(mut rows: Vec<T>, ids: &[i64], id_of: impl Fn(&T) -> i64) -> Result<Vec<T>, EditError> {
    if rows.len() != ids.len() {
        return Err(EditError::OrderStale);
    }
    let take = |id: &i64| {
        let at = rows.iter().position(|row| id_of(row) == *id).ok_or(EditError::OrderStale)?;
        Ok(rows.swap_remove(at))
    };
    ids.iter().map(take).collect()
}

/// A place in an order.
fn place_of(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// Records that rows of a kind were reordered. Reordering creates no version: the rows' forms don't have it.
fn reordered(trail: &mut AuditTrail, kind: SubjectKind, action: &'static str, (from, to): (&[String], &[String])) {
    let change = FieldChange::between("order", Some(&from.join(", ")), Some(&to.join(", ")));
    trail.record_changes(AuditEvent::new(action, Subject::whole(kind)).with([change]));
}

/// Puts all goals in an order.
pub fn order_goals(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    ids: &[GoalId],
) -> Result<Vec<Versioned<Goal>>, EditError> {
    let before = tx.pg.goals()?;
    let titles = |goals: &[Goal]| goals.iter().map(|goal| goal.draft.title.clone()).collect::<Vec<_>>();
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let after = ordered(before.clone(), &ids, |goal| goal.id.get())?;
    let now = tx.now();
    for (at, goal) in after.iter().enumerate() {
        tx.pg.save_goal(&GoalDraft { place: place_of(at), ..goal.draft.clone() }, now)?;
    }
    reordered(trail, SubjectKind::Goal, "goal.order", (&titles(&before), &titles(&after)));
    Ok(goals(tx)?)
}

/// Puts all categories in an order.
pub fn order_categories(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    ids: &[CategoryId],
) -> Result<Vec<Versioned<Category>>, EditError> {
    let before = tx.pg.categories()?;
    let names = |all: &[Category]| all.iter().map(|one| one.draft.name.clone()).collect::<Vec<_>>();
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let after = ordered(before.clone(), &ids, |one| one.id.get())?;
    let now = tx.now();
    for (at, one) in after.iter().enumerate() {
        tx.pg.save_category(&CategoryDraft { place: place_of(at), ..one.draft.clone() }, now)?;
    }
    reordered(trail, SubjectKind::Category, "category.order", (&names(&before), &names(&after)));
    Ok(categories(tx)?)
}

/// What an editor writes about a category. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CategoryEdit {
    pub name: Option<String>,
    /// The hue, in degrees.
    pub hue: Option<u16>,
    /// Where it stands among the others.
    pub place: Option<i32>,
}

/// All categories, in their order.
pub fn categories(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Category>>, StoreError> {
    let categories = tx.pg.categories()?;
    versioned(tx, SubjectKind::Category, categories, |category| category.id.get())
}

/// A category.
pub fn category(tx: &mut Tx<'_, '_>, id: CategoryId) -> Result<Versioned<Category>, EditError> {
    categories(tx)?.into_iter().find(|one| one.row.id == id).ok_or(EditError::Unknown("category"))
}

/// Adds a category.
pub fn add_category(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: &CategoryEdit,
) -> Result<Versioned<Category>, EditError> {
    let name = edit.name.clone().unwrap_or_default();
    let there = tx.pg.categories()?;
    let subid = Slug::of_name(&name).ok_or(EditError::Missing { field: "name", label: "Name" })?;
    if there.iter().any(|one| one.draft.subid == subid) {
        return Err(EditError::Taken("name"));
    }
    let place = edit.place.unwrap_or(i32::try_from(there.len()).unwrap_or(i32::MAX));
    let draft = CategoryDraft { subid, name, hue: edit.hue.unwrap_or(0), small_image: None, place };
    let now = tx.now();
    let id = tx.pg.save_category(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Category, id.get()), &draft.name), "category.create");
    category(tx, id)
}

/// Changes a category, based on the version that the editor has read. A new name or hue reaches its books.
pub fn edit_category(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (CategoryId, Option<i64>),
    edit: CategoryEdit,
) -> Result<Versioned<Category>, EditError> {
    let row = row_ref(SubjectKind::Category, id.get());
    begin(tx, row, read)?;
    let before = category(tx, id)?.row.draft;
    let draft = CategoryDraft {
        name: edit.name.unwrap_or_else(|| before.name.clone()),
        hue: edit.hue.unwrap_or(before.hue),
        place: edit.place.unwrap_or(before.place),
        ..before.clone()
    };
    let now = tx.now();
    tx.pg.save_category(&draft, now)?;
    let after = category(tx, id)?.row.draft;
    let texts = |draft: &CategoryDraft| (draft.hue.to_string(), draft.place.to_string());
    let (from, to) = (texts(&before), texts(&after));
    changed(
        tx,
        trail,
        (row, &after.name),
        "category.update",
        &[
            ("name", Some(&before.name), Some(&after.name)),
            ("hue", Some(&from.0), Some(&to.0)),
            ("place", Some(&from.1), Some(&to.1)),
        ],
    )?;
    category(tx, id)
}

/// What an editor writes about a collection. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionEdit {
    pub title: Option<String>,
    /// A line below the title.
    pub subtitle: Option<String>,
    /// The categories, in their order.
    pub categories: Option<Vec<CategoryId>>,
    /// The chosen books, in their order.
    pub books: Option<Vec<BookId>>,
}

/// All collections, by their titles.
pub fn collections(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Collection>>, StoreError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = tx.pg.collections(after, Limit::clamped(Limit::MAX))?;
        all.extend(page.items);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    all.sort_by_key(|one| (one.draft.key(), one.id));
    versioned(tx, SubjectKind::Collection, all, |one| one.id.get())
}

/// A collection.
pub fn collection(tx: &mut Tx<'_, '_>, id: CollectionId) -> Result<Versioned<Collection>, EditError> {
    let found = tx.pg.collection(id)?.ok_or(EditError::Unknown("collection"))?;
    let version = tx.pg.row_version(row_ref(SubjectKind::Collection, id.get()))?;
    Ok(Versioned { row: found, version })
}

/// The names in addresses of categories.
fn subids(tx: &mut Tx<'_, '_>, ids: &[CategoryId]) -> Result<Vec<Slug>, EditError> {
    let all = tx.pg.categories()?;
    let of = |id: &CategoryId| all.iter().find(|one| one.id == *id).map(|one| one.draft.subid.clone());
    ids.iter().map(|id| of(id).ok_or(EditError::Unknown("category"))).collect()
}

/// The names in addresses of books.
fn subids_of_books(tx: &mut Tx<'_, '_>, ids: &[BookId]) -> Result<Vec<Slug>, EditError> {
    let names = tx.pg.book_names(ids)?;
    let of = |id: &BookId| names.get(id).map(|book| book.subid.clone());
    ids.iter().map(|id| of(id).ok_or(EditError::Unknown("book"))).collect()
}

/// Adds a collection.
pub fn add_collection(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: &CollectionEdit,
) -> Result<Versioned<Collection>, EditError> {
    let draft = CollectionDraft {
        title: edit.title.clone().unwrap_or_default(),
        subtitle: edit.subtitle.clone().unwrap_or_default(),
        image: None,
        upload_date: tx.now(),
        categories: subids(tx, edit.categories.as_deref().unwrap_or_default())?,
        books: subids_of_books(tx, edit.books.as_deref().unwrap_or_default())?,
    };
    let id = tx.pg.create_collection(&draft)?;
    created(trail, (row_ref(SubjectKind::Collection, id.get()), &draft.title), "collection.create");
    collection(tx, id)
}

/// Changes a collection, based on the version that the editor has read.
pub fn edit_collection(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (CollectionId, Option<i64>),
    edit: CollectionEdit,
) -> Result<Versioned<Collection>, EditError> {
    let row = row_ref(SubjectKind::Collection, id.get());
    begin(tx, row, read)?;
    let before = collection(tx, id)?.row.draft;
    let categories = match &edit.categories {
        None => before.categories.clone(),
        Some(ids) => subids(tx, ids)?,
    };
    let books = match &edit.books {
        None => before.books.clone(),
        Some(ids) => subids_of_books(tx, ids)?,
    };
    let draft = CollectionDraft {
        title: edit.title.unwrap_or_else(|| before.title.clone()),
        subtitle: edit.subtitle.unwrap_or_else(|| before.subtitle.clone()),
        categories,
        books,
        ..before.clone()
    };
    tx.pg.edit_collection(id, &draft)?;
    let after = collection(tx, id)?.row.draft;
    let list = |slugs: &[Slug]| slugs.iter().map(Slug::as_str).collect::<Vec<_>>().join(", ");
    let (from, to) = (list(&before.categories), list(&after.categories));
    let (books_from, books_to) = (list(&before.books), list(&after.books));
    changed(
        tx,
        trail,
        (row, &after.title),
        "collection.update",
        &[
            ("title", Some(&before.title), Some(&after.title)),
            ("subtitle", Some(&before.subtitle), Some(&after.subtitle)),
            ("categories", Some(&from), Some(&to)),
            ("books", Some(&books_from), Some(&books_to)),
        ],
    )?;
    collection(tx, id)
}

/// What an editor writes about a post. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostEdit {
    pub title: Option<String>,
    /// A line or two below it.
    pub description: Option<String>,
    /// The names of its categories.
    pub categories: Option<Vec<String>>,
    /// The text, as HTML.
    pub text: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
}

/// All posts, the newest first.
pub fn posts(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Post>>, StoreError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = tx.pg.posts(None, after, Limit::clamped(Limit::MAX))?;
        for card in page.items {
            all.extend(tx.pg.post(&card.slug)?);
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    versioned(tx, SubjectKind::Post, all, |post| post.card.id.get())
}

/// A post.
pub fn post(tx: &mut Tx<'_, '_>, id: PostId) -> Result<Versioned<Post>, EditError> {
    let slug = tx.pg.post_slug(id)?.ok_or(EditError::Unknown("post"))?;
    let found = tx.pg.post(&slug)?.ok_or(EditError::Unknown("post"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Post, id.get()))? })
}

/// What editors wrote of a post.
pub(super) fn post_draft(post: &Post) -> PostDraft {
    let card = post.card.clone();
    PostDraft {
        slug: card.slug,
        title: card.title,
        description: card.description,
        text: post.text.clone(),
        categories: card.categories.into_iter().map(|one| one.name).collect(),
        author: card.author,
        book: post.book.clone(),
        photo: card.photo,
        published_at: card.published_at,
    }
}

/// Adds a post, which comes out now.
pub fn add_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: PostEdit) -> Result<Versioned<Post>, EditError> {
    let title = edit.title.unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.post(slug)?.is_some()))?;
    let now = tx.now();
    let draft = PostDraft {
        slug,
        title,
        description: edit.description.unwrap_or_default(),
        text: edit.text.unwrap_or_default(),
        categories: edit.categories.unwrap_or_default(),
        author: edit.author.unwrap_or_else(|| "The editors".to_owned()),
        book: None,
        photo: None,
        published_at: now,
    };
    let id = tx.pg.save_post(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Post, id.get()), &draft.title), "post.create");
    post(tx, id)
}

/// Changes a post, based on the version that the editor has read.
pub fn edit_post(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PostId, Option<i64>),
    edit: PostEdit,
) -> Result<Versioned<Post>, EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, read)?;
    let before = post(tx, id)?.row;
    let card = &before.card;
    let there = post_draft(&before);
    let draft = PostDraft {
        title: edit.title.unwrap_or(there.title),
        description: edit.description.unwrap_or(there.description),
        text: edit.text.unwrap_or(there.text),
        categories: edit.categories.unwrap_or(there.categories),
        author: edit.author.unwrap_or(there.author),
        ..there
    };
    let now = tx.now();
    tx.pg.save_post(&draft, now)?;
    let after = post(tx, id)?.row;
    let names = |post: &Post| post_draft(post).categories.join(", ");
    let (from, to) = (names(&before), names(&after));
    changed(
        tx,
        trail,
        (row, &after.card.title),
        "post.update",
        &[
            ("title", Some(&card.title), Some(&after.card.title)),
            ("description", Some(&card.description), Some(&after.card.description)),
            ("categories", Some(&from), Some(&to)),
            ("text", Some(&before.text), Some(&after.text)),
            ("author", Some(&card.author), Some(&after.card.author)),
        ],
    )?;
    post(tx, id)
}

/// What an editor writes about an episode. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodcastEdit {
    pub title: Option<String>,
    /// Who speaks.
    pub author: Option<String>,
    pub author_desc: Option<String>,
    /// What the episode is about.
    pub description: Option<String>,
    /// What is spoken, as HTML.
    pub script: Option<String>,
}

/// All episodes, the newest first.
pub fn podcasts(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Podcast>>, StoreError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = tx.pg.podcasts(after, Limit::clamped(Limit::MAX))?;
        for card in page.items {
            all.extend(tx.pg.podcast(&card.slug)?);
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    versioned(tx, SubjectKind::Podcast, all, |podcast| podcast.card.id.get())
}

/// An episode.
pub fn podcast(tx: &mut Tx<'_, '_>, id: PodcastId) -> Result<Versioned<Podcast>, EditError> {
    let slug = tx.pg.podcast_slug(id)?.ok_or(EditError::Unknown("podcast"))?;
    let found = tx.pg.podcast(&slug)?.ok_or(EditError::Unknown("podcast"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Podcast, id.get()))? })
}

/// What editors wrote of an episode.
pub(super) fn podcast_draft(podcast: &Podcast) -> PodcastDraft {
    let card = podcast.card.clone();
    PodcastDraft {
        slug: card.slug,
        title: card.title,
        author: card.author,
        author_desc: card.author_desc,
        description: card.description,
        script: podcast.script.clone(),
        image: card.image,
        published_at: card.published_at,
    }
}

/// Adds an episode, which comes out now.
pub fn add_podcast(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: PodcastEdit,
) -> Result<Versioned<Podcast>, EditError> {
    let title = edit.title.unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.podcast(slug)?.is_some()))?;
    let now = tx.now();
    let draft = PodcastDraft {
        slug,
        title,
        author: edit.author.unwrap_or_default(),
        author_desc: edit.author_desc.unwrap_or_default(),
        description: edit.description.unwrap_or_default(),
        script: edit.script.unwrap_or_default(),
        image: None,
        published_at: now,
    };
    let id = recording_files::save_podcast(tx.pg, &draft, now)?.id();
    after_podcast_change(tx)?;
    created(trail, (row_ref(SubjectKind::Podcast, id.get()), &draft.title), "podcast.create");
    podcast(tx, id)
}

/// Changes an episode, based on the version that the editor has read.
pub fn edit_podcast(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PodcastId, Option<i64>),
    edit: PodcastEdit,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, read)?;
    let before = podcast(tx, id)?.row;
    let card = &before.card;
    let there = podcast_draft(&before);
    let draft = PodcastDraft {
        title: edit.title.unwrap_or(there.title),
        author: edit.author.unwrap_or(there.author),
        author_desc: edit.author_desc.unwrap_or(there.author_desc),
        description: edit.description.unwrap_or(there.description),
        script: edit.script.unwrap_or(there.script),
        ..there
    };
    let now = tx.now();
    recording_files::save_podcast(tx.pg, &draft, now)?;
    after_podcast_change(tx)?;
    let after = podcast(tx, id)?.row;
    changed(
        tx,
        trail,
        (row, &after.card.title),
        "podcast.update",
        &[
            ("title", Some(&card.title), Some(&after.card.title)),
            ("author", Some(&card.author), Some(&after.card.author)),
            ("authorDesc", Some(&card.author_desc), Some(&after.card.author_desc)),
            ("description", Some(&card.description), Some(&after.card.description)),
            ("script", Some(&before.script), Some(&after.script)),
        ],
    )?;
    podcast(tx, id)
}

/// What an editor writes about a thought for a day. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InsightEdit {
    /// A few words; the first words of the thought when it is added without.
    pub title: Option<String>,
    /// The thought.
    pub insight: Option<String>,
    /// The book that it is from or about.
    pub book: Option<Slug>,
    /// Whether it is a quotation.
    pub quoted: Option<bool>,
}

/// How many words of a thought make its title.
const TITLE_WORDS: usize = 6;

/// All thoughts, the newest first.
pub fn insights(tx: &mut Tx<'_, '_>) -> Result<Vec<Versioned<Insight>>, StoreError> {
    let all = tx.pg.insights()?;
    versioned(tx, SubjectKind::Insight, all, |insight| insight.id.get())
}

/// A thought.
pub fn insight(tx: &mut Tx<'_, '_>, id: InsightId) -> Result<Versioned<Insight>, EditError> {
    insights(tx)?.into_iter().find(|one| one.row.id == id).ok_or(EditError::Unknown("insight"))
}

/// Refuses a book that is not there.
fn check_book(tx: &mut Tx<'_, '_>, book: Option<&Slug>) -> Result<(), EditError> {
    let Some(subid) = book else { return Ok(()) };
    tx.pg.find_book_draft(subid)?.map(|_| ()).ok_or(EditError::Unknown("book"))
}

/// Adds a thought.
pub fn add_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: InsightEdit,
) -> Result<Versioned<Insight>, EditError> {
    check_book(tx, edit.book.as_ref())?;
    let thought = edit.insight.unwrap_or_default();
    let words = || thought.split_whitespace().take(TITLE_WORDS).collect::<Vec<_>>().join(" ");
    let title = edit.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(words);
    if tx.pg.insights()?.iter().any(|one| one.draft.title == title) {
        return Err(EditError::Taken("title"));
    }
    let draft = InsightDraft { title, insight: thought, book: edit.book, quoted: edit.quoted.unwrap_or(true) };
    let now = tx.now();
    let id = tx.pg.save_insight(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Insight, id.get()), &draft.title), "insight.create");
    insight(tx, id)
}

/// Changes a thought, based on the version that the editor has read.
pub fn edit_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (InsightId, Option<i64>),
    edit: InsightEdit,
) -> Result<Versioned<Insight>, EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, read)?;
    check_book(tx, edit.book.as_ref())?;
    let before = insight(tx, id)?.row.draft;
    let draft = InsightDraft {
        title: edit.title.unwrap_or_else(|| before.title.clone()),
        insight: edit.insight.unwrap_or_else(|| before.insight.clone()),
        book: edit.book.or_else(|| before.book.clone()),
        quoted: edit.quoted.unwrap_or(before.quoted),
    };
    tx.pg.edit_insight(id, &draft)?;
    let (from, to) = (before.quoted.to_string(), draft.quoted.to_string());
    changed(
        tx,
        trail,
        (row, &draft.title),
        "insight.update",
        &[
            ("title", Some(&before.title), Some(&draft.title)),
            ("insight", Some(&before.insight), Some(&draft.insight)),
            ("bookId", before.book.as_ref().map(Slug::as_str), draft.book.as_ref().map(Slug::as_str)),
            ("quoted", Some(&from), Some(&to)),
        ],
    )?;
    insight(tx, id)
}
