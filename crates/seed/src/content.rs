//! Seed content: read from files and checked as a whole before anything is written.
//!
//! `categories.toml`, `goals.toml`, `collections.toml`, `authors/<slug>.toml`, what the house writes
//! ([`super::editorial`]), and for each book `books/<subid>/book.toml`, `body.html` and, if it has one of its own,
//! `cover.svg` (or `.jpg`, `.png`, `.webp`); illustrated key ideas in `visuals.toml`.

use std::{borrow::Cow, collections::BTreeSet};

use artwork::{Ground, Motif};
use catalogue::{AuthorDraft, BookDraft, CategoryDraft, CollectionDraft, GoalDraft, Quote, VisualsDraft};
use kernel::Slug;
use serde::Deserialize;

use super::{editorial::EditorialContent, files::Files, reader::Reader};

/// Everything that a set of seed files holds.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) authors: Vec<AuthorDraft>,
    pub(super) categories: Vec<CategoryDraft>,
    pub(super) goals: Vec<GoalDraft>,
    pub(super) collections: Vec<CollectionDraft>,
    pub(super) books: Vec<SeedBook>,
    pub(super) editorial: EditorialContent,
}

/// A book and the cover that lies beside it.
#[derive(Debug)]
pub(super) struct SeedBook {
    pub(super) draft: BookDraft,
    /// The ending of the picture's name, and the picture.
    pub(super) cover: Option<(&'static str, Cow<'static, [u8]>)>,
    /// Whether a short film is made of it.
    pub(super) film: bool,
    /// Its illustrated key ideas, if there is a `visuals.toml`.
    pub(super) ideas: Vec<SeedIdea>,
    /// The keys of their pictures, once these are in the object store.
    pub(super) visuals: Option<VisualsDraft>,
}

/// A key idea, and what its picture shows.
#[derive(Clone, Debug)]
pub(super) struct SeedIdea {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) picture: Motif,
    pub(super) ground: Ground,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VisualsFile {
    idea: Vec<IdeaEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdeaEntry {
    title: String,
    body: String,
    picture: Motif,
    ground: Option<Ground>,
}

/// The file of the collections.
const COLLECTIONS: &str = "collections.toml";
const COVERS: [&str; 5] = ["svg", "jpg", "jpeg", "png", "webp"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CategoriesFile {
    category: Vec<CategoryEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CategoryEntry {
    subid: String,
    name: String,
    hue: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalsFile {
    goal: Vec<GoalEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalEntry {
    slug: String,
    title: String,
    short_title: String,
    mobile_title: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionsFile {
    collection: Vec<CollectionEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionEntry {
    title: String,
    subtitle: String,
    upload_date: String,
    categories: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthorFile {
    name: String,
    sort_name: Option<String>,
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BookFile {
    title: String,
    author: String,
    year: Option<i32>,
    description: String,
    categories: Vec<String>,
    #[serde(default)]
    goals: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    free: bool,
    #[serde(default)]
    popular: bool,
    #[serde(default)]
    coming_soon: bool,
    #[serde(default = "yes")]
    published: bool,
    upload_date: String,
    /// Whether a short film is made of its key ideas.
    #[serde(default)]
    video: bool,
    #[serde(default)]
    quotes: Vec<QuoteEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuoteEntry {
    text: String,
    chapter: String,
}

const fn yes() -> bool {
    true
}

impl Content {
    /// Reads and checks everything.
    ///
    /// # Errors
    /// One text with all that is wrong, a line each: the file, the field, and what is the matter.
    pub(super) fn read(files: &Files) -> anyhow::Result<Self> {
        let mut reader = Reader::new(files);
        let content = reader.content()?;
        reader.check()?;
        Ok(content)
    }
}

impl Reader<'_> {
    fn content(&mut self) -> anyhow::Result<Content> {
        let mut content = Content::default();
        if let Some(file) = self.toml::<CategoriesFile>("categories.toml")? {
            for (entry, place) in file.category.into_iter().zip(0..) {
                if let Some(subid) = self.slug("categories.toml", "subid", &entry.subid) {
                    content.categories.push(CategoryDraft {
                        subid,
                        name: entry.name,
                        hue: entry.hue,
                        small_image: None,
                        place,
                    });
                }
            }
        }
        if let Some(file) = self.toml::<GoalsFile>("goals.toml")? {
            for (entry, place) in file.goal.into_iter().zip(0..) {
                if let Some(slug) = self.slug("goals.toml", "slug", &entry.slug) {
                    content.goals.push(GoalDraft {
                        slug,
                        title: entry.title,
                        short_title: entry.short_title,
                        mobile_title: entry.mobile_title,
                        description: entry.description,
                        place,
                    });
                }
            }
        }
        for entry in self.toml::<CollectionsFile>(COLLECTIONS)?.map(|file| file.collection).unwrap_or_default() {
            let categories = self.slugs(COLLECTIONS, "categories", &entry.categories);
            if let Some(upload_date) = self.date(COLLECTIONS, "upload_date", &entry.upload_date) {
                let (title, subtitle) = (entry.title, entry.subtitle);
                content.collections.push(CollectionDraft { title, subtitle, image: None, upload_date, categories });
            }
        }
        for name in self.files.names_in("authors")? {
            let path = format!("authors/{name}");
            let Some(stem) = name.strip_suffix(".toml") else {
                self.problem(&path, "name", "an author's file is named <slug>.toml");
                continue;
            };
            let slug = self.slug(&path, "name", stem);
            if let (Some(slug), Some(file)) = (slug, self.toml::<AuthorFile>(&path)?) {
                content.authors.push(AuthorDraft {
                    slug,
                    name: file.name,
                    sort_name: file.sort_name,
                    description: file.description,
                });
            }
        }
        for name in self.files.names_in("books")? {
            if let Some(book) = self.book(&name)? {
                content.books.push(book);
            }
        }
        content.editorial = self.editorial()?;
        self.check_names(&content);
        Ok(content)
    }

    fn book(&mut self, name: &str) -> anyhow::Result<Option<SeedBook>> {
        let path = format!("books/{name}/book.toml");
        let subid = self.slug(&format!("books/{name}"), "name", name);
        let Some(file) = self.toml::<BookFile>(&path)? else {
            if self.files.bytes(&path)?.is_none() {
                self.problem(&path, "file", "it is missing");
            }
            return Ok(None);
        };
        let to_watch = file.video;
        let body_path = format!("books/{name}/body.html");
        let body = self.files.text(&body_path)?;
        if body.is_none() && !file.coming_soon {
            self.problem(&body_path, "file", "it is missing");
        }
        let author = self.slug(&path, "author", &file.author);
        let categories = self.slugs(&path, "categories", &file.categories);
        let goals = self.slugs(&path, "goals", &file.goals);
        let upload_date = self.date(&path, "upload_date", &file.upload_date);
        let mut cover = None;
        for ending in COVERS {
            if let Some(bytes) = self.files.bytes(&format!("books/{name}/cover.{ending}"))? {
                cover = Some((ending, bytes));
                break;
            }
        }
        let ideas = self.ideas(name)?;
        let (Some(subid), Some(author), Some(upload_date)) = (subid, author, upload_date) else { return Ok(None) };
        let draft = BookDraft {
            subid,
            title: file.title,
            author,
            description: file.description,
            body: body.unwrap_or_default(),
            quotes: file.quotes.into_iter().map(|quote| Quote { text: quote.text, chapter: quote.chapter }).collect(),
            image: None,
            media: None,
            video: None,
            year: file.year,
            categories,
            goals,
            tags: file.tags,
            free: file.free,
            is_popular: file.popular,
            coming_soon: file.coming_soon,
            published: file.published,
            upload_date,
        };
        Ok(Some(SeedBook { draft, cover, film: to_watch, ideas, visuals: None }))
    }

    /// A book's illustrated key ideas; none when there is no such file.
    fn ideas(&mut self, name: &str) -> anyhow::Result<Vec<SeedIdea>> {
        let path = format!("books/{name}/visuals.toml");
        let Some(file) = self.toml::<VisualsFile>(&path)? else { return Ok(Vec::new()) };
        let mut ideas = Vec::new();
        for (place, idea) in file.idea.into_iter().enumerate() {
            let IdeaEntry { title, body, picture, ground } = idea;
            ideas.push(SeedIdea { title, body, picture, ground: ground.unwrap_or_else(|| Ground::at(place)) });
        }
        if ideas.is_empty() {
            self.problem(&path, "idea", "there is none");
        }
        Ok(ideas)
    }

    /// Names that nothing has.
    fn check_names(&mut self, content: &Content) {
        let authors: BTreeSet<&Slug> = content.authors.iter().map(|author| &author.slug).collect();
        let categories: BTreeSet<&Slug> = content.categories.iter().map(|category| &category.subid).collect();
        let goals: BTreeSet<&Slug> = content.goals.iter().map(|goal| &goal.slug).collect();
        for collection in &content.collections {
            for category in collection.categories.iter().filter(|category| !categories.contains(category)) {
                let title = &collection.title;
                self.problem(COLLECTIONS, "categories", format!("'{category}' of '{title}' is not in categories.toml"));
            }
        }
        for book in &content.books {
            let draft = &book.draft;
            let path = format!("books/{}/book.toml", draft.subid);
            if !authors.contains(&draft.author) {
                self.problem(&path, "author", format!("there is no authors/{}.toml", draft.author));
            }
            for category in draft.categories.iter().filter(|category| !categories.contains(category)) {
                self.problem(&path, "categories", format!("'{category}' is not in categories.toml"));
            }
            for goal in draft.goals.iter().filter(|goal| !goals.contains(goal)) {
                self.problem(&path, "goals", format!("'{goal}' is not in goals.toml"));
            }
        }
        let books: BTreeSet<&Slug> = content.books.iter().map(|book| &book.draft.subid).collect();
        for (path, book) in content.editorial.books_named().filter(|(_, book)| !books.contains(book)) {
            self.problem(&path, "book", format!("there is no books/{book}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Content, Files};

    #[test]
    fn the_demo_content_is_right() {
        let content = Content::read(&Files::Demo).expect("the demo content can be loaded");
        assert!(content.books.len() >= 10 && content.authors.len() >= 10, "there is something to read");
        assert!(content.books.iter().any(|book| book.draft.free), "the front page needs a free book");
        assert!(content.books.iter().filter(|book| book.ideas.len() >= 6).count() >= 8, "key ideas to look at");
        for book in &content.books {
            let words = catalogue::Body::from_html(&book.draft.body).words();
            let wanted = if book.draft.coming_soon { 0..=0 } else { 1_200..=2_600 };
            assert!(wanted.contains(&words), "{} has {words} words", book.draft.subid);
            for idea in &book.ideas {
                let words = idea.body.split_whitespace().count();
                assert!((35..=60).contains(&words), "{}, {}: {words} words", book.draft.subid, idea.title);
            }
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_by_file_and_field() {
        let home = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("categories.toml", "[[category]]\nsubid = \"Nature!\"\nname = \"Nature\"\nhue = 1\n");
        write("authors/someone.toml", "name = \"Some One\"\nbio = \"x\"\n");
        write(
            "books/owls/book.toml",
            "title = \"Owls\"\nauthor = \"nobody\"\ndescription = \"x\"\ncategories = [\"birds\"]\ngoals = [\"fly\"]\n\
             upload_date = \"tomorrow\"\n",
        );
        write(
            "collections.toml",
            "[[collection]]\ntitle = \"Wings\"\nsubtitle = \"x\"\nupload_date = \"2026-01-02\"\ncategories = [\"birds\"]\n",
        );
        write("books/empty/body.html", "<p>x</p>");
        write(
            "books/larks/book.toml",
            "title = \"Larks\"\nauthor = \"nobody\"\ndescription = \"x\"\ncategories = [\"birds\"]\nupload_date = \"2026-01-02\"\n",
        );
        write(
            "books/larks/visuals.toml",
            "[[idea]]\ntitle = \"One\"\npicture = { motif = \"hours\", feathers = 1 }\nbody = \"x\"\n",
        );
        let files = Files::new(Some(home.path())).expect("the folder is there");
        let error = Content::read(&files).expect_err("the content is wrong").to_string();
        for part in [
            "categories.toml: subid: 'Nature!'",
            "authors/someone.toml: line 2: unknown field `bio`",
            "books/owls/book.toml: upload_date: 'tomorrow' is not a date",
            "books/owls/body.html: file: it is missing",
            "books/empty/book.toml: file: it is missing",
            "books/larks/book.toml: author: there is no authors/nobody.toml",
            "collections.toml: categories: 'birds' of 'Wings' is not in categories.toml",
            "books/larks/book.toml: categories: 'birds' is not in categories.toml",
            "books/larks/visuals.toml: line 3: unknown field `feathers`",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
        assert!(Files::new(Some(&home.path().join("nowhere"))).is_err());
    }
}
